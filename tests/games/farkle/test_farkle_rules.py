"""Scores against the game's table and against every way to split a selection."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from farkle_oracle import JOKER, kcd_combinations, score
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.farkle.races.chances import contender
from exactdice.games.farkle.races.solve import win_exactly
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import (
    Combination,
    RuleSet,
    pack,
    scoring_selections,
    selection_scores,
    unpack,
)
from exactdice.games.farkle.rules.tables import FACEBOOK, KCD, PATCH, ZILCH, read_rules
from exactdice.games.farkle.turn.exact import SIX_FAIR

# The scoring of the game as the rules state it, face by face.
KCD_TABLE = [
    ((1,), 100),
    ((5,), 50),
    ((1, 1, 1), 1000),
    ((2, 2, 2), 200),
    ((3, 3, 3), 300),
    ((4, 4, 4), 400),
    ((5, 5, 5), 500),
    ((6, 6, 6), 600),
    ((6, 6, 6, 6), 1200),
    ((6, 6, 6, 6, 6), 2400),
    ((6, 6, 6, 6, 6, 6), 4800),
    ((1, 1, 1, 1, 1, 1), 8000),
    ((1, 2, 3, 4, 5), 500),
    ((2, 3, 4, 5, 6), 750),
    ((1, 2, 3, 4, 5, 6), 1500),
    # unions of the above
    ((1, 5), 150),
    ((1, 1, 1, 1), 2000),  # not 1000 + 100
    ((1, 2, 3, 4, 5, 5), 550),
    ((2, 2, 2, 3, 3, 3), 500),
    # a die that does not score makes the selection invalid (the README's example: 5 with 2)
    ((2, 5), 0),
    ((2,), 0),
    ((2, 2), 0),
    ((), 0),
]


@pytest.mark.parametrize(("faces", "points"), KCD_TABLE)
def test_kcd_scores_are_those_of_the_game(faces, points):
    assert KCD.score(faces) == points


# Quoted from the rule sheet of the boxed game (possiblywrong.wordpress.com/2013/04/07).
PATCH_TABLE = [
    ((1, 1, 1, 2, 2, 2), 2500),
    ((1, 1, 1, 1, 2, 2), 1500),
    ((1, 2, 3, 4, 5, 6), 1500),
    ((1, 1, 2, 2, 3, 3), 1500),
    ((4, 4, 4, 4, 4, 4), 3000),
    ((2, 2, 2, 2, 2), 2000),
    ((3, 3, 3, 3), 1000),
    ((1, 1, 1), 300),
    ((6, 6, 6), 600),
    ((1,), 100),
    ((5,), 50),
    ((1, 2, 3, 4, 5), 0),
]


@pytest.mark.parametrize(("faces", "points"), PATCH_TABLE)
def test_patch_scores_are_those_of_the_rule_sheet(faces, points):
    assert PATCH.score(faces) == points


# From the page of the devil's head die on the wiki of the game.
JOKER_TABLE = [
    ((1, 1, JOKER), 1000),
    ((1, 1, 1, JOKER), 2000),
    ((1, 2, 3, 4, JOKER), 500),
    ((JOKER,), 0),
    # the convention for several jokers: a combination needs a natural face
    ((JOKER, JOKER, JOKER), 0),
    ((6, JOKER, JOKER), 600),
    ((2, JOKER), 0),
]


@pytest.mark.parametrize(("faces", "points"), JOKER_TABLE)
def test_joker_completes_combinations_and_never_scores_alone(faces, points):
    assert KCD.score(faces) == points


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


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        (
            [4] * 16,
            "faces: got 16 dice; expected at most 7",
        ),  # sixteen would carry into the next face
        ([1] * 7, "faces: got 7 dice; expected at most 6"),
        ([0, 1], "face: got 0; expected a whole number from 1 to 7"),
        ([8], "face: got 8; expected a whole number from 1 to 7"),
        ([1.0], "face: got 1.0; expected a whole number from 1 to 7"),
    ],
)
def test_what_is_no_selection_has_no_score(faces, message):
    with pytest.raises(InputError) as caught:
        KCD.score(faces)
    assert str(caught.value) == message


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


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Combination((), 50), "combination: got ()"),
        (lambda: Combination((7,), 50), "face: got 7"),
        (lambda: Combination((1,) * 8, 50), "combination: got"),
        (lambda: Combination((1,), 0), "score: got 0"),
        (lambda: RuleSet("none", ()), "combinations: got ()"),
        (lambda: KCD.varied(target=6025), "target: got 6025; expected a multiple of 50"),
        (lambda: KCD.varied(target=0), "target: got 0; expected a multiple of 50, of at least 50"),
        (lambda: KCD.varied(minimum_bank=30), "minimum_bank: got 30"),
        (
            lambda: KCD.varied(minimum_bank=6050),
            "minimum_bank: got 6050; expected at most the target",
        ),
        (lambda: KCD.varied(penalty=-50), "penalty: got -50"),
        (lambda: KCD.varied(dice=8), "dice: got 8"),
        (lambda: KCD.varied(target=mpq(8001, 2)), "target: got 8001/2; expected a multiple of 50"),
        (lambda: KCD.varied(target=4000.0), "target: got 4000.0; expected a multiple of 50"),
        (lambda: read_rules("poker"), "rules: got 'poker'; expected one of kcd, patch"),
    ],
)
def test_bad_rules_are_refused_in_one_line(build, message):
    with pytest.raises(InputError) as caught:
        build()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_facebook_scores_as_the_settings_of_the_published_strategy_generator():
    # "set1=100,200,1000,2000,3000,4000 … set5=50,100,500,1000,1500,2000 set6=0,0,600,1200,1800,2400
    # straight=1500 threepair=750 flexpairs=false": mattbusche.org/projects/farkle/strategy.php
    table = {
        1: (100, 200, 1000, 2000, 3000, 4000),
        2: (0, 0, 200, 400, 600, 800),
        3: (0, 0, 300, 600, 900, 1200),
        4: (0, 0, 400, 800, 1200, 1600),
        5: (50, 100, 500, 1000, 1500, 2000),
        6: (0, 0, 600, 1200, 1800, 2400),
    }
    for face, scores in table.items():
        assert tuple(FACEBOOK.score([face] * n) for n in range(1, 7)) == scores
    assert FACEBOOK.score([1, 2, 3, 4, 5, 6]) == 1500
    assert FACEBOOK.score([2, 2, 3, 3, 6, 6]) == 750
    assert FACEBOOK.score([2, 2, 2, 2, 6, 6]) == 0  # no flexible pairs
    assert (FACEBOOK.minimum_bank, FACEBOOK.target) == (300, 10000)


def test_zilch_scores_as_its_page_of_rules():
    # zilch.playr.co.uk/rules.php
    assert [ZILCH.score([2] * n) for n in range(3, 7)] == [200, 400, 800, 1600]
    assert [ZILCH.score([3] * n) for n in range(3, 7)] == [300, 600, 1200, 2400]
    assert ZILCH.score([1, 2, 3, 4, 5, 6]) == 1500
    assert ZILCH.score([2, 2, 3, 3, 4, 4]) == 1500
    assert ZILCH.score([2, 2, 3, 3, 4, 6]) == 500
    assert (ZILCH.minimum_bank, ZILCH.streak_penalty) == (300, 500)


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


def test_streak_penalty_is_refused_where_busts_are_not_counted():
    player = contender("fair*6", ZILCH)
    with pytest.raises(InputError, match="streak_penalty: got 500; expected 0: busts in a row"):
        win_exactly(player, player)


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
