"""Progress of long work on standard error: a bar on a terminal, a line now and then elsewhere.

Nothing is shown of work that is done in an instant. After that a bar is drawn at once on a
terminal, which moves even while nothing is reported; where standard error is redirected, a line is
written every half minute.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from exactdice.run import Progress

_INSTANT = 0.4  # seconds without a sign
_BETWEEN_LINES = 30  # seconds


class _Reporter:
    """The news so far, drawn by a thread of its own so that it never waits for the next news."""

    def __init__(self) -> None:
        self._news: tuple[str, int, int | None] = ("", 0, None)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __call__(self, what: str, done: int, total: int | None, /) -> None:
        self._news = (what, done, total)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _show(self) -> None:
        if self._ended.wait(_INSTANT):
            return
        if sys.stderr.isatty():
            self._draw()
        else:
            self._write_lines()

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            Task,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.text import Text

        class Rate(ProgressColumn):
            """How many are done in a second."""

            def render(self, task: Task) -> Text:
                return Text("" if task.speed is None else f"{task.speed:.3g}/s")

        columns: tuple[Any, ...] = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
            shown, task = "", progress.add_task("working", total=None)
            while not self._ended.wait(0.1):
                what, done, total = self._news
                if what != shown:  # another phase: its time is its own
                    progress.reset(task, description=what, completed=done)
                    shown = what
                progress.update(task, completed=done, total=total)

    def _write_lines(self) -> None:
        begun = time.monotonic()
        phase, first, since = "", 0, begun  # what was done before this phase does not make a rate
        due = begun + _BETWEEN_LINES
        while not self._ended.wait(_INSTANT):
            what, done, total = self._news
            now = time.monotonic()
            if what != phase:
                phase, first, since = what, done, now
            if now < due:
                continue
            due = now + _BETWEEN_LINES
            counted = f" of {total}" if total is not None else ""
            news = f"{what} {done}{counted}" if what else "working"
            if done > first:
                rate = (done - first) / (now - since)
                news += f", {rate:.3g} a second"
                news += f", {(total - done) / rate:.0f} s left" if total is not None else ""
            print(f"exactdice: {news}, {now - begun:.0f} s", file=sys.stderr)


def announced(words: str) -> None:
    """Show a line about what takes long on a terminal, where somebody may wait for it."""
    if sys.stderr.isatty():
        print(f"exactdice: {words}", file=sys.stderr)


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show progress while the block runs; gives what is to be told of it.

    >>> with shown_progress() as tell:
    ...     tell("blocks", 1, 2)
    """
    reporter = _Reporter()
    reporter.start()
    try:
        yield reporter
    finally:
        reporter.stop()
