"""Snakes and ladders: a chain without choices, and how long a game takes one player.

The board is that of Milton Bradley's Chutes and Ladders (a trademark of Hasbro). Play begins
outside it, and a roll that would lead past the last square leaves the piece where it is.
"""

from exactdice.book.page import Page, Variant
from exactdice.dice import fair
from exactdice.models import Chance, Game

LEAPS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100} | {
    16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78
}  # fmt: skip


def moves(square: int) -> Chance[int] | None:
    """A state is the square that the player stands on."""
    if square == 100:
        return None

    def step(roll: int) -> int:
        landed = square + roll
        return square if landed > 100 else LEAPS.get(landed, landed)

    return Chance(1, fair(6).map(step))


_MEAN = (
    "225837582538403273407117496273279920181931269186581786048583/"
    "5757472998140039232950575874628786131130999406013041613400"
)
_PRINTED = {_MEAN: "Althoen, King and Schilling, The Mathematical Gazette 77 (1993)"}
_BOARD = Variant("the board of Milton Bradley", lambda: Game(0, moves), printed=_PRINTED)
_TITLE, _ASKS, _VARIANTS = "Snakes and ladders", "mean number of moves", {"milton-bradley": _BOARD}
PAGE = Page("snakes-and-ladders", _TITLE, "one, who chooses nothing", _ASKS, _VARIANTS)
