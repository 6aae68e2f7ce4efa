"""Optimal_n against the definition, and from which n on it is Optimal."""

import pytest
from farkle_cases import dice, places_left, rule_sets, slow
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.errors import InputError
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import SIX_FAIR, fixed_point, horizon, solve
from exactdice.studies.farkle.readme import EARLIER


@pytest.mark.slow
@given(rule_sets(), dice, st.sampled_from(["full", "needed"]), st.data())
def test_optimal_n_is_that_of_the_definition(rules, some_dice, overshoot, data):
    # Oracle: the README's recurrence over every ordered roll and every subset.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    points = 50 * data.draw(st.integers(0, rules.target // 50 - 1))
    state = data.draw(st.integers(1, turn.dice.states - 1))
    left = places_left(turn.dice, state)
    spec = turn.dice.describe(state)
    values = horizon(turn, 5, points, spec)
    assert [to_fraction(v) for v in values] == [
        oracle.value(points, left, rolls) for rolls in range(1, 6)
    ]


@given(rule_sets(penalties=False), dice, st.data())
def test_fixed_point_is_the_first_n_at_which_optimal_n_is_optimal(rules, some_dice, data):
    # Every roll scores at least 50, so that target / 50 rolls are always enough. Random rules have
    # many ties, which the fixed point must break for the fewest rolls.
    turn = solve(DiceSet(some_dice), rules)
    points = 50 * data.draw(st.integers(0, rules.target // 50 - 1))
    spec = turn.dice.describe(data.draw(st.integers(1, turn.dice.states - 1)))
    values = horizon(turn, rules.target // 50 + 1, points, spec)
    best = turn.optimal(points, spec)
    first = next(n for n, value in enumerate(values, 1) if value == best)
    assert fixed_point(turn, points, spec) == first


def test_optimal_1_is_the_mean_of_the_best_score():
    assert horizon(solve(), 1) == [menus_of(KCD, SIX_FAIR, prune=True).mean_best(6)]


def test_readme_figures_for_one_two_and_three_rolls():
    # The project's own earlier computation, by two independent programs.
    assert tuple(decimal(value, 2) for value in horizon(solve(), 3)) == EARLIER


def test_two_rolls_are_not_enough_for_any_convention():
    for turn in (
        solve(),
        solve(overshoot="needed"),
        solve(rules=KCD.varied(target=None)),
        solve(rules=KCD.varied(hot_dice=False)),
    ):
        _, two, three = horizon(turn, 3)
        assert two < three


def test_optimal_n_never_falls_and_reaches_optimal_at_the_fixed_point():
    turn = solve(rules=KCD.varied(target=2000))
    last = fixed_point(turn)
    values = horizon(turn, last + 1)
    assert values == sorted(values)
    assert [value == turn.value for value in values] == [False] * (last - 1) + [True, True]


def test_with_minimum_bank_a_single_roll_below_it_is_worth_nothing():
    turn = solve("fair", KCD.varied(minimum_bank=100, target=100, hot_dice=False))
    assert horizon(turn, 1) == [mpq(100, 6)]  # only a 1 can be banked; a 5 is lost


def test_a_die_that_never_scores_need_not_be_rolled_where_nothing_may_be_banked():
    # The fair die scores a hundred at most and is not rolled again; the other die adds nothing.
    rules = KCD.varied(minimum_bank=150, target=150, hot_dice=False)
    turn = solve("fair,0:1:0:0:0:0", rules)
    assert horizon(turn, 2) == [0, 0]
    assert fixed_point(turn) == 1
    assert turn.optimal(50, "0:1:0:0:0:0") == -50


def test_number_of_rolls_must_be_positive():
    with pytest.raises(InputError, match="rolls: got 0"):
        horizon(solve(), 0)
