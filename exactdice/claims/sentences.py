"""What a claim says, as its certificate and the register hold it: formal parts, and one sentence.

The formal statement of a claim is its game, what is quantified over, what is said of it, the order
in which a counterexample is the smallest, a formula, and who says so. The sentence is made from
these parts and from nothing else. What a verdict *rests on* are claims, cited facts, and theorems
of ``proofs/theorems/THEOREMS.md``, each with the SHA-256 of its text: a changed proof is another
proof. Theorems in Coq are those of ``proofs/coq/COVERS.json``. The program ``proofs/check.py`` has
its own table of all this, and compares.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from exactdice import GAMES
from exactdice.claims.model import Claim, Content
from exactdice.errors import OutputError

__all__ = ["coq_theorem", "foundations", "sentence", "statement", "theorem_digests"]

_PROOFS = Path(__file__).resolve().parents[2] / "proofs"


def statement(claim: Claim) -> dict[str, str]:
    """Return the formal parts of a claim, and the sentence made from them.

    Examples
    --------
    >>> from exactdice.jobs.claims import claim_named
    >>> statement(claim_named("reroll.states"))["sentence"]
    'In the reroll game, for three fair dice, a reroll costs 1 point: there are 56 states.'
    """
    return {
        "domain": claim.domain,
        "formula": claim.latex,
        "game": GAMES[claim.id.split(".")[0]],
        "order": claim.order,
        "says": claim.statement,
        "sentence": sentence(claim),
        "source": claim.source,
    }


def sentence(claim: Claim) -> str:
    """Make the sentence of a claim from its parts."""
    game = GAMES[claim.id.split(".")[0]]
    order = f" (Smallest in the order: {claim.order}.)" if claim.order else ""
    return f"In {game}, for {claim.domain}: {claim.statement}.{order}"


@cache
def theorem_digests() -> dict[str, str]:
    """Return the SHA-256 of the text of each theorem, from its heading to the next.

    Raises
    ------
    OutputError
        If the package was installed without its proofs.
    """
    text = _read("theorems/THEOREMS.md")
    parts = re.split(r"^## (?=Theorem \d+:)", text, flags=re.MULTILINE)[1:]
    return {
        part.split(":")[0].lower(): hashlib.sha256(part.strip().encode()).hexdigest()
        for part in parts
    }


def foundations(claim: Claim) -> dict[str, Content]:
    """Return what the verdict of a claim rests on: claims, cited facts, theorems with hashes.

    Examples
    --------
    >>> from exactdice.jobs.claims import claim_named
    >>> found = foundations(claim_named("risk.power-sums"))
    >>> found["cited"], list(found["theorems"])
    (['cycle-lemma'], ['theorem 4'])
    """
    theorems = [name for name in claim.depends_on if name.startswith("theorem ")]
    return {
        "cited": list(claim.cites),
        "claims": [name for name in claim.depends_on if name not in theorems],
        "theorems": {name: theorem_digests()[name] for name in theorems},
    }


def coq_theorem(claim: Claim) -> dict[str, str] | None:
    """Return file, name and extent of the theorem in Coq that covers a claim; None without one.

    Examples
    --------
    >>> from exactdice.jobs.claims import claim_named
    >>> coq_theorem(claim_named("risk.monotone"))
    {'extent': 'armies of any size', 'file': 'Monotone.v', 'theorem': 'monotone'}
    """
    entry = json.loads(_read("coq/COVERS.json")).get(claim.id)
    return entry and {key: entry[key] for key in ("extent", "file", "theorem")}


def _read(name: str) -> str:
    try:
        return (_PROOFS / name).read_text(encoding="utf-8")
    except OSError as problem:
        raise OutputError(
            f"proofs: no {name} beside the package; run it from a checkout"
        ) from problem
