r"""Dice and exact distributions.

A distribution is an immutable mapping from outcome to positive integer weight, with one
denominator :math:`N`, the sum of the weights: :math:`P(X = x) = w_x / N`. Division happens once,
when a probability is asked for. A die is a distribution over its faces. Weights are kept in lowest
terms (their greatest common divisor is 1), so that two distributions are equal exactly when they
give the same probabilities.

Comparisons are of independent rolls; a tie is a result of its own, never half a win.
"""

from collections.abc import (
    Callable,
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
from exactdice.showing import Sheet, ShowsItself

__all__ = ["Comparison", "Distribution", "Root", "compare", "fair", "kth_highest", "mixture"]

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


class Distribution(ShowsItself, Mapping[Outcome, int], Generic[Outcome]):
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

    def _sheets(self) -> Iterator[Sheet]:
        rows = ((outcome, self.probability(outcome)) for outcome in self)
        yield Sheet(f"{len(self)} outcomes", ["outcome", "probability"], rows, len(self))

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

    def __add__(self, other: "Distribution[Any]") -> "Distribution[Any]":
        """Distribution of the sum of independent outcomes of both; O(len(self)·len(other))."""
        weights: dict[Any, int] = {}
        for x, v in self._weights.items():
            for y, w in other._weights.items():
                weights[x + y] = weights.get(x + y, 0) + v * w
        return Distribution(weights)

    def sum_of(self, count: int) -> "Distribution[Any]":
        """Distribution of the sum of `count` independent outcomes.

        The outcomes are put on an integer lattice and the generating polynomial is raised to the
        power by FLINT: quasi-linear in `count` times the spread of the outcomes, where repeated
        convolution would be quadratic.

        Examples
        --------
        >>> fair(6).sum_of(2).probability(7)
        mpq(1,6)
        """
        count = natural(count, "count")
        numerators, step = over_common_denominator(self._numeric(x) for x in self._weights)
        low = min(numerators)
        coefficients = [0] * int(max(numerators) - low + 1)
        for numerator, weight in zip(numerators, self._weights.values(), strict=True):
            coefficients[int(numerator - low)] = weight
        power = (fmpz_poly(coefficients) ** count).coeffs()
        outcomes = ((mpq(i + low * count, step), w) for i, w in enumerate(power) if w)
        return Distribution({int(x) if x.denominator == 1 else x: int(w) for x, w in outcomes})

    @staticmethod
    def _numeric(outcome: Any) -> mpq:
        if isinstance(outcome, int | mpq) and not isinstance(outcome, bool):
            return mpq(outcome)
        return rational(outcome, "outcome")


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


def kth_highest(pool: Iterable[Distribution[Outcome]], k: int) -> Distribution[Outcome]:
    """Distribution of the k-th highest outcome of a pool of independent dice.

    The dice may differ. The chance that at least k of them reach a threshold is a tail of a sum of
    independent Bernoulli variables; differences over the thresholds give the law. O(n·k) integer
    products a threshold.

    Parameters
    ----------
    pool
        The dice, at least one.
    k
        1 for the highest, len(pool) for the lowest.

    Examples
    --------
    >>> kth_highest([fair(6)] * 3, 1).mean()
    mpq(119,24)
    """
    dice = list(pool)
    if not dice:
        raise InputError("pool", dice, "at least one die")
    k = natural(k, "k", least=1, most=len(dice))
    faces: set[Any] = {outcome for die in dice for outcome in die}
    support = sorted(faces, reverse=True)
    weights: dict[Outcome, int] = {}
    below = 0  # ways in which at least k dice reached a higher threshold
    reaching = [0] * len(dice)
    for threshold in support:
        reaching = [r + die.get(threshold, 0) for r, die in zip(reaching, dice, strict=True)]
        # ways[j]: weight with which exactly j dice reach the threshold, j = k meaning k or more
        ways = [1] + [0] * k
        for reached, die in zip(reaching, dice, strict=True):
            missed = die.denominator - reached
            ways = [
                ways[j] * (missed if j < k else die.denominator)
                + (ways[j - 1] * reached if j else 0)
                for j in range(k + 1)
            ]
        weights[threshold] = ways[k] - below
        below = ways[k]
    return Distribution(weights)


@dataclass(frozen=True)
class Comparison:
    """Exact chances that the first of two independent rolls is higher, equal, lower."""

    win: mpq
    tie: mpq
    loss: mpq


def compare(first: Distribution[Any], second: Distribution[Any]) -> Comparison:
    """Compare independent rolls of two dice.

    Examples
    --------
    >>> compare(fair(6), fair(6))
    Comparison(win=mpq(5,12), tie=mpq(1,6), loss=mpq(5,12))
    """
    ways = {1: 0, 0: 0, -1: 0}
    for x, v in first.items():
        for y, w in second.items():
            ways[(x > y) - (x < y)] += v * w
    total = first.denominator * second.denominator
    return Comparison(mpq(ways[1], total), mpq(ways[0], total), mpq(ways[-1], total))
