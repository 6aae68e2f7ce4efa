"""Certificates that belong to an answer: those of claims that the question settles.

The claims do not name questions; here stands which question shows what a claim says. Certificates
lie in ``proofs/certificates`` of a checkout; a package without them shows none.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from exactdice.claims.sentences import checkout
from exactdice.errors import OutputError
from exactdice.question import Question

#: The claims that a question's answer shows, by the question's text.
BELONGING: Mapping[str, tuple[str, ...]] = {
    "risk round 1 1": ("risk.one-against-one",),
    "risk win 4 2": ("risk.four-against-two",),
    "risk table 10 10": ("risk.table",),
    "risk dice 20 20": ("risk.maximum-dice",),
    "risk dice 20 20 --order simultaneous": ("risk.maximum-dice",),
    "swe value 10": ("swe.printed-optimum", "swe.ten-rounds"),
    "swe claims 10": ("swe.fix-most-robust", "swe.never-skip", "swe.ten-rounds"),
    "swe policies 10": ("swe.ten-rounds",),
    "swe promotion": ("swe.promotion-table",),
    "reroll value": ("reroll.optimal-play", "reroll.best-score"),
    "reroll policy": ("reroll.states", "reroll.optimal-play", "reroll.three-sixes"),
    "reroll certificate": ("reroll.optimal-play",),
    "reroll theta": ("reroll.theta",),
    "farkle thresholds": ("farkle.thresholds",),
    "farkle readme": ("farkle.optimal-1", "farkle.optimal-2-and-3", "farkle.two-rolls"),
    "fatestones dice": ("fatestones.dice",),
    "fatestones rankings --set all": ("fatestones.ranking",),
}


@cache
def _folder() -> Path | None:
    try:
        return checkout() / "proofs" / "certificates"
    except OutputError:
        return None


def certificates_of(asked: Question) -> list[tuple[str, str]]:
    """List the claims whose certificates belong to a question, each with its address."""
    claims = BELONGING.get(str(asked), ())
    return [(claim, f"/certificates/{claim}.json") for claim in claims if certificate_file(claim)]


def certificate_file(claim: str) -> Path | None:
    """Return the certificate of a claim that belongs to some question; None if there is none."""
    folder = _folder()
    if folder is None or not any(claim in claims for claims in BELONGING.values()):
        return None
    path = folder / f"{claim}.json"
    return path if path.is_file() else None
