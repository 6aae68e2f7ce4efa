"""What pages show of a report; made in a worker, so that no page waits for a long table.

A figure of `exactdice.jobs.plots` belongs to the questions that it names for its sizes, and some
figures to more questions of the same kind. matplotlib draws them as SVG, which a page shows beside
the table of the same numbers.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exactdice.errors import InputError
from exactdice.jobs.plots import FIGURES, Figure, figure_named
from exactdice.question import Question
from exactdice.report.html import body
from exactdice.report.model import Report
from exactdice.report.writers import Format, rendered_files
from exactdice.rooms import question

#: Rows of a table that a page shows; downloads have all.
MOST_ROWS = 400

_BEGINNING = (1980, 1, 1, 0, 0, 0)  # of the calendar of archives: equal answers are equal files


@dataclass(frozen=True)
class Shown:
    """A report as part of a page."""

    title: str  # its title
    html: str  # its quantities and tables, long tables cut
    failure: str  # what is wrong, where the question was a check that failed


def shown(report: Report, digits: int) -> Shown:
    """Write a report as part of a page."""
    return Shown(report.title, body(report, digits, MOST_ROWS), report.failure)


def as_file(report: Report, output_format: Format, name: str, digits: int) -> tuple[str, bytes]:
    """Write a report as a file: its name and content.

    Where a format has a file for each of several tables, they are in one archive.
    """
    files = rendered_files(report, output_format, name, digits=digits)
    content = {file: _bytes(written) for file, written in files.items()}
    return next(iter(content.items())) if len(content) == 1 else (f"{name}.zip", _zip(content))


def _bytes(written: str | bytes) -> bytes:
    return written.encode() if isinstance(written, str) else written


def _zip(content: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, written in content.items():
            archive.writestr(zipfile.ZipInfo(name, _BEGINNING), written, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def report_itself(report: Report) -> Report:
    """Give the report, to pages that put it together in their own way."""
    return report


#: Questions beside a figure's own that it can be drawn of: by command, the figure and a condition.
_ALSO: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "risk survivors": (
        "risk-survivors",
        lambda asked: max(asked.attackers, asked.defenders) <= 60 and asked.units == "total",
    ),
    "risk table": (
        "risk-win",
        lambda asked: (
            min(asked.attackers - 1, asked.defenders) >= 2
            and max(asked.attackers - 1, asked.defenders) <= 120
            and asked.units == "total"
            and asked.stop_below is None
        ),
    ),
    "dice law": ("dice-law", lambda asked: True),
    "dice compare": ("dice-compare", lambda asked: True),
}


def figure_of(asked: Question) -> Figure | None:
    """Return the figure that shows the answer to a question; None if there is none.

    >>> from exactdice.rooms import question
    >>> figure_of(question("reroll policy --sides 4")).name
    'reroll-policy'
    >>> figure_of(question("risk survivors 7 3")).name, figure_of(question("risk win 4 2"))
    ('risk-survivors', None)
    """
    name, condition = _ALSO.get(asked.command, ("", None))
    if condition and condition(asked):
        return figure_named(name)
    text = str(asked)
    for figure in FIGURES:
        for size in _sizes(figure, text):
            if _asks(figure, size, text):
                return figure
    return None


def _sizes(figure: Figure, text: str) -> Iterator[int]:
    """Sizes of a figure that the numbers of a command may stand for, and its own."""
    smallest, usual, largest = figure.sizes
    yield usual
    for number in {int(digits) for digits in re.findall("[0-9]{1,6}", text)}:
        for size in (number, number // 100):
            if smallest <= size <= largest:
                yield size


def _asks(figure: Figure, size: int, text: str) -> bool:
    named = figure.question(size)
    if named.split()[:2] != text.split()[:2]:
        return False
    try:
        return str(question(named)) == text
    except InputError:
        return False


def picture(report: Report, name: str) -> bytes:
    """Draw a report as SVG; in a worker, for matplotlib takes a second to load."""
    return figure_named(name).picture(report, "svg")
