"""What finite and infinite distributions share: samples, charts, and roots of variances."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering
from math import isqrt
from numbers import Number
from typing import Any

from exactdice.arithmetic import RationalLike, decimal, mpq, mpz, natural, rational, text
from exactdice.errors import InputError
from exactdice.linked import linked


@total_ordering
@dataclass(frozen=True, eq=False)
class Root:
    """The square root of an exact rational, or its negative; it compares with numbers, exactly.

    >>> root = Root(mpq(35, 12))
    >>> print(root, root.decimal(6), float(root))
    √(35/12) 1.707825 1.707825127659933
    >>> root < 2, Root(mpq(4)) == 2, Root(mpq(1), is_negative=True) < Root(mpq(0))
    (True, True, True)
    """

    square: mpq
    is_negative: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root | Number) and _signed(self) == _signed(other)

    __hash__ = None  # type: ignore[assignment] # equal numbers would need equal hashes

    def __lt__(self, other: "Root | RationalLike") -> bool:
        return _signed(self) < _signed(other)

    def __float__(self) -> float:
        numerator, denominator = int(self.square.numerator), int(self.square.denominator)
        bits = max(0, 64 + (denominator.bit_length() - numerator.bit_length()) // 2)
        root = isqrt((numerator << 2 * bits) // denominator)
        rest = root**2 * denominator != numerator << 2 * bits  # decides between two floats
        return (-1 if self.is_negative else 1) * ((2 * root + rest) / (2 << bits))

    def decimal(self, places: int) -> str:
        """Return the root with `places` digits after the decimal point, correctly rounded.

        Ties, which only rational roots have, round half to even.
        """
        scaled = self.square * mpz(10) ** (2 * places + 2)
        lower = isqrt(int(scaled.numerator // scaled.denominator))
        exact = mpz(lower) ** 2 == scaled
        # One guard digit, and a second that records whether anything nonzero follows.
        root = decimal(mpq(10 * lower + (0 if exact else 1), mpz(10) ** (places + 2)), places)
        return f"-{root}" if self.is_negative else root

    def __str__(self) -> str:
        return f"{'-' * self.is_negative}√({text(self.square)})"


def _signed(root: Any) -> mpq:
    """Return the square, with the sign of the number."""
    if isinstance(root, Root):
        return -root.square if root.is_negative else root.square
    number = rational(root, "number")
    return number * abs(number)


def drawn_below(limit: int, rng: Any) -> int:
    """Draw a whole number below `limit`, each with equal probability."""
    if hasattr(rng, "randrange"):  # of Python's random
        return int(rng.randrange(limit))
    if not hasattr(rng, "bytes"):
        raise InputError("rng", rng, "random.Random(seed) or numpy.random.default_rng(seed)")
    bits = (limit - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes(-(-bits // 8))) >> -bits % 8
        if drawn < limit:
            return drawn


class Rolled:
    """Methods that distributions share, those with infinitely many outcomes included."""

    __slots__ = ()

    def pmf(self: Any, outcome: Any) -> mpq:
        """Return the probability of one outcome, like `probability`."""
        return mpq(self.probability(outcome))

    def sf(self: Any, bound: Any) -> mpq:
        """Return the probability that the outcome is above `bound`."""
        return mpq(1 - self.cdf(bound))

    def median(self: Any) -> Any:
        """Return the smallest outcome whose cdf is at least 1/2."""
        return self.quantile("1/2")

    def standard_deviation(self: Any) -> Root:
        return Root(self.variance())

    def sample(self: Any, rng: Any, size: int | None = None) -> Any:
        """Roll once, or `size` times as a list; without rounding errors.

        `rng` is a `random.Random`, the module `random`, or a numpy Generator.

        >>> from random import Random
        >>> from exactdice.dice import d6
        >>> roll = (3 @ d6).sample(Random(1))
        >>> 3 <= roll <= 18, len(d6.sample(Random(1), 5))
        (True, 5)
        """
        roll = self._roller(rng)
        return roll() if size is None else [roll() for _ in range(natural(size, "size"))]

    def plot(self, *others: "Rolled", names: Sequence[str] = ()) -> Any:
        """Draw this distribution, and others in the same chart; return a matplotlib figure.

        `names` label them in the legend, this one first. Of infinitely many outcomes it draws the
        lowest, up to probability 0.999. Raises InputError if the numbers of names
        and distributions differ, and MissingExtraError if matplotlib is not installed.

        >>> from exactdice.dice import fair
        >>> chart = fair(6).keep_highest(4, 3).plot(3 @ fair(6), names=["best of four", "3d6"])
        >>> chart.savefig("distributions.png")  # doctest: +SKIP
        """
        for other in others:
            if not isinstance(other, Rolled):
                raise InputError("others", other, "distributions; pass their names as names=[…]")
        return linked("exactdice.jobs.plots.figure:draw_laws")((self, *others), names)
