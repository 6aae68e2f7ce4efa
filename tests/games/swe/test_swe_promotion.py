"""The promotion table against the README's and by its definition."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.swe.rules import Ladder, first_rise, promotion_table


@given(faces=st.lists(st.integers(2, 40), min_size=1, max_size=8, unique=True).map(sorted))
def test_gains_are_differences_of_chances(faces):
    table = promotion_table(Ladder(*faces))
    gains = [Fraction(1, a) - Fraction(1, b) for a, b in pairwise(faces)]
    assert [to_fraction(rung.gain) for rung in table] == [*gains, 0]
    rises = [i for i in range(1, len(gains)) if gains[i] > gains[i - 1]]
    assert first_rise(Ladder(*faces)) == (rises[0] if rises else None)


def test_faces_that_are_no_ladder_have_no_promotions():
    for table in (promotion_table, first_rise):
        with pytest.raises(InputError, match="ladder: got 6, 4"):
            table((6, 4))
