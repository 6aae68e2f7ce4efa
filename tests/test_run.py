"""Runs: announced needs, progress, limits and prompts; estimates are realistic."""

import os
import pty
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from cases import rows_of

from exactdice import native
from exactdice.arithmetic import natural
from exactdice.cli import main
from exactdice.dice import Distribution
from exactdice.errors import InputError, TimeLimitError
from exactdice.games.farkle import KCD, contender
from exactdice.games.farkle.races.solve import enclose_wins, win_exactly
from exactdice.hidden.dealt import DealtGame, Showdown
from exactdice.hidden.equilibrium import equilibrium
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.solve.turns import Choice

needs_native = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


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
    pytest.param("farkle race --play optimal --target 20000", marks=needs_native)
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
        with pytest.raises(TimeLimitError, match="longer than the limit of 1/2 seconds; ask for"):
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


#: Of which the answer is there before all are counted: what native code tells of by the time, and
#: points that no turn comes to.
DONE_BEFORE = ("swe enclosure", "farkle turns")


@dataclass(frozen=True)
class Hearing(Run):
    """Hears, refuses nothing, and sees to it that nothing is counted past its end."""

    heard: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set), compare=False)
    counts: dict[str, list[tuple]] = field(default_factory=lambda: defaultdict(list), compare=False)

    def require(self, needed, what):
        assert needed >= 0
        self.heard["require"].add(what)

    def expect(self, nanoseconds, what):
        assert nanoseconds >= 0
        self.heard["expect"].add(what)

    def tell(self, what, done, total=None):
        assert 0 <= done <= (done if total is None else total), what
        self.heard["tell"].add(what)
        self.counts[what].append((done, total))


@needs_native
@pytest.mark.parametrize(("command", "refused", "long", "counted"), rows_of("tables/announced"))
def test_needs_and_progress_of_a_question_are_announced(command, refused, long, counted):
    """As a person reads it: the words of a refusal name what was asked; "-" is nothing."""
    run = Hearing()
    ask(command, run)
    for kind, what in (("require", refused), ("expect", long), ("tell", counted)):
        assert what == "-" or what in run.heard[kind], run.heard
    done, totals = zip(*run.counts[counted], strict=True) if counted != "-" else ((0,), (0,))
    assert list(done) == sorted(done)
    if totals[-1] is not None and not command.startswith(DONE_BEFORE):
        assert totals[-1] - done[-1] <= 1  # told before the last one, or behind it


def test_needs_of_a_game_with_hidden_hands_are_announced():
    """Two hands each, with two possible deals; the second player sees the move of the first."""
    deal = Distribution({("high", "low"): 1, ("low", "high"): 1})
    choices = [Choice(move, 0, Distribution({move: 1})) for move in ("check", "raise")]
    run = Hearing()
    game = DealtGame(deal, "", lambda seen: Showdown(seen) if seen else choices, lambda *_: 1)
    assert equilibrium(game, run=run).value == 1
    words = {"a sequence form of 4 payoffs", "the linear program"}
    assert words <= run.heard["require"]
    assert words <= run.heard["expect"]


@needs_native
def test_needs_of_a_farkle_race_are_announced():
    player = contender(rules=KCD.varied(target=50))
    run = Hearing()
    win_exactly(player, player, run)
    enclose_wins(player, player, run)
    assert {"the exact chances of this race", "the chances of this race"} <= run.heard["require"]
    assert "this race" in run.heard["expect"]
    assert "pairs of scores" in run.heard["tell"]


def test_progress_of_a_part_is_reported_in_thousandths():
    news = []
    run = Run(progress=lambda *said: news.append(said))
    for part in (0, 0.25, 1):
        run.tell_part(part)
    assert news == [("thousandths", done, 1000) for done in (0, 250, 1000)]
