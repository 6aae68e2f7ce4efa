"""Dice from text, and the numbering of the dice left."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, Die, named_dice, parse_dice
from exactdice.games.farkle.rules.rule_set import JOKER


def test_specification_of_counts_names_and_weights():
    dice = parse_dice("fair*3,368:105:105:105:105:212*2,odd")
    assert dice.counts == (3, 2, 1)
    assert dice.kinds[1].weights == (368, 105, 105, 105, 105, 212)
    assert dice.kinds[2] == Die((4, 1, 4, 1, 4, 1))  # the game's 8:2:8:2:8:2 in lowest terms
    assert str(dice) == "fair*3,368:105:105:105:105:212*2,odd"


def test_j_after_the_first_weight_makes_a_joker():
    assert parse_dice("1J:1:1:1:1:1").dice == (named_dice()["devils-head"],)
    assert str(parse_dice("2j:1:1:1:1:0,fair")) == "2J:1:1:1:1:0,fair"


def test_equal_dice_are_grouped_wherever_they_are_written():
    assert parse_dice("fair,odd,1:1:1:1:1:1").counts == (2, 1)
    assert parse_dice("fair,odd,1:1:1:1:1:1").dice == (FAIR, named_dice()["odd"], FAIR)


# Percentages published at kingdom-come-deliverance.fandom.com/wiki/Dice_(KCD2), to 0.1.
PUBLISHED = {
    "aranka": (28.6, 4.8, 28.6, 4.8, 28.6, 4.8),
    "cautious-cheater": (23.8, 14.3, 9.5, 14.3, 23.8, 14.3),
    "ci-p": (13, 13, 13, 13, 13, 34.8),
    "favourable": (33.3, 0, 5.6, 5.6, 33.3, 22.2),
    "heavenly-kingdom": (36.8, 10.5, 10.5, 10.5, 10.5, 21.1),
    "holy-trinity-p": (18.2, 22.7, 45.4, 4.5, 4.5, 4.5),
    "lucky": (27.3, 4.5, 9.1, 13.6, 18.2, 27.3),
    "odd": (26.7, 6.7, 26.7, 6.7, 26.7, 6.7),
    "pie": (46.2, 7.7, 23.1, 23.1, 0, 0),
    "three-p": (12.5, 6.3, 56.3, 6.3, 12.5, 6.3),
    "weighted": (66.7, 6.7, 6.7, 6.7, 6.7, 6.7),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_named_dice_round_to_the_published_percentages(name):
    die = named_dice()[name]
    for weight, percentage in zip(die.weights, PUBLISHED[name], strict=True):
        assert abs(100 * weight / die.denominator - percentage) < 0.1


def test_every_named_die_can_be_written_and_read_back():
    for name, die in named_dice().items():
        assert parse_dice(name).dice == (die,)
        assert parse_dice(str(die)).dice == (die,)


def test_devils_head_shows_a_joker_in_place_of_one():
    assert set(named_dice()["devils-head"].distribution()) == {2, 3, 4, 5, 6, JOKER}


counts = st.lists(st.integers(1, 3), min_size=1, max_size=3)


@given(counts)
def test_numbering_of_dice_left_is_a_bijection(numbers):
    kinds = [Die((k + 1, 1, 1, 1, 1, 1)) for k in range(len(numbers))]
    dice = DiceSet(k for k, n in zip(kinds, numbers, strict=True) for _ in range(n))
    all_left = list(product(*(range(n + 1) for n in numbers)))
    assert sorted(dice.state(left) for left in all_left) == list(range(dice.states))
    assert all(dice.left(dice.state(left)) == left for left in all_left)
    for state in dice.proper_states():
        assert dice.parse_state(dice.describe(state)) == state


def test_sets_are_equal_when_written_alike():
    assert parse_dice("fair*2,odd") == parse_dice("fair,fair,odd")
    assert parse_dice("fair,odd") != parse_dice("odd,fair")  # a roll lists its faces in this order
    assert parse_dice("fair") != "fair"
    assert repr(parse_dice("fair*2")) == "parse_dice('fair*2')"
    assert hash(parse_dice("fair*2")) == hash(parse_dice("fair,fair"))
