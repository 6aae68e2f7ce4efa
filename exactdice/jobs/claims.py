"""Every claim, in the order of the register."""

from exactdice.claims.model import Claim
from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.games.record import listed

#: All claims, game by game.
CLAIMS: tuple[Claim, ...] = tuple(claim for claims in listed(GAMES, "claims") for claim in claims)


def claim_named(name: str) -> Claim:
    """Return the claim with that id.

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
