"""What is shown of long work on standard error, to whom it is of use."""

import io
import re
import time
from collections.abc import Callable

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
