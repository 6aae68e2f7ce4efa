"""AnyDice programs as Python.

Each translation is executed as a text of its own. Its distributions must equal those of `run`,
which other tests compare with the listing of all rolls.
"""

from pathlib import Path

import pytest

from exactdice.anydice import run
from exactdice.anydice.python import python_of
from exactdice.errors import InputError
from exactdice.rooms import ask

HERE = Path(__file__).parent
EXPRESSIONS = (HERE / "expressions.txt").read_text().splitlines()
PROGRAMS = (HERE / "programs.txt").read_text().splitlines()


@pytest.mark.parametrize("program", [*map("output {}".format, EXPRESSIONS), *PROGRAMS])
def test_python_has_the_outputs_of_the_program(program):
    space = {}
    exec(python_of(program), space)  # noqa: S102
    assert [*space["outputs"].values()] == [output.distribution for output in run(program)]


def test_python_keeps_names_blocks_and_comments():
    text = python_of((HERE / "blow.anydice.txt").read_text())
    assert text[text.index("outputs = {}") :] == (HERE / "blow.python.txt").read_text()
    assert text.startswith("from collections import Counter\nfrom fractions import Fraction\n")
    assert "\n\nfrom exactdice.dice import d, DicePool, Distribution, mixture, pool, sorted" in text


@pytest.mark.parametrize("end", ["\r", "\n", "\x0c", "\u2028", "\v"])
def test_comments_and_names_stay_comments_and_names(end):
    program = f'X: 2 \\ a{end}raise OSError \\ output d6 named "a\\{end}" + 1/0 + "{{1/0}}[X]"'
    program = program.replace('" + 1/0 + "', "' + 1/0 + '")
    assert python_of(program).count("OSError") == 1


def test_command_writes_all_or_nothing(tmp_path):
    file = tmp_path / "roll.py"
    ask(f"anydice 'output 3d6' --python {file}")
    assert file.read_text(encoding="utf-8") == python_of("output 3d6")
    with pytest.raises(InputError):
        ask(f"anydice 'X: d6 output X named \"[X]\"' --python {file}")
    assert file.read_text(encoding="utf-8") == python_of("output 3d6")
