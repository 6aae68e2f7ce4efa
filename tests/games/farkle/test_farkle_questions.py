"""Questions about Farkle: text, JSON and pickles give the same question back."""

import json

import pytest
from farkle_cases import dice, rule_sets
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import comes_back, questions

from exactdice.errors import InputError
from exactdice.games import farkle
from exactdice.games.farkle import fields
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, named_dice
from exactdice.rooms import classes, question

points = st.integers(0, 130).map(lambda level: 50 * level)
some_dice = st.one_of(
    dice.map(DiceSet),
    st.lists(st.sampled_from(list(named_dice().values())), min_size=1, max_size=7).map(DiceSet),
    st.integers(1, 6).map(lambda count: DiceSet([FAIR] * count)),
)
MORE = [
    (fields.RuleSets, st.one_of(st.sampled_from([farkle.KCD, farkle.PATCH]), rule_sets())),
    (fields.TargetPoints, st.one_of(st.just("none"), points)),
    (fields.DiceSets, some_dice),
    (fields.Left, st.one_of(st.integers(1, 6), some_dice)),
    (fields.Scores, st.tuples(points, points)),
    (fields.BustRows, st.sampled_from([(0, 0), (0, 0), (2, 1)])),
    (
        fields.Owned,
        st.lists(st.sampled_from(list(named_dice().values())), min_size=6, max_size=12).map(
            DiceSet
        ),
    ),
    (fields.ShownFaces, st.lists(st.integers(1, 7), min_size=1, max_size=6)),
]


FEW = json.dumps({"name": "few", "dice": 3, "scores": {"1": 50}}, separators=(",", ":"))
FEW = f"'{FEW}'"


@st.composite
def made_questions(draw, asked):
    """Questions of a class, most of whose fields go together."""
    more = list(MORE)
    if asked in (
        farkle.FarkleAdvise,
        farkle.FarkleValue,
    ):  # the dice that are left are among the six
        more[3] = (fields.Left, st.integers(1, 6))
    return draw(questions(asked, [*more, (type(fields.POINTS), points)]))


@pytest.mark.slow
@pytest.mark.parametrize("asked", classes("farkle"), ids=lambda asked: asked.command)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much])  # most fields go together, not all
def test_text_json_and_pickle_give_the_same_question_back(asked, data):
    made = data.draw(made_questions(asked))
    assume(made is not None)
    comes_back(made)


def test_the_dice_left_have_one_text():
    texts = {
        str(farkle.FarkleValue(points=450, left=left)) for left in (2, "2", "fair*2", "fair,fair")
    }
    assert texts == {"farkle value --points 450 --left 2"}
    odd = farkle.FarkleValue(dice="fair*5,odd", left="odd,fair")
    assert str(odd) == "farkle value --dice 'fair*5,odd' --left odd,fair"


def test_dice_and_faces_may_be_objects():
    assert farkle.FarkleValue(dice=DiceSet([FAIR] * 2)) == farkle.FarkleValue(dice="fair*2")
    assert str(farkle.FarkleAdvise(roll=[1, 5, 7], dice="fair*2,devils-head")) == (
        "farkle advise --dice 'fair*2,devils-head' --roll 1,5,J"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dice": 6}, "dice: got 6; expected dice such as fair"),
        ({"dice": "fair*8"}, "dice: got 8; expected at most 7 dice"),
        ({"points": 6000}, "points: got 6000; expected points below the target of 6000"),
        ({"points": 25}, "points: got 25; expected a multiple of 50"),
        ({"left": 7}, "left: got '7'; expected a whole number from 1 to 6"),
        ({"left": 8}, "left: got 8; expected a whole number from 1 to 7"),
        ({"left": 2, "dice": "fair,odd"}, "left: got '2'; expected six weights a:…:f, or one of"),
        ({"penalty": 75}, "penalty: got 75; expected a multiple of 50"),
        ({"rules": 3}, "rules: got 3; expected one of kcd, patch"),
        (
            {"rules": farkle.KCD.varied(target=50)},
            "rules: name: got 'kcd'; expected a name that no built-in rules",
        ),
    ],
)
def test_wrong_fields_are_rejected_in_one_line(fields, message):
    with pytest.raises(InputError) as problem:
        farkle.FarkleValue(**fields)
    assert str(problem.value).startswith(message)


@pytest.mark.parametrize(
    ("roll", "message"),
    [
        ([1, 8], "roll: got '8'; expected faces from 1 to 6, or J"),
        (15, "roll: got 15; expected faces from 1 to 6"),
        ("J,1,1,1,1,1", "roll: got J; expected one of 1,2,3,4,5,6 for the die fair"),
    ],
)
def test_a_roll_that_the_dice_cannot_show_is_rejected(roll, message):
    with pytest.raises(InputError) as problem:
        farkle.FarkleAdvise(roll=roll)
    assert str(problem.value).startswith(message)


REFUSED = """
race --scores 500 | scores: got '500'; expected two numbers: OWN,OTHER
race --scores 500,30 | scores: got 30; expected a multiple of 50
race --scores 0,6000 | scores: got 6000; expected scores below the target of 6000
race --play fun | play: got 'fun'; expected one of optimal, points, optimal-points
race --target none | target: got none; expected a number of points
sets --above 1 --rules zilch | streak-penalty: got 500; expected 0: only race, play, turns, chance a
chance --score 5000 --points 1000 | points: got 6000; expected a sum below 6000
chance --busts 1 | busts: got 1; expected 0: busts in a row cost nothing by these rules
race --entry-minimum 7000 | entry-minimum: got 7000; expected at most the target
advise --roll 1 --opponent odd | scores: got none; expected both scores
advise --roll 1 --scores 0,0 --penalty 50 | penalty: got 50; expected no penalty in a race
advise --roll 1 --scores 5900,0 --points 100 | points: got 100; expected points below 100, where the
thresholds --scores 0,0 --overshoot needed | overshoot does not apply to play to win
thresholds --scores 0,0 --opponent fair*7 | opponent: got 7; expected at most 6 dice
play --dice fair*7 | dice: got 7; expected at most 6 dice
best --own fair*3,odd*2 | own: got 5 dice; expected at least 6
best --own fair*3,loaded | own: got 'loaded'; expected one of
best --own fair*101 | own: got 101; expected at most 100 dice
best --own '' | own: got ''; expected a value
best --own none.txt | own: got 'none.txt'; expected a readable text file: file not
best --own fair*9 --size 7 | size: got 7; expected at most 6, by the rules
best --own fair*9 --opponent odd | opponent applies only to --by win
best --own fair*9 --opponent-rules zilch | opponent applies only to --by win
best --own fair*9 --opponent-aim points | opponent applies only to --by win
best --own fair*9 --by win --opponent-rules {FEW} | target: got none; expected the points
best --own fair*9 --by win --target 50 --opponent-rules {FEW} | opponent: got 6; expected at most 3
best --own fair*9 --by win --target 50 --opponent fair*4 --opponent-rules {FEW} | opponent: got 4
best --own fair*9 --size 4 --target 50 --rules {FEW} | size: got 4; expected at most 3
sets --above 1 --size 4 --target 50 --rules {FEW} | size: got 4; expected at most 3
play --opponent-rules {FEW} | target: got none; expected the points
play --opponent-rules {FEW} --target 50 | opponent: got 6; expected at most 3 dice
race --second fair --second-rules {FEW} | target: got none; expected the points
race --second-rules {FEW} --target 50 | second: got 6; expected at most 3 dice
race --first fair*7 | first: got 7; expected at most 6 dice
race --rules facebook --floor 2000000 --scores -1000050,0 | scores: got '-1000050'; expected a whole
play --target none | target: got none; expected a number of points
race --certificate c.json | certificate: got 'c.json'; expected a question with --play
race --step 50 --play optimal --busts 1,0 --rules zilch | step needs --play optimal
race --step 7 --play optimal | step: got 7; expected a multiple of 50
race --step 100 | step needs --play optimal
race --step 100 --play optimal --scores 0,50 | step needs --play optimal
sets --above 1 --size 7 | size: got 7; expected at most 6
sets --above 1 --hold odd*3 --size 2 | hold: got 3 dice; expected at most 2
sets --above 1 --target none | target: got none
race --step 0 --play optimal | step: got 0; expected a multiple of 50, of at least 50
thresholds --scores 0,0 --opponent-rules {FEW} | target: got none; expected the points
thresholds --scores 0,0 --opponent-rules {FEW} --target 50 | opponent: got 6; expected at most 3 dic
thresholds --opponent odd | scores: got none; expected both scores
thresholds --opponent-rules zilch | scores: got none; expected both scores
thresholds --opponent-aim points | scores: got none; expected both scores
thresholds --rules zilch --busts 0,1 | scores: got none; expected both scores
advise --roll 1 --scores 5900,0 --points 500 --rules patch --target 6000 | points: got 500; expected
value --points 50 --certificate c.json | certificate: got 'c.json'; expected a question without poin
value --left 1 --certificate c.json | certificate: got 'c.json'; expected a question without points
value --dice nothing | dice: got 'nothing'; expected six weights a:…:f, or one of
value --target 6010 | target: got 6010; expected a multiple of 50
value --target 0 | target: got 0; expected a multiple of 50, of at least 50
value --left odd | left: got 'odd'; expected dice that are among fair*6
value --overshoot some | overshoot: got 'some'; expected one of full, needed
advise --roll 1,7 | roll: got '7'; expected faces from 1 to 6, or J
turns --target none | target: got none; expected a number of points
race --rules facebook --scores 0,-2550 | scores: got -2550; expected a multiple of 50, of at
race --target 500 --busts 1,0 | busts: got 1; expected 0: busts in a row cost nothing
race --second-rules poker | second-rules: got 'poker'; expected one of
advise --roll 1,5 --dice fair,odd,odd | left: got nothing
best --own fair*6 --rules zilch | streak-penalty: got 500; expected 0
"""


@pytest.mark.parametrize("case", REFUSED.strip().splitlines())
def test_wrong_questions_are_rejected_in_one_line(case):
    command, message = case.replace("{FEW}", FEW).split(" | ")
    with pytest.raises(InputError) as problem:
        question(f"farkle {command}")
    assert str(problem.value).startswith(message)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    "command",
    [
        "best --own fair*3 --size 3",  # all that one owns
        "best --own fair*9 --size 6 --by win --opponent odd*6 --opponent-aim points",
        "race --scores 5950,0",
        "race --step 50 --play optimal-points",
        "advise --roll 1 --scores 5900,0 --points 450 --rules patch --target 6000",
        "thresholds --rules zilch --scores 9950,0 --busts 2,2",
        "value --certificate c.json",
        "value --minimum-bank 6000",
        "race --certificate c.json --play optimal",
        "play --dice fair*6 --opponent fair*6",
        "chance --score 5900 --points 50",
        "race --rules facebook --floor 1000000 --scores -1000000,0",
        "chance --busts 2 --rules zilch",
    ],
)
def test_limiting_cases_are_accepted(command):
    assert str(question(f"farkle {command}"))


def test_dice_owned_are_text():
    for wrong in (5, " ", None):
        with pytest.raises(InputError, match=r"^own: got .*; expected dice such as fair"):
            fields.Owned().read(wrong, "own")


def test_dice_owned_may_be_in_a_file(tmp_path):
    (tmp_path / "own.txt").write_text("fair*6\n\nodd*2,\nlucky\n")
    made = question(f"farkle best --own {tmp_path / 'own.txt'}")
    assert str(made) == "farkle best --own 'fair*6,odd*2,lucky'"
    (tmp_path / "own.txt").write_text("\n \n")
    with pytest.raises(
        InputError, match=r"^own: got an empty file; expected at least one die a line"
    ):
        fields.Owned().read(str(tmp_path / "own.txt"), "own")


def test_named_rules_of_other_tables_are_known():
    for name in ("facebook", "zilch", "ten-thousand"):
        assert str(question(f"farkle value --rules {name}")) == f"farkle value --rules {name}"
    made = question("farkle race --rules facebook --streak-penalty 0 --play optimal")
    assert made.game().streak_penalty == 0
