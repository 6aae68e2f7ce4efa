"""What pages show of a report; made in a worker, so that no page waits for a long table."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from exactdice.report.eyes import facts
from exactdice.report.html import HtmlTable, html_tables
from exactdice.report.model import CellKind, Report, Table
from exactdice.report.writers import Format, rendered_files
from exactdice.web.chart import bars, law_in, reading
from exactdice.web.numbers import headline

#: Rows of a table that a page shows; downloads have all.
MOST_ROWS = 100

_MOST_CELLS = 1000  # of a table that is shown two ways

_CHANCE = ("probability", CellKind.EXACT)
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # of the calendar of archives: equal answers are equal files


@dataclass(frozen=True)
class ReportView:
    """A report as part of a page."""

    title: str  # its title
    big: str  # the number that is asked for, empty where there is none; what it is; it exactly
    meaning: str
    exact: str
    tables: list[HtmlTable]  # the quantities first
    chart: dict[str, Any] | None  # the first law among them, as bars
    facts: list[tuple[str, str]]  # where it came from
    failure: str  # what is wrong, where the question was a check that failed


def shown(report: Report, digits: int) -> ReportView:
    """Write a report as part of a page."""
    big, meaning, exact = headline(report)
    tables = list(html_tables(report, digits, most=MOST_ROWS, most_cells=_MOST_CELLS))
    where = [(name, fact) for name, fact in facts(report) if name != "command"]
    chart = next(filter(None, map(_chart, report.tables)), None)
    return ReportView(report.title, big, meaning, exact, tables, chart, where, report.failure)


def _chart(table: Table) -> dict[str, Any] | None:
    """Draw a table that is a law: outcomes, and beside each its probability."""
    if [(column.name, column.kind) for column in table.columns[1:2]] != [_CHANCE]:
        return None
    law = law_in(table)
    return bars([law], lambda _, outcome: reading(outcome, law), table.title) if law else None


def as_file(
    report: Report, output_format: Format, name: str, digits: int, table: str = ""
) -> tuple[str, bytes]:
    """Write a report, or one table of it, as a file: its name and content.

    Where a format has a file for each of several tables, they are in one archive.
    """
    report = report.only(table) if table else report
    files = rendered_files(report, output_format, name, digits=digits)
    content = {file: written if isinstance(written, bytes) else written.encode()
               for file, written in files.items()}  # fmt: skip
    return next(iter(content.items())) if len(content) == 1 else (f"{name}.zip", _zip(content))


def _zip(content: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, written in content.items():
            archive.writestr(zipfile.ZipInfo(name, _BEGINNING), written, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def report_itself(report: Report) -> Report:
    """Give the report, to pages that put it together in their own way."""
    return report


_INK, _PAPER, _SOFT, _ACCENT = "#1c2430", "#fdfdfc", "#55606e", "#0b5c96"


def card(_report: Report, big: str, sentence: str, foot: str) -> bytes:
    """Draw an answer as a picture, 1200×630 as other sites show of a link.

    In a worker, for matplotlib takes a second to load.
    """
    from matplotlib.figure import Figure  # as above

    drawn = Figure(figsize=(12, 63 / 10), dpi=100, facecolor=_PAPER)

    def write(down: int, words: str, size: int, colour: str, weight: str = "normal") -> None:
        drawn.text(6 / 100, down / 100, words.replace("$", r"\$"), color=colour, fontsize=size,
                   fontweight=weight, va="top", linespacing=13 / 10)  # fmt: skip

    # A bold figure is as wide as 0.7 of its height, which a point makes 100/72 of a pixel.
    write(90, big, min(90, 1080 // max(len(big), 1)), _ACCENT, "bold")
    write(60, "\n".join(wrap(sentence, 46)[:3]), 30, _INK)
    write(25, "\n".join(wrap(foot, 84)[:2]), 17, _SOFT)
    write(11, "exactdice · exact answers about dice games", 17, _SOFT)
    stream = io.BytesIO()
    drawn.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
