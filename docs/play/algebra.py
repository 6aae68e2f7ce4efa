"""Polynomials with whole coefficients, for unlimited dice in browsers, instead of FLINT's.

They have the methods of FLINT's that `exactdice.dice` uses; ``//`` is exact division only.
"""

from itertools import zip_longest
from math import gcd

_PRIME = (1 << 61) - 1


class WholePolynomial:
    """Coefficients from the lowest; the last one is not 0."""

    def __init__(self, coefficients=()):
        self._of = [*coefficients]
        while self._of and not self._of[-1]:
            self._of.pop()

    def coeffs(self):
        """List the coefficients."""
        return self._of[:]

    def degree(self):
        """Return the degree; -1 for 0."""
        return len(self._of) - 1

    def __getitem__(self, place):
        return self._of[place] if place < len(self._of) else 0

    def __call__(self, at):
        """Evaluate it."""
        value = 0
        for c in reversed(self._of):
            value = value * at + c
        return value

    def __str__(self):
        return str(self._of)

    def __eq__(self, other):
        return self._of == _whole(other)._of

    __hash__ = None

    def __add__(self, other):
        pairs = zip_longest(self._of, _whole(other)._of, fillvalue=0)
        return WholePolynomial([a + b for a, b in pairs])

    __radd__ = __add__

    def __neg__(self):
        return WholePolynomial([-c for c in self._of])

    def __sub__(self, other):
        return self + -_whole(other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        factor = _whole(other)._of
        product = [0] * (len(self._of) + len(factor))
        for place, a in enumerate(self._of):
            if a:
                for further, b in enumerate(factor, place):
                    product[further] += a * b
        return WholePolynomial(product)

    __rmul__ = __mul__

    def __pow__(self, exponent):
        half = self ** (exponent // 2) if exponent > 1 else WholePolynomial([1])
        return half * half * (self if exponent % 2 else 1)

    def __floordiv__(self, divisor):
        rest, by = self._of[:], divisor._of
        quotient = [0] * max(len(rest) - len(by) + 1, 0)
        for place in reversed(range(len(quotient))):
            factor = quotient[place] = rest[place + len(by) - 1] // by[-1]
            for further, b in enumerate(by, place):
                rest[further] -= factor * b
        if any(rest):
            raise ArithmeticError("a division with a remainder")
        return WholePolynomial(quotient)

    def left_shift(self, places):
        """Multiply by a power of x."""
        return WholePolynomial([0] * places + self._of)

    def right_shift(self, places):
        """Drop the lowest coefficients."""
        return WholePolynomial(self._of[places:])

    def truncate(self, size):
        """Keep the lowest coefficients."""
        return WholePolynomial(self._of[:size])

    def inflate(self, times):
        """Put a power of x in the place of x."""
        spread = [0] * (len(self._of) * times)
        spread[::times] = self._of
        return WholePolynomial(spread)

    def derivative(self):
        """Return the derivative."""
        return WholePolynomial([place * c for place, c in enumerate(self._of)][1:])

    def gcd(self, other):
        """Return the greatest common divisor, whose leading coefficient is positive."""
        content = gcd(*self._of, *other._of)
        one, two = _primitive(self._of), _primitive(other._of)
        if one and two and one[-1] % _PRIME and two[-1] % _PRIME and _is_coprime(one, two):
            return WholePolynomial([content])
        while two:
            one, two = two, _primitive(_remainder(one, two))
        return WholePolynomial([content * c for c in one])


def _whole(number):
    return number if isinstance(number, WholePolynomial) else WholePolynomial([number])


def _primitive(coefficients):
    content = gcd(*coefficients) * (-1 if coefficients and coefficients[-1] < 0 else 1)
    return [c // content for c in coefficients]


def _remainder(one, two):
    """Return the remainder of a multiple of the first polynomial."""
    one = one[:]
    while len(one) >= len(two):
        common = gcd(one[-1], two[-1])
        lead, by, shift = one[-1] // common, two[-1] // common, len(one) - len(two)
        one = [c * by for c in one]
        for further, b in enumerate(two, shift):
            one[further] -= lead * b
        while one and not one[-1]:
            one.pop()
    return one


def _is_coprime(one, two):
    """Whether they have no common divisor modulo a prime, so that they have none at all."""
    one, two = ([c % _PRIME for c in each] for each in (one, two))
    while len(two) > 1:
        inverse = pow(two[-1], -1, _PRIME)
        while len(one) >= len(two):
            factor, shift = one[-1] * inverse % _PRIME, len(one) - len(two)
            for further, b in enumerate(two, shift):
                one[further] = (one[further] - factor * b) % _PRIME
            while one and not one[-1]:
                one.pop()
        one, two = two, one
    return bool(two) or len(one) == 1
