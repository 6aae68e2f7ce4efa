"""Numbers between bounds in reports: both ends survive; what is shown is true of every number."""

import json
import re

import pytest
from csv_documents import read_csv, render
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import rational
from exactdice.enclosure import Enclosure
from exactdice.report.model import Quantity, Report, Table, enclosed, exact, whole
from exactdice.report.readers import read_json
from exactdice.report.writers import Format

rationals = st.fractions().map(lambda q: mpq(q.numerator, q.denominator))
enclosures = st.tuples(rationals, rationals).map(lambda ends: Enclosure(min(ends), max(ends)))


def report_of(values):
    column = enclosed("value", "a number", "points")
    rows = list(enumerate(values))
    table = Table("rows", "Numbers", [whole("n", "number"), column], rows)
    return Report("Between bounds", [Quantity(column, values[0])], [table])


@given(st.lists(st.none() | enclosures, min_size=1, max_size=4))
def test_both_data_formats_give_both_ends_back(values):
    report = report_of(values)
    for read, output_format in ((read_json, Format.JSON), (read_csv, Format.CSV)):
        again = read(render(report, output_format))
        assert again.quantities == report.quantities
        assert again.tables == report.tables


@given(enclosures, st.integers(1, 30))
def test_rounded_ends_lie_outside(value, digits):
    places = value.places(digits)
    assert mpq(value.rounded_down(places)) <= value.lower
    assert mpq(value.rounded_up(places)) >= value.upper
    spread = mpq(value.rounded_up(places)) - mpq(value.rounded_down(places))
    assert spread <= value.width + mpq(2) / 10**places
    assert mpq(value.shown_width()) * mpq(21, 20) >= value.width


@given(enclosures, st.integers(1, 30))
def test_certain_digits_are_those_of_every_number_between(value, digits):
    shown = value.certain(digits)
    if " to " not in shown:
        places = len(shown.partition(".")[2])
        for number in (value.lower, value.upper, value.middle):
            assert abs(mpq(shown) - number) <= mpq(1, 2) / 10**places


@given(enclosures, st.integers(1, 30))
def test_what_stands_behind_plus_minus_holds_the_number(value, digits):
    """Oracle: both ends are no farther from the decimal than it says, nor is it much too large."""
    shown, _, away = value.near(digits).partition(" ± ")
    farthest = max(value.upper - rational(shown), rational(shown) - value.lower)
    assert farthest <= rational(away or "0") <= farthest * mpq(11, 10)
    if value.width:  # as wide as the bounds are, or else all digits that were asked for
        figures = len(re.sub(r"e.*|\D", "", shown).lstrip("0"))
        assert farthest <= value.width * mpq(11, 20) or figures == digits


def test_a_number_between_bounds_stands_under_no_heading_that_says_exact_or_decimal():
    # Source: by hand, the middle of 1/3 and 0.3334 is 0.33336…, and each 0.0000333… away.
    value, seen = Enclosure(mpq(1, 3), mpq(3334, 10000)), "0.333367 ± 0.000034"
    report = report_of([value])
    html = render(report, Format.HTML)
    assert '<th scope="col">quantity</th><th class="r" scope="col">value</th></tr>' in html
    assert f' data-sort="0.333367">{seen}</td></tr>' in html
    assert ">width<" not in html
    latex = render(report, Format.LATEX)
    assert r"quantity & value \\" in latex
    assert r"a number [points] & 0.333367 $\pm$ 0.000034 \\" in latex
    for output_format in (Format.TEXT, Format.MD):
        table = render(report, output_format).split("Numbers")[1]
        assert seen in table
        assert "width" not in table
    assert f"**value** (a number): {seen}" in render(report, Format.MD)


def test_json_names_both_ends_and_a_decimal():
    # Source: a third lies between 3/10 and 4/10.
    document = json.loads(render(report_of([Enclosure(mpq(3, 10), mpq(2, 5))]), Format.JSON))
    assert document["value"] == {"lower": "3/10", "upper": "2/5"}
    assert document["value_float"] == 0.35


def test_text_shows_the_ends_rounded_outward_and_the_width():
    width = mpq(1, 10**12)
    text = render(report_of([Enclosure(mpq(1, 3), mpq(1, 3) + width)]), Format.TEXT)
    assert "≥ 0.3333333333333" in text
    assert "≤ 0.3333333333344" in text
    assert "≈ 0.333333333, known to within 1.0e-12" in text


def test_exact_numbers_and_enclosures_go_into_columns_of_either_kind():
    half = mpq(1, 2)
    assert Quantity(enclosed("value", "a number"), half).value == Enclosure(half, half)
    assert isinstance(Quantity(exact("value", "a number"), Enclosure(half, half)).value, mpq)
    with pytest.raises(TypeError, match="is no exact number"):
        Quantity(exact("value", "a number"), Enclosure(half, mpq(1)))
