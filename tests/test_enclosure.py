"""A number between two rationals: what is in it, and the digits that are certain."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal
from exactdice.enclosure import Enclosure
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


@pytest.mark.parametrize(
    ("low", "high"), [(mpq(2, 5), mpq(3, 5)), (mpq(123), mpq(130)), (mpq(-1), mpq(1))]
)
def test_bounds_that_share_no_digit_have_no_decimal(low, high):
    with pytest.raises(InputError, match=f"enclosure: got {low} to {high}; give bounds that round"):
        Enclosure(low, high).decimal(3)


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


def test_no_more_digits_are_written_than_were_asked_for():
    # By long division: 3703/3 = 1234.3333…, of which six digits are four before the point.
    narrow = Enclosure(mpq(3703, 3), mpq(3703, 3) + mpq(1, 10**20))
    assert narrow.certain(6) == "1234.33"
    assert narrow.certain(9) == "1234.33333"
