r"""Sums of rolls by generating polynomials.

Outcomes that are rational lie on a lattice, :math:`(o + i s)/t` with whole :math:`i \ge 0`, and the
weights of a sum of independent rolls are the coefficients of the product of their polynomials in
:math:`x^i`. A sum of no rolls is 0. Where a law mixes sums of different numbers of rolls, the
origin is 0 or below it, so that 0 has a place, and a roll that is left out counts as
:math:`N x^z`: the denominator at the place of 0.

A short polynomial is one integer, its value at a power of two above all weights of the law, whose
digits they are then; a long one is FLINT's, which multiplies in quasi-linear time. Both add,
multiply and take powers as numbers do.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import gcd
from typing import Any

from exactdice.arithmetic import mpq, over_common_denominator, pack, unpack
from exactdice.linked import linked
from exactdice.memory import stored_bytes

# Bits of a law from which on FLINT takes less time than one integer does.
_LONG = 500_000


def whole(number: Any) -> Any:
    """Return an int where a rational is whole."""
    return int(number) if getattr(number, "denominator", 0) == 1 else number


class Lattice:
    """The lattice of some outcomes, for sums of so many rolls whose weights have so many bits.

    >>> lattice = Lattice([mpq(1, 2), mpq(5, 2)], 2, 3)
    >>> lattice.weights(lattice.polynomial({mpq(1, 2): 1, mpq(5, 2): 1}) ** 2)
    {1: 1, 3: 2, 5: 1}
    """

    def __init__(
        self, outcomes: Iterable[Any], rolls: int, bits: int, *, has_zero: bool = False
    ) -> None:
        every = [*outcomes, 0] if has_zero else list(outcomes)
        numerators, step = over_common_denominator(every)
        self.origin, self.step = int(min(numerators)), int(step)
        self.spacing = gcd(*(int(n) - self.origin for n in numerators)) or 1
        self.places = {
            outcome: (int(n) - self.origin) // self.spacing
            for outcome, n in zip(every, numerators, strict=True)
        }
        self.rolls, self._width = rolls, bits + 1
        self.size = (max(self.places.values()) or int(has_zero)) * rolls + 1
        self.bytes = stored_bytes(self.size, bits)
        self._is_long = self.size * bits > _LONG

    def polynomial(self, weights: Mapping[Any, int]) -> Any:
        """Polynomial of weights of some of the outcomes."""
        coefficients = [0] * (max(map(self.places.__getitem__, weights), default=0) + 1)
        for outcome, weight in weights.items():
            coefficients[self.places[outcome]] += weight
        return self.made(coefficients)

    def made(self, coefficients: list[int]) -> Any:
        """Polynomial of the weights at the first places."""
        if self._is_long:
            return linked("flint:fmpz_poly")(coefficients)
        return pack(coefficients, self._width)

    def shifted(self, polynomial: Any, places: int) -> Any:
        """Move all weights up by so many places."""
        if self._is_long:
            return polynomial.left_shift(places)
        return polynomial << (places * self._width)

    def weights(self, polynomial: Any) -> dict[Any, int]:
        """Weights of the sums by their outcomes."""
        first = self.origin * self.rolls
        coefficients = polynomial.coeffs() if self._is_long else unpack(polynomial, self._width)
        if self.step == 1:
            outcomes: Iterable[Any] = range(first, first + self.spacing * self.size, self.spacing)
        else:
            outcomes = (whole(mpq(first + i * self.spacing, self.step)) for i in range(self.size))
        return {x: int(weight) for x, weight in zip(outcomes, coefficients) if weight}  # noqa: B905


def homogeneous(coefficients: Sequence[int], x: Any, y: Any) -> Any:
    """Sum of c[n]·xⁿ·yᵐ over all n, where n + m is the number of coefficients less one.

    >>> homogeneous([1, 2, 3], 2, 10)
    152
    """
    if len(coefficients) <= 1 or not any(coefficients):
        return sum(coefficients)
    half = len(coefficients) // 2
    low, high = coefficients[:half], coefficients[half:]
    return homogeneous(low, x, y) * y ** len(high) + x**half * homogeneous(high, x, y)
