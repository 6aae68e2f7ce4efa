"""`exactdice risk …` as a user types it: formats, fields, exit status and errors."""

import json
import re

import pytest
from gmpy2 import mpq

from exactdice.games.risk import exact
from exactdice.report.readers import read_csv
from exactdice.studies.risk.sources import POSTS_WIN


def test_smallest_armies_use_the_given_units(answer):
    total, fighting = (answer(f"risk least 5 --units {units}")["least"]
                       for units in ("total", "fighting"))  # fmt: skip
    # Held against the oracle of every smaller army in the tests of the page.
    assert [(row["wanted"], row["attackers"]) for row in total] == [(50, 6), (75, 9), (90, 11)]
    assert [row["attackers"] + 1 for row in fighting] == [row["attackers"] for row in total]
    assert [row["probability"] for row in fighting] == [row["probability"] for row in total]


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("win 0 2", "attackers: got '0'; expected a whole number of at least 1"),
        (
            "win 1 2",
            "attackers: got 1; expected a whole number of at least 2 total units, because "
            "one of them stays behind",
        ),
        ("win 3 1e1", "defenders: got '1e1'; expected a whole number of at least 1"),
        ("win 3", "Missing argument 'D'."),
        ("win 3 2 --units all", "--units: got 'all'; expected one of total, fighting"),
        ("win 3 2 --sides 0", "--sides: got '0'; expected a whole number from 1 to 1000000"),
        (
            "win 3 2 --attacker-dice 21",
            "--attacker-dice: got '21'; expected a whole number from 1 to 20",
        ),
        (
            "win 3 2 --format xml",
            "--format: got 'xml'; expected one of text, json, csv, md, latex, html, parquet",
        ),
        ("win 3 2 --digits 0", "--digits: got '0'; expected a whole number from 1 to 100000"),
        ("win 3 2 --stop-below 1", "--stop-below: got 1; expected a whole number of at least 2"),
        ("round 3 21", "defenders: got '21'; expected a whole number from 1 to 20"),
        ("campaign 4 2 0", "territories: got '0'; expected a whole number of at least 1"),
        ("dice 3 2 --order x", "--order: got 'x'; expected one of announced, simultaneous, after"),
        (
            "win 3 2 --output /nowhere/x.txt",
            "output: there is no folder /nowhere; create it, or name another",
        ),
        ("win 3 2 --output .", "output: . is a folder; name a file"),
    ],
)
def test_usage_errors_have_one_line_and_status_2(refused, line, message):
    assert refused(f"risk {line}") == message


def test_memory_limit_and_its_override(answer, run, monkeypatch):
    status, out, err = run("risk table 9000 9000")
    assert (status, out) == (2, "")
    assert re.fullmatch(
        r"exactdice: 9000 against 9000 needs about \d+\.\d TiB, more than the limit of 2\.0 GiB; "
        r"ask for less, or raise the limit with --memory\n",
        err,
    )
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
