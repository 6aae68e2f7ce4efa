"""Turns to a target: against chains of turns by the definition; and what long answers take."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from farkle_cases import dice, rule_sets, slow, turns_to_target
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import allocated, asking

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError, TooLargeError
from exactdice.games.farkle.chase import BestChance, TargetPlayer, race, turn_counts
from exactdice.games.farkle.races.chances import contender
from exactdice.games.farkle.races.solve import win_exactly
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import layout_of, menus_of, require_sweep, table_bytes
from exactdice.games.farkle.rules.tables import KCD, PATCH
from exactdice.games.farkle.turn.exact import points_payoff, solve
from exactdice.games.farkle.turn.sweep import TurnSweep
from exactdice.rooms import ask
from exactdice.run import Run


def slow_law(oracle, number):
    """Distribution of the points of one best turn of the oracle, None for a bust.

    Ties are broken as the package says: banking, then the higher score, then the larger number of
    the set of dice left.
    """
    law = {}

    def play(points, left, chance):
        for roll_chance, options in oracle.rolls(left):
            ways = []
            for gained, rest in options:
                reached = points + gained
                following = rest or (oracle.all if oracle.hot_dice else ())
                order = (gained, number(rest))
                if reached >= oracle.minimum_bank:
                    ways.append((oracle.bank(reached), True, order, reached, None))
                if following and reached < max(oracle.target, oracle.minimum_bank):
                    worth = oracle.final(reached, following)
                    ways.append((worth, False, order, reached, following))
                elif reached < oracle.minimum_bank:
                    ways.append((Fraction(0), False, order, 0, None))
            if not ways:
                law[None] = law.get(None, 0) + chance * roll_chance
                continue
            *_, reached, following = max(ways, key=lambda way: way[:3])
            if following is None:
                law[reached] = law.get(reached, 0) + chance * roll_chance
            else:
                play(reached, following, chance * roll_chance)

    play(0, oracle.all, Fraction(1))
    return law


def slow_chain(rules, some_dice):
    """Points needed to the law of the points needed after the turn."""
    dice_set = DiceSet(some_dice)

    def number(places):
        return dice_set.state_of(some_dice[place] for place in places)

    chain = {}
    for needed in range(50, rules.target + 50, 50):
        oracle = slow(rules.varied(minimum_bank=0), some_dice, "needed")
        oracle.target, oracle.minimum_bank = needed, rules.minimum_bank
        after = {}
        for points, chance in slow_law(oracle, number).items():
            rest = needed if points is None else max(needed - points, 0)
            after[rest] = after.get(rest, 0) + chance
        chain[needed] = after
    return chain


def slow_cdf(chain, target, turns):
    masses, reached, found = {target: Fraction(1)}, Fraction(0), []
    for _ in range(turns):
        following = {}
        for needed, mass in masses.items():
            for after, chance in chain[needed].items():
                following[after] = following.get(after, 0) + mass * chance
        reached += following.pop(0, 0)
        masses = following
        found.append(reached)
    return found


@given(rule_sets(penalties=False), dice.filter(lambda d: len(d) < 3))
def test_cdf_agrees_with_the_chain_of_best_turns(rules, some_dice):
    chain = slow_chain(rules, some_dice)
    found = turns_to_target(DiceSet(some_dice), 4, rules)
    assert [to_fraction(c) for c in found] == slow_cdf(chain, rules.target, 4)


def test_races_and_expected_turns_follow_from_the_chain():
    rules = KCD.varied(target=300)
    players = [contender(spec, rules, "points") for spec in ("fair*2", "odd,lucky")]
    found = race("fair*2", "odd,lucky", rules)
    assert win_exactly(*players).chance().point in found  # which follows the chains, too
    assert found.width < mpq(1, 10**60)
    chain = slow_chain(rules, parse_dice("odd,lucky").dice)
    expected = {0: Fraction(0)}
    for needed, after in chain.items():
        onward = sum(chance * expected[rest] for rest, chance in after.items() if rest < needed)
        expected[needed] = (1 + onward) / (1 - after.get(needed, Fraction(0)))
    found = TargetPlayer("odd,lucky", rules).expected_turns()
    assert to_fraction(found.lower) <= expected[300] <= to_fraction(found.upper)
    assert found.width < mpq(1, 10**60)


def test_penalties_minimums_and_stranded_turns():
    rules = KCD.varied(target=50, penalty=50)
    player = TargetPlayer("fair", rules)
    # One die: 1 or 5 ends at once; after a bust 100 are needed, 1 in 6 for the hundred.
    assert player.needed_after(50) == {0: mpq(1, 3), 100: mpq(2, 3)}
    assert player.cdf(2)[0] == mpq(1, 3)
    player = TargetPlayer("fair*6", PATCH.varied(target=1000))
    assert player.turn_sweep(50).payoff.bank[:11] == [None] * 10 + [(50, 0)]
    chaser = TargetPlayer("fair*2", KCD.varied(target=300, entry_minimum=200))
    opening, later = chaser.turn_sweep(300).payoff.bank, chaser.turn_sweep(250).payoff.bank
    assert opening[:5] == [None] * 4 + [(200, 0)]
    assert later[:3] == [(0, 0), (50, 0), (100, 0)]
    rules = KCD.varied(target=100, minimum_bank=100, hot_dice=False)
    assert TargetPlayer("fair", rules).needed_after(100) == {0: mpq(1, 6), 100: mpq(5, 6)}


def test_best_chances_by_hand():
    # From 0 points a hundred can only be banked with the target; from 50 they are 50 to go.
    rules = KCD.varied(target=100, entry_minimum=100)
    assert BestChance("fair", rules).chance() == mpq(1, 6) + mpq(1, 6) * mpq(1, 3)
    assert BestChance("fair", rules).chance(score=50) == mpq(1, 3)
    # In two turns nothing can be banked between them.
    assert BestChance("fair", rules).chance(turns=2) == 1 - (1 - mpq(2, 9)) ** 2
    best = BestChance("fair*6", KCD.varied(target=500))
    # 50 points short with one die: a 1 or a 5.
    assert best.chance(1, score=300, points=150, left="fair") == mpq(1, 3)
    assert best.chance(2, score=300, points=150, left="fair") > mpq(1, 3)
    rules = KCD.varied(target=100, minimum_bank=100, hot_dice=False)
    # One die: a 1 is 100 points; a 5 leaves nothing to roll and too little to bank.
    best = BestChance("fair", rules)
    assert best.chance(1) == mpq(1, 6)
    assert best.chance(2) == 1 - mpq(25, 36)
    # Every turn of one die without hot dice wins with 1/3: a 1 or a 5.
    best = BestChance("fair", KCD.varied(target=50, hot_dice=False))
    assert best.chance(600) == 1 - mpq(2, 3) ** 600


def test_bounds_are_rounded_to_their_bits():
    # Chances of turns and their products are rounded down to multiples of 1/256, as stated.
    rules, one = KCD.varied(target=150), 256
    chain = slow_chain(rules, parse_dice("fair,odd").dice)
    now, reached = {150: one}, 0
    for bounds in TargetPlayer("fair,odd", rules).cdf(40, 8):
        later = {}
        for needed, mass in now.items():
            for after, chance in chain[needed].items():
                later[after] = later.get(after, 0) + mass * int(chance * one) // one
        reached += later.pop(0, 0)
        now = {needed: mass for needed, mass in later.items() if mass}
        lower, upper = Fraction(reached, one), 1 - Fraction(sum(now.values()), one)
        assert (to_fraction(bounds.lower), to_fraction(bounds.upper)) == (lower, upper)
    assert not now  # all is rounded away long before the last turn
    player = TargetPlayer("fair", KCD.varied(target=50))  # by hand: 1/3, a one or a five
    (bounds,) = player.cdf(1, 8)
    assert (bounds.lower, bounds.upper) == (mpq(256 // 3, 256), 1 - mpq(2 * 256 // 3, 256))
    assert mpq(3) in player.expected_turns(8)
    assert race("fair", "fair", player.rules, bits=8).lower <= mpq(3, 5)  # p / (1 − (1−p)²)


def test_memory_limits_of_turns():
    rules, run = KCD.varied(target=50), Run(memory=1 << 20)
    assert len(TargetPlayer("fair", rules, run).cdf(2000, 8)) == 2000
    assert ask("farkle horizon 100 --target 50", Run(memory=None)).value("fixed_point") == 1
    report = ask("farkle distribution --target none")
    assert report.value("value") == solve(rules=KCD.varied(target=None)).value


def test_a_race_may_take_as_many_turns_as_the_limit(monkeypatch):
    player = TargetPlayer("fair", KCD.varied(target=50))
    exactly, more = player.floored_turns(16, 1000)
    turns = len(exactly)
    assert (more[-1], len(more)) == (0, turns + 1)
    monkeypatch.setattr("exactdice.games.farkle.chase._MAX_TURNS", turns)
    assert player.all_turns(16) == (exactly, more)
    monkeypatch.setattr("exactdice.games.farkle.chase._MAX_TURNS", turns - 1)
    with pytest.raises(TooLargeError, match=f"with fair can take more than {turns - 1} turns"):
        player.all_turns(16)


def test_fractions_are_exact_up_to_the_digits_of_the_limit(monkeypatch):
    rules = KCD.varied(target=100)
    digits = TargetPlayer("fair*2", rules).exact_digits(6)
    longest = max(len(str(c.denominator)) for c in turns_to_target("fair*2", 6, rules))
    assert longest <= digits < 6 * longest
    for most, asked in ((digits, 6), (digits - 1, 6), (digits - 1, 5)):
        monkeypatch.setattr("exactdice.games.farkle.chase.EXACT_DIGITS", most)
        is_exact = all(bounds.width == 0 for bounds in turn_counts("fair*2", rules, asked).cdf)
        assert is_exact == (digits * asked <= most * 6)
        whole = turn_counts("fair*2", rules, asked, exact=True).cdf
        assert all(bounds.width == 0 for bounds in whole)
    # Bounds of 256 bits are fractions of 77 or 78 digits above and as many below the line.
    run, needed = asking()
    monkeypatch.setattr("exactdice.games.farkle.chase.EXACT_DIGITS", 0)
    turn_counts("fair*2", rules, 5, run)
    found = [count for count, what in needed if what == "5 turns"]
    assert table_bytes(5, 2 * 2 * 75) < found[0] < table_bytes(5, 2 * 2 * 79)


def test_busts_in_a_row_may_make_a_turn_less_likely_to_score_at_any_number_of_points():
    rules = KCD.varied(target=200, streak_penalty=100, floor=150)
    for dice_of in ("fair*2", "fair,odd"):
        player = TargetPlayer(dice_of, rules)
        chances = [
            sum(c for after, c in player.needed_after(needed, busts).items() if after < needed)
            for needed in range(50, 400, 50)
            for busts in range(3)
        ]
        assert player._least_scoring() == min(chances)


def test_numbers_of_turns_are_limited_read_and_reported():
    exactly, more = TargetPlayer("fair*2", KCD.varied(target=200)).floored_turns(64, most=3)
    assert (len(exactly), len(more)) == (3, 4)
    assert sum(exactly) + more[-1] <= 1 << 64
    rules = KCD.varied(target=50)
    player = TargetPlayer("fair*6", rules)
    assert player.cdf("2", "64") == player.cdf(2, 64)
    assert player.expected_turns("64") == player.expected_turns(64)
    assert race("fair*6", "fair", rules, bits="64") == race("fair*6", "fair", rules, bits=64)
    # One turn of six fair dice scores with 157/162, and 50 points are enough.
    table = turn_counts("fair*6", KCD.varied(target=50), 2).report().table("turns")
    lose = mpq(5, 162)
    assert list(table.rows) == [(1, 1 - lose, 1 - lose), (2, lose - lose**2, 1 - lose**2)]


def test_progress_counts_every_number_of_points_needed():
    told = []
    TargetPlayer(
        "fair*2", KCD.varied(target=300), Run(progress=lambda *news: told.append(news))
    ).expected_turns()
    levels = [news[1:] for news in told if news[0] == "points needed"]
    assert levels == [(number, 6) for number in range(1, 7)]


class SlowChance:
    """Best chance by the definition: the oracle's turn, with chances in place of points."""

    def __init__(self, rules, some_dice):
        self.rules, self.dice = rules, some_dice
        self.found = {}

    def chance(self, turns, needed, points=0, busts=0):
        if needed <= 0:
            return Fraction(1)
        if turns == 0:
            return Fraction(0)
        key = turns, needed, points, busts
        if key not in self.found:
            oracle = slow(
                self.rules,
                self.dice,
                bank=lambda points: self.chance(turns - 1, needed - points, 0, 0),
                bust=self.after_bust(turns, needed, busts),
            )
            oracle.target = needed
            self.found[key] = oracle.final(points, oracle.all, None)
        return self.found[key]

    def after_bust(self, turns, needed, busts):
        """What is lost is the penalty, and with the third bust in a row as much as there is."""
        rules, needed = self.rules, needed + self.rules.penalty
        if not rules.streak_penalty or busts < 2:
            return self.chance(turns - 1, needed, 0, busts + bool(rules.streak_penalty))
        lost = min(rules.streak_penalty, rules.target - needed + rules.floor)
        return self.chance(turns - 1, needed + lost, 0, 0)


@given(rule_sets(), dice.filter(lambda d: len(d) < 3), st.integers(1, 3))
def test_the_best_chance_agrees_with_the_definition(rules, some_dice, turns):
    rules = rules.varied(minimum_bank=0)  # else a turn may end worth nothing, not a chance of 0
    expected = SlowChance(rules, some_dice).chance(turns, rules.target)
    assert to_fraction(BestChance(DiceSet(some_dice), rules).chance(turns)) == expected


@pytest.mark.parametrize("floor", [0, 100])
def test_the_third_bust_in_a_row_costs_points_of_the_score(floor):
    rules = KCD.varied(target=200, streak_penalty=150, floor=floor)
    pair = parse_dice("fair,odd")
    best, oracle = BestChance(pair, rules), SlowChance(rules, pair.dice)
    found = {}
    for turns in (1, 2, 4):
        for busts in range(3):
            found[turns, busts] = best.chance(turns, 100, busts=busts)
            assert to_fraction(found[turns, busts]) == oracle.chance(turns, 100, 0, busts)
    assert found[4, 0] > found[4, 1] > found[4, 2]
    assert len({found[1, busts] for busts in range(3)}) == 1  # after the last turn nothing counts
    without = BestChance(pair, KCD.varied(target=200))
    assert found[4, 0] < without.chance(4, 100)
    with pytest.raises(InputError, match=r"^busts: got 1; expected "):
        without.chance(2, busts=1)


_PEAK = """
import sys
from exactdice.cli import main
main(sys.argv[1:])
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(line.split()[1], file=sys.stderr)
"""


def peak(line):
    words = [sys.executable, "-c", _PEAK, *line.split()]
    ended = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(ended.stderr) * 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux counts the peak")
@pytest.mark.parametrize(("line", "digits"), [
    # 258625/648, the value of one roll by enumeration, has 10 characters.
    ("horizon {} --target 50", 10),
    # Two fractions a row, of up to 77 digits above and below: 2²⁵⁶ has 78.
    ("turns --turns {} --target 50", 2 * 154),
])  # fmt: skip
def test_a_long_table_takes_about_as_much_as_estimated(line, digits):
    rows = 20_000
    command = f"farkle {line} --format json"
    taken = peak(command.format(rows)) - peak(command.format(40))
    assert taken <= table_bytes(rows, digits) <= 2 * taken


@pytest.mark.slow
@pytest.mark.parametrize("dice", [
    "fair*3,odd,lucky",  # choices take the most
    # Keys do: 64 sets of dice left, on most of which nothing scores.
    "0:1:0:0:0:0,0:0:1:0:0:0,0:0:0:1:0:0,0:0:0:0:0:1,0:1:1:0:0:0,fair",
])  # fmt: skip
def test_a_sweep_takes_about_as_much_as_estimated(dice):
    run, asked = asking()
    rules = KCD.varied(target=40_000)
    menus = menus_of(rules, parse_dice(dice), prune=True)
    require_sweep(menus, rules.target, run)
    payoff = points_payoff(rules, rules.target)
    layout_of(menus)  # kept from one sweep to the next
    most, _ = allocated(lambda: TurnSweep(menus, payoff))
    assert most <= asked[0][0] <= 1.3 * most


def test_turns_with_streaks_follow_the_rules():
    # By hand: one fair die shows a 1 (100 points) or a 5 (50) with 1/6 each. With 50 points needed
    # both win; with 100 a 5 is banked, as a roll wins 50 further points with 1/3 alone. The third
    # bust in a row leads from 50 points needed to 100, and from 100, the floor, nowhere further.
    rules = KCD.varied(target=50, streak_penalty=50, floor=50)
    sixth = Fraction(1, 6)

    def after(needed, busts):
        row = (100 if busts == 2 else needed, (busts + 1) % 3)
        if needed == 50:
            return {None: 2 * sixth, row: 4 * sixth}
        return {None: sixth, (50, 0): sixth, row: 4 * sixth}

    now, reached, expected = {(50, 0): Fraction(1)}, Fraction(0), []
    for _ in range(12):
        later = {}
        for state, mass in now.items():
            for to, chance in after(*state).items():
                later[to] = later.get(to, 0) + mass * chance
        reached += later.pop(None)
        now = later
        expected.append(reached)
    player = TargetPlayer("fair", rules)
    assert [to_fraction(chance.point) for chance in player.cdf(12)] == expected
    for exactly, bounds in zip(expected, player.cdf(12, 256), strict=True):
        assert to_fraction(bounds.lower) <= exactly <= to_fraction(bounds.upper)
    # The mean is the sum of the chances not to be there yet; the tail shrinks at least by a sixth.
    mean, left = 1 + sum(1 - chance for chance in expected[:-1]), 1 - expected[-1]
    turns = player.expected_turns()
    assert to_fraction(turns.width) < Fraction(1, 10**60)
    # As many bits of the tail are kept as of the sum, in which it counts many times.
    assert player.expected_turns(64).width < mpq(1, 2**50)
    assert mean + left <= to_fraction(turns.lower) <= to_fraction(turns.upper) <= mean + 6 * left
    # By the rules: the third bust in a row takes 50 points off the score, down to −50 of 150.
    player = TargetPlayer("fair*2", KCD.varied(target=150, streak_penalty=50, floor=50))
    assert player.turn_sweep(150, 1).payoff.bust == (0, 0)
    assert player.turn_sweep(150, 2).payoff.bust == (-50, 0)
    assert player.turn_sweep(200, 2).payoff.bust == (0, 0)  # at the floor
