r"""Turns of dice that stay set aside: roll, set some aside, roll the rest or stop; and races.

A state is what a player has between two rolls: dice to roll, points, dice set aside. The turn may
end there, or dice are rolled; then the player chooses among the states that the roll allows, and if
there is none the turn is bust. The values of ends are separate from the rules, so that one turn is
solved for many of them together. The value of a turn is

.. math:: V(s) = \max\bigl(w(s), \textstyle\sum_r p_s(r) \max_{t \in K(s, r)} V(t)\bigr),

with w of a bust turn if K(s, r) is empty. States do not come again, so this is computed backwards
from the ends: in integers over one denominator, or rounded down or up in fixed point. If all dice
may be rolled again, kept or not, `exactdice.solve.keeping` is faster.

In a race two players take turns for points until one has the target. The state (a, b) has the
points of the player to move and of the other. With g the points of the turn, the player wins if a +
g is at least the target; otherwise play is at (b, a + g). Only a turn without points keeps the sum
a + b, so that the sums are solved from the greatest down, the states of one sum together, as
columns (`LockedTurns.rounded`). Bounds are integers in fixed point. If x is below the value of
optimal play against y, and y above the value of optimal play against x, x and y bound the values:
the equation is monotone and has one solution if a turn brings points with positive probability.
Newton's method guesses such a pair; the inequalities are then checked.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from math import lcm
from operator import floordiv
from typing import Any, Generic, TypeVar

import numpy as np

from exactdice.arithmetic import RationalLike, counted, mpq, mpz, natural, rational
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Game
from exactdice.solve.keeping import Array
from exactdice.solve.turns import Chance, Choice, End, Moves, Other, point_mass

State = TypeVar("State", bound=Hashable)


def _times(row: Array, factor: int) -> Array:
    return row if factor == 1 else row * factor


@dataclass(frozen=True)
class LockedTurns(Generic[State]):
    """Turns with the same rules and any values of their ends.

    * `start`: the state before the first roll.
    * `roll`: the distribution of what is rolled in a state; None if the turn is over.
    * `keep`: the states that a roll in a state allows, in the order that breaks ties; none means
      bust. InputError is raised if a state can come again.
    * `may_stop`: whether the turn may end in a state in which dice could be rolled.

    One die, rolled for points until a 1 loses them; 6 points or more end the turn:

    >>> from exactdice.dice import fair
    >>> turns = LockedTurns(
    ...     0, lambda shown: fair(6) if shown < 6 else None,
    ...     lambda shown, face: [shown + face] if face > 1 else [], bool
    ... )
    >>> from exactdice.models import optimum
    >>> optimum(turns.game(lambda end: end or 0)).value
    Enclosure(mpq(581,108))
    """

    start: State
    roll: Callable[[State], Distribution[Any] | None]
    keep: Callable[[State, Any], Iterable[State]]
    may_stop: Callable[[State], bool]

    @cached_property
    def _ways(self) -> dict[State, dict[tuple[State, ...], int]]:
        ways: dict[State, dict[tuple[State, ...], int]] = {}
        done: dict[State, dict[tuple[State, ...], int]] = {}
        path, stack = set(), [self.start]
        while stack:
            state = stack[-1]
            if state in ways:
                stack.pop()
                path.discard(state)
                done.setdefault(state, ways[state])
                continue
            law, ways[state] = self.roll(state), {}
            path.add(state)
            for shown, weight in law.items() if law is not None else ():
                allowed = tuple(dict.fromkeys(self.keep(state, shown)))
                ways[state][allowed] = ways[state].get(allowed, 0) + int(weight)
                if not path.isdisjoint(allowed):
                    raise InputError("keep", (state, shown), "states that do not come again")
                stack += [after for after in allowed if after not in ways]
        return done

    @cached_property
    def ends(self) -> tuple[State | None, ...]:
        """The states in which a turn may end; None stands for bust."""
        ends = tuple(s for s, ways in self._ways.items() if not ways or self.may_stop(s))
        is_bust = any(() in ways for ways in self._ways.values())
        return (None, *ends) if is_bust else ends

    @cached_property
    def _denominators(self) -> dict[State, tuple[int, int]]:
        scales: dict[State, tuple[int, int]] = {}
        for state, ways in self._ways.items():
            inner = lcm(*(scales[after][0] for allowed in ways for after in allowed))
            scales[state] = inner * max(sum(ways.values()), 1), inner
        return scales

    @property
    def denominator(self) -> int:
        return self._denominators[self.start][0]

    def values(self, worths: Array) -> Array:
        """Return the exact values of many turns, times `denominator`.

        `worths` are integers of shape (ends, turns): the value of each of `ends`, objects if they
        are long. About 3 µs, and 50 ns a turn, for each state and set of states to choose from.
        """
        return self._value(worths, self._denominators, lambda total, ways: total)

    def rounded(self, worths: Array, *, up: bool) -> Array:
        """Return the values of many turns in fixed point, each roll rounded down, or `up`.

        Bounds of the values of ends on that side give bounds of the result.
        """
        divide = (lambda total, ways: -(-total // ways)) if up else floordiv
        return self._value(worths, dict.fromkeys(self._ways, (1, 1)), divide)

    def _value(
        self, worths: Array, scales: Mapping[State, tuple[int, int]], divide: Callable[..., Any]
    ) -> Array:
        best: dict[State, Array] = {}
        worth = dict(zip(self.ends, worths, strict=True))
        for state, ways in self._ways.items():
            whole, inner = scales[state]
            total = _times(worth[state], whole) if state in worth else None
            if ways:
                rolled: Array = 0
                for allowed, weight in ways.items():
                    kept = [_times(best[t], inner // scales[t][0]) for t in allowed]
                    after = reduce(np.maximum, kept) if kept else _times(worth[None], inner)
                    rolled = rolled + _times(after, weight)
                rolled = divide(rolled, sum(ways.values()))
                total = rolled if total is None else np.maximum(total, rolled)
            best[state] = total
        return best[self.start]

    def game(self, worth: Callable[[State | None], RationalLike]) -> Game[Any]:
        """Return one turn as a game of states (state,), (state, roll) before a choice, and ()."""
        return Game((self.start,), partial(self._moves, worth))

    def _moves(self, worth: Callable[[State | None], RationalLike], at: Any) -> Moves:
        return self.moves(at, lambda end: (worth(end), point_mass(())), tuple) if at else None

    def moves(self, at: Any, after: Callable[[Any], tuple[Any, Any]], named: Any) -> Moves:
        """Return what can happen in a turn, with `after` an end, and states named by `named`."""
        state, *shown = at
        if shown:
            allowed = dict.fromkeys(self.keep(state, shown[0]))
            if not allowed:
                return Chance(*after(None))
            return [Choice(kept, 0, point_mass(named((kept,)))) for kept in allowed]
        if (law := self.roll(state)) is None:
            return Chance(*after(state))

        def rolled_to(shown: Any) -> Any:
            allowed = list(self.keep(state, shown))
            return named((allowed[0],) if len(allowed) == 1 else (state, shown))

        rolled = law.map(rolled_to)
        if not self.may_stop(state):
            return rolled
        return [Choice("stop", *after(state)), Choice("roll", 0, rolled)]


_SPARE = 40  # bits behind those of the width, for what rounding takes
_ROUNDS = 60


@dataclass(frozen=True)
class Race(Generic[State]):
    """A race of two players who take turns for points; the first to reach the target wins.

    * `turns`: the rules of a turn.
    * `points`: the points of an end, at least 0; a bust turn has none. If all are multiples of 50,
      count fifties: the time grows with the square of the target.
    * `target`: the points that win.

    Piglet: toss a coin as often as you like for a point each; a tail loses them:

    >>> from exactdice.dice import fair
    >>> from exactdice.models import optimum
    >>> turns = LockedTurns(
    ...     0, lambda heads: fair(2) if heads < 2 else None,
    ...     lambda heads, shown: [heads + 1] if shown == 1 else [], bool
    ... )
    >>> piglet = Race(turns, lambda heads: heads, 2)
    >>> optimum(piglet.game()).value  # a win less a loss: 4/7 − 3/7
    Enclosure(mpq(1,7))
    >>> mpq(4, 7) in piglet.enclosed("1e-20").chance(0, 0)
    True
    """

    turns: LockedTurns[Any]
    points: Callable[[Any], int]
    target: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", natural(self.target, "target", least=1))

    def game(self) -> Game[Any]:
        """Return the race as a game with payoffs 1 and −1: (mine, theirs, state of the turn)."""
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
        """Return bounds of the probability that the player to move wins, for every state.

        About 8 s for 10,000 states of Pig within a width of 10⁻³⁰. Raises InputError if the width
        is not reached because turns may bring nothing forever.
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
            wanted = "a greater width, or turns that bring more than nothing"
            raise InputError("width", width, wanted)
        return WinBounds(lower, upper, one)


@dataclass(frozen=True, eq=False)
class WinBounds:
    """Bounds of the probability to win, in fixed point."""

    lower: Array
    upper: Array
    one: mpz

    def chance(self, mine: int, theirs: int) -> Enclosure:
        """Return the probability that the player to move wins at a score."""
        lower, upper = self.lower[mine, theirs], self.upper[mine, theirs]
        return Enclosure(mpq(lower, self.one), mpq(upper, self.one))


class _Level:
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
        guess, wide = self.guess(), mpz(1) << 10
        while wide < widest:
            low, high = guess - wide, guess + wide
            below = self.best(self.one - high[::-1], up=False)
            above = self.best(self.one - low[::-1], up=True)
            if (below >= low).all() and (above <= high).all():
                return below, above
            wide *= 2
        return guess * 0, guess * 0 + self.one
