"""Enclosures: membership, arithmetic, and the digits that are certain."""

import itertools
import operator

import pytest
from flint import arb, ctx
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, rational, significant, to_flint
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError


def test_both_bounds_are_included():
    half = Enclosure(mpq(1, 4), mpq(3, 4))
    assert [mpq(n, 8) in half for n in (1, 2, 5, 6, 7)] == [False, True, True, True, False]
    assert (half.width, half.middle, half.point) == (mpq(1, 2), mpq(1, 2), None)
    assert Enclosure(mpq(1, 4), mpq(1, 4)).point == mpq(1, 4)


def test_decimal_shows_only_what_is_known():
    assert Enclosure(mpq(1, 8), mpq(1, 8)).decimal(3) == "0.125"
    assert Enclosure(mpq(1, 8), mpq(3, 8)).decimal(3) == "0"
    assert Enclosure(mpq(2), mpq(2)).decimal(0) == "2"


@given(st.fractions(), st.fractions(0, 2), st.fractions(0, 1), st.integers(0, 5))
def test_every_number_between_the_bounds_rounds_to_the_digits_shown(low, width, part, places):
    bounds = Enclosure(mpq(str(low)), mpq(str(low + width)))
    try:
        shown = bounds.decimal(places)
    except InputError:
        assert decimal(bounds.lower, 0) != decimal(bounds.upper, 0)
    else:
        digits = len(shown.partition(".")[2])
        assert digits <= places
        assert decimal(mpq(str(low + part * width)), digits) == shown


def test_certain_writes_at_most_the_requested_digits():
    # By long division: 3703/3 = 1234.3333…; four of six digits are before the point.
    narrow = Enclosure(mpq(3703, 3), mpq(3703, 3) + mpq(1, 10**20))
    assert narrow.certain(6) == "1234.33"
    assert narrow.certain(9) == "1234.33333"


# Bounds near 0 and far from it, equal or not; and numbers between them.
rationals = st.fractions(-4, 4, max_denominator=6).map(lambda number: mpq(str(number)))
enclosures = st.tuples(rationals, rationals).map(lambda ends: Enclosure(min(ends), max(ends)))
numbers = st.one_of(enclosures, rationals, st.integers(-4, 4), st.integers(-4, 4).map(mpz))
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


def ends(number):
    return (number.lower, number.upper) if isinstance(number, Enclosure) else (mpq(number),) * 2


def sampled(number):
    lower, upper = ends(number)
    return [lower + (upper - lower) * part / 4 for part in range(5)]


def operands(data):
    first, second = data.draw(enclosures), data.draw(numbers)
    return data.draw(st.sampled_from([(first, second), (second, first)]))


@given(st.data())
@pytest.mark.parametrize("operation", OPERATORS, ids=lambda operation: operation.__name__)
def test_arithmetic_gives_the_tightest_enclosure(operation, data):
    first, second = operands(data)
    lower, upper = ends(second)
    if operation is operator.truediv and lower <= 0 <= upper:
        with pytest.raises(InputError, match=r"divisor: got .*; expected a number that is not 0"):
            operation(first, second)
        return
    together = operation(first, second)
    results = [operation(x, y) for x in sampled(first) for y in sampled(second)]
    assert all(result in together for result in results)
    # Each operation is monotone in either number, so its extremes are at the bounds.
    assert (together.lower, together.upper) == (min(results), max(results))


@given(enclosures, st.integers(0, 4))
def test_powers_give_the_tightest_enclosure(base, exponent):
    zero = [mpq(0)] if mpq(0) in base else []
    powers = [number**exponent for number in [*sampled(base), *zero]]
    assert (min(powers), max(powers)) == ((base**exponent).lower, (base**exponent).upper)
    assert (-base).lower == -base.upper
    assert 0 - (-base) == base


@given(st.data())
def test_comparisons_are_true_false_or_open(data):
    first, second = operands(data)
    comparisons = [operator.ge, operator.gt, operator.le, operator.lt]
    for compared in comparisons:
        answers = {compared(x, y) for x in sampled(first) for y in sampled(second)}
        if len(answers) == 1:
            assert compared(first, second) is answers.pop()
        else:
            with pytest.raises(
                InputError, match=r"comparison: got .*; expected numbers whose encl"
            ):
                compared(first, second)
    answers = {x >= y for x in sampled(first) for y in sampled(second)}
    expected = answers.pop() if len(answers) == 1 else None
    assert Enclosure.of(first).at_least(second) is expected


@given(st.lists(numbers, min_size=1, max_size=3))
def test_the_largest_number_has_the_tightest_enclosure(some):
    largest_ones = [max(chosen) for chosen in itertools.product(*map(sampled, some))]
    enclosed = largest(some)
    assert (enclosed.lower, enclosed.upper) == (min(largest_ones), max(largest_ones))


@given(rationals, rationals)
def test_ends_that_meet_are_the_number(number, other):
    point = Enclosure.of(number)
    assert point == number == point
    assert hash(point) == hash(number)
    assert (point == other) == (number == other)
    assert (point + other).point == number + other
    assert sum([point, point]) == 2 * number
    assert {number: "found"}[point] == "found"


def test_inexact_numbers_are_rejected():
    half = Enclosure(mpq(1, 3), mpq(2, 3))
    assert half != 0.5
    assert half != "1/2"
    assert half != mpq(1, 2)


@given(rationals, st.integers(2, 40))
def test_a_ball_of_flint_crosses_with_its_ends_outward(number, bits):
    with ctx.workprec(bits):
        enclosed = Enclosure.of(arb(to_flint(number)))
    assert number in enclosed
    assert enclosed.width <= 4 * abs(number) / 2**bits


some_width = st.sampled_from([0, mpq(1, 7), mpq(1, 999), mpq(1, 10**6), mpq(3, 10**12), 40])


def read(shown):
    number, _, away = shown.partition(" ± ")
    figures = away.partition("e")[0].replace(".", "").lstrip("0")
    return rational(number), rational(away or "0"), len(figures)


@given(st.fractions(-2000, 2000, max_denominator=10**4), some_width, st.integers(1, 12))
def test_midpoint_and_radius_contain_the_number(low, width, digits):
    """Oracle: the definition; the radius is at most a tenth too large."""
    bounds = Enclosure(rational(low), rational(low) + width)
    number, away, figures = read(bounds.near(digits))
    farthest = max(bounds.upper - number, number - bounds.lower)
    assert farthest <= away <= farthest * mpq(11, 10)
    assert figures == (2 if away else 0)
    # The middle is rounded to the requested digits, or to those of the radius.
    middle = rational(significant(bounds.middle, digits))
    assert abs(number - bounds.middle) <= max(abs(middle - bounds.middle), width * mpq(1, 20))
    if bounds.point is not None and bounds.point.denominator != 1:
        assert bounds.near(digits).startswith(significant(bounds.point, digits))


@given(st.fractions(-2000, 2000, max_denominator=10**4), some_width, st.integers(1, 12))
def test_ends_are_written_rounded_outward_by_less_than_a_unit(low, width, places):
    bounds, unit = Enclosure(rational(low), rational(low) + width), mpq(1, 10**places)
    down, up = rational(bounds.rounded_down(places)), rational(bounds.rounded_up(places))
    assert 0 <= bounds.lower - down < unit
    assert 0 <= up - bounds.upper < unit
    # The requested digits of the larger bound, or more until the width has two digits.
    whole = len(str(int(max(abs(bounds.lower), abs(bounds.upper), 1))))
    shown = bounds.places(places)
    enough = max(places - whole, 0)
    assert shown >= enough
    if width:
        assert width * 10**shown >= 10
        assert shown == enough or width * 10 ** (shown - 1) < 10
    else:
        assert shown == enough


def test_a_number_is_written_with_as_many_digits_as_its_bounds_support():
    # By hand: the middle is 5·10⁻²¹ above 1/3, 0.33333333333333333333 833…; the digits shown are
    # 3.33…·10⁻²³ below it, so that the ends are up to 5.0333…·10⁻²¹ away.
    third = Enclosure(rational("1/3"), rational("1/3") + mpq(1, 10**20))
    assert str(third) == f"0.{'3' * 20}83 ± 5.1e-21"
    with pytest.raises(
        InputError, match=r"^value: got 0\.3{20}83 ± 5\.1e-21; expected an exact ans"
    ):
        _ = third.exact
    assert str(Enclosure.of("1/3")) == "1/3"
    assert Enclosure.of(7).exact == rational(Enclosure.of(7)) == float(Enclosure.of(7)) == 7
    around = Enclosure(mpq(-3), mpq(2))
    assert [abs(x) for x in (around, around + 4, around - 4)] == [
        Enclosure(mpq(0), mpq(3)),
        Enclosure(mpq(1), mpq(6)),
        Enclosure(mpq(2), mpq(7)),
    ]  # by hand
    assert str(Enclosure(mpq(-1), mpq(1))) == "0 ± 1.0"


@pytest.mark.parametrize(("low", "high", "digits", "written"), [
    ("0.40", "0.60", 3, "0.40 to 0.60"), ("-2/3", "2/3", 2, "-0.7 to 0.7"),
    ("99.5", "100.7", 4, "99.5 to 100.7"), ("1/3", "0.33334", 4, "0.333"),
    ("12.345", "12.345", 2, "12"), ("1234.5", "1234.6", 2, "1234.50 to 1234.60")
])  # fmt: skip
def test_as_many_digits_are_certain_as_both_ends_round_to(low, high, digits, written):
    """By hand; a width of 1/10 has two digits at two places more than that."""
    assert Enclosure(rational(low), rational(high)).certain(digits) == written


def test_reflected_operators_and_touching_ends():
    half = Enclosure(mpq(1, 2), mpq(1, 2))
    assert mpq(3) / half == 6
    assert 3 - half == mpq(5, 2)
    for low, high in ((1, 2), (2, 3)):  # touching bounds
        one, two = Enclosure(mpq(0), mpq(low)), Enclosure(mpq(low), mpq(high))
        assert one <= two
        assert two >= one
        for compared in (lambda a=one, b=two: a < b, lambda a=two, b=one: a > b):
            with pytest.raises(InputError, match="do not overlap"):
                compared()
