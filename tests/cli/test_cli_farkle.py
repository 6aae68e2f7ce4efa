"""`exactdice farkle …` as a user types it: fields, conventions, exit status and errors."""

import pytest
from gmpy2 import mpq

from exactdice.games import farkle
from exactdice.games.farkle import questions, reports
from exactdice.run import Run

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


def test_value_of_turns_with_too_long_a_law_is_enclosed(answer, monkeypatch):
    exactly = answer("farkle value --target none --points 250 --left 3")
    monkeypatch.setattr(questions, "_MAX_DISTRIBUTION", 100)
    document = answer("farkle value --target none --points 250 --left 3")
    lower, upper = mpq(document["value"]["lower"]), mpq(document["value"]["upper"])
    assert lower <= mpq(exactly["value"]) <= upper
    assert upper - lower < mpq(1, 10**10)
    assert document["then"] == exactly["then"] == "roll"
    assert "too large" in document["provenance"]["conventions"]["arithmetic"]


@pytest.mark.long
def test_six_dice_that_hardly_bust_have_a_value_without_a_target(answer):
    # A turn that ends at a target is one that a turn without could play too.
    value = answer("farkle value --dice weighted*6 --target none")["value"]
    assert mpq(value["lower"]) > mpq(answer("farkle value --dice weighted*6")["value"])


def test_value_says_whether_to_roll_at_all(answer):
    # By hand: two fair dice bust with 16/36, so that of 450 points 200 are lost on average. A roll
    # scores 25 a die, and hot dice, which come with 1/9, are worth less than 600: 50 + 67 < 200.
    # Of 200 points 89 are lost on average, less than 50 + 1/9 of what six dice gain, about 500.
    document = answer("farkle value --points 450 --left 2")
    assert mpq(document["value"]) < 0
    assert (document["then"], document["best_gain"]) == ("bank", "0")
    rolling = answer("farkle value --points 200 --left 2")
    assert rolling["then"] == "roll"
    assert rolling["best_gain"] == rolling["value"]
    assert mpq(rolling["value"]) > 0


def test_who_may_not_bank_yet_rolls(answer):
    # 500 points are needed: whatever rolling is worth, there is nothing to bank.
    document = answer("farkle value --rules patch --points 450 --left 1")
    assert mpq(document["value"]) < 0
    assert document["then"] == "roll"
    assert document["best_gain"] == document["value"]


def test_finding_the_best_turn_tells_of_progress():
    told = []
    farkle.FarkleValue().answer(Run(progress=lambda *news: told.append(news)))
    assert told[-1] == ("numbers of points", 120, 120)  # the multiples of 50 below 6000


def test_horizon_reaches_the_fixed_point(answer):
    document = answer("farkle horizon 20 --target 500")
    first = document["fixed_point"]
    flags = [row["optimal"] for row in document["horizon"]]
    assert flags == [n >= first for n in range(1, 21)]
    assert document["horizon"][first - 1]["gain"] == document["value"]


def test_advice_lists_every_choice_the_best_first(answer):
    document = answer("farkle advise --roll 1,1,5,3,4,6 --points 300")
    choices = document["choices"]
    # Scoring faces 1, 1, 5: five selections, each to bank or to roll on.
    assert {c["keep"] for c in choices} == {"1", "5", "1,1", "1,5", "1,1,5"}
    assert len(choices) == 10
    assert choices[0]["value"] == document["value"]
    assert choices[0]["regret"] == "0"
    regrets = [mpq(c["regret"]) for c in choices]
    assert regrets == sorted(regrets)
    banked = next(c for c in choices if c["keep"] == "1,1,5" and c["then"] == "bank")
    assert (banked["value"], banked["score"], banked["left"]) == ("250", 250, "fair*3")


def test_thresholds_by_dice_left(answer):
    rows = answer("farkle thresholds --target none")["thresholds"]
    assert [row["dice"] for row in rows] == [1, 2, 3, 4, 5, 6]
    turn = farkle.solve(rules=farkle.KCD.varied(target=None))
    for row in rows:
        at = row["bank_from"]
        assert turn.optimal(at, row["left"]) <= 0 < turn.optimal(at - 50, row["left"])


def test_thresholds_know_the_certain_bank(answer):
    # M/q for six fair dice: 258625/648 over 5/162, rounded up to 50.
    bound = -(-mpq(258625, 648) / mpq(5, 162) // 50) * 50
    document = answer("farkle thresholds --target none")
    assert document["certain_banking"] == bound
    assert "certain_banking" not in answer("farkle thresholds")


def test_distribution_is_one_and_has_the_value_as_mean(answer):
    document = answer("farkle distribution --target 1000")
    law = {row["points"]: mpq(row["probability"]) for row in document["points"]}
    assert sum(law.values()) == 1
    mean = sum(points * chance for points, chance in law.items())
    assert mean == mpq(document["value"])
    assert document["value"] == answer("farkle value --target 1000")["value"]
    tails = [mpq(row["at_least"]) for row in document["points"]]
    assert tails[0] == 1
    assert tails[-1] == mpq(document["points"][-1]["probability"])


@pytest.mark.parametrize("overshoot", ["full", "needed"])
def test_no_simple_player_gains_more_than_the_best_turn(answer, overshoot):
    line = f"--target 300 --overshoot {overshoot}"
    best = mpq(answer(f"farkle value {line}")["value"])
    for bank_from in range(50, 401, 50):
        simple = answer(f"farkle distribution {line} --bank-from {bank_from}")
        assert mpq(simple["value"]) <= best
        past = [row["points"] for row in simple["points"] if row["points"] > 300]
        assert bool(past) == (overshoot == "full")


def test_turns_are_exact_while_their_fractions_are_short(answer):
    document = answer("farkle turns --target 50 --turns 2")
    # One turn fails with 5/162.
    by_then = [mpq(row["by_then"]) for row in document["turns"]]
    assert by_then == [mpq(157, 162), 1 - mpq(25, 162**2)]
    chances = [mpq(row["probability"]) for row in document["turns"]]
    assert chances == [mpq(157, 162), mpq(5 * 157, 162**2)]
    assert document["error_bound"] == "0"
    error = mpq(document["expected_turns_error"])
    assert abs(mpq(document["expected_turns"]) - mpq(162, 157)) <= error < mpq(1, 10**50)


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


def test_race_of_equal_players_over_one_turn(answer):
    # Each turn succeeds with p = 157/162: the first wins with 1/(2 − p) = 162/167.
    document = answer("farkle race --target 50")
    error = mpq(document["error_bound"])
    assert abs(mpq(document["value"]) - mpq(162, 167)) <= error < mpq(1, 10**50)


def test_race_takes_the_dice_of_both(answer):
    ahead = answer("farkle race --first odd*6 --second fair*6 --target 500")["value"]
    behind = answer("farkle race --first fair*6 --second odd*6 --target 500")["value"]
    assert mpq(ahead) > mpq(behind)


@pytest.mark.parametrize("command", ["dice", "printed"])
def test_conventions_are_stated_where_the_rules_are_fixed(answer, command):
    conventions = answer(f"farkle {command}")["provenance"]["conventions"]
    assert farkle.KCD.conventions().items() <= conventions.items()


def test_readme_is_checked(answer):
    document = answer("farkle printed")
    verdicts = {row["about"]: row["agrees"] for row in document["statements"]}
    refuted = {about for about, agrees in verdicts.items() if not agrees}
    assert refuted == {"Optimal_2", "Optimal_3", "rolls that are enough"}
    assert document["refuted"] == 3


@pytest.mark.slow
def test_conventions_are_in_the_provenance(answer):
    given = answer("farkle value --target 500 --overshoot needed --no-hot-dice")
    conventions = given["provenance"]["conventions"]
    assert conventions["target"] == "500"
    assert conventions["overshoot"].startswith("needed")
    assert "has to be banked" in conventions["hot dice"]
    assert conventions["dice"] == "fair*6"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("value --dice fair*7", "dice: got 7; expected at most 6 dice"),
        ("value --dice nothing", "dice: got 'nothing'; expected one of fair,"),
        ("value --dice 1:1:1:1:1:-1", "dice: weight: got '-1'"),
        ("value --dice 0:0:0:0:0:0", "weights: got (0, 0, 0, 0, 0, 0)"),
        ("value --target 6010", "target: got 6010; expected a multiple of 50"),
        ("value --target -50", "target: got '-50'; expected a whole number of at least 0"),
        ("value --target 0", "target: got 0; expected a multiple of 50, of at least 50"),
        ("value --points 6000", "points: got 6000; expected points below the target"),
        ("value --left odd", "left: got 'odd'; expected dice that are among fair*6"),
        ("value --overshoot some", "overshoot: got 'some'; expected one of full, needed"),
        ("value --rules poker", "rules: got 'poker'; expected one of kcd, patch"),
        ("value --minimum-bank 6050", "minimum-bank: got 6050; expected at most the target"),
        ("horizon 0", "rolls: got '0'"),
        ("advise --roll 1,7", "roll: got '7'; expected faces from 1 to 6, or J"),
        ("advise --roll 1,2,3,4,5,6,6", "roll: got 1,2,3,4,5,6,6; expected 6 faces"),
        ("turns --target none", "target: got none; expected the points to reach"),
        ("turns --turns 0", "turns: got '0'"),
        ("race --first fair*7", "first: got 7; expected at most 6 dice"),
        ("race --penalty 500", "No such option"),
        ("advise", "Missing option '--roll'"),
        ("chance --score 5000 --points 1000", "points: got 6000; expected a sum below 6000"),
        ("distribution --bank-from 300 --points 50", "--bank-from applies only to whole turns"),
        (
            "value --rules patch --target 300",
            "target: got 300; expected at least 500, the minimum bank",
        ),
        ("distribution --bank-from 75", "bank-from: got 75; expected a multiple of 50"),
    ],
)
def test_bad_input_is_one_line_and_status_2(refused, line, message):
    assert message in refused(f"farkle {line}")


def test_powers_of_ten_bound_a_width():
    assert reports._ceiling(mpq(1)) == 1
    assert reports._ceiling(mpq(99, 1000)) == mpq(1, 10)
