"""What is written has the same bytes whatever seed Python's hashes have."""

import os
import subprocess
import sys

import pytest

from exactdice.report.writers import Format
from exactdice.rooms import ROOMS, classes

pytest.importorskip("pyarrow")

QUESTIONS = ["risk survivors 5 4", "reroll policy", "farkle rules", "fatestones beats",
             "swe policy 6"]  # fmt: skip
HANDS = "111666,123456 114456,333336"
# Every format of reports and of models, every file that a question writes, and those of commands.
COMMANDS = [
    *(
        f"{words} -o {kind.value}-{words.split()[0]}{kind.suffix}"
        for words in QUESTIONS
        for kind in Format
    ),
    *(f"model export 'swe value 3' swe{ending}" for ending in (".umb", ".drn", ".tra")),
    *(f"model export 'fatestones duel {HANDS}' duel{ending}" for ending in (".nfg", ".efg")),
    "model solve swe.drn --certificate swe.xdc", "model convert swe.umb again.drn",
    "model export 'risk win 3 2' risk.drn", "model export 'reroll value' reroll.umb",
    "model export 'farkle value --target 300' farkle.tra",
    "certify swe.drn --value 3.68 --within 1/100 --certificate claim.xdc",
    "anydice 'output 3d6' --python dice.py",
    "risk dice 3 3 --certificate dice.xdc", "swe value 3 --certificate value.xdc",
    "reroll value --dice 2 --certificate reroll.xdc",
    "farkle value --target 300 --certificate turn.xdc",
    "farkle race --target 100 --play optimal --certificate race.xdc",
    f"fatestones duel {HANDS} --scratch 1/3 --certificate duel.xdc",
    "fatestones dice --write dice.csv",
    "fatestones simulate --players random,random --games 20 --log rolls.csv",
    "book pig --variant piglet-10 --policy pig.csv --certificate pig.xdc",
    "book liars-dice --variant 1v1-2 --policy liar.csv --certificate liar.xdc",
    "book words.py --policy words.csv --certificate words.xdc",
    "book words.py --state \"(1, frozenset({'a', 'b', 'c', 'd'}))\" -o words.txt",
    *(f"plot dice-distribution d6 -o law{ending}" for ending in (".pdf", ".png", ".svg")),
    "project tables --only risk/round-1-1 --output tables",
    "sweep run 'risk win {a} {d}' --over a=2..3 --over d=1..2 --store answers",
    *(f"sweep export --store answers -o wins.{ending}" for ending in ("csv", "json", "parquet")),
]  # fmt: skip
# A checkpoint of minutes, a log that a person's game writes as `simulate` does, and certificates
# that are compared with those of the checkout, byte for byte.
ELSEWHERE = {"fatestones census", "fatestones play", "verify"}
# States and actions that are sets of words, or hold some.
PAGE = """
from exactdice.models import *
words = frozenset("abcd")
rules = lambda state: (
    point_mass((1, words)) if state == "start"
    else [Choice(state[1] - {word}, 1, point_mass("end")) for word in "abcd"] if state != "end"
    else End(0)
)
game = Game("start", rules)
"""
PROGRAM = """
import shlex, sys
from exactdice.cli import main
for line in sys.argv[1:]:
    assert main(shlex.split(line)) == 0, line
"""


def written(folder, seed):
    """Run the commands in a folder of their own, and return the files by their names."""
    folder.mkdir()
    (folder / "words.py").write_text(PAGE, encoding="utf-8")
    program = [sys.executable, "-c", PROGRAM, *COMMANDS]
    environment = os.environ | {"PYTHONHASHSEED": seed}
    subprocess.run(program, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    files = (path for path in folder.rglob("*") if path.is_file())
    kept = folder / "answers"  # answers and their log come as workers give them
    compared = (path for path in files if kept not in path.parents)
    return {str(path.relative_to(folder)): path.read_bytes() for path in compared}


@pytest.mark.slow
def test_files_are_the_same_under_three_hash_seeds(tmp_path):
    first, *others = (written(tmp_path / seed, seed) for seed in ("0", "1", "2"))
    assert len(first) >= len(COMMANDS)
    assert others == [first, first]


def test_every_question_that_writes_a_file_is_among_the_commands():
    asked = {words for line in COMMANDS for words in (line.split()[0], " ".join(line.split()[:2]))}
    for room in ROOMS:
        for question in classes(room):
            if question.has_files or any(each.domain.is_file for each in question.parameters()):
                assert question.command in asked | ELSEWHERE
