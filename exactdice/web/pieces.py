"""What pages show of a report; made in a worker, so that no page waits for a long table."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from exactdice.report.html import body
from exactdice.report.model import Report
from exactdice.report.writers import Format, rendered_files

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
