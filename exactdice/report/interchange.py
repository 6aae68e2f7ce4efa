"""A report as CSV, JSON, Parquet and data frames, which preserve every number exactly.

`exactdice.report.readers` reads the same rationals back. A *frame* is one of a report's tables, or
its quantities in a table ``quantities`` of names and values, with typed columns. Columns of exact
numbers or bounds are texts such as ``7/2``, followed by a column of decimals with ``_float``
appended to the name. Each file of CSV or Parquet, and each data frame of pandas or polars, is one
frame.

In JSON a table with a single column of lists is a list of lists; all other rows are objects. Whole
numbers with more digits than Python reads by default are text there. A number between bounds has
both ends, as an object with ``lower`` and ``upper`` in JSON and as ``lower upper`` in CSV; its
decimal is that of the middle. A Parquet file (which needs pyarrow, of the extra ``frames``)
contains the JSON of the last comment of CSV under the key ``exactdice``.
"""

import importlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, MissingExtraError, Unquoted
from exactdice.report.csv_cells import row_text, written_list
from exactdice.report.eyes import facts, meaning_of, one_line, plain
from exactdice.report.model import Cell, CellKind, Column, Report, Table, number

#: Kinds of columns that are followed by a column of decimals.
HAVE_DECIMALS = (CellKind.EXACT, CellKind.ENCLOSURE)

#: Name of the frame of a report's quantities.
QUANTITIES = "quantities"

# Larger whole numbers do not fit into the integer columns of other programs.
_TOO_WIDE = 2**63


class Holds(Enum):
    """The type of a column of a frame, apart from None."""

    WORDS = "object", "String", "string"  # in pandas, polars and pyarrow
    WHOLES = "Int64", "Int64", "int64"
    FLAGS = "boolean", "Boolean", "bool_"
    DECIMALS = "Float64", "Float64", "float64"


@dataclass(frozen=True)
class Frame:
    name: str
    title: str  # empty for quantities
    described: Sequence[Column]  # the table's columns, or those of the quantities
    headings: Sequence[str]
    holds: Sequence[Holds]
    rows: Sequence[Sequence[Any]]


def frames(report: Report) -> list[Frame]:
    """Return the frames of a report; an empty report has one without quantities."""
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
    names = []
    for column in columns:
        names.append(column.name)
        if column.kind in HAVE_DECIMALS:
            names.append(f"{column.name}_float")
    return names


def _holds(column: Column, cells: Sequence[Cell]) -> Holds:
    if column.kind is CellKind.FLAG:
        return Holds.FLAGS
    fitting = (not isinstance(cell, int) or -_TOO_WIDE <= cell < _TOO_WIDE for cell in cells)
    is_narrow = column.kind is CellKind.WHOLE and all(fitting)
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
    if isinstance(cell, Enclosure):
        return cell.middle
    return cell if isinstance(cell, mpq) else None


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise MissingExtraError.of("frames", name, "frames") from problem


def columns_of(frame: Frame) -> Iterator[tuple[str, Holds, list[Any]]]:
    for place, (name, holds) in enumerate(zip(frame.headings, frame.holds, strict=True)):
        cells = [row[place] for row in frame.rows]
        if holds is Holds.DECIMALS:
            cells = [None if cell is None else arithmetic.nearest_double(cell) for cell in cells]
        yield name, holds, cells


def pandas_frame(frame: Frame) -> Any:
    pandas = library("pandas")
    return pandas.DataFrame({
        name: pandas.Series(cells, dtype=holds.value[0]) for name, holds, cells in columns_of(frame)
    })  # fmt: skip


def polars_frame(frame: Frame) -> Any:
    polars = library("polars")
    return polars.DataFrame([
        polars.Series(name, cells, dtype=getattr(polars, holds.value[1]))
        for name, holds, cells in columns_of(frame)
    ])  # fmt: skip


#: Beginning of the CSV comment that describes the report as JSON.
DESCRIBED = "# exactdice: "

#: Whole numbers from here on are text in JSON, because ``int`` rejects more digits.
_TEXT_IN_JSON = 10**4300


def csv_files(report: Report, digits: int) -> dict[str, str]:
    """Write each frame of a report as CSV, by name.

    The lines above the heading are comments: the title, the provenance, the names of the tables if
    there are several, and the meanings of the columns. The last one, which begins with `DESCRIBED`,
    is the same as JSON, for programs, but without the producer.
    """
    all_frames = frames(report)
    head = [report.title, *(f"{name}: {fact}" for name, fact in facts(report))]
    if len(all_frames) > 1:
        head.append(f"tables: {' '.join(frame.name for frame in all_frames)}")
    lines = {f.name: _csv_lines(report, f, all_frames, head, digits) for f in all_frames}
    return {name: "".join(of_frame) for name, of_frame in lines.items()}


def as_csv(report: Report, digits: int) -> str:
    """Write a report of one table, with at most one quantity, or only of quantities, as CSV."""
    files = csv_files(report, digits)
    if len(files) > 1:
        long = [table.name for table in report.tables if tuple(table.rows)]
        if len(long) == 1 and len(report.quantities) <= 1:
            return files[long[0]]
        raise InputError(
            "format",
            Unquoted(f"csv for several tables: {', '.join(files)}"),
            "--output NAME.csv for one file per table, or --table to choose one",
        )
    return next(iter(files.values()))


def _csv_lines(
    report: Report, frame: Frame, beside: list[Frame], head: list[str], digits: int
) -> Iterator[str]:
    title = f": {frame.title}" if frame.title else ""
    columns = (f"column: {c.name} ({c.kind}): {meaning_of(c)}" for c in frame.described)
    for line in (*head, f"table: {frame.name}{title}", *columns):
        yield f"# {one_line(line)}\n"
    description = _description(report, frame, beside)
    del description["provenance"]["producer"]
    yield f"{DESCRIBED}{json.dumps(description)}\n"
    yield row_text(frame.headings)
    for row in frame.rows:
        cells = [_csv_cell(cell, kind, digits) for cell, kind in zip(row, frame.holds, strict=True)]
        yield row_text(cells)


def _csv_cell(cell: Any, holds: Holds, digits: int) -> str:
    if cell is None:
        return ""
    if holds is Holds.FLAGS:
        return "true" if cell else "false"
    if holds is Holds.DECIMALS:
        return arithmetic.significant(cell, digits)
    return str(cell)


def as_json(report: Report, _digits: int) -> str:
    document: dict[str, Any] = {"title": report.title}
    for quantity in report.quantities:
        document.update(_json_items(quantity.column, quantity.value))
    for table in report.tables:
        document[table.name] = [_json_row(table.columns, row) for row in table.rows]
    document |= describing(report)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def describing(report: Report) -> dict[str, Any]:
    made = report.provenance
    columns = {"quantities": [_json_column(quantity.column) for quantity in report.quantities]}
    columns |= {t.name: [_json_column(column) for column in t.columns] for t in report.tables}
    return {
        "columns": columns,
        "titles": {table.name: table.title for table in report.tables},
        "provenance": {"command": made.command, "producer": made.producer,
                       "conventions": dict(made.conventions)},
    }  # fmt: skip


def _description(report: Report, frame: Frame, beside: list[Frame]) -> dict[str, Any]:
    return {
        "title": report.title,
        "table": frame.name,
        "tables": [other.name for other in beside],
        **describing(report.only(frame.name) if len(beside) > 1 else report),
    }


def _json_row(columns: Sequence[Column], row: Sequence[Cell]) -> Any:
    """Write a row as an object, or as the bare list if lists are the only column."""
    if len(columns) == 1 and columns[0].kind is CellKind.LIST:
        return _json_value(row[0])
    pairs = zip(columns, row, strict=True)
    return dict(item for column, cell in pairs for item in _json_items(column, cell))


def _json_items(column: Column, cell: Cell) -> Iterator[tuple[str, Any]]:
    if column.kind is CellKind.EXACT:
        exact = None if cell is None else number(cell)
        yield column.name, None if exact is None else arithmetic.text(exact)
        yield f"{column.name}_float", None if exact is None else arithmetic.nearest_double(exact)
    elif isinstance(cell, Enclosure):
        ends = {"lower": cell.lower, "upper": cell.upper}
        yield column.name, {name: arithmetic.text(end) for name, end in ends.items()}
        yield f"{column.name}_float", arithmetic.nearest_double(cell.middle)
    elif column.kind is CellKind.ENCLOSURE:
        yield column.name, None
        yield f"{column.name}_float", None
    else:
        yield column.name, _json_value(cell)


def _json_value(cell: Any) -> Any:
    if isinstance(cell, tuple | list):
        return [_json_value(item) for item in cell]
    if isinstance(cell, int) and abs(cell) >= _TEXT_IN_JSON:
        return arithmetic.text(cell)
    return cell


def _json_column(column: Column) -> dict[str, str]:
    return {key: str(getattr(column, key)) for key in ("name", "meaning", "unit", "kind")}


#: Key of the description in the schema's metadata.
KEY = b"exactdice"


def parquet_files(report: Report) -> dict[str, bytes]:
    arrow = library("pyarrow")
    library("pyarrow.parquet")
    all_frames = frames(report)
    return {frame.name: _file(arrow, frame, report, all_frames) for frame in all_frames}


def _file(arrow: Any, frame: Frame, report: Report, beside: list[Frame]) -> bytes:
    columns = list(columns_of(frame))
    schema = arrow.schema(
        [(name, getattr(arrow, holds.value[2])()) for name, holds, _ in columns],
        metadata={KEY: json.dumps(_description(report, frame, beside))},
    )
    table = arrow.table({name: cells for name, _, cells in columns}, schema=schema)
    stream = io.BytesIO()
    arrow.parquet.write_table(table, stream)
    return stream.getvalue()


def stored(content: bytes) -> tuple[dict[str, Any], list[list[str]]]:
    """Read a Parquet file: its description, and its cells as in CSV; or raise ValueError."""
    arrow = library("pyarrow")
    table = library("pyarrow.parquet").read_table(arrow.BufferReader(content))
    description = json.loads((table.schema.metadata or {})[KEY])
    columns = [column.to_pylist() for column in table.columns]
    rows = [[_cell(cell) for cell in row] for row in zip(*columns, strict=True)]
    return description, [table.column_names, *rows]


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)
