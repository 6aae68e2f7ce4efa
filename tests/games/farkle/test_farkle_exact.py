"""Optimal(P, δ) against the definition, against a second method, and without a target."""

from unittest.mock import patch

import pytest
from farkle_cases import dice, every_state, places_left, rule_sets, slow
from farkle_oracle import SlowTurn, die_chances, kcd_combinations
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.errors import TooLargeError
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.tables import KCD, PATCH
from exactdice.games.farkle.turn.exact import (
    SIX_FAIR,
    certain_banking_bound,
    fixed_point,
    horizon,
    points_payoff,
    solve,
)
from exactdice.games.farkle.turn.forward import ends_of_turn
from exactdice.games.farkle.turn.sweep import TurnSweep
from exactdice.run import Run
from exactdice.studies.farkle.readme import EARLIER

overshoots = st.sampled_from(["full", "needed"])


@given(rule_sets(), dice, overshoots)
def test_value_is_that_of_the_definition_in_every_state(rules, some_dice, overshoot):
    # Oracle: every ordered roll, every subset of distinct dice, Fractions.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    for points, state in every_state(rules, turn.dice):
        left = places_left(turn.dice, state)
        expected = oracle.value(points, left)
        assert to_fraction(turn.rolling_worth(points, state)) - points == expected


@given(rule_sets(), dice, overshoots)
def test_enclosures_hold_the_value_of_every_state(rules, some_dice, overshoot):
    turn = solve(DiceSet(some_dice), rules, overshoot)
    for points, state in every_state(rules, turn.dice):
        found = turn.rolling_bounds(points, state) - points
        assert turn.optimal(points, turn.dice.describe(state)) in found
        assert found.width < mpq(1, 10**10)


@given(rule_sets(), dice, overshoots)
def test_choices_are_exactly_those_that_the_definition_calls_best(rules, some_dice, overshoot):
    # Oracle: rolling is kept for a state just where its exact value beats banking.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    for points, state in every_state(rules, turn.dice):
        rolled = oracle.final(points, places_left(turn.dice, state))
        may_bank = points >= rules.minimum_bank
        assert turn.worth_rolling(points, state) == (not may_bank or rolled > oracle.bank(points))


@pytest.mark.parametrize("spec", ["fair*2", "odd,lucky", "fair,odd,lucky", "devils-head,fair*2"])
@pytest.mark.parametrize("overshoot", ["full", "needed"])
def test_kcd_with_two_and_three_dice_by_brute_force(spec, overshoot):
    turn = solve(spec, KCD.varied(target=500), overshoot)
    chances = tuple(die_chances(d.weights, d.joker) for d in turn.dice.dice)
    oracle = SlowTurn(chances, kcd_combinations(), 500, overshoot=overshoot)
    for points, state in every_state(turn.rules, turn.dice):
        expected = oracle.value(points, places_left(turn.dice, state))
        assert to_fraction(turn.rolling_worth(points, state)) - points == expected


@pytest.mark.parametrize(
    ("spec", "rules", "overshoot"),
    [
        ("fair*6", KCD, "full"),
        ("fair*6", KCD, "needed"),
        ("fair*6", KCD.varied(target=None), "full"),
        ("fair*6", KCD.varied(hot_dice=False), "full"),
        ("fair*6", KCD.varied(penalty=500), "full"),
        ("fair*6", PATCH, "full"),
        ("fair*6", PATCH.varied(hot_dice=False), "full"),
        ("fair*3,368:105:105:105:105:212*2,odd", KCD, "full"),
    ],
)
def test_forward_evaluation_of_the_policy_gives_the_same_rational(spec, rules, overshoot):
    # Second method: the distribution of the points banked, followed forwards; sums to one.
    turn = solve(spec, rules, overshoot)
    end = ends_of_turn(turn.sweep, 0, turn.dice.full)
    assert sum(end.least.values()) + end.bust + end.least_stranded == 1
    cap = rules.target if overshoot == "needed" else None
    mean = sum(chance * (min(p, cap) if cap else p) for p, chance in end.least.items())
    assert mean - rules.penalty * end.bust == turn.value


def test_mean_best_is_the_average_over_all_46656_rolls():
    # Oracle: every ordered roll, the best subset by the package's score of selections alone.
    from collections import Counter
    from itertools import combinations_with_replacement
    from math import factorial, prod

    total = busts = 0
    for roll in combinations_with_replacement(range(1, 7), 6):
        ways = factorial(6) // prod(factorial(n) for n in Counter(roll).values())
        counts = Counter(roll)
        parts = [[]]
        for face, n in counts.items():
            parts = [[*p, *[face] * k] for p in parts for k in range(n + 1)]
        best = max(KCD.score(part) for part in parts)
        total += ways * best
        busts += ways * (best == 0)
    menus = menus_of(KCD, SIX_FAIR, prune=True)
    assert menus.mean_best(6) == mpq(total, 6**6)
    assert menus.bust_chance(6) == mpq(busts, 6**6)


def test_without_a_target_a_sweep_from_twice_the_bound_gives_the_same():
    # The bound is a theorem: forcing to bank only from much higher points changes nothing.
    rules = KCD.varied(target=None)
    menus = menus_of(rules, SIX_FAIR, prune=True)
    bound = certain_banking_bound(menus)
    wide = TurnSweep(menus, points_payoff(rules, 2 * bound))
    turn = solve(rules=rules)
    for state in SIX_FAIR.proper_states():
        for points in (0, 500, 3000, bound - 50, bound, bound + 50, bound + 1000):
            number = wide.value(points // 50, state)
            assert wide.base.rational(number) == turn.rolling_worth(points, state)
            if points >= bound:
                assert turn.optimal(points, state) <= 0


def test_text_of_a_solution_names_the_problem():
    # The value is E[best], which the test above finds by enumeration.
    turn = solve(rules=KCD.varied(target=50))
    assert (
        str(turn) == "TurnOptimum(kcd, dice=fair*6, target=50, overshoot=full): 399.1126543 points"
    )


def test_a_sweep_that_would_not_fit_is_refused_with_an_estimate():
    # Six dice bust with a chance of about 10⁻¹⁵: banking is certain only at some 10¹⁸ points.
    with pytest.raises(TooLargeError, match=r"a turn with rolls up to [0-9]+ points needs about"):
        solve("994:1:1:1:1:1*6", KCD.varied(target=None))


def test_exact_values_are_refused_as_soon_as_they_take_more_than_the_run_allows():
    run = Run(memory=400_000)  # enough for the policy
    with pytest.raises(TooLargeError, match="the exact value of so long a turn needs"):
        solve(rules=KCD, run=run).optimal()
    assert solve(rules=KCD, run=Run(memory=None)).optimal() == solve(rules=KCD).optimal()


def test_a_law_that_would_not_fit_is_refused_with_the_limit():
    turn = solve(rules=KCD.varied(target=1000))
    assert ends_of_turn(turn.sweep, 0, turn.dice.full).mean() == turn.value
    with pytest.raises(TooLargeError, match="target: the exact distribution would need more than"):
        ends_of_turn(turn.sweep, 0, turn.dice.full, most=10)
    with pytest.raises(TooLargeError, match="the exact distribution of so long a turn needs about"):
        ends_of_turn(turn.sweep, 0, turn.dice.full, Run(memory=10))


def test_progress_rises_to_all_numbers_of_points():
    told = []
    run = Run(progress=lambda _, done, points: told.append((done, points)))
    solve(rules=KCD.varied(target=60_000), run=run)
    # Points below the target are multiples of 50: 0, 50, …, 59950.
    assert told == sorted(told)
    assert len(told) > 1
    assert told[-1] == (1200, 1200)


def test_enclosures_take_no_exact_values_below_the_target():
    turn = solve("fair*3", KCD.varied(target=500))
    whole = turn.state(None)
    with patch.object(TurnSweep, "value", side_effect=AssertionError("an exact value")):
        bounds = {points: turn.rolling_bounds(points, whole) for points in (0, 450, 500)}
    for points, enclosure in bounds.items():
        assert turn.rolling_worth(points, whole) in enclosure
    assert bounds[500].point is not None


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
