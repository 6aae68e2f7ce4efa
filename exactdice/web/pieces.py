"""What pages show of a report; made in a worker, so that no page waits for a long table."""

from dataclasses import dataclass

from exactdice.report.html import body
from exactdice.report.model import Report
from exactdice.report.writers import Format, render

__all__ = ["MOST_ROWS", "Shown", "report_itself", "shown", "written"]

#: Rows of a table that a page shows; downloads have all.
MOST_ROWS = 400


@dataclass(frozen=True)
class Shown:
    """A report as part of a page.

    Attributes
    ----------
    title
        Its title.
    html
        Its quantities and tables, long tables cut.
    failure
        What is wrong, where the question was a check that failed.
    """

    title: str
    html: str
    failure: str


def shown(report: Report, digits: int) -> Shown:
    """Write a report as part of a page."""
    return Shown(report.title, body(report, digits, MOST_ROWS), report.failure)


def written(report: Report, output_format: Format, digits: int) -> str:
    """Write a report as a file."""
    return render(report, output_format, digits)


def report_itself(report: Report) -> Report:
    """Give the report, to pages that put it together in their own way."""
    return report
