"""Rules that a user writes down: files that are read, and files that are refused in one line."""

import json
from itertools import product

import pytest
from farkle_cases import rule_sets
from gmpy2 import mpq
from hypothesis import assume, given

from exactdice.errors import InputError
from exactdice.games.farkle.rules import tables
from exactdice.games.farkle.rules.rule_set import selection_scores
from exactdice.games.farkle.rules.tables import RULE_SETS, read_rules, rules_from, rules_text
from exactdice.rooms import ask, question

ONES = {"name": "ones", "scores": {"1": 100, "111": 1000}, "dice": 3, "target": 300}


def test_json_and_toml_say_the_same(tmp_path):
    in_json, in_toml = tmp_path / "ones.json", tmp_path / "ones.TOML"
    in_json.write_text(json.dumps(ONES))
    in_toml.write_text('name = "ones"\ndice = 3\ntarget = 300\n[scores]\n1 = 100\n111 = 1000\n')
    read = read_rules(str(in_json))
    assert read == read_rules(str(in_toml)) == rules_from(ONES)
    assert (read.dice, read.target, read.hot_dice, read.minimum_bank) == (3, 300, True, 0)


def test_a_question_holds_what_the_file_said(tmp_path):
    path = tmp_path / "ones.json"
    path.write_text(json.dumps(ONES))
    made = question(f"farkle value --dice fair --rules {path}")
    path.unlink()
    assert question(str(made)) == made
    # One die: a one banks 100 or rolls on. Rolling at 100 gains 100/6 and loses 500/6.
    assert ask(made).value("value") == mpq(100, 6)
    assert str(path) not in str(made)


@given(rule_sets())
def test_rules_written_and_read_score_alike(rules):
    faces = [combination.faces for combination in rules.combinations]
    assume(len(set(faces)) == len(faces))  # a file lists them once
    again = read_rules(rules_text(rules))
    assert selection_scores(again, 1) == selection_scores(rules, 1)
    assert rules_text(again) == rules_text(rules)
    kept = ("name", "dice", "minimum_bank", "hot_dice", "penalty", "target")
    assert all(getattr(again, name) == getattr(rules, name) for name in kept)


def test_known_rules_written_out_are_the_same_rules_by_another_name():
    for rules in RULE_SETS.values():
        written = json.loads(rules_text(rules.varied(name="copy")))
        assert written["name"] == "copy"
        assert selection_scores(rules_from(written), 0) == selection_scores(rules, 0)
        assert rules_text(rules) == rules.name
    assert set(RULE_SETS) == {"kcd", "patch", "facebook", "zilch", "ten-thousand"}


@pytest.mark.parametrize("counts", [(3,), (1, 2), (2, 2, 1), (3, 3)])
def test_a_shape_is_every_roll_with_so_many_equal_dice(counts):
    rolls = {tuple(sorted(roll)) for roll in product(range(1, 7), repeat=sum(counts))}
    shaped = [r for r in rolls if sorted(r.count(face) for face in set(r)) == sorted(counts)]
    found = tables._shape(counts, 350)
    assert sorted(combination.faces for combination in found) == sorted(shaped)
    assert {combination.score for combination in found} == {350}


def test_of_a_kind_the_score_of_three_grows_with_each_further_die():
    found = tables._kinds({1: 1000, 4: 400}, (1, 2, 5))
    assert {combination.faces: combination.score for combination in found} == {
        (1, 1, 1): 1000,
        (1, 1, 1, 1): 2000,
        (1, 1, 1, 1, 1): 5000,
        (4, 4, 4): 400,
        (4, 4, 4, 4): 800,
        (4, 4, 4, 4, 4): 2000,
    }


def test_a_long_complaint_about_a_file_is_cut_off(monkeypatch):
    def refuse(text, argument):
        raise ValueError("long\n" * 99)

    monkeypatch.setattr(tables, "_document", refuse)
    with pytest.raises(InputError) as problem:
        read_rules("{}")
    words = "JSON or TOML of rules: " + " ".join(["long"] * 20)  # a hundred characters
    assert str(problem.value) == f"rules: got '{{}}'; expected {words} "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": None}, "rules: name: got None; expected a name that no built-in rules"),
        ({"name": "kcd"}, "rules: name: got 'kcd'; expected a name that no built-in rules"),
        ({"scores": [1]}, "rules: scores: got [1]; expected the score of each combination"),
        ({"scores": {}}, "rules: got ones with a wrong combinations; expected at least one"),
        ({"scores": {"17": 5}}, "rules: scores: got '17'; expected faces from 1 to 6"),
        (
            {"scores": {"12": 5, "21": 9}},
            "rules: scores: got the same faces twice; expected each once",
        ),
        ({"scores": {"1": 0}}, "rules: scores: got 0; expected a number of points for 1"),
        ({"scores": {"1": 0.5}}, "rules: scores: got 0.5; expected a number of points for 1"),
        ({"dice": 8}, "rules: got ones with a wrong dice; expected a whole number from 1 to 7"),
        ({"dice": "3"}, "rules: dice: got '3'; expected a whole number"),
        ({"hot_dice": 1}, "rules: hot_dice: got 1; expected true or false"),
        ({"penalty": 33}, "rules: got ones with a wrong penalty; expected a multiple of 100"),
        ({"minimum_bank": 900}, "rules: got ones with a wrong minimum_bank; expected at most the"),
        ({"joker": True}, "rules: got the key joker; expected one of name, scores, dice"),
    ],
)
def test_wrong_rules_are_refused_in_one_line(change, message):
    with pytest.raises(InputError) as problem:
        rules_from(ONES | change)
    assert str(problem.value).startswith(message)
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
