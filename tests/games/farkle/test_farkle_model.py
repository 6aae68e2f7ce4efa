"""The sweep and the race against the general solvers, which know nothing of points or dice."""

from itertools import product

import pytest
from farkle_cases import dice, rule_sets
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from test_farkle_two_players import contenders, race_rules, small_dice

from exactdice.games.farkle.model import RaceState, as_game, as_race
from exactdice.games.farkle.races.chances import contender
from exactdice.games.farkle.races.solve import enclose_streaks, win_exactly
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


def chances_by_the_rules(players):
    """Chance of the mover to win, by mover, scores and busts in a row: from the rules as a game."""
    game, starts = as_race(*players), {}
    rows = range(3 if players[0].rules.streak_penalty else 1)
    unit = players[0].rules.unit
    scores = [range(unit * player.floor, player.target, unit) for player in players]
    for who, *standing in product((0, 1), *scores, rows, rows):
        turn = (0, players[who].dice.full)
        starts[who, *standing] = RaceState(who, tuple(standing[:2]), tuple(standing[2:]), turn)
    best = optimum(game.explored(also=starts.values()))
    best.certificate().check(game)
    chances = {}
    for (who, *standing), state in starts.items():
        mine, yours = (standing[::2], standing[1::2])[:: -1 if who else 1]
        wins = best.value_of(state)
        chances[who, mine[0], yours[0], (mine[1], yours[1])] = 1 - wins if who else wins
    return chances


def test_a_race_as_a_game_begins_with_no_points_and_no_busts():
    rules = KCD.varied(target=100)
    players = contender("fair", rules), contender("odd", rules)
    begun = as_race(*players)
    assert begun.initial == RaceState(0, (0, 0), (0, 0), (0, 1))
    assert optimum(begun.explored()).value == win_exactly(*players).value.point


def test_a_turn_that_may_neither_go_on_nor_be_banked_ends_without_points():
    # By hand: a one, with 1/6, wins; a five is too little to bank, and there is nothing to roll.
    player = contender("fair", KCD.varied(target=100, minimum_bank=100, hot_dice=False))
    wins = mpq(1, 6) / (1 - mpq(5, 6) ** 2)
    assert optimum(as_race(player, player).explored()).value == wins
    assert win_exactly(player, player).value.point == wins


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(small_dice, small_dice, race_rules(), race_rules())
def test_exact_races_are_worth_what_the_rules_as_a_game_give(one, two, rules, others):
    """The game keeps every option of a roll, those too that the solver drops as never better."""
    players = contenders((one, two), (rules, others))
    solved_race = win_exactly(*players)
    for (who, own, other, _), chance in chances_by_the_rules(players).items():
        assert solved_race.chance(own, other, who).point == chance


def test_races_with_busts_in_a_row_are_enclosed_around_what_the_rules_as_a_game_give():
    rules = KCD.varied(target=100, streak_penalty=50, floor=50)
    players = contender("fair*2", rules), contender("fair,odd", rules)
    enclosed = enclose_streaks(*players)
    for (who, own, other, busts), chance in chances_by_the_rules(players).items():
        assert chance in enclosed.chance(own, other, who, busts)
