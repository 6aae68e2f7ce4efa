"""What is shown of long work on standard error, to whom it is of use."""

import io
import re
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from exactdice.cli import main, progress


class Screen(io.StringIO):
    """Standard error as a terminal or a file; what was written can be waited for."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal

    def awaited(self, pattern: str) -> str:
        """What was written from the pattern on, as soon as it is found."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if found := re.search(pattern, self.getvalue()):
                return self.getvalue()[found.start() :]
            time.sleep(0.01)
        raise AssertionError(f"{pattern!r} is not in {self.getvalue()!r}")


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Screen]:
    """Make standard error a terminal, or not, of impatient people."""
    monkeypatch.setattr(progress, "_INSTANT", 0)
    monkeypatch.setattr(progress, "_BETWEEN_LINES", 0.02)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")

    def made(is_terminal: bool) -> Screen:
        shown = Screen(is_terminal=is_terminal)
        monkeypatch.setattr("sys.stderr", shown)
        return shown

    return made


def test_a_bar_names_each_phase_and_what_is_done_of_it(screen: Callable[[bool], Screen]) -> None:
    shown = screen(True)
    with progress.shown_progress() as tell:
        shown.awaited("working")
        tell("rolls", 3, 10)
        shown.awaited(r"rolls\b[^\r]*3/10")
        tell("rounds", 1, 2)
        assert "rolls" not in shown.awaited(r"rounds\b[^\r]*1/2")


def test_lines_tell_of_a_total_and_of_what_is_left_where_one_is_known(
    screen: Callable[[bool], Screen],
) -> None:
    shown = screen(False)
    with progress.shown_progress() as tell:
        shown.awaited(r"exactdice: working, \d+ s\n")
        tell("rolls", 1, 4)
        shown.awaited(r"exactdice: rolls 1 of 4, \d+ s\n")  # no rate can be known yet
        tell("rolls", 2, 4)
        shown.awaited(r"exactdice: rolls 2 of 4, \S+ a second, \d+ s left, \d+ s\n")
        tell("rounds", 7, None)
        shown.awaited(r"exactdice: rounds 7, \d+ s\n")
        tell("rounds", 9, None)
        shown.awaited(r"exactdice: rounds 9, \S+ a second, \d+ s\n")


def test_nothing_is_drawn_over_what_a_person_is_asked(
    screen: Callable[[bool], Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Thoughtful(io.StringIO):
        def readline(self, *size: int) -> str:  # type: ignore[override]
            time.sleep(0.2)  # ten lines of progress long
            return super().readline(*size)

    shown = screen(False)
    monkeypatch.setattr("sys.stdin", Thoughtful("stick\n"))
    assert main(["reroll", "play"]) == 0
    assert "hold" in shown.getvalue()  # the question that was asked
    assert "working" not in shown.getvalue()


def test_lines_tell_the_pace_of_a_phase_and_come_at_their_times(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a clock of the test: the work is looked at every second, and told of every 30.

    What was done before a phase was seen, as 40 rolls here, tells nothing of its pace.
    """
    news = [("", 0, None)] * 31
    news += [("rolls", 40 + 2 * second, 200) for second in range(60)]
    news += [("rounds", 5 * second, None) for second in range(40)]
    now = [1000]
    reporter = progress._Reporter()
    left = iter(news)

    def wait(_seconds: float) -> bool:
        now[0] += 1
        what = next(left, None)
        if what:
            reporter(*what)
        return what is None

    monkeypatch.setattr(progress, "_BETWEEN_LINES", 30)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(reporter, "_ended", SimpleNamespace(wait=wait))
    reporter._write_lines()
    expected = []
    for second in range(30, len(news) + 1, 30):
        what, done, total = news[second - 1]
        begun = [name for name, *_ in news].index(what)
        line = f"{what} {done}" + (f" of {total}" if total else "") if what else "working"
        if done > (first := news[begun][1]):
            pace = (done - first) / (second - 1 - begun)
            line += f", {pace:.3g} a second"
            line += f", {(total - done) / pace:.0f} s left" if total else ""
        expected.append(f"exactdice: {line}, {second} s")
    assert capsys.readouterr().err.splitlines() == expected
    assert "rolls 96 of 200, 2 a second, 52 s left, 60 s" in expected[1]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_line_about_what_takes_long_is_for_a_person(
    screen: Callable[[bool], Screen], is_terminal: bool
) -> None:
    shown = screen(is_terminal)
    progress.announced("it takes an hour")
    assert shown.getvalue() == ("exactdice: it takes an hour\n" if is_terminal else "")
