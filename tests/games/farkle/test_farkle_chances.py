"""The best chance to reach a target within k turns, against the definition."""

from fractions import Fraction

import pytest
from farkle_cases import dice, rule_sets, slow
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.farkle.chances import BestChance
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.rule_tables import KCD
from exactdice.games.farkle.turn_counts import turns_to_target


class SlowChance:
    """Best chance by the definition: the oracle's turn, with chances in place of points."""

    def __init__(self, rules, some_dice):
        self.rules, self.dice = rules, some_dice
        self.found = {}

    def chance(self, turns, needed, points=0):
        if needed <= 0:
            return Fraction(1)
        if turns == 0:
            return Fraction(0)
        key = turns, needed, points
        if key not in self.found:
            oracle = slow(
                self.rules,
                self.dice,
                bank=lambda points: self.chance(turns - 1, needed - points),
                bust=self.chance(turns - 1, needed + self.rules.penalty),
            )
            oracle.target = needed
            self.found[key] = oracle.final(points, oracle.all, None)
        return self.found[key]


@given(rule_sets(), dice.filter(lambda d: len(d) < 3), st.integers(1, 3))
def test_chance_is_the_best_of_the_definition(rules, some_dice, turns):
    rules = rules.varied(minimum_bank=0)  # else a turn may end worth nothing, not a chance of 0
    expected = SlowChance(rules, some_dice).chance(turns, rules.target)
    assert to_fraction(BestChance(DiceSet(some_dice), rules).chance(turns)) == expected


def test_playing_for_the_chance_is_never_worse_than_for_the_mean():
    rules = KCD.varied(target=1000)
    best = BestChance("fair*6", rules)
    for turns, chance in enumerate(turns_to_target("fair*6", 4, rules), 1):
        assert best.chance(turns) > chance


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


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: BestChance("fair", KCD.varied(target=None)), "target: got none"),
        (lambda: BestChance("fair").chance(0), "turns: got 0"),
        (lambda: BestChance("fair").chance(1, 25), "score: got 25"),
        (lambda: BestChance("fair").chance(1, 5000, 1000), "points: got 6000; give a sum below"),
    ],
)
def test_bad_input_is_refused_in_one_line(act, message):
    with pytest.raises(InputError) as caught:
        act()
    assert message in str(caught.value)
