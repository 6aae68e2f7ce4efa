"""Five formats of one report: nothing lost in CSV and JSON, nothing unreadable in the others."""

import csv
import io
import json

import pytest
from csv_documents import TEXTS, read_csv, render
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st
from measured import needs_pdflatex, set_by_pdflatex

from exactdice.errors import InputError
from exactdice.report.eyes import LONGEST, _shortened, grid_rows
from exactdice.report.interchange import as_csv, csv_files
from exactdice.report.latex import _broken
from exactdice.report.model import (
    CellKind,
    Column,
    Formula,
    Grid,
    Provenance,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.readers import read_json
from exactdice.report.writers import Format

COLUMNS = [
    whole("attackers", "attacking units", "units"),
    exact("chance", "chance to win (exactly)"),
    flag("best", "whether it is optimal"),
    text_column("action", "what to do"),
    listing("held", "positions held"),
]

rows = st.tuples(
    st.integers(),
    st.fractions().map(lambda f: mpq(f.numerator, f.denominator)) | st.none(),
    st.booleans() | st.none(),
    st.text(st.characters(whitelist_categories=["L", "N", "P", "S"])) | st.none(),
    st.lists(st.integers(-9, 9), max_size=4).map(tuple),
)


def report_of(table_rows):
    return Report(
        "A report",
        [
            Quantity(exact("value", "the value", "points"), mpq(1, 3)),
            Quantity(whole("count", "how many"), len(table_rows)),
            Quantity(flag("sure", "whether it is sure"), True),
            Quantity(listing("first", "the first ones"), (1, 2)),
        ],
        [Table("rows", "All rows", COLUMNS, table_rows)],
        Provenance("exactdice test", {"units": "total", "ties": "won by the defender"}),
    )


def test_nothing_has_one_form_in_every_column():
    nothing = [(1, None, None, "", None), (1, None, None, None, ())]
    table = Table("rows", "All rows", COLUMNS, nothing)
    assert table.rows == ((1, None, None, None, ()),) * 2
    # Where it is the only column, too, in which CSV has to tell an empty cell from no row.
    alone = Table("alone", "Alone", [text_column("note", "what to know")], [(None,), ("",), ("x",)])
    for written, read in ((Format.CSV, read_csv), (Format.JSON, read_json)):
        back = read(render(Report("Nothing", (), [table, alone]), written))
        assert back.table("rows").rows == table.rows
        assert back.table("alone").cells("note") == [None, None, "x"]


@given(st.lists(rows, max_size=5), st.sampled_from(TEXTS))
def test_every_format_says_where_it_came_from(table_rows, output_format):
    written = render(report_of(table_rows), output_format)
    for fact in ("exactdice test", "producer", "total", "won by the defender"):
        assert fact in written
    assert written.endswith("\n")


def test_an_exact_number_in_json_has_its_double_beside_it_where_there_is_one():
    row = (1, mpq(2, 3), True, "roll", (0, 2))
    document = json.loads(render(report_of([row]), Format.JSON))
    assert document["value"] == "1/3"
    assert document["value_float"] == 1 / 3
    assert document["rows"] == [
        {
            "attackers": 1, "chance": "2/3", "chance_float": 2 / 3, "best": True, "action": "roll",
            "held": [0, 2],
        }
    ]  # fmt: skip
    huge = mpq(mpz(10) ** 5000)
    report = Report("A large number", [Quantity(exact("value", "a large number"), huge)])
    document = json.loads(render(report, Format.JSON))
    assert document["value_float"] is None
    assert read_json(render(report, Format.JSON)).value("value") == huge
    assert read_csv(render(report, Format.CSV)).value("value") == huge


def test_csv_is_plain_csv_under_its_comments():
    written = render(report_of([(1, mpq(2, 3), True, 'say "go", then', (0, 2))]), Format.CSV)
    section = written[written.index("# table: rows") :]
    lines = [line for line in section.splitlines() if not line.startswith("#")]
    (record,) = csv.DictReader(io.StringIO("\n".join(lines)))
    assert record == {
        "attackers": "1", "chance": "2/3", "chance_float": "0.6666666667", "best": "true",
        "action": 'say "go", then', "held": "0 2",
    }  # fmt: skip


def test_text_columns_line_up_and_a_grid_shows_decimals_down_and_across():
    table = Table("t", "Two rows", COLUMNS[:2], [(1, mpq(1, 2)), (100, mpq(1000000, 7000003))])
    lines = render(Report("R", (), [table])).splitlines()
    start = lines.index("Two rows") + 2
    assert lines[start : start + 4] == [
        "attackers           chance       decimal",
        "---------  ---------------  ------------",
        "        1              1/2  0.5000000000",
        "      100  1000000/7000003  0.1428570816",  # source: Python's decimal
    ]
    table = Table(
        "cells",
        "Chances",
        [whole("a", "a"), whole("d", "d"), exact("p", "p")],
        [(1, 1, mpq(1, 2)), (1, 2, mpq(1, 3)), (2, 1, mpq(2, 3))],
        Grid("a", "d", "p"),
    )
    lines = render(Report("R", (), [table])).splitlines()
    start = lines.index("a \\ d       1       2")
    assert lines[start + 2 : start + 4] == ["    1  0.5000  0.3333", "    2  0.6667"]
    assert r"a \textbackslash{} d & 1 & 2 \\" in render(Report("R", (), [table]), Format.LATEX)


@pytest.mark.parametrize("output_format", [Format.TEXT, Format.MD, Format.LATEX])
def test_a_long_fraction_is_cut_for_eyes_and_its_digits_counted(output_format):
    long = mpq(mpz(3) ** 200, mpz(2) ** 400)
    written = render(
        Report("R", (), [Table("t", "T", [exact("p", "p")], [(long,)])]), output_format
    )
    assert f"({len(str(3**200))} / {len(str(2**400))} digits)" in written
    assert str(3**200) not in written
    assert len(str(long)) > LONGEST


def test_long_fractions_are_cut_beyond_sixteen_digits_and_single_numbers_never():
    # Cut they would be fifteen characters.
    long = mpq(1234567890123457, 10**100)
    assert _shortened(long, LONGEST).startswith("1234567890123457/")
    assert _shortened(10 * long, LONGEST).startswith("1234567890123457/")
    assert _shortened(long + mpq(1, 10**101), LONGEST).startswith("12345678…234571/")
    long = mpq(mpz(3) ** 200, mpz(2) ** 400)
    assert str(long) in "".join(render(Report("R", [Quantity(exact("value", "v"), long)])).split())


def test_more_digits_show_more_of_the_same_decimal():
    report = report_of([])
    assert "0.33333\n" in render(report, Format.TEXT, digits=5)
    assert "0." + "3" * 50 in render(report, Format.CSV, digits=50)


def test_latex_escapes_signs_and_breaks_long_tables_and_words():
    table = Table("t", "50 % of A & B_1", [text_column("w", "w")], [("#1 {x} ~^$\\",)])
    written = render(Report("R", (), [table]), Format.LATEX)
    assert r"\caption{50 \% of A \& B\_1}" in written
    assert r"\#1 \{x\} \textasciitilde{}\textasciicircum{}\$\textbackslash{} \\" in written
    table = Table("t", "T", [whole("n", "n")], [(n,) for n in range(-5, 50)])
    written = render(Report("R", (), [table]), Format.LATEX)
    assert "$-$5" in written
    assert r"\begin{longtable}{r}" in written
    assert _broken("short_word") == r"short\_word"
    assert _broken("a" * 18) == "a" * 18
    assert _broken("abcdef" * 3 + "_") == r"\allowbreak{}".join(["abcdef"] * 3 + [r"\_"])


@needs_pdflatex
def test_latex_compiles_under_plain_pdflatex(tmp_path):
    long_rows = [
        (n, mpq(1, n + 2), n % 2 == 0, "√(35/12) ≈ 1.7 … λ ≤ θ", (1, 2)) for n in range(60)
    ]
    body = render(report_of(long_rows), Format.LATEX) + render(report_of([]), Format.LATEX)
    set_by_pdflatex(body, tmp_path)


def test_names_find_columns_and_headings_replace_them_for_eyes_only():
    report = report_of([(1, None, True, "x", ())])
    assert report.table("rows").cells("attackers") == [1]
    assert report.value("count") == 1
    for find in (report.table, report.value, report.table("rows").column_named):
        with pytest.raises(InputError, match=r"got 'nothing'; expected one of"):
            find("nothing")
    column = Column("p_win", "chance", kind=CellKind.EXACT, heading="P(win)")
    report = Report("R", (), [Table("t", "T", [column], [(mpq(1, 2),)])])
    assert "P(win)" in render(report)
    assert "p_win,p_win_float" in render(report, Format.CSV)


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        (exact("p", "p"), 0.5), (exact("p", "p"), "1/2"), (whole("n", "n"), True),
        (whole("n", "n"), mpq(1, 2)), (flag("f", "f"), 1), (text_column("t", "t"), 3),
    ],
)  # fmt: skip
def test_a_cell_of_the_wrong_kind_is_a_mistake_of_the_package(column, cell):
    with pytest.raises(TypeError, match="is not of kind"):
        column.check(cell)


@pytest.mark.parametrize(
    ("read", "documents"),
    [(read_json, ("", "[]", "{}", "not json", '{"columns": 3}', "null")),
     (read_csv, ("", "a,b\n1,2", "# A report\nstray line"))],
)  # fmt: skip
def test_what_is_no_report_is_not_read(read, documents):
    for broken in documents:
        with pytest.raises(InputError, match=r"^document: got "):
            read(broken)


@pytest.mark.parametrize(
    ("rows", "quantities", "written"),
    [((), 0, "quantities"), ((), 3, "quantities"), ((2,), 0, "t0"), ((2,), 1, "t0"),
     ((2,), 2, None), ((2, 0), 0, "t0"), ((0, 2), 1, "t1"), ((0, 2), 2, None), ((2, 3), 0, None),
     ((0, 0), 0, None), ((0,), 0, "t0"), ((0,), 1, None)],
)  # fmt: skip
def test_one_table_with_rows_beside_one_number_at_most_is_written_as_csv(rows, quantities, written):
    """As the words of `as_csv` say: one number beside a table, and empty tables, are left out."""
    report = Report(
        "R",
        [Quantity(whole(f"n{n}", "n"), n) for n in range(quantities)],
        [Table(f"t{n}", "T", [whole("n", "n")], [(k,) for k in range(many)])
         for n, many in enumerate(rows)],
    )  # fmt: skip
    if written is None:
        with pytest.raises(InputError, match=r"format: got csv for several tables: .*t0"):
            as_csv(report, 10)
    else:
        assert as_csv(report, 10) == csv_files(report, 10)[written]


def test_reports_and_tables_of_items_are_made_of_their_parts():
    rolls, coin = whole("rolls", "rolls made", "rolls"), text_column("side", "side").by(str.upper)
    table = Table.of("sides", "Sides", ["heads", "tails"], coin, whole("size", "letters").by(len))
    report = Report.of("A", {"coin": "fair"}, rolls(2), None, table, failure="no")
    assert [(q.column, q.value) for q in report.quantities] == [(rolls, 2)]
    assert report.table("sides").rows == (("HEADS", 5), ("TAILS", 5))  # letters counted by hand
    assert (report.provenance.conventions, report.failure) == ({"coin": "fair"}, "no")
    columns = whole("numerator", "above the line"), whole("denominator", "below it")
    assert Table.of("t", "T", [mpq(2, 6)], *columns).rows == ((1, 3),)  # 2/6 in lowest terms
    with pytest.raises(AttributeError, match="absent"):
        Table.of("t", "T", [mpq(2, 6)], whole("absent", "no attribute"))
    with pytest.raises(TypeError, match="table t has no grid"):
        grid_rows(Table("t", "T", [whole("n", "n")], []))


REPORT = Report(
    "Squares",
    [Quantity(text_column("square", "the square"), Formula("n**2", "n^{2}"))],
    [
        Table("rows", "Halves", [text_column("f", "f")], [(Formula("n/2", r"\frac{n}{2}"),)]),
        Table("residues", "Lists", [listing("coefficients", "c")], [(("1", "-3/4"),), ((),)]),
    ],
)


def test_formulas_and_lists_alone_are_written_for_eyes_latex_and_json():
    latex = render(REPORT, Format.LATEX)
    assert r"$\frac{n}{2}$ \\" in latex
    assert "$n^{2}$" in latex
    assert "n/2" in render(REPORT, Format.TEXT)
    assert "n**2" in render(REPORT, Format.MD)
    document = json.loads(render(REPORT, Format.JSON))
    assert document["residues"] == [["1", "-3/4"], []]
    assert document["square"] == "n**2"
    from_json = read_json(render(REPORT, Format.JSON))
    assert from_json == read_csv(render(REPORT, Format.CSV))
    assert from_json.table("residues").rows == (((1, "-3/4"),), ((),))
