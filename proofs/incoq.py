"""Compare COVERS.json, which maps claims to theorems in Coq, with the files that Coq compiles.

This module does not run Coq. `make coq` checks that each theorem proves its statement and uses no
axiom.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from reading import Rejected, need  # noqa: F401 - for coq/covers.py

COQ = Path(__file__).resolve().parent / "coq"


def without_comments(text):
    """Remove nested comments."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        depth += {"(*": 1, "*)": -1}.get(part, 0)
        if not depth and part != "*)":
            kept.append(part)
    return "".join(kept)


def code_of(name):
    return without_comments((COQ / name).read_text(encoding="utf-8"))


def statement_of(entry):
    """Return the statement after the name of the theorem in its file."""
    project = (COQ / "_CoqProject").read_text("ascii").split()
    need(entry["file"] in project, f"{entry['file']} is not in _CoqProject")
    theorem = rf"^Theorem {re.escape(entry['theorem'])} : ([^.]+)\.\s"
    there = re.findall(theorem, code_of(entry["file"]), re.MULTILINE)
    need(len(there) == 1, f"theorem {entry['theorem']} not found in {entry['file']}")
    return there[0]


def definition_of(statement):
    """Return the definition of a statement, and Statements.v up to the end of the definition."""
    name, text = statement.split()[0], code_of("Statements.v")
    there = re.search(rf"^Definition {name}\b.*?\.\s*$", text, re.MULTILINE | re.DOTALL)
    need(there, f"{name} is not defined in Statements.v")
    return there[0], text[: there.end()]


def digest(entry):
    """Return the SHA-256 of a theorem's statement with all definitions it may use."""
    statement = statement_of(entry)
    words = " ".join([*definition_of(statement)[1].split(), statement])
    return hashlib.sha256(words.encode()).hexdigest()


@cache
def covers():
    return json.loads((COQ / "COVERS.json").read_text(encoding="ascii"))


@cache
def covered(claim, theorem):
    """Return the certificate's entry for the Coq theorem of a claim, or None."""
    need((claim in covers()) == bool(theorem), "COVERS.json and the table list different claims")
    if not theorem:
        return None
    entry = covers()[claim]
    need(entry["theorem"] == theorem, f"COVERS.json names a different theorem for {claim}")
    need(digest(entry) == entry["says"], f"the statement of {theorem} in Coq has changed")
    return {key: entry[key] for key in ("extent", "file", "theorem")}


def in_coq(number):
    """Write a number of a certificate in the notation of Coq."""
    top, _, bottom = str(number).partition("/")
    return f"{top} # {bottom}" if bottom else top


def same_numbers(claim, numbers):
    """Check that the numbers shared by claim and theorem are equal and in the statement."""
    entry = covers()[claim]
    text = definition_of(statement_of(entry))[0]
    for name, constant in entry["constants"].items():
        found = numbers[name] if isinstance(numbers[name], (list, tuple)) else [numbers[name]]
        said = constant if isinstance(constant, list) else [constant]
        need([*map(in_coq, found)] == said, f"{name}: the number in COVERS.json differs")
        for one in said:
            is_there = re.search(rf"(?<![\w#]){re.escape(one)}(?!\w)", text)
            need(is_there, f"{name}: the statement in Coq does not contain {one}")
