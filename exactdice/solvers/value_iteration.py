r"""Value iteration with a tolerance θ, in exact arithmetic or in doubles.

Every state that is not terminal starts at 0. A sweep replaces each value by the greatest return of
a move,

.. math:: V(s) \leftarrow \max_a \Bigl[r(s, a) + \sum_t p(t \mid s, a)\,V(t)\Bigr],

and sweeps are made until the greatest change within one is below θ. Two orders are in use and give
different sweeps: *synchronous*, where a sweep reads only values of the sweep before it, and
*in-place*, where it reads each new value as soon as it is there, states in the order of the process
(Sutton and Barto's pseudocode, and what most code does).

What is stated at the end is an approximation that carries no bound: undiscounted, a small change
does not mean a small error. `interval_iteration` gives bounds, `policy_iteration` the exact values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, natural, nearest_double, rational
from exactdice.errors import ExactDiceError, InputError
from exactdice.solvers.process import Action, DecisionProcess, State

__all__ = ["SWEEP_ORDERS", "ConvergenceError", "Sweeps", "ValueIteration", "value_iteration"]

Order: TypeAlias = Literal["synchronous", "in-place"]
#: Both orders.
SWEEP_ORDERS: tuple[Order, ...] = ("synchronous", "in-place")
Arithmetic: TypeAlias = Literal["exact", "float"]


class ConvergenceError(ExactDiceError, ArithmeticError):
    """The sweeps allowed were not enough."""

    exit_status = 1


@dataclass(frozen=True)
class ValueIteration(Generic[State]):
    """Where value iteration stopped.

    Parameters
    ----------
    values
        The value of every state after the last sweep: mpq, or float in floating-point sweeps.
    policy
        The greedy policy of these values, first action of equally good ones.
    last_choices
        The actions that gave the maxima of the last sweep. In a synchronous sweep they are the
        greedy policy of the values before it; in place, of each state's values at the time.
    changes
        The greatest change in each sweep; the last is below θ.
    order, arithmetic
        How the sweeps were made.
    """

    values: Mapping[State, Any] = field(repr=False)
    policy: Mapping[State, Action] = field(repr=False)
    last_choices: Mapping[State, Action] = field(repr=False)
    changes: tuple[Any, ...] = field(repr=False)
    order: Order
    arithmetic: Arithmetic

    @property
    def sweeps(self) -> int:
        """How many sweeps were made."""
        return len(self.changes)


class Sweeps(Generic[State]):
    """Value iteration one sweep at a time, from all values 0.

    Examples
    --------
    >>> from exactdice.dice import Distribution
    >>> from exactdice.solvers.process import Choice
    >>> process = DecisionProcess({0: [Choice("walk", 1, Distribution({0: 1, 1: 1}))], 1: []})
    >>> sweeps = Sweeps(process)
    >>> [str(sweeps.sweep()) for _ in range(4)]
    ['1', '1/2', '1/4', '1/8']
    """

    def __init__(
        self,
        process: DecisionProcess[State],
        order: Order = "synchronous",
        arithmetic: Arithmetic = "exact",
    ) -> None:
        if order not in SWEEP_ORDERS:
            raise InputError("order", order, "'synchronous' or 'in-place'")
        if arithmetic not in ("exact", "float"):
            raise InputError("arithmetic", arithmetic, "'exact' or 'float'")
        self.process = process
        self.order = order
        number: Any = _double if arithmetic == "float" else mpq
        self._moves = [
            [
                (
                    number(mpq(move.reward, move.denominator)),
                    [
                        (target, number(mpq(weight, move.denominator)))
                        for target, weight in zip(move.targets, move.weights, strict=True)
                    ],
                )
                for move in offered
            ]
            for offered in process.moves
        ]
        self.values: list[Any] = [number(0)] * len(process.states)
        self.places: list[int | None] = [None] * len(process.states)

    def sweep(self) -> Any:
        """Update every state once and return the greatest change."""
        before = self.values
        reading = before if self.order == "in-place" else list(before)
        change: Any = 0
        for state, offered in enumerate(self._moves):
            if offered:
                best, self.places[state] = _greatest(offered, reading)
                change = max(change, abs(best - before[state]))
                before[state] = best
        return change

    def greedy(self) -> dict[State, Action]:
        """Greedy policy of the present values, first action of equally good ones."""
        return self._policy(
            [_greatest(offered, self.values)[1] if offered else None for offered in self._moves]
        )

    def last_choices(self) -> dict[State, Action]:
        """Actions that gave the maxima of the last sweep."""
        return self._policy(self.places)

    def _policy(self, places: list[int | None]) -> dict[State, Action]:
        return {
            state: self.process.choices(state)[place].action
            for state, place in zip(self.process.states, places, strict=True)
            if place is not None
        }


def _double(number: mpq) -> Any:
    rounded = nearest_double(number)
    if rounded is None:
        raise InputError("arithmetic", "float", "'exact' for numbers beyond the range of doubles")
    return rounded


def _greatest(offered: list[Any], values: list[Any]) -> tuple[Any, int]:
    best, best_place = None, 0
    for place, (reward, successors) in enumerate(offered):
        returned = reward
        for target, chance in successors:
            returned += chance * values[target]
        if best is None or returned > best:
            best, best_place = returned, place
    return best, best_place


def value_iteration(
    process: DecisionProcess[State],
    theta: RationalLike,
    *,
    order: Order = "synchronous",
    arithmetic: Arithmetic = "exact",
    most_sweeps: int = 10_000,
) -> ValueIteration[State]:
    """Sweep until the greatest change is below θ.

    Parameters
    ----------
    process
        Any finite process.
    theta
        The tolerance θ, above 0; exact.
    order
        'synchronous' or 'in-place'.
    arithmetic
        'exact' or 'float'. The denominators of exact values grow with every sweep.
    most_sweeps
        Give up after so many.

    Raises
    ------
    InputError
        If θ is not above 0, or a word is unknown.
    ConvergenceError
        If `most_sweeps` were not enough, as where the value is infinite.

    Examples
    --------
    >>> from exactdice.dice import Distribution
    >>> from exactdice.solvers.process import Choice
    >>> process = DecisionProcess({0: [Choice("walk", 1, Distribution({0: 1, 1: 1}))], 1: []})
    >>> stopped = value_iteration(process, "0.1")
    >>> stopped.sweeps, stopped.values[0]
    (5, mpq(31,16))
    """
    tolerance = rational(theta, "theta")
    if tolerance <= 0:
        raise InputError("theta", theta, "a number above 0")
    most_sweeps = natural(most_sweeps, "most_sweeps", least=1)
    sweeps = Sweeps(process, order, arithmetic)
    limit: Any = nearest_double(tolerance) if arithmetic == "float" else tolerance
    changes: list[Any] = []
    while not changes or not changes[-1] < limit:
        if len(changes) == most_sweeps:
            raise ConvergenceError(
                f"value iteration: still changes by {theta} or more after {most_sweeps} sweeps"
            )
        changes.append(sweeps.sweep())
    return ValueIteration(
        values=dict(zip(process.states, sweeps.values, strict=True)),
        policy=sweeps.greedy(),
        last_choices=sweeps.last_choices(),
        changes=tuple(changes),
        order=order,
        arithmetic=arithmetic,
    )
