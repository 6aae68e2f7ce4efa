"""Formulas are text for eyes and mathematics in LaTeX; bare lists are lists of lists in JSON."""

import json

from csv_documents import read_csv, render

from exactdice.report.model import Formula, Quantity, Report, Table, listing, text_column
from exactdice.report.readers import read_json
from exactdice.report.writers import Format

REPORT = Report(
    "Squares",
    [Quantity(text_column("square", "the square"), Formula("n**2", "n^{2}"))],
    [
        Table("rows", "Halves", [text_column("f", "f")], [(Formula("n/2", r"\frac{n}{2}"),)]),
        Table("residues", "Lists", [listing("coefficients", "c")], [(("1", "-3/4"),), ((),)]),
    ],
)


def test_formula_is_mathematics_in_latex_and_text_elsewhere():
    latex = render(REPORT, Format.LATEX)
    assert r"$\frac{n}{2}$ \\" in latex
    assert "$n^{2}$" in latex
    assert "n/2" in render(REPORT, Format.TEXT)
    assert "n**2" in render(REPORT, Format.MD)


def test_lists_alone_in_a_table_are_a_list_of_lists_in_json():
    document = json.loads(render(REPORT, Format.JSON))
    assert document["residues"] == [["1", "-3/4"], []]
    assert document["square"] == "n**2"


def test_both_data_formats_read_back_alike():
    from_json = read_json(render(REPORT, Format.JSON))
    assert from_json == read_csv(render(REPORT, Format.CSV))
    assert from_json.table("residues").rows == (((1, "-3/4"),), ((),))
