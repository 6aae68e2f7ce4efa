"""Double Shutter: Shut the Box with a second row of tiles, each behind a tile of the first.

The front row stands from 1 up to 9, the back row the other way round, so that a front tile and the
one behind it make 10. Each roll's total is made of tiles that stand free, which are shut; what is
behind a tile is free as soon as that is shut, and may serve the same roll. Where the free tiles add
up to at most 6, one die may be rolled instead of two. When a total cannot be made, what is left is
paid: the tiles of the back row once and those of the front row twice. Double Shutter is a trademark
of Blue Orange Games.
"""

from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.book.shut_the_box import ROLLS
from exactdice.models import Choice, End, Game, Moves, point_mass

Columns: TypeAlias = tuple[tuple[int, ...], ...]  # tiles that stand in each, the free one first
State: TypeAlias = tuple[Columns, int]  # and the roll that is to be made of them, or 0


def shut(stand: Columns, total: int) -> Iterator[Columns]:
    """Go through what is left in each column after tiles that add up to a total are shut."""
    if not stand:
        yield from [] if total else [()]
        return
    for taken in range(len(stand[0]) + 1):
        if sum(stand[0][:taken]) <= total:
            for rest in shut(stand[1:], total - sum(stand[0][:taken])):
                yield (stand[0][taken:], *rest)


def double_shutter(columns: int) -> Game[State]:
    """What is paid for what is left."""

    def moves(state: State) -> Moves:
        stand, total = state
        if total:
            choices = [Choice(after, 0, point_mass((after, 0))) for after in shut(stand, total)]
            return choices or End(
                sum(sum(column) + column[0] * (len(column) - 1) for column in stand if column)
            )
        if not any(stand):
            return End(0)
        free = sum(column[0] for column in stand if column)
        return [
            Choice(dice, 0, law.map(lambda rolled: (stand, rolled)))
            for dice, law in ROLLS.items()
            if dice == "two dice" or free <= 6
        ]

    return Game((tuple((n, columns + 1 - n) for n in range(1, columns + 1)), 0), moves)


_PRINTED = {"19.427": "Hathaway, danthemanhathaway.com"}
_NINE, _FIVE = partial(double_shutter, 9), partial(double_shutter, 5)
_VARIANTS = {
    "9": Variant("two rows of nine tiles", _NINE, "15 s", _PRINTED, least=True),
    "5": Variant("two rows of five tiles", _FIVE, least=True),
}
PAGE = Page("double-shutter", "Double Shutter", "one", "least mean of what is paid", _VARIANTS)
