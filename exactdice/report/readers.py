"""Reading a `Report` back from the CSV or JSON that a writer made.

The rationals come from the exact cells; the decimals beside them are ignored. An empty cell of CSV
is None, as null is in JSON, or the empty list in a column of lists; no cell is the empty text.

What is no report gives an `InputError` of one line, whatever it is: cells that are not of their
column's kind, rows of other lengths than their heading, unknown kinds, numbers beyond all bounds.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gmpy2 import mpz

from exactdice.arithmetic import rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.report.csv_cells import read_item, read_list, records, unescaped
from exactdice.report.interchange import HAVE_DECIMALS, data_columns
from exactdice.report.model import Cell, Column, Kind, Quantity, Report, Table
from exactdice.report.provenance import Provenance

__all__ = ["read_csv", "read_json"]

_COLUMN = re.compile(r"# column: (\w+) \((\w+)\): (.*?)(?: \[([^\]]*)\])?")
_TABLE = re.compile(r"# table: (\w+)(?:: (.*))?")
_FACT = re.compile(r"# ([^:]+): (.*)")
_WHOLE = re.compile(r"-?[0-9]+", re.ASCII)

# What broken documents make Python raise; InputError is a ValueError.
_BROKEN = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    OverflowError,
    RecursionError,
)


def read_json(document: str) -> Report:
    """Read the JSON of a report.

    Raises
    ------
    InputError
        If it is no JSON, or no report of this package.

    Examples
    --------
    >>> read_json('[]')
    Traceback (most recent call last):
    exactdice.errors.InputError: document: got '[]'; give the JSON of an exactdice report
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
    tables = [
        Table(
            name,
            _words(content["titles"][name]),
            columns,
            [_json_row(columns, row) for row in content[name]],
        )
        for name, columns in described.items()
    ]
    facts = content["provenance"]
    conventions = {name: _words(value) for name, value in facts["conventions"].items()}
    provenance = Provenance(_words(facts["command"]), conventions)
    return Report(_words(content["title"]), quantities, tables, provenance)


def _column_from_json(description: Mapping[str, Any]) -> Column:
    name, meaning, unit = (_words(description[key]) for key in ("name", "meaning", "unit"))
    return Column(name, meaning, unit, Kind(description["kind"]))


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
        case Kind.EXACT:
            return rational(written, column.name)
        case Kind.ENCLOSURE:
            return _enclosure(column, _of(dict, written)["lower"], written["upper"])
        case Kind.WHOLE:
            return _whole(written) if isinstance(written, str) else _of(int, written)
        case Kind.FLAG:
            return _of(bool, written)
        case Kind.LIST:
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


def _of(kind: type, written: Any) -> Any:
    """Return what is of exactly that type: neither is True a number here, nor 1 a flag."""
    if type(written) is not kind:
        raise TypeError(written)
    return written


def _words(written: Any) -> str:
    return str(_of(str, written))


def _whole(digits: str) -> int:
    if not _WHOLE.fullmatch(digits):
        raise ValueError(digits)
    return int(mpz(digits))


def read_csv(document: str) -> Report:
    """Read the CSV of a report.

    Raises
    ------
    InputError
        If it is no report of this package; the line is named.

    Examples
    --------
    >>> read_csv("a,b")
    Traceback (most recent call last):
    exactdice.errors.InputError: document: got 'a,b'; give the CSV of an exactdice report
    """
    if not document.startswith("# "):
        raise InputError("document", document, "the CSV of an exactdice report")
    try:
        (title, *facts), sections = _sections(document)
        quantities: list[Quantity] = []
        tables = []
        for name, heading, columns, rows in sections:
            try:
                if name == "quantities":
                    quantities = _csv_quantities(columns, rows)
                else:
                    tables.append(Table(name, heading, columns, _csv_rows(columns, rows)))
            except _BROKEN as problem:
                raise InputError("document", Unquoted(f"table {name}"), "it whole") from problem
        conventions = dict(map(_fact, facts))
    except InputError:
        raise
    except _BROKEN as problem:
        line = Unquoted(f"line {str(problem)[:40]!r}")
        raise InputError("document", line, "the CSV of an exactdice report") from problem
    conventions.pop("producer", None)
    command = conventions.pop("command", "")
    return Report(
        unescaped(title.removeprefix("# ")), quantities, tables, Provenance(command, conventions)
    )


_Section = tuple[str, str, list[Column], list[list[str]]]


def _sections(document: str) -> tuple[list[str], list[_Section]]:
    """Comments before the first table; and name, title, columns and rows of each."""
    facts: list[str] = []
    sections: list[_Section] = []
    for record in records(document):
        if isinstance(record, list):
            if not sections:
                raise ValueError(",".join(record))
            sections[-1][3].append(record)
        elif facts and (match := _TABLE.fullmatch(record)):
            sections.append((match[1], unescaped(match[2] or ""), [], []))
        elif not sections:
            facts.append(record)
        elif match := _COLUMN.fullmatch(record):
            meaning, unit = unescaped(match[3]), unescaped(match[4] or "")
            sections[-1][2].append(Column(match[1], meaning, unit, Kind(match[2])))
        else:
            raise ValueError(record)
    return facts, sections


def _fact(line: str) -> tuple[str, str]:
    match = _FACT.fullmatch(line)
    if match is None:
        raise ValueError(line)
    return unescaped(match[1]), unescaped(match[2])


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
    # The decimal stands beside an exact number.
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
        case Kind.EXACT:
            return rational(written, column.name)
        case Kind.ENCLOSURE:
            return _enclosure(column, *written.split())
        case Kind.WHOLE:
            return _whole(written)
        case Kind.FLAG:
            return {"true": True, "false": False}[written]
        case Kind.LIST:
            return read_list(written)
        case _:
            return written
