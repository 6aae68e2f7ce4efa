"""A command line as a test types it."""

import json

import pytest

from exactdice.cli import main


@pytest.fixture
def run(capsys):
    """Run a command line; return its exit status, standard output and standard error."""

    def run(line):
        status = main(line.split() if isinstance(line, str) else line)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture
def answer(run):
    """Run a command line that must succeed, and return its JSON."""

    def answer(line):
        status, out, err = run(f"{line} --format json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return answer
