"""The rules as a program: one turn, of which a state is the points that it has brought so far.

Two dice are rolled. With no 1 their sum is added to the turn, and the player rolls again or holds;
a 1 on either, or on both, ends the turn with nothing. A turn that has brought the target ends by
itself, and all its points count.
"""

from collections import Counter
from itertools import product

from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, Moves, point_mass

OVER = -1


def turn(target: int, points: int = 0) -> Game[int]:
    """A turn, from some points on."""

    def moves(points: int) -> Moves:
        if points == OVER or points >= target:
            return End(max(points, 0))
        rolls = product(range(1, 7), repeat=2)
        after = Counter(OVER if 1 in dice else points + sum(dice) for dice in rolls)
        return [Choice("hold", points, point_mass(OVER)), Choice("roll", 0, Distribution(after))]

    return Game(points, moves)
