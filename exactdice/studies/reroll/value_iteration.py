r"""Value iteration with a tolerance θ, exactly, and the θ for which its policy is optimal.

Every state starts at 0. A sweep replaces each value by the greatest return of a move,

.. math:: V(s) \leftarrow \max_a \Bigl[r(s, a) + \sum_t p(t \mid s, a)\,V(t)\Bigr],

until the greatest change within a sweep is below θ. There are two orders: a *synchronous* sweep
uses only values of the sweep before; an *in-place* sweep uses each new value immediately, states in
the order of the model (Sutton and Barto's pseudocode, and most programs).

Without discounting a small change does not imply a small error, so the result has no error bound.
Values are integers over one denominator, reduced once a sweep.

With :math:`\delta_t` the greatest change of sweep t and :math:`m_t = \min(\delta_1, \dots,
\delta_t)`, it stops after sweep t exactly for :math:`m_t < \theta \le m_{t-1}`. So there are
countably many intervals of θ with exact ends, each with one policy.

Finitely many of them suffice. No update increases the greatest error :math:`e_t = \max_s |V_t(s) -
V(s)|`. Let g be the smallest positive optimality gap of any action in any state. Once :math:`2 e_t
< g`, a greedy action after sweep t or later is optimal. The table ends there, and its last line
applies to every smaller θ.

Two policies are examined: the *greedy* policy of the final values, and the actions *kept* from the
maxima of the last sweep, as in the coursework's solver.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Any, Generic, Literal, NamedTuple, TypeAlias

from exactdice.arithmetic import RationalLike, gcd, lcm, mpq, mpz, natural, rational
from exactdice.errors import ExactDiceError, InputError
from exactdice.games.reroll.exact import direct_model, solve
from exactdice.games.reroll.rules import STANDARD, Positions, RerollRules, Roll
from exactdice.question.domains import Text
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import Arena
from exactdice.solve.game import Model, State
from exactdice.solve.questions import following
from exactdice.solve.stopping import ranks_of_policy
from exactdice.solve.turn_games import exact_values

Order: TypeAlias = Literal["synchronous", "in-place"]
SWEEP_ORDERS: tuple[Order, ...] = ("synchronous", "in-place")


class ConvergenceError(ExactDiceError, ArithmeticError):
    """The allowed number of sweeps was not enough."""

    exit_status = 1


@dataclass(frozen=True)
class ValueIteration(Generic[State]):
    """Result of value iteration."""

    values: Mapping[State, mpq] = field(repr=False)  # the value of every state after the last sweep
    policy: Mapping[State, Any] = field(repr=False)  # its greedy policy, first of tied actions
    # the maximising actions in the last sweep
    last_choices: Mapping[State, Any] = field(repr=False)
    changes: tuple[mpq, ...] = field(repr=False)  # the greatest change in each sweep
    order: Order

    @property
    def sweeps(self) -> int:
        return len(self.changes)


class _Move(NamedTuple):
    reward: mpz
    denominator: mpz
    targets: Sequence[int]
    weights: tuple[mpz, ...]


class Sweeps(Generic[State]):
    """Value iteration one sweep at a time, from all values 0."""

    def __init__(self, model: Model[State], order: Order = "synchronous") -> None:
        Text(*SWEEP_ORDERS).read(order, "order")
        self.model, self.order = model, order
        self._values = _ScaledValues([mpq(0)] * len(model.states))
        self._offers = list(_offers(model.arena))
        self._places: list[int | None] = [None] * len(model.states)

    @property
    def values(self) -> list[mpq]:
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
        return self._policy([self._values.best(offered)[1] for offered in self._offers])

    def last_choices(self) -> dict[State, Any]:
        return self._policy(self._places)

    def _policy(self, places: Sequence[int | None]) -> dict[State, Any]:
        named = zip(self.model.states, self.model.actions, places, strict=True)
        return {state: names[place] for state, names, place in named if names and place is not None}


def _offers(arena: Arena) -> Iterator[list[_Move]]:
    scaled: dict[tuple[int, mpz], tuple[mpz, ...]] = {}  # games have few distributions
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
    """Rational values v_i = numerators[i] / common."""

    def __init__(self, values: Sequence[mpq]) -> None:
        self.common = mpz(lcm(1, *(value.denominator for value in values)))
        self.numerators = [value.numerator * (self.common // value.denominator) for value in values]

    def __getitem__(self, state: int) -> mpq:
        return mpq(self.numerators[state], self.common)

    def put(self, state: int, value: mpq) -> None:
        """Change one value, and the common denominator if necessary."""
        scale = value.denominator // gcd(value.denominator, self.common)
        if scale > 1:
            self.numerators = [numerator * scale for numerator in self.numerators]
            self.common *= scale
        self.numerators[state] = value.numerator * (self.common // value.denominator)

    def listed(self) -> list[mpq]:
        return [mpq(numerator, self.common) for numerator in self.numerators]

    def best(self, offered: Sequence[_Move]) -> tuple[mpq, int | None]:
        """Return the greatest return of some moves and the first move with it; 0 if none."""
        best, best_denominator, first = mpz(0), mpz(1), None
        for place, move in enumerate(offered):
            successors = map(self.numerators.__getitem__, move.targets)
            total = sum(map(mul, move.weights, successors), move.reward * self.common)
            if first is None or total * best_denominator > best * move.denominator:
                best, best_denominator, first = total, move.denominator, place
        return mpq(best, best_denominator * self.common), first


def read_tolerance(number: RationalLike, name: str = "tolerance") -> mpq:
    tolerance = rational(number, name)
    if tolerance <= 0:
        raise InputError(name, number, "a number above 0")
    return tolerance


def value_iteration(
    model: Model[State],
    theta: RationalLike,
    *,
    order: Order = "synchronous",
    most_sweeps: int = 10_000,
) -> ValueIteration[State]:
    """Sweep until the greatest change is below θ; raise ConvergenceError after `most_sweeps`."""
    tolerance = read_tolerance(theta, "theta")
    most_sweeps = natural(most_sweeps, "most_sweeps", least=1)
    sweeps = Sweeps(model, order)
    changes: list[mpq] = []
    while not changes or changes[-1] >= tolerance:
        if len(changes) == most_sweeps:
            problem = f"still changes by {theta} or more after {most_sweeps} sweeps"
            raise ConvergenceError(f"value iteration: {problem}")
        changes.append(sweeps.sweep())
    values = dict(zip(model.states, sweeps.values, strict=True))
    policies = sweeps.greedy(), sweeps.last_choices()
    return ValueIteration(values, *policies, tuple(changes), order)


@dataclass(frozen=True)
class Stop:
    """Result of value iteration for above < θ ≤ up_to."""

    sweeps: int  # number of sweeps
    above: mpq
    up_to: mpq | None  # None if unlimited
    error: mpq  # the greatest error of a value
    greedy_wrong: tuple[Roll, ...]  # rolls at which the greedy policy is not optimal
    kept_wrong: tuple[Roll, ...]  # rolls at which the last sweep's action is not optimal
    # expected scores of both policies, before the first roll; None if play may never end
    greedy_score: mpq | None
    kept_score: mpq | None


@dataclass(frozen=True)
class Tolerances(Reported, by="exactdice.studies.reroll.questions:tolerances_report"):
    """Results of all tolerances, for one game and one order of updates."""

    rules: RerollRules
    order: Order
    value: mpq  # value of the game
    gap: mpq  # the smallest positive optimality gap of an action
    sweeps_until_certain: int  # the first sweep from which on every policy is optimal
    # one for each interval of θ, the greatest θ first. Both policies are optimal for all θ up to
    # the upper end of the last interval, even below its lower end
    stops: tuple[Stop, ...] = field(repr=False)

    def stop(self, theta: mpq) -> Stop | None:
        """Return the stop of a tolerance; None below the table."""
        return next((stop for stop in self.stops if stop.above < theta), None)

    def greatest_safe_theta(self, *, kept: bool = False) -> mpq | None:
        """Return the greatest T such that every θ ≤ T gives an optimal policy; None if all do."""
        for stop in reversed(self.stops):
            if stop.kept_wrong if kept else stop.greedy_wrong:
                return stop.above
        return None


def tolerances(
    rules: RerollRules = STANDARD, order: Order = "synchronous", run: Run = DEFAULT
) -> Tolerances:
    """Find for every θ where value iteration stops and whether its policy is optimal.

    A sweep costs one exact product for every roll, hold and outcome; in place, the denominators
    grow with every state of a sweep.
    """
    model = direct_model(rules, run)  # the larger of the two, refused first
    solved = solve(rules, run)
    sweeps = Sweeps(model, order)
    gap = _gap(model, solved.values)
    optimal = {roll: {*solved.optimum.optimal_actions(roll)} for roll in solved.values}
    stops: list[Stop] = []
    count, least, error, was = 0, None, None, None
    while error is None or was is None or 2 * was >= gap:
        count += 1
        was = error
        change = sweeps.sweep()
        error = max(
            abs(value - solved.values[roll])
            for roll, value in zip(solved.values, sweeps.values, strict=False)
        )
        if least is None or change < least:
            greedy, kept = sweeps.greedy(), sweeps.last_choices()
            wrong = _wrong(greedy, optimal), _wrong(kept, optimal)
            scores = _score(rules, model, greedy), _score(rules, model, kept)
            stops.append(Stop(count, change, least, error, *wrong, *scores))
            least = change
        # A sweep about halves the error; 2·error < gap is wanted.
        run.tell("sweeps", count, count + int(2 * error / gap).bit_length() + 1)
    return Tolerances(rules, order, solved.value, gap, count, tuple(stops))


def _gap(model: Model[Any], values: Mapping[Roll, mpq]) -> mpq:
    arena = model.arena
    known = [values.get(state, mpq(0)) for state in model.states]
    shortfalls = (
        known[state] - arena.returned(move, known)
        for state in range(len(arena))
        for move in arena.moves(state)
    )
    # In the best state a reroll costs the penalty and leads to no better one, so there is a gap.
    return min(short for short in shortfalls if short > 0)


def _score(rules: RerollRules, model: Model[Any], policy: Mapping[Roll, Positions]) -> mpq | None:
    chain = following(model, policy)
    if -1 in ranks_of_policy(chain, chain.first_move):
        return None
    values = exact_values(chain).values
    return rules.outcomes(()).expectation(lambda roll: values[model.index[roll]])


def _wrong(
    policy: Mapping[Roll, Positions], optimal: Mapping[Roll, set[Positions]]
) -> tuple[Roll, ...]:
    return tuple(roll for roll, action in policy.items() if action not in optimal[roll])
