r"""Exact distributions, and what can be done with one roll of each.

A distribution is an immutable mapping from outcome to positive integer weight, with one
denominator :math:`N`, the sum of the weights: :math:`P(X = x) = w_x / N`. Division happens once,
when a probability is asked for. A die is a distribution over its faces. Weights are kept in lowest
terms (their greatest common divisor is 1), so that two distributions are equal exactly when they
give the same probabilities.

Operators are about independent rolls: ``a + b`` is the sum of one roll of each, ``a < b`` whether
the first is lower, and ``3 @ a`` the sum of three rolls. ``==`` alone is about the distributions
themselves: whether they give the same probabilities.
"""

import operator
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    ValuesView,
)
from dataclasses import dataclass
from math import gcd, isqrt
from typing import Any, Generic, TypeVar

from flint import fmpz_poly
from gmpy2 import mpq, mpz

from exactdice.arithmetic import (
    RationalLike,
    decimal,
    natural,
    over_common_denominator,
    probability,
    rational,
    text,
)
from exactdice.errors import InputError, Unquoted
from exactdice.memory import require_memory, stored_bytes
from exactdice.report.model import Column, Kind, Report, Table, exact
from exactdice.report.notebook import Reported

__all__ = ["Distribution", "Root", "fair", "mixture"]

Outcome = TypeVar("Outcome", bound=Hashable)
Image = TypeVar("Image", bound=Hashable)


@dataclass(frozen=True)
class Root:
    """The nonnegative square root of an exact rational, kept as its square.

    Examples
    --------
    >>> root = Root(rational("35/12"))
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


class Distribution(Reported, Mapping[Outcome, int], Generic[Outcome]):
    """An exact distribution: outcomes with integer weights over one denominator.

    Parameters
    ----------
    weights
        Outcome to nonnegative integer weight; outcomes of weight 0 are dropped. Outcomes are kept
        in ascending order where they can be compared, else in the order given.

    Raises
    ------
    InputError
        If a weight is negative or no integer, or all of them are 0.

    Examples
    --------
    >>> die = Distribution({1: 2, 2: 2, 3: 4})
    >>> die
    Distribution({1: 1, 2: 1, 3: 2})
    >>> die.probability(3), die.mean(), die.variance()
    (mpq(1,2), mpq(9,4), mpq(11,16))
    """

    __slots__ = ("_denominator", "_weights")

    def __init__(self, weights: Mapping[Outcome, int]) -> None:
        kept = {
            outcome: weight
            if type(weight) is int and weight > 0
            else natural(weight, f"weight of {outcome!r}")
            for outcome, weight in weights.items()
            if weight != 0
        }
        if not kept:
            raise InputError("weights", dict(weights), "at least one positive weight")
        common = gcd(*kept.values())
        try:
            order = sorted(kept)  # type: ignore[type-var]
        except TypeError:
            order = list(kept)
        if common == 1:
            self._weights = {outcome: kept[outcome] for outcome in order}
        else:
            self._weights = {outcome: kept[outcome] // common for outcome in order}
        self._denominator = sum(self._weights.values())

    @classmethod
    def from_faces(cls, faces: Iterable[Outcome]) -> "Distribution[Outcome]":
        """Build a die that shows each listed face with the same chance; repeats count.

        Examples
        --------
        >>> Distribution.from_faces([1, 1, 1, 6, 6, 6])
        Distribution({1: 1, 6: 1})
        """
        weights: dict[Outcome, int] = {}
        for face in faces:
            weights[face] = weights.get(face, 0) + 1
        return cls(weights)

    @classmethod
    def from_probabilities(
        cls, probabilities: Mapping[Outcome, RationalLike]
    ) -> "Distribution[Outcome]":
        """Build a distribution from exact probabilities that sum to 1.

        Raises
        ------
        InputError
            If one is a float or outside 0 to 1, or they do not sum to 1.

        Examples
        --------
        >>> Distribution.from_probabilities({1: "0.1", 2: "0.1", 3: "0.8"})
        Distribution({1: 1, 2: 1, 3: 8})
        """
        exact = {
            outcome: probability(number, f"probability of {outcome!r}")
            for outcome, number in probabilities.items()
        }
        total = sum(exact.values(), mpq(0))
        if total != 1:
            raise InputError(
                "probabilities", Unquoted(f"a sum of {text(total)}"), "probabilities that sum to 1"
            )
        weights, _ = over_common_denominator(exact.values())
        return cls({outcome: int(w) for outcome, w in zip(exact, weights, strict=True)})

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

    # The dictionary's own views: those of Mapping look each outcome up again.
    def items(self) -> ItemsView[Outcome, int]:
        """Outcomes with their weights, in order."""
        return self._weights.items()

    def values(self) -> ValuesView[int]:
        """The weights, in the order of the outcomes."""
        return self._weights.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return bool(self._weights == other._weights)

    def __repr__(self) -> str:
        return f"Distribution({self._weights!r})"

    def report(self) -> Report:
        """Report every outcome with its probability."""
        kind = _kind_of(self._weights)
        outcomes: Iterable[Any] = self._weights
        if kind is Kind.TEXT:
            outcomes = map(str, self._weights)
        elif kind is Kind.LIST:
            outcomes = (tuple(map(_entry, outcome)) for outcome in outcomes)
        table = Table(
            "outcomes",
            f"{len(self)} outcomes",
            [Column("outcome", "outcome", kind=kind), exact("probability", "its probability")],
            list(zip(outcomes, self.probabilities().values(), strict=True)),
        )
        return Report("A distribution", (), [table])

    def probability(self, outcome: Outcome) -> mpq:
        """Chance of one outcome; 0 where it is not in the support.

        Examples
        --------
        >>> fair(6).probability(3), fair(6).probability(7)
        (mpq(1,6), mpq(0,1))
        """
        return mpq(self._weights.get(outcome, 0), self._denominator)

    def probabilities(self) -> dict[Outcome, mpq]:
        """Chance of every outcome of the support, in order."""
        return {x: mpq(weight, self._denominator) for x, weight in self._weights.items()}

    def probability_that(self, event: Callable[[Outcome], bool]) -> mpq:
        """Chance that the outcome satisfies a condition.

        Examples
        --------
        >>> fair(6).probability_that(lambda face: face >= 5)
        mpq(1,3)
        """
        return mpq(sum(w for x, w in self._weights.items() if event(x)), self._denominator)

    def expectation(self, payoff: Callable[[Outcome], RationalLike]) -> mpq:
        """Expected payoff of an outcome.

        Examples
        --------
        >>> fair(6).expectation(lambda face: face * face)
        mpq(91,6)
        """
        total = sum((w * rational(payoff(x), "payoff") for x, w in self._weights.items()), mpq(0))
        return total / self._denominator

    def mean(self) -> mpq:
        """Expected outcome; the outcomes must be exact numbers."""
        return self.expectation(lambda outcome: self._numeric(outcome))

    def variance(self) -> mpq:
        """Expected squared distance from the mean."""
        return self.expectation(lambda outcome: self._numeric(outcome) ** 2) - self.mean() ** 2

    def standard_deviation(self) -> Root:
        """Square root of the variance, kept exact.

        Examples
        --------
        >>> print(fair(6).standard_deviation())
        √(35/12)
        """
        return Root(self.variance())

    def cdf(self, bound: Any) -> mpq:
        """Chance that the outcome is at most `bound`.

        Examples
        --------
        >>> fair(6).cdf(2), fair(6).cdf(0)
        (mpq(1,3), mpq(0,1))
        """
        return self.probability_that(lambda outcome: bool(outcome <= bound))

    def quantile(self, level: RationalLike) -> Outcome:
        """Smallest outcome whose cdf is at least `level`, for a level in (0, 1].

        Examples
        --------
        >>> fair(6).quantile("1/2"), fair(6).quantile("0.51")
        (3, 4)
        """
        target = probability(level, "level")
        if target == 0:
            raise InputError("level", level, "a number above 0 and at most 1")
        needed = target * self._denominator
        reached = 0
        for outcome, weight in self._weights.items():
            reached += weight
            if reached >= needed:
                return outcome
        raise AssertionError("the weights sum to the denominator")

    def map(self, image: Callable[[Outcome], Image]) -> "Distribution[Image]":
        """Distribution of a function of the outcome.

        Examples
        --------
        >>> fair(6).map(lambda face: face % 3)
        Distribution({0: 1, 1: 1, 2: 1})
        """
        weights: dict[Image, int] = {}
        for outcome, weight in self._weights.items():
            key = image(outcome)
            weights[key] = weights.get(key, 0) + weight
        return Distribution(weights)

    def with_other(self, other: Any, combine: Callable[[Any, Any], Image]) -> "Distribution[Image]":
        """Distribution of a function of this outcome and another, independent one.

        Parameters
        ----------
        other
            A distribution, or a value that is certain.
        combine
            Takes both outcomes. O(len(self)·len(other)) calls.

        Examples
        --------
        >>> fair(2).with_other(fair(2), max)
        Distribution({1: 1, 2: 3})
        """
        weights: dict[Image, int] = {}
        others = other.items() if isinstance(other, Distribution) else ((_exact(other), 1),)
        for x, v in self._weights.items():
            for y, w in others:
                key = combine(x, y)
                weights[key] = weights.get(key, 0) + v * w
        return Distribution(weights)

    def __add__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.sub)

    def __rsub__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, lambda x, y: y - x)

    def __neg__(self) -> "Distribution[Any]":
        return self.map(lambda outcome: -self._numeric(outcome)).map(_whole)

    def __mul__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.mul)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, lambda x, y: _whole(x // y))

    def __mod__(self, other: Any) -> "Distribution[Any]":
        return self.with_other(other, operator.mod)

    def __lt__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x < y))

    def __le__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x <= y))

    def __gt__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x > y))

    def __ge__(self, other: Any) -> "Distribution[bool]":
        return self.with_other(other, lambda x, y: bool(x >= y))

    def __rmatmul__(self, count: Any) -> "Distribution[Any]":
        return self.sum_of(count)

    def __matmul__(self, die: "Distribution[Any]") -> "Distribution[Any]":
        """Distribution of the sum of as many rolls of a die as this one shows.

        Examples
        --------
        >>> fair(2) @ fair(2)
        Distribution({1: 2, 2: 3, 3: 2, 4: 1})
        """
        counted = ((chance, natural(n, "count")) for n, chance in self.probabilities().items())
        return mixture((chance, die.sum_of(n)) for chance, n in counted)

    def given(self, event: Callable[[Outcome], bool]) -> "Distribution[Outcome]":
        """Distribution of the outcome where a condition holds: rolled again until it does.

        Raises
        ------
        InputError
            If it never holds.

        Examples
        --------
        >>> fair(6).given(lambda face: face > 4)
        Distribution({5: 1, 6: 1})
        """
        kept = {x: w for x, w in self._weights.items() if event(x)}
        if not kept:
            raise InputError("event", Unquoted("no outcome"), "a condition that can hold")
        return Distribution(kept)

    def reroll(
        self, outcomes: Collection[Outcome], times: int | None = None
    ) -> "Distribution[Outcome]":
        """Distribution after rolling again while the outcome is one of those given.

        Parameters
        ----------
        outcomes
            What is rolled again.
        times
            At most so often; None for as often as it takes, which is the limit, exactly.

        Raises
        ------
        InputError
            If every outcome is rolled again for ever.

        Examples
        --------
        >>> fair(4).reroll([1], times=1), fair(4).reroll([1])
        (Distribution({1: 1, 2: 5, 3: 5, 4: 5}), Distribution({2: 1, 3: 1, 4: 1}))
        """
        again = set(outcomes)
        if times is None:
            return self.given(lambda outcome: outcome not in again)
        law: Distribution[Outcome] = self
        for _ in range(natural(times, "times")):
            chances = {x: p for x, p in self.probabilities().items() if x not in again}
            staying = 1 - sum(chances.values(), mpq(0))
            for x, p in law.probabilities().items():
                chances[x] = chances.get(x, mpq(0)) + staying * p
            law = Distribution.from_probabilities(chances)
        return law

    def explode(self, times: int, on: Collection[Outcome] | None = None) -> "Distribution[Any]":
        """Distribution of the sum when certain outcomes are rolled again and added.

        Parameters
        ----------
        times
            Most rolls beyond the first. Without an end the support has none either; the mean of
            that limit is `exploding_mean`.
        on
            Outcomes that roll again; the highest by default.

        Examples
        --------
        >>> fair(2).explode(times=2)
        Distribution({1: 4, 3: 2, 5: 1, 6: 1})
        """
        bursting = self._bursting(on)
        law: Distribution[Any] = self
        for _ in range(natural(times, "times")):
            parts: dict[Any, mpq] = {}
            for x, p in self.probabilities().items():
                following = law.probabilities().items() if x in bursting else ((None, mpq(1)),)
                for y, q in following:
                    total = x if y is None else x + y
                    parts[total] = parts.get(total, mpq(0)) + p * q
            law = Distribution.from_probabilities(parts)
        return law

    def exploding_mean(self, on: Collection[Outcome] | None = None) -> mpq:
        """Mean of the sum when certain outcomes are rolled again without an end.

        Each roll leads to another with the chance p of such an outcome, so it is mean/(1 − p).

        Raises
        ------
        InputError
            If every outcome rolls again.

        Examples
        --------
        >>> fair(6).exploding_mean()
        mpq(21,5)
        """
        bursting = self._bursting(on)
        ending = 1 - self.probability_that(lambda outcome: outcome in bursting)
        if not ending:
            raise InputError("on", Unquoted("every outcome"), "outcomes that leave some to end on")
        return self.mean() / ending

    def _bursting(self, on: Collection[Outcome] | None) -> Collection[Outcome]:
        return (next(reversed(self._weights)),) if on is None else on

    def keep_highest(self, rolled: int, kept: int = 1) -> "Distribution[Any]":
        """Distribution of the sum of the highest of several rolls.

        Examples
        --------
        Four dice of six sides, the lowest dropped:

        >>> fair(6).keep_highest(4, 3).mean()
        mpq(15869,1296)
        """
        from exactdice.dice.pools import pool

        return pool(rolled, self).keep_highest(kept)

    def keep_lowest(self, rolled: int, kept: int = 1) -> "Distribution[Any]":
        """Distribution of the sum of the lowest of several rolls."""
        from exactdice.dice.pools import pool

        return pool(rolled, self).keep_lowest(kept)

    def sum_of(self, count: int) -> "Distribution[Any]":
        """Distribution of the sum of `count` independent outcomes.

        The outcomes are put on an integer lattice and the generating polynomial is raised to the
        power by FLINT: quasi-linear in `count` times the spread of the outcomes, where repeated
        convolution would be quadratic.

        Raises
        ------
        TooLargeError
            If the outcomes lie too far apart on the lattice.

        Examples
        --------
        >>> fair(6).sum_of(2).probability(7)
        mpq(1,6)
        """
        count = natural(count, "count")
        numerators, step = over_common_denominator(self._numeric(x) for x in self._weights)
        low = min(numerators)
        spacing = gcd(*(int(numerator - low) for numerator in numerators)) or 1
        degree = int(max(numerators) - low) // spacing
        bits = count * self._denominator.bit_length()
        what = f"the sum of {count} outcomes between {text(mpq(low, step))} and "
        what += text(mpq(max(numerators), step))
        require_memory(stored_bytes(degree * count + 1, bits), what)
        coefficients = [0] * (degree + 1)
        for numerator, weight in zip(numerators, self._weights.values(), strict=True):
            coefficients[int(numerator - low) // spacing] = weight
        power = (fmpz_poly(coefficients) ** count).coeffs()
        outcomes = ((mpq(i * spacing + low * count, step), w) for i, w in enumerate(power) if w)
        return Distribution({_whole(x): int(w) for x, w in outcomes})

    @staticmethod
    def _numeric(outcome: Any) -> mpq:
        if isinstance(outcome, int | mpq) and not isinstance(outcome, bool):
            return mpq(outcome)
        return rational(outcome, "outcome")


def _whole(number: Any) -> Any:
    """Return an int where a rational is whole."""
    return int(number) if getattr(number, "denominator", 0) == 1 else number


def _exact(value: Any) -> Any:
    """Refuse a float that is to be combined with exact outcomes."""
    is_float = isinstance(value, float)
    return rational(value, "other") if is_float else value


def _kind_of(outcomes: Iterable[Any]) -> Kind:
    """The kind of a column that holds these outcomes."""
    kinds = {type(outcome) for outcome in outcomes}
    if kinds == {bool}:
        return Kind.FLAG
    if kinds == {int}:
        return Kind.WHOLE
    if kinds <= {int, mpq}:
        return Kind.EXACT
    return Kind.LIST if kinds == {tuple} else Kind.TEXT


def _entry(entry: Any) -> Any:
    return entry if isinstance(entry, int | str) and not isinstance(entry, bool) else str(entry)


def fair(sides: int) -> Distribution[int]:
    """Return the fair die with faces 1 to `sides`.

    Examples
    --------
    >>> fair(4)
    Distribution({1: 1, 2: 1, 3: 1, 4: 1})
    """
    return Distribution(dict.fromkeys(range(1, natural(sides, "sides", least=1) + 1), 1))


def mixture(
    parts: Iterable[tuple[RationalLike, Distribution[Outcome]]],
) -> Distribution[Outcome]:
    """Distribution of an outcome drawn from a part chosen with the given probability.

    Parameters
    ----------
    parts
        Pairs of probability and distribution; the probabilities sum to 1.

    Examples
    --------
    >>> mixture([("1/2", fair(1)), ("1/2", fair(2))])
    Distribution({1: 3, 2: 1})
    """
    chances: dict[Outcome, mpq] = {}
    for chance, part in parts:
        for outcome, conditional in part.probabilities().items():
            chances[outcome] = chances.get(outcome, mpq(0)) + rational(chance) * conditional
    return Distribution.from_probabilities(chances)
