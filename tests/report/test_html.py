"""HTML: well formed, standing alone, with every number of the report."""

from html.parser import HTMLParser

import pytest
from gmpy2 import mpq

from exactdice.report.html import MAX_ROWS
from exactdice.report.model import Quantity, Report, Table, text_column
from exactdice.report.model import exact as exact_column
from exactdice.report.writers import Format, render
from exactdice.rooms import ask
from exactdice.studies.risk.sources import POSTS_WIN

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


@pytest.mark.parametrize("asked", ["risk win 4 2", "risk table 12 12", "symbolic risk-round 3 2"])
def test_a_page_is_well_formed_and_asks_nothing_of_the_network(asked):
    report = ask(asked)
    html = render(report, Format.HTML)
    page = parsed(html)
    assert not page.addresses
    assert "http" not in html
    rows = sum(len(table.rows) for table in report.tables)
    assert html.count("<tr>") >= rows + len(report.tables)


def test_a_page_holds_the_value_and_its_command():
    html = render(ask("risk win 4 2"), Format.HTML)
    assert POSTS_WIN in parsed(html).cells
    assert "exactdice risk win 4 2" in html


def test_words_cannot_become_markup():
    title = "<script>alert(1)</script>"
    table = Table("t", title, [text_column("w", title)], [[title]])
    html = render(Report(title, [Quantity(text_column("q", title), title)], [table]), Format.HTML)
    assert "<script>alert" not in html
    parsed(html)


def test_a_fraction_that_is_cut_is_sorted_by_its_decimal():
    tiny = mpq(1, 3**200)
    table = Table("t", "long", [exact_column("p", "chance")], [[tiny]])
    html = render(Report("long", (), [table]), Format.HTML)
    digits = str(10**105 // 3**200)[:7]  # of 3⁻²⁰⁰, by long division; 3²⁰⁰ has 96 digits
    assert f'data-sort="{digits[0]}.{digits[1:]}' in html
    assert 'e-96"' in html


@pytest.mark.parametrize(("length", "is_whole"), [(48, True), (49, False)])
def test_a_number_of_48_characters_is_still_shown_whole(length, is_whole):
    """The limit that the module names: a longer one would widen its table."""
    number = mpq(1, 10 ** (length - 3))
    table = Table("t", "long", [exact_column("p", "number")], [[number]])
    assert (f">{number}<" in render(Report("long", (), [table]), Format.HTML)) is is_whole


def test_a_notebook_shows_the_first_rows_and_how_many_are_left():
    shown = ask("risk table 12 12")._repr_html_()
    parsed(shown)
    table = ask("risk table 12 12").table("cells")
    assert f"… and {len(table.rows) - MAX_ROWS} more rows" in shown
