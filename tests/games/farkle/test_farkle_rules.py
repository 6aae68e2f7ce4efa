"""Rules, scores, dice and menus: against published tables and every way to split a selection."""

import json
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from cases import rows_of
from farkle_cases import dice, places_left, rule_sets, slow
from farkle_oracle import kcd_combinations, score, subsets
from gmpy2 import mpq, mpz
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.games.farkle.rules import tables
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, Die, named_dice, parse_dice
from exactdice.games.farkle.rules.menus import _Offers, menus_of
from exactdice.games.farkle.rules.rule_set import (
    JOKER,
    Combination,
    RuleSet,
    pack,
    scoring_selections,
    selection_scores,
    unpack,
)
from exactdice.games.farkle.rules.tables import (
    FACEBOOK,
    KCD,
    PATCH,
    RULE_SETS,
    ZILCH,
    read_rules,
    rules_from,
    rules_text,
)
from exactdice.games.farkle.turn.exact import SIX_FAIR
from exactdice.rooms import ask, question

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


@pytest.mark.parametrize(("rules", "table"), [
    (KCD, KCD_TABLE), (KCD, JOKER_TABLE), (PATCH, PATCH_TABLE), (ZILCH, ZILCH_TABLE),
    (FACEBOOK, FACEBOOK_TABLE),
])  # fmt: skip
def test_scores_are_those_of_the_published_rules(rules, table):
    for faces, _, points in (cell.partition(":") for cell in table.split()):
        assert rules.score(map(int, faces)) == int(points), faces


def test_penalties_and_minimums_follow_the_rules():
    assert (FACEBOOK.minimum_bank, FACEBOOK.target) == (300, 10000)
    assert (ZILCH.minimum_bank, ZILCH.streak_penalty) == (300, 500)
    # M. Busche's floor, as the docstring says: no score falls below −2500.
    falls = [FACEBOOK.fall(score, 2) for score in (-2500, -2300, -2000, 0, 9950)]
    assert falls == [0, 200, 500, 500, 500]
    assert [FACEBOOK.fall(1000, busts) for busts in (0, 1)] == [0, 0]
    rules = KCD.varied(entry_minimum=500, minimum_bank=100)
    assert [rules.least_to_bank(score) for score in (0, 50, 5000)] == [500, 100, 100]
    assert rules.conventions()["entry minimum"].startswith("500 to bank with a score of 0")
    assert "entry minimum" not in KCD.conventions()


@given(st.lists(st.integers(1, 7), max_size=6))
def test_scores_are_the_best_splits_and_selections_the_scoring_subsets(faces):
    # Oracle: every split of the dice, tried one by one.
    expected = score(tuple(sorted(faces)), kcd_combinations()) or 0
    assert KCD.score(faces) == expected
    scores = selection_scores(KCD, 2)
    roll = pack(faces)
    contained = {
        s
        for s in scores
        if all(unpack(s).count(face) <= list(faces).count(face) for face in range(1, 8))
    }
    assert {s for s, _ in scoring_selections(KCD, roll, 2)} == contained


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


def test_no_two_multisets_of_up_to_seven_faces_are_packed_alike():
    multisets = [m for n in range(8) for m in combinations_with_replacement(range(1, 8), n)]
    assert [unpack(pack(multiset)) for multiset in multisets] == multisets
    assert unpack(pack([6, 1, 1, JOKER])) == (1, 1, 6, 7)


def test_units_and_splits_of_small_rules():
    assert RuleSet("odd", (Combination((1,), 75), Combination((2,), 50))).unit == 25
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


def test_rules_are_stored_exactly():
    fields = {"dice": 5, "minimum_bank": 500, "penalty": 50, "target": 4000}
    plain = KCD.varied(**fields)
    for kind in (str, Fraction, mpq, mpz):
        given = {name: kind(number) for name, number in fields.items()}
        varied = KCD.varied(**(given | {"dice": str(fields["dice"])}))
        assert varied == plain
        assert {type(getattr(varied, name)) for name in fields} == {int}
    for rules in RULE_SETS.values():
        written = json.loads(rules_text(rules.varied(name="copy")))
        assert written["name"] == "copy"
        assert selection_scores(rules_from(written), 0) == selection_scores(rules, 0)
        assert rules_text(rules) == rules.name
    assert set(RULE_SETS) == {"kcd", "patch", "facebook", "zilch", "ten-thousand"}


def test_menus_of_zilch_and_just_below_a_target():
    # Any roll of six dice scores: nothing at all is worth 500.
    assert menus_of(ZILCH, SIX_FAIR, prune=True).by_state[6].bust == 0
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
    # Two dice that show 1 or 5: with 50 points to go, keeping the 5 ends the turn as keeping the 1
    # does; with 100 to go, keeping the 5 alone may roll on. Both stay on an unpruned menu.
    few = parse_dice("1:0:0:0:1:0*2")
    unpruned = menus_of(KCD, few, prune=False).by_state[2].menus
    pruned = menus_of(KCD, few, prune=True).by_state[2].menus
    assert ((150, 0), (100, 1), (50, 1)) in unpruned
    assert ((150, 0), (100, 1)) in pruned


ONES = {"name": "ones", "scores": {"1": 100, "111": 1000}, "dice": 3, "target": 300}


def test_rules_are_read_from_files(tmp_path):
    in_json, in_toml = tmp_path / "ones.json", tmp_path / "ones.TOML"
    in_json.write_text(json.dumps(ONES))
    in_toml.write_text('name = "ones"\ndice = 3\ntarget = 300\n[scores]\n1 = 100\n111 = 1000\n')
    read = read_rules(str(in_json))
    assert read == read_rules(str(in_toml)) == rules_from(ONES)
    assert (read.dice, read.target, read.hot_dice, read.minimum_bank) == (3, 300, True, 0)
    path = tmp_path / "ones.json"
    path.write_text(json.dumps(ONES))
    made = question(f"farkle value --dice fair --rules {path}")
    path.unlink()
    assert question(str(made)) == made
    # One die: a one banks 100 or rolls on. Rolling at 100 gains 100/6 and loses 500/6.
    assert ask(made).value("value") == mpq(100, 6)
    assert str(path) not in str(made)


@given(rule_sets())
def test_rules_written_and_read_have_equal_scores(rules):
    faces = [combination.faces for combination in rules.combinations]
    assume(len(set(faces)) == len(faces))  # a file lists them once
    again = read_rules(rules_text(rules))
    assert selection_scores(again, 1) == selection_scores(rules, 1)
    assert rules_text(again) == rules_text(rules)
    kept = ("name", "dice", "minimum_bank", "hot_dice", "penalty", "target")
    assert all(getattr(again, name) == getattr(rules, name) for name in kept)


@pytest.mark.parametrize("counts", [(3,), (1, 2), (2, 2, 1), (3, 3)])
def test_a_shape_is_every_roll_with_these_multiplicities(counts):
    rolls = {tuple(sorted(roll)) for roll in product(range(1, 7), repeat=sum(counts))}
    shaped = [r for r in rolls if sorted(r.count(face) for face in set(r)) == sorted(counts)]
    found = tables._shape(counts, 350)
    assert sorted(combination.faces for combination in found) == sorted(shaped)
    assert {combination.score for combination in found} == {350}


def test_a_long_error_about_a_file_is_shortened(monkeypatch):
    def refuse(text, argument):
        raise ValueError("long\n" * 99)

    monkeypatch.setattr(tables, "_document", refuse)
    with pytest.raises(InputError) as problem:
        read_rules("{}")
    words = "JSON or TOML of rules: " + " ".join(["long"] * 20)  # a hundred characters
    assert str(problem.value) == f"rules: got '{{}}'; expected {words} "


@pytest.mark.parametrize(("change", "message"), rows_of("tables/farkle_rules_wrong"))
def test_wrong_rules_are_rejected_in_one_line(change, message):
    with pytest.raises(InputError) as problem:
        rules_from(ONES | json.loads(change))
    assert str(problem.value).startswith(f"rules: {message}")
    assert "\n" not in str(problem.value)


def test_a_file_of_rules_may_be_as_long_as_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "rules.json"
    path.write_text('{"name": "ones", "scores": {"1": 100}}')
    size = path.stat().st_size
    monkeypatch.setattr(tables, "_MAX_FILE", size)
    assert read_rules(str(path)).score([1]) == 100
    monkeypatch.setattr(tables, "_MAX_FILE", size - 1)
    with pytest.raises(InputError, match=f"expected a file of at most {size - 1} bytes"):
        read_rules(str(path))
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match=r"expected a readable file \(Is a directory\)"):
        read_rules(str(tmp_path / "folder.json"))


def test_dice_are_read_grouped_and_compared():
    dice = parse_dice("fair*3,368:105:105:105:105:212*2,odd")
    assert dice.counts == (3, 2, 1)
    assert dice.kinds[1].weights == (368, 105, 105, 105, 105, 212)
    assert dice.kinds[2] == Die((4, 1, 4, 1, 4, 1))  # the game's 8:2:8:2:8:2 in lowest terms
    assert str(dice) == "fair*3,368:105:105:105:105:212*2,odd"
    assert parse_dice("1J:1:1:1:1:1").dice == (named_dice()["devils-head"],)
    assert str(parse_dice("2j:1:1:1:1:0,fair")) == "2J:1:1:1:1:0,fair"
    assert parse_dice("fair,odd,1:1:1:1:1:1").counts == (2, 1)
    assert parse_dice("fair,odd,1:1:1:1:1:1").dice == (FAIR, named_dice()["odd"], FAIR)
    assert parse_dice("fair*2,odd") == parse_dice("fair,fair,odd")
    assert parse_dice("fair,odd") != parse_dice("odd,fair")  # a roll lists its faces in this order
    assert parse_dice("fair") != "fair"
    assert repr(parse_dice("fair*2")) == "parse_dice('fair*2')"
    assert hash(parse_dice("fair*2")) == hash(parse_dice("fair,fair"))


# Percentages published at kingdom-come-deliverance.fandom.com/wiki/Dice_(KCD2), to 0.1.
PUBLISHED = {
    "aranka": (28.6, 4.8, 28.6, 4.8, 28.6, 4.8),
    "cautious-cheater": (23.8, 14.3, 9.5, 14.3, 23.8, 14.3), "ci-p": (13, 13, 13, 13, 13, 34.8),
    "favourable": (33.3, 0, 5.6, 5.6, 33.3, 22.2),
    "heavenly-kingdom": (36.8, 10.5, 10.5, 10.5, 10.5, 21.1),
    "holy-trinity-p": (18.2, 22.7, 45.4, 4.5, 4.5, 4.5),
    "lucky": (27.3, 4.5, 9.1, 13.6, 18.2, 27.3), "odd": (26.7, 6.7, 26.7, 6.7, 26.7, 6.7),
    "pie": (46.2, 7.7, 23.1, 23.1, 0, 0), "three-p": (12.5, 6.3, 56.3, 6.3, 12.5, 6.3),
    "weighted": (66.7, 6.7, 6.7, 6.7, 6.7, 6.7),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_named_dice_round_to_the_published_percentages(name):
    die = named_dice()[name]
    for weight, percentage in zip(die.weights, PUBLISHED[name], strict=True):
        assert abs(100 * weight / die.denominator - percentage) < 0.1


def test_named_dice_can_be_written_and_read_back():
    for name, die in named_dice().items():
        assert parse_dice(name).dice == (die,)
        assert parse_dice(str(die)).dice == (die,)
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


@given(rule_sets(), dice, st.booleans())
def test_menus_are_the_options_of_every_ordered_roll(rules, some_dice, prune):
    # Oracle: every ordered roll of distinct dice; then the same grouping by brute force.
    dice_set = DiceSet(some_dice)
    menus = menus_of(rules, dice_set, prune=prune)
    oracle = slow(rules, some_dice)
    for state in dice_set.proper_states():
        left = places_left(dice_set, state)
        weights = {}
        for chance, options in oracle.rolls(left):
            offered = {
                (score, dice_set.state_of(some_dice[i] for i in rest)) for score, rest in options
            }
            if prune:
                offered = {
                    (score, rest)
                    for score, rest in offered
                    if score == max(s for s, r in offered if r == rest)
                }
            menu = tuple(sorted(offered, reverse=True))
            weights[menu] = weights.get(menu, 0) + chance
        found = menus.by_state[state]
        total = found.denominator
        assert weights.pop((), 0) * total == found.bust
        assert {m: w * total for m, w in weights.items()} == found.menus


@given(st.lists(st.sampled_from(sorted(named_dice())), min_size=6, max_size=6), st.data())
def test_menu_of_six_dice_of_the_game_by_brute_force(names, data):
    # Oracle: all 63 selections, scored by the game's written table.
    dice_set = parse_dice(",".join(names))
    roll = [data.draw(st.sampled_from(sorted(d.distribution()))) for d in dice_set.dice]
    shown = tuple(
        pack(face for face, die in zip(roll, dice_set.dice, strict=True) if die == kind)
        for kind in dice_set.kinds
    )
    offers = _Offers(KCD, dice_set, prune=False)
    assert offers._menu(dice_set.full, shown) == brute_menu(dice_set, roll)


def brute_menu(dice_set, roll):
    places = range(len(roll))
    found = set()
    for kept in subsets(places):
        points = score(tuple(sorted(roll[i] for i in kept)), kcd_combinations())
        if kept and points is not None:
            rest = dice_set.state_of(dice_set.dice[i] for i in places if i not in kept)
            found.add((points, rest))
    return tuple(sorted(found, reverse=True))
