"""Numbers between bounds in reports: both ends survive; what is shown is true of every number."""

import json

from csv_documents import read_csv, render
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.enclosure import Enclosure
from exactdice.report.model import Quantity, Report, Table, enclosed, whole
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
