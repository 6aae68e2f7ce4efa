r"""Exact numbers, and conversions between the number types of other libraries.

The ground type is `gmpy2.mpq`: a reduced fraction :math:`p/q` with :math:`q > 0`; in a browser,
where gmpy2 is not available, `fractions.Fraction` with the same values. Numbers are read from int,
numpy's integers, `fractions.Fraction`, mpz, mpq, python-flint's fmpz and fmpq, SymPy's Rational, or
text such as ``"7/2"``, ``"0.1"`` (exactly 1/10) and ``"1e-3"``. Floats raise an error, because 0.1
as a float is not 1/10.

Four conversions are unsafe elsewhere:

* SymPy's ``sympify(mpq(1, 3))`` gives a Float if its ground types are python-flint's; `to_sympy`
  passes numerator and denominator;
* ``str`` and ``int`` of Python integers raise above 4300 digits; `text` and `rational` use mpz and
  mpq;
* ``Fraction(mpq)`` has mpz parts, which mpq then rejects; `to_fraction` uses ints;
* ``float(mpq)`` truncates; `nearest_double` divides integers.
"""

import os
import re
import sys
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Number
from numbers import Rational as AbstractRational
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from exactdice.errors import InputError

# The ground type: every other module imports it from here.
try:
    from gmpy2 import bit_scan1 as bit_scan1
    from gmpy2 import divexact as divexact
    from gmpy2 import f_mod as f_mod
    from gmpy2 import gcd as gcd
    from gmpy2 import isqrt as isqrt
    from gmpy2 import lcm as lcm
    from gmpy2 import mpq as mpq
    from gmpy2 import mpz as mpz
    from gmpy2 import pack as pack
    from gmpy2 import unpack as unpack
except ImportError:
    if sys.platform != "emscripten" and "EXACTDICE_WITHOUT_GMPY2" not in os.environ:
        raise
    from exactdice.without_gmpy2 import *  # type: ignore[assignment] # noqa: F403

if TYPE_CHECKING:
    from flint import arb, fmpq, fmpz  # a third of the start-up time of other commands

__all__ = ["RationalLike", "amount", "brief", "counted", "decimal", "decimal_exponent", "from_ball"]
__all__ += ["from_flint", "from_sympy", "ground", "is_foreign", "is_of_flint", "natural"]
__all__ += ["nearest_double", "over_common_denominator", "probability", "rational", "significant"]
__all__ += ["text", "to_flint", "to_fraction", "to_sympy"]

RationalLike: TypeAlias = "int | Fraction | mpq | mpz | fmpq | fmpz | str"

_FRACTION = re.compile(r"\s*([+-]?[0-9]+)(?:/([0-9]+))?\s*", re.ASCII)
# Possessive parts reject invalid text in linear time.
_DECIMAL = re.compile(r"\s*+([+-]?)([0-9]*+)\.?+([0-9]*+)(?:[eE]([+-]?[0-9]{1,5}))?\s*", re.ASCII)
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*", re.ASCII)


def rational(number: RationalLike, name: str = "number") -> mpq:
    """Read a number exactly, as a fraction in lowest terms.

    It may be an int, Fraction, mpz, mpq, fmpz, fmpq, SymPy Rational, or text: ``"p/q"``, or a
    decimal with at most five digits in its exponent. Raises InputError, with the argument `name`,
    for a float, a bool, invalid text, or a denominator of 0.

    >>> rational("0.1"), rational("7/2"), rational(3)
    (mpq(1,10), mpq(7,2), mpq(3,1))
    >>> rational(0.1)
    Traceback (most recent call last):
    exactdice.errors.InputError: number: got 0.1; expected an exact number: an int, a Fraction or \
text such as '1/10' or '0.1'
    """
    if isinstance(number, mpq):
        return number
    if isinstance(number, str):
        return _rational_from_text(number, name)
    if not isinstance(number, bool) and isinstance(number, AbstractRational | mpz):
        return mpq(int(number.numerator), int(number.denominator))
    if is_of_flint(number, "fmpq", "fmpz"):
        return from_flint(number)
    if getattr(number, "is_Rational", False):
        return from_sympy(number)
    if hasattr(number, "exact"):  # a value, which raises the error if it is not exact
        return rational(number.exact, name)
    wanted = "an exact number: an int, a Fraction or text such as '1/10' or '0.1'"
    raise InputError(name, number, wanted)


def _rational_from_text(number: str, name: str) -> mpq:
    if match := _FRACTION.fullmatch(number):
        denominator = mpz(match[2] or 1)
        if denominator == 0:
            raise InputError(name, number, "a fraction whose denominator is not 0")
        return mpq(mpz(match[1]), denominator)
    match = _DECIMAL.fullmatch(number)
    if match is None or not match[2] + match[3]:
        raise InputError(name, number, "a number such as '3', '7/2' or '0.1'")
    exponent = int(match[4] or 0) - len(match[3])
    magnitude = mpz(match[2] + match[3]) * mpq(10) ** exponent
    return -magnitude if match[1] == "-" else magnitude


def ground(value: Any, name: str = "outcome") -> Any:
    """Return integers of other libraries as int, numpy's bool as bool, other values unchanged.

    Integers of a fixed width would overflow. Raises InputError, with the argument `name`, for a
    float, a Decimal, and other inexact numbers.

    >>> import numpy as np
    >>> ground(np.int8(100)), ground(np.True_), ground("heads")
    (100, True, 'heads')
    """
    kind = type(value)
    if not is_foreign(kind):  # type: ignore[arg-type] # a type can be hashed
        return value
    if issubclass(kind, Number) and not issubclass(kind, Integral):
        raise InputError(name, value, "an exact number, such as Fraction('0.1')")
    return bool(value) if _is_truth(kind) else int(value)


@lru_cache(maxsize=128)
def is_foreign(kind: type) -> bool:
    """Whether `ground` changes or rejects the values of a type.

    >>> is_foreign(float), is_foreign(int), is_foreign(str)
    (True, False, False)
    """
    if not issubclass(kind, Number):
        return _is_truth(kind)
    exact = issubclass(kind, AbstractRational) and not issubclass(kind, Integral)
    return not exact and not issubclass(kind, int)


def _is_truth(kind: type) -> bool:
    """Whether it is bool of Python or numpy; numpy is not loaded for that."""
    return kind is bool or (kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"))


def counted(value: Any) -> Any:
    """Return 1 for True and 0 for False, of Python or numpy; other values unchanged.

    >>> counted(6 > 5), counted("1/2")
    (1, '1/2')
    """
    return int(value) if _is_truth(type(value)) else value


def amount(number: "RationalLike | bool", name: str) -> mpq:
    """Read a payoff or a reward: an exact number as in `rational`, or a bool.

    >>> amount("1/2", "payoff"), amount(True, "payoff")
    (mpq(1,2), mpq(1,1))
    """
    return mpq(number) if isinstance(number, int) else rational(counted(number), name)


def natural(number: object, name: str, *, least: int = 0, most: int | None = None) -> int:
    """Read a whole number within inclusive bounds, from an integer or its text.

    Raises InputError, with the argument `name`, outside the bounds and for floats, whole or not.

    >>> natural("12", "rounds")
    12
    >>> natural("2.5", "units", least=1)
    Traceback (most recent call last):
    exactdice.errors.InputError: units: got '2.5'; expected a whole number of at least 1
    """
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
    if isinstance(number, str) and _WHOLE.fullmatch(number):
        whole = int(mpz(number))
    elif not isinstance(number, bool) and isinstance(number, Integral | mpz):
        whole = int(number)
    else:
        raise InputError(name, number, f"a whole number {bounds}")
    if whole < least or (most is not None and whole > most):
        raise InputError(name, number, f"a whole number {bounds}")
    return whole


def probability(number: RationalLike, name: str = "probability") -> mpq:
    """Read an exact number from 0 to 1.

    >>> probability("0.25")
    mpq(1,4)
    >>> probability("5/4")
    Traceback (most recent call last):
    exactdice.errors.InputError: probability: got '5/4'; expected a number from 0 to 1
    """
    exact = rational(number, name)
    if not 0 <= exact <= 1:
        raise InputError(name, number, "a number from 0 to 1")
    return exact


def _exact(number: Any) -> mpq:
    """Return a number, or that of an enclosure that has no width."""
    return mpq(getattr(number, "exact", number))


def text(number: mpq | mpz | int) -> str:
    """Write a rational of any size as ``p/q`` in lowest terms, or as ``p`` if it is whole.

    >>> text(rational("0.75")), text(rational(-2))
    ('3/4', '-2')
    """
    return str(mpz(number) if type(number) is int else _exact(number))


def decimal(number: mpq | mpz | int, places: int) -> str:
    """Write a rational with `places` digits after the point, rounded half to even.

    >>> decimal(rational("2/3"), 4), decimal(rational("1/8"), 2), decimal(rational("3/8"), 2)
    ('0.6667', '0.12', '0.38')
    >>> decimal(rational("-1/1000"), 2)
    '0.00'
    """
    exact = _exact(number)
    units = _round_half_even(exact.numerator * mpz(10) ** places, exact.denominator)
    return _pointed(units, places)


def _pointed(units: mpz, places: int) -> str:
    sign = "-" if units < 0 else ""
    digits = str(abs(units)).rjust(places + 1, "0")
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def significant(number: mpq | mpz | int, digits: int) -> str:
    """Write a rational with `digits` significant digits, rounded half to even.

    Scientific notation below 10⁻⁵ and from 10^digits on. Trailing zeros are kept.

    >>> significant(rational("2/3"), 5), significant(rational(20), 4)
    ('0.66667', '20.00')
    >>> significant(rational("1/3000000"), 3), significant(rational("99999.7"), 5)
    ('3.33e-7', '1.0000e+5')
    """
    exact = _exact(number)
    if exact == 0:
        return decimal(exact, digits - 1)
    exponent = decimal_exponent(exact)
    shift = digits - 1 - exponent
    units = _round_half_even(
        exact.numerator * mpz(10) ** max(shift, 0), exact.denominator * mpz(10) ** max(-shift, 0)
    )
    if abs(units) == mpz(10) ** digits:
        exponent += 1
        units //= 10
    if -6 < exponent < digits:
        return _pointed(units, digits - 1 - exponent)
    sign, figures = "-" if exact < 0 else "", str(abs(units))
    fraction = f".{figures[1:]}" if digits > 1 else ""
    return f"{sign}{figures[0]}{fraction}e{exponent:+d}"


def brief(number: mpq | mpz | int, digits: int = 10) -> str:
    """Write a rational in a sentence: a whole number exactly, any other as a decimal.

    >>> brief(rational("0")), brief(rational("2/3"), 4)
    ('0', '0.6667')
    """
    exact = _exact(number)
    return text(exact) if exact.denominator == 1 else significant(exact, digits)


def _round_half_even(numerator: mpz, denominator: mpz) -> mpz:
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    if twice > denominator or (twice == denominator and whole % 2):
        whole += 1
    return whole


def decimal_exponent(number: mpq) -> int:
    """Return the e with 10**e <= abs(number) < 10**(e + 1), for a number other than 0.

    >>> decimal_exponent(rational(-1000)), decimal_exponent(rational("0.0999"))
    (3, -2)
    """
    positive = abs(number)
    bits: int = positive.numerator.bit_length() - positive.denominator.bit_length()
    exponent = int(bits) * 30103 // 100000  # within one of the answer: log10(2) = 0.30103…
    while _power_of_ten(exponent) > positive:
        exponent -= 1
    while _power_of_ten(exponent + 1) <= positive:
        exponent += 1
    return exponent


@lru_cache(maxsize=128)
def _power_of_ten(exponent: int) -> mpq:
    return mpq(10) ** exponent


def rounded(number: mpq, bits: int | None) -> mpq:
    """Round a number down to that many binary digits after the point; None keeps it."""
    if bits is None:
        return number
    return mpq((number.numerator << bits) // number.denominator, 1 << bits)


def nearest_double(number: mpq | mpz | int) -> float | None:
    """Round to the nearest double, half to even; None if it is too large.

    Only for decimal columns and plots.

    >>> nearest_double(rational("1/3"))
    0.3333333333333333
    >>> nearest_double(rational("1e400")) is None
    True
    """
    exact = _exact(number)
    try:
        return int(exact.numerator) / int(exact.denominator)
    except OverflowError:
        return None


def over_common_denominator(numbers: Iterable[RationalLike]) -> tuple[list[mpz], mpz]:
    """Write rationals as integers over their least common denominator.

    >>> over_common_denominator(["1/2", "1/3"])
    ([mpz(3), mpz(2)], mpz(6))
    """
    exact = [rational(number) for number in numbers]
    common = lcm(1, *(number.denominator for number in exact))
    return [number.numerator * (common // number.denominator) for number in exact], common


def to_fraction(number: mpq) -> Fraction:
    """Convert to a Fraction.

    >>> to_fraction(rational("7/2"))
    Fraction(7, 2)
    """
    number = _exact(number)
    return Fraction(int(number.numerator), int(number.denominator))


def is_of_flint(number: object, *names: str) -> TypeGuard[Any]:
    """Whether it is of one of these types of python-flint; False while that is not loaded.

    >>> is_of_flint(to_flint(mpq(7, 2)), "fmpq"), is_of_flint(7, "fmpq")
    (True, False)
    """
    flint = sys.modules.get("flint")
    return flint is not None and isinstance(number, tuple(getattr(flint, n) for n in names))


def to_flint(number: mpq) -> "fmpq":
    """Convert to python-flint's fmpq.

    >>> to_flint(rational("7/2"))
    7/2
    """
    from flint import fmpq

    return fmpq(int(number.numerator), int(number.denominator))


def from_flint(number: "fmpq | fmpz") -> mpq:
    """Convert from python-flint's fmpq or fmpz.

    >>> from_flint(to_flint(rational("7/2")))
    mpq(7,2)
    """
    if is_of_flint(number, "fmpz"):
        return mpq(int(number))
    return mpq(int(number.p), int(number.q))  # type: ignore[union-attr] # an fmpq then


def from_ball(ball: "arb") -> tuple[mpq, mpq]:
    """Return the ends of python-flint's ball, which enclose its number.

    They depend on the precision in force, so call this where the ball was computed.

    >>> from flint import arb
    >>> from_ball(arb(3) / 2)
    (mpq(3,2), mpq(3,2))
    """
    ends = (end.man_exp() for end in (ball.lower(), ball.upper()))
    lower, upper = (mpq(int(mantissa)) * mpq(2) ** int(exponent) for mantissa, exponent in ends)
    return lower, upper


def to_sympy(number: mpq) -> Any:
    """Convert to a SymPy Rational, for any ground types of SymPy.

    >>> to_sympy(rational("7/2"))
    7/2
    """
    from sympy import Rational

    return Rational(int(number.numerator), int(number.denominator))


def from_sympy(number: Any) -> mpq:
    """Convert from a SymPy Rational; other SymPy numbers raise InputError.

    >>> from_sympy(to_sympy(rational("7/2")))
    mpq(7,2)
    """
    if not getattr(number, "is_Rational", False):
        raise InputError("number", number, "a SymPy Rational")
    return mpq(int(number.p), int(number.q))
