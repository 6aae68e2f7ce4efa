"""Races of two, exactly: against bounds by the definition, brute force, and chains."""

from fractions import Fraction
from itertools import product

import pytest
from farkle_cases import dice, rule_sets
from farkle_race_oracle import SlowPlayer, slow_bounds
from gmpy2 import mpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_farkle_turns import slow_chain

from exactdice.arithmetic import to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle.chase import race
from exactdice.games.farkle.races import solve
from exactdice.games.farkle.races.chances import Contender, WinChances, contender
from exactdice.games.farkle.races.solve import exact_bits, race_to_win, win_exactly
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.tables import KCD
from exactdice.models import LockedTurns, Race
from exactdice.rooms import ask
from exactdice.run import Run


@st.composite
def race_rules(draw):
    """Small rules, some of them with an entry minimum."""
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
            bust, denominator = player.menus.bust_weight(state)
            assume(10 * bust <= 9 * denominator)
        made.append(player)
    return made


small_dice = dice.filter(lambda some: len(some) < 3)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(small_dice, small_dice, race_rules(), race_rules())
def test_optimal_play_of_both_lies_within_bounds_iterated_from_0_and_1(one, two, rules, others):
    first, second = contenders((one, two), (rules, others))
    assume(first.rules.unit == second.rules.unit == 50)
    found = win_exactly(first, second)
    low, high = slow_bounds([SlowPlayer(one, rules), SlowPlayer(two, others)], 8)
    for who, own, other in low:
        exact = to_fraction(found.chance(own, other, who).point)
        assert low[who, own, other] <= exact <= high[who, own, other]


def test_optimal_play_is_pinned_down_by_many_passes():
    rules = KCD.varied(target=150)
    one, two = parse_dice("fair*2").dice, parse_dice("odd,lucky").dice
    found = win_exactly(contender("fair*2", rules), contender("odd,lucky", rules))
    low, high = slow_bounds([SlowPlayer(one, rules), SlowPlayer(two, rules)], 40)
    for who, own, other in low:
        exact = to_fraction(found.chance(own, other, who).point)
        assert low[who, own, other] <= exact <= high[who, own, other]
        assert high[who, own, other] - low[who, own, other] < Fraction(1, 10**5)


def test_the_race_of_two_alike_is_that_of_any_turns_in_which_dice_stay_aside():
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


def chain_value(ones, fives, plays):
    """Chance of player 0 to win to 100 points with one die each, by the policies of both.

    Only with 50 points in a turn from a score of 0 is there a choice: `plays[who][other]` says
    whether to roll again against a score of 0 and of 50. A one wins at once there, and so does a
    five from 50.
    """
    values = {}

    def terms(who, own, other):
        """(constant, slope) of the chance to win, by that of a turn that adds nothing."""
        one, five = ones[who], fives[who]
        bust = 1 - one - five
        if own == 50:
            return one + five, bust
        if plays[who][other // 50]:
            return one + five * (one + five), five * bust + bust
        return one + five * (1 - values[1 - who, other, 50]), bust

    for a, b in ((50, 50), (50, 0), (0, 50), (0, 0)):
        (c, s), (d, t) = terms(0, a, b), terms(1, b, a)
        # x = c + s(1 − y) and y = d + t(1 − x)
        x = (c + s * (1 - d - t)) / (1 - s * t)
        values[0, a, b], values[1, b, a] = x, d + t * (1 - x)
    return values


@pytest.mark.slow
@given(st.lists(st.integers(1, 5), min_size=12, max_size=12))
def test_tiniest_race_by_brute_force_over_all_policies(weights):
    first, second = tuple(weights[:6]), tuple(weights[6:])
    ones = [Fraction(w[0], sum(w)) for w in (first, second)]
    fives = [Fraction(w[4], sum(w)) for w in (first, second)]
    rules = KCD.varied(target=100)
    specs = [":".join(map(str, w)) for w in (first, second)]
    found = win_exactly(*(contender(spec, rules) for spec in specs))
    policies = list(product((False, True), repeat=2))
    for who, own, other in ((0, 0, 0), (0, 0, 50), (0, 50, 0), (1, 0, 0), (1, 0, 50), (1, 50, 0)):

        def value(mine, theirs, key=(who, own, other)):
            plays = (mine, theirs) if key[0] == 0 else (theirs, mine)
            return chain_value(ones, fives, plays)[key]

        lower = max(min(value(mine, theirs) for theirs in policies) for mine in policies)
        upper = min(max(value(mine, theirs) for mine in policies) for theirs in policies)
        assert to_fraction(found.chance(own, other, who).point) == lower == upper


@pytest.mark.parametrize("specs", [("fair*2", "odd,lucky"), ("fair", "fair*2")])
def test_players_for_points_race_as_their_chains_do(specs):
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


def test_players_for_points_win_as_often_as_in_the_race_that_adds_up_turns():
    rules = KCD.varied(target=500)
    found = win_exactly(contender("fair*3", rules, "points"), contender("fair*2", rules, "points"))
    assert found.chance().point in race("fair*3", "fair*2", rules)


@settings(max_examples=25, deadline=None)
@given(small_dice, small_dice, race_rules())
def test_playing_to_win_is_never_worse_than_playing_for_points(one, two, rules):
    seeing, blind = contenders((one, one), (rules, rules), ("win", "points"))
    (other,) = contenders((two,), (rules,), ("points",))
    looking, unlooking = win_exactly(seeing, other), win_exactly(blind, other)
    worth = race_to_win(seeing, other, exact=True).looking
    assert worth.point == looking.chance().point - unlooking.chance().point >= 0


def test_equal_players_are_solved_alike_whether_they_are_told_apart_or_not():
    rules = KCD.varied(target=250)
    one, same = contender("fair,odd", rules), contender("odd,fair", rules)
    assert one != same
    together, apart = win_exactly(one, one), win_exactly(one, same)
    for own, other, who in product(range(0, 250, 50), range(0, 250, 50), (0, 1)):
        assert together.chance(own, other, who) == apart.chance(own, other, who)


def test_a_turn_from_its_beginning_is_worth_what_the_race_is_worth():
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

    monkeypatch.setattr(solve, "win_exactly", counting)
    asked = "farkle race --target 150 --first 'fair*3' --second 'fair*2' --play"
    for _ in range(2):
        for words in ("optimal", "optimal --step 50", "optimal-points", "optimal-points --step 50"):
            ask(f"{asked} {words}")
    assert len(solved) == len(set(solved)) == 4


def test_progress_ends_with_all_pairs_of_scores():
    told = []
    rules = KCD.varied(target=150)
    run = Run(progress=lambda *news: told.append(news))
    win_exactly(contender("fair", rules), contender("odd", rules), run)
    assert told[-1] == ("pairs of scores", 9, 9)
    assert [done for _, done, _ in told] == list(range(1, 10))


def test_a_turn_of_very_many_points_is_refused_before_its_endings_are_listed():
    far = contender("fair", KCD.varied(target=10**15))
    found = WinChances(far, far, lambda *_: pytest.fail("a chance was asked for"))
    with pytest.raises(TooLargeError, match=r"a turn with rolls up to 10{15} points needs"):
        found.turn()


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
