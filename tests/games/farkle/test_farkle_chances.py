"""The best chance to reach a target within k turns, against the definition."""

from fractions import Fraction

import pytest
from farkle_cases import dice, rule_sets, slow
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.farkle.chase import BestChance
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.tables import KCD


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
def test_chance_is_the_best_of_the_definition(rules, some_dice, turns):
    rules = rules.varied(minimum_bank=0)  # else a turn may end worth nothing, not a chance of 0
    expected = SlowChance(rules, some_dice).chance(turns, rules.target)
    assert to_fraction(BestChance(DiceSet(some_dice), rules).chance(turns)) == expected


class FoundBefore(BestChance):
    """What a turn needs of later ones has been found by then: no sweep begins within another."""

    sweeps = 0

    def sweep(self, *asked):
        assert not self.sweeps
        self.sweeps += 1
        found = super().sweep(*asked)
        self.sweeps -= 1
        return found


@given(
    rule_sets(),
    dice.filter(lambda d: len(d) < 3),
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(0, 2),
)
def test_turns_are_found_the_last_first(rules, some_dice, turns, streak, floor):
    rules = rules.varied(streak_penalty=streak * rules.unit, floor=floor * rules.unit)
    FoundBefore(DiceSet(some_dice), rules).chance(turns)


def test_with_one_turn_left_nothing_short_of_the_target_is_banked():
    best = BestChance("fair*6", KCD.varied(target=500))
    sweep = best.sweep(1, 500)
    assert all(units >= 10 for units in sweep.step(0, 6).bank)


def test_chance_from_the_middle_of_a_turn():
    best = BestChance("fair*6", KCD.varied(target=500))
    # 50 points short with one die: a 1 or a 5.
    assert best.chance(1, score=300, points=150, left="fair") == mpq(1, 3)
    assert best.chance(2, score=300, points=150, left="fair") > mpq(1, 3)


def test_minimum_bank_and_stranded_turns():
    rules = KCD.varied(target=100, minimum_bank=100, hot_dice=False)
    # One die: a 1 is 100 points; a 5 leaves nothing to roll and too little to bank.
    best = BestChance("fair", rules)
    assert best.chance(1) == mpq(1, 6)
    assert best.chance(2) == 1 - mpq(25, 36)


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


def test_chances_within_hundreds_of_turns_need_no_recursion():
    # Every turn of one die without hot dice wins with 1/3: a 1 or a 5.
    best = BestChance("fair", KCD.varied(target=50, hot_dice=False))
    assert best.chance(600) == 1 - mpq(2, 3) ** 600
