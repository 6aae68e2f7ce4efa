"""One round of Risk against the rule, over every roll."""

from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.risk import RiskRules, round_losses, win_table
from exactdice.games.risk.model import losses_by_rolls
from exactdice.games.risk.rounds import weak_orders
from exactdice.games.risk.rules import Ties
from exactdice.studies.risk.sources import OSBORNE, OSBORNE_WINS, POSTS_ROUND


@settings(max_examples=40)
@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(list(Ties)),
)
def test_losses_by_weak_orders_equal_enumeration(a, d, attacker_sides, defender_sides, ties):
    rules = RiskRules(a, d, attacker_sides, defender_sides, ties)
    assert round_losses(a, d, rules).probabilities() == losses_by_rolls(a, d, rules).probabilities()


def test_three_against_two_out_of_7776():
    # Source: Osborne's table, and the rule over all rolls.
    expected = {lost: mpq(rolls, 7776) for lost, rolls in OSBORNE.items()}
    assert losses_by_rolls(3, 2, RiskRules()).probabilities() == expected
    assert round_losses(3, 2).probabilities() == expected


def test_one_against_one_as_the_risk_post_counts_it():
    losses = round_losses(1, 1)
    assert losses.probability((1, 0)) == mpq(POSTS_ROUND["attacker"])
    assert losses.probability((0, 1)) == mpq(POSTS_ROUND["defender"])


def test_attacker_wins_none_in_sum_of_fourth_powers_of_faces():
    # Three dice against two: the attacker loses both in 1⁴ + 2⁴ + … + s⁴ of the s⁵ rolls.
    # Source: the highest defender's faces; checked against enumeration for s ≤ 4 above.
    for s in (1, 2, 6, 10, 100):
        chance = round_losses(3, 2, RiskRules().with_sides(s)).probability((2, 0))
        assert chance == mpq(sum(face**4 for face in range(1, s + 1)), s**5)


def test_weak_orders_of_n_dice_are_counted_by_the_ordered_bell_numbers():
    # Source: OEIS A000670, ordered set partitions: 1, 1, 3, 13, 75, 541, 4683, 47293.
    bell = [1, 1, 3, 13, 75, 541, 4683, 47293]
    for a, d in ((1, 1), (2, 1), (3, 2), (3, 3), (2, 5)):
        assert sum(map(sum, weak_orders(a, d))) == bell[a + d]


def test_a_round_of_six_against_six_with_a_hundred_sides_is_a_distribution():
    losses = round_losses(6, 6, RiskRules(6, 6, 100, 100))
    assert sum(losses.probabilities().values()) == 1
    assert losses.denominator <= 100**12


def test_exchanging_sides_and_the_winner_of_ties_exchanges_the_losses():
    for a, d in product(range(1, 5), repeat=2):
        ours = round_losses(a, d, RiskRules(a, d, 6, 8, Ties.DEFENDER))
        theirs = round_losses(d, a, RiskRules(d, a, 8, 6, Ties.ATTACKER))
        assert ours.map(lambda lost: (lost[1], lost[0])) == theirs


@pytest.mark.parametrize(
    ("dice", "line"),
    [
        ((0, 1), "attacker_dice: got 0; expected a whole number from 1 to 20"),
        ((4, 2), "attacker_dice: got 4; expected at most 3 dice, which these rules allow"),
        ((3, 3), "defender_dice: got 3; expected at most 2 dice, which these rules allow"),
        ((1.0, 1), "attacker_dice: got 1.0; expected a whole number from 1 to 20"),
    ],
)
def test_dice_beyond_the_rules_are_refused(dice, line):
    with pytest.raises(InputError) as problem:
        round_losses(*dice)
    assert str(problem.value) == line


def test_as_many_sorted_rolls_are_listed_as_the_limit(monkeypatch):
    # Of dice of 7 and 5 sides the highest two, and two of 6: C(8, 2) and C(7, 2) sorted pairs.
    rules, pairs = RiskRules(2, 2, attacker_mix=(7, 5)), 28 * 21
    monkeypatch.setattr("exactdice.games.risk.rounds._MOST_ROLLS", pairs - 1)
    with pytest.raises(InputError, match="dice: got 2 against 2; expected fewer dice or sides"):
        round_losses(2, 2, rules)
    monkeypatch.setattr("exactdice.games.risk.rounds._MOST_ROLLS", pairs)
    assert round_losses(2, 2, rules) == losses_by_rolls(2, 2, rules)


def test_chances_are_those_that_osborne_printed():
    table = win_table(10, 10, "fighting")
    for a, row in enumerate(OSBORNE_WINS, 1):
        for d, thousandths in enumerate(row, 1):
            assert abs(1000 * table[a, d] - thousandths) <= mpq(1, 2)
