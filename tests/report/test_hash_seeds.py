"""What is written has the same bytes whatever seed Python's hashes have."""

import os
import subprocess
import sys

import pytest

from exactdice.report.writers import Format

pytest.importorskip("pyarrow")

QUESTIONS = [
    "risk survivors 5 4",
    "reroll policy",
    "farkle rules",
    "fatestones beats",
    "swe policy 6",
]
HANDS = "111666,123456 114456,333336"
# Every format of reports, every format of models, and a certificate.
COMMANDS = [
    *(
        f"{words} -o {kind.value}-{words.split()[0]}{kind.suffix}"
        for words in QUESTIONS
        for kind in Format
    ),
    *(f"model export-swe 3 swe{ending}" for ending in (".umb", ".drn", ".tra")),
    *(f"model export-fatestones {HANDS} duel{ending}" for ending in (".nfg", ".efg")),
    "model solve swe.drn --certificate swe.xdc",
]
PROGRAM = """
import sys
from exactdice.cli import main
for line in sys.argv[1:]:
    assert main(line.split()) == 0, line
"""


def written(folder, seed):
    """Run the commands in a folder of their own, and return the files by their names."""
    folder.mkdir()
    program = [sys.executable, "-c", PROGRAM, *COMMANDS]
    environment = os.environ | {"PYTHONHASHSEED": seed}
    subprocess.run(program, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_the_same_under_three_hash_seeds(tmp_path):
    first, *others = (written(tmp_path / seed, seed) for seed in ("0", "1", "2"))
    assert len(first) >= len(COMMANDS)
    assert others == [first, first]
