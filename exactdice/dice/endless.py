"""Unlimited rolls, exactly: exploding sums, and steps that are repeated until a condition holds.

*Unlimited sums.* A die that rolls again on some faces and adds has the generating function
:math:`G(x) = R(x)/(N - B(x))`: B has the weights of the faces that roll again, R those of the
others. It is rational, and so are sums of such dice. Mean and variance are derivatives of its
logarithm at 1; probabilities are its coefficients, which follow a recurrence.

*Repetitions.* Random steps lead from state to state until one at which they end: a Markov chain.
States are eliminated, the last reached first: if the weight of staying is p, a path through a
state has the weight of the step to it times 1/(1 - p) times that of the step from it. A step of
probability q weighs :math:`q x`, expanded to the second power of x - 1, which gives mean and
variance of the number of steps. Cost in products of rationals: O(states) without cycles,
O(states³) at most.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from exactdice.arithmetic import RationalLike, counted, ground, mpq, natural, probability, text
from exactdice.dice.distribution import Distribution, mixture
from exactdice.dice.rolled import Rolled, drawn_below
from exactdice.dice.weighted import function
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, OperatorError, Unquoted
from exactdice.linked import linked
from exactdice.report import Reported
from exactdice.report.model import Quantity, Report, Table, exact, whole
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from flint import fmpz_poly

State = TypeVar("State", bound=Hashable)
Jet: TypeAlias = tuple[mpq, mpq, mpq]

_NEVER: Jet = mpq(0), mpq(0), mpq(0)
FARTHEST = 4_000  # outcomes above the lowest: probabilities have as many digits
_UNSEEN = mpq(1, 10**12)  # probability of the outcomes for which no event is tried
_BYTES_OF_A_STATE = 2000  # with its steps
_MANY_STATES, _FAR = 2000, 10**15


@dataclass(frozen=True)
class Cut(Reported, by="exactdice.dice.endless:cut_report"):
    """The probabilities of the first outcomes of an infinite distribution, and the remaining one.

    >>> from exactdice.dice import d
    >>> d(2).exploding().cut("1/5")
    Cut(chances={1: mpq(1,2), 3: mpq(1,4), 5: mpq(1,8)}, remainder=mpq(1,8))
    """

    chances: dict[int, mpq]
    remainder: mpq


@dataclass(frozen=True)
class Endless(Rolled, Reported, by="exactdice.dice.endless:endless_report"):
    """The distribution of an unlimited roll of whole numbers; made by `Distribution.exploding`.

    ``a + b`` is the sum of independent ones, dice and whole numbers; ``5 @ a`` the sum of five,
    ``2 * a`` twice the outcome. ``a > b``, `highest`, `lowest`, `mixture` and `DicePool.keep` are
    exact. The generating function is x to the power `lowest` times `numerator` over `denominator`.
    """

    __array_ufunc__: ClassVar = None  # let numpy's numbers use the operators below
    reflects: ClassVar = True  # also on the right of an operator

    lowest: int
    numerator: "fmpz_poly" = field(repr=False)
    denominator: "fmpz_poly" = field(repr=False)

    def __post_init__(self) -> None:
        above, below = reduced(self.numerator, self.denominator)
        zeros = next(place for place, number in enumerate(above.coeffs()) if number)
        parts = self.lowest + zeros, above.right_shift(zeros), below
        for name, part in zip(("lowest", "numerator", "denominator"), parts, strict=True):
            object.__setattr__(self, name, part)

    def __hash__(self) -> int:
        return hash((self.lowest, str(self.numerator), str(self.denominator)))

    def __reduce__(self) -> Any:
        parts = ([int(c) for c in p.coeffs()] for p in (self.numerator, self.denominator))
        return _restored, (self.lowest, *parts)

    def __add__(self, other: Any) -> "Endless":
        added = unbounded(other)
        below = self.denominator * added.denominator
        return Endless(self.lowest + added.lowest, self.numerator * added.numerator, below)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._refused(other) if isinstance(other, Endless) else self + -other

    def __mul__(self, factor: Any) -> Any:
        if isinstance(factor, Distribution):
            return mixture([(p, self * number) for number, p in factor.probabilities().items()])
        if isinstance(factor, Rolled):
            return self._refused(factor)
        times = natural(factor, "factor")
        if not times:
            return Distribution({0: 1})
        parts = (part.inflate(times) for part in (self.numerator, self.denominator))
        return Endless(self.lowest * times, *parts)

    __rmul__ = __mul__

    def sum_of(self, count: Any, run: Run = DEFAULT) -> Any:
        """Return the distribution of the sum of `count` independent rolls, a number or a roll."""
        if isinstance(count, Distribution):
            chances = count.probabilities().items()
            return mixture([(chance, self.sum_of(number)) for number, chance in chances])
        number = natural(count, "count")
        return Endless(self.lowest * number, self.numerator**number, self.denominator**number)

    __rmatmul__ = sum_of

    def __abs__(self) -> Any:
        return self if self.lowest >= 0 else self._refused()

    def __floordiv__(self, divisor: Any) -> Any:
        return self._by("divided", divisor)

    def __mod__(self, divisor: Any) -> Any:
        return self._by("remainders", divisor)

    def _by(self, name: str, divisor: Any) -> Any:
        if isinstance(divisor, Distribution) and len(divisor) == 1:
            [divisor] = divisor
        if isinstance(divisor, Rolled):
            return self._refused(divisor)
        number = natural(divisor, "divisor", least=1, most=FARTHEST)
        return linked(f"exactdice.dice.sequences:{name}")(self, number)

    def map(self, image: Callable[[int], Any], constant_from: int | None = None) -> Any:
        """Return the distribution of a function that is constant from some outcome on.

        No finite number of calls shows that, so you must state from where: `image` is called up to
        `constant_from`. Raises InputError without it. For other functions see `probability_that`.

        >>> from exactdice.dice import d
        >>> d(8).exploding().map(lambda x: min(x // 4, 2), constant_from=8)
        Distribution({0: 3, 1: 4, 2: 1})
        """
        if constant_from is None:
            wanted = "the lowest outcome of the constant part of the function"
            raise InputError("constant_from", constant_from, f"{wanted}; or use // and %")
        return linked("exactdice.dice.pools:lowest")(self, constant_from).map(image)

    def probability_that(
        self, event: Callable[[int], bool], remainder: RationalLike = _UNSEEN
    ) -> Enclosure:
        """Return bounds on the probability that the outcome satisfies a condition.

        `event` is called for the first outcomes only, until at most `remainder` is left; for the
        others it may hold or not, so the bounds differ by what is left.

        >>> from exactdice.dice import d
        >>> bounds = d(2).exploding().probability_that(lambda x: x % 3 == 0, "1/8")
        >>> bounds.lower, bounds.upper
        (mpq(1,4), mpq(3,8))
        """
        first = self.cut(remainder)
        holds = sum((p for x, p in first.chances.items() if event(x)), mpq(0))
        return Enclosure(holds, holds + first.remainder)

    def _refused(self, other: Any = "") -> Any:
        wanted = "+, *, //, % and comparisons with numbers; or lowest(roll, 20), which ends at 20"
        raise OperatorError("unlimited roll", other, wanted)

    __rsub__ = __truediv__ = __neg__ = __iter__ = _refused

    def __gt__(self, other: Any) -> Distribution[bool]:
        return _event(exceeds(self, other))

    def __ge__(self, other: Any) -> Distribution[bool]:
        return _event(1 - exceeds(other, self))

    def __lt__(self, other: Any) -> Distribution[bool]:
        return _event(exceeds(other, self))

    def __le__(self, other: Any) -> Distribution[bool]:
        return _event(1 - exceeds(self, other))

    def mean(self) -> mpq:
        """Return the expected sum."""
        return self._logarithm()[0]

    def variance(self) -> mpq:
        return sum(self._logarithm(), mpq(0))

    def _logarithm(self) -> tuple[mpq, mpq]:
        """Return G'/G and its derivative at 1, of the generating function G."""
        first, second = mpq(self.lowest), mpq(-self.lowest)
        for sign, part in ((1, self.numerator), (-1, self.denominator)):
            slope = part.derivative()
            value, once, twice = (mpq(int(p(1))) for p in (part, slope, slope.derivative()))
            first += sign * once / value
            second += sign * (twice / value - (once / value) ** 2)
        return first, second

    def probability(self, outcome: int) -> mpq:
        """Return the probability of one outcome, at most 4000 above the lowest."""
        return self._chances(outcome).get(outcome, mpq(0))

    def cdf(self, bound: int) -> mpq:
        """Return the probability that the outcome is at most `bound`."""
        return sum(self._chances(bound).values(), mpq(0))

    def quantile(self, level: RationalLike) -> int:
        """Return the smallest outcome whose cdf is at least `level`, for 0 < level < 1."""
        return max(self.cut(1 - probability(level, "level")).chances)

    def cut(self, remainder: RationalLike) -> Cut:
        """Return the probabilities of the lowest outcomes, until at most `remainder` is left.

        Raises InputError if `remainder` is not positive, or needs more than 4000 outcomes.
        """
        return _cut(self._terms(), remainder, "outcomes")

    def _chances(self, last: int) -> dict[int, mpq]:
        natural(max(last - self.lowest, 0), "outcome above the lowest", most=FARTHEST)
        return dict(islice(self._terms(), max(last - self.lowest + 1, 0)))

    def _terms(self) -> Iterator[tuple[int, mpq]]:
        return zip(count(self.lowest), coefficients(self.numerator, self.denominator))

    def _roller(self, rng: Any) -> Callable[[], int]:
        def roll() -> int:
            drawn, scale, reached = 0, 1, mpq(0)  # the level is in the interval [drawn, drawn + 1]
            for outcome, chance in self._terms():
                reached += chance
                while drawn < reached * scale < drawn + 1:  # undecided
                    drawn, scale = drawn << 64 | drawn_below(1 << 64, rng), scale << 64
                if drawn + 1 <= reached * scale:
                    return outcome
            raise AssertionError

        return roll


def _restored(lowest: int, above: list[int], below: list[int]) -> Endless:
    return Endless(lowest, polynomial(*above), polynomial(*below))


def unbounded(roll: Any) -> Endless:
    if isinstance(roll, Endless):
        return roll
    return endless(roll if isinstance(roll, Distribution) else Distribution({roll: 1}))


def exceeds(one: Any, two: Any) -> mpq:
    chance: mpq = linked("exactdice.dice.sequences:exceeds")(unbounded(one), unbounded(two))
    return chance


def _event(chance: mpq) -> Distribution[bool]:
    return Distribution.from_probabilities({False: 1 - chance, True: chance})


def reduced(above: "fmpz_poly", below: "fmpz_poly") -> "tuple[fmpz_poly, fmpz_poly]":
    """Return a fraction in lowest terms, whose denominator is positive at 0."""
    common = above.gcd(below)
    if below[0] < 0:
        common = -common
    return above // common, below // common


def coefficients(above: "fmpz_poly", below: "fmpz_poly") -> Iterator[mpq]:
    first, *others = [int(c) for c in below.coeffs()]
    backwards = [(place, c) for place, c in enumerate(others, 1) if c]
    terms: list[mpq] = []
    for place in count():
        term = mpq(int(above[place]))
        for back, number in backwards:
            if back <= place:
                term -= number * terms[place - back]
        terms.append(term / first)
        yield terms[-1]


def _cut(chances: Iterable[tuple[int, mpq]], remainder: RationalLike, of: str) -> Cut:
    most, left = probability(remainder, "remainder"), mpq(1)
    if not most:
        raise InputError("remainder", remainder, "a probability above 0")
    first: dict[int, mpq] = {}
    for outcome, chance in islice(chances, FARTHEST):
        if chance:
            first[outcome], left = chance, left - chance
        if left <= most:
            return Cut(first, left)
    raise InputError("remainder", most, f"at least what {FARTHEST} {of} leave")


def endless(
    die: Distribution[Any], again: Collection[Any] = (), worth: Callable[[Any], int] | None = None
) -> Endless:
    worths: dict[Any, int] = {}
    for face in die:
        name = f"worth of {text(face) if isinstance(face, mpq) else repr(face)}"
        value = counted(ground(worth(face) if worth else face, name))
        if not isinstance(value, int):
            raise InputError(name, value, "a whole number")
        if face in again and value < 0:
            raise InputError(name, value, "at least 0, because it rolls again")
        worths[face] = value
    ends = [face for face in die if face not in again]
    if not ends:
        raise InputError("on", Unquoted("every outcome"), "an outcome that does not roll again")
    lowest = min(worths[face] for face in ends)
    staying = _weighted((worths[face], die[face]) for face in die if face in again)
    ending = _weighted((worths[face] - lowest, die[face]) for face in ends)
    return Endless(lowest, ending, die.denominator - staying)


def polynomial(*coefficients: int) -> "fmpz_poly":
    made: fmpz_poly = linked("flint:fmpz_poly")([*coefficients])
    return made


def _weighted(terms: Iterable[tuple[int, int]]) -> "fmpz_poly":
    return sum((polynomial(w).left_shift(power) for power, w in terms), polynomial())


@dataclass(frozen=True)
class Repeated(Reported, Generic[State], by="exactdice.dice.endless:repeated_report"):
    """The result of repeating random steps until a condition holds; made by `repeat`.

    `law` is the distribution of the final state; `mean` and `variance` are those of the number of
    steps.
    """

    law: Distribution[State]
    mean: mpq
    variance: mpq
    chain: dict[State, Distribution[State]] = field(repr=False)
    start: State = field(repr=False)

    def steps(self, remainder: RationalLike) -> Cut:
        """Return the distribution of the number of steps, until at most `remainder` is left."""
        return _cut(self._ends(), remainder, "steps")

    def _ends(self) -> Iterator[tuple[int, mpq]]:
        masses = {self.start: mpq(1)}
        for number in count():
            yield number, sum((m for at, m in masses.items() if at not in self.chain), mpq(0))
            following: dict[State, mpq] = {}
            for state, mass in masses.items():
                if state in self.chain:
                    for after, chance in self.chain[state].probabilities().items():
                        following[after] = following.get(after, mpq(0)) + mass * chance
            masses = following


def repeat(
    start: State,
    step: Callable[[State], Distribution[State]],
    until: Callable[[State], bool],
    run: Run = DEFAULT,
) -> Repeated[State]:
    """Repeat a random step until a condition holds: the final state and the number of steps.

    ``step(state)`` returns the distribution of the next state; ``until(state)`` says whether to
    stop. Raises InputError if a reachable state can never lead to the end, and TooLargeError if
    the states would need more memory than `run` allows.

    Rolls until a six; and a fair game until one player, with three coins against one, has none:

    >>> from exactdice.dice import d
    >>> rolls = repeat(0, lambda shown: d(6), lambda shown: shown == 6)
    >>> rolls.mean, rolls.variance
    (mpq(6,1), mpq(30,1))
    >>> game = repeat(3, lambda coins: 2 * d(2) - 3 + coins, lambda coins: coins in (0, 4))
    >>> game.law, game.mean
    (Distribution({0: 1, 4: 3}), mpq(3,1))
    """
    function(step, "step"), function(until, "until")
    chain: dict[State, Distribution[State]] = {}
    reached, seen = [start], {start}
    for place, state in enumerate(reached):  # which grows in the loop
        if until(state):
            continue
        if place and place % _MANY_STATES == 0 and _is_growing(state, step, until):
            wanted = "a condition that ends every growing total; an unlimited one is d(6).exploding"
            raise InputError("until", Unquoted(f"states that grow like {state!r}"), f"{wanted}(…)")
        run.require(_BYTES_OF_A_STATE * len(seen), f"a repetition of {len(seen)} states")
        chain[state] = step(state)
        if not isinstance(chain[state], Distribution):
            raise InputError("step", chain[state], "the distribution of the next state")
        reached += [after for after in chain[state] if after not in seen]
        seen.update(chain[state])
    ends = _eliminated(chain) if start in chain else {start: (mpq(1), mpq(0), mpq(0))}
    mean, pairs = (sum((jet[power] for jet in ends.values()), mpq(0)) for power in (1, 2))
    final = Distribution.from_probabilities({state: jet[0] for state, jet in ends.items()})
    return Repeated(final, mean, 2 * pairs + mean - mean**2, chain, start)


def _is_growing(state: Any, step: Callable[[Any], Any], until: Callable[[Any], bool]) -> bool:
    """Whether a state with a far larger first number leads on in the same way, upwards."""

    def moved(at: Any) -> Any:
        return (at[0] + _FAR, *at[1:]) if isinstance(at, tuple) else at + _FAR

    if type(state[0] if isinstance(state, tuple) and state else state) is not int:
        return False
    near, far = step(state), moved(state)
    try:
        is_alike = not until(far) and dict(step(far)) == {moved(x): w for x, w in near.items()}
    except Exception:
        return False
    return is_alike and min(near) >= state < max(near)


def _eliminated(chain: dict[State, Distribution[State]]) -> dict[State, Jet]:
    """Return the weights of the final states, seen from the first state."""
    rows = {
        state: {after: (chance, chance, mpq(0)) for after, chance in step.probabilities().items()}
        for state, step in chain.items()
    }
    before: dict[State, set[State]] = {state: set() for state in chain}
    for state, row in rows.items():
        for after in row.keys() & before.keys():
            before[after].add(state)
    for state in reversed(chain):
        row = rows.pop(state)
        stay0, stay1, stay2 = row.pop(state, _NEVER)
        if stay0 == 1:
            raise InputError("until", Unquoted(f"state {state!r}"), "a condition that holds later")
        first = 1 / (1 - stay0)
        leaving = (first, stay1 * first**2, stay2 * first**2 + stay1**2 * first**3)
        row = {after: _product(leaving, weight) for after, weight in row.items()}
        for other in before[state] & rows.keys():
            through = rows[other].pop(state)
            for after, weight in row.items():
                direct = rows[other].get(after, _NEVER)
                path = _product(through, weight)
                rows[other][after] = direct[0] + path[0], direct[1] + path[1], direct[2] + path[2]
                if after in before:
                    before[after].add(other)
    return row


def _product(a: Jet, b: Jet) -> Jet:
    return a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[1] * b[1] + a[2] * b[0]


def cut_report(cut: Cut) -> Report:
    left = exact("remainder", "probability of all other outcomes")(cut.remainder)
    outcome = whole("outcome", "sum or number")
    chance = exact("probability", "probability of this outcome")
    table = Table.of("outcomes", "The first outcomes", cut.chances.items(), outcome, chance)
    return Report.of("First outcomes of an infinite distribution", {}, left, table)


def _moments(of: str, mean: mpq, variance: mpq) -> list[Quantity]:
    return [exact("value", f"mean of {of}")(mean), exact("variance", f"variance of {of}")(variance)]


def endless_report(total: Endless) -> Report:
    """Report mean, variance and the lowest outcomes, which have at least probability 0.999."""
    first = cut_report(total.cut("1/1000"))
    moments = _moments("the sum", total.mean(), total.variance())
    return Report.of("An unlimited sum", {}, *moments, *first.quantities, *first.tables)


def repeated_report(repeated: Repeated[Any]) -> Report:
    moments = _moments("the number of steps", repeated.mean, repeated.variance)
    return Report.of("Steps until a condition holds", {}, *moments, *repeated.law.report().tables)
