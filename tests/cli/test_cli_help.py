"""Help: topics, claims, help of each command, and limits of memory, output and time."""

import re
import textwrap

import pytest

from exactdice.cli.help import TOPICS
from exactdice.games.farkle.rules.tables import read_rules
from exactdice.jobs.claims import CLAIMS
from exactdice.question.domains import Whole
from exactdice.rooms import ROOMS, classes

COMMANDS = [asked for room in ROOMS for asked in classes(room)]


def test_topics_are_listed_and_shown_in_lines_of_a_terminal(run):
    status, out, _ = run("help")
    assert status == 0
    *listed, _, last = out.splitlines()
    assert [line.split()[0] for line in listed] == list(TOPICS)
    assert "exactdice help TOPIC shows a topic" in last
    for topic, (line, text) in TOPICS.items():
        status, out, _ = run(["help", topic])
        assert status == 0
        assert line in out
        assert text in out
        assert all(len(shown) <= 80 for shown in out.splitlines())


def test_an_unknown_topic_says_how_to_list_them(refused):
    expected = 'expected one of 10 names (did you mean ties?); list them with "exactdice help"'
    assert refused("help tie") == f"topic: got 'tie'; {expected}"


def test_the_topic_of_rules_names_the_values_of_the_option():
    asked = next(asked for asked in COMMANDS if asked.command == "farkle rules")
    rules = next(p for p in asked.parameters() if p.field == "rules")
    assert rules.domain.metavar in TOPICS["rules"][0].replace("--rules ", "")


@pytest.mark.parametrize("asked", COMMANDS, ids=lambda asked: asked.command)
def test_help_has_an_example_a_cost_types_and_limits(asked, run):
    status, out, _ = run([*asked.command.split(), "--help"])
    words = " ".join(out.split())
    assert status == 0
    assert f"exactdice {asked.example.split()[0]}" in words
    assert f"Takes {' '.join(asked.takes.split())}" in words
    assert "Commands that need more are rejected. [default: 2GiB]" in words
    assert ("Workers that share the work. [default: 1]" in words) == asked.shares_work
    arguments = [parameter for parameter in asked.parameters() if parameter.is_argument]
    width = max((len(parameter.metavar) for parameter in arguments), default=0)
    for parameter in arguments:  # what they are stands in one column
        assert f"\n    {parameter.metavar:{width}}  {parameter.help}" in out
    for parameter in asked.parameters():
        if isinstance(parameter.domain, Whole) and parameter.domain.describe():
            assert parameter.domain.describe() in words


def test_claims_are_listed_with_their_verdicts_and_shown_one_by_one(answer, run, refused):
    listed = {row["claim"]: row["verdict"] for row in answer("claims")["claims"]}
    register = run("claims --format md")[1]
    assert list(listed) == [claim.id for claim in CLAIMS]
    assert listed["risk.four-against-two"] == "proved"  # as the README's table says
    assert "swe.30-rounds-best-of-list" in register
    shown = answer("claims risk.maximum-dice")
    assert shown["verdict"] == "proved"
    assert "theorem 10" in " ".join(shown["rests_on"])  # README: theorem 10
    assert shown["certificate"] == "proofs/certificates/risk.maximum-dice.json"
    without = [claim.id for claim in CLAIMS if not claim.kind]
    assert [name for name, verdict in listed.items() if verdict == "open"] == without
    expected = 'expected one of 96 names; list them with "exactdice claims"'
    assert refused("claims chess") == f"claim: got 'chess'; {expected}"


# One quick command of each kind; slower ones share the code of the limit.
QUICK = [
    asked
    for asked in COMMANDS
    if asked.command
    in (
        *("risk round", "risk win", "risk table", "risk survivors", "risk campaign", "risk plan"),
        *("risk blitz", "swe sizes", "swe value", "swe promotion", "reroll value", "claims"),
        *("reroll policy", "farkle rules", "farkle dice", "farkle value", "fatestones duel"),
        *("fatestones dice", "fatestones printed", "symbolic risk-round", "symbolic catastrophe"),
    )
]


@pytest.mark.parametrize("asked", QUICK, ids=lambda asked: asked.command)
def test_a_command_above_the_memory_limit_costs_one_line(asked, refused, monkeypatch):
    # By its estimate: the watch would interrupt imports and break later tests.
    monkeypatch.setattr("exactdice.memory._BETWEEN", (1000, 1))
    assert "more than the limit of" in refused([*asked.example.split(), "--memory", "1"])


def test_too_large_output_is_rejected(run, refused):
    # Four numbers with 20000 digits each, of which four copies are made: 320 kB.
    line = "risk round 1 1 --memory 200KiB --digits"
    assert run(f"{line} 1000")[0] == 0
    assert refused(f"{line} 20000").startswith("writing the answer needs about ")


@pytest.mark.parametrize(
    "line",
    [
        "reroll breakpoints --sides 300000000",
        "reroll value --sides 1000000000",
        "reroll value --sides 99999999999999999999999",
        "reroll value --dice 99999999999999999999999",
        "risk win 99999999999999999999999 99999999999999999999999",
        "risk plan 99999999999999999999999 3",
        "farkle thresholds --target 99999999999999999999999",
        "fatestones simulate --games 99999999999999999999999",
        "swe sizes 99999999999999999999999",
        "swe value 99999999999999999999999",
        "symbolic ehrhart 99999999999999999999999,2",
        "farkle distribution --target none --digits 100000 --memory 1MiB",
    ],
)
def test_too_large_computations_are_rejected_before_they_start(line, refused):
    assert refused(line)


def test_the_example_in_the_help_of_rules_is_valid(tmp_path):
    example = re.search(r"^  name(.|\n)*  111 = 1000$", TOPICS["rules"][1], re.MULTILINE)
    file = tmp_path / "house.toml"
    file.write_text(textwrap.dedent(example[0]))
    rules = read_rules(str(file))
    assert (rules.name, rules.minimum_bank, rules.target) == ("house", 300, 4000)
    assert rules.score([1, 1, 1]) == 1000


def test_the_time_limit_stops_a_command_with_one_line(refused):
    # It checks the time after each row, so after the first one.
    assert refused("risk table 400 400 --seconds 1/1000000000") == (
        "this took longer than the limit of 1/1000000000 seconds; ask for less, or raise the limit "
        "with --seconds"
    )
    assert "seconds: got" in refused("risk win 4 2 --seconds 0")
