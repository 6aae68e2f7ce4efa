#!/usr/bin/env python3
"""Print certificates, CLAIMS.md and DETAILS.md as check.py derives them, with only the standard library.

    python3 proofs/derive.py VERSION FOLDER [CLAIM ...]

Prints one line of JSON for each claim: its certificate for that version of the package. The program
reads the evidence of the certificate in FOLDER only for claims that need a witness. The last line is
CLAIMS.md, made from the printed certificates and, for all other claims, from those in FOLDER. A line
may contain a problem instead. `exactdice verify` compares the lines with the files, and `exactdice
verify --write` writes the files.
"""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

import check
from kinds import TABLE
from reading import MALFORMED, Rejected, canonical, parse, plain
from statements import stated


def certificate(claim, version, folder):
    """Derive the certificate of a claim."""
    given = {"evidence": None}
    if TABLE[claim].asks_evidence:
        given = parse(plain(folder / f"{claim}.json"))
    return {
        "claim": claim,
        "format": check.FORMAT,
        "package": f"exactdice {version}",
        **check.found_by(claim, given),
    }


def entry(claim, derived, folder):
    """Return a claim's verdict, statement, theorem in Coq, kind and programs for the register."""
    if not TABLE[claim].derive:
        return claim, check.register.unsettled(claim), stated(claim, {}, {}), None, "", ()
    given = derived.get(claim) or parse(plain(folder / f"{claim}.json"))
    said = (given[key] for key in ("verdict", "statement", "coq", "kind"))
    return claim, *said, given["evidence"].get("programs")


def lines(version, folder, claims):
    derived = {}
    for claim in claims:
        try:
            derived[claim] = certificate(claim, version, folder)
            yield {"claim": claim, "text": canonical(derived[claim])}
        except (*MALFORMED, Rejected, check.statements.StepError) as problem:
            yield {"claim": claim, "problem": str(problem) or type(problem).__name__}
    try:
        entries = [entry(claim, derived, folder) for claim in TABLE]
        yield from ({"text": text} for text in check.register.written(entries))
    except (*MALFORMED, Rejected) as problem:
        yield from [{"problem": f"cannot be compared: {problem}"}] * len(check.REGISTER)


def main(version, folder, *claims):
    for line in lines(version, Path(folder), claims):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
