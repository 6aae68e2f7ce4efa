"""Every claim, in the order of the register."""

from exactdice.claims.model import Claim
from exactdice.errors import InputError
from exactdice.games.farkle import claims as farkle
from exactdice.games.fatestones import claims as fatestones
from exactdice.games.reroll import claims as reroll
from exactdice.games.risk import claims as risk
from exactdice.games.swe.claims import catalogue as swe

__all__ = ["CLAIMS", "claim_named"]

#: All claims, game by game.
CLAIMS: tuple[Claim, ...] = (
    *swe.claims(),
    *risk.claims(),
    *reroll.claims(),
    *farkle.claims(),
    *fatestones.claims(),
)


def claim_named(name: str) -> Claim:
    """Return the claim with that id.

    Examples
    --------
    >>> claim_named("reroll.states").statement
    'there are 56 states'
    >>> claim_named("reroll.chess")
    Traceback (most recent call last):
    exactdice.errors.InputError: claim: got 'reroll.chess'; give the id of a claim, listed in \
CLAIMS.md
    """
    for claim in CLAIMS:
        if claim.id == name:
            return claim
    raise InputError("claim", name, "the id of a claim, listed in CLAIMS.md")
