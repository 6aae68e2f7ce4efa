"""Waves of a generating function by partial fractions, as Sylvester has them: an oracle."""

from flint import fmpq_poly, fmpz_poly

from exactdice.symbolic.polynomial import _part
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial


def cyclotomic_waves(numerator, exponents):
    """Separate numerator/∏ Φ_k(x)^exponents[k] into one wave for each order k; 1 − x is Φ_1 here.

    The fraction 1/((1 − x)²(1 + x)): ⌊n/2⌋ + 1 = (2n + 3)/4 + (−1)ⁿ/4.

    >>> waves = cyclotomic_waves(fmpz_poly([1]), {1: 2, 2: 1})
    >>> waves[1].residues, waves[2].residues
    (((mpq(3,4), mpq(1,2)),), ((mpq(1,4),), (mpq(-1,4),)))
    """
    factors = {k: fmpz_poly([1, -1]) if k == 1 else fmpz_poly.cyclotomic(k) for k in exponents}
    parts = [(fmpq_poly(factors[order]), exponents[order]) for order in exponents]
    waves = {}
    for order in sorted(exponents):
        power = exponents[order]
        part = _part(fmpq_poly(numerator), fmpq_poly(factors[order]), power, parts)
        # Φ_k divides 1 − x^k; over the power of the latter the part expands into binomials.
        completing = (1 - fmpz_poly([1]).left_shift(order)) // factors[order]
        over = part * fmpq_poly(completing) ** power
        waves[order] = QuasiPolynomial.from_fraction(over, order, power)
    return waves
