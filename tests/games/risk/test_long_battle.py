"""A long battle by where it leaves the rounds of the most dice, against the recursion."""

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.arithmetic import mpz
from exactdice.dice import Distribution
from exactdice.games.risk import RiskRules, win_table
from exactdice.games.risk.exact import (
    conquest,
    fought_out,
    nanoseconds_of_one,
    win_probability,
    winning_rows,
)
from exactdice.games.risk.rounds import entries, steady_weights, unit_factor
from exactdice.games.risk.rules import STANDARD, Ties

of_any_house = st.builds(
    RiskRules,
    attacker_dice=st.integers(1, 5),
    defender_dice=st.integers(1, 5),
    attacker_sides=st.integers(1, 8),
    defender_sides=st.integers(1, 8),
    ties=st.sampled_from(list(Ties)),
    stop_below=st.integers(1, 9),
)


@pytest.mark.slow
@settings(max_examples=25)
@given(of_any_house)
def test_every_battle_of_up_to_twenty_four_a_side_is_as_in_the_table(rules):
    for (a, d), chance in win_table(24, 24, "fighting", rules).items():
        assert win_probability(a, d, "fighting", rules) == chance


@settings(max_examples=50)
@given(of_any_house, st.integers(1, 30), st.integers(1, 30))
def test_who_is_left_is_as_from_state_to_state(rules, a, d):
    factor = unit_factor(rules)
    ended = fought_out([(a + d, a, mpz(1))], a + d, rules)
    expected = {(x, y): int(mass * factor ** (x + y)) for x, y, mass in ended}
    assert conquest(Distribution({a: 1}), d, rules) == Distribution(expected)


@pytest.mark.parametrize("armies", [(100, 100), (170, 300), (3, 400), (400, 2), (600, 600)])
def test_long_battles_are_by_the_recursion(armies):
    a, d = armies
    *_, row = winning_rows(a, d)
    assert win_probability(a, d, "fighting") == mpq(row[a], mpz(unit_factor()) ** (a + d))


def test_one_line_through_armies_on_both_sides_of_an_even_chance():
    # By 62-bit fixed point, rounded down and up, in a separate program:
    # 0.500007999120… and 0.499999567412….
    chances = [win_probability(a, d, "fighting") for a, d in ((168, 196), (2555, 2993))]
    assert [int(chance * 10**12) for chance in chances] == [500007999120, 499999567412]
    assert chances[0] > mpq(1, 2) > chances[1]


def test_rounds_of_the_most_dice_are_passed_over():
    """Few states of a long battle are fought out one by one."""
    assert len(list(entries(500, 500, STANDARD))) < 6 * 1000


def test_a_round_in_which_a_side_cannot_lose_all_is_not_passed_over():
    rules = RiskRules(attacker_sides=1, defender_sides=1)  # ties: the defender loses nothing
    assert steady_weights(rules) is None
    assert list(entries(9, 9, rules)) == [(18, 9, 1)]


@pytest.mark.parametrize("rules", [STANDARD, RiskRules(attacker_dice=5, defender_dice=4)])
def test_the_smallest_armies_that_roll_the_most_dice_take_as_long_as_one_unit_more(rules):
    # both pass over the same rounds; with a unit fewer there are none to pass over
    for a, d in ((1000, rules.defender_dice), (rules.attacker_dice, 1000)):
        of_one_more = (a, d + 1) if a > d else (a + 1, d)
        least = nanoseconds_of_one(a, d, rules)
        assert least <= nanoseconds_of_one(*of_one_more, rules) < 1.3 * least


def test_where_no_rounds_are_passed_over_each_state_takes_a_product():
    # of 400 ns, as measured; several where more than one die is rolled
    rules = RiskRules(attacker_sides=1, defender_sides=1)
    assert nanoseconds_of_one(1000, 1000, rules) >= 1000 * 1000 * 400
