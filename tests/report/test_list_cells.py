"""Cells that hold lists, and names that a report has once."""

import pytest
from csv_documents import render
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError
from exactdice.report.csv_cells import written_list
from exactdice.report.eyes import bytes_to_write
from exactdice.report.model import Quantity, Report, Table, listing, text_column
from exactdice.report.writers import Format


def test_yes_and_no_are_written_in_a_list_as_in_json() -> None:
    assert written_list((True, False)) == "true false"


@given(cell=st.lists(st.integers(0, 9), max_size=40).map(tuple))
def test_what_a_list_takes_to_write_is_not_less_than_what_is_written(cell: tuple[int, ...]) -> None:
    def report(*rows: tuple[tuple[int, ...]]) -> Report:
        return Report("Lists", (), [Table("rows", "Rows", [listing("ties", "actions")], rows)])

    more = len(render(report((cell,)), Format.CSV)) - len(render(report(), Format.CSV))
    assert bytes_to_write(report((cell,)), 10) - bytes_to_write(report(), 10) >= more


def test_a_report_has_each_name_once():
    column, rows = text_column("side", "side"), Table("rows", "Rows", [], [])
    with pytest.raises(InputError, match="column: got 'side'; expected each name once"):
        Table("rows", "Rows", [column, column], [])
    for quantities, tables in (
        ([Quantity(column, "a")] * 2, []),
        ([], [rows, rows]),
        ([Quantity(text_column("rows", "rows"), "a")], [rows]),
    ):
        with pytest.raises(InputError, match=r"quantity or table: got .*; expected each name once"):
            Report("A coin", quantities, tables)


def test_a_report_without_tables_says_that_it_has_none():
    with pytest.raises(InputError, match="table: got 'nope'; expected a report with tables"):
        Report("A coin", []).table("nope")
