"""Outcomes with integer weights over one denominator, and the numbers that they give."""

import operator
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
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import isqrt
from numbers import Number
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from exactdice.arithmetic import (
    RationalLike,
    amount,
    decimal,
    gcd,
    ground,
    is_foreign,
    mpq,
    mpz,
    natural,
    probability,
    rational,
    text,
)
from exactdice.dice.lattice import whole
from exactdice.errors import InputError, OperatorError
from exactdice.linked import linked

if TYPE_CHECKING:
    from exactdice.dice.distribution import Distribution
    from exactdice.dice.endless import Endless


@dataclass(frozen=True)
class Root:
    """The nonnegative square root of an exact rational, kept as its square.

    >>> root = Root(mpq(35, 12))
    >>> print(root, root.decimal(6))
    √(35/12) 1.707825
    """

    square: mpq

    def decimal(self, places: int) -> str:
        """Write the root with `places` digits after the point, correctly rounded.

        A root whose next digit decides exactly half is rational and rounds half to even; all
        others are decided by the integer square root.
        """
        scaled = self.square * mpz(10) ** (2 * places + 2)
        lower = isqrt(int(scaled.numerator // scaled.denominator))
        exact = mpz(lower) ** 2 == scaled
        # One guard digit, with a second that only records that something nonzero follows it.
        return decimal(mpq(10 * lower + (0 if exact else 1), mpz(10) ** (places + 2)), places)

    def __str__(self) -> str:
        return f"√({text(self.square)})"


Outcome = TypeVar("Outcome", bound=Hashable)

#: Most outcomes are of these types, which are not foreign.
_PLAIN = frozenset({int, bool, str, tuple, mpq, Fraction, type(None)})


def _operator(
    sign: str, combine: Callable[[Any, Any], Any] | None = None
) -> "Callable[[Any, Any], Distribution[Any]]":
    """Make an operator on independent rolls; one that combines in no way is refused."""

    def operate(roll: Any, other: Any) -> "Distribution[Any]":
        if combine is None:
            wanted = f"a function to .map or .with_other, as .map(lambda face: face {sign} 2)"
            raise OperatorError(sign, other, wanted)
        if combine is operator.add and getattr(other, "adds_dice", False):
            return NotImplemented  # type: ignore[no-any-return] # it is then its turn
        try:
            law: Distribution[Any] = roll.with_other(other, combine)
        except ZeroDivisionError:
            raise OperatorError(sign, other, f"what is not 0 behind {sign}") from None
        except TypeError as problem:
            if isinstance(problem, OperatorError):
                raise
            numbers = "numbers, or dice of numbers, on both sides; else .with_other or .map"
            raise OperatorError(sign, other, numbers) from None
        return law

    return operate


def _weight(weight: object, outcome: object) -> int:
    try:
        return natural(weight, "weight")
    except InputError:
        right = "a whole number of at least 0; chances go to Distribution.from_probabilities"
        raise InputError(f"weight of {outcome!r}", weight, right) from None


class Weighted(Mapping[Outcome, int], Generic[Outcome]):
    """An immutable mapping from outcome to weight, in lowest terms: what a distribution is."""

    __slots__ = ("_denominator", "_weights")
    __array_ufunc__: ClassVar = None  # numpy's numbers leave operators to those below

    def __init__(self, weights: Mapping[Outcome, int]) -> None:
        if not isinstance(weights, Mapping):
            raise InputError("weights", weights, "a mapping, or Distribution.from_faces(faces)")
        kept = {
            outcome: weight if type(weight) is int and weight > 0 else _weight(weight, outcome)
            for outcome, weight in weights.items()
            if weight != 0
        }
        if not kept:
            raise InputError("weights", dict(weights), "at least one positive weight")
        if not {*map(type, kept)} <= _PLAIN:
            kept = _grounded(kept, "outcome")
        common, order = gcd(*kept.values()), [*kept]
        try:
            order.sort()  # type: ignore[call-arg]
        except TypeError:
            order = [*kept]
        if common != 1 or order != [*kept]:
            kept = {x: kept[x] if common == 1 else int(kept[x] // common) for x in order}
        self._weights, self._denominator = kept, sum(kept.values())

    @property
    def denominator(self) -> int:
        """The sum of the weights."""
        return self._denominator

    def __getitem__(self, outcome: Outcome) -> int:
        return self._weights[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    # The dictionary's own ways: those of Mapping look each outcome up again.
    def get(self, outcome: Any, default: Any = None) -> Any:
        """Weight of an outcome, or else what is given."""
        return self._weights.get(outcome, default)

    def items(self) -> ItemsView[Outcome, int]:
        """Outcomes with their weights, in order."""
        return self._weights.items()

    def values(self) -> ValuesView[int]:
        """The weights, in the order of the outcomes."""
        return self._weights.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Weighted):
            return bool(self._weights == other._weights)
        if isinstance(other, Number | str):
            chance = f"the chance of an outcome is .probability({other!r})"
            raise OperatorError("==", other, f"a distribution; {chance}")
        return NotImplemented

    def __bool__(self) -> bool:
        if len(self) > 1:
            wanted = "what is certain, such as .probability(True); for max(a, b) of dice write "
            raise OperatorError("truth", self, wanted + "highest(a, b)")
        return bool(next(iter(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._weights!r})"

    def probability(self, outcome: Outcome) -> mpq:
        """Chance of one outcome; 0 where it is not in the support."""
        return mpq(self._weights.get(outcome, 0), self._denominator)

    def probabilities(self) -> dict[Outcome, mpq]:
        """Chance of every outcome of the support, in order."""
        return {x: mpq(weight, self._denominator) for x, weight in self._weights.items()}

    def probability_that(self, event: Callable[[Outcome], bool]) -> mpq:
        """Chance that the outcome satisfies a condition.

        >>> from exactdice.dice import fair
        >>> fair(6).probability_that(lambda face: face >= 5)
        mpq(1,3)
        """
        holds = function(event, "event")
        return mpq(sum(w for x, w in self._weights.items() if holds(x)), self._denominator)

    def expectation(self, payoff: Callable[[Outcome], RationalLike]) -> mpq:
        """Expected payoff of an outcome.

        >>> from exactdice.dice import fair
        >>> fair(6).expectation(lambda face: face * face)
        mpq(91,6)
        """
        paid = function(payoff, "payoff")
        total = sum((w * amount(paid(x), "payoff") for x, w in self._weights.items()), mpq(0))
        return total / self._denominator

    def mean(self) -> mpq:
        """Expected outcome; the outcomes must be exact numbers."""
        return self.expectation(lambda outcome: self._numeric(outcome))

    def variance(self) -> mpq:
        """Expected squared distance from the mean."""
        return self.expectation(lambda outcome: self._numeric(outcome) ** 2) - self.mean() ** 2

    def standard_deviation(self) -> Root:
        """Square root of the variance, kept exact."""
        return Root(self.variance())

    def cdf(self, bound: Any) -> mpq:
        """Chance that the outcome is at most `bound`."""
        chance: mpq = (self <= bound).probability_that(bool)
        return chance

    def quantile(self, level: RationalLike) -> Outcome:
        """Smallest outcome whose cdf is at least `level`, for a level in (0, 1]."""
        target = probability(level, "level")
        if target == 0:
            raise InputError("level", level, "a number above 0 and at most 1")
        needed = target * self._denominator
        reached = zip(self._weights, accumulate(self._weights.values()), strict=True)
        return next(outcome for outcome, weight in reached if weight >= needed)

    @staticmethod
    def _numeric(outcome: Any) -> mpq:
        if isinstance(outcome, int | mpq):  # True and False count as 1 and 0
            return mpq(outcome)
        return rational(outcome, "outcome")

    def exploding(
        self,
        on: Collection[Outcome] | None = None,
        worth: Callable[[Outcome], int] | None = None,
    ) -> "Endless":
        """Law of the sum when certain outcomes are rolled again and added, without an end.

        The outcomes in `on`, by default the highest, roll again; `worth` is what an outcome adds
        to the sum, a whole number or whether it counts, by default itself. Raises InputError if
        every outcome rolls again, or one that does adds less than 0.

        A die; and five of ten sides, of which those of at least 8 count and tens roll again:

        >>> from exactdice.dice import fair
        >>> fair(6).exploding().mean(), fair(6).exploding().probability(8)
        (mpq(21,5), mpq(1,36))
        >>> ten_again = fair(10).exploding([10], lambda face: face >= 8)
        >>> (5 @ ten_again).mean()
        mpq(5,3)
        """
        law: Endless
        law = linked("exactdice.dice.endless:endless")(self, self._bursting(on), worth)
        return law

    def _bursting(self, on: Collection[Outcome] | None) -> Collection[Outcome]:
        return (next(reversed(self._weights)),) if on is None else several(on, "on")

    def plot(self, *others: "Distribution[Any]", names: Sequence[str] = ()) -> Any:
        """Draw the law, and others in the same chart: a figure of matplotlib.

        `names` is what the legend calls them, this one first. Raises InputError if there are not as
        many names as laws; MissingExtraError if matplotlib is not installed.

        >>> from exactdice.dice import fair
        >>> chart = fair(6).keep_highest(4, 3).plot(3 @ fair(6), names=["best of four", "3d6"])
        >>> chart.savefig("laws.png")  # doctest: +SKIP
        """
        for other in others:
            if not isinstance(other, Weighted):
                raise InputError("others", other, "distributions; names=[…] for their names")
        return linked("exactdice.jobs.plots.figure:draw_laws")((self, *others), names)

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


def gathered(pairs: Iterable[tuple[Outcome, int]]) -> dict[Outcome, int]:
    """Add the weights of equal outcomes up; an outcome that cannot be hashed is refused."""
    weights: dict[Outcome, int] = {}
    for outcome, weight in pairs:
        try:
            weights[outcome] = weights.get(outcome, 0) + weight
        except TypeError:
            wanted = "what can be hashed, such as a number or a tuple"
            raise InputError("outcome", outcome, wanted) from None
    return weights


def function(asked: Any, name: str) -> Any:
    """Refuse what cannot be called."""
    if not callable(asked):
        raise InputError(name, asked, "a function, as lambda face: face > 4")
    return asked


def several(outcomes: Iterable[Outcome], name: str) -> dict[Outcome, int]:
    """Outcomes that were listed; a text, or what cannot be gone through, is refused."""
    if isinstance(outcomes, str) or not isinstance(outcomes, Iterable):
        raise InputError(name, outcomes, "a list, as [1, 2]")
    return _grounded(gathered((outcome, 1) for outcome in outcomes), name)


def _grounded(weights: dict[Outcome, int], name: str) -> dict[Outcome, int]:
    """Outcomes in their ground types; what is in a tuple, such as a state, is left as it is."""
    if not any(map(is_foreign, {*map(type, weights)})):
        return weights
    return {ground(outcome, name): weight for outcome, weight in weights.items()}
