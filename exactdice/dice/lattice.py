r"""Sums of rolls by generating polynomials.

Outcomes that are rational lie on a lattice, :math:`(o + i s)/t` with whole :math:`i \ge 0`, and the
weights of a sum of independent rolls are the coefficients of the product of their polynomials in
:math:`x^i`. A sum of no rolls is 0. Where a law mixes sums of different numbers of rolls, the
origin is 0 or below it, so that 0 has a place, and a roll that is left out counts as
:math:`N x^z`: the denominator at the place of 0. FLINT multiplies in quasi-linear time.
"""

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

from flint import fmpz_poly

from exactdice.arithmetic import mpq, over_common_denominator
from exactdice.memory import stored_bytes


def whole(number: Any) -> Any:
    """Return an int where a rational is whole."""
    return int(number) if getattr(number, "denominator", 0) == 1 else number


class Lattice:
    """The lattice of some outcomes, with the place of each.

    >>> lattice = Lattice([mpq(1, 2), mpq(5, 2)])
    >>> lattice.weights(lattice.polynomial([1, 1]) ** 2, 2)
    {1: 1, 3: 2, 5: 1}
    """

    def __init__(self, outcomes: Iterable[mpq], *, has_zero: bool = False) -> None:
        numerators, step = over_common_denominator(outcomes)
        if has_zero:
            numerators.append(0 * step)
        self.origin, self.step = int(min(numerators)), int(step)
        self.spacing = gcd(*(int(n) - self.origin for n in numerators)) or 1
        self.places = [(int(n) - self.origin) // self.spacing for n in numerators]
        self._degree = max(self.places) or int(has_zero)

    def polynomial(self, weights: Iterable[int]) -> fmpz_poly:
        """Polynomial of weights of the outcomes, in their order."""
        coefficients = [0] * (max(self.places) + 1)
        for place, weight in zip(self.places, weights, strict=False):  # 0 has none of its own
            coefficients[place] += weight
        return fmpz_poly(coefficients)

    def left_out(self, denominator: int) -> fmpz_poly:
        """Polynomial of a roll that is left out, where 0 is the last place."""
        return fmpz_poly([0] * self.places[-1] + [denominator])

    def weights(self, polynomial: fmpz_poly, rolls: int) -> dict[Any, int]:
        """Weights of sums of so many rolls by their outcomes."""
        first = self.origin * rolls
        return {
            whole(mpq(first + i * self.spacing, self.step)): int(weight)
            for i, weight in enumerate(polynomial.coeffs())
            if weight
        }

    def bytes(self, rolls: int, bits: int) -> int:
        """Bytes that the weights of sums of so many rolls take, each of so many bits."""
        return stored_bytes(self._degree * rolls + 1, bits)


def homogeneous(coefficients: Sequence[int], x: fmpz_poly, y: fmpz_poly) -> fmpz_poly:
    """Sum of c[n]·xⁿ·yᵐ over all n, where n + m is the number of coefficients less one.

    >>> homogeneous([1, 2, 3], fmpz_poly([0, 1]), fmpz_poly([10]))
    3*x^2 + 20*x + 100
    """
    if not any(coefficients):
        return fmpz_poly([])
    if len(coefficients) == 1:
        return fmpz_poly(coefficients)
    half = len(coefficients) // 2
    low, high = coefficients[:half], coefficients[half:]
    return homogeneous(low, x, y) * y ** len(high) + x**half * homogeneous(high, x, y)
