"""Progress on standard error: a bar on a terminal, otherwise a line every half minute.

Work that is done in an instant shows nothing. The bar moves even while nothing is reported.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from exactdice.run import Progress

_INSTANT = 0.4  # seconds
_BETWEEN_LINES = 30  # seconds


def _counted(what: str, done: int, total: int | None) -> str:
    if what == "thousandths":
        return f"{done // 10}.{done % 10} % done"
    return f"{what} {done}" + f" of {total}" * (total is not None) if what else "working"


class _Reporter:
    """The latest progress, shown by its own thread."""

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
        from rich import progress
        from rich.console import Console
        from rich.text import Text

        class Rate(progress.ProgressColumn):
            """How many are done in a second."""

            def render(self, task: progress.Task) -> Text:
                known = task.speed is not None and "%" not in task.description
                return Text(f"{task.speed:.3g}/s" if known else "")

        columns: tuple[Any, ...] = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            Rate(),
            progress.TimeElapsedColumn(),
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Console(file=sys.stderr), transient=True) as drawn:
            shown, task = "", drawn.add_task("working", total=None)
            while not self._ended.wait(0.1):
                what, done, total = self._news
                if what != shown:  # another phase, with its own time
                    drawn.reset(task, completed=done)
                    shown = what
                now = _counted(what, done, total)
                drawn.update(task, description=now, completed=done, total=total)

    def _write_lines(self) -> None:
        begun = time.monotonic()
        phase, first, since = "", 0, begun  # the rate counts only this phase
        due = begun + _BETWEEN_LINES
        while not self._ended.wait(_INSTANT):
            what, done, total = self._news
            now = time.monotonic()
            if what != phase:
                phase, first, since = what, done, now
            if now < due:
                continue
            due = now + _BETWEEN_LINES
            news = _counted(what, done, total)
            if done > first:
                rate = (done - first) / (now - since)
                news += f", {rate:.3g} a second" * (what != "thousandths")
                news += f", {(total - done) / rate:.0f} s left" if total is not None else ""
            print(f"exactdice: {news}, {now - begun:.0f} s", file=sys.stderr)


def announced(words: str) -> None:
    if sys.stderr.isatty():
        print(f"exactdice: {words}", file=sys.stderr)


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show progress while the block runs; the block calls what it gets.

    >>> with shown_progress() as tell:
    ...     tell("blocks", 1, 2)
    """
    reporter = _Reporter()
    reporter.start()
    try:
        yield reporter
    finally:
        reporter.stop()
