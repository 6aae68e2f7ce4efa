"""Exact conversions, correctly rounded decimals, and Python's numbers in place of gmpy2's."""

import os
import random
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import gmpy2
import numpy as np
import pytest
from flint import fmpq, fmpz
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st
from measured import executed
from sympy import primefactors

from exactdice import without_gmpy2
from exactdice.arithmetic import (
    decimal,
    from_flint,
    from_sympy,
    nearest_double,
    over_common_denominator,
    probability,
    rational,
    significant,
    text,
    to_flint,
    to_fraction,
)
from exactdice.errors import InputError

fractions = st.fractions()


@given(fractions)
def test_every_number_type_reads_to_the_same_rational(number):
    exact = mpq(number.numerator, number.denominator)
    written = f"{number.numerator}/{number.denominator}"
    assert rational(number) == rational(exact) == rational(written) == exact
    assert rational(fmpq(number.numerator, number.denominator)) == exact
    assert from_flint(to_flint(exact)) == exact
    assert to_fraction(exact) == number


@pytest.mark.parametrize("whole", [7, mpz(7), fmpz(7), np.int64(7), np.uint8(7), "7", "+7", "7.0"])
def test_every_integer_type_is_a_rational(whole):
    assert rational(whole) == mpq(7)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_decimal_text_is_read_as_written(number):
    assert rational(str(number)) == mpq(Fraction(number))


def test_text_of_any_length_reads_back():
    # str and int of Python integers raise past 4300 digits.
    long = mpq(mpz(3) ** 20000, mpz(2) ** 20000)
    assert len(text(long)) > 4300
    assert rational(text(long)) == long


@given(fractions, st.integers(0, 30))
def test_decimal_is_the_nearest_and_a_tie_goes_to_the_even_digit(number, places):
    # Oracle: the definition. Fractions of the standard library round half to even.
    written = decimal(mpq(number), places)
    assert Fraction(written) * 10**places == round(number * 10**places)
    assert len(written.partition(".")[2]) == places


@given(fractions, st.integers(1, 40))
def test_significant_agrees_with_the_decimal_module(number, digits):
    # Oracle: a correctly rounded decimal division (General Decimal Arithmetic, division).
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    quotient = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    assert Decimal(significant(mpq(number), digits)) == quotient


@pytest.mark.parametrize(("number", "digits", "written"), [
    ("0", 3, "0.00"), ("1/8", 2, "0.12"), ("3/8", 2, "0.38"), ("-1/8", 2, "-0.12"),
    ("999.95", 4, "1000"),  # half to even carries into a new digit
    ("99995", 4, "1.000e+5"), ("1000", 4, "1000"), ("1e-5", 2, "0.000010"), ("1e-6", 2, "1.0e-6"),
    ("5", 1, "5"), ("50", 1, "5e+1")
])  # fmt: skip
def test_significant_digits_written_out(number, digits, written):
    # Sources: half to even and scientific notation by hand.
    assert significant(rational(number), digits) == written


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_nearest_double_inverts_the_exact_value_of_a_double(number):
    assert nearest_double(mpq(Fraction(number))) == number


def test_nearest_double_rounds_where_mpq_truncates():
    # Halfway between 1 and the next double 1 + 2⁻⁵², plus a little: rounds up.
    above = 1 + mpq(1, 2**53) + mpq(1, 2**80)
    assert nearest_double(above) == 1 + 2**-52


def test_numbers_beyond_the_doubles_have_no_nearest_one():
    assert nearest_double(mpq(10) ** 400) is None
    assert nearest_double(mpq(10) ** -400) == 0


@pytest.mark.slow
@given(st.lists(st.fractions(max_denominator=10**6), max_size=4))
def test_common_denominator_is_the_least(numbers):
    numerators, common = over_common_denominator(numbers)
    assert [mpq(n, common) for n in numerators] == [mpq(x) for x in numbers]
    # Least: without any one of its prime factors it is no common denominator.
    for prime in primefactors(int(common)):
        assert any((mpq(x) * common / prime).denominator != 1 for x in numbers)


def test_probability_bounds_are_inclusive():
    assert probability(0) == 0
    assert probability("1") == 1


def test_only_rationals_come_from_sympy():
    import sympy

    assert from_sympy(sympy.Rational(-3, 7)) == mpq(-3, 7)
    assert rational(sympy.Integer(4)) == 4
    for wrong in (sympy.Float("0.5"), sympy.sqrt(2), sympy.Symbol("x")):
        with pytest.raises(InputError):
            from_sympy(wrong)
        with pytest.raises(InputError):
            rational(wrong)


@pytest.mark.parametrize("ground_types", ["flint", "gmpy", "python"])
def test_no_float_comes_out_of_sympy_under_any_ground_types(ground_types):
    program = """
import sympy
from sympy.external.gmpy import GROUND_TYPES
from exactdice.arithmetic import from_sympy, rational, to_sympy
third = to_sympy(rational("1/3"))
assert isinstance(third, sympy.Rational) and not third.has(sympy.Float), third
assert (third.p, third.q) == (1, 3)
assert from_sympy(third * 3) == 1
print(GROUND_TYPES)
"""
    finished = executed(program, env=os.environ | {"SYMPY_GROUND_TYPES": ground_types})
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip().startswith(ground_types)


chance = random.Random(1)  # noqa: S311 - no secret
NUMBERS = [0, 1, *(chance.getrandbits(chance.randrange(1, 500)) for _ in range(300))]

needs_gmpy2 = pytest.mark.skipif(not hasattr(gmpy2, "pack"), reason="gmpy2 is hidden")


@needs_gmpy2
@pytest.mark.parametrize("bits", [1, 7, 29, 64, 200])
def test_digits_are_those_of_gmpy2(bits):
    for number in NUMBERS:
        digits = without_gmpy2.unpack(number, bits)
        assert digits == gmpy2.unpack(number, bits)
        assert without_gmpy2.pack(digits, bits) == number == gmpy2.pack(digits, bits)


@needs_gmpy2
def test_the_lowest_bit_is_that_of_gmpy2():
    for number in NUMBERS:
        for start in (0, 3, 100, 600):
            assert without_gmpy2.bit_scan1(number, start) == gmpy2.bit_scan1(number, start)
