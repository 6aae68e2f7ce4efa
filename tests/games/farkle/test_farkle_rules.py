"""Scores against the game's table and against every way to split a selection."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from farkle_oracle import JOKER, kcd_combinations, score
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import (
    Combination,
    RuleSet,
    pack,
    scoring_selections,
    selection_scores,
    unpack,
)
from exactdice.games.farkle.rules.tables import FACEBOOK, KCD, PATCH, ZILCH
from exactdice.games.farkle.turn.exact import SIX_FAIR

# The scoring of the game as the rules state it; unions of combinations; and selections with a die
# that does not score (the README's example: 5 with 2).
KCD_TABLE = """
1:100 5:50 111:1000 222:200 333:300 444:400 555:500 666:600 6666:1200 66666:2400 666666:4800
111111:8000 12345:500 23456:750 123456:1500
15:150 1111:2000 123455:550 222333:500
25:0 2:0 22:0 :0
"""
# Quoted from the rule sheet of the boxed game (possiblywrong.wordpress.com/2013/04/07).
PATCH_TABLE = """
111222:2500 111122:1500 123456:1500 112233:1500 444444:3000 22222:2000 3333:1000 111:300 666:600
1:100 5:50 12345:0
"""
# From the page of the devil's head die on the wiki of the game; with several jokers (7), our
# convention: a combination needs a natural face.
JOKER_TABLE = "117:1000 1117:2000 12347:500 7:0 777:0 677:600 27:0"
# zilch.playr.co.uk/rules.php
ZILCH_TABLE = """
222:200 2222:400 22222:800 222222:1600 333:300 3333:600 33333:1200 333333:2400
123456:1500 223344:1500 223346:500
"""
# "set1=100,200,1000,2000,3000,4000 … set5=50,100,500,1000,1500,2000 set6=0,0,600,1200,1800,2400
# straight=1500 threepair=750 flexpairs=false": mattbusche.org/projects/farkle/strategy.php
FACEBOOK_TABLE = """
1:100 11:200 111:1000 1111:2000 11111:3000 111111:4000 2:0 22:0 222:200 2222:400 22222:600
222222:800 3:0 33:0 333:300 3333:600 33333:900 333333:1200 4:0 44:0 444:400 4444:800 44444:1200
444444:1600 5:50 55:100 555:500 5555:1000 55555:1500 555555:2000 6:0 66:0 666:600 6666:1200
66666:1800 666666:2400 123456:1500 223366:750 222266:0
"""


@pytest.mark.parametrize(
    ("rules", "table"),
    [
        (KCD, KCD_TABLE),
        (KCD, JOKER_TABLE),
        (PATCH, PATCH_TABLE),
        (ZILCH, ZILCH_TABLE),
        (FACEBOOK, FACEBOOK_TABLE),
    ],
)
def test_scores_are_those_of_the_published_rules(rules, table):
    for faces, _, points in (cell.partition(":") for cell in table.split()):
        assert rules.score(map(int, faces)) == int(points), faces


def test_conventions_are_those_of_the_published_rules():
    assert (FACEBOOK.minimum_bank, FACEBOOK.target) == (300, 10000)
    assert (ZILCH.minimum_bank, ZILCH.streak_penalty) == (300, 500)


@given(st.lists(st.integers(1, 7), max_size=6))
def test_score_is_the_best_split_into_combinations(faces):
    # Oracle: every split of the dice, tried one by one.
    expected = score(tuple(sorted(faces)), kcd_combinations()) or 0
    assert KCD.score(faces) == expected


combination_lists = st.lists(
    st.tuples(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(1, 9)),
    min_size=1,
    max_size=5,
)


def random_rules(table, **fields):
    combos = tuple(Combination(tuple(sorted(f)), 50 * s) for f, s in table)
    return RuleSet("random", combos, **fields)


@given(combination_lists, st.lists(st.integers(1, 7), max_size=5))
def test_score_under_random_rules_is_the_best_split(table, faces):
    rules = random_rules(table, dice=5)
    plain = tuple((c.faces, c.score) for c in rules.combinations)
    assert rules.score(faces) == (score(tuple(sorted(faces)), plain) or 0)


@given(st.lists(st.integers(1, 7), max_size=6))
def test_scoring_selections_are_the_scoring_subsets_of_a_roll(faces):
    scores = selection_scores(KCD, 2)
    roll = pack(faces)
    contained = {
        s
        for s in scores
        if all(unpack(s).count(face) <= list(faces).count(face) for face in range(1, 8))
    }
    assert {s for s, _ in scoring_selections(KCD, roll, 2)} == contained


def test_no_two_multisets_of_up_to_seven_faces_are_packed_alike():
    multisets = [m for n in range(8) for m in combinations_with_replacement(range(1, 8), n)]
    assert [unpack(pack(multiset)) for multiset in multisets] == multisets
    assert unpack(pack([6, 1, 1, JOKER])) == (1, 1, 6, 7)


def test_unit_is_the_common_divisor_of_scores():
    assert RuleSet("odd", (Combination((1,), 75), Combination((2,), 50))).unit == 25


def test_numbers_are_kept_as_whole_numbers_however_they_are_written():
    fields = {"dice": 5, "minimum_bank": 500, "penalty": 50, "target": 4000}
    plain = KCD.varied(**fields)
    for kind in (str, Fraction, mpq, mpz):
        given = {name: kind(number) for name, number in fields.items()}
        varied = KCD.varied(**(given | {"dice": str(fields["dice"])}))
        assert varied == plain
        assert {type(getattr(varied, name)) for name in fields} == {int}


def test_six_dice_score_nothing_in_zilch_for_no_roll():
    # Any roll of six dice scores: nothing at all is worth 500.
    assert menus_of(ZILCH, SIX_FAIR, prune=True).bust_weight(6)[0] == 0
    busts = 0
    for faces in product(range(1, 7), repeat=6):
        bare = not {1, 5} & set(faces) and max(map(faces.count, faces)) < 3
        busts += bare and sorted(map(faces.count, set(faces))) != [2, 2, 2]
    nothing = sum(
        weight
        for menu, weight in menus_of(ZILCH, SIX_FAIR, prune=True).by_state[6].menus.items()
        if menu == ((500, 0),)
    )
    assert nothing == busts


def test_account_is_opened_by_the_entry_minimum():
    rules = KCD.varied(entry_minimum=500, minimum_bank=100)
    assert [rules.least_to_bank(score) for score in (0, 50, 5000)] == [500, 100, 100]
    assert rules.conventions()["entry minimum"].startswith("500 to bank with a score of 0")
    assert "entry minimum" not in KCD.conventions()
    with pytest.raises(InputError, match="entry_minimum: got 500; expected at most the target"):
        KCD.varied(target=300, minimum_bank=0).varied(entry_minimum=500)
    with pytest.raises(
        InputError, match="target: got 300; expected at least 500, the entry minimum"
    ):
        rules.varied(target=300)


def test_a_third_bust_in_a_row_takes_off_the_penalty_down_to_the_floor():
    # M. Busche's floor, as the docstring says: no score falls below −2500.
    falls = [FACEBOOK.fall(score, 2) for score in (-2500, -2300, -2000, 0, 9950)]
    assert falls == [0, 200, 500, 500, 500]
    assert [FACEBOOK.fall(1000, busts) for busts in (0, 1)] == [0, 0]


def test_a_better_split_is_carried_on_to_selections_that_were_there_before():
    # 1 and 5 score 50 together and 150 apart, which comes to light when the ones are added; then
    # two ones and a 5 are already there at 150, and score 250.
    rules = RuleSet(
        "pairs", (Combination((1, 5), 50), Combination((5,), 50), Combination((1,), 100))
    )
    split = {
        ones + (fives << 16): 100 * ones + 50 * fives  # four bits for each face
        for ones in range(rules.dice + 1)
        for fives in range(rules.dice + 1 - ones)
        if ones or fives
    }
    assert dict(selection_scores(rules, 0)) == split
