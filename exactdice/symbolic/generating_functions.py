r"""Rational generating functions: single coefficients and partial fractions.

A sequence with a rational generating function P(x)/Q(x) is one that follows a linear recurrence
with constant coefficients. One far coefficient takes O(log n) products of polynomials
(`coefficient`). Partial fractions over the rationals separate the powers of the irreducible factors
of Q.

Source: A. Bostan and R. Mori, A simple and fast algorithm for computing the N-th term of a linearly
recurrent sequence (2021).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq_poly

from exactdice.arithmetic import RationalLike, from_flint, mpq, natural, rational, to_flint
from exactdice.errors import InputError, Unquoted
from exactdice.symbolic.polynomial import Polynomial


def _polynomial(coefficients: Sequence[RationalLike], name: str) -> fmpq_poly:
    return fmpq_poly([to_flint(rational(c, name)) for c in coefficients])


def _denominator(coefficients: Sequence[RationalLike]) -> fmpq_poly:
    denominator = _polynomial(coefficients, "denominator")
    if not denominator[0]:
        raise InputError(
            "denominator", Unquoted("a constant term of 0"), "one that is not 0 at x = 0"
        )
    return denominator


def coefficient(
    numerator: Sequence[RationalLike], denominator: Sequence[RationalLike], n: int
) -> mpq:
    """Return the coefficient of x^n in the expansion of numerator/denominator.

    Parameters
    ----------
    numerator, denominator
        Coefficients, constant first; the denominator's constant is not 0.
    n
        Which coefficient, at least 0. O(log n) products of polynomials of the denominator's degree.

    Examples
    --------
    Fibonacci numbers:

    >>> coefficient([0, 1], [1, -1, -1], 100)
    mpq(354224848179261915075,1)
    """
    top, bottom = _polynomial(numerator, "numerator"), _denominator(denominator)
    left = natural(n, "n")
    # P(x)/Q(x) = P(x)Q(−x)/V(x²); the part of the numerator with n's parity carries the answer.
    while left:
        mirrored = fmpq_poly([c if i % 2 == 0 else -c for i, c in enumerate(bottom.coeffs())])
        top = fmpq_poly((top * mirrored).coeffs()[left % 2 :: 2])
        bottom = fmpq_poly((bottom * mirrored).coeffs()[::2])
        left //= 2
    return from_flint(top[0] / bottom[0])


@dataclass(frozen=True)
class PartialFraction:
    """The term numerator/factor^power, with the numerator's degree below the factor's."""

    numerator: Polynomial
    factor: Polynomial
    power: int

    def latex(self) -> str:
        """Return the term as LaTeX."""
        below = self.factor.latex()
        power = rf"\left({below}\right)^{{{self.power}}}" if self.power > 1 else below
        return rf"\frac{{{self.numerator.latex()}}}{{{power}}}"


def partial_fractions(
    numerator: Sequence[RationalLike], denominator: Sequence[RationalLike]
) -> tuple[Polynomial, list[PartialFraction]]:
    """Decompose a fraction over the rationals.

    Parameters
    ----------
    numerator, denominator
        Coefficients, constant first; the denominator's constant is not 0.

    Returns
    -------
    polynomial, terms
        The fraction is their sum; terms with numerator 0 are left out.

    Examples
    --------
    >>> whole, terms = partial_fractions([1], [1, 0, -1])
    >>> [(str(t.numerator), str(t.factor), t.power) for t in terms]
    [('-1/2', 'x - 1', 1), ('1/2', 'x + 1', 1)]
    """
    bottom = _denominator(denominator)
    quotient, rest = divmod(_polynomial(numerator, "numerator"), bottom)
    content, factors = bottom.numer().factor()
    rest *= bottom.denom() / fmpq_poly([content])[0]
    monic = [(fmpq_poly(factor.coeffs()), int(power)) for factor, power in factors]
    terms = []
    for factor, power in sorted(monic, key=lambda pair: (pair[0].degree(), pair[0].coeffs()[::-1])):
        part = _part(rest, factor, power, monic)
        for exponent in range(power, 0, -1):
            part, digit = divmod(part, factor)
            if digit:
                terms.append(
                    PartialFraction(
                        Polynomial.from_flint(digit, "x"),
                        Polynomial.from_flint(factor, "x"),
                        exponent,
                    )
                )
    return Polynomial.from_flint(quotient, "x"), terms


def _part(
    numerator: fmpq_poly,
    factor: fmpq_poly,
    power: int,
    factors: Sequence[tuple[fmpq_poly, int]],
) -> fmpq_poly:
    """Return the numerator over factor^power: that of the fraction divided by the other factors."""
    modulus = factor**power
    others = fmpq_poly([1])
    for other, exponent in factors:
        if other != factor:
            others = others * other**exponent % modulus
    _one, inverse, _ = others.xgcd(modulus)
    return numerator * inverse % modulus
