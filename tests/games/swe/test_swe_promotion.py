"""The promotion table against the README's and by its definition."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.errors import InputError
from exactdice.games.swe.rules import STANDARD, WITH_D10, Ladder, first_rise, promotion_table


def test_the_standard_table_is_the_published_one():
    # The SWE game's README, output of its promo.py.
    printed = [
        (4, "0.250", "0.0833"),
        (6, "0.167", "0.0417"),
        (8, "0.125", "0.0417"),
        (12, "0.083", "0.0333"),
        (20, "0.050", "0.0000"),
    ]
    table = promotion_table(STANDARD)
    assert [rung.rung for rung in table] == [0, 1, 2, 3, 4]
    rows = [(r.faces, decimal(r.failure, 3), decimal(r.gain, 4)) for r in table]
    # 1/8 = 0.125 and 1/4 are exact; all others round to the printed digits.
    assert rows == printed


@given(faces=st.lists(st.integers(2, 40), min_size=1, max_size=8, unique=True).map(sorted))
def test_gains_are_differences_of_chances(faces):
    table = promotion_table(Ladder(*faces))
    gains = [Fraction(1, a) - Fraction(1, b) for a, b in pairwise(faces)]
    assert [to_fraction(rung.gain) for rung in table] == [*gains, 0]
    rises = [i for i in range(1, len(gains)) if gains[i] > gains[i - 1]]
    assert first_rise(Ladder(*faces)) == (rises[0] if rises else None)


@pytest.mark.parametrize(("ladder", "rung"), [(STANDARD, None), (WITH_D10, 4), (Ladder(4), None)])
def test_a_d10_breaks_the_falling_gains(ladder, rung):
    # 1/10 − 1/12 = 1/60 is less than 1/12 − 1/20 = 1/30, the promotion off rung 4.
    assert first_rise(ladder) == rung


def test_faces_that_are_no_ladder_have_no_promotions():
    for table in (promotion_table, first_rise):
        with pytest.raises(InputError, match="ladder: got 6, 4"):
            table((6, 4))
