r"""Outcomes with integer weights over one denominator, and generating polynomials for their sums.

*Sums.* Rational outcomes lie on a lattice, :math:`(o + i s)/t` with whole :math:`i \ge 0`. The
weights of a sum of independent rolls are the coefficients of the product of their polynomials in
:math:`x^i`. If a distribution mixes sums of different numbers of rolls, the origin is at most 0,
and a roll that is left out counts as :math:`N x^z`: the denominator at the place of 0.

A short polynomial is one integer: its value at a power of two above all weights, whose digits are
then the weights. A long one is FLINT's, which multiplies in quasi-linear time.
"""

import operator
from bisect import bisect_right
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from fractions import Fraction
from functools import partial
from itertools import accumulate
from numbers import Number
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from exactdice.arithmetic import (
    RationalLike,
    amount,
    gcd,
    ground,
    is_foreign,
    mpq,
    natural,
    over_common_denominator,
    pack,
    probability,
    unpack,
)
from exactdice.dice.rolled import Rolled, Root, drawn_below
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, OperatorError, Unquoted
from exactdice.linked import linked
from exactdice.memory import stored_bytes

if TYPE_CHECKING:
    from exactdice.dice.distribution import Distribution
    from exactdice.dice.endless import Endless


_LONG = 500_000  # bits above which FLINT is faster than one integer


def whole(number: Any) -> Any:
    """Return an int if a rational is whole, otherwise the rational."""
    return int(number) if getattr(number, "denominator", 0) == 1 else number


class Lattice:
    """The lattice of some outcomes, for sums of `rolls` of them and weights of `bits` bits."""

    def __init__(
        self, outcomes: Iterable[Any], rolls: int, bits: int, *, has_zero: bool = False
    ) -> None:
        every = [*outcomes, 0] if has_zero else list(outcomes)
        numerators, step = over_common_denominator(every)
        self.origin, self.step = int(min(numerators)), int(step)
        self.spacing = int(gcd(*(int(n) - self.origin for n in numerators))) or 1
        self.places = {
            outcome: (int(n) - self.origin) // self.spacing
            for outcome, n in zip(every, numerators, strict=True)
        }
        self.rolls, self._width = rolls, bits + 1
        self.size = (max(self.places.values()) or int(has_zero)) * rolls + 1
        self.bytes = stored_bytes(self.size, bits)
        self._is_long = self.size * bits > _LONG

    def polynomial(self, weights: Mapping[Any, int]) -> Any:
        coefficients = [0] * (max(map(self.places.__getitem__, weights), default=0) + 1)
        for outcome, weight in weights.items():
            coefficients[self.places[outcome]] += weight
        return self.made(coefficients)

    def made(self, coefficients: list[int]) -> Any:
        if self._is_long:
            return linked("flint:fmpz_poly")(coefficients)
        return pack(coefficients, self._width)

    def shifted(self, polynomial: Any, places: int) -> Any:
        if self._is_long:
            return polynomial.left_shift(places)
        return polynomial << (places * self._width)

    def weights(self, polynomial: Any) -> dict[Any, int]:
        first = self.origin * self.rolls
        coefficients = polynomial.coeffs() if self._is_long else unpack(polynomial, self._width)
        if self.step == 1:
            outcomes: Iterable[Any] = range(first, first + self.spacing * self.size, self.spacing)
        else:
            outcomes = (whole(mpq(first + i * self.spacing, self.step)) for i in range(self.size))
        return {x: int(weight) for x, weight in zip(outcomes, coefficients) if weight}  # noqa: B905


def homogeneous(coefficients: Sequence[int], x: Any, y: Any) -> Any:
    """Return the sum of c[n]·xⁿ·yᵐ over all n, where n + m = len(c) - 1."""
    if len(coefficients) <= 1 or not any(coefficients):
        return sum(coefficients)
    half = len(coefficients) // 2
    low, high = coefficients[:half], coefficients[half:]
    return homogeneous(low, x, y) * y ** len(high) + x**half * homogeneous(high, x, y)


Outcome = TypeVar("Outcome", bound=Hashable)

_ELEMENTWISE = (operator.add, operator.sub, operator.mul)
_is_plain = frozenset({int, bool, str, tuple, mpq, Fraction, type(None)}).issuperset


def _operator(
    sign: str, combine: Callable[[Any, Any], Any] | None = None
) -> "Callable[[Any, Any], Distribution[Any]]":
    """Return an operator on independent rolls; without `combine` it raises OperatorError."""

    def operate(roll: Any, other: Any) -> "Distribution[Any]":
        if combine is None:
            wanted = f"a function in .map or .with_other, e.g. .map(lambda face: face {sign} 2)"
            raise OperatorError(sign, other, wanted)
        if getattr(other, "reflects", False):
            return NotImplemented  # type: ignore[no-any-return]
        of = combine
        if combine in _ELEMENTWISE and not roll.has_numbers:
            of = partial(linked("exactdice.dice.vectors:elementwise"), combine)
        try:
            combined: Distribution[Any] = roll.with_other(other, of)
        except ZeroDivisionError:
            raise OperatorError(sign, other, f"a divisor that is never 0 after {sign}") from None
        except TypeError as problem:
            if isinstance(problem, OperatorError):
                raise
            numbers = "numbers, or dice with numbers, on both sides; or use .with_other or .map"
            raise OperatorError(sign, other, numbers) from None
        return combined

    return operate


def _weight(weight: object, outcome: object) -> int:
    try:
        return natural(weight, "weight")
    except InputError:
        right = "a whole number of at least 0; or use Distribution.from_probabilities"
        raise InputError(f"weight of {outcome!r}", weight, right) from None


class Weighted(Rolled, Mapping[Outcome, int], Generic[Outcome]):
    """An immutable mapping from outcomes to weights in lowest terms; base of `Distribution`."""

    __slots__ = ("_denominator", "_weights")
    __array_ufunc__: ClassVar = None  # let numpy's numbers use the operators below

    def __init__(self, weights: Mapping[Outcome, int]) -> None:
        if type(weights) is not dict and not isinstance(weights, Mapping):
            raise InputError("weights", weights, "a mapping; or use Distribution.from_faces")
        kept: Any = weights
        for weight in weights.values():
            if type(weight) is not int or weight <= 0:
                kept = {x: _weight(w, x) for x, w in weights.items() if w != 0}
                break
        if not kept:
            raise InputError("weights", dict(weights), "at least one positive weight")
        if not _is_plain(map(type, kept)):
            kept = _grounded(kept, "outcome")
        try:
            order = sorted(kept)
        except TypeError:
            order = [*kept]
        if 1 not in kept.values() and (common := gcd(*kept.values())) != 1:
            kept = {x: int(kept[x] // common) for x in order}
        elif order != [*kept]:
            kept = {x: kept[x] for x in order}
        self._weights: dict[Outcome, int] = dict(kept) if kept is weights else kept
        self._denominator = sum(self._weights.values())

    @property
    def denominator(self) -> int:
        """The sum of the weights."""
        return self._denominator

    @property
    def has_numbers(self) -> bool:
        """Whether the first outcome is a number or text, not a tuple or a mapping."""
        return not isinstance(next(iter(self._weights)), tuple | Mapping)

    def __getitem__(self, outcome: Outcome) -> int:
        return self._weights[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    # Faster than the methods of Mapping, which look each outcome up again.
    def get(self, outcome: Any, default: Any = None) -> Any:
        return self._weights.get(outcome, default)

    def items(self) -> ItemsView[Outcome, int]:
        """Return the pairs of outcome and weight, in order."""
        return self._weights.items()

    def values(self) -> ValuesView[int]:
        """Return the weights, in the order of the outcomes."""
        return self._weights.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Weighted):
            return bool(self._weights == other._weights)
        if isinstance(other, Number | str):
            hint = f"for the probability of an outcome use .probability({other!r})"
            raise OperatorError("==", other, f"a distribution; {hint}")
        return NotImplemented

    def __bool__(self) -> bool:
        if len(self) > 1:
            hint = "use .probability(True), or highest(a, b) instead of max(a, b)"
            raise OperatorError("truth", self, f"a certain outcome; {hint}")
        return bool(next(iter(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._weights!r})"

    def probability(self, outcome: Outcome) -> mpq:
        return mpq(self._weights.get(outcome, 0), self._denominator)

    def probabilities(self) -> dict[Outcome, mpq]:
        return {x: mpq(weight, self._denominator) for x, weight in self._weights.items()}

    def probability_that(self, event: Callable[[Outcome], bool]) -> mpq:
        """Return the probability that the outcome satisfies a condition.

        >>> from exactdice.dice import fair
        >>> fair(6).probability_that(lambda face: face >= 5)
        mpq(1,3)
        """
        holds = function(event, "event")
        return mpq(sum(w for x, w in self._weights.items() if holds(x)), self._denominator)

    def expectation(self, payoff: Callable[[Outcome], RationalLike]) -> mpq:
        """Return the expected value of a function of the outcome.

        >>> from exactdice.dice import fair
        >>> fair(6).expectation(lambda face: face * face)
        mpq(91,6)
        """
        paid = function(payoff, "payoff")
        total = sum((w * amount(paid(x), "payoff") for x, w in self._weights.items()), mpq(0))
        return total / self._denominator

    def mean(self) -> mpq:
        """Return the expected outcome; raises InputError if an outcome is not a number."""
        return self.expectation(lambda outcome: self._numeric(outcome))

    def variance(self) -> mpq:
        return self.expectation(lambda outcome: self._numeric(outcome) ** 2) - self.mean() ** 2

    def skewness(self) -> Root:
        """Return the third central moment over the cube of the standard deviation.

        >>> from exactdice.dice import d, d6
        >>> d6.skewness() == 0, str(d(2).keep_highest(2).skewness())
        (True, '-√(4/3)')
        """
        if not (variance := self.variance()):
            raise InputError("outcomes", Unquoted("one"), "two at least, for the skewness")
        mean = self.mean()
        third = self.expectation(lambda outcome: (self._numeric(outcome) - mean) ** 3)
        return Root(third**2 / variance**3, third < 0)

    def mode(self) -> tuple[Outcome, ...]:
        """Return all outcomes of the highest probability, in order."""
        most = max(self._weights.values())
        return tuple(x for x, weight in self._weights.items() if weight == most)

    def support(self) -> tuple[Outcome, ...]:
        """Return all outcomes, in order."""
        return tuple(self)

    def entropy(self) -> Enclosure:
        """Return the entropy in bits, exactly or as two proved bounds, at most 10⁻³⁰ apart.

        >>> from exactdice.dice import d
        >>> d(8).entropy().point, f"{d(6).entropy()}"[:12]
        (mpq(3,1), '2.5849625007')
        """
        total, weights = self._denominator, self._weights.values()
        if not any(number & (number - 1) for number in (total, *weights)):
            bits = sum(w * (total.bit_length() - w.bit_length()) for w in weights)
            return Enclosure.of(mpq(bits, total))
        flint = linked("flint")
        with flint.ctx.workprec(2 * total.bit_length() + 128):
            terms = (w * flint.arb(w).log() for w in weights)
            whole_sum: Any = total * flint.arb(total).log() - sum(terms)
            return Enclosure.of(whole_sum / (total * flint.arb(2).log()))

    def _roller(self, rng: Any) -> Callable[[], Outcome]:
        faces, reached = [*self], [*accumulate(self._weights.values())]
        return lambda: faces[bisect_right(reached, drawn_below(self._denominator, rng))]

    def cdf(self, bound: Any) -> mpq:
        """Return the probability that the outcome is at most `bound`."""
        return mpq((self <= bound).probability_that(bool))

    def quantile(self, level: RationalLike) -> Outcome:
        """Return the smallest outcome whose cdf is at least `level`, for 0 < level ≤ 1."""
        target = probability(level, "level")
        if target == 0:
            raise InputError("level", level, "a number above 0 and at most 1")
        needed = target * self._denominator
        reached = zip(self._weights, accumulate(self._weights.values()), strict=True)
        return next(outcome for outcome, weight in reached if weight >= needed)

    @staticmethod
    def _numeric(outcome: Any) -> mpq:
        return amount(outcome, "outcome")  # True and False count as 1 and 0

    def exploding(
        self, on: Collection[Outcome] | None = None, worth: Callable[[Outcome], int] | None = None
    ) -> "Endless":
        """Return the distribution of the sum if some outcomes roll again and add, without limit.

        `on` lists the outcomes that roll again, by default the highest. `worth` maps an outcome to
        the whole number or truth value that it adds, by default itself. Raises InputError if every
        outcome rolls again, or one that does adds less than 0.

        A six-sided die; and five ten-sided dice that score 1 from 8 up, where tens roll again:

        >>> from exactdice.dice import fair
        >>> fair(6).exploding().mean(), fair(6).exploding().probability(8)
        (mpq(21,5), mpq(1,36))
        >>> ten_again = fair(10).exploding([10], lambda face: face >= 8)
        >>> (5 @ ten_again).mean()
        mpq(5,3)
        """
        bursting = self._bursting(on)
        return linked("exactdice.dice.endless:endless")(self, bursting, worth)  # type: ignore[no-any-return]

    def _bursting(self, on: Collection[Outcome] | None) -> Collection[Outcome]:
        return (next(reversed(self._weights)),) if on is None else listed(on, "on")

    __add__ = __radd__ = _operator("+", operator.add)
    __sub__ = _operator("-", operator.sub)
    __rsub__ = _operator("-", lambda x, y: y - x)
    __mul__ = __rmul__ = _operator("*", operator.mul)
    __floordiv__ = _operator("//", lambda x, y: whole(x // y))
    __rfloordiv__ = _operator("//", lambda x, y: whole(y // x))
    __truediv__ = _operator("/", lambda x, y: whole(mpq(x) / y))
    __rtruediv__ = _operator("/", lambda x, y: whole(mpq(y) / x))
    __mod__ = _operator("%", operator.mod)
    __rmod__ = _operator("%", lambda x, y: y % x)
    __lt__ = _operator("<", lambda x, y: bool(x < y))
    __le__ = _operator("<=", lambda x, y: bool(x <= y))
    __gt__ = _operator(">", lambda x, y: bool(x > y))
    __ge__ = _operator(">=", lambda x, y: bool(x >= y))
    __pow__ = __rpow__ = _operator("**")
    __and__ = __rand__ = _operator("&")
    __or__ = __ror__ = _operator("|")


def merged(pairs: Iterable[tuple[Outcome, int]]) -> dict[Outcome, int]:
    weights: dict[Outcome, int] = {}
    for outcome, weight in pairs:
        try:
            weights[outcome] = weights.get(outcome, 0) + weight
        except TypeError:
            if not isinstance(outcome, Mapping):
                wanted = "a hashable value, such as a number or a tuple"
                raise InputError("outcome", outcome, wanted) from None
            outcome = linked("exactdice.dice.vectors:Symbols")(outcome)
            weights[outcome] = weights.get(outcome, 0) + weight
    return weights


def function(asked: Any, name: str) -> Any:
    if not callable(asked):
        raise InputError(name, asked, "a function, such as lambda face: face > 4")
    return asked


def listed(outcomes: Iterable[Outcome], name: str) -> dict[Outcome, int]:
    """Return the listed outcomes, counted; raises InputError for text and non-iterables."""
    if isinstance(outcomes, str) or not isinstance(outcomes, Iterable):
        raise InputError(name, outcomes, "a list, such as [1, 2]")
    return _grounded(merged((outcome, 1) for outcome in outcomes), name)


def _grounded(weights: dict[Outcome, int], name: str) -> dict[Outcome, int]:
    """Convert numbers of other libraries to int and mpq, but not inside tuples."""
    if not any(map(is_foreign, {*map(type, weights)})):
        return weights
    return {ground(outcome, name): weight for outcome, weight in weights.items()}
