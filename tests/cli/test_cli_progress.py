"""Progress of long work on standard error."""

import io
import re
import time
from decimal import Decimal
from types import SimpleNamespace

import pytest

from exactdice.cli import main, presenting


class Screen(io.StringIO):
    def __init__(self, *, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal

    def awaited(self, pattern):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if found := re.search(pattern, self.getvalue()):
                return self.getvalue()[found.start() :]
            time.sleep(0.01)
        raise AssertionError(f"{pattern!r} is not in {self.getvalue()!r}")


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setattr(presenting, "_INSTANT", 0)
    monkeypatch.setattr(presenting, "_BETWEEN_LINES", 0.02)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")

    def made(is_terminal):
        shown = Screen(is_terminal=is_terminal)
        monkeypatch.setattr("sys.stderr", shown)
        return shown

    return made


def test_a_bar_comes_before_a_second_has_passed():
    assert presenting._INSTANT < 1  # Nielsen 1993: then people notice that they wait


def test_a_bar_shows_each_phase_and_its_progress(screen):
    shown = screen(True)
    with presenting.shown_progress() as tell:
        shown.awaited("working")
        tell("rolls", 3, 10)
        shown.awaited(r"rolls 3 of 10")
        tell("rounds", 1, 2)
        assert "rolls" not in shown.awaited(r"rounds 1 of 2")
        tell("long" * 50, 1, 2)
        shown.awaited("longlong")
    assert max(map(len, shown.getvalue().split("\r"))) == 119  # in the last column it would wrap


def test_lines_show_the_total_and_the_time_left_if_known(screen):
    shown = screen(False)
    with presenting.shown_progress() as tell:
        shown.awaited(r"exactdice: working, \d+ s\n")
        tell("rolls", 1, 4)
        shown.awaited(r"exactdice: rolls 1 of 4, \d+ s\n")  # no rate can be known yet
        tell("rolls", 2, 4)
        shown.awaited(r"exactdice: rolls 2 of 4, \S+ a second, \d+ s left, \d+ s\n")
        tell("rounds", 7, None)
        shown.awaited(r"exactdice: rounds 7, \d+ s\n")
        tell("rounds", 9, None)
        shown.awaited(r"exactdice: rounds 9, \S+ a second, \d+ s\n")


def test_no_progress_is_shown_during_prompts(screen, monkeypatch):
    class Thoughtful(io.StringIO):
        def readline(self, *size):
            time.sleep(0.2)  # ten lines of progress long
            return super().readline(*size)

    shown = screen(False)
    monkeypatch.setattr("sys.stdin", Thoughtful("stick\n"))
    assert main(["reroll", "play"]) == 0
    assert "hold" in shown.getvalue()  # the question that was asked
    assert "working" not in shown.getvalue()


def test_lines_show_the_rate_of_a_phase_every_half_minute(monkeypatch, capsys):
    """With a clock that advances by a second at each check.

    Work done before a phase began, here 40 rolls, does not count for its rate.
    """
    news = [("", 0, None)] * 31
    news += [("rolls", 40 + 2 * second, 200) for second in range(60)]
    news += [("rounds", 5 * second, None) for second in range(40)]
    news += [("thousandths", 7 * second, 1000) for second in range(40)]
    now = [1000]
    reporter = presenting._Reporter()
    left = iter(news)

    def wait(_seconds):
        now[0] += 1
        what = next(left, None)
        if what:
            reporter(*what)
        return what is None

    monkeypatch.setattr(presenting, "_BETWEEN_LINES", 30)
    monkeypatch.setattr(presenting, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(reporter, "_ended", SimpleNamespace(wait=wait))
    reporter._write_lines()
    expected = []
    for second in range(30, len(news) + 1, 30):
        what, done, total = news[second - 1]
        begun = [name for name, *_ in news].index(what)
        line = f"{what} {done}" + (f" of {total}" if total else "") if what else "working"
        if what == "thousandths":
            line = f"{Decimal(done) / 10:.1f} % done"
        if done > (first := news[begun][1]):
            pace = (done - first) / (second - 1 - begun)
            line += f", {pace:.3g} a second" if what != "thousandths" else ""
            line += f", {(total - done) / pace:.0f} s left" if total else ""
        expected.append(f"exactdice: {line}, {second} s")
    assert capsys.readouterr().err.splitlines() == expected
    assert "rolls 96 of 200, 2 a second, 52 s left, 60 s" in expected[1]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_estimates_of_time_are_shown_only_on_terminals(screen, is_terminal):
    shown = screen(is_terminal)
    presenting.announced("it takes an hour")
    assert shown.getvalue() == ("exactdice: it takes an hour\n" if is_terminal else "")
