"""Each row of `refusals.csv`: a command, and the line that refuses it.

In a line, ``…`` stands for any characters. `door` names the only door through which the line is
said; rows without one are asked in Python too, where the line is the same but for dashes.
"""

import csv
import shlex
from pathlib import Path

import pytest
from cases import fits, needs_solvers

from exactdice.errors import ExactDiceError
from exactdice.rooms import ask

with (Path(__file__).parent / "refusals.csv").open(encoding="utf-8", newline="") as _lines:
    ROWS = list(csv.DictReader(_lines))
PYTHON = {"--memory": "Run(memory=…)", "--": "", "_": "-"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refusals")
    (folder / "asked.txt").write_text("risk win 4 2\n")
    (folder / "empty").mkdir()
    ask(f"model export 'risk win 4 2' '{folder / 'battle.drn'}'")
    hands = "fatestones duel 111666,123456 114456,333336"
    ask(f"model export '{hands}' '{folder / 'duel.nfg'}'")
    return folder


@pytest.fixture
def unchanged(folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    yield
    assert sorted(folder.iterdir()) == before


def plain(line):
    for here, there in PYTHON.items():
        line = line.replace(here, there)
    return line


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["command"])
def test_a_refusal_is_one_line_and_writes_nothing(row, refused, unchanged):
    command, pattern = row["command"], row["line"]
    needs_solvers(command)
    line = refused(shlex.split(command))
    assert fits(pattern, line)
    if not row["door"]:
        with pytest.raises(ExactDiceError) as problem:
            ask(command)
        assert plain(str(problem.value)) == plain(line)
