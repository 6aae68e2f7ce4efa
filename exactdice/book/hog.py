"""Hog: both players say at once how many dice they roll; a 1 among them makes the round worthless.

Both add what they rolled; from the target on the higher score wins, and equal ones draw. A round in
which both get nothing leaves everything as it was, so play can come back to the same choice and the
values need not be rational: they are enclosed. A win is worth 1, a loss −1, and by symmetry the
game is worth 0; what is worth a look is the mixed strategies.
"""

from functools import partial
from itertools import product
from typing import TypeAlias

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, fair
from exactdice.models import Both, End, Game

State: TypeAlias = "tuple[int, int] | int"


def score_of(dice: int) -> Distribution[int]:
    """Law of what a number of dice is worth: their sum, or 0 where one of them shows a 1."""
    without = fair(6).given(lambda face: face > 1).sum_of(dice)
    return Distribution({0: 6**dice - 5**dice, **without})


def hog(target: int, most_dice: int) -> Game[State]:
    """A state is both scores, and in the end who won."""
    laws = {dice: score_of(dice) for dice in range(1, most_dice + 1)}

    def moves(state: State) -> Both[State] | End:
        if isinstance(state, int):
            return End(state)

        def after(x: int, y: int) -> State:
            mine, theirs = state[0] + x, state[1] + y
            over = max(mine, theirs) >= target
            return (mine > theirs) - (mine < theirs) if over else (mine, theirs)

        pairs = product(laws, repeat=2)
        return Both({(a, b): laws[a].with_other(laws[b], after) for a, b in pairs})

    return Game((0, 0), moves)


_RULES = "to 15 points, with at most four dice"
_VARIANT = Variant(_RULES, partial(hog, 15, 4), width="1e-20")
_ASKS = "value, a win being worth 1 and a loss −1"
PAGE = Page("hog", "Hog", "two, at once", _ASKS, {"to-15": _VARIANT})
