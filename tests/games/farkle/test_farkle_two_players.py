"""Races of two, exactly: against bounds by the definition, brute force and general solvers."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from farkle_cases import dice, places_left, rule_sets
from farkle_oracle import SlowPlayer, slow_bounds
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_farkle_turns import slow_chain

from exactdice import native
from exactdice.arithmetic import to_fraction
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle.chase import TargetPlayer
from exactdice.games.farkle.model import RaceState, as_game, as_race
from exactdice.games.farkle.races import solve as solving
from exactdice.games.farkle.races.chances import (
    Contender,
    WinChances,
    advise_to_win,
    contender,
    win_thresholds,
)
from exactdice.games.farkle.races.play import BUST, lookahead
from exactdice.games.farkle.races.solve import enclose_streaks, exact_bits, race_to_win, win_exactly
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import solve
from exactdice.models import LockedTurns, Race, optimum
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.solve.play import optimally, play, played_by_seed, total_regret


@st.composite
def race_rules(draw):
    rules = draw(rule_sets(penalties=False))
    entry = 50 * draw(st.integers(0, rules.target // 50)) if draw(st.booleans()) else 0
    return rules.varied(target=min(rules.target, 250), minimum_bank=0, entry_minimum=0).varied(
        minimum_bank=min(rules.minimum_bank, 100, rules.target, 250),
        entry_minimum=min(entry, 250, rules.target),
    )


def contenders(draw_dice, draw_rules, aims=("win", "win")):
    """Two players of whom each scores in at least one roll in ten, or a case to pass over."""
    made = []
    for some_dice, rules, aim in zip(draw_dice, draw_rules, aims, strict=True):
        try:
            player = Contender(DiceSet(some_dice), rules, aim)
        except InputError:
            assume(False)
        for state in player.dice.proper_states():
            rolled = player.menus.by_state[state]
            bust, denominator = rolled.bust, rolled.denominator
            assume(10 * bust <= 9 * denominator)
        made.append(player)
    return made


small_dice = dice.filter(lambda some: len(some) < 3)


def test_optimal_play_is_pinned_down_by_many_passes():
    rules = KCD.varied(target=150)
    one, two = parse_dice("fair*2").dice, parse_dice("odd,lucky").dice
    found = win_exactly(contender("fair*2", rules), contender("odd,lucky", rules))
    low, high = slow_bounds([SlowPlayer(one, rules), SlowPlayer(two, rules)], 40)
    for who, own, other, *none in low:
        exact, at = to_fraction(found.chance(own, other, who).point), (who, own, other, *none)
        assert low[at] <= exact <= high[at] < low[at] + Fraction(1, 10**5)


def test_a_race_of_equal_players_agrees_with_the_general_race_solver():
    player = contender("fair*3", KCD.varied(target=500))
    menus, rules = player.menus, player.rules

    def roll(state):
        offered = menus.by_state[state[1]]
        showing = offered.menus | ({(): offered.bust} if offered.bust else {})
        return None if state[0] >= rules.target else Distribution(showing)

    def keep(state, menu):
        return [(state[0] + score, menus.next_state(left)) for score, left in menu]

    turns = LockedTurns((0, player.dice.full), roll, keep, lambda state: state[0] > 0)
    general = Race(turns, lambda end: end[0] // 50, rules.target // 50).enclosed("1e-20")
    own = win_exactly(player, player)
    for mine, theirs in product(range(0, rules.target, 50), repeat=2):
        assert own.chance(mine, theirs, 0).point in general.chance(mine // 50, theirs // 50)


@pytest.mark.parametrize("specs", [("fair*2", "odd,lucky"), ("fair", "fair*2")])
def test_races_for_points_agree_with_chains_of_turns(specs):
    rules = KCD.varied(target=300)
    chains = [slow_chain(rules, parse_dice(spec).dice) for spec in specs]
    found = win_exactly(*(contender(spec, rules, "points") for spec in specs))
    values = {}
    for r in range(50, 350, 50):
        for s in range(50, 350, 50):
            # x = c + s (1 − y), y = d + t (1 − x), with what the turn adds taken from the chains.
            c = sum(
                p * (1 - values[1, s, after] if after else 1)
                for after, p in chains[0][r].items()
                if after != r
            )
            d = sum(
                p * (1 - values[0, r, after] if after else 1)
                for after, p in chains[1][s].items()
                if after != s
            )
            stay, wait = chains[0][r].get(r, 0), chains[1][s].get(s, 0)
            x = (c + stay * (1 - d - wait)) / (1 - stay * wait)
            values[0, r, s], values[1, s, r] = x, d + wait * (1 - x)
            assert to_fraction(found.chance(300 - r, 300 - s).point) == x
            assert to_fraction(found.chance(300 - s, 300 - r, 1).point) == values[1, s, r]


@settings(max_examples=25, deadline=None)
@given(small_dice, small_dice, race_rules())
def test_playing_to_win_is_never_worse_than_playing_for_points(one, two, rules):
    seeing, blind = contenders((one, one), (rules, rules), ("win", "points"))
    (other,) = contenders((two,), (rules,), ("points",))
    looking, unlooking = win_exactly(seeing, other), win_exactly(blind, other)
    worth = race_to_win(seeing, other, 0, 0, exact=True).looking
    assert worth.point == looking.chance().point - unlooking.chance().point >= 0


def test_chances_of_equal_players_and_of_turns():
    rules = KCD.varied(target=250)
    one, same = contender("fair,odd", rules), contender("odd,fair", rules)
    assert one != same
    together, apart = win_exactly(one, one), win_exactly(one, same)
    for own, other, who in product(range(0, 250, 50), range(0, 250, 50), (0, 1)):
        assert together.chance(own, other, who) == apart.chance(own, other, who)
    rules = KCD.varied(target=500)
    found = win_exactly(contender("fair*6", rules), contender("odd*2", rules))
    turn = found.turn(100, 50)
    assert turn.rolling(0, 6) == found.chance(100, 50)
    assert turn.banking(0) is None
    assert turn.banking(100).point == 1 - found.chance(50, 200, 1).point
    assert turn.banking(400).point == turn.banking(9000).point == 1


def test_a_race_is_solved_once_for_its_chance_its_list_and_both_aims(monkeypatch):
    solved = []

    def counting(first, second, run):
        solved.append((first.aim, second.aim))
        return win_exactly(first, second, run)

    monkeypatch.setattr(solving, "win_exactly", counting)
    asked = "farkle race --target 150 --first 'fair*3' --second 'fair*2' --play"
    for _ in range(2):
        for words in ("optimal", "optimal --step 50", "optimal-points", "optimal-points --step 50"):
            ask(f"{asked} {words}")
    assert len(solved) == len(set(solved)) == 4


def test_progress_and_limits_of_races():
    told = []
    rules = KCD.varied(target=150)
    run = Run(progress=lambda *news: told.append(news))
    win_exactly(contender("fair", rules), contender("odd", rules), run)
    assert told[-1] == ("pairs of scores", 9, 9)
    assert [done for _, done, _ in told] == list(range(1, 10))
    far = contender("fair", KCD.varied(target=10**15))
    found = WinChances(far, far, lambda *_: pytest.fail("a chance was asked for"))
    with pytest.raises(TooLargeError, match=r"a turn with rolls up to 10{15} points needs"):
        found.turn()
    rules = KCD.varied(target=100)
    player = contender("1:2000:0:0:0:0", rules)
    _, won = played_by_seed(lookahead(win_exactly(player, player)), 1, None)
    assert won in (0, 1)


def test_two_players_of_whom_neither_can_win_in_one_turn():
    # Each turn adds 100 points with chance 1/2, and 200 are needed: with x, y, z the chances of
    # the mover at 1–1, 1–2 and 2–1 turns to go, x = 1/2 + (1 − x)/2, and so on upwards.
    rules = KCD.varied(target=200, hot_dice=False)
    player = contender("1:1:0:0:0:0", rules)
    found, half = win_exactly(player, player), mpq(1, 2)
    level = 1 / (2 - half)
    ahead, behind = found.chance(100, 0).point, found.chance(0, 100).point
    assert found.chance(100, 100).point == level
    assert ahead == half + half * (1 - behind)
    assert behind == half * (1 - level) + half * (1 - ahead)
    start = found.chance().point
    assert start == half * (1 - behind) + half * (1 - start)


@pytest.mark.slow
def test_estimate_of_bits_is_not_less_than_what_is_found_nor_ten_times_as_much():
    rules = KCD.varied(target=500)
    for spec in ("fair*2", "fair*3", "odd"):
        player = contender(spec, rules)
        chance = win_exactly(player, player).chance().point
        bits = mpq(chance).denominator.bit_length()
        assert bits <= exact_bits(player, player) < 10 * bits


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


@settings(max_examples=20, deadline=None)
@given(dice.filter(lambda some: len(some) < 3), race_rules(), st.data())
def test_choices_to_win_agree_with_the_definition(some_dice, rules, data):
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
def test_thresholds_to_win_agree_with_the_definition(entry_minimum):
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


def test_a_race_is_reported_and_may_have_no_single_threshold(race_to_500):
    # By the definition, in the test above: rolling is better, then banking, then rolling again.
    found = win_thresholds(win_exactly(race_to_500.second, race_to_500.second), 0, 450)[0]
    assert len(found.roll) == 2
    assert found.bank_from is None
    assert advise_to_win(race_to_500, "2,3") == []
    report = race_to_500.report()
    rows = report.table("chances").rows
    assert len(rows) == 16
    assert rows[0] == (0, 0, race_to_500.chance().point)
    assert all(chance == race_to_500.chance(own, other).point for own, other, chance in rows)
    hazy = blurred(race_to_500).report()
    assert hazy.value("value") == blurred(race_to_500).chance()
    assert "<table" in race_to_500._repr_html_()
    assert repr(race_to_500.first) == "Contender(fair,odd to 500 (kcd) for win)"


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


def advised(chances, steps):
    for _, state, action, regrets in steps:
        player = chances.players[state.who]
        own, other, who, busts = state.standing
        place = own, other, state.points, player.dice.describe(state.left), who, busts
        ways = advise_to_win(chances, state.roll, *place)
        assert (action == BUST) == (not ways)
        if ways:
            assert list(regrets.items()) == [(each.way, each.regret) for each in ways]
            best = largest([each.value for each in ways])
            assert lookahead(chances).worth(state) == (1 - best if who else best)
    return True


@pytest.mark.parametrize("parts", [0, 1000])
def test_regrets_of_a_careless_player_agree_with_advice(race_to_500, parts):
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
def test_an_opponent_for_points_has_the_distribution_of_a_target_player():
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


def test_banking_at_the_minimum():
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
    player = contender("fair*2", KCD.varied(target=300, entry_minimum=100))
    found = win_exactly(player, player)
    for roll, own, ways in (
        ("1,2", 0, {("bank", 100), ("roll", 100)}),
        ("5,2", 0, {("roll", 50)}),
        ("5,2", 50, {("bank", 50), ("roll", 50)}),
    ):
        assert {(one.then, one.score) for one in advise_to_win(found, roll, own)} == ways


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


def test_races_as_games_begin_without_points_and_may_be_stranded():
    rules = KCD.varied(target=100)
    players = contender("fair", rules), contender("odd", rules)
    begun = as_race(*players)
    assert begun.initial == RaceState(0, (0, 0), (0, 0), (0, 1))
    assert optimum(begun.explored()).value == win_exactly(*players).value.point
    # By hand: a one, with 1/6, wins; a five is too little to bank, and there is nothing to roll.
    player = contender("fair", KCD.varied(target=100, minimum_bank=100, hot_dice=False))
    wins = mpq(1, 6) / (1 - mpq(5, 6) ** 2)
    assert optimum(as_race(player, player).explored()).value == wins
    assert win_exactly(player, player).value.point == wins


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(small_dice, small_dice, race_rules(), race_rules())
def test_exact_races_agree_with_general_solvers(one, two, rules, others):
    """The game keeps every option of a roll, those too that the solver drops as never better."""
    players = contenders((one, two), (rules, others))
    solved_race = win_exactly(*players)
    for (who, own, other, _), chance in chances_by_the_rules(players).items():
        assert solved_race.chance(own, other, who).point == chance


@pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")
def test_enclosed_races_with_streaks_agree_with_general_solvers():
    rules = KCD.varied(target=100, streak_penalty=50, floor=50)
    players = contender("fair*2", rules), contender("fair,odd", rules)
    enclosed = enclose_streaks(*players)
    for (who, own, other, busts), chance in chances_by_the_rules(players).items():
        assert chance in enclosed.chance(own, other, who, busts)
