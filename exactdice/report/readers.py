"""Reading a `Report` back from CSV, JSON or Parquet.

The rationals come from the exact cells; the decimals are ignored. An empty cell of CSV is None,
like null in JSON, or the empty list in a column of lists, but never the empty text.
"""

import glob
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from exactdice.arithmetic import mpz, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, InputError, Unquoted, choices
from exactdice.memory import in_pieces
from exactdice.report.csv_cells import read_item, read_list, records
from exactdice.report.interchange import DESCRIBED, HAVE_DECIMALS, QUANTITIES, data_columns, stored
from exactdice.report.model import Cell, CellKind, Column, Provenance, Quantity, Report, Table

__all__ = ["read", "read_csv", "read_json"]

_WHOLE = re.compile(r"-?[0-9]+", re.ASCII)
_NAME = re.compile(r"\w+")  # of a table, and so part of a file name

_Of = TypeVar("_Of")

# Errors that Python raises for invalid documents; InputError is a ValueError.
_BROKEN = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)


def read_json(document: str) -> Report:
    """Read the JSON of a report.

    Raises InputError if it is no JSON, or no report of this package.

    >>> read_json('[]')
    Traceback (most recent call last):
    exactdice.errors.InputError: document: got '[]'; expected the JSON of an exactdice report
    """
    try:
        content = json.loads(document, parse_int=lambda digits: int(mpz(digits)))
        return _report_from_json(content)
    except _BROKEN as problem:
        raise InputError("document", document, "the JSON of an exactdice report") from problem


def _report_from_json(content: Mapping[str, Any]) -> Report:
    described = {
        table: [_column_from_json(column) for column in columns]
        for table, columns in content["columns"].items()
    }
    quantities = [
        Quantity(column, _json_cell(column, content[column.name]))
        for column in described.pop("quantities")
    ]
    tables = []
    for name, columns in described.items():
        rows = [_json_row(columns, row) for row in content[name]]
        tables.append(Table(name, _words(content["titles"][name]), columns, rows))
    return Report(_words(content["title"]), quantities, tables, _provenance(content))


def _provenance(content: Mapping[str, Any]) -> Provenance:
    facts = content["provenance"]
    conventions = {name: _words(value) for name, value in facts["conventions"].items()}
    return Provenance(_words(facts["command"]), conventions)


def _column_from_json(description: Mapping[str, Any]) -> Column:
    name, meaning, unit = (_words(description[key]) for key in ("name", "meaning", "unit"))
    return Column(name, meaning, unit, CellKind(description["kind"]))


def _json_row(columns: Sequence[Column], row: Any) -> list[Cell]:
    if isinstance(row, dict):
        if row.keys() != set(data_columns(columns)):
            raise ValueError(row)
        return [_json_cell(column, row[column.name]) for column in columns]
    (column,) = columns
    return [_json_cell(column, row)]


def _json_cell(column: Column, written: Any) -> Cell:
    if written is None:
        return None
    match column.kind:
        case CellKind.EXACT:
            return rational(written, column.name)
        case CellKind.ENCLOSURE:
            return _enclosure(column, _of(dict, written)["lower"], written["upper"])
        case CellKind.WHOLE:
            return _whole(written) if isinstance(written, str) else _of(int, written)
        case CellKind.FLAG:
            return _of(bool, written)
        case CellKind.LIST:
            return tuple(map(_json_item, _of(list, written)))
        case _:
            return _words(written)


def _enclosure(column: Column, lower: str, upper: str) -> Enclosure:
    return Enclosure(rational(lower, column.name), rational(upper, column.name))


def _json_item(item: Any) -> Any:
    if isinstance(item, list):
        return tuple(map(_json_item, item))
    if isinstance(item, str):
        return read_item(item)
    return _of(int, item)


def _of(kind: type[_Of], written: object) -> _Of:
    """Return a value of exactly this type: True is no number here, and 1 no flag."""
    if type(written) is not kind:
        raise TypeError(written)
    return written


def _words(written: Any) -> str:
    return str(_of(str, written))


def _whole(digits: str) -> int:
    if not _WHOLE.fullmatch(digits):
        raise ValueError(digits)
    return int(mpz(digits))


def read(path: str | PathLike[str]) -> Report:
    """Read the report in a file of JSON, CSV or Parquet.

    * `path`: the argument of ``--output``. If the report has several tables, with a file for each,
      all of them are read. The file of one table gives the report of that table.

    Raises InputError if there is no file, it cannot be read, or is no report of this package.

    >>> import tempfile
    >>> from exactdice.cli import main
    >>> with tempfile.TemporaryDirectory() as home:
    ...     _ = main(["risk", "table", "4", "3", "--output", f"{home}/wins.csv"])
    ...     [table.name for table in read(f"{home}/wins.csv").tables]
    ['cells', 'even']
    """
    file = Path(path)
    kind = file.suffix.lower()
    if kind == ".json":
        return read_json(_text(_content(file)))
    if kind not in (".csv", ".parquet"):
        raise InputError("path", str(path), "the name of a file of .json, .csv or .parquet")

    def part(file: Path) -> _Part:
        content = _content(file)
        return _parquet_part(content) if kind == ".parquet" else _csv_part(_text(content))

    if file.exists():
        return _joined([part(file)], whole=False)
    beside = sorted(file.parent.glob(f"{glob.escape(file.stem)}-*{glob.escape(file.suffix)}"))
    first = next(iter(beside), None)
    if first is None:
        raise ConflictError(f"{path}:", "file not found")
    names = part(first).tables
    files = [file.with_name(f"{file.stem}-{name}{file.suffix}") for name in names]
    return _joined(list(map(part, files)), whole=True)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return in_pieces(file)
    except FileNotFoundError:
        raise ConflictError(f"{path}:", "file not found") from None
    except OSError as problem:
        raise InputError("path", str(path), f"a readable file ({problem.strerror})") from None


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


@dataclass(frozen=True)
class _Part:
    """The content of one file: a frame, and the description of the report."""

    title: str
    provenance: Provenance
    tables: list[str]
    name: str
    heading: str
    columns: list[Column]
    rows: list[list[str]]


def _joined(parts: Sequence[_Part], *, whole: bool) -> Report:
    first = parts[0]
    if strangers := [part.name for part in parts if part.name not in first.tables]:
        raise InputError("table", strangers[0], choices(first.tables, strangers[0]))
    quantities: list[Quantity] = []
    tables = []
    for part in sorted(parts, key=lambda part: first.tables.index(part.name)):
        same = (part.title, part.provenance, part.tables)
        if whole and same != (first.title, first.provenance, first.tables):
            raise InputError("path", Unquoted(f"table {part.name}"), "tables of the same report")
        try:
            if part.name == QUANTITIES:
                quantities = _csv_quantities(part.columns, part.rows)
            else:
                rows = _csv_rows(part.columns, part.rows)
                tables.append(Table(part.name, part.heading, part.columns, rows))
        except _BROKEN as problem:
            raise InputError("document", Unquoted(f"table {part.name}"), "all of it") from problem
    return Report(first.title, quantities, tables, first.provenance)


def _part(description: Mapping[str, Any], rows: list[list[str]]) -> _Part:
    name = _words(description["table"])
    tables = _of(list, description["tables"])
    # at least one; other names could be other paths
    if not tables or not all(_NAME.fullmatch(_words(table)) for table in tables):
        raise ValueError(tables)
    return _Part(
        _words(description["title"]),
        _provenance(description),
        tables,
        name,
        _words(description["titles"].get(name, "")),
        [_column_from_json(column) for column in description["columns"][name]],
        rows,
    )


def _parquet_part(content: bytes) -> _Part:
    try:
        return _part(*stored(content))
    except (*_BROKEN, OSError, NotImplementedError) as problem:  # of Arrow too
        wanted = "a Parquet file written by exactdice"
        raise InputError("path", Unquoted("another file"), wanted) from problem


def read_csv(*documents: str) -> Report:
    """Read CSV: the tables of one report, each a document, or a single one of them.

    Only the last comment above the heading is read, which describes the table as JSON.

    Raises InputError if it is no report of this package, or of a version that did not write that
    line.

    >>> read_csv("a,b")
    Traceback (most recent call last):
    exactdice.errors.InputError: document: got 'a,b'; expected the CSV of an exactdice report, \
with "# exactdice: …" above its heading; for an older file, run its command again
    """
    return _joined([_csv_part(document) for document in documents], whole=True)


def _csv_part(document: str) -> _Part:
    try:
        listed = list(records(document))
        comments = list(takewhile(lambda record: isinstance(record, str), listed))
        description = _words(comments[-1]).removeprefix(DESCRIBED)
        rows = [_of(list, record) for record in listed[len(comments) :]]
        return _part(json.loads(description), rows)
    except _BROKEN as problem:
        wanted = (
            f'the CSV of an exactdice report, with "{DESCRIBED}…" above its heading; for an older '
            "file, run its command again"
        )
        raise InputError("document", document, wanted) from problem


def _csv_quantities(columns: Sequence[Column], rows: Sequence[list[str]]) -> list[Quantity]:
    heading, *records = rows
    if heading != ["name", "value", "value_float"]:
        raise ValueError(heading)
    quantities = []
    for column, (name, value, _decimal) in zip(columns, records, strict=True):
        if name != column.name:
            raise ValueError(name)
        quantities.append(Quantity(column, _csv_cell(column, value)))
    return quantities


def _csv_rows(columns: Sequence[Column], rows: Sequence[list[str]]) -> list[list[Cell]]:
    heading, *records = rows
    if heading != data_columns(columns) or any(len(row) != len(heading) for row in records):
        raise ValueError(heading)
    # An exact number is followed by its decimal.
    widths = [2 if column.kind in HAVE_DECIMALS else 1 for column in columns]
    places = [sum(widths[:number]) for number in range(len(columns))]
    return [
        [_csv_cell(column, row[place]) for column, place in zip(columns, places, strict=True)]
        for row in records
    ]


def _csv_cell(column: Column, written: str) -> Cell:
    if not written:
        return None
    match column.kind:
        case CellKind.EXACT:
            return rational(written, column.name)
        case CellKind.ENCLOSURE:
            return _enclosure(column, *written.split())
        case CellKind.WHOLE:
            return _whole(written)
        case CellKind.FLAG:
            return {"true": True, "false": False}[written]
        case CellKind.LIST:
            return read_list(written)
        case _:
            return written
