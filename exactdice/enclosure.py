"""A real number between two rationals.

Some numbers are irrational, or too long to write, or found in floating point with proved bounds.
All of them come as an `Enclosure`: the closed interval from `lower` to `upper`, which is known to
hold the number.
"""

from dataclasses import dataclass

from gmpy2 import mpq, mpz

from exactdice.arithmetic import decimal, natural, significant, text
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

    def places(self, digits: int) -> int:
        """Places after the point that show so many digits, and two digits of the width."""
        largest = max(abs(self.lower), abs(self.upper), mpq(1))
        whole = len(str(int(largest)))
        shown = max(digits - whole, 0)
        width = self.width
        while width and width * mpq(10) ** shown < 10:
            shown += 1
        return shown

    def rounded_down(self, places: int) -> str:
        """Write the lower end, rounded down.

        Examples
        --------
        >>> third = Enclosure(mpq(1, 3), mpq(2, 3))
        >>> third.rounded_down(2), third.rounded_up(2)
        ('0.33', '0.67')
        """
        scaled = self.lower * mpz(10) ** places
        return decimal(mpq(scaled.numerator // scaled.denominator, mpz(10) ** places), places)

    def rounded_up(self, places: int) -> str:
        """Write the upper end, rounded up."""
        scaled = self.upper * mpz(10) ** places
        return decimal(mpq(-(-scaled.numerator // scaled.denominator), mpz(10) ** places), places)

    def shown_width(self) -> str:
        """Write the width with two digits, rounded up.

        Examples
        --------
        >>> Enclosure(mpq(1, 3), mpq(1, 3) + mpq(1, 30000)).shown_width()
        '0.000034'
        """
        if not self.width:
            return "0"
        places = self.places(0)
        return significant(mpq(Enclosure(self.width, self.width).rounded_up(places)), 2)

    def certain(self, digits: int) -> str:
        """Write as many digits as both ends agree on, but no more than asked for.

        Where they do not even agree on a whole number, both ends are written, rounded outward.

        Examples
        --------
        >>> Enclosure(mpq(1, 3), mpq(3334, 10000)).certain(10)
        '0.333'
        >>> Enclosure(mpq(2, 5), mpq(3, 5)).certain(3)
        '0.40 to 0.60'
        """
        largest = max(abs(self.lower), abs(self.upper), mpq(1))
        try:
            return self.decimal(max(digits - len(str(int(largest))), 0))
        except InputError:
            places = self.places(digits)
            return f"{self.rounded_down(places)} to {self.rounded_up(places)}"
