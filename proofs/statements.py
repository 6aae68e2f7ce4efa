"""What each claim says, and what it rests on, for check.py: the sentences are made here again.

The table of claims is filled by the modules of the folder `derivations`, a game each.
"""

import hashlib
import json
import re
import sys
from functools import cache
from pathlib import Path

PROOFS = Path(__file__).resolve().parent
GAMES = {
    "swe": "the software-engineering game",
    "risk": "Risk",
    "reroll": "the reroll game",
    "farkle": "Farkle",
    "fatestones": "FateStones",
}

sys.path.insert(0, str(PROOFS / "theorems"))
import steps  # noqa: E402 - beside the theorems
from derivations import farkle, fatestones, reroll, risk, swe, swe_policies  # noqa: E402, F401 - they enter claims
from kinds import TABLE  # noqa: E402
from stepping.step import StepError  # noqa: E402, F401 - for check.py


def filled(text, numbers):
    """Put what was found in the place of each <name>."""
    return re.sub(r"<([a-z_0-9]+)>", lambda name: str(numbers[name[1]]), text)


@cache
def theorems():
    """Return the SHA-256 of the text of each theorem, from its heading to the next."""
    text = (PROOFS / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    parts = [part for part in ("\n" + text).split("\n## ")[1:] if part.startswith("Theorem ")]
    digests = [hashlib.sha256(part.strip().encode()).hexdigest() for part in parts]
    return {part[: part.index(":")].lower(): of for part, of in zip(parts, digests, strict=True)}


@cache
def covered():
    """Return what theorems in Coq cover, after a look whether they are there."""
    entries = json.loads((PROOFS / "coq" / "COVERS.json").read_text(encoding="ascii"))
    for entry in entries.values():
        source = (PROOFS / "coq" / entry["file"]).read_text(encoding="utf-8")
        if not re.search(rf"^Theorem {entry['theorem']} :", source, re.MULTILINE):
            raise ValueError(f"no theorem {entry['theorem']} in {entry['file']}")
    return {
        claim: {key: of[key] for key in ("extent", "file", "theorem")}
        for claim, of in entries.items()
    }


@cache
def step(theorem):
    """Run the computational step of a theorem, once; an error where it fails."""
    return steps.THEOREMS[int(theorem.split()[1]) - 1]()


def stated(claim, numbers):
    """Return the formal parts of a claim and its sentence, as a certificate holds them."""
    of, game = TABLE[claim], GAMES[claim.split(".")[0]]
    domain, says, order = (filled(text, numbers) for text in (of.domain, of.says, of.order))
    last = f" (Smallest in the order: {order}.)" if order else ""
    return {
        "domain": domain,
        "formula": of.formula,
        "game": game,
        "order": order,
        "says": says,
        "sentence": f"In {game}, for {domain}: {says}.{last}",
        "source": of.source,
    }


def foundations(claim):
    """Return what a claim rests on; the steps of its theorems must hold."""
    rests = TABLE[claim].rests
    named = [name for name in rests if name.startswith("theorem ")]
    for name in named:
        step(name)
    return {
        "cited": [name for name in rests if "." not in name and name not in named],
        "claims": [name for name in rests if "." in name],
        "theorems": {name: theorems()[name] for name in named},
    }


def section(claim, verdict, kind, statement):
    """Write the part of a claim in the register, but for its explanations."""
    rests, coq = TABLE[claim].rests, covered().get(claim)
    cited = [name for name in rests if "." not in name and not name.startswith("theorem ")]
    lines = [f"### {claim}: {verdict}", statement["sentence"]]
    lines += [f"$${statement['formula']}$$"] if statement["formula"] else []
    lines += [f"- Source: {statement['source']}"]
    others = [name for name in rests if name not in cited]
    lines += [f"- Rests on: {', '.join(others)}"] if others else []
    lines += [f"- Cites: {', '.join(cited)}"] if cited else []
    if kind:
        place = coq and f"`proofs/coq/{coq['file']}`, theorem `{coq['theorem']}`"
        lines += [f"- In Coq: {place} ({coq['extent']})"] if coq else []
        lines += [f"- Certificate: `proofs/certificates/{claim}.json`, of kind {kind}"]
    return lines


def in_register(register, claim):
    """Return the row of a claim in the overview, and the lines of its part but explanations."""
    rows = [line for line in register.splitlines() if line.startswith(f"| {claim} |")]
    parts = re.split(r"^(?=#{2,3} )", register, flags=re.MULTILINE)
    there = [part for part in parts if part.startswith(f"### {claim}:")]
    lines = [line for part in there for line in part.splitlines() if line]
    return rows, [line for line in lines if not line.startswith("- Explanation: ")]


def row(claim, verdict, statement):
    return f"| {claim} | {verdict} | {statement['says']} |"
