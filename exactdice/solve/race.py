r"""Races of two players, who take turns of dice for points until one of them has the target.

The player to move, with a points against b, wins with the chance

.. math:: x(a, b) = \max_\text{play} \mathrm{E}\bigl[1 - x(b, a + g)\bigr],

g being what the turn brings, and wins at once where a + g is the target or more. A turn that brings
nothing leads to x(b, a), so that two states are found at a time; all others have more points, and
all states of one sum are solved at once, as columns (`LockedTurns.rounded`).

Bounds are integers in fixed point. If x lies below the value of best play against y, and y above
that against x, with all else bounded and each step rounded outwards, then x and y are bounds: the
equation is monotone and has one solution where a turn brings something with a chance above 0. Where
such a pair lies is guessed by Newton's method; that it is one is checked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from exactdice.arithmetic import RationalLike, counted, mpq, mpz, natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game
from exactdice.solve.keeping import Array
from exactdice.solve.locked import LockedTurns
from exactdice.solve.turns import End, Moves, Other, point_mass

State = TypeVar("State")
_SPARE = 40  # bits behind those of the width, for what rounding takes
_ROUNDS = 60


@dataclass(frozen=True)
class Race(Generic[State]):
    """Two players repeat turns; who first has the target wins.

    Parameters
    ----------
    turns
        What can be done in a turn.
    points
        What an end brings, at least 0; of a bust turn nothing. Where all are multiples of 50, count
        fifties: time grows with the square of the target.
    target
        Points that win.

    Examples
    --------
    Piglet: toss a coin as often as you like for a point each; a tail takes them:

    >>> from exactdice.dice import fair
    >>> from exactdice.models import optimum
    >>> turns = LockedTurns(
    ...     0, lambda heads: fair(2) if heads < 2 else None,
    ...     lambda heads, shown: [heads + 1] if shown == 1 else [], bool
    ... )
    >>> piglet = Race(turns, lambda heads: heads, 2)
    >>> optimum(piglet.game()).value  # a win less a loss: 4/7 − 3/7
    mpq(1,7)
    >>> mpq(4, 7) in piglet.enclosed("1e-20").chance(0, 0)
    True
    """

    turns: LockedTurns[Any]
    points: Callable[[Any], int]
    target: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", natural(self.target, "target", least=1))

    def game(self) -> Game[Any]:
        """The race as moves, a win being worth 1, a loss −1: (mine, theirs, state of the turn)."""
        return Game((0, 0, (self.turns.start,)), self._moves)

    def _moves(self, state: Any) -> Moves:
        if state is None:
            return End(1)
        mine, theirs, at = state

        def after(end: Any) -> tuple[int, Any]:
            total = mine + self._gain(end)
            over = total >= self.target
            return 0, point_mass(None if over else Other((theirs, total, (self.turns.start,))))

        return self.turns.moves(at, after, lambda at: (mine, theirs, at))

    def _gain(self, end: Any) -> int:
        return 0 if end is None else natural(counted(self.points(end)), "points")

    @cached_property
    def _gains(self) -> list[int]:
        return list(map(self._gain, self.turns.ends))

    def enclosed(self, width: RationalLike, run: Run = DEFAULT) -> "WinBounds":
        """Enclose the chance of the player to move in every state.

        Parameters
        ----------
        width
            Above 0; how far bounds may be apart.

        Raises
        ------
        InputError
            If the width is not reached, since turns may bring nothing for ever.

        Notes
        -----
        About 8 s for 10,000 states of Pig within 10⁻³⁰.
        """
        within = rational(width, "width")
        if within <= 0:
            raise InputError("width", width, "a number above 0")
        one = mpz(1) << int((1 / within).numerator.bit_length()) + _SPARE
        shape = (self.target, 2 * self.target)
        lower, upper = (np.full(shape, mpz(0), dtype=object) for _ in range(2))
        for total in range(2 * (self.target - 1), -1, -1):
            mine = np.arange(max(0, total - self.target + 1), min(total, self.target - 1) + 1)
            level = _Level(self, one, lower, upper, mine, total)
            lower[mine, total - mine], upper[mine, total - mine] = level.solve(one * within / 4)
            run.tell("sums of points", 2 * self.target - 1 - total, 2 * self.target - 1)
        if (upper - lower).max() > one * within:
            raise InputError(
                "width", width, "a greater width, or turns that bring more than nothing"
            )
        return WinBounds(lower, upper, one)


@dataclass(frozen=True, eq=False)
class WinBounds:
    """Bounds of the chance to win, in fixed point."""

    lower: Array
    upper: Array
    one: mpz

    def chance(self, mine: int, theirs: int) -> Enclosure:
        """The chance that the player to move wins, with so many points against so many."""
        return Enclosure(
            mpq(self.lower[mine, theirs], self.one), mpq(self.upper[mine, theirs], self.one)
        )


class _Level:
    """All states with the same sum of points."""

    def __init__(
        self, race: Race[Any], one: mpz, lower: Array, upper: Array, mine: Array, total: int
    ) -> None:
        self.race, self.one, self.mine = race, one, mine
        shape = (len(race._gains), len(mine))
        self.below, self.above = (np.full(shape, one, dtype=object) for _ in range(2))
        self.idle = [row for row, gain in enumerate(race._gains) if gain == 0]
        for row, gain in enumerate(race._gains):
            (plays,) = np.nonzero(mine + gain < race.target)
            if gain and len(plays):
                at = total - mine[plays], mine[plays] + gain
                self.below[row, plays] = one - upper[at]
                self.above[row, plays] = one - lower[at]

    def best(self, idle: Array, *, up: bool) -> Array:
        """Chances of best play, where a turn that brings nothing is worth so much."""
        worths = (self.above if up else self.below).copy()
        worths[self.idle] = idle
        return self.race.turns.rounded(worths, up=up)

    def guess(self) -> Array:
        """Newton's method, on values that are rounded down."""
        one, step = self.one, self.one >> 20
        chance: Array = np.array([one // 2] * len(self.mine), dtype=object)
        for _ in range(_ROUNDS):
            idle = one - chance[::-1]
            value = self.best(idle, up=False)
            slope = (self.best(idle + step, up=False) - value) * one // step
            rest = value - slope * idle // one + slope  # of x = rest − slope · x of the other
            other, turned = rest[::-1], slope[::-1]
            apart = np.maximum(one - slope * turned // one, 1)  # 0 where nothing is ever brought
            after = (rest - slope * other // one) * one // apart
            if (abs(after - chance) <= self.race.target << 8).all():
                return after
            chance = after
        return chance

    def solve(self, widest: mpq) -> tuple[Array, Array]:
        """Bounds about the guess, as narrow as they hold; 0 and 1 where they do not."""
        guess, wide = self.guess(), mpz(1) << 10
        while wide < widest:
            low, high = guess - wide, guess + wide
            below = self.best(self.one - high[::-1], up=False)
            above = self.best(self.one - low[::-1], up=True)
            if (below >= low).all() and (above <= high).all():
                return below, above
            wide *= 2
        return guess * 0, guess * 0 + self.one
