#!/usr/bin/env python3
"""Ask Coq, for each claim of COVERS.json, whether its theorem says its statement, and from what.

    python3 proofs/coq/covers.py [--write]

Needs the compiled files, so `make coq` runs it after them. Prints a line a claim; exit status 1
where a theorem has another type, rests on an axiom, or says something else than when COVERS.json was
written. With --write the digests of COVERS.json are written anew, and Coq is not asked.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import incoq  # noqa: E402 - beside the checker

CLOSED = "Closed under the global context"


def question(entry):
    """Return what asks Coq for the type of a theorem, and for the axioms under it."""
    theorem = f"{entry['file'].removesuffix('.v')}.{entry['theorem']}"
    said = f"Goal {incoq.statement_of(entry)}. exact {theorem}. Qed."
    return f"{said}\nPrint Assumptions {theorem}."


def answers(entries):
    """Return what Coq prints for each entry: that it is closed, or its axioms."""
    files = dict.fromkeys(entry["file"].removesuffix(".v") for entry in entries)
    asked = [f"From ExactDice Require Import Statements {' '.join(files)}."]
    asked += ["From ExactDice Require Import RiskCertificate.", *map(question, entries)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Covered.v"
        path.write_text("\n".join(asked) + "\n", "utf-8")
        command = ["coqc", "-q", "-Q", str(FOLDER), "ExactDice", str(path)]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return [
        " ".join(part.split())
        for part in re.split(r"^(?=Closed|Axioms)", run.stdout, flags=re.M)[1:]
    ]


def write(covers):
    for entry in covers.values():
        entry["says"] = incoq.digest(entry)
    text = json.dumps(covers, indent=1, sort_keys=True) + "\n"
    (FOLDER / "COVERS.json").write_text(text, "ascii")


def main(words):
    covers = incoq.covers()
    if "--write" in words:
        return write(covers)
    failed = 0
    for (claim, entry), line in zip(covers.items(), answers(covers.values()), strict=True):
        same = entry["says"] == incoq.digest(entry)
        failed += line != CLOSED or not same
        changed = "" if same else "; COVERS.json was written for another statement"
        print(f"{claim}: {entry['theorem']} in {entry['file']}: {line}{changed}")
    return failed > 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (incoq.Rejected, subprocess.CalledProcessError) as problem:
        sys.exit(f"covers.py: {problem}")
