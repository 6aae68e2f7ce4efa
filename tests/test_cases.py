"""Each case of `cases.csv` by Python, on the command line and in a process of its own.

`tests/web/test_web_questions.py` sends the same cases over the web.
"""

import json
import shlex
import subprocess
import sys

import pytest
from cases import CASES, check, check_decimals, reported, written
from strategies import comes_back

from exactdice.cli import main
from exactdice.report.readers import read_csv, read_json
from exactdice.report.writers import Format, render, rendered_files
from exactdice.rooms import ROOMS, classes, question


@pytest.mark.parametrize("command", CASES)
def test_python_and_the_command_line_give_the_values_of_the_sources(command, capsys):
    json_of_python = written(command)
    document = json.loads(json_of_python)
    for path, value, source in CASES[command]:
        assert source
        check(document, path, value)
    check_decimals(document)
    assert main([*shlex.split(command), "--format", "json"]) == 0
    assert capsys.readouterr() == (json_of_python, "")


@pytest.mark.parametrize("command", CASES)
def test_every_format_shows_a_case_and_csv_reads_back_as_json(command):
    report = reported(command)
    from_csv = read_csv(*rendered_files(report, Format.CSV, "it").values())
    assert from_csv == read_json(written(command))
    for shown in (Format.TEXT, Format.MD, Format.LATEX, Format.HTML):
        assert report.title.split(":")[0] in render(report, shown)


@pytest.mark.parametrize("command", [
    next(c for c in CASES if c.startswith(room)) for room in ("risk", "swe", "farkle", "symbolic")
])  # fmt: skip
def test_a_process_prints_the_same(command):
    words = [sys.executable, "-m", "exactdice", *shlex.split(command), "--format", "json"]
    printed = subprocess.run(words, capture_output=True, check=True, encoding="utf-8")
    assert (printed.stdout, printed.stderr) == (written(command), "")


@pytest.mark.parametrize(
    "command", [*CASES, *(asked.example for room in ROOMS for asked in classes(room))]
)
def test_text_json_and_pickle_give_the_same_question_back(command):
    comes_back(question(command))


DOCUMENT = {"value": "5/8", "near": "1/3", "in": {"lower": "1/4", "upper": "1/2"}, "won": True}
DOCUMENT |= {"rows": [{"name": "a", "count": 1}, {"name": "b", "count": 2}]}


@pytest.mark.parametrize(("path", "right", "wrong"), [
    ("value", "5/8", "3/8"), ("near", "0.33…", "0.34…"), ("near", "0.34±0.01", "0.34±0.001"),
    ("in", "1/3", "3/4"), ("won", "true", "1"), ("rows[1].count", "2", '"2"'),
    ("rows[name=b].count", "2", "1"), ("rows[*].count", "[1, 2]", "[2, 1]"),
    ("rows[count=1].name", "a", "b"), ("rows.length", "2", "3"), ("none", "absent", "null"),
    ("value", "5/8", "absent")
])  # fmt: skip
def test_a_case_fails_if_its_value_is_another(path, right, wrong):
    check(DOCUMENT, path, right)
    with pytest.raises(AssertionError):
        check(DOCUMENT, path, wrong)


def test_a_case_fails_if_no_row_is_so():
    with pytest.raises(AssertionError):
        check(DOCUMENT, "rows[name=c].count", "2")
