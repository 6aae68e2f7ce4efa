"""The rules of the reroll game: flipping, holds, outcomes and bad input."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from strategies import comes_back

from exactdice.errors import InputError
from exactdice.games import reroll
from exactdice.games.reroll import RerollRules
from exactdice.games.reroll import questions as room
from exactdice.games.reroll.rules import MAX_DICE
from exactdice.rooms import question
from exactdice.studies.reroll.sources import COURSEWORK


@st.composite
def games(draw, most_dice=3, most_sides=4):
    sides = draw(st.integers(1, most_sides))
    values = draw(st.permutations(range(-2, 7)))[:sides]
    weights = draw(
        st.lists(st.integers(0, 3), min_size=sides, max_size=sides).filter(lambda w: sum(w) > 0)
    )
    return RerollRules(
        dice=draw(st.integers(1, most_dice)),
        values=values,
        bias=[Fraction(w, sum(weights)) for w in weights],
        penalty=draw(st.sampled_from(["1/3", 1, 2])),
    )


@pytest.mark.parametrize(("roll", "total"), [
    # The coursework: duplicates turn over, 1 to 6, 2 to 5, 3 to 4, and back.
    *COURSEWORK["totals"].items(),
    # Two ones become sixes beside a six that stays: 18 as well.
    ((1, 1, 6), 18), ((1, 4, 4), 7),
])  # fmt: skip
def test_duplicates_turn_over_on_an_ordinary_die(roll, total):
    assert RerollRules().stick_score(roll) == total


def test_best_roll_of_the_coursework():
    rules, best = RerollRules(), COURSEWORK["best roll"]
    assert rules.stick_score(best) == COURSEWORK["best score"]
    assert max(map(rules.stick_score, rules.rolls)) == COURSEWORK["best score"]


def test_rolls_no_better_than_three_sixes():
    """The coursework: almost any other roll will beat three sixes, which add 3."""
    rules = RerollRules()
    assert [roll for roll in rules.rolls if rules.stick_score(roll) <= 3] == [(1, 6, 6), (6, 6, 6)]


def test_values_are_mirrored_in_the_list():
    rules = RerollRules(dice=2, values=[10, "1/2", 3])
    assert rules.values == (mpq(1, 2), 3, 10)
    assert rules.flipped((10, 10)) == (mpq(1, 2), mpq(1, 2))
    assert rules.flipped((3, 3)) == (3, 3)
    assert rules.flipped((mpq(1, 2), 10)) == (mpq(1, 2), 10)


def test_values_are_sorted_with_their_bias():
    rules = RerollRules(values=[9, 2, 5], bias=["1/2", "1/3", "1/6"])
    assert (rules.values, rules.bias) == ((2, 5, 9), (mpq(1, 3), mpq(1, 6), mpq(1, 2)))


@given(games(), st.data())
def test_outcomes_agree_with_single_dice(rules, data):
    hold = data.draw(st.sampled_from([*rules.partial_holds]))
    expected = Counter()
    for thrown in product(
        zip(rules.values, rules.bias, strict=True), repeat=rules.dice - len(hold)
    ):
        chance = mpq(1)
        for _, side_chance in thrown:
            chance *= side_chance
        expected[tuple(sorted((*hold, *(value for value, _ in thrown))))] += chance
    assert rules.outcomes(hold).probabilities() == {o: p for o, p in expected.items() if p}


@given(games(most_dice=4))
def test_holds_list_every_hold_with_its_first_action(rules):
    pairs = 0
    for roll in rules.rolls:
        first: dict[Any, Any] = {}
        for size in range(rules.dice + 1):
            for held in combinations(range(rules.dice), size):
                first.setdefault(tuple(roll[place] for place in held), held)
        assert {hold: action for action, hold in rules.holds(roll)} == first
        assert [action for action, _ in rules.holds(roll)] == list(first.values())
        pairs += len(first)
    assert rules.choices == pairs


@given(games(most_dice=4), st.data())
def test_ways_count_the_equivalent_actions(rules, data):
    roll = data.draw(st.sampled_from(rules.rolls))
    action = data.draw(st.sampled_from(rules.actions))
    assert rules.ways(roll, action) == len(rules.equivalent(roll, action))


def test_numbers_have_at_most_a_thousand_digits():
    assert RerollRules(penalty="1e-999").penalty == mpq(1, 10**999)  # 10^999 has 1000 digits
    for arguments in ({"penalty": "1e-1000"}, {"values": [1, "1e1000"]}, {"values": ["-1e1000"]}):
        with pytest.raises(
            InputError, match="got a number of 1001 digits; expected at most 1000 digits"
        ):
            RerollRules(**arguments)


def test_defaults_of_sides_values_and_bias():
    assert RerollRules().sides == 6
    assert RerollRules(bias=["1/2", "1/2"]).values == (1, 2)
    assert RerollRules(values=[4, 8, 9]).bias == (mpq(1, 3),) * 3


@pytest.mark.parametrize(("arguments", "message"), [
    ({"dice": 0}, "dice: got 0; expected a whole number from 1 to 1000"),
    ({"dice": 2.0}, r"dice: got 2\.0; expected a whole number from 1 to 1000"),
    ({"sides": 0}, "sides: got 0; expected a whole number from 1 to 100000"),
    ({"sides": 3, "bias": ["1/2", "1/2"]}, "bias: got 2 numbers; expected one for each of the 3"),
    ({"sides": 3, "values": [1, 2]}, "values: got 2 numbers; expected one for each of the 3"),
    ({"values": [1, 2], "bias": [1]}, "bias: got 1 numbers; expected one for each of the 2"),
    ({"values": []}, r"values: got \[\]; expected at least one side"),
    ({"bias": []}, r"bias: got \[\]; expected at least one side"),
    ({"values": [1, 1, 2]}, "values: got a repeated value; expected different values"),
    ({"bias": ["1/2", "1/3", 0]}, "bias: got a sum of 5/6; expected probabilities that sum to 1"),
    ({"bias": ["3/2", "-1/2"]}, "bias: got '-1/2'; expected probabilities of at least 0"),
    ({"bias": [0.5, 0.5]}, r"bias: got 0\.5; expected an exact number"),
    ({"values": [0.5, 1]}, r"values: got 0\.5; expected an exact number"),
    ({"penalty": 0}, "penalty: got 0; expected a number above 0; with 0 play may never end"),
    ({"penalty": "-1/2"}, "penalty: got '-1/2'; expected a number above 0"),
    ({"penalty": 0.5}, r"penalty: got 0\.5; expected an exact number"),
])  # fmt: skip
def test_invalid_rules_are_rejected(arguments, message):
    with pytest.raises(InputError, match=message) as refused:
        RerollRules(**arguments)
    assert "\n" not in str(refused.value)


above_zero = st.fractions(min_value="1/1000", max_value=1000).map(str)
weights = st.lists(st.integers(1, 9), min_size=1, max_size=5, unique=True)
FIELDS = {
    "dice": st.integers(1, MAX_DICE), "sides": st.integers(1, 300), "penalty": above_zero,
    "tolerance": above_zero, "order": st.sampled_from(["synchronous", "in-place"]),
    "seed": st.integers(0, 10**30), "auto": st.booleans(),
}  # fmt: skip


@st.composite
def questions(draw, asked):
    """Questions of a class; the lists of a die have equal lengths."""
    fields = {}
    names = {parameter.field: parameter for parameter in asked.parameters()}
    for name in sorted(set(names) & set(FIELDS)):
        if names[name].is_required or draw(st.booleans()):
            fields[name] = draw(FIELDS[name])
    if "bias" in names and draw(st.booleans()):
        listed = draw(weights)
        fields["sides"] = len(listed)
        fields["bias"] = [f"{weight}/{sum(listed)}" for weight in listed]
        fields["values"] = [f"{-weight}/7" for weight in listed]
    return asked(**fields)


@pytest.mark.parametrize("asked", room.QUESTIONS, ids=lambda asked: asked.command)
@given(data=st.data())
def test_text_json_and_pickle_round_trip(asked, data):
    made = data.draw(questions(asked))
    comes_back(made)


def test_questions_have_a_canonical_text():
    made = reroll.RerollPolicy(dice="4", bias=["0.1", "0.1", "0.8"], penalty=2)
    assert str(made) == "reroll policy --penalty 2 --dice 4 --bias 1/10,1/10,4/5"
    assert made == question("reroll policy --bias '1/10, 1/10,8/10' --penalty 2/1 --dice 4")


def test_interactive_games_are_not_deterministic():
    assert not reroll.RerollPlay(seed=1).is_deterministic
    assert reroll.RerollPlay(seed=1).is_interactive
    assert reroll.RerollPlay(seed=1, auto=True).is_deterministic
    assert reroll.RerollPlay().seed != reroll.RerollPlay().seed  # alike with a chance of 2^-32
