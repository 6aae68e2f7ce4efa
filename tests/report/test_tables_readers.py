"""What is written reads back, whatever it holds; what was not written gives one line, no more."""

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
from exactdice.report.csv_cells import one_line, read_list, records, row_text, written_list
from exactdice.report.model import (
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

COLUMNS = [
    text_column("action", "what to do"),
    whole("attackers", "attacking units", "units"),
    exact("chance", "chance to win [exactly]"),
    flag("best", "whether it is optimal"),
    listing("held", "positions held"),
]
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
            Table("rows", draw(WORDS), COLUMNS, draw(st.lists(ROWS, max_size=3))),
            Table("alone", "Alone", [COLUMNS[4]], [(row[4],) for row in draw(st.lists(ROWS))]),
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


def test_csv_of_windows_reads_back_and_that_of_an_older_version_is_refused():
    report = Report("R", [], [Table("t", "T", [whole("n", "n")], [(1,), (2,)])])
    assert read_csv(render(report, Format.CSV).replace("\n", "\r\n")) == report
    older = "# R\n# command: exactdice x\n# table: t: T\n# column: n (whole): n\nn\n1\n"
    with pytest.raises(InputError, match="for an older file, run its command again"):
        read_csv(older)


@pytest.mark.parametrize(("form", "read"), BOTH)
@pytest.mark.parametrize("digits", [4300, 4301, 200_000])
def test_whole_numbers_of_any_length_read_back(form, read, digits):
    large = int(mpz(10) ** digits) - 1
    row = (large, (large, "x", (-large,)))
    table = Table("t", "T", [whole("n", "n"), listing("l", "l")], [row])
    report = Report("R", [Quantity(whole("n", "n"), -large)], [table])
    assert read(render(report, form)) == report


@pytest.mark.parametrize(("form", "read"), BOTH)
def test_cells_longer_than_the_csv_module_reads_come_back(form, read):
    row = ("x" * 131_073, mpq(mpz(3) ** 300_000, mpz(2) ** 300_000))  # 143 000 digits
    table = Table("t", "T", [text_column("w", "w"), exact("p", "p")], [row])
    report = Report("R", [], [table])
    assert read(render(report, form)) == report


def test_halves_of_surrogate_pairs_leave_valid_text_in_every_format():
    table = Table("t", "T\udcff", [text_column("w", "w")], [("\udcff",)])
    report = Report("R", [], [table], Provenance("exactdice x \udcff"))
    for form in TEXTS:
        assert render(report, form).encode()
    assert read_json(render(report, Format.JSON)) == report
    # only what describes the table is JSON in CSV
    assert read_csv(render(report, Format.CSV)).provenance == report.provenance


BREAKING = "4\n\n\\input{thesis}\r-->\n# table: t: T\n|"


@pytest.mark.parametrize("form", [Format.TEXT, Format.MD, Format.LATEX])
def test_line_breaks_in_words_make_no_line_of_their_own(form):
    def lines(word):
        table = Table("t", f"T {word}", [text_column("w", "w")], [(word,)])
        report = Report(
            f"R {word}",
            [Quantity(text_column("q", "q"), word)],
            [table],
            Provenance(f"exactdice {word}", {"convention": word}),
        )
        return render(report, form).splitlines()

    if form is Format.MD:  # the others fold what is long
        assert len(lines(BREAKING)) == len(lines("4"))
    assert not any(line.startswith(("\\input", "# table", "-->")) for line in lines(BREAKING))


def test_an_argument_with_a_line_break_stays_in_its_comment():
    command = "exactdice x '4\n' 2"
    report = Report("R", provenance=Provenance(command, {"file": "a\nb"}))
    for form in TEXTS:
        written = render(report, form)
        if form in (Format.CSV, Format.JSON):
            read = read_csv if form is Format.CSV else read_json
            assert read(written).provenance == report.provenance
        else:
            assert "4\\u000a" in written
            assert "a\\u000ab" in written


@needs_pdflatex
def test_line_breaks_compile_under_plain_pdflatex(tmp_path):
    table = Table("t", f"T {BREAKING}", [text_column("w", "w")], [(BREAKING,)])
    report = Report(f"R {BREAKING}", (), [table], Provenance(BREAKING))
    set_by_pdflatex(render(report, Format.LATEX), tmp_path)


TABLE = Table("rows", "Rows", COLUMNS, [("go", 3, mpq(1, 2), True, (1, "x"))])
REPORT = Report("R", [Quantity(whole("count", "how many"), 1)], [TABLE], Provenance("exactdice x"))
CSV, JSON = render(REPORT, Format.CSV), render(REPORT, Format.JSON)


def refused(read, document):
    with pytest.raises(InputError) as problem:
        read(document)
    assert "\n" not in str(problem.value)
    assert str(problem.value).startswith("document: got ")


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("attackers", 1.5), ("attackers", "1.5"), ("attackers", True), ("attackers", "three"),
        ("attackers", [3]), ("chance", 0.5), ("chance", True), ("chance", "1/0"), ("chance", []),
        ("best", 1), ("best", "true"), ("action", 3), ("action", {}), ("held", "1 2"),
        ("held", [1.5]), ("held", [None]), ("held", {"a": 1}), ("colour", "an unknown column"),
    ],
)  # fmt: skip
def test_a_cell_of_another_kind_is_refused_in_json(column, cell):
    content = json.loads(JSON)
    content["rows"][0][column] = cell
    refused(read_json, json.dumps(content))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"attackers": 3', '"attackers": 1e400'), ('"attackers": 3', '"attackers": -Infinity'),
        ('"attackers": 3', '"attackers": NaN'), ('"kind": "whole"', '"kind": "number"'),
        ('"kind": "whole"', '"kind": ["whole"]'), ('"title": "R"', '"title": 3'),
        ('"command": "exactdice x"', '"command": null'),
        ('"conventions": {}', '"conventions": {"ties": 3}'),
        ('"conventions": {}', '"conventions": []'), ('"action": "go",', ""),
        ('"meaning": "how many"', '"meaning": null'), ('"rows": [', '"rows": [3, '),
        ('"rows": [', '"rows": [' + "[" * 100_000),
        ('"held": [', '"held": [' + "[" * 900 + "]" * 900 + ","),
    ],
)  # fmt: skip
def test_a_broken_json_is_refused(old, new):
    document = JSON.replace(old, new)
    assert document != JSON
    if new.startswith('"held"'):  # lists within lists are read as deep as they can be
        assert read_json(document).table("rows").cells("action") == ["go"]
    else:
        refused(read_json, document)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
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
    ],
)  # fmt: skip
def test_a_broken_csv_is_refused(old, new):
    document = CSV.replace(old, new)
    assert document != CSV
    refused(read_csv, document)


def test_comments_for_people_are_not_read():
    for line in re.findall("# .*\n", CSV):
        if not line.startswith("# exactdice: "):
            assert read_csv(CSV.replace(line, "")) == REPORT
            assert read_csv(CSV.replace(line, "# exactdice: no\n")) == REPORT


DOCUMENTS = {read_csv: CSV, read_json: JSON}


@st.composite
def broken(draw, whole_document):
    """Cut, double, or overwrite a piece of a document."""
    start = draw(st.integers(0, len(whole_document)))
    end = draw(st.integers(start, min(len(whole_document), start + 30)))
    piece = draw(
        st.sampled_from(
            ["", "1e400", "[", '"', "\\", ",", "\n", "# ", "NaN", "null", "(", "-", "{"]
        )
        | st.text(max_size=5)
    )
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
