"""Which theorem in Coq covers a claim: what COVERS.json says, held to the files that Coq compiles.

Coq is not run here. That each theorem says its statement and rests on no axiom is what `make coq`
finds, and prints a line a claim.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from reading import Rejected, need  # noqa: F401 - for coq/covers.py

COQ = Path(__file__).resolve().parent / "coq"


def without_comments(text):
    """Leave out comments, which nest."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        depth += {"(*": 1, "*)": -1}.get(part, 0)
        if not depth and part != "*)":
            kept.append(part)
    return "".join(kept)


def code_of(name):
    return without_comments((COQ / name).read_text(encoding="utf-8"))


def statement_of(entry):
    """Return what the theorem of an entry is said to prove, as `Theorem` names it in its file."""
    need(entry["file"] in (COQ / "_CoqProject").read_text("ascii").split(), "not compiled by Coq")
    theorem = rf"^Theorem {re.escape(entry['theorem'])} : ([^.]+)\.\s"
    there = re.findall(theorem, code_of(entry["file"]), re.MULTILINE)
    need(len(there) == 1, f"no theorem {entry['theorem']} in {entry['file']}")
    return there[0]


def definition_of(statement):
    """Return the definition of a statement, and before it all that Statements.v defines."""
    name, text = statement.split()[0], code_of("Statements.v")
    there = re.search(rf"^Definition {name}\b.*?\.\s*$", text, re.MULTILINE | re.DOTALL)
    need(there, f"Statements.v defines no {name}")
    return there[0], text[: there.end()]


def digest(entry):
    """Return the SHA-256 of what a theorem says: all that its statement may use, without spaces."""
    statement = statement_of(entry)
    words = " ".join([*definition_of(statement)[1].split(), statement])
    return hashlib.sha256(words.encode()).hexdigest()


@cache
def covers():
    return json.loads((COQ / "COVERS.json").read_text(encoding="ascii"))


@cache
def covered(claim, theorem):
    """Return what a certificate says of the theorem that its claim names; None if it names none."""
    need((claim in covers()) == bool(theorem), "COVERS.json: another claim")
    if not theorem:
        return None
    entry = covers()[claim]
    need(entry["theorem"] == theorem, f"COVERS.json: another theorem: {claim}")
    need(digest(entry) == entry["says"], f"{theorem} in Coq says something else")
    return {key: entry[key] for key in ("extent", "file", "theorem")}


def in_coq(number):
    """Write a number of a certificate as the statements do."""
    top, _, bottom = str(number).partition("/")
    return f"{top} # {bottom}" if bottom else top


def same_numbers(claim, numbers):
    """The numbers that the claim and the theorem share are the same, and stand in its statement."""
    entry = covers()[claim]
    text = definition_of(statement_of(entry))[0]
    for name, constant in entry["constants"].items():
        found = numbers[name] if isinstance(numbers[name], (list, tuple)) else [numbers[name]]
        said = constant if isinstance(constant, list) else [constant]
        need([*map(in_coq, found)] == said, f"{name}: another number in COVERS.json")
        for one in said:
            need(re.search(rf"(?<![\w#]){re.escape(one)}(?!\w)", text), f"{name}: not in Coq")
