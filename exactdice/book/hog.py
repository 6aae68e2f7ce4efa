"""Hog: both players say at once how many dice they roll; a 1 among them makes the round worthless.

Both add what they rolled; from the target on the higher score wins, and equal ones draw. A round in
which both get nothing leaves everything as it was, so play can come back to the same choice and the
values need not be rational: they are enclosed. A win is worth 1, a loss −1, and by symmetry the
game is worth 0; what is worth a look is the mixed strategies.
"""

from typing import TypeAlias

from exactdice.book.page import Page, Printed, Variant
from exactdice.dice import Distribution
from exactdice.models import Both, End, Game

State: TypeAlias = "tuple[int, int] | int"


def score_of(dice: int) -> Distribution[int]:
    """Law of what a number of dice is worth: their sum, or 0 where one of them shows a 1."""
    total = {0: 1}  # without a 1
    for _ in range(dice):
        longer: dict[int, int] = {}
        for points, ways in total.items():
            for face in range(2, 7):
                longer[points + face] = longer.get(points + face, 0) + ways
        total = longer
    return Distribution({0: 6**dice - 5**dice} | total)


def hog(target: int, most_dice: int) -> Game[State]:
    """A state is both scores, and in the end who won."""
    scores = {dice: score_of(dice) for dice in range(1, most_dice + 1)}

    def after(state: tuple[int, int], x: int, y: int) -> State:
        mine, theirs = state[0] + x, state[1] + y
        over = max(mine, theirs) >= target
        return (mine > theirs) - (mine < theirs) if over else (mine, theirs)

    def moves(state: State) -> Both[State] | End:
        if isinstance(state, int):
            return End(state)
        outcomes = {}
        for a, first in scores.items():
            for b, second in scores.items():
                law: dict[State, int] = {}
                for x, v in first.items():
                    for y, w in second.items():
                        reached = after(state, x, y)
                        law[reached] = law.get(reached, 0) + v * w
                outcomes[a, b] = Distribution(law)
        return Both(outcomes)

    return Game((0, 0), moves)


PAGE = Page(
    "hog",
    "Hog",
    "two, at once",
    "value, a win being worth 1 and a loss −1",
    {
        "to-15": Variant(
            "to 15 points, with at most four dice",
            lambda: hog(15, 4),
            width="1e-20",
            printed=(Printed("0.00", "symmetry"),),
        ),
    },
)
