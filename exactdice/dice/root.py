"""Square roots of exact rationals, such as a standard deviation."""

from dataclasses import dataclass
from math import isqrt

from exactdice.arithmetic import decimal, mpq, mpz, text


@dataclass(frozen=True)
class Root:
    """The nonnegative square root of an exact rational, kept as its square.

    Examples
    --------
    >>> root = Root(mpq(35, 12))
    >>> print(root, root.decimal(6))
    √(35/12) 1.707825
    """

    square: mpq

    def decimal(self, places: int) -> str:
        """Write the root with `places` digits after the point, correctly rounded.

        A root whose next digit decides exactly half is rational and rounds half to even; all
        others are decided by the integer square root.
        """
        scaled = self.square * mpz(10) ** (2 * places + 2)
        lower = isqrt(int(scaled.numerator // scaled.denominator))
        exact = mpz(lower) ** 2 == scaled
        # One guard digit, with a second that only records that something nonzero follows it.
        return decimal(mpq(10 * lower + (0 if exact else 1), mpz(10) ** (places + 2)), places)

    def __str__(self) -> str:
        return f"√({text(self.square)})"
