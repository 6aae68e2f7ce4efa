"""Threes: five dice that count what they show, a three nothing; the least sum is best.

After each roll one die at least is set aside, and stays there; the others are rolled again, until
all are set aside. The rules are those of "Threes" at algomath.wordpress.com (25 July 2012) and of
question 4482277 at math.stackexchange.com.
"""

from itertools import combinations

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, pool, sorted_roll
from exactdice.models import LockedTurns

State = tuple[int, int]  # dice to roll, points of those set aside
DIE = Distribution(dict.fromkeys((0, 1, 2, 4, 5, 6), 1))


def threes(dice: int) -> LockedTurns[State]:
    """A turn with so many dice."""

    def keep(state: State, roll: tuple[int, ...]) -> list[State]:
        left, points = state
        kept = {part for size in range(1, left + 1) for part in combinations(roll, size)}
        return sorted({(left - len(part), points + sum(part)) for part in kept})

    rolls = [None, *(sorted_roll(pool(count, DIE)) for count in range(1, dice + 1))]
    return LockedTurns((dice, 0), lambda state: rolls[state[0]], keep, lambda state: False)


def points_below(end: State | None) -> int:
    """What an end is worth: its points, counted below 0."""
    return -end[1] if end else 0


def _variant(rules: str, dice: int, printed: str = "") -> Variant:
    numbers = {printed: "algomath.wordpress.com, 2012"} if printed else {}
    return Variant(rules, lambda: threes(dice).game(points_below), printed=numbers)


_VARIANTS = {
    "five": _variant("five dice", 5),
    "two": _variant("two dice", 2, "-4.4"),
    "one": _variant("one die", 1, "-3"),
}
_ASKS = "least mean sum of the dice, counted below 0"
PAGE = Page("threes", "Threes", "any number, each for the least sum", _ASKS, _VARIANTS)
