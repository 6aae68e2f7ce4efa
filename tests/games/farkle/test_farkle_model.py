"""The sweep against the package's general solvers, which know nothing of points or dice."""

import pytest
from farkle_cases import dice, rule_sets
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.farkle.model import as_game
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import solve
from exactdice.models import optimum


def solved(turn):
    """The turn as a model, from every roll that may come, with a certificate that was checked."""
    game = as_game(turn)
    rolls = [
        (points, state)
        for points in range(0, turn.end, turn.rules.unit)
        for state in turn.dice.proper_states()
    ]
    best = optimum(game.explored(also=rolls))
    best.certificate().check(game)
    for points, state in rolls:
        assert best.value_of((points, state)) == turn.rolling_worth(points, state)
    return best


@given(rule_sets(), dice.filter(lambda d: len(d) < 3), st.sampled_from(["full", "needed"]))
def test_chosen_options_are_the_first_of_the_optimal_actions(rules, some_dice, overshoot):
    turn = solve(DiceSet(some_dice), rules, overshoot)
    best, sweep = solved(turn), turn.sweep
    for points in range(0, turn.end, turn.rules.unit):
        level = points // turn.rules.unit
        for state in turn.dice.proper_states():
            first = sweep._layout.first_menu[state]
            for place, menu in enumerate(turn.menus.by_state[state].menus):
                actions = best.optimal_actions((points, state, place))
                option = int(sweep.choice[level, first + place])
                if option < 0:
                    assert actions[0] == "bank"
                else:
                    start = int(sweep._layout.start[first + place])
                    assert menu[option - start] in actions
                    assert "bank" not in actions


@pytest.mark.parametrize("overshoot", ["full", "needed"])
def test_a_model_of_six_fair_dice_gives_the_same_rationals(overshoot):
    solved(solve(rules=KCD.varied(target=500), overshoot=overshoot))
