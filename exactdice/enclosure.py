"""A real number between two rationals.

Some numbers are irrational, or too long to write, or found in floating point with proved bounds.
All of them come as an `Enclosure`: the closed interval from `lower` to `upper`, which is known to
hold the number.
"""

from dataclasses import dataclass

from gmpy2 import mpq

from exactdice.arithmetic import decimal, natural, text
from exactdice.errors import InputError, Unquoted

__all__ = ["Enclosure"]


@dataclass(frozen=True)
class Enclosure:
    """A real number between two rationals, both included.

    Examples
    --------
    >>> third = Enclosure(mpq(1, 3), mpq(3334, 10000))
    >>> mpq("0.33337") in third, third.width, third.point
    (True, mpq(1,15000), None)
    """

    lower: mpq
    upper: mpq

    @property
    def width(self) -> mpq:
        """Upper minus lower bound."""
        return self.upper - self.lower

    @property
    def middle(self) -> mpq:
        """Half-way between the bounds."""
        return (self.lower + self.upper) / 2

    @property
    def point(self) -> mpq | None:
        """The number, where both bounds are equal."""
        return self.lower if self.lower == self.upper else None

    def less(self, number: mpq) -> "Enclosure":
        """Enclose the number minus another one.

        Examples
        --------
        >>> Enclosure(mpq(1, 3), mpq(1, 2)).less(mpq(1, 3))
        Enclosure(lower=mpq(0,1), upper=mpq(1,6))
        """
        return Enclosure(self.lower - number, self.upper - number)

    def __contains__(self, number: mpq) -> bool:
        return bool(self.lower <= number <= self.upper)

    def decimal(self, places: int) -> str:
        """Write the number, rounded, with as many places up to `places` as the bounds agree on.

        Raises
        ------
        InputError
            If the bounds do not even round to one whole number: then no digit is certain.

        Examples
        --------
        >>> Enclosure(mpq(1, 3), mpq(3334, 10000)).decimal(10)
        '0.333'
        >>> Enclosure(mpq(2, 5), mpq(3, 5)).decimal(10)
        Traceback (most recent call last):
        exactdice.errors.InputError: enclosure: got 2/5 to 3/5; give bounds that round to one \
whole number
        """
        for shown in range(natural(places, "places"), -1, -1):
            lower, upper = decimal(self.lower, shown), decimal(self.upper, shown)
            if lower == upper:
                return lower
        bounds = Unquoted(f"{text(self.lower)} to {text(self.upper)}")
        raise InputError("enclosure", bounds, "bounds that round to one whole number")
