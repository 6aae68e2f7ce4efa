"""Fixtures that run command lines."""

import io
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
    def answer(line):
        status, out, err = run(f"{line} --format json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return answer


@pytest.fixture
def refused(run):
    def refused(line):
        status, out, err = run(line)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("exactdice: ")
        return err.removeprefix("exactdice: ").removesuffix("\n")

    return refused


@pytest.fixture
def typed(monkeypatch):
    return lambda lines: monkeypatch.setattr("sys.stdin", io.StringIO(lines))
