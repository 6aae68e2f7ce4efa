"""The sweep against the package's general solvers, which know nothing of points or dice."""

import pytest
from farkle_cases import dice, rule_sets
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.exact import solve
from exactdice.games.farkle.process import END, turn_process
from exactdice.games.farkle.rule_tables import KCD
from exactdice.solvers.backward_induction import backward_induction
from exactdice.solvers.policy_iteration import policy_iteration


def assert_same_values(turn, solution):
    for points in range(0, turn.end, turn.rules.unit):
        for state in turn.dice.proper_states():
            assert solution.values[points, state] == turn.rolling_worth(points, state)


@given(rule_sets(), dice.filter(lambda d: len(d) < 3), st.sampled_from(["full", "needed"]))
def test_policy_iteration_over_the_whole_process_gives_the_same_rationals(
    rules, some_dice, overshoot
):
    turn = solve(DiceSet(some_dice), rules, overshoot)
    assert_same_values(turn, policy_iteration(turn_process(turn)))


@pytest.mark.parametrize("overshoot", ["full", "needed"])
def test_backward_induction_over_six_fair_dice_gives_the_same_rationals(overshoot):
    turn = solve(rules=KCD.varied(target=500), overshoot=overshoot)
    assert_same_values(turn, backward_induction(turn_process(turn)))


@given(rule_sets(), dice.filter(lambda d: len(d) < 3), st.sampled_from(["full", "needed"]))
def test_chosen_options_are_the_first_of_the_optimal_actions(rules, some_dice, overshoot):
    turn = solve(DiceSet(some_dice), rules, overshoot)
    process = turn_process(turn)
    optimal = backward_induction(process).optimal_actions
    sweep = turn.sweep
    for points in range(0, turn.end, turn.rules.unit):
        level = points // turn.rules.unit
        for state in turn.dice.proper_states():
            first = sweep._layout.first_menu[state]
            for place, menu in enumerate(turn.menus.by_state[state].menus):
                best = optimal[points, state, place]
                option = int(sweep.choice[level, first + place])
                if option < 0:
                    assert best[0] == "bank"
                else:
                    start = int(sweep._layout.start[first + place])
                    chosen = menu[option - start]
                    assert chosen in best
                    assert "bank" not in best


def test_a_certificate_can_be_written_for_a_turn():
    turn = solve("fair*2", KCD.varied(target=200))
    process = turn_process(turn)
    assert process.choices(END) == ()
    assert backward_induction(process).certificate() is not None
