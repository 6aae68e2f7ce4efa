"""`exactdice farkle race`, `advise`, `thresholds`, `play` and `best` with an opponent, as typed."""

import json
import re

import pytest
from gmpy2 import mpq

from exactdice.games.farkle.races.chances import contender
from exactdice.games.farkle.races.solve import win_exactly
from exactdice.games.farkle.rules.tables import KCD
from exactdice.native import are_built

needs_native = pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")


def ends(value):
    """Both ends of a number that is exact or enclosed."""
    if isinstance(value, str):
        return mpq(value), mpq(value)
    return mpq(value["lower"]), mpq(value["upper"])


def test_race_from_any_scores_is_that_of_the_exact_solver(answer):
    players = contender("fair*2", KCD.varied(target=300)), contender("odd", KCD.varied(target=300))
    chances = win_exactly(*players)
    line = "farkle race --first fair*2 --second odd --target 300 --play optimal --scores"
    for own, other in ((0, 0), (50, 250), (250, 0)):
        assert answer(f"{line} {own},{other}")["value"] == str(chances.chance(own, other).point)


def test_looking_is_worth_what_play_for_points_wins_less(answer):
    line = "farkle race --first fair*2 --second fair*2 --target 300 --scores 0,250"
    looking = answer(f"{line} --play optimal-points")
    blind = answer(f"{line} --play points")
    assert mpq(looking["looking"]) == mpq(looking["value"]) - mpq(blind["value"]) > 0
    assert "looking" not in blind


def test_players_for_points_from_the_start_win_as_the_chains_of_turns_say(answer):
    line = "farkle race --target 300"
    bounded, exactly = answer(line), answer(f"{line} --exact")
    assert abs(mpq(bounded["value"]) - mpq(exactly["value"])) <= mpq(bounded["error_bound"])


@pytest.mark.slow
@needs_native
def test_a_long_race_is_enclosed(answer):
    line = "farkle race --first fair*2 --second fair*2 --target 700 --play optimal"
    exactly = mpq(answer(f"{line} --exact")["value"])
    assert exactly == win_exactly(*[contender("fair*2", KCD.varied(target=700))] * 2).value.point
    document = answer("farkle race --target 2000 --play optimal")
    lower, upper = ends(document["value"])
    assert 0 < lower < upper < 1
    assert upper - lower < mpq(1, 10**12)
    assert ends(document["looking"])[0] > 0


def test_a_race_too_long_for_the_memory_is_refused_before_it_starts(run):
    status, out, err = run("farkle race --target 1000000 --play optimal")
    assert (status, out) == (2, "")
    assert "race needs about" in err
    assert err.count("\n") == 1


@needs_native
def test_the_rules_of_facebook_farkle_race_as_they_are(answer):
    line = "farkle race --rules facebook --target 500 --floor 200 --first fair*3 --second fair*3"
    optimal, points = answer(f"{line} --play optimal"), answer(line)
    assert ends(optimal["looking"])[1] > 0
    assert 0 < mpq(points["value"]) < 1
    streaks = points["provenance"]["conventions"]["streak penalty"]
    assert streaks == "500 off the score with every third bust in a row, down to -200"
    # Behind by more and with two busts before, the chance is less.
    behind = answer(f"{line} --play optimal --scores -200,300 --busts 2,0")
    assert ends(behind["value"])[1] < ends(optimal["value"])[0]


def test_each_player_has_rules_of_their_own(answer, tmp_path):
    # By hand: one fair die, ones alone score, and win: with 1/6 a turn for the first; with 1/3 for
    # the second, who needs a one or a five. The first wins with p / (1 − (1−p)(1−q)).
    house = tmp_path / "house.toml"
    house.write_text('name = "ones"\ntarget = 50\n[scores]\n1 = 50\n')
    line = f"farkle race --first fair --second fair --rules {house} --second-rules kcd --target 50"
    p, q = mpq(1, 6), mpq(1, 3)
    expected = p / (1 - (1 - p) * (1 - q))
    for play in ("optimal", "points", "optimal-points"):
        document = answer(f"{line} --play {play} --exact")
        assert document["value"] == str(expected)
    bounded = answer(line)
    assert abs(mpq(bounded["value"]) - expected) <= mpq(bounded["error_bound"])
    assert bounded["provenance"]["conventions"]["rules of the second"] == "kcd, up to 6 dice"
    advice = answer(
        f"farkle advise --dice fair --opponent fair --roll 1 --scores 0,0 --target 50 "
        f"--rules {house} --opponent-rules kcd"
    )
    assert advice["value"] == "1"
    played = answer(
        f"farkle play --auto --seed 3 --dice fair --opponent fair --target 50 --rules {house} "
        "--opponent-rules kcd"
    )
    assert played["value"] == str(expected)


@needs_native
def test_advice_counts_the_busts_in_a_row(answer):
    # By hand: one die of a one or nothing, 100 points to win. A bust is the third in a row and
    # costs 100 points, so that two ones are needed, which the other needs once.
    line = (
        "farkle thresholds --dice 1:1:0:0:0:0 --opponent 1:1:0:0:0:0 --target 200 "
        "--streak-penalty 100 --scores 100,100"
    )
    calm, tense = answer(line), answer(f"{line} --busts 2,0")
    assert ends(tense["value"])[1] < ends(calm["value"])[0]


def test_a_person_plays_and_is_told_the_cost(run, typed):
    typed("x\n" + "1\n" * 100)
    line = "farkle play --dice fair*2 --opponent fair*2 --target 300 --seed 8 --format json"
    status, out, err = run(line)
    assert status == 0
    assert "choice: got 'x'; expected a whole number from 1 to" in err
    assert "a bust." in err
    assert "You have won." in err or "You have lost." in err
    own = [chosen for chosen in json.loads(out)["decisions"] if chosen["player"] == "first"]
    bad = sum(chosen["regret"] != "0" for chosen in own)
    assert err.count("That cost") == bad > 0
    assert err.count("That was best.") == err.count("choice? ") - 1 - bad > 0  # one asked again


def test_a_person_hears_each_roll_of_an_opponent_who_plays_for_points(run, typed):
    # One die scores 100 by a one and 50 by a five, and any other face is a bust.
    typed("1\n" * 100)
    line = "farkle play --dice fair*2 --opponent fair --opponent-aim points --target 300 --seed 3"
    status, _, err = run(line)
    assert status == 0
    scores, told = {"1": 100, "5": 50}, set()
    for face, then in re.findall(r"The opponent rolls (\d)(.*)", err):
        if face in scores:
            assert re.fullmatch(rf": keep {face} for {scores[face]} and (bank|roll fair)\.", then)
        else:
            assert then == ": a bust."
        told.add(face in scores)
    assert told == {True, False}


@pytest.mark.parametrize("options", ["--second", "--opponent-aim points", ""])
def test_optimal_play_plays_without_regret(answer, options):
    line = f"farkle play --dice fair*2 --opponent odd --target 200 --seed 1 --auto {options}"
    document = answer(line)
    assert document["regret"] == "0"
    last = document["decisions"][-1]  # who banks the last points that are needed has won
    assert (last["player"], last["then"]) == (document["winner"], "bank")
    assert document["you"] == ("second" if options == "--second" else "first")
    assert answer(line) == document


def test_a_game_whose_input_ends_too_early_gets_one_line(run, typed):
    typed("")
    status, out, err = run("farkle play --target 200 --seed 1 --opponent odd")
    assert (status, out) == (2, "")
    assert "exactdice: input: got its end" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("race --scores 500", "scores: got a list of 1; expected two numbers: OWN,OTHER"),
        (
            "race --scores 0,6000 --play optimal",
            "scores: got 6000; expected scores below the target",
        ),
        (
            "race --first 0:1:0:0:0:0 --play optimal",
            "first: got 0:1:0:0:0:0; expected dice that can",
        ),
        (
            "race --rules facebook --entry-minimum 50 --play optimal",
            "--entry-minimum: got 50; expected 0",
        ),
        (
            "race --rules facebook --scores 0,-2550",
            "scores: got -2550; expected a multiple of 50, of at",
        ),
        (
            "race --rules facebook --target 500 --busts 0,3",
            "busts: got '3'; expected a whole number",
        ),
        ("race --target 500 --busts 1,0", "busts: got 1; expected 0: busts in a row cost nothing"),
        ("race --second-rules poker", "second-rules: got 'poker'; expected one of"),
        (
            "race --rules facebook --play optimal --exact",
            "--exact does not apply if busts in a row",
        ),
        ("best --own fair*6 --rules zilch", "streak-penalty: got 500; expected 0"),
        ("advise --roll 1,5 --dice fair*2 --busts 1,0", "scores: got none; expected both scores"),
        ("advise --roll 1,5 --dice fair,odd,odd", "left: got nothing"),
        ("best --own fair*2", "own: got 2 dice; expected at least 6"),
        ("best", "Missing option '--own'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(refused, line, message):
    assert message in refused(f"farkle {line}")
