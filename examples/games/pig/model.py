"""The rules as a program: one turn. A state is the number of points in the turn.

The player rolls two dice. Without a 1, their sum is added to the turn, and the player rolls again
or holds. A 1 on either die ends the turn without points. A turn that reaches the target ends, and
all its points count.
"""

from collections import Counter
from itertools import product

from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, Moves, point_mass

OVER = -1


def turn(target: int, points: int = 0) -> Game[int]:
    """Return the game of a turn that already has some points."""

    def moves(points: int) -> Moves:
        if points == OVER or points >= target:
            return End(max(points, 0))
        rolls = product(range(1, 7), repeat=2)
        after = Counter(OVER if 1 in dice else points + sum(dice) for dice in rolls)
        return [Choice("hold", points, point_mass(OVER)), Choice("roll", 0, Distribution(after))]

    return Game(points, moves)
