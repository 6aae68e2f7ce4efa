"""Long computations are announced before they start, with a realistic time."""

import os
import pty
import subprocess
import sys
import time

import pytest

from exactdice import native
from exactdice.arithmetic import natural
from exactdice.cli import main
from exactdice.errors import InputError, TimeLimitError
from exactdice.rooms import ask
from exactdice.run import Run


class StartedError(Exception):
    pass


def announced(command):
    def stop(words):
        raise StartedError(words)

    with pytest.raises(StartedError) as started:
        ask(command, Run(memory=None, announce=stop))
    return str(started.value)


@pytest.mark.parametrize("command", [
    "risk win 2 1000000", "risk table 2000 2000", "swe policies 100",
    "farkle turns --turns 100000 --target 50000", "farkle race --target 20000",
    pytest.param("farkle race --play optimal --target 20000",
        marks=pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"))
])  # fmt: skip
def test_long_questions_are_announced_before_they_start(command):
    begun = time.process_time()
    assert " takes about " in announced(command)
    assert time.process_time() - begun < 3


def test_units_are_those_that_a_person_would_use():
    heard = []
    run = Run(announce=heard.append)
    for seconds in (9, 10, 119, 120, 7199, 7200, 3 * 86_400):
        run.expect(seconds * 10**9, "it")
    times = ["10 seconds", "119 seconds", "2 minutes", "119 minutes", "2 hours", "3 days"]
    assert heard == [f"it takes about {lasting}" for lasting in times]


@pytest.mark.parametrize("command", ["risk win 4 2", "farkle race --target 500", "swe policies 6"])
def test_quick_questions_are_not_announced(command):
    ask(command, Run(announce=lambda words: pytest.fail(words)))


@pytest.mark.slow
@pytest.mark.no_cover  # measuring lines takes longer than what is timed
@pytest.mark.parametrize("command", [
    "risk win 2 60000", "risk table 200 200", "farkle turns --target 5000",
    "farkle race --target 5000", "swe policies 20 --policy Rand(0.5)"
])  # fmt: skip
def test_an_estimate_is_within_a_factor_of_eight(command, monkeypatch):
    expected = []
    monkeypatch.setattr(Run, "expect", lambda _run, time, _what: expected.append(time))
    begun = time.process_time_ns()
    ask(command, Run(memory=None))
    taken = time.process_time_ns() - begun
    assert taken / 8 < sum(expected) < taken * 8


def test_the_time_to_write_many_digits_is_announced(monkeypatch, capsys):
    def stop(words):
        raise KeyboardInterrupt(words)

    monkeypatch.setattr("exactdice.cli.presenting.announced", stop)
    assert main(["risk", "table", "30", "30", "--digits", "100000"]) == 130
    assert main(["risk", "table", "30", "30", "--digits", "100"]) == 0
    assert "0.4166" in capsys.readouterr().out  # 15/36: the Risk post's 2 against 1


@pytest.mark.slow
def test_a_terminal_shows_the_line_and_a_file_does_not(tmp_path):
    command = [sys.executable, "-m", "exactdice", "risk", "win", "2", "1000000"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL) as running:
        os.close(theirs)
        shown = os.read(ours, 1000).decode()
        running.kill()
    os.close(ours)
    assert shown.startswith("exactdice: 2 against 1000000 takes about ")
    with (
        (tmp_path / "errors").open("wb") as errors,
        subprocess.Popen(command, stderr=errors, stdout=subprocess.DEVNULL) as running,
    ):
        time.sleep(1)
        running.kill()
    assert (tmp_path / "errors").read_text() == ""


@pytest.mark.parametrize(("limits", "problem"), [
    ({"workers": 0}, "workers: got 0; expected a whole number of at least 1"),
    ({"memory": "much"}, "memory: got 'much'; expected a whole number"),
    ({"seconds": 0}, "seconds: got .*; expected a number above 0"),
    ({"seconds": "-1"}, "seconds: got .*; expected a number above 0")
])  # fmt: skip
def test_invalid_limits_are_rejected(limits, problem):
    with pytest.raises(InputError, match=problem):
        Run(**limits)
    assert Run(seconds="1/1000", memory="7", workers="1").memory == 7


def test_a_printing_run_shows_progress_and_estimates(capsys):
    """4 minutes are 240·10⁹ nanoseconds."""
    run = Run.printing(memory=2**33)
    run.tell("states", 5)
    run.tell("steps", 1, 2)
    run.expect(240 * 10**9, "the table")
    assert capsys.readouterr() == (
        "",
        "states: 5\nsteps: 1 of 2\nthe table takes about 4 minutes\n",
    )
    assert run.memory == 2**33


def test_a_run_ends_when_its_seconds_are_over_and_not_before(monkeypatch):
    """With a clock in nanoseconds; half a second is 5·10⁸."""
    run = Run(seconds="1/2", since=7)
    monkeypatch.setattr("exactdice.run.time.monotonic_ns", lambda: 7 + 5 * 10**8)
    run.check()
    monkeypatch.setattr("exactdice.run.time.monotonic_ns", lambda: 8 + 5 * 10**8)
    for ask_run in (run.check, lambda: run.tell("steps", 1)):
        with pytest.raises(TimeLimitError, match="more than the limit of 1/2 seconds; ask for"):
            ask_run()
    Run(since=0).check()


def test_a_player_is_prompted_until_the_answer_is_valid(capsys):
    prompts, lines = [], iter(["x\n", " 12 \n", ""])

    def read_line(prompt):
        prompts.append(prompt)
        return next(lines)

    run = Run(read_line=read_line)
    assert run.choose("how many? ", lambda line: natural(line, "number")) == 12
    assert prompts == ["how many? "] * 2
    assert capsys.readouterr() == ("", "number: got 'x'; expected a whole number of at least 0\n")
    with pytest.raises(InputError, match="input: got the end of input; expected a line for"):
        run.choose("how many? ", int)
