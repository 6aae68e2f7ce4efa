"""A real number between two rationals, and arithmetic with such numbers.

Some numbers are irrational, or too long to write, or found in floating point with proved bounds.
All of them come as an `Enclosure`: the closed interval from `lower` to `upper`, which is known to
hold the number. Where both ends meet it is the number itself, its `point`, and equal to it.

Enclosures are added, subtracted, multiplied, divided and raised to powers with each other and with
exact numbers (int, mpz, mpq). Every result of numbers within the ends is within the ends of the
result, which are as close as that allows; a number that occurs twice, as in ``x - x``, counts as
two that are unknown.

A comparison has three answers: yes, no, and open where the ends overlap. `Enclosure.at_least` gives
True, False or None. The operators ``<``, ``<=``, ``>`` and ``>=`` give True or False, and raise
where it is open: no choice is made by accident. ``==`` compares the ends.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from exactdice.arithmetic import (
    RationalLike,
    brief,
    decimal,
    decimal_exponent,
    from_ball,
    is_of_flint,
    mpq,
    mpz,
    natural,
    rational,
    significant,
    text,
)
from exactdice.errors import InputError, Unquoted

if TYPE_CHECKING:
    from flint import arb

__all__ = ["Enclosure", "Number", "largest", "point_of"]

Number: TypeAlias = "Enclosure | mpq | mpz | int"
"""What enclosures are reckoned with: they mix with exact numbers."""


@dataclass(frozen=True, eq=False)
class Enclosure:
    """A real number between two rationals, both included.

    Parameters
    ----------
    lower, upper
        The ends; a number that is known exactly has both the same.

    Raises
    ------
    InputError
        By a comparison that the ends leave open, and by a division by what may be 0.

    Examples
    --------
    >>> third = Enclosure(mpq(1, 3), mpq(3334, 10000))
    >>> mpq("0.33337") in third, third.width, third.point
    (True, mpq(1,15000), None)
    >>> 1 - 2 * third
    Enclosure(lower=mpq(833,2500), upper=mpq(1,3))
    >>> third < mpq(1, 2), third.at_least(mpq("0.3334")), Enclosure.of(3) / 2 == mpq(3, 2)
    (True, None, True)
    >>> print(1 / third)
    2.99970 ± 0.00030
    """

    __array_ufunc__: ClassVar = None  # numpy's numbers leave operators to those below

    lower: mpq
    upper: mpq

    @classmethod
    def of(cls, number: "Enclosure | RationalLike | arb") -> "Enclosure":
        """Take an exact number as an enclosure whose ends meet, and an enclosure as it is.

        Parameters
        ----------
        number
            An enclosure, a ball of python-flint, or what `exactdice.arithmetic.rational` reads.

        Raises
        ------
        InputError
            If it is no exact number, as a float.

        Examples
        --------
        >>> Enclosure.of("1/3")
        Enclosure(lower=mpq(1,3), upper=mpq(1,3))
        """
        if isinstance(number, Enclosure):
            return number
        if is_of_flint(number, "arb"):
            return cls(*from_ball(number))
        exact = rational(number)  # type: ignore[arg-type] # no ball, as was just seen
        return cls(exact, exact)

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

    @property
    def number(self) -> "mpq | Enclosure":
        """The `point`, where there is one, and else the enclosure itself: reckoned with alike."""
        return self if self.point is None else self.point

    def __str__(self) -> str:
        """Write the point exactly, or else a decimal with as many digits as the bounds support."""
        return self.near(sys.maxsize) if self.point is None else text(self.point)

    def __neg__(self) -> "Enclosure":
        return Enclosure(-self.upper, -self.lower)

    def __add__(self, other: Number) -> "Enclosure":
        more = Enclosure.of(other)
        return Enclosure(self.lower + more.lower, self.upper + more.upper)

    def __sub__(self, other: Number) -> "Enclosure":
        less = Enclosure.of(other)
        return Enclosure(self.lower - less.upper, self.upper - less.lower)

    def __mul__(self, other: Number) -> "Enclosure":
        factor = Enclosure.of(other)
        ends = [x * y for x in (self.lower, self.upper) for y in (factor.lower, factor.upper)]
        return Enclosure(min(ends), max(ends))

    def __truediv__(self, other: Number) -> "Enclosure":
        divisor = Enclosure.of(other)
        if 0 in divisor:
            raise InputError("divisor", Unquoted(divisor._ends()), "a number that is not 0")
        return self * Enclosure(1 / divisor.upper, 1 / divisor.lower)

    def __pow__(self, exponent: int) -> "Enclosure":
        power = natural(exponent, "exponent")
        ends = [self.lower**power, self.upper**power]
        if power and power % 2 == 0 and 0 in self:
            ends.append(mpq(0))
        return Enclosure(min(ends), max(ends))

    def __radd__(self, other: Number) -> "Enclosure":
        return self + other

    def __rsub__(self, other: Number) -> "Enclosure":
        return Enclosure.of(other) - self

    def __rmul__(self, other: Number) -> "Enclosure":
        return self * other

    def __rtruediv__(self, other: Number) -> "Enclosure":
        return Enclosure.of(other) / self

    def at_least(self, other: Number) -> bool | None:
        """Whether the number is another one or more: yes, no, or None where the ends overlap.

        Examples
        --------
        >>> half = Enclosure(mpq(2, 5), mpq(3, 5))
        >>> half.at_least(mpq(2, 5)), half.at_least(1), half.at_least(half)
        (True, False, None)
        """
        least = Enclosure.of(other)
        if self.lower >= least.upper:
            return True
        return False if self.upper < least.lower else None

    def __ge__(self, other: Number) -> bool:
        answer = self.at_least(other)
        if answer is None:
            got = Unquoted(f"{self._ends()} and {Enclosure.of(other)._ends()}")
            raise InputError("comparison", got, "numbers whose enclosures do not overlap")
        return answer

    def __lt__(self, other: Number) -> bool:
        return not self >= other

    def __le__(self, other: Number) -> bool:
        return Enclosure.of(other) >= self

    def __gt__(self, other: Number) -> bool:
        return Enclosure.of(other) < self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Enclosure):
            return bool(self.lower == other.lower and self.upper == other.upper)
        return self.lower == self.upper and bool(self.lower == other)

    def __hash__(self) -> int:
        return hash(self.lower if self.lower == self.upper else (self.lower, self.upper))

    def _ends(self) -> str:
        if self.point is not None:
            return text(self.lower)
        return f"{text(self.lower)} to {text(self.upper)}"

    def __contains__(self, number: mpq | mpz | int) -> bool:
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
        exactdice.errors.InputError: enclosure: got 2/5 to 3/5; expected bounds that round to one \
whole number
        """
        for shown in range(natural(places, "places"), -1, -1):
            lower, upper = decimal(self.lower, shown), decimal(self.upper, shown)
            if lower == upper:
                return lower
        raise InputError(
            "enclosure", Unquoted(self._ends()), "bounds that round to one whole number"
        )

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
        return _rounded_up(self.width)

    def near(self, digits: int) -> str:
        """Write a decimal, and behind ± the most that the number is away from it.

        The middle is rounded to so many significant digits, or to fewer where the bounds are far
        apart; the distance of the farther bound from that has two digits, rounded up.

        Examples
        --------
        >>> Enclosure(mpq(1, 3), mpq(3334, 10000)).near(10)
        '0.333367 ± 0.000034'
        >>> Enclosure(mpq(1, 3), mpq(1, 3) + mpq(1, 10**20)).near(4)
        '0.3333 ± 0.000034'
        """
        middle, half = self.middle, self.width / 2
        if half and middle:
            worth = decimal_exponent(middle) - decimal_exponent(half) + 2  # to the second of half's
            shown = significant(middle, min(digits, worth)) if worth > 0 else "0"
        else:
            shown = brief(middle, digits)
        away = half + abs(middle - rational(shown))
        return f"{shown} ± {_rounded_up(away)}" if away else shown

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


def largest(numbers: Iterable[Number]) -> Enclosure:
    """Enclose the largest of some numbers, at least one, also where it is open which one that is.

    Parameters
    ----------
    numbers
        Exact numbers or enclosures.

    Examples
    --------
    >>> largest([Enclosure(mpq(1), mpq(4)), Enclosure(mpq(2), mpq(3)), 0])
    Enclosure(lower=mpq(2,1), upper=mpq(4,1))
    """
    each = [Enclosure.of(number) for number in numbers]
    return Enclosure(max(one.lower for one in each), max(one.upper for one in each))


def point_of(number: Number) -> mpq:
    """Take a number that has to be exact.

    Raises
    ------
    InputError
        If it is known between bounds alone.

    Examples
    --------
    >>> point_of(Enclosure.of("1/3"))
    mpq(1,3)
    """
    if isinstance(number, Enclosure):
        if number.point is None:
            raise InputError("value", Unquoted(number), "an exact answer")
        return number.point
    return mpq(number)


def _rounded_up(number: mpq) -> str:
    """Write a number that is not negative with two digits, rounded up."""
    if not number:
        return "0"
    unit = mpq(10) ** (decimal_exponent(number) - 1)
    units = number / unit
    return significant(-(-units.numerator // units.denominator) * unit, 2)
