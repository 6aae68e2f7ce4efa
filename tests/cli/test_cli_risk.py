"""`exactdice risk …`, `exactdice reroll …`, and the games that are played from the command line."""

import json
import re
import shlex

import pytest
from gmpy2 import mpq
from printed import POSTS_WIN

from exactdice.games.reroll import RerollRules, solve
from exactdice.games.risk import exact
from exactdice.report.readers import read, read_csv, read_json


def test_smallest_armies_use_the_given_units(answer):
    total, fighting = (answer(f"risk least 5 --units {units}")["least"]
                       for units in ("total", "fighting"))  # fmt: skip
    # Held against the oracle of every smaller army in the tests of the page.
    assert [(row["wanted"], row["attackers"]) for row in total] == [(50, 6), (75, 9), (90, 11)]
    assert [row["attackers"] + 1 for row in fighting] == [row["attackers"] for row in total]
    assert [row["probability"] for row in fighting] == [row["probability"] for row in total]


def test_a_terminal_shows_a_sentence_the_armies_needed_and_losses_and_full_shows_the_file(
    run, monkeypatch
):
    def shown(line, *, is_terminal=True):
        monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal)
        return run(line)[1]

    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = shown("risk win 4 2")
    # Outcomes of the first round of 3 against 2 are in the post; the rest by the oracle below.
    assert plain.startswith("65.6 %  4 attackers (3 fight) beat 2 defenders\n")
    least = [next(a for a in range(2, 20) if exact.win_probability(a, 2) * 100 >= wanted)
             for wanted in (50, 75, 90)]  # fmt: skip
    assert f" {least[0]} for 50 %, {least[1]} for 75 %, {least[2]} for 90 %\n" in plain
    assert plain.count(" losses of the ") == 2
    monkeypatch.delenv("NO_COLOR")
    styled = shown("risk win 4 2")
    assert styled.startswith("\033[1m65.6 %\033[0m  4 ")
    assert re.sub(r"\033\[.m", "", styled) == plain
    assert shown("risk win 4 2 --full") == shown("risk win 4 2", is_terminal=False)
    assert shown("risk win 300 101").count("needed") == 0  # too long beside the answer


def test_survivors_use_the_given_units(answer):
    total = answer("risk survivors 4 2")["outcomes"]
    fighting = answer("risk survivors 3 2 --units fighting")["outcomes"]
    assert [o["attackers"] for o in total] == [o["attackers"] + 1 for o in fighting]
    assert sum(mpq(o["probability"]) for o in total) == 1
    won = sum(mpq(o["probability"]) for o in total if o["defenders"] == 0)
    assert won == mpq(POSTS_WIN)


def test_campaign_value_is_the_probability_to_take_all(answer):
    document = answer("risk campaign 5 1 2")
    ends = [(e["taken"], mpq(e["probability"])) for e in document["endings"]]
    assert sum(chance for _, chance in ends) == 1
    assert mpq(document["value"]) == sum(chance for taken, chance in ends if taken == 2)


def test_provenance_names_the_command_and_the_conventions(answer):
    document = answer("risk win 4 2 --digits 5")
    assert document["provenance"]["command"] == "exactdice risk win 4 2"
    assert document["provenance"]["conventions"]["ties"] == "won by the defender"
    assert "stop" not in document["provenance"]["conventions"]
    document = answer("risk win 4 2 --stop-below 3")  # one of the three stays behind
    assert document["provenance"]["conventions"]["stop"] == "below 2 fighting units"


def test_memory_limit_and_its_override(answer, run, refused, monkeypatch):
    said = r"9000 against 9000 needs about \d+\.\d TiB, more than the limit of 2\.0 GiB; ask for "
    said += "less, or raise the limit with --memory"
    assert re.fullmatch(said, refused("risk table 9000 9000"))
    monkeypatch.setattr(exact, "memory_estimate", lambda *_: 2**50)
    assert run("risk win 4 2")[0] == 2
    assert answer("risk win 4 2 --memory none")["value"] == POSTS_WIN


def test_suffix_of_the_output_sets_the_format(run, tmp_path):
    target = tmp_path / "win.json"
    assert run(f"risk win 4 2 --output {target}") == (0, "", "")
    assert json.loads(target.read_text())["value"] == POSTS_WIN
    assert run(f"risk win 4 2 --output={target} --format=csv") == (0, "", "")
    report = read_csv(target.read_text())
    assert report.value("value") == mpq(POSTS_WIN)
    assert report.provenance.command == "exactdice risk win 4 2"
    assert list(tmp_path.iterdir()) == [target]


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


def test_memory_may_be_allowed_past_the_limit(run, monkeypatch):
    monkeypatch.setattr("exactdice.games.reroll.exact.memory_estimate", lambda _rules: 2**40)
    for verb in ("value", "policy", "theta", "breakpoints"):
        assert run(f"reroll {verb} --dice 1")[0] == 2
        assert run(f"reroll {verb} --dice 1 --memory none")[0] == 0


PLAYS = [
    "swe play 4 --auto",
    "reroll play --auto --dice 2",
    "fatestones play --players random,equilibrium",
    "fatestones play --players random,best -- 111666,123456,222555 114456,333336,122556",
]


def played(run, words):
    """The report of a game; the output options come first."""
    game, verb, *others = words
    status, out, err = run([game, verb, "--format", "json", *others])
    assert (status, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize("line", PLAYS)
def test_the_recorded_command_gives_the_same_game_again(run, line):
    first = played(run, line.split())
    program, *words = shlex.split(first["provenance"]["command"])
    assert (program, words[:2]) == ("exactdice", line.split()[:2])
    assert played(run, words) == first
    assert words[words.index("--seed") + 1] == first["provenance"]["conventions"]["seed"]


@pytest.mark.parametrize("line", PLAYS)
def test_games_without_a_seed_draw_a_new_one(run, line):
    # Four draws of 32 bits are all equal with a chance of 2^-96.
    drawn = {played(run, line.split())["provenance"]["conventions"]["seed"] for _ in range(4)}
    assert len(drawn) > 1


@pytest.mark.parametrize("line", ["swe play 4", "reroll play", "fatestones play"])
def test_a_given_seed_is_recorded_once(run, line):
    arguments = ["--auto"] if "fatestones" not in line else ["--players", "random,random"]
    document = played(run, [*line.split(), *arguments, "--seed", "5"])
    assert document["provenance"]["command"].count("--seed 5") == 1
    assert document["provenance"]["conventions"]["seed"] == "5"
    status, _, err = run([*line.split(), "--seed", "x"])
    assert (status, "seed: got 'x'" in err) == (2, True)


@pytest.mark.parametrize("lines", ["", "99\n"])
@pytest.mark.parametrize("line", [
    "farkle play --target 200 --seed 1 --opponent odd", "swe play 2 --seed 1", "reroll play",
    "fatestones play --seed 1"
])  # fmt: skip
def test_input_must_not_end_before_the_game(run, typed, line, lines):
    typed(lines)
    status, out, err = run(line)
    assert (status, out) == (2, "")
    assert err.endswith(
        "exactdice: input: got the end of input; expected a line for every choice\n"
    )
