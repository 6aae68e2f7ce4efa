"""Advice, thresholds and games to win, against all rolls and all selections by the definition."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from farkle_cases import dice, places_left
from farkle_race_oracle import SlowPlayer
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from test_farkle_two_players import contenders, race_rules

from exactdice.arithmetic import to_fraction
from exactdice.enclosure import Enclosure
from exactdice.games.farkle.chase import TargetPlayer
from exactdice.games.farkle.races.chances import (
    WinChances,
    advise_to_win,
    contender,
    win_thresholds,
)
from exactdice.games.farkle.races.play import BUST, lookahead
from exactdice.games.farkle.races.solve import win_exactly
from exactdice.games.farkle.rules.dice_sets import parse_dice
from exactdice.games.farkle.rules.tables import KCD
from exactdice.solve.play import optimally, play, played_by_seed, total_regret


@pytest.fixture(scope="module")
def race_to_500():
    rules = KCD.varied(target=500)
    return win_exactly(contender("fair,odd", rules), contender("fair*2", rules))


def blurred(chances, parts=1000):
    """The same race, known to within one of so many parts."""
    width = mpq(1, parts)

    def found(who, own, other, busts):
        exact = chances.solved(who, own, other, busts).point
        return Enclosure(max(mpq(0), exact - width), min(mpq(1), exact + width))

    return WinChances(chances.first, chances.second, found)


@pytest.mark.parametrize("scores", [(0, 0), (300, 450), (450, 0)])
def test_best_choices_of_all_rolls_average_to_the_chance_to_win(race_to_500, scores):
    faces = [die.distribution() for die in parse_dice("fair,odd").dice]
    total = mpq(0)
    for roll in product(range(1, 7), repeat=2):
        chance = faces[0].probability(roll[0]) * faces[1].probability(roll[1])
        offered = advise_to_win(race_to_500, roll, *scores)
        nothing = race_to_500.turn(*scores).nothing
        total += chance * (offered[0].value if offered else nothing).point
    assert total == race_to_500.chance(*scores).point


@settings(max_examples=20, deadline=None)
@given(dice.filter(lambda some: len(some) < 3), race_rules(), st.data())
def test_each_choice_is_worth_what_the_definition_says(some_dice, rules, data):
    (player,) = contenders((some_dice,), (rules,), ("win",))
    found = win_exactly(player, player)
    slow = SlowPlayer(player.dice.dice, rules)
    own, other = (50 * data.draw(st.integers(0, rules.target // 50 - 1)) for _ in range(2))

    def bank(points):
        return to_fraction(found.after(0, own + points, other).point)

    nothing = to_fraction(found.after(0, own, other).point)
    turn = slow.turn_of(own, bank, nothing)
    best = Fraction(0)
    for chance, options in turn.rolls(turn.all):
        ways = [worth for s, rest in options for worth in turn.choices(0, s, rest, None)]
        best += chance * (max(ways) if ways else nothing)
    assert to_fraction(found.chance(own, other).point) == best
    roll = tuple(data.draw(st.sampled_from(sorted(die.distribution()))) for die in player.dice.dice)
    for choice in advise_to_win(found, roll, own, other):
        score, left = choice.score, choice.left
        rest = places_left(player.dice, left)
        worths = list(turn.choices(0, score, rest, None))
        assert to_fraction(choice.value.point) in worths
        assert choice.regret.point >= 0
        assert choice.best == (choice.regret.point == 0)


@pytest.mark.parametrize("entry_minimum", [0, 150])
def test_thresholds_are_where_rolling_and_banking_cross(entry_minimum):
    rules = KCD.varied(target=500, entry_minimum=entry_minimum)
    race = win_exactly(contender("fair,odd", rules), contender("fair*2", rules))
    slow = SlowPlayer(parse_dice("fair,odd").dice, rules)
    for own, other in ((0, 0), (0, 450), (250, 100)):

        def bank(points, own=own, other=other):
            return to_fraction(race.after(0, own + points, other).point)

        turn, least = slow.turn_of(own, bank, bank(0)), 0 if own else entry_minimum
        for threshold in win_thresholds(race, own, other):
            left = places_left(parse_dice("fair,odd"), threshold.left)
            gains = {p: turn.final(p, left) - bank(p) for p in range(50, 500 - own, 50)}
            rolls = [p for p, gain in gains.items() if gain > 0 or p < least]
            ties = [p for p, gain in gains.items() if gain == 0 and p >= least]
            listed = [p for a, b in threshold.roll for p in range(a, b + 50, 50)]
            assert (listed, list(threshold.ties), threshold.unsettled) == (rolls, ties, ())
            later = [p for p in range(50, 500 - own, 50) if p not in rolls]
            if threshold.bank_from is not None:
                assert later == list(range(threshold.bank_from, 500 - own, 50))
            elif later:  # rolling is better again above some points at which it is not
                assert max(rolls) > min(later)


def test_no_single_threshold_behind_an_opponent_who_is_almost_there(race_to_500):
    # By the definition, in the test above: rolling is better, then banking, then rolling again.
    found = win_thresholds(win_exactly(race_to_500.second, race_to_500.second), 0, 450)[0]
    assert len(found.roll) == 2
    assert found.bank_from is None


def test_enclosures_leave_open_what_is_close_and_settle_the_rest(race_to_500):
    known = blurred(race_to_500)
    verdicts = set()
    for roll in ("1,5", "1,1", "5,5", "1,2"):
        exact = {c.way: c for c in advise_to_win(race_to_500, roll, 100, 200, 100)}
        for choice in advise_to_win(known, roll, 100, 200, 100):
            truth = exact[choice.way]
            assert truth.value.point in choice.value
            assert truth.regret.point in choice.regret
            assert choice.best in (None, truth.best)
            verdicts.add(choice.best)
    assert {True, False} <= verdicts
    for blurry, exact in zip(
        win_thresholds(known, 100, 200), win_thresholds(race_to_500, 100, 200), strict=True
    ):
        sure = {p for a, b in blurry.roll for p in range(a, b + 50, 50)}
        assert sure <= {p for a, b in exact.roll for p in range(a, b + 50, 50)}
    wide = win_thresholds(blurred(race_to_500, 2))
    assert all(threshold.unsettled and threshold.bank_from is None for threshold in wide)


def test_ties_are_all_best():
    # One die that shows a one or busts: at 100 of 200 points, either way is banked in the end.
    rules = KCD.varied(target=200)
    player = contender("1:0:0:0:1:0", rules)
    found = win_exactly(player, player)
    # From 0, with 150 in the turn, a five or a one wins at once, and no die can bust.
    choices = advise_to_win(found, "1", 100, 0, 0)
    assert [c.best for c in choices if c.value == choices[0].value] == [True] * sum(
        c.value == choices[0].value for c in choices
    )


@pytest.mark.slow
def test_optimal_players_give_nothing_away_and_win_about_as_often_as_they_should(race_to_500):
    look, games, wins = lookahead(race_to_500), 120, 0
    for seed in range(games):
        steps, won = played_by_seed(look, seed, None)
        assert not any(step.regret.upper for step in steps)
        wins += won
    chance = race_to_500.chance().point
    # Within four standard deviations of the mean of 120 games; the generator is seeded.
    assert (mpq(wins, games) - chance) ** 2 < 16 * chance * (1 - chance) / games


def advised(chances, steps):
    """Whether each choice of players who play to win is judged as advice judges it."""
    for _, state, action, regrets in steps:
        player = chances.players[state.who]
        own, other, who, busts = state.standing
        place = own, other, state.points, player.dice.describe(state.left), who, busts
        ways = advise_to_win(chances, state.roll, *place)
        assert (action == BUST) == (not ways)
        if ways:
            assert list(regrets.items()) == [(each.way, each.regret) for each in ways]
    return True


@pytest.mark.parametrize("parts", [0, 1000])
def test_a_careless_player_pays_as_advice_says(race_to_500, parts):
    chances = blurred(race_to_500, parts) if parts else race_to_500
    look, draw = lookahead(chances), Random(5)  # noqa: S311
    best = optimally(look, draw)

    def careless(state, player, regrets):
        return draw.choice([*regrets]) if player == 1 else best(state, player, regrets)

    steps, won = play(look, careless, draw)
    assert advised(chances, steps)
    assert total_regret(steps).lower > 0
    assert total_regret(steps, 2).lower == 0
    assert won in (0, 1)


@pytest.mark.slow
def test_a_rival_for_points_plays_by_the_law_of_a_chaser():
    rules = KCD.varied(target=300, entry_minimum=100)
    seeing, blind = contender("fair*2", rules), contender("fair,odd", rules, "points")
    chances = win_exactly(seeing, blind)
    look, games, wins, added = lookahead(chances), 400, 0, Counter()
    for seed in range(games):
        steps, won = played_by_seed(look, seed, None)
        assert not any(step.regret.upper for step in steps)
        assert all(len(step.regrets) == 1 for step in steps if step.player == 2)
        wins += won
        # What the rival's first turn added, by the last of its rolls.
        for _, state, way, _ in (step for step in steps if step.player == 2):
            if way == BUST or way.then == "bank":
                added[0 if way == BUST else state.points + way.score] += 1
                break
    chance = chances.chance().point
    assert (mpq(wins, games) - chance) ** 2 < 16 * chance * (1 - chance) / games
    # Within five standard deviations for each number of points; the generator is seeded.
    law = TargetPlayer("fair,odd", rules).needed_after(300)
    turns = sum(added.values())
    for points, times in added.items():
        if points < 300:
            expected = law[300 - points]
            assert (mpq(times, turns) - expected) ** 2 < 25 * expected * (1 - expected) / turns


def test_a_race_shows_itself_at_a_few_scores(race_to_500):
    report = race_to_500.report()
    rows = report.table("chances").rows
    assert len(rows) == 16
    assert rows[0] == (0, 0, race_to_500.chance().point)
    assert all(chance == race_to_500.chance(own, other).point for own, other, chance in rows)
    hazy = blurred(race_to_500).report()
    assert hazy.value("value") == blurred(race_to_500).chance()
    assert "<table" in race_to_500._repr_html_()
    assert repr(race_to_500.first) == "Contender(fair,odd to 500 (kcd) for win)"


def test_many_busts_in_a_row_are_gone_through():
    rules = KCD.varied(target=100)
    player = contender("1:2000:0:0:0:0", rules)
    _, won = played_by_seed(lookahead(win_exactly(player, player)), 1, None)
    assert won in (0, 1)


def test_a_turn_that_can_not_be_banked_ends_with_nothing():
    rules = KCD.varied(target=100, minimum_bank=100, hot_dice=False)
    player = contender("0:0:0:0:1:0,1:0:0:0:1:0", rules)
    found = win_exactly(player, player)
    (choice, *_) = advise_to_win(found, "5", 0, 0, 0, "0:0:0:0:1:0")
    assert choice.value == found.turn().nothing
    # The same where two fives, with no dice left, are 100 points of the 150 that may be banked.
    player = contender(player.dice, rules.varied(target=150, minimum_bank=150))
    look, ends = lookahead(win_exactly(player, player)), set()
    for seed in range(5):
        steps, won = played_by_seed(look, seed, None)
        banked = [step.state.points + step.action.score for step in steps]
        assert banked[-1] == 150  # who comes to the target wins
        assert won == (steps[-1].player == 1)
        for step, later in pairwise(steps):
            if step.action.then == "bank":
                ends.add((later.state.scores, later.state.who == step.state.who))
    assert ends == {((0, 0), False)}


def test_just_the_entry_minimum_may_be_banked():
    player = contender("fair*2", KCD.varied(target=300, entry_minimum=100))
    found = win_exactly(player, player)
    for roll, own, ways in (
        ("1,2", 0, {("bank", 100), ("roll", 100)}),
        ("5,2", 0, {("roll", 50)}),
        ("5,2", 50, {("bank", 50), ("roll", 50)}),
    ):
        assert {(one.then, one.score) for one in advise_to_win(found, roll, own)} == ways


def test_a_bust_has_no_choices(race_to_500):
    assert advise_to_win(race_to_500, "2,3") == []
