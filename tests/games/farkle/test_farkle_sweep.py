"""The two tiers of a sweep: near keys are settled exactly, and ties are broken as stated."""

import pytest
from farkle_cases import dice, rule_sets
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import points_payoff, solve
from exactdice.games.farkle.turn.sweep import Base, TurnPayoff, TurnSweep


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]))
def test_keys_are_lower_bounds_within_one_unit_a_level(rules, some_dice, overshoot):
    sweep = solve(DiceSet(some_dice), rules, overshoot).sweep
    for level in range(sweep.payoff.levels):
        for state in range(1, sweep.states):
            key = int(sweep.keys[level, state])
            if key > -(1 << 62):
                exact = sweep.base.floor(sweep.value(level, state), sweep._bits)
                assert 0 <= exact - key <= sweep.payoff.levels + 1


def test_a_tie_between_options_goes_to_the_higher_score():
    # Faces 1 and 2 only. A 1 scores 50, a pair of 2 scores 100; rolling two dice or one after it is
    # worth the same only where the target makes it so: needed points reached either way.
    rules = RuleSet("tie", (Combination((1,), 50), Combination((2,), 50)), dice=2, target=200)
    turn = solve("1:1:0:0:0:0*2", rules, "needed")
    # Every die scores, so nothing busts: the target is certain, and every way to it is a tie.
    assert turn.value == 200
    assert turn.sweep.ties
    for (level, menu), tied in turn.sweep.ties.items():
        assert turn.sweep.choice[level, menu] == tied[0]
        scores = [turn.sweep._layout.score[o] for o in tied if o >= 0]
        assert scores == sorted(scores, reverse=True)


def test_a_tie_between_banking_and_rolling_is_banked():
    # One die, faces 1 (50 points) and 2 (nothing) with equal chance: at 50 points, one roll of a
    # second life is worth (100 + …)/2; with a target of 100 that is exactly 50.
    rules = RuleSet("even", (Combination((1,), 50),), dice=1, target=100)
    turn = solve("1:1:0:0:0:0", rules)
    assert turn.optimal(50) == 0
    assert not turn.worth_rolling(50, 1)
    assert turn.sweep.roll_ties == {1 * turn.sweep.states + 1}


def test_banking_that_ties_with_rolling_on_less_is_preferred():
    # Banking 100 now, or keeping 50 and rolling a die that always scores 50: the same.
    rules = RuleSet("sure", (Combination((1,), 50),), dice=2, target=100, hot_dice=False)
    turn = solve("1:0:0:0:0:0*2", rules, "needed")
    assert turn.value == 100
    step = turn.sweep.step(0, 2)
    assert (step.bank, step.roll) == ({2: 1}, {})


def test_payoffs_may_be_fractions_over_powers_of_the_denominator():
    # One fair die, banking is worth 1/6² whatever the points: a bust costs, a 1 or a 5 does not.
    few = parse_dice("fair")
    menus = menus_of(KCD.varied(hot_dice=False), few, prune=True)
    flat = [(mpz(1), 2)] * (2 + KCD.highest_score // 50)
    sweep = TurnSweep(menus, TurnPayoff(2, flat, (mpz(0), 0), (mpz(0), 0)))
    assert sweep.base.rational(sweep.value(0, 1)) == mpq(2, 6) * mpq(1, 36)


def test_powers_gather_into_one_number():
    base = Base(6)
    assert base.gather({}) == (0, 0)
    # 1/6 + 1/216 = 37/216
    assert base.gather({1: mpz(1), 3: mpz(1)}) == (37, 3)
    assert base.compare((mpz(1), 1), (mpz(6), 2)) == 0
    assert base.compare((mpz(-1), 1), (mpz(0), 0)) < 0
    assert base.floor((mpz(-1), 1), 0) == -1


def test_a_worth_of_banking_that_is_barred_is_never_read():
    payoff = points_payoff(KCD.varied(minimum_bank=100), 200)
    sweep = TurnSweep(
        menus_of(KCD.varied(minimum_bank=100), parse_dice("fair"), prune=True), payoff
    )
    with pytest.raises(AssertionError, match="never chosen"):
        sweep._banked(0)
