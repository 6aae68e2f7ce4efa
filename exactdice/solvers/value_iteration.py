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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, natural, nearest_double, rational
from exactdice.errors import ExactDiceError, InputError
from exactdice.solvers.process import Action, DecisionProcess, Move, State
from exactdice.solvers.scaled_values import ScaledValues

__all__ = ["SWEEP_ORDERS", "ConvergenceError", "Sweeps", "ValueIteration", "value_iteration"]

Order: TypeAlias = Literal["synchronous", "in-place"]
#: Both orders.
SWEEP_ORDERS: tuple[Order, ...] = ("synchronous", "in-place")
Arithmetic: TypeAlias = Literal["exact", "float"]


_MoveInDoubles: TypeAlias = tuple[Any, list[tuple[int, Any]]]  # reward; successors, chances


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
        zeros = [mpq(0)] * len(process.states)
        if arithmetic == "exact":
            self._values: Any = ScaledValues(zeros)
            self._offers: Any = process.moves
        else:
            self._values = _Doubles(map(_double, zeros))
            self._offers = [[_in_doubles(move) for move in offered] for offered in process.moves]
        self._places: list[int | None] = [None] * len(process.states)

    @property
    def values(self) -> list[Any]:
        """The value of every state, in the order of the process."""
        listed: list[Any] = self._values.listed()
        return listed

    def sweep(self) -> Any:
        """Update every state once and return the greatest change."""
        reading, found = self._values, []
        change: Any = 0
        for state, offered in enumerate(self._offers):
            best, places = reading.best(offered)
            change = max(change, abs(best - reading[state]))
            found.append(best)
            self._places[state] = places[0] if places else None
            if self.order == "in-place":
                reading.put(state, best)
        self._values = type(reading)(found)
        return change

    def greedy(self) -> dict[State, Action]:
        """Greedy policy of the present values, first action of equally good ones."""
        best = [self._values.best(offered)[1] for offered in self._offers]
        return self._policy([places[0] if places else None for places in best])

    def last_choices(self) -> dict[State, Action]:
        """Actions that gave the maxima of the last sweep."""
        return self._policy(self._places)

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


class _Doubles:
    """Values of all states in floating point, with the face of `ScaledValues`."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._numbers = list(values)

    def __getitem__(self, state: int) -> Any:
        return self._numbers[state]

    def put(self, state: int, value: Any) -> None:
        self._numbers[state] = value

    def listed(self) -> list[Any]:
        return list(self._numbers)

    def best(self, offered: Sequence[_MoveInDoubles]) -> tuple[Any, list[int]]:
        best: Any = _double(mpq(0))
        places: list[int] = []
        for place, (reward, successors) in enumerate(offered):
            returned = reward
            for target, chance in successors:
                returned += chance * self._numbers[target]
            if not places or returned > best:
                best, places = returned, [place]
        return best, places


def _in_doubles(move: Move) -> _MoveInDoubles:
    chances = (_double(mpq(weight, move.denominator)) for weight in move.weights)
    reward = _double(mpq(move.reward, move.denominator))
    return reward, list(zip(move.targets, chances, strict=True))


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
        If θ is not above 0, or its double is 0 or infinite; or a word is unknown.
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
    if (
        not limit
    ):  # None where θ is beyond the doubles; 0 where it is too small, which no change is below
        raise InputError("theta", theta, "a number within the range of doubles, or 'exact'")
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
