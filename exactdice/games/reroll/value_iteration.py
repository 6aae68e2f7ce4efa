r"""Value iteration with a tolerance θ, in exact arithmetic.

Every state starts at 0. A sweep replaces each value by the greatest return of a move,

.. math:: V(s) \leftarrow \max_a \Bigl[r(s, a) + \sum_t p(t \mid s, a)\,V(t)\Bigr],

and sweeps are made until the greatest change within one is below θ. Two orders are in use and give
different sweeps: *synchronous*, where a sweep reads only values of the sweep before it, and
*in-place*, where it reads each new value as soon as it is there, states in the order of the model
(Sutton and Barto's pseudocode, and what most code does).

What is stated at the end is an approximation that carries no bound: undiscounted, a small change
does not mean a small error. Values are kept as integers over one denominator: sums of products of
integers need no greatest common divisor, which is taken once a sweep.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Any, Generic, Literal, NamedTuple, TypeAlias

from exactdice.arithmetic import RationalLike, gcd, lcm, mpq, mpz, natural, rational
from exactdice.errors import ExactDiceError, InputError
from exactdice.solve.arena import Arena
from exactdice.solve.game import Model, State

Order: TypeAlias = Literal["synchronous", "in-place"]
#: Both orders.
SWEEP_ORDERS: tuple[Order, ...] = ("synchronous", "in-place")


class ConvergenceError(ExactDiceError, ArithmeticError):
    """The sweeps allowed were not enough."""

    exit_status = 1


@dataclass(frozen=True)
class ValueIteration(Generic[State]):
    """Where value iteration stopped."""

    values: Mapping[State, mpq] = field(repr=False)  # the value of every state after the last sweep
    # the greedy policy of these values, first action of equally good ones
    policy: Mapping[State, Any] = field(repr=False)
    # the actions that gave the maxima of the last sweep. In a synchronous sweep they are the greedy
    # policy of the values before it; in place, of each state's values at the time
    last_choices: Mapping[State, Any] = field(repr=False)
    # the greatest change in each sweep; the last is below θ
    changes: tuple[mpq, ...] = field(repr=False)
    order: Order  # how the sweeps were made

    @property
    def sweeps(self) -> int:
        """How many sweeps were made."""
        return len(self.changes)


class _Move(NamedTuple):
    """A move over one denominator: what it pays, where it leads and with which weights."""

    reward: mpz
    denominator: mpz
    targets: Sequence[int]
    weights: tuple[mpz, ...]


class Sweeps(Generic[State]):
    """Value iteration one sweep at a time, from all values 0.

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Choice, Game
    >>> walk = [Choice("walk", 1, Distribution({0: 1, 1: 1}))]
    >>> sweeps = Sweeps(Game(0, lambda state: None if state else walk).explored())
    >>> [str(sweeps.sweep()) for _ in range(4)]
    ['1', '1/2', '1/4', '1/8']
    """

    def __init__(self, model: Model[State], order: Order = "synchronous") -> None:
        if order not in SWEEP_ORDERS:
            raise InputError("order", order, "'synchronous' or 'in-place'")
        self.model, self.order = model, order
        self._values = _ScaledValues([mpq(0)] * len(model.states))
        self._offers = list(_offers(model.arena))
        self._places: list[int | None] = [None] * len(model.states)

    @property
    def values(self) -> list[mpq]:
        """The value of every state, in the order of the model."""
        return self._values.listed()

    def sweep(self) -> mpq:
        """Update every state once and return the greatest change."""
        reading, swept = self._values, []
        change = mpq(0)
        for state, offered in enumerate(self._offers):
            best, place = reading.best(offered)
            change = max(change, abs(best - reading[state]))
            swept.append(best)
            self._places[state] = place
            if self.order == "in-place":
                reading.put(state, best)
        self._values = _ScaledValues(swept)
        return change

    def greedy(self) -> dict[State, Any]:
        """Greedy policy of the present values, first action of equally good ones."""
        return self._policy([self._values.best(offered)[1] for offered in self._offers])

    def last_choices(self) -> dict[State, Any]:
        """Actions that gave the maxima of the last sweep."""
        return self._policy(self._places)

    def _policy(self, places: Sequence[int | None]) -> dict[State, Any]:
        named = zip(self.model.states, self.model.actions, places, strict=True)
        return {state: names[place] for state, names, place in named if names and place is not None}


def _offers(arena: Arena) -> Iterator[list[_Move]]:
    """The moves of each state; none where play has ended."""
    scaled: dict[tuple[int, mpz], tuple[mpz, ...]] = {}  # games have few laws
    for state in range(len(arena)):
        offered = []
        for move in arena.moves(state):
            reward, law = arena.rewards[arena.reward[move]], arena.law[move]
            common = lcm(reward.denominator, arena.denominators[law])
            scale = common // arena.denominators[law]
            if (law, scale) not in scaled:
                scaled[law, scale] = tuple(scale * weight for weight in arena.weights[law])
            paid = reward.numerator * (common // reward.denominator)
            heads = arena.targets[arena.first_target[move] : arena.first_target[move + 1]]
            offered.append(_Move(paid, common, heads, scaled[law, scale]))
        yield offered


class _ScaledValues:
    """Rational values v_i = numerators[i] / common.

    >>> values = _ScaledValues([mpq(1, 2), mpq(1, 3)])
    >>> values.numerators, values.common
    ([mpz(3), mpz(2)], mpz(6))
    >>> values.put(0, mpq(1, 5))
    >>> values.listed()
    [mpq(1,5), mpq(1,3)]
    """

    def __init__(self, values: Sequence[mpq]) -> None:
        self.common = mpz(lcm(1, *(value.denominator for value in values)))
        self.numerators = [value.numerator * (self.common // value.denominator) for value in values]

    def __getitem__(self, state: int) -> mpq:
        return mpq(self.numerators[state], self.common)

    def put(self, state: int, value: mpq) -> None:
        """Change one value, bringing all to a greater denominator where it needs one."""
        scale = value.denominator // gcd(value.denominator, self.common)
        if scale > 1:
            self.numerators = [numerator * scale for numerator in self.numerators]
            self.common *= scale
        self.numerators[state] = value.numerator * (self.common // value.denominator)

    def listed(self) -> list[mpq]:
        """All values in lowest terms."""
        return [mpq(numerator, self.common) for numerator in self.numerators]

    def best(self, offered: Sequence[_Move]) -> tuple[mpq, int | None]:
        """Greatest return of the moves offered, and the place of the first with it; 0 of none."""
        best, best_denominator, first = mpz(0), mpz(1), None
        for place, move in enumerate(offered):
            successors = map(self.numerators.__getitem__, move.targets)
            total = sum(map(mul, move.weights, successors), move.reward * self.common)
            if first is None or total * best_denominator > best * move.denominator:
                best, best_denominator, first = total, move.denominator, place
        return mpq(best, best_denominator * self.common), first


def value_iteration(
    model: Model[State],
    theta: RationalLike,
    *,
    order: Order = "synchronous",
    most_sweeps: int = 10_000,
) -> ValueIteration[State]:
    """Sweep until the greatest change is below θ.

    Raises ConvergenceError if `most_sweeps` were not enough, as where the value is infinite.

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Choice, Game
    >>> walk = [Choice("walk", 1, Distribution({0: 1, 1: 1}))]
    >>> stopped = value_iteration(Game(0, lambda state: None if state else walk).explored(), "0.1")
    >>> stopped.sweeps, stopped.values[0]
    (5, mpq(31,16))
    """
    tolerance = rational(theta, "theta")
    if tolerance <= 0:
        raise InputError("theta", theta, "a number above 0")
    most_sweeps = natural(most_sweeps, "most_sweeps", least=1)
    sweeps = Sweeps(model, order)
    changes: list[mpq] = []
    while not changes or changes[-1] >= tolerance:
        if len(changes) == most_sweeps:
            raise ConvergenceError(
                f"value iteration: still changes by {theta} or more after {most_sweeps} sweeps"
            )
        changes.append(sweeps.sweep())
    return ValueIteration(
        values=dict(zip(model.states, sweeps.values, strict=True)),
        policy=sweeps.greedy(),
        last_choices=sweeps.last_choices(),
        changes=tuple(changes),
        order=order,
    )
