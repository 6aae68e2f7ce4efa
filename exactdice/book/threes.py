"""Threes: five dice that count what they show, a three nothing; the least sum is best.

After each roll one die at least is set aside, and stays there; the others are rolled again, until
all are set aside. The rules are those of "Threes" at algomath.wordpress.com (25 July 2012) and of
question 4482277 at math.stackexchange.com.
"""

from functools import partial
from itertools import combinations
from typing import Any

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, pool, sorted_roll
from exactdice.models import Game, LockedTurns

State = tuple[int, int]  # dice to roll, points of those set aside
DIE = Distribution(dict.fromkeys((0, 1, 2, 4, 5, 6), 1))


def game(dice: int) -> Game[Any]:
    """A turn with so many dice, and what is counted at its end."""

    def keep(state: State, roll: tuple[int, ...]) -> list[State]:
        left, points = state
        kept = {part for size in range(1, left + 1) for part in combinations(roll, size)}
        return sorted({(left - len(part), points + sum(part)) for part in kept})

    def roll(state: State) -> Distribution[tuple[int, ...]] | None:
        return sorted_roll(pool(state[0], DIE)) if state[0] else None

    turns = LockedTurns((dice, 0), roll, keep, lambda state: False)
    return turns.game(lambda end: end[1] if end else 0)


_ALGOMATH = "algomath.wordpress.com, 2012"
_VARIANTS = {
    "five": Variant("five dice", partial(game, 5), least=True),
    "two": Variant("two dice", partial(game, 2), printed={"4.4": _ALGOMATH}, least=True),
    "one": Variant("one die", partial(game, 1), printed={"3": _ALGOMATH}, least=True),
}
_WHO, _ASKS = "any number, each for the least sum", "least mean sum of the dice"
PAGE = Page("threes", "Threes", _WHO, _ASKS, _VARIANTS)
