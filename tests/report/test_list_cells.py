"""Cells that hold lists of lists come back from CSV and JSON as they were."""

import pytest
from csv_documents import read_csv, render
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.report.csv_cells import written_list
from exactdice.report.eyes import bytes_to_write
from exactdice.report.model import Quantity, Report, Table, listing, text_column
from exactdice.report.readers import read_json
from exactdice.report.writers import Format

FLAT = st.lists(st.integers(-9, 9), max_size=3).map(tuple)
CELLS = st.one_of(FLAT, st.lists(FLAT, min_size=1, max_size=4).map(tuple))


@pytest.mark.parametrize(("written", "read"), [(Format.CSV, read_csv), (Format.JSON, read_json)])
@given(cells=st.lists(CELLS, min_size=1, max_size=4))
def test_lists_of_lists_come_back(written: Format, read: object, cells: list[tuple[()]]) -> None:
    assert callable(read)
    table = Table("rows", "Rows", [listing("ties", "actions")], [(cell,) for cell in cells])
    back = read(render(Report("Lists", (), [table]), written))
    assert back.table("rows").rows == table.rows


def test_yes_and_no_are_written_in_a_list_as_in_json() -> None:
    assert written_list((True, False)) == "true false"


WORDS = st.lists(st.sampled_from(["create d4", "promote d6", "skip"]), max_size=3)


@pytest.mark.parametrize(("written", "read"), [(Format.CSV, read_csv), (Format.JSON, read_json)])
@given(cells=st.lists(WORDS.map(tuple), min_size=1, max_size=4))
def test_lists_of_words_come_back(written: Format, read: object, cells: list[tuple[()]]) -> None:
    assert callable(read)
    table = Table("rows", "Rows", [listing("optimal", "actions")], [(cell,) for cell in cells])
    back = read(render(Report("Lists", (), [table]), written))
    assert back.table("rows").rows == table.rows


@given(cell=st.lists(st.integers(0, 9), max_size=40).map(tuple))
def test_what_a_list_takes_to_write_is_not_less_than_what_is_written(cell: tuple[int, ...]) -> None:
    def report(*rows: tuple[tuple[int, ...]]) -> Report:
        return Report("Lists", (), [Table("rows", "Rows", [listing("ties", "actions")], rows)])

    more = len(render(report((cell,)), Format.CSV)) - len(render(report(), Format.CSV))
    assert bytes_to_write(report((cell,)), 10) - bytes_to_write(report(), 10) >= more


def test_a_report_has_each_name_once():
    column, rows = text_column("side", "side"), Table("rows", "Rows", [], [])
    with pytest.raises(InputError, match="column: got 'side'; give each name once"):
        Table("rows", "Rows", [column, column], [])
    for quantities, tables in (
        ([Quantity(column, "a")] * 2, []),
        ([], [rows, rows]),
        ([Quantity(text_column("rows", "rows"), "a")], [rows]),
    ):
        with pytest.raises(InputError, match=r"quantity or table: got .*; give each name once"):
            Report("A coin", quantities, tables)


def test_a_report_without_tables_says_that_it_has_none():
    with pytest.raises(InputError, match="table: got 'nope'; give a report that has tables"):
        Report("A coin", []).table("nope")
