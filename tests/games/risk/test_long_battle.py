"""A long battle by where it leaves the rounds of 3 against 2, against the recursion."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.long_battle import win_probability_of_long


def test_every_battle_of_up_to_twelve_a_side_as_by_the_recursion():
    for a in range(1, 13):
        for d in range(1, 13):
            assert win_probability_of_long(a, d, "fighting") == win_probability(a, d, "fighting")


@given(st.integers(2, 150), st.integers(1, 150))
def test_it_is_the_recursion(attackers, defenders):
    expected = win_probability(attackers, defenders)
    assert win_probability_of_long(attackers, defenders) == expected


def test_one_line_through_armies_on_both_sides_of_an_even_chance():
    # By 62-bit fixed point, rounded down and up, in a separate program:
    # 0.500007999120… and 0.499999567412….
    chances = [win_probability_of_long(a, d, "fighting") for a, d in ((168, 196), (2555, 2993))]
    assert [int(chance * 10**12) for chance in chances] == [500007999120, 499999567412]
    assert chances[0] > mpq(1, 2) > chances[1]


@pytest.mark.parametrize("armies", [(1, 3), (5, 0), (5, True), (3.0, 3)])
def test_armies_that_cannot_fight_are_refused(armies):
    with pytest.raises(InputError):
        win_probability_of_long(*armies)
