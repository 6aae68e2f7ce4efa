"""Outcomes with integer weights over one denominator, and the numbers that they give."""

from collections.abc import Callable, Hashable, ItemsView, Iterator, Mapping, ValuesView
from math import gcd
from numbers import Number
from typing import Any, Generic, TypeVar

from exactdice.arithmetic import RationalLike, mpq, natural, probability, rational
from exactdice.dice.root import Root
from exactdice.errors import InputError, OperatorError

Outcome = TypeVar("Outcome", bound=Hashable)


class Weighted(Mapping[Outcome, int], Generic[Outcome]):
    """An immutable mapping from outcome to weight, in lowest terms: what a distribution is."""

    __slots__ = ("_denominator", "_weights")

    def __init__(self, weights: Mapping[Outcome, int]) -> None:
        if not isinstance(weights, Mapping):
            raise InputError("weights", weights, "a mapping, or Distribution.from_faces(faces)")
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
        if isinstance(other, Weighted):
            return bool(self._weights == other._weights)
        if isinstance(other, Number | str):
            chance = f"the chance of an outcome is .probability({other!r})"
            raise OperatorError("==", other, f"a distribution; {chance}")
        return NotImplemented

    def __bool__(self) -> bool:
        if len(self) > 1:
            wanted = "what is certain, such as .probability(True); for max(a, b) of dice write "
            raise OperatorError("truth", self, wanted + "pool(a, b).keep_highest()")
        return bool(next(iter(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._weights!r})"

    def probability(self, outcome: Outcome) -> mpq:
        """Chance of one outcome; 0 where it is not in the support.

        >>> from exactdice.dice import fair
        >>> fair(6).probability(3), fair(6).probability(7)
        (mpq(1,6), mpq(0,1))
        """
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
        return mpq(sum(w for x, w in self._weights.items() if event(x)), self._denominator)

    def expectation(self, payoff: Callable[[Outcome], RationalLike]) -> mpq:
        """Expected payoff of an outcome.

        >>> from exactdice.dice import fair
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

        >>> from exactdice.dice import fair
        >>> print(fair(6).standard_deviation())
        √(35/12)
        """
        return Root(self.variance())

    def cdf(self, bound: Any) -> mpq:
        """Chance that the outcome is at most `bound`.

        >>> from exactdice.dice import fair
        >>> fair(6).cdf(2), fair(6).cdf(0)
        (mpq(1,3), mpq(0,1))
        """
        return self.probability_that(lambda outcome: bool(outcome <= bound))

    def quantile(self, level: RationalLike) -> Outcome:
        """Smallest outcome whose cdf is at least `level`, for a level in (0, 1].

        >>> from exactdice.dice import fair
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

    @staticmethod
    def _numeric(outcome: Any) -> mpq:
        if isinstance(outcome, int | mpq) and not isinstance(outcome, bool):
            return mpq(outcome)
        return rational(outcome, "outcome")
