r"""The law of the final score, exact or enclosed.

A `ScoreLaw` holds, for each score s, a lower bound w_s / N of its probability. What is missing,
ε = 1 − Σ w_s / N, is nonnegative and may lie anywhere from 0 to the largest score, so

    Σ_{s ≤ x} w_s / N  ≤  P(score ≤ x)  ≤  Σ_{s ≤ x} w_s / N + ε,

and quantiles, mean and variance are enclosed in the same way. Where nothing is missing the law is
exact and every enclosure is a point.

The quantile of a level is the smallest score x with P(score ≤ x) ≥ level, always a score itself. A
quantile is *certified* where both ends of its enclosure agree: then it is exact, whatever ε is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from exactdice.arithmetic import RationalLike, mpq, mpz, probability
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, Unquoted


class Span(NamedTuple):
    """A score that lies between two scores, both included."""

    low: int
    high: int

    @property
    def certified(self) -> bool:
        """Both ends agree, so the score is known."""
        return self.low == self.high

    def __str__(self) -> str:
        return str(self.low) if self.certified else f"{self.low}…{self.high}"


@dataclass(frozen=True)
class ScoreLaw:
    """Lower bounds of the probabilities of all scores."""

    weights: Mapping[int, mpz]  # score to nonnegative integer
    denominator: mpz  # N, at least the sum of the weights
    largest: int  # no score is above it
    _scores: tuple[int, ...] = field(init=False, repr=False)
    _totals: tuple[mpz, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        ordered = {score: self.weights[score] for score in sorted(self.weights)}
        object.__setattr__(self, "weights", MappingProxyType(ordered))
        object.__setattr__(self, "_scores", tuple(ordered))
        totals = tuple(accumulate(ordered.values()))
        object.__setattr__(self, "_totals", totals)
        total = totals[-1] if totals else 0
        if min(ordered.values(), default=0) < 0 or total > self.denominator:
            wanted = "nonnegative integers that add up to at most the denominator"
            raise InputError("weights", Unquoted(f"a sum of {total}"), wanted)

    @property
    def missing(self) -> mpq:
        """The probability that is not accounted for; 0 where the law is exact."""
        return 1 - mpq(sum(self.weights.values()), self.denominator)

    @property
    def exact(self) -> bool:
        """Nothing is missing."""
        return bool(self.missing == 0)

    def distribution(self) -> Distribution[int]:
        """Return the exact distribution."""
        if not self.exact:
            raise InputError("law", self.missing, "a law of which nothing is missing")
        return Distribution({score: int(weight) for score, weight in self.weights.items()})

    def cdf(self, bound: int) -> Enclosure:
        """Enclose the probability of a score of at most `bound`."""
        low = mpq(sum(w for s, w in self.weights.items() if s <= bound), self.denominator)
        return Enclosure(low, low + self.missing if bound < self.largest else mpq(1))

    def reaches(self, target: int) -> Enclosure:
        """Enclose the probability of a score of at least `target`."""
        return 1 - self.cdf(target - 1)

    def certifies(self, levels: Iterable[RationalLike]) -> bool:
        """Whether the quantiles of all these levels are known."""
        return all(self.quantile(level).certified for level in levels)

    def quantile(self, level: RationalLike) -> Span:
        """Enclose the smallest score whose cdf is at least a level in (0, 1]."""
        target = probability(level, "level")
        if target == 0:
            raise InputError("level", level, "a number above 0 and at most 1")
        missing = self.missing
        return Span(self._first(target - missing), self._first(target))

    def _first(self, level: mpq) -> int:
        """Return the smallest score at which the known weights reach a level."""
        if level <= 0:
            return 0
        needed = level * self.denominator
        for score, total in zip(self._scores, self._totals, strict=True):
            if total >= needed:
                return score
        return self.largest

    def mean(self) -> Enclosure:
        """Enclose the expected score."""
        return self._moment(1)

    def variance(self) -> Enclosure:
        """Enclose the variance."""
        return largest([self._moment(2) - self._moment(1) ** 2, 0])

    def _moment(self, order: int) -> Enclosure:
        low = mpq(sum(w * s**order for s, w in self.weights.items()), self.denominator)
        return Enclosure(low, low + self.missing * self.largest**order)
