"""`exactdice farkle …` as a user types it: options, conventions, exit status and errors."""

import json

import pytest
from gmpy2 import mpq

from exactdice.games import farkle
from exactdice.games.farkle import questions
from exactdice.games.farkle.races.chances import contender
from exactdice.games.farkle.races.solve import win_exactly
from exactdice.games.farkle.rules.tables import KCD
from exactdice.native import are_built
from exactdice.rooms import ask

THREE_KINDS = "fair*3,368:105:105:105:105:212*2,odd"


def test_value_takes_every_convention(answer):
    base = answer("farkle value --target 1000")["value"]
    for option in (
        "--overshoot needed",
        "--no-hot-dice",
        "--penalty 100",
        "--minimum-bank 400",
        "--rules patch",
        "--dice odd*6",
    ):
        assert answer(f"farkle value --target 1000 {option}")["value"] != base


def test_thresholds_without_a_target_have_the_bound_of_certain_banking(answer):
    # M/q for six fair dice: 258625/648 over 5/162, rounded up to 50.
    bound = -(-mpq(258625, 648) / mpq(5, 162) // 50) * 50
    document = answer("farkle thresholds --target none")
    assert document["certain_banking"] == bound
    assert [row["bank_from"] for row in document["thresholds"]][:2] == [300, 250]  # the doctest's


def test_the_value_of_a_very_long_turn_is_enclosed(answer, monkeypatch):
    exactly = answer("farkle value --target none --points 250 --left 3")
    monkeypatch.setattr(questions, "_MAX_DISTRIBUTION", 100)
    document = answer("farkle value --target none --points 250 --left 3")
    lower, upper = mpq(document["value"]["lower"]), mpq(document["value"]["upper"])
    assert lower <= mpq(exactly["value"]) <= upper
    assert upper - lower < mpq(1, 10**10)
    assert document["then"] == exactly["then"] == "roll"
    assert "too large" in document["provenance"]["conventions"]["arithmetic"]


@pytest.mark.long
def test_six_dice_that_hardly_bust_have_a_value_without_a_target():
    # A turn that ends at a target is one that a turn without could play too.
    value = ask("farkle value --dice weighted*6 --target none").value("value")
    assert value.lower > ask("farkle value --dice weighted*6").value("value")


def test_long_fractions_become_bounds_below_the_exact_chances(answer):
    line = f"farkle turns --dice {THREE_KINDS} --target 800 --turns 40"
    bounded, exact = answer(line), answer(line + " --exact")
    error = mpq(bounded["error_bound"])
    assert 0 < error < mpq(1, 10**60)
    assert exact["error_bound"] == "0"
    by_then = [[row["by_then"] for row in turns["turns"]] for turns in (bounded, exact)]
    for low, chance in zip(*by_then, strict=True):
        assert 0 <= mpq(chance) - mpq(low) <= error
        assert len(low) < 200


@pytest.mark.parametrize("command", ["dice", "printed"])
def test_commands_with_fixed_rules_state_their_conventions(answer, command):
    conventions = answer(f"farkle {command}")["provenance"]["conventions"]
    assert farkle.KCD.conventions().items() <= conventions.items()


needs_native = pytest.mark.skipif(not are_built(), reason="the C++ solvers are not built")


def ends(value):
    if isinstance(value, str):
        return mpq(value), mpq(value)
    return mpq(value["lower"]), mpq(value["upper"])


def test_races_from_any_scores_agree_with_the_exact_solver(answer):
    players = contender("fair*2", KCD.varied(target=300)), contender("odd", KCD.varied(target=300))
    chances = win_exactly(*players)
    line = "farkle race --first fair*2 --second odd --target 300 --play optimal --scores"
    for own, other in ((0, 0), (50, 250), (250, 0)):
        assert answer(f"{line} {own},{other}")["value"] == str(chances.chance(own, other).point)


def test_looking_gains_the_difference_to_play_for_points(answer):
    line = "farkle race --first fair*2 --second fair*2 --target 300 --scores 0,250"
    looking = answer(f"{line} --play optimal-points")
    blind = answer(f"{line} --play points")
    assert mpq(looking["looking"]) == mpq(looking["value"]) - mpq(blind["value"]) > 0
    assert "looking" not in blind


def test_a_race_too_long_for_the_memory_is_rejected_first(refused):
    assert "race needs about" in refused("farkle race --target 1000000 --play optimal")


@pytest.mark.slow
@needs_native
def test_races_by_the_rules_of_facebook_farkle(answer):
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


def test_a_person_plays_and_sees_the_cost_of_each_choice(run, typed):
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


@pytest.mark.parametrize("options", ["--second", "--opponent-aim points", ""])
def test_optimal_play_plays_without_regret(answer, options):
    line = f"farkle play --dice fair*2 --opponent odd --target 200 --seed 1 --auto {options}"
    document = answer(line)
    assert document["regret"] == "0"
    last = document["decisions"][-1]  # who banks the last points that are needed has won
    assert (last["player"], last["then"]) == (document["winner"], "bank")
    assert document["you"] == ("second" if options == "--second" else "first")
    assert answer(line) == document


@pytest.mark.parametrize(("name", "content", "message"), [
    ("half.json", b'{"name": "x"', "JSON or TOML of rules: Expecting ',' delimiter"),
    ("half.toml", b"name = \n", "JSON or TOML of rules: Invalid value"),
    ("bytes.json", b"\xff\xfe", "JSON or TOML of rules: 'utf-8' codec"),
    ("list.json", b"[1]", "expected an object with name and scores"),
    ("deep.json", b"[" * 100_000, "JSON or TOML of rules: maximum recursion"),
    ("long.toml", b"#" * (1 << 21), "a file of at most 1048576 bytes"),
    ("rules.txt", b"", "zilch, ten-thousand, or a file that ends in .json or .toml")
])  # fmt: skip
def test_bad_files_are_rejected_in_one_line(refused, tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    complaint = refused(f"farkle value --rules {path}")
    assert complaint.startswith("--rules: got ")
    assert message in complaint


def test_a_score_far_above_the_target_is_rejected_first(refused):
    rules = '{"name":"far","target":300,"scores":{"1":50,"2":10000000000000}}'
    assert "needs about" in refused(f"farkle value --dice fair --rules {rules}")
