"""Helpers: all tables of a report as one text, and the parts of an HTML page."""

from html.parser import HTMLParser

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

VOID = {"meta", "link", "br", "img", "input"}


class Page(HTMLParser):
    """Checks that every tag is closed in the right order, and collects cells and addresses."""

    def __init__(self):
        super().__init__()
        self.open, self.cells, self.addresses = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href")]
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def parsed(html):
    page = Page()
    page.feed(html)
    assert not page.open
    return page
