#!/usr/bin/env python3
"""Print certificates and CLAIMS.md as check.py derives them, with the standard library alone.

    python3 proofs/derive.py VERSION FOLDER [CLAIM ...]

Prints a line of JSON a claim, as it comes: its certificate for that version of the package. Of the
certificate in FOLDER only the evidence is used, and only by claims whose derivation asks for a
witness. The last line is CLAIMS.md, made of the certificates that were printed and, for all other
claims, of those in FOLDER. A line may have a problem instead. `exactdice verify` compares them with
what is there, and `exactdice verify --write` writes them.
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
    """Return the certificate of a claim as it is derived."""
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
    """Return what CLAIMS.md says of a claim: verdict, statement, theorem in Coq, kind and programs."""
    if not TABLE[claim].derive:
        return claim, "open", stated(claim, {}, {}), None, "", ()
    given = derived.get(claim) or parse(plain(folder / f"{claim}.json"))
    said = (given[key] for key in ("verdict", "statement", "coq", "kind"))
    return claim, *said, given["evidence"].get("programs")


def lines(version, folder, claims):
    """Yield what is printed, each made when it is asked for."""
    derived = {}
    for claim in claims:
        try:
            derived[claim] = certificate(claim, version, folder)
            yield {"claim": claim, "text": canonical(derived[claim])}
        except (*MALFORMED, Rejected, check.statements.StepError) as problem:
            yield {"claim": claim, "problem": str(problem) or type(problem).__name__}
    try:
        entries = [entry(claim, derived, folder) for claim in TABLE]
        yield {"text": check.register.written(entries)}
    except (*MALFORMED, Rejected) as problem:
        yield {"problem": f"cannot be compared: {problem}"}


def main(version, folder, *claims):
    for line in lines(version, Path(folder), claims):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
