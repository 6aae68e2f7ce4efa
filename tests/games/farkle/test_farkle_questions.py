"""Questions about Farkle come back from text, JSON and pickles; wrong arguments are rejected."""

import pytest
from farkle_cases import dice, rule_sets
from gmpy2 import mpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import comes_back, questions

from exactdice.errors import ExactDiceError, InputError
from exactdice.games import farkle
from exactdice.games.farkle import KCD, PATCH, advise, contender, fields, parse_dice, race, solve
from exactdice.games.farkle.chase import BestChance, TargetPlayer
from exactdice.games.farkle.races.chances import advise_to_win
from exactdice.games.farkle.races.solve import (
    enclose_streaks,
    enclose_wins,
    least_turns,
    win_chances,
    win_exactly,
)
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, Die, named_dice
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import ZILCH, read_rules
from exactdice.games.farkle.sets.best import best_sets
from exactdice.games.farkle.turn.advice import parse_roll
from exactdice.games.farkle.turn.exact import SIX_FAIR, horizon
from exactdice.games.farkle.turn.forward import ThresholdPlayer
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
    for wrong in (5, " ", None):
        with pytest.raises(InputError, match=r"^own: got .*; expected dice such as fair"):
            fields.Owned().read(wrong, "own")
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
    "combination: got ()": lambda: Combination((), 50),
    "face: got 7": lambda: Combination((7,), 50),
    "combination: got (1, 1, 1, 1, 1, 1, 1, 1)": lambda: Combination((1,) * 8, 50),
    "score: got 0": lambda: Combination((1,), 0),
    "combinations: got ()": lambda: RuleSet("none", ()),
    "faces: got 16 dice; expected at most 7": lambda: KCD.score([4] * 16),  # 16 would carry
    "faces: got 7 dice; expected at most 6": lambda: KCD.score([1] * 7),
    "face: got 0; expected a whole number from 1 to 7": lambda: KCD.score([0, 1]),
    "face: got 8; expected a whole number from 1 to 7": lambda: KCD.score([8]),
    "face: got 1.0; expected a whole number from 1 to 7": lambda: KCD.score([1.0]),
    "target: got 6025; expected a multiple of 50": lambda: KCD.varied(target=6025),
    "target: got 0; expected a multiple of 50, of at least 50": lambda: KCD.varied(target=0),
    "minimum_bank: got 30": lambda: KCD.varied(minimum_bank=30),
    "minimum_bank: got 6050; expected at most the target": lambda: KCD.varied(minimum_bank=6050),
    "penalty: got -50": lambda: KCD.varied(penalty=-50),
    "floor: got 30; expected a multiple of 50": lambda: KCD.varied(floor=30),
    "dice: got 8": lambda: KCD.varied(dice=8),
    "target: got 8001/2; expected a multiple of": lambda: KCD.varied(target=mpq(8001, 2)),
    "target: got 4000.0; expected a multiple of 50": lambda: KCD.varied(target=4000.0),
    "rules: got 'poker'; expected one of kcd, patch": lambda: read_rules("poker"),
    "dice: got ''": lambda: parse_dice(""), "dice: got 'fair*'": lambda: parse_dice("fair*"),
    "count: got '0'": lambda: parse_dice("fair*0"),
    "dice: got 7; expected at most 6 dice": lambda: parse_dice("fair*7"),
    "dice: got 'unheard-of'; expected six weights a:…:f, or": lambda: parse_dice("unheard-of"),
    "dice: got '1:2:3'; expected six weights": lambda: parse_dice("1:2:3"),
    "weight: got '-1'": lambda: parse_dice("1:1:1:1:1:-1"),
    "weight: got 'x'": lambda: parse_dice("1:1:1:1:1:x"),
    "weights: got (0, 0, 0, 0, 0, 0)": lambda: parse_dice("0:0:0:0:0:0"),
    "six weights, one for each face": lambda: Die((1, 1)), "at least one die": lambda: DiceSet([]),
    "left: got 'odd'; expected dice that are among": lambda: SIX_FAIR.parse_state("odd"),
    "left: got 4; expected at most 3": lambda: parse_dice("fair*3").parse_state("fair*4"),
    "left: got '0'": lambda: parse_dice("fair*3").parse_state("0"),
    "dice: got 3 dice; expected at most 2, by the rules": lambda: menus_of(
        KCD.varied(dice=2), parse_dice("fair*3"), prune=True
    ),
    "overshoot: got 'half'; expected full or needed": lambda: solve("fair*6", KCD, "half"),
    "dice: got 12 dice": lambda: solve(DiceSet(SIX_FAIR.dice * 2)),
    "points: got 25; expected a multiple of 50": lambda: solve().optimal(25),
    "points: got 6000; expected points below the target of 6000": lambda: solve().optimal(6000),
    "points: got 'x'; expected a multiple of 50": lambda: solve().optimal("x"),
    "left: got 'odd'": lambda: solve().optimal(0, "odd"),
    "target: got none with 1:0:0:0:0:0,fair; expected": lambda: solve("1:0:0:0:0:0,fair", ENDLESS),
    "rolls: got 0": lambda: horizon(solve(), 0),
    "roll: got '7'; expected faces from 1 to 6, or J": lambda: parse_roll("1,7"),
    "roll: got ''": lambda: parse_roll(""),
    "roll: got 1,2,3,4,5,6,1; expected 6 faces": lambda: advise(solve(), "1,2,3,4,5,6,1"),
    "roll: got 1,2; expected 3 faces": lambda: advise(solve(), "1,2", 0, "fair*3"),
    "left: got": lambda: advise(solve(), "1,2", 0, "odd*2"),
    "left: got nothing; expected the dice rolled": lambda: advise(solve("fair*3,odd"), "5,1", 100),
    "roll: got 6; expected one of 1,2,3,4 for the die pie": lambda: advise(solve("pie,odd"), "6,1"),
    "roll: got 1; expected one of 2,3,4,5,6,J": lambda: advise(solve("devils-head"), "1"),
    "roll: got J; expected one of 1,2,3,4,5,6": lambda: advise(solve(), "J,1,2,3,4,5"),
    "bank_from: got 75; expected a multiple of 50": lambda: ThresholdPlayer(KCD, SIX_FAIR, 75),
    "bank_from: got 300; expected a whole number": lambda: ThresholdPlayer(PATCH, SIX_FAIR, 300),
    "banking from 100000000000 points needs about": lambda: ThresholdPlayer(
        ENDLESS, SIX_FAIR, 10**11
    ).turn_end(),
    "target: got none": lambda: BestChance("fair", ENDLESS),
    "turns: got 0": lambda: BestChance("fair").chance(0),
    "score: got 25": lambda: BestChance("fair").chance(1, 25),
    "points: got 6000; expected a sum below": lambda: BestChance("fair").chance(1, 5000, 1000),
    "target: got none; expected a number of points": lambda: TargetPlayer("fair*6", ENDLESS),
    "turns: got 0; expected": lambda: TargetPlayer("fair*6").cdf(0),
    "penalty: got 50": lambda: TargetPlayer("fair", KCD.varied(penalty=50)).expected_turns(),
    "dice: got 0:1:0:0:0:0; expected dice that can reach": lambda: TargetPlayer(
        NEVER, SHORT
    ).expected_turns(),
    "dice: got 0:1:0:0:0:0; expected dice that can": lambda: TargetPlayer(
        NEVER, STREAKY
    ).expected_turns(),
    "penalty: got 500; expected no penalty in a race": lambda: race(
        "fair*6", "fair*6", KCD.varied(penalty=500)
    ),
    "dice that can reach the target": lambda: race(NEVER, NEVER, KCD.varied(target=500)),
    "can take more than 100000 turns": lambda: race(RARE, RARE, KCD.varied(target=500)),
    "penalty: got 50; expected no penalty": lambda: contender("fair", SHORT.varied(penalty=50)),
    "aim: got 'fun'; expected win or points": lambda: contender("fair", SHORT, "fun"),
    "dice: got fair; expected dice that can reach the target": lambda: contender(
        "fair", COLD.varied(entry_minimum=150)
    ),
    "dice: got fair; expected dice that": lambda: contender("fair", COLD.varied(minimum_bank=150)),
    # A die that shows a one, and another one that never scores.
    "dice: got 1:1:0:0:0:0,0:1:0:0:0:0; expected dice that": lambda: contender(
        "1:1:0:0:0:0,0:1:0:0:0:0", KCD.varied(target=300, minimum_bank=150)
    ),
    "streak_penalty: got 50; expected 0": lambda: twice("fair", STREAKY),
    "streak_penalty: got 500; expected 0: busts in a row": lambda: twice("fair*6", ZILCH),
    "own: got 100; expected a score below the target of 100": lambda: short().chance(100),
    "other: got 30; expected a multiple of 50": lambda: short().chance(0, 30),
    "mover: got 1; expected the player who plays to win": lambda: short().turn(mover=1),
    "points: got 100; expected points below 100": lambda: short().turn().points(100),
    "busts: got 1; expected a whole number from 0 to 0": lambda: short().chance(busts=(1, 0)),
    "the exact chances of this race needs about": lambda: win_exactly(
        contender("fair*6"), contender("odd*6")
    ),
    "points: got 400; expected points below 400": lambda: advise_to_win(
        to_500(), "1,5", 100, 0, 400
    ),
    "roll: got 1; expected 2 faces, one for each die": lambda: advise_to_win(
        to_500(), "1", left="fair,odd"
    ),
    "exact does not apply if busts in a row": lambda: twice(
        "fair", STREAKY, lambda *both: win_chances(*both, exact=True)
    ),
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
