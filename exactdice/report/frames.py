"""A report as frames: what is one table to every other program, with typed columns.

A frame is one of a report's tables, or its quantities in a table ``quantities`` of their names and
values. Beside a column of exact numbers or of bounds, which are words such as ``7/2``, stands one
of decimals, its name with ``_float`` appended. Files of CSV and Parquet hold one frame each, and so
do data frames of pandas and polars.
"""

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import MissingExtraError
from exactdice.report.csv_cells import written_list
from exactdice.report.eyes import plain
from exactdice.report.model import Cell, CellKind, Column, Report, Table

#: The kinds of columns beside which stands a column of decimals.
HAVE_DECIMALS = (CellKind.EXACT, CellKind.ENCLOSURE)

#: The name of the frame of a report's single numbers.
QUANTITIES = "quantities"

# Whole numbers from here on fit into no column of whole numbers of another program.
_TOO_WIDE = 2**63


class Holds(Enum):
    """What a column of a frame holds, None aside."""

    WORDS = str
    WHOLES = int
    FLAGS = bool
    DECIMALS = mpq


@dataclass(frozen=True)
class Frame:
    """One table as other programs see it."""

    # name, title: those of the table; a frame of quantities has no title
    name: str
    title: str
    described: Sequence[Column]  # the report's columns, or one for each quantity: what they mean
    headings: Sequence[str]
    holds: Sequence[Holds]
    # words, whole numbers, flags, numbers to be shown as decimals, and None
    rows: Sequence[Sequence[Any]]


def frames(report: Report) -> list[Frame]:
    """List the frames of a report: its quantities, if there are any, and its tables.

    A report of neither has one of no quantities.
    """
    of_tables = [frame_of(table) for table in report.tables]
    if of_tables and not report.quantities:
        return of_tables
    quantities = Frame(
        QUANTITIES,
        "",
        [quantity.column for quantity in report.quantities],
        ["name", "value", "value_float"],
        [Holds.WORDS, Holds.WORDS, Holds.DECIMALS],
        [(q.column.name, _words(q.value), _number(q.value)) for q in report.quantities],
    )
    return [quantities, *of_tables]


def frame_of(table: Table) -> Frame:
    """Return the frame of one table."""
    parts: list[tuple[int, Holds, Callable[[Cell], Any]]] = []
    for place, column in enumerate(table.columns):
        kind = _holds(column, [row[place] for row in table.rows])
        parts.append((place, kind, _words if kind is Holds.WORDS else lambda cell: cell))
        if column.kind in HAVE_DECIMALS:
            parts.append((place, Holds.DECIMALS, _number))
    holds = [kind for _, kind, _ in parts]
    rows = [[write(row[place]) for place, _, write in parts] for row in table.rows]
    columns = table.columns
    return Frame(table.name, table.title, columns, data_columns(columns), holds, rows)


def data_columns(columns: Sequence[Column]) -> list[str]:
    """Names of the columns of a table in CSV, those of decimals included."""
    names = []
    for column in columns:
        names.append(column.name)
        if column.kind in HAVE_DECIMALS:
            names.append(f"{column.name}_float")
    return names


def _holds(column: Column, cells: Sequence[Cell]) -> Holds:
    if column.kind is CellKind.FLAG:
        return Holds.FLAGS
    is_narrow = column.kind is CellKind.WHOLE and all(
        not isinstance(cell, int) or -_TOO_WIDE <= cell < _TOO_WIDE for cell in cells
    )
    return Holds.WHOLES if is_narrow else Holds.WORDS


def _words(cell: Cell) -> str | None:
    if cell is None or cell == ():
        return None
    if isinstance(cell, tuple):
        return written_list(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return plain(cell)


def _number(cell: Cell) -> mpq | None:
    """Return the number whose decimal stands beside a cell."""
    if isinstance(cell, Enclosure):
        return cell.middle
    return cell if isinstance(cell, mpq) else None


def library(name: str) -> Any:
    """Import a library of the extra ``frames``."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise MissingExtraError.of("frames", name, "frames") from problem


def columns_of(frame: Frame) -> Iterator[tuple[str, Holds, list[Any]]]:
    """Yield name, type and cells of each column, decimals as the nearest doubles."""
    for place, (name, holds) in enumerate(zip(frame.headings, frame.holds, strict=True)):
        cells = [row[place] for row in frame.rows]
        if holds is Holds.DECIMALS:
            cells = [None if cell is None else arithmetic.nearest_double(cell) for cell in cells]
        yield name, holds, cells


def pandas_frame(frame: Frame) -> Any:
    """Make a data frame of pandas: words as objects, whole numbers and flags nullable."""
    pandas = library("pandas")
    types = {
        Holds.WORDS: "object",
        Holds.WHOLES: "Int64",
        Holds.FLAGS: "boolean",
        Holds.DECIMALS: "Float64",
    }
    return pandas.DataFrame(
        {name: pandas.Series(cells, dtype=types[holds]) for name, holds, cells in columns_of(frame)}
    )


def polars_frame(frame: Frame) -> Any:
    """Make a data frame of polars."""
    polars = library("polars")
    types = {
        Holds.WORDS: polars.String,
        Holds.WHOLES: polars.Int64,
        Holds.FLAGS: polars.Boolean,
        Holds.DECIMALS: polars.Float64,
    }
    return polars.DataFrame(
        [polars.Series(name, cells, dtype=types[holds]) for name, holds, cells in columns_of(frame)]
    )
