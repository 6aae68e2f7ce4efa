r"""Turns in which dice that were set aside stay there: roll, set some aside, roll the rest or stop.

A state is what a player has between two rolls: dice to roll, points, dice set aside. There the
turn may end, or something is rolled; after it a state is chosen among those that the roll allows,
and where it allows none the turn is bust. What an end is worth stands apart from the rules, so that
one turn is solved for many worths at once: its value is

.. math:: V(s) = \max\bigl(w(s), \textstyle\sum_r p_s(r) \max_{t \in K(s, r)} V(t)\bigr),

with w of a bust turn where K(s, r) is empty. States do not come again, so that this is computed
from the ends backwards: in integers over one denominator, or rounded down or up in fixed point.
Where all dice may be rolled again, kept or not, `exactdice.solve.keeping` is faster.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from math import lcm
from operator import floordiv
from typing import Any, Generic, TypeVar

import numpy as np

from exactdice.arithmetic import RationalLike
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.solve.game import Game
from exactdice.solve.keeping import Array
from exactdice.solve.turns import Chance, Choice, Moves, point_mass

State = TypeVar("State", bound=Hashable)


def _times(row: Array, factor: int) -> Array:
    return row if factor == 1 else row * factor


@dataclass(frozen=True)
class LockedTurns(Generic[State]):
    """Turns with the same rules, whatever their ends are worth.

    Parameters
    ----------
    start
        The state before the first roll.
    roll
        The law of what is rolled in a state; None where the turn is over.
    keep
        The states that a roll in a state allows, in the order that breaks ties; none: bust.
    may_stop
        Whether the turn may end in a state in which dice could be rolled.

    Raises
    ------
    InputError
        If a state can come again.

    Examples
    --------
    One die, rolled for its points until a 1 takes them; 6 points or more end the turn:

    >>> from exactdice.dice import fair
    >>> turns = LockedTurns(
    ...     0, lambda shown: fair(6) if shown < 6 else None,
    ...     lambda shown, face: [shown + face] if face > 1 else [], bool
    ... )
    >>> from exactdice.models import optimum
    >>> optimum(turns.game(lambda end: end or 0)).value
    mpq(581,108)
    """

    start: State
    roll: Callable[[State], Distribution[Any] | None]
    keep: Callable[[State, Any], Iterable[State]]
    may_stop: Callable[[State], bool]

    @cached_property
    def _ways(self) -> dict[State, dict[tuple[State, ...], int]]:
        """For each state, ways to each set of states that may be chosen; those after it first."""
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
                    raise InputError("keep", (state, shown), "states that were not there before")
                stack += [after for after in allowed if after not in ways]
        return done

    @cached_property
    def ends(self) -> tuple[State | None, ...]:
        """Where a turn may end; None where it is bust."""
        ends = tuple(s for s, ways in self._ways.items() if not ways or self.may_stop(s))
        is_bust = any(() in ways for ways in self._ways.values())
        return (None, *ends) if is_bust else ends

    @cached_property
    def _denominators(self) -> dict[State, tuple[int, int]]:
        """Denominators of the value of each state, and of what is rolled to."""
        scales: dict[State, tuple[int, int]] = {}
        for state, ways in self._ways.items():
            inner = lcm(*(scales[after][0] for allowed in ways for after in allowed))
            scales[state] = inner * max(sum(ways.values()), 1), inner
        return scales

    @property
    def denominator(self) -> int:
        """What `values` are multiplied by."""
        return self._denominators[self.start][0]

    def values(self, worths: Array) -> Array:
        """Values of many turns, exactly, times `denominator`.

        Parameters
        ----------
        worths
            Integers of shape (ends, turns): what each of `ends` is worth; objects where long.

        Notes
        -----
        Some 3 µs and 50 ns a turn for each state and set of states to be chosen from.
        """
        return self._value(worths, self._denominators, lambda total, ways: total)

    def rounded(self, worths: Array, *, up: bool) -> Array:
        """Values of many turns with worths in fixed point, each roll rounded down, or `up`.

        Bounds of the worths on that side give bounds of the values.
        """
        divide = (lambda total, ways: -(-total // ways)) if up else floordiv
        return self._value(worths, dict.fromkeys(self._ways, (1, 1)), divide)

    def _value(
        self, worths: Array, scales: Mapping[State, tuple[int, int]], divide: Callable[..., Any]
    ) -> Array:
        """Go through the states backwards; values are times their scale, the first of the pair."""
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
        """One turn as moves: (state,), (state, roll) where that leaves a choice or none, and ()."""
        return Game((self.start,), partial(self._moves, worth))

    def _moves(self, worth: Callable[[State | None], RationalLike], at: Any) -> Moves:
        return self.moves(at, lambda end: (worth(end), point_mass(())), tuple) if at else None

    def moves(self, at: Any, after: Callable[[Any], tuple[Any, Any]], named: Any) -> Moves:
        """What can happen in a turn; `after` an end, and in states that are `named` so."""
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
