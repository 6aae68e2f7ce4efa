r"""The law of the final score, exact or enclosed.

A `ScoreLaw` holds, for each score s, a lower bound w_s / N of its probability. What is missing,
ε = 1 − Σ w_s / N, is nonnegative and may lie anywhere from 0 to the largest score, so

    Σ_{s ≤ x} w_s / N  ≤  P(score ≤ x)  ≤  Σ_{s ≤ x} w_s / N + ε,

and quantiles, mean and variance are enclosed in the same way. Where nothing is missing the law is
exact and every enclosure is a point.

The quantile of a level is the smallest score x with P(score ≤ x) ≥ level, always a score itself. A
quantile is *certified* where both ends of its enclosure agree: then it is exact, whatever ε is.

While a law is computed, weighted scores are packed into one integer. The games that stand in one
state at one time have different scores. Their generating function Σ w_s z^s, with nonnegative
integer weights w_s, is kept as a single large integer: the value at z = 2^width, with slots wide
enough that they never overflow. So weights add as integers do, a weight multiplies all of them at
once, and a step costs the same few operations whatever the number of scores. Two forms know how
points are gained and lost:

* `Polynomials` keep the whole distribution;
* `Moments` keep the first three coefficients of the series in z − 1, from which the mean and the
  variance follow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from exactdice.arithmetic import RationalLike, f_mod, mpq, mpz, probability
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, Unquoted


@dataclass(frozen=True)
class Polynomials:
    """Whole distributions: the weight of score s stands in slot s of `width` bits.

    >>> scores = Polynomials(8)
    >>> packed = scores.gain(mpz(3), 2) + scores.gain(mpz(5), 4)
    >>> scores.weights(packed), scores.weights(scores.wipe(packed))
    ({2: mpz(3), 4: mpz(5)}, {0: mpz(8)})
    >>> scores.weights(scores.between(packed, 3, None))
    {4: mpz(5)}
    """

    width: int

    def gain(self, packed: mpz, points: int) -> mpz:
        """Multiply by z^points."""
        return packed << (points * self.width)

    def wipe(self, packed: mpz) -> mpz:
        """Put the sum of the weights into slot 0, as casting out nines does."""
        return f_mod(packed, (mpz(1) << self.width) - 1)

    def between(self, packed: mpz, low: int, high: int | None) -> mpz:
        """Cut out the slots from low up to high and leave them in their places."""
        if high is not None:
            packed &= (mpz(1) << (high * self.width)) - 1
        return (packed >> (low * self.width)) << (low * self.width)

    def weights(self, packed: mpz) -> dict[int, mpz]:
        """Unpack: score to weight, in ascending order, without those of weight 0."""
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
        """Multiply by (1 + (z − 1))^points, cut off beyond the second order; or arrays of both."""
        # Small factors and shifts, whose time grows as the width does, and not as its square.
        rise = packed * points + ((packed * (points * (points - 1) // 2)) << self.width)
        return (packed + (rise << self.width)) & ((mpz(1) << (3 * self.width)) - 1)

    def wipe(self, packed: mpz) -> mpz:
        """Keep the total weight only."""
        return packed & ((mpz(1) << self.width) - 1)

    def between(self, packed: mpz, low: int, high: int | None) -> mpz:
        """Moments do not know single scores.

        Raises TypeError if anything but all scores is asked for.
        """
        if low == 0 and high is None:
            return packed
        raise TypeError("a policy that looks at the score needs whole distributions")

    def after(self, packed: mpz, kept: tuple[mpz, ...], wiped: tuple[mpz, ...]) -> mpz:
        """Add points with a law, given by its moments; and those that come after a wipe.

        >>> scores = Moments(8)
        >>> three = scores.gain(mpz(1), 3)  # then 2 points with one weight, or a wipe and 4
        >>> scores.sums(scores.after(three, (mpz(1), mpz(2), mpz(1)), (mpz(1), mpz(4), mpz(6))))
        (mpz(2), mpz(9), mpz(16))
        """
        width, total = self.width, self.wipe(packed)
        kept_on = sum((packed * k << (n * width) for n, k in enumerate(kept)), mpz(0))
        anew = sum((total * k << (n * width) for n, k in enumerate(wiped)), mpz(0))
        return (kept_on & ((mpz(1) << (3 * width)) - 1)) + anew

    def sums(self, packed: mpz) -> tuple[mpz, mpz, mpz]:
        """Unpack: total weight, sum of scores, sum of C(score, 2)."""
        mask = (mpz(1) << self.width) - 1
        return packed & mask, (packed >> self.width) & mask, packed >> (2 * self.width)


#: A form of packed scores.
Scores: TypeAlias = Polynomials | Moments


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
