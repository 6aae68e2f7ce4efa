"""A writer killed at any system call loses nothing and leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("crashes.py")


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "least"), [("file", 20), ("lines", 14), ("folder", 150)])
def test_a_writer_killed_at_any_step_loses_nothing(tmp_path, scenario, least):
    finished = subprocess.run(
        [sys.executable, PROGRAM, scenario, tmp_path], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) >= least  # kills before and after each system call
