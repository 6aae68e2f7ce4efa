"""Real numbers between two rational bounds, and interval arithmetic.

Some numbers are irrational, too long to write, or computed in floating point with proved bounds.
Each is an `Enclosure`: the closed interval from `lower` to `upper` that contains the number. If
both bounds are equal it is that number, its `point`, and equal to it.

Enclosures are added, subtracted, multiplied, divided and raised to powers with each other and with
exact numbers (int, mpz, mpq). The result encloses all results of numbers within the operands, as
tightly as possible; in ``x - x`` the two numbers count as independent.

A comparison is true, false or open: `Enclosure.at_least` returns True, False or None. The operators
``<``, ``<=``, ``>`` and ``>=`` raise InputError if it is open. ``==`` compares the bounds.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

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

__all__ = ["Enclosure", "Number", "largest"]

Number: TypeAlias = "Enclosure | mpq | mpz | int"
"""Operands of enclosures."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Enclosure:
    """A real number between two rationals, both included; it is `lower` if `upper` is omitted.

    Raises InputError by an open comparison, and by division by a number that may be 0.

    >>> third = Enclosure(mpq(1, 3), mpq(3334, 10000))
    >>> mpq("0.33337") in third, third.width, third.point
    (True, mpq(1,15000), None)
    >>> Enclosure(mpq(1, 4)), Enclosure(mpq(1, 4)).exact, float(Enclosure(mpq(1, 4)))
    (Enclosure(mpq(1,4)), mpq(1,4), 0.25)
    >>> 1 - 2 * third
    Enclosure(lower=mpq(833,2500), upper=mpq(1,3))
    >>> third < mpq(1, 2), third.at_least(mpq("0.3334")), Enclosure.of(3) / 2 == mpq(3, 2)
    (True, None, True)
    >>> print(1 / third)
    2.99970 ± 0.00030
    """

    __array_ufunc__: ClassVar = None  # numpy's numbers use the operators below

    lower: mpq
    upper: mpq

    def __init__(self, lower: mpq, upper: mpq | None = None) -> None:
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", lower if upper is None else upper)

    def __repr__(self) -> str:
        ends = f"lower={self.lower!r}, upper={self.upper!r}"
        return f"Enclosure({ends if self.point is None else repr(self.point)})"

    @classmethod
    def of(cls, number: "Enclosure | RationalLike | arb") -> "Enclosure":
        """Return an exact number as an enclosure with equal bounds, and an enclosure unchanged.

        `number` may also be a ball of python-flint. Raises InputError for inexact numbers.

        >>> Enclosure.of("1/3")
        Enclosure(mpq(1,3))
        """
        if isinstance(number, Enclosure):
            return number
        if is_of_flint(number, "arb"):
            return cls(*from_ball(number))
        return cls(rational(number))  # type: ignore[arg-type] # not a ball

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
        """The number if both bounds are equal, else None."""
        return self.lower if self.lower == self.upper else None

    @property
    def exact(self) -> mpq:
        """The `point`; raises InputError if there is none."""
        if self.point is None:
            raise InputError("value", Unquoted(self), "an exact answer")
        return self.point

    def __float__(self) -> float:
        return self.middle.__float__()

    def __str__(self) -> str:
        return self.near(sys.maxsize) if self.point is None else text(self.point)

    def __neg__(self) -> "Enclosure":
        return Enclosure(-self.upper, -self.lower)

    def __abs__(self) -> "Enclosure":
        ends = sorted((abs(self.lower), abs(self.upper)))
        return Enclosure(mpq(0) if 0 in self else ends[0], ends[1])

    def __add__(self, other: Number) -> "Enclosure":
        more = Enclosure.of(other)
        return Enclosure(self.lower + more.lower, self.upper + more.upper)

    __radd__ = __add__

    def __sub__(self, other: Number) -> "Enclosure":
        less = Enclosure.of(other)
        return Enclosure(self.lower - less.upper, self.upper - less.lower)

    def __mul__(self, other: Number) -> "Enclosure":
        factor = Enclosure.of(other)
        ends = [x * y for x in (self.lower, self.upper) for y in (factor.lower, factor.upper)]
        return Enclosure(min(ends), max(ends))

    __rmul__ = __mul__

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

    def __rsub__(self, other: Number) -> "Enclosure":
        return Enclosure.of(other) - self

    def __rtruediv__(self, other: Number) -> "Enclosure":
        return Enclosure.of(other) / self

    def at_least(self, other: Number) -> bool | None:
        """Whether the number is at least another one; None if the intervals overlap.

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
        """Write the rounded number with up to `places` decimal places, if the bounds agree on them.

        Raises InputError if no digit is certain.

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
        wanted = "bounds that round to one whole number"
        raise InputError("enclosure", Unquoted(self._ends()), wanted)

    def places(self, digits: int) -> int:
        """Decimal places for `digits` significant digits and two digits of the width."""
        largest = max(abs(self.lower), abs(self.upper), mpq(1))
        whole = len(str(int(largest)))
        shown = max(digits - whole, 0)
        width = self.width
        while width and width * mpq(10) ** shown < 10:
            shown += 1
        return shown

    def rounded_down(self, places: int) -> str:
        """Write the lower bound, rounded down.

        >>> third = Enclosure(mpq(1, 3), mpq(2, 3))
        >>> third.rounded_down(2), third.rounded_up(2)
        ('0.33', '0.67')
        """
        scaled = self.lower * mpz(10) ** places
        return decimal(mpq(scaled.numerator // scaled.denominator, mpz(10) ** places), places)

    def rounded_up(self, places: int) -> str:
        """Write the upper bound, rounded up."""
        scaled = self.upper * mpz(10) ** places
        return decimal(mpq(-(-scaled.numerator // scaled.denominator), mpz(10) ** places), places)

    def shown_width(self) -> str:
        """Write the width with two digits, rounded up.

        >>> Enclosure(mpq(1, 3), mpq(1, 3) + mpq(1, 30000)).shown_width()
        '0.000034'
        """
        return _rounded_up(self.width)

    def near(self, digits: int) -> str:
        """Write a decimal, ± and the greatest possible distance of the number from it.

        The decimal is the middle, rounded to `digits` significant digits, or fewer if the bounds
        are far apart; the distance has two digits, rounded up.

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
        """Write the digits on which both bounds agree, at most `digits`.

        If there are none, both bounds are written, rounded outward.

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
    """Enclose the largest of at least one exact number or enclosure.

    >>> largest([Enclosure(mpq(1), mpq(4)), Enclosure(mpq(2), mpq(3)), 0])
    Enclosure(lower=mpq(2,1), upper=mpq(4,1))
    """
    each = [Enclosure.of(number) for number in numbers]
    return Enclosure(max(one.lower for one in each), max(one.upper for one in each))


def _rounded_up(number: mpq) -> str:
    if not number:
        return "0"
    unit = mpq(10) ** (decimal_exponent(number) - 1)
    units = number / unit
    return significant(-(-units.numerator // units.denominator) * unit, 2)


def percent(chance: Any, places: int = 1) -> str:
    """Write a probability, or the middle of its bounds, in percent."""
    exact = Enclosure.of(chance).middle
    least = mpq(1, 10**places)
    if 100 - least < exact * 100 < 100:
        return f"> {decimal(100 - least, places)} %"
    return f"{'100' if exact == 1 else amount(exact * 100, places)} %"


def amount(value: Any, places: int = 2) -> str:
    """Write a number with fixed places; a nonzero number is not written as 0."""
    exact, least = Enclosure.of(value).middle, mpq(1, 10**places)
    is_less = 0 < exact < least
    return f"{'< ' * is_less}{decimal(least if is_less else exact, places)}" if exact else "0"


def exactly(value: Any) -> str:
    """Write a number exactly, or its bounds."""
    known = Enclosure.of(value)
    return known.near(10) if known.point is None else text(known.point)


def points(value: Any, digits: int = 6) -> str:
    """Write points, or the middle of their bounds."""
    short = brief(Enclosure.of(value).middle, digits)
    return short.rstrip("0").rstrip(".") if "." in short and "e" not in short else short
