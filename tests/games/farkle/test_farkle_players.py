"""Advice, thresholds, simple players and the ends of turns."""

from fractions import Fraction
from functools import cache

from farkle_cases import dice, every_state, places_left, rule_sets, slow
from farkle_oracle import subsets
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, named_dice, parse_dice
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.advice import advise
from exactdice.games.farkle.turn.exact import SIX_FAIR, solve
from exactdice.games.farkle.turn.forward import ThresholdPlayer, ends_of_turn, thresholds, turn_end


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]), st.data())
def test_every_choice_has_the_value_of_the_definition(rules, some_dice, overshoot, data):
    # Oracle: every subset of the dice rolled, banked or rolled on, by the definition.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    points = 50 * data.draw(st.integers(0, rules.target // 50 - 1))
    faces = [data.draw(st.sampled_from(sorted(d.distribution()))) for d in some_dice]
    choices = advise(turn, faces, points)
    expected = set()
    for kept in subsets(range(len(faces))):
        keep = tuple(sorted(faces[i] for i in kept))
        if score := rules.score(keep):
            rest = tuple(i for i in range(len(faces)) if i not in kept)
            state = turn.dice.state_of(some_dice[i] for i in rest)
            for worth in oracle.choices(points, score, rest, None):
                expected.add((keep, state, worth - points))
    found = [
        (c.keep, turn.dice.state_of(_others(some_dice, c.kept)), to_fraction(c.value.point))
        for c in choices
    ]
    assert set(found) == expected
    assert [c.regret for c in choices] == [choices[0].value - c.value for c in choices]
    assert all(c.regret >= 0 for c in choices)


def _others(some_dice, kept):
    others = list(some_dice)
    for die in kept:
        others.remove(die)
    return others


def test_dice_rolled_have_to_be_named_where_they_differ():
    turn = solve("fair*3,odd", KCD.varied(target=500))
    best = advise(turn, "5,1", 100, "odd,fair")[0]
    assert best.value == max(c.value for c in advise(turn, "1,5", 100, "fair,odd"))


def test_equal_dice_need_no_naming():
    turn = solve()
    assert advise(turn, "1,5,2", 100) == advise(turn, "1,5,2", 100, "3")
    assert advise(turn, "1,5,2", 100) == advise(turn, "1,5,2", 100, 3)


def test_kept_dice_are_told_apart():
    turn = solve("odd,fair", KCD.varied(target=300))
    kept = {(c.keep, c.kept) for c in advise(turn, "1,1") if len(c.keep) == 1}
    assert kept == {((1,), (named_dice()["odd"],)), ((1,), (FAIR,))}


def test_stranded_choice_is_worth_nothing():
    turn = solve("fair", KCD.varied(target=200, minimum_bank=200, hot_dice=False))
    (only,) = advise(turn, "1", 50)
    assert (only.then, only.value) == ("bank", -50)


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]))
def test_thresholds_say_where_rolling_is_better(rules, some_dice, overshoot):
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    ranges = {t.left: t.roll for t in thresholds(turn)}
    for points, state in every_state(rules, turn.dice):
        rolled = oracle.final(points, places_left(turn.dice, state))
        better = points < rules.minimum_bank or rolled > oracle.bank(points)
        assert better == any(low <= points <= high for low, high in ranges[state])


def test_thresholds_of_the_game_without_a_target():
    # 300 points with one die, 250 with two: the known play of a player who maximises the mean. By
    # hand for one die, where q = 2/3, mean 25, and hot dice are worth at most what they gain:
    # rolling at P gains 25 + (1/3)·h(P + 50 or 100) − 2P/3, with h about 480 at 300 points.
    turn = solve(rules=KCD.varied(target=None))
    for threshold in thresholds(turn):
        (only,) = threshold.roll
        assert only == (0, threshold.bank_from - 50)
        left = threshold.left
        assert turn.optimal(threshold.bank_from, left) <= 0 < turn.optimal(only[1], left)


def test_where_rolling_is_better_up_to_the_target_there_is_no_point_to_bank_from():
    six = thresholds(solve())[-1]
    assert six.roll == ((0, 5950),)
    assert six.bank_from is None


def test_points_to_bank_from_may_be_text():
    assert ThresholdPlayer(KCD, SIX_FAIR, "300") == ThresholdPlayer(KCD, SIX_FAIR, 300)


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]), st.data())
def test_a_threshold_player_is_worth_what_the_definition_says(rules, some_dice, overshoot, data):
    # Oracle: every ordered roll, by recursion; and no way to play is worth more than the best.
    least = max(rules.minimum_bank, rules.unit)
    bank_from = data.draw(st.integers(-(-least // rules.unit), 12)) * rules.unit
    oracle = slow(rules, some_dice, overshoot)
    kinds = DiceSet(some_dice)

    def number(rest):
        return kinds.state_of(some_dice[place] for place in rest)

    @cache
    def worth(points, left):
        total = Fraction(0)
        for chance, options in oracle.rolls(left):
            if not options:
                total += chance * oracle.bust
                continue
            gained, rest = max(options, key=lambda option: (option[0], number(option[1])))
            reached = points + gained
            following = rest or (oracle.all if rules.hot_dice else ())
            if reached >= min(bank_from, rules.target):
                total += chance * oracle.points_worth(reached)
            elif following:
                total += chance * worth(reached, following)
            elif reached >= rules.minimum_bank:
                total += chance * reached
        return total

    mean = ThresholdPlayer(rules, kinds, bank_from, overshoot).turn_end().mean(rules.penalty)
    assert to_fraction(mean.point) == worth(0, oracle.all)
    assert mean <= solve(kinds, rules, overshoot).value


def test_threshold_player_may_be_stranded_without_hot_dice():
    rules = KCD.varied(hot_dice=False, minimum_bank=100)
    end = ThresholdPlayer(rules, parse_dice("fair"), 100).turn_end()
    assert (end.least_stranded, end.bust) == (mpq(1, 6), mpq(4, 6))


def test_threshold_player_banks_short_of_the_threshold_when_no_dice_are_left():
    rules = KCD.varied(hot_dice=False)
    end = ThresholdPlayer(rules, parse_dice("fair"), 500).turn_end()
    assert end.least == {50: mpq(1, 6), 100: mpq(1, 6)}


def test_end_of_a_turn_from_a_later_state():
    turn = solve()
    end = turn_end(turn, 300, "fair*2")
    assert end.mean() == 300 + turn.optimal(300, "fair*2")
    assert end == ends_of_turn(turn.sweep, 6, 2)


@given(rule_sets(), dice, st.integers(1, 400))
def test_a_threshold_player_stops_at_the_target(rules, some_dice, hundreds):
    # Whoever banks from the target on plays the same turn as one who would bank later.
    points = max(rules.minimum_bank, rules.target, 50) + 50 * hundreds
    later = ThresholdPlayer(rules, DiceSet(some_dice), points).turn_end()
    at_target = max(rules.minimum_bank, rules.unit, rules.target)
    assert later == ThresholdPlayer(rules, DiceSet(some_dice), at_target).turn_end()
