"""All tables of a report as one text, for tests that write and read in any format by one call."""

from exactdice.report import readers, writers
from exactdice.report.interchange import csv_files
from exactdice.report.writers import Format

CUT = "=== another file ===\n"


def render(report, form=Format.TEXT, digits=10):
    """Write a report; the files of CSV stand below each other, with a line between."""
    if form is Format.CSV:
        return CUT.join(writers._valid(text, form) for text in csv_files(report, digits).values())
    return writers.render(report, form, digits)


def read_csv(text):
    """Read such files."""
    return readers.read_csv(*text.split(CUT))


TEXTS = [form for form in Format if form is not Format.PARQUET]
