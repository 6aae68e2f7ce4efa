"""Questions about Farkle come back from text, JSON and pickles; wrong arguments are rejected."""

import pytest
from farkle_cases import dice, rule_sets
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import comes_back, questions

from exactdice.errors import ExactDiceError, InputError
from exactdice.games import farkle
from exactdice.games.farkle import KCD, contender, fields, race
from exactdice.games.farkle.races.solve import (
    enclose_streaks,
    enclose_wins,
    least_turns,
    win_exactly,
)
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, named_dice
from exactdice.games.farkle.sets.best import best_sets
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


@st.composite
def made_questions(draw, asked):
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


def test_dice_have_one_text():
    texts = {
        str(farkle.FarkleValue(points=450, left=left)) for left in (2, "2", "fair*2", "fair,fair")
    }
    assert texts == {"farkle value --points 450 --left 2"}
    odd = farkle.FarkleValue(dice="fair*5,odd", left="odd,fair")
    assert str(odd) == "farkle value --dice 'fair*5,odd' --left odd,fair"
    assert farkle.FarkleValue(dice=DiceSet([FAIR] * 2)) == farkle.FarkleValue(dice="fair*2")
    assert str(farkle.FarkleAdvise(roll=[1, 5, 7], dice="fair*2,devils-head")) == (
        "farkle advise --dice 'fair*2,devils-head' --roll 1,5,J"
    )


@pytest.mark.parametrize("command", [
    "best --own fair*3 --size 3",  # all that one owns
    "best --own fair*9 --size 6 --by win --opponent odd*6 --opponent-aim points",
    "race --scores 5950,0", "race --step 50 --play optimal-points",
    "advise --roll 1 --scores 5900,0 --points 450 --rules patch --target 6000",
    "thresholds --rules zilch --scores 9950,0 --busts 2,2", "value --certificate c.json",
    "value --minimum-bank 6000", "race --certificate c.json --play optimal",
    "play --dice fair*6 --opponent fair*6", "chance --score 5900 --points 50",
    "race --rules facebook --floor 1000000 --scores -1000000,0", "chance --busts 2 --rules zilch",
])  # fmt: skip
def test_limiting_cases_are_accepted(command):
    assert str(question(f"farkle {command}"))


def test_dice_owned_are_text_or_a_file(tmp_path):
    (tmp_path / "own.txt").write_text("fair*6\n\nodd*2,\nlucky\n")
    made = question(f"farkle best --own {tmp_path / 'own.txt'}")
    assert str(made) == "farkle best --own 'fair*6,odd*2,lucky'"
    (tmp_path / "own.txt").write_text("\n \n")
    words = r"^own: got an empty file; expected at least one die a line"
    with pytest.raises(InputError, match=words):
        fields.Owned().read(str(tmp_path / "own.txt"), "own")


def test_named_rules_of_other_tables_are_known():
    for name in ("facebook", "zilch", "ten-thousand"):
        assert str(question(f"farkle value --rules {name}")) == f"farkle value --rules {name}"
    made = question("farkle race --rules facebook --streak-penalty 0 --play optimal")
    assert made.game().streak_penalty == 0


NEVER, RARE = "0:1:0:0:0:0", "1:1000000:0:0:0:0"
SHORT = KCD.varied(target=100)
STREAKY = SHORT.varied(streak_penalty=50)
ENDLESS = KCD.varied(target=None)
COLD = KCD.varied(target=300, hot_dice=False)  # one die scores at most 100


def twice(dice, rules, solved=win_exactly):
    return solved(*[contender(dice, rules)] * 2)


def short():
    return win_exactly(contender("fair", SHORT), contender("fair", SHORT, "points"))


def to_500():
    return twice("fair,odd", KCD.varied(target=500))


WRONG_CALLS = {
    "can take more than 100000 turns": lambda: race(RARE, RARE, KCD.varied(target=500)),
}  # fmt: skip
BY_CPP = {
    "entry_minimum: got 50; expected 0 if busts in a row": lambda: twice(
        "fair", STREAKY.varied(entry_minimum=50), enclose_streaks
    ),
    "hot_dice: got False; expected hot dice": lambda: twice(
        "fair*2", STREAKY.varied(hot_dice=False), enclose_streaks
    ),
    "busts: got 3; expected a whole number from 0 to 2": lambda: twice(
        "fair", STREAKY, enclose_streaks
    ).chance(busts=(3, 0)),
    "own: got -50; expected a multiple of 50, of at least 0": lambda: twice(
        "fair", STREAKY, enclose_streaks
    ).chance(-50),
    "streak_penalty: got 50; expected 0": lambda: twice("fair", STREAKY, enclose_wins),
    "streak_penalty: got 50": lambda: least_turns(contender("fair", STREAKY)),
    "own: got 2 dice; expected at least 6 dice": lambda: best_sets("fair*2"),
    "aim: got 'fun'": lambda: best_sets("fair*6", aim="fun"),
    "target: got none": lambda: best_sets("fair*6", rules=ENDLESS),
    "opponent: got none; expected an opponent exactly": lambda: best_sets("fair*6", aim="win"),
    "own: got 0:1:0:0:0:0; expected dice that can score": lambda: best_sets(NEVER, size=1),
    "own: 593775 sets of 6 dice are more than 200000": lambda: best_sets(
        ",".join(f"1:{n}:1:1:1:1" for n in range(1, 31))
    ),
}


def refused(act, message):
    with pytest.raises(ExactDiceError) as caught:
        act()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("message", WRONG_CALLS)
def test_wrong_arguments_are_rejected_in_one_line(message):
    refused(WRONG_CALLS[message], message)


def test_a_die_without_hot_dice_can_open_with_a_hundred_points():
    assert contender("fair", COLD.varied(entry_minimum=100)).levels == 6
