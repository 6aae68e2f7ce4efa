r"""Distributions of the final score under a policy: exact, bounded from below, and simulated.

A `ScoreDistribution` has, for each score s, a lower bound w_s / N of its probability. The missing
probability ε = 1 − Σ w_s / N may belong to any scores up to the largest one, so P(score ≤ x) is
between Σ_{s ≤ x} w_s / N and that plus ε, and quantiles, mean and variance have bounds, too. If
ε = 0 they are exact. A quantile, the smallest score x with P(score ≤ x) ≥ level, is *certified*,
which means exact, if its bounds agree, whatever ε is.

The weighted scores of all games in one state are packed into one integer: the generating function
Σ w_s z^s at z = 2^width, with slots that never overflow. So one operation acts on all scores.
`Polynomials` keep the whole distribution, `Moments` the first three coefficients of the series in
z − 1, for mean and variance.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from exactdice.arithmetic import RationalLike, f_mod, mpq, mpz, probability
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, Unquoted


@dataclass(frozen=True)
class Polynomials:
    """Whole distributions: the weight of score s is in slot s of `width` bits."""

    width: int

    def gain(self, packed: mpz, points: int) -> mpz:
        return packed << (points * self.width)

    def wipe(self, packed: mpz) -> mpz:
        """Put the sum of the weights into slot 0, as casting out nines does."""
        return f_mod(packed, (mpz(1) << self.width) - 1)

    def between(self, packed: mpz, low: int, high: int | None) -> mpz:
        if high is not None:
            packed &= (mpz(1) << (high * self.width)) - 1
        return (packed >> (low * self.width)) << (low * self.width)

    def weights(self, packed: mpz) -> dict[int, mpz]:
        weights: dict[int, mpz] = {}
        # Cutting in halves keeps this quasi-linear; slot after slot would be quadratic.
        pending = [(packed, 0, -(-packed.bit_length() // self.width))]
        while pending:
            part, start, slots = pending.pop()
            if part == 0:
                continue
            if slots == 1:
                weights[start] = part
                continue
            half = slots // 2
            high = part >> (half * self.width)
            pending.append((high, start + half, slots - half))
            pending.append((part - (high << (half * self.width)), start, half))
        return weights


@dataclass(frozen=True)
class Moments:
    """Σ w, Σ w·s and Σ w·C(s, 2), in three slots of `width` bits."""

    width: int

    def gain(self, packed: mpz, points: int) -> mpz:
        """Multiply by (1 + (z − 1))^points up to the second order; works on arrays, too."""
        # Small factors and shifts take linear time in the width.
        rise = packed * points + ((packed * (points * (points - 1) // 2)) << self.width)
        return (packed + (rise << self.width)) & ((mpz(1) << (3 * self.width)) - 1)

    def wipe(self, packed: mpz) -> mpz:
        return packed & ((mpz(1) << self.width) - 1)

    def between(self, packed: mpz, low: int, high: int | None) -> mpz:
        if low == 0 and high is None:
            return packed
        raise TypeError("a policy that looks at the score needs whole distributions")

    def after(self, packed: mpz, kept: tuple[mpz, ...], wiped: tuple[mpz, ...]) -> mpz:
        """Add points with a distribution, given by its moments; `wiped` are those after a wipe."""
        width, total = self.width, self.wipe(packed)
        kept_on = sum((packed * k << (n * width) for n, k in enumerate(kept)), mpz(0))
        anew = sum((total * k << (n * width) for n, k in enumerate(wiped)), mpz(0))
        return (kept_on & ((mpz(1) << (3 * width)) - 1)) + anew

    def sums(self, packed: mpz) -> tuple[mpz, mpz, mpz]:
        mask = (mpz(1) << self.width) - 1
        return packed & mask, (packed >> self.width) & mask, packed >> (2 * self.width)


Scores: TypeAlias = Polynomials | Moments


class Span(NamedTuple):
    """Lower and upper bound of a score, both included."""

    low: int
    high: int

    @property
    def certified(self) -> bool:
        return self.low == self.high

    def __str__(self) -> str:
        return str(self.low) if self.certified else f"{self.low}…{self.high}"


@dataclass(frozen=True)
class ScoreDistribution:
    """Lower bounds of the probabilities of all scores."""

    weights: Mapping[int, mpz]  # score to nonnegative integer
    denominator: mpz  # N, at least the sum of the weights
    largest: int  # no score is above it

    def __post_init__(self) -> None:
        ordered = {score: self.weights[score] for score in sorted(self.weights)}
        object.__setattr__(self, "weights", MappingProxyType(ordered))
        total = sum(ordered.values())
        if min(ordered.values(), default=0) < 0 or total > self.denominator:
            wanted = "nonnegative integers that add up to at most the denominator"
            raise InputError("weights", Unquoted(f"a sum of {total}"), wanted)

    @property
    def missing(self) -> mpq:
        """The probability ε that the weights leave out; 0 if the distribution is exact."""
        return 1 - mpq(sum(self.weights.values()), self.denominator)

    @property
    def exact(self) -> bool:
        return bool(self.missing == 0)

    def distribution(self) -> Distribution[int]:
        if not self.exact:
            raise InputError("distribution", self.missing, "no missing probability")
        return Distribution({score: int(weight) for score, weight in self.weights.items()})

    def cdf(self, bound: int) -> Enclosure:
        low = mpq(sum(w for s, w in self.weights.items() if s <= bound), self.denominator)
        return Enclosure(low, low + self.missing if bound < self.largest else mpq(1))

    def reaches(self, target: int) -> Enclosure:
        return 1 - self.cdf(target - 1)

    def certifies(self, levels: Iterable[RationalLike]) -> bool:
        return all(self.quantile(level).certified for level in levels)

    def quantile(self, level: RationalLike) -> Span:
        target = probability(level, "level")
        if target == 0:
            raise InputError("level", level, "a number above 0 and at most 1")
        return Span(self._first(target - self.missing), self._first(target))

    def _first(self, level: mpq) -> int:
        if level <= 0:
            return 0
        totals = zip(self.weights, accumulate(self.weights.values()), strict=True)
        needed = level * self.denominator
        return next((score for score, total in totals if total >= needed), self.largest)

    def mean(self) -> Enclosure:
        return self._moment(1)

    def variance(self) -> Enclosure:
        return largest([self._moment(2) - self._moment(1) ** 2, 0])

    def _moment(self, order: int) -> Enclosure:
        low = mpq(sum(w * s**order for s, w in self.weights.items()), self.denominator)
        return Enclosure(low, low + self.missing * self.largest**order)
