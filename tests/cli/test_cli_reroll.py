"""The reroll commands: output, errors and interactive play."""

import re

import pytest
from gmpy2 import mpq

from exactdice.games.reroll import RerollRules, solve
from exactdice.report.readers import read, read_json


@pytest.fixture
def report(run, tmp_path):
    """Answer a command, and compare its report in JSON with that in CSV."""

    def report(words):
        status, written, _ = run([*words, "--format", "json"])
        assert (status, run([*words, "--output", f"{tmp_path}/it.csv"])[0]) == (0, 0)
        from_json, from_csv = read_json(written), read(tmp_path / "it.csv")
        assert (from_json.tables, from_json.quantities) == (from_csv.tables, from_csv.quantities)
        return from_json

    return report


def test_value_takes_lists(report):
    words = ["reroll", "value", "--dice", "3", "--bias", "1/10,1/10,8/10", "--values", "1, 2, 3"]
    rules = RerollRules(dice=3, bias=["1/10", "1/10", "8/10"])
    assert report(words).value("value") == solve(rules).value


def test_automatic_play_has_no_regret(report):
    answer = report(["reroll", "play", "--auto", "--seed", "3"])
    rewards = answer.table("turns").cells("reward")
    assert answer.value("score") == sum(rewards)
    assert answer.value("regret") == 0
    assert answer.provenance.conventions["seed"] == "3"


def test_regret_of_a_person(run, typed):
    """Choices are in the order of positions: to hold none, and 0 and 1 of different dice."""
    typed("1\n3\nstick\n")
    answer = read_json(run("reroll play --seed 5 --format json")[1])
    turns = answer.table("turns")
    assert turns.cells("action") == [(), (0, 1), (0, 1, 2)]
    solved = solve(RerollRules())
    states = turns.cells("state")
    lost = mpq(0)
    for state, action in zip(states, turns.cells("action"), strict=True):
        if action == (0, 1, 2):
            lost += solved.values[state] - RerollRules().stick_score(state)
        else:
            ahead = RerollRules().outcomes(tuple(state[i] for i in action))
            lost += solved.values[state] + 1 - ahead.expectation(lambda t: solved.values[t])
    assert answer.value("regret") == lost


def test_a_person_may_stick_by_name(run, typed):
    typed("stick\n")
    answer = read_json(run("reroll play --format json")[1])
    assert answer.table("turns").cells("action") == [(0, 1, 2)]


def test_invalid_input_is_asked_again(run, typed):
    typed("9\n\nhold\nstick\n")
    status, _, asked = run("reroll play --seed 3")
    assert status == 0
    # two or all three of the dice are different, which makes 6 or 8 choices
    assert re.search(r"choice: got '9'; expected a whole number from 1 to [68]\n", asked)
    for text in ("", "hold"):  # several choices begin so
        assert f"choice: got '{text}'; expected a whole number" in asked
    assert re.match(
        r"Choose an action by its number or its name.\n\nYou have rolled \d \d \d.\n"
        r"  1  roll all again\n  2  hold \d\n",
        asked,
    )


@pytest.mark.parametrize(("line", "message"), [
    ("value --bias 0.5,0.4", "--bias: got a sum of 9/10; expected probabilities that sum"),
    ("policy --penalty=-1", "--penalty: got '-1'; expected a number above 0"),
    ("value --dice 0", "--dice: got '0'; expected a whole number from 1 to 1000"),
    ("value --values 1,1", "--values: got a repeated value"),
    ("value --dice 40", "a game of 40 dice of 6 sides needs about"),
    ("theta --order random", "--order: got 'random'; expected one of synchronous, in-place"),
    ("theta --dice 12", "a game of 12 dice of 6 sides needs about"),
    ("breakpoints --dice 40", "a list of the policies of 40 dice of 6 sides needs about"),
    ("table 1 0", "sides: got '0'"), ("table 40 6", "a game of 40 dice of 6 sides needs about"),
    ("play --seed x", "--seed: got 'x'"),
    # Lists of so many sides filled the memory before anything was refused.
    ("value --sides 100001", "--sides: got '100001'; expected a whole number from 1 to 100000"),
    (f"value --dice {'9' * 23}", f"--dice: got '{'9' * 23}'; expected a whole number from 1"),
    ("table 1 300000000", "sides: got '300000000'; expected a whole number"),
    ("value --dice 1000 --sides 100000", "a game of 1000 dice of 100000 sides needs"),
    ("breakpoints --dice 1 --sides 2000", "a list of the policies of 1 dice of 2000"),
    # Every value has the penalty's digits: a hundred thousand of them did not end.
    ("value --penalty 1e-99999", "--penalty: got a number of 100000 digits; expected at most")
])  # fmt: skip
def test_usage_errors_have_one_line(refused, line, message):
    assert refused(f"reroll {line}").startswith(message)


def test_memory_may_be_allowed_past_the_limit(run, monkeypatch):
    monkeypatch.setattr("exactdice.games.reroll.exact.memory_estimate", lambda _rules: 2**40)
    for verb in ("value", "policy", "theta", "breakpoints"):
        assert run(f"reroll {verb} --dice 1")[0] == 2
        assert run(f"reroll {verb} --dice 1 --memory none")[0] == 0
