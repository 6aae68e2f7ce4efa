"""Five formats of one report: all of it reads back, and anything else is refused in one line."""

import csv
import io
import json
import re
import sys

import pytest
from csv_documents import TEXTS, read_csv, render
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st
from measured import needs_pdflatex, set_by_pdflatex

from exactdice.errors import InputError
from exactdice.report.csv_cells import read_list, records, row_text, written_list
from exactdice.report.eyes import LONGEST, one_line, shortened
from exactdice.report.interchange import as_csv, csv_files
from exactdice.report.latex import _broken
from exactdice.report.model import (
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

BOTH = [(Format.CSV, read_csv), (Format.JSON, read_json)]
COLUMNS = [
    whole("attackers", "attacking units", "units"),
    exact("chance", "chance to win [exactly]"),
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


def test_nothing_has_one_form_and_csv_is_plain_csv_under_its_comments():
    nothing = [(1, None, None, "", None), (1, None, None, None, ())]
    table = Table("rows", "All rows", COLUMNS, nothing)
    assert table.rows == ((1, None, None, None, ()),) * 2
    # Where it is the only column, too, in which CSV has to tell an empty cell from no row.
    alone = Table("alone", "Alone", [text_column("note", "what to know")], [(None,), ("",), ("x",)])
    for written, read in BOTH:
        back = read(render(Report("Nothing", (), [table, alone]), written))
        assert back.table("rows").rows == table.rows
        assert back.table("alone").cells("note") == [None, None, "x"]
    written = render(report_of([(1, mpq(2, 3), True, 'say "go", then', (0, 2))]), Format.CSV)
    section = written[written.index("# table: rows") :]
    lines = [line for line in section.splitlines() if not line.startswith("#")]
    (record,) = csv.DictReader(io.StringIO("\n".join(lines)))
    assert record == {
        "attackers": "1", "chance": "2/3", "chance_float": "0.6666666667", "best": "true",
        "action": 'say "go", then', "held": "0 2",
    }  # fmt: skip
    report = report_of([])
    assert "≈ 0.33333 = 1/3\n" in render(report, Format.TEXT, digits=5)
    assert "0." + "3" * 50 in render(report, Format.CSV, digits=50)


@given(st.lists(rows, max_size=5), st.sampled_from(TEXTS))
def test_every_format_says_where_it_came_from(table_rows, output_format):
    written = render(report_of(table_rows), output_format)
    for fact in ("exactdice test", "producer", "total", "won by the defender"):
        assert fact in written
    assert written.endswith("\n")


def test_an_exact_number_in_json_has_its_double_beside_it_where_there_is_one():
    row = (1, mpq(2, 3), True, "roll", (0, 2))
    document = json.loads(render(report_of([row]), Format.JSON))
    assert (document["value"], document["value_float"]) == ("1/3", 1 / 3)
    chances = {"chance": "2/3", "chance_float": 2 / 3}
    written = {"attackers": 1, **chances, "best": True, "action": "roll", "held": [0, 2]}
    assert document["rows"] == [written]
    huge = mpq(mpz(10) ** 5000)
    report = Report("A large number", [Quantity(exact("value", "a large number"), huge)])
    document = json.loads(render(report, Format.JSON))
    assert document["value_float"] is None
    assert all(read(render(report, form)).value("value") == huge for form, read in BOTH)


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
    columns = [whole("a", "a"), whole("d", "d"), exact("p", "p")]
    cells = [(1, 1, mpq(1, 2)), (1, 2, mpq(1, 3)), (2, 1, mpq(2, 3))]
    table = Table("cells", "Chances", columns, cells, Grid("a", "d", "p"))
    lines = render(Report("R", (), [table])).splitlines()
    start = lines.index("a \\ d       1       2")
    assert lines[start + 2 : start + 4] == ["    1  0.5000  0.3333", "    2  0.6667"]
    assert r"a \textbackslash{} d & 1 & 2 \\" in render(Report("R", (), [table]), Format.LATEX)


@pytest.mark.parametrize("output_format", [Format.TEXT, Format.MD, Format.LATEX])
def test_a_long_fraction_is_cut_for_eyes_and_its_digits_counted(output_format):
    long = mpq(mpz(3) ** 200, mpz(2) ** 400)
    table = Table("t", "T", [exact("p", "p")], [(long,)])
    written = render(Report("R", (), [table]), output_format)
    assert f"({len(str(3**200))} / {len(str(2**400))} digits)" in written
    assert str(3**200) not in written
    assert len(str(long)) > LONGEST


def test_long_fractions_are_cut_beyond_sixteen_digits_and_single_numbers_never():
    # Cut they would be fifteen characters.
    long = mpq(1234567890123457, 10**100)
    assert shortened(long, LONGEST).startswith("1234567890123457/")
    assert shortened(10 * long, LONGEST).startswith("1234567890123457/")
    assert shortened(long + mpq(1, 10**101), LONGEST).startswith("12345678…234571/")
    long = mpq(mpz(3) ** 200, mpz(2) ** 400)
    assert str(long) in "".join(render(Report("R", [Quantity(exact("value", "v"), long)])).split())


def test_latex_escapes_signs_and_breaks_long_tables_and_words():
    table = Table("t", "50 % of A & B_1", [text_column("w", "w")], [("#1 {x} ~^$\\",)])
    written = render(Report("R", (), [table]), Format.LATEX)
    assert r"\caption{50 \% of A \& B\_1}" in written
    assert r"\#1 \{x\} \textasciitilde{}\textasciicircum{}\$\textbackslash{} \\" in written
    table = Table("t", "T", [whole("n", "n")], [(n,) for n in range(-5, 50)])
    written = render(Report("R", (), [table]), Format.LATEX)
    assert "$-$5" in written
    assert r"\begin{longtable}{r}" in written
    assert (_broken("short_word"), _broken("a" * 18)) == (r"short\_word", "a" * 18)
    assert _broken("abcdef" * 3 + "_") == r"\allowbreak{}".join(["abcdef"] * 3 + [r"\_"])


@needs_pdflatex
def test_latex_compiles_under_plain_pdflatex(tmp_path):
    words = "√(35/12) ≈ 1.7 … λ ≤ θ"
    long_rows = [(n, mpq(1, n + 2), n % 2 == 0, words, (1, 2)) for n in range(60)]
    body = render(report_of(long_rows), Format.LATEX) + render(report_of([]), Format.LATEX)
    set_by_pdflatex(body, tmp_path)


def test_names_find_columns_and_parts_make_reports():
    report = report_of([(1, None, True, "x", ())])
    assert (report.table("rows").cells("attackers"), report.value("count")) == ([1], 1)
    for find in (report.table, report.value, report.table("rows").column_named):
        with pytest.raises(InputError, match=r"got 'nothing'; expected "):
            find("nothing")
    column = exact("p_win", "chance", heading="P(win)")
    report = Report("R", (), [Table("t", "T", [column], [(mpq(1, 2),)])])
    assert "P(win)" in render(report)
    assert "p_win,p_win_float" in render(report, Format.CSV)
    rolls, coin = whole("rolls", "rolls made", "rolls"), text_column("side", "side").by(str.upper)
    table = Table.of("sides", "Sides", ["heads", "tails"], coin, whole("size", "letters").by(len))
    report = Report.of("A", {"coin": "fair"}, rolls(2), None, table, failure="no")
    assert [(q.column, q.value) for q in report.quantities] == [(rolls, 2)]
    assert report.table("sides").rows == (("HEADS", 5), ("TAILS", 5))  # letters counted by hand
    assert (report.provenance.conventions, report.failure) == ({"coin": "fair"}, "no")
    columns = whole("numerator", "above the line"), whole("denominator", "below it")
    assert Table.of("t", "T", [mpq(2, 6)], *columns).rows == ((1, 3),)  # 2/6 in lowest terms


@pytest.mark.parametrize(("read", "documents"), [
    (read_json, ("", "[]", "{}", "not json", '{"columns": 3}', "null")),
    (read_csv, ("", "a,b\n1,2", "# A report\nstray line"))
])  # fmt: skip
def test_what_is_no_report_is_not_read(read, documents):
    for broken in documents:
        refused(read, broken)


@pytest.mark.parametrize(("rows", "quantities", "written"), [
    ((), 0, "quantities"), ((), 3, "quantities"), ((2,), 0, "t0"), ((2,), 1, "t0"),
    ((2,), 2, None), ((2, 0), 0, "t0"), ((0, 2), 1, "t1"), ((0, 2), 2, None), ((2, 3), 0, None),
    ((0, 0), 0, None), ((0,), 0, "t0"), ((0,), 1, None),
])  # fmt: skip
def test_one_table_with_rows_beside_one_number_at_most_is_written_as_csv(rows, quantities, written):
    """As the words of `as_csv` say: one number beside a table, and empty tables, are left out."""
    numbers = [Quantity(whole(f"n{n}", "n"), n) for n in range(quantities)]
    parts = [(f"t{n}", "T", [whole("n", "n")], [*zip(range(k))]) for n, k in enumerate(rows)]
    report = Report("R", numbers, [Table(*part) for part in parts])
    if written is None:
        with pytest.raises(InputError, match=r"format: got csv for several tables: .*t0"):
            as_csv(report, 10)
    else:
        assert as_csv(report, 10) == csv_files(report, 10)[written]


_HALVES = Table("rows", "Halves", [text_column("f", "f")], [(Formula("n/2", r"\frac{n}{2}"),)])
_LISTS = Table("residues", "Lists", [listing("coefficients", "c")], [(("1", "-3/4"),), ((),)])
_SQUARE = Quantity(text_column("square", "the square"), Formula("n**2", "n^{2}"))
REPORT = Report("Squares", [_SQUARE], [_HALVES, _LISTS])


def test_formulas_and_lists_alone_are_written_for_eyes_latex_and_json():
    latex = render(REPORT, Format.LATEX)
    assert r"$\frac{n}{2}$ \\" in latex
    assert "$n^{2}$" in latex
    assert "n/2" in render(REPORT, Format.TEXT)
    assert "n**2" in render(REPORT, Format.MD)
    document = json.loads(render(REPORT, Format.JSON))
    assert (document["residues"], document["square"]) == ([["1", "-3/4"], []], "n**2")
    from_json = read_json(render(REPORT, Format.JSON))
    assert from_json == read_csv(render(REPORT, Format.CSV))
    assert from_json.table("residues").rows == (((1, "-3/4"),), ((),))


# Any characters that UTF-8 has, and many of those that CSV, comments and lists give a meaning.
WORDS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=9) | st.text(
    st.sampled_from('#"\\,:;()[] \n\r\t\u2028\x85\x1c-0u12a'), max_size=9
)
HUGE = st.integers(4290, 4400).map(lambda digits: -int(mpz(10) ** digits) // 7)
INTEGERS = st.integers() | HUGE
# In lists, a word that a whole number is written as is that number.
IN_LISTS = WORDS.filter(lambda word: not re.fullmatch("0|-?[1-9][0-9]*", word))
ITEMS = st.recursive(INTEGERS | IN_LISTS, lambda items: st.lists(items, max_size=3).map(tuple))
RATIONALS = st.fractions().map(lambda f: mpq(f.numerator, f.denominator))

KINDS = [COLUMNS[3], *COLUMNS[:3], COLUMNS[4]]
ROWS = st.tuples(
    WORDS | st.none(),
    INTEGERS | st.none(),
    RATIONALS | st.none(),
    st.booleans() | st.none(),
    st.lists(ITEMS, max_size=4).map(tuple) | st.none(),
)


@st.composite
def reports(draw):
    return Report(
        draw(WORDS),
        [
            Quantity(exact("value", draw(WORDS), draw(WORDS)), draw(RATIONALS | st.none())),
            Quantity(whole("count", draw(WORDS)), draw(INTEGERS)),
            Quantity(listing("first", draw(WORDS)), tuple(draw(st.lists(ITEMS, max_size=3)))),
            Quantity(text_column("word", "a word"), draw(WORDS)),
            Quantity(flag("sure", "whether it is sure"), draw(st.booleans())),
        ],
        [
            Table("rows", draw(WORDS), KINDS, draw(st.lists(ROWS, max_size=3))),
            Table("alone", "Alone", [KINDS[4]], [(row[4],) for row in draw(st.lists(ROWS))]),
        ],
        Provenance(draw(WORDS), draw(st.dictionaries(WORDS, WORDS, max_size=2))),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("form", "read"), BOTH)
@given(report=reports())
def test_whatever_a_report_holds_reads_back(form, read, report):
    assert read(render(report, form)) == report


@pytest.mark.slow
@given(st.text(), st.text())
def test_comments_are_one_line(word, other):
    assert len(one_line(word + other).splitlines()) <= 1


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=4), st.lists(ITEMS, max_size=5))
def test_lists_come_back_and_rows_are_those_that_the_csv_module_reads(rows, items):
    assert read_list(written_list(tuple(items))) == tuple(items)
    written = "".join(map(row_text, rows))
    assert list(records(written)) == rows
    assert list(csv.reader(io.StringIO(written, newline=""))) == rows


def test_csv_of_windows_or_without_comments_is_read_and_that_of_an_older_version_refused():
    report = Report("R", [], [Table("t", "T", [whole("n", "n")], [(1,), (2,)])])
    assert read_csv(render(report, Format.CSV).replace("\n", "\r\n")) == report
    older = "# R\n# command: exactdice x\n# table: t: T\n# column: n (whole): n\nn\n1\n"
    with pytest.raises(InputError, match="for an older file, run its command again"):
        read_csv(older)
    refused(read_csv, CSV.replace("action,attackers,", "attackers,action,"))
    refused(read_csv, CSV.replace("name,value,value_float", "name,value,decimal"))
    for line in re.findall("# .*\n", CSV):
        if not line.startswith("# exactdice: "):
            assert read_csv(CSV.replace(line, "")) == WRITTEN
            assert read_csv(CSV.replace(line, "# exactdice: no\n")) == WRITTEN


@pytest.mark.parametrize(("form", "read"), BOTH)
@pytest.mark.parametrize("digits", [4300, 4301, 200_000])
def test_cells_and_numbers_of_any_length_read_back(form, read, digits):
    large, half = int(mpz(10) ** digits) - 1, mpq(mpz(3) ** digits, mpz(2) ** digits)
    # the csv module by itself reads cells of 131,072 characters
    row = (large, (large, "x", (-large,)), "x" * digits, half)
    columns = [whole("n", "n"), listing("l", "l"), text_column("w", "w"), exact("p", "p")]
    table = Table("t", "T", columns, [row])
    report = Report("R", [Quantity(whole("n", "n"), -large)], [table])
    assert read(render(report, form)) == report


def test_surrogate_pairs_and_line_breaks_leave_valid_text_in_every_format():
    table = Table("t", "T\udcff", [text_column("w", "w")], [("\udcff",)])
    report = Report("R", [], [table], Provenance("exactdice x \udcff"))
    for form in TEXTS:
        assert render(report, form).encode()
    assert read_json(render(report, Format.JSON)) == report
    # only what describes the table is JSON in CSV
    assert read_csv(render(report, Format.CSV)).provenance == report.provenance
    command = "exactdice x '4\n' 2"
    report = Report("R", provenance=Provenance(command, {"file": "a\nb"}))
    for form, read in BOTH:
        assert read(render(report, form)).provenance == report.provenance
    for form in {*TEXTS} - {Format.CSV, Format.JSON}:
        written = render(report, form)
        assert "4\\u000a" in written
        assert "a\\u000ab" in written


BREAKING = "4\n\n\\input{thesis}\r-->\n# table: t: T\n|"


@pytest.mark.parametrize("form", [Format.TEXT, Format.MD, Format.LATEX])
def test_line_breaks_in_words_make_no_line_of_their_own(form):
    def lines(word):
        table = Table("t", f"T {word}", [text_column("w", "w")], [(word,)])
        source = Provenance(f"exactdice {word}", {"convention": word})
        quantity = Quantity(text_column("q", "q"), word)
        return render(Report(f"R {word}", [quantity], [table], source), form).splitlines()

    if form is Format.MD:  # the others fold what is long
        assert len(lines(BREAKING)) == len(lines("4"))
    assert not any(line.startswith(("\\input", "# table", "-->")) for line in lines(BREAKING))


@needs_pdflatex
def test_line_breaks_compile_under_plain_pdflatex(tmp_path):
    table = Table("t", f"T {BREAKING}", [text_column("w", "w")], [(BREAKING,)])
    report = Report(f"R {BREAKING}", (), [table], Provenance(BREAKING))
    set_by_pdflatex(render(report, Format.LATEX), tmp_path)


TABLE = Table("rows", "Rows", KINDS, [("go", 3, mpq(1, 2), True, (1, "x"))])
WRITTEN = Report("R", [Quantity(whole("count", "how many"), 1)], [TABLE], Provenance("exactdice x"))
CSV, JSON = render(WRITTEN, Format.CSV), render(WRITTEN, Format.JSON)


def refused(read, document):
    with pytest.raises(InputError, match=r"^document: got ") as problem:
        read(document)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(("column", "cell"), [
    ("attackers", 1.5), ("attackers", "1.5"), ("attackers", True), ("attackers", "three"),
    ("attackers", [3]), ("chance", 0.5), ("chance", True), ("chance", "1/0"), ("chance", []),
    ("best", 1), ("best", "true"), ("action", 3), ("action", {}), ("held", "1 2"),
    ("held", [1.5]), ("held", [None]), ("held", {"a": 1}), ("colour", "an unknown column"),
])  # fmt: skip
def test_a_cell_of_another_kind_is_refused_in_json(column, cell):
    content = json.loads(JSON)
    content["rows"][0][column] = cell
    refused(read_json, json.dumps(content))


@pytest.mark.parametrize(("old", "new"), [
    ('"attackers": 3', '"attackers": 1e400'), ('"attackers": 3', '"attackers": -Infinity'),
    ('"attackers": 3', '"attackers": NaN'), ('"kind": "whole"', '"kind": "number"'),
    ('"kind": "whole"', '"kind": ["whole"]'), ('"title": "R"', '"title": 3'),
    ('"command": "exactdice x"', '"command": null'),
    ('"conventions": {}', '"conventions": {"ties": 3}'),
    ('"conventions": {}', '"conventions": []'), ('"action": "go",', ""),
    ('"meaning": "how many"', '"meaning": null'), ('"rows": [', '"rows": [3, '),
    ('"rows": [', '"rows": [' + "[" * 100_000),
    ('"held": [', '"held": [' + "[" * 600 + "]" * 600 + ","),
])  # fmt: skip
def test_a_broken_json_is_refused(old, new):
    document = JSON.replace(old, new)
    assert document != JSON
    if new.startswith('"held"'):  # lists within lists are read as deep as they can be
        assert read_json(document).table("rows").cells("action") == ["go"]
    else:
        refused(read_json, document)


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [
    ("go,3,", "go,1.5,"), ("go,3,", "go,,3,"), ("go,3,", "3,"), ("go,3,", "go,three,"),
    ("go,3,", "go,²,"), (",true,", ",yes,"), (",1/2,", ",1/0,"), (",1/2,", ",1e400000,"),
    (",true,1 x\n", ",true\n"), (",true,1 x\n", ",true,1 x,and more\n"),
    (",true,1 x\n", ",true,(1 x\n"), (",true,1 x\n", ",true,1) x\n"),
    (",true,1 x\n", ',true,"""1 x"\n'), (",true,1 x\n", ',true,"1 x\n'),
    (",true,1 x\n", ",true," + "(" * 100_000 + "\n"), ('"kind": "whole"', '"kind": "number"'),
    ('"title": "R"', '"title": 3'), ('"tables": ["quantities", "rows"]', '"tables": "rows"'),
    ('"provenance": {', '"origin": {'), ("# exactdice: ", "# "),
    ("# exactdice: {", "# exactdice: ["),
    (re.findall("# exactdice: .*\n", CSV)[1], ""),  # as before these lines were written
    ("action,attackers,", "attackers,action,"), ("name,value,value_float\n", ""),
    ("count,1,", "number,1,"), ("count,1,", "count,1,,,"), ("count,1,", "count"),
    ("# R\n", "# R\nstray,row\n"), ("count,1,", "# remark\ncount,1,"),
])  # fmt: skip
def test_a_broken_csv_is_refused(old, new):
    document = CSV.replace(old, new)
    assert document != CSV
    refused(read_csv, document)


DOCUMENTS = {read_csv: CSV, read_json: JSON}


@st.composite
def broken(draw, whole_document):
    """Cut, double, or overwrite a piece of a document."""
    start = draw(st.integers(0, len(whole_document)))
    end = draw(st.integers(start, min(len(whole_document), start + 30)))
    signs = ["", "1e400", "[", '"', "\\", ",", "\n", "# ", "NaN", "null", "(", "-", "{"]
    piece = draw(st.sampled_from(signs) | st.text(max_size=5))
    return whole_document[:start] + piece + whole_document[draw(st.sampled_from([start, end])) :]


@pytest.mark.parametrize(("form", "read"), BOTH)
@given(choice=st.data())
def test_whatever_is_read_is_a_report_or_refused_in_one_line(form, read, choice):
    document = choice.draw(broken(DOCUMENTS[read]) | st.text() | st.text().map("# R\n".__add__))
    try:
        report = read(document)
    except InputError as problem:
        assert "\n" not in str(problem)  # noqa: PT017 - either is right
    else:
        assert read(render(report, form)) == report


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_of_more_than_4300_digits_are_text_in_json(sign):
    # as many digits as ``int`` reads unless it is told otherwise; it refuses one more
    for number, written in ((10**4300 - 1, int), (10**4300, str), (10**4300 + 1, str)):
        report = Report("One", [Quantity(whole("n", "a number"), sign * number)])
        text, limit = render(report, Format.JSON), sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            value = json.loads(text)["n"]
            assert type(value) is written
            assert int(value) == sign * number
        finally:
            sys.set_int_max_str_digits(limit)
        assert read_json(text).value("n") == sign * number
