"""Reading a `Report` back from the CSV or JSON that a writer made.

The rationals come from the exact cells; the decimals beside them are ignored. An empty cell of CSV
is None, as null is in JSON, or the empty list in a column of lists; no cell is the empty text.
"""

import csv
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from exactdice.arithmetic import rational
from exactdice.errors import InputError, Unquoted
from exactdice.report.model import Cell, Column, Kind, Quantity, Report, Table
from exactdice.report.provenance import Provenance

__all__ = ["read_csv", "read_json"]

_COLUMN = re.compile(r"# column: (\w+) \((\w+)\): (.*?)(?: \[([^\]]*)\])?")
_TABLE = re.compile(r"# table: (\w+)(?:: (.*))?")
_ITEM = re.compile(r'"[^"]*"|\([^)]*\)|\S+')  # words in quotes, a list within a list in parentheses
_FACT = re.compile(r"# ([\w ]+): (.*)")


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
        content = json.loads(document)
        described = {
            table: [_column_from_json(column) for column in columns]
            for table, columns in content["columns"].items()
        }
        quantities = [
            Quantity(column, _cell(column, content[column.name]))
            for column in described.pop("quantities")
        ]
        tables = [
            Table(
                name,
                content["titles"][name],
                columns,
                [
                    [_cell(c, row[c.name] if isinstance(row, dict) else row) for c in columns]
                    for row in content[name]
                ],
            )
            for name, columns in described.items()
        ]
        facts = content["provenance"]
        provenance = Provenance(facts["command"], facts["conventions"])
        return Report(content["title"], quantities, tables, provenance)
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InputError("document", document, "the JSON of an exactdice report") from problem


def _column_from_json(description: Mapping[str, str]) -> Column:
    return Column(
        description["name"], description["meaning"], description["unit"], Kind(description["kind"])
    )


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
    lines = document.splitlines()
    if not lines or not lines[0].startswith("# "):
        raise InputError("document", document, "the CSV of an exactdice report")
    facts: dict[str, str] = {}
    sections: list[tuple[str, str, list[Column], list[str]]] = []
    for line in lines[1:]:
        if match := _TABLE.fullmatch(line):
            sections.append((match[1], match[2] or "", [], []))
        elif sections and (match := _COLUMN.fullmatch(line)):
            sections[-1][2].append(Column(match[1], match[3], match[4] or "", Kind(match[2])))
        elif not sections and (match := _FACT.fullmatch(line)):
            facts[match[1]] = match[2]
        elif sections:
            sections[-1][3].append(line)
        else:
            raise InputError("document", Unquoted(f"line {line!r}"), "an exactdice report")
    quantities: list[Quantity] = []
    tables = []
    for name, title, columns, rows in sections:
        records = list(csv.DictReader(rows))
        try:
            if name == "quantities":
                quantities = [
                    Quantity(column, _cell(column, record["value"]))
                    for column, record in zip(columns, records, strict=True)
                ]
            else:
                tables.append(Table(name, title, columns, _table_rows(columns, records)))
        except (ValueError, KeyError, TypeError) as problem:
            raise InputError("document", Unquoted(f"table {name}"), "it whole") from problem
    provenance = Provenance(
        facts.pop("command", ""),
        {name: value for name, value in facts.items() if name != "producer"},
    )
    return Report(lines[0].removeprefix("# "), quantities, tables, provenance)


def _table_rows(columns: list[Column], records: Iterable[Mapping[str, str]]) -> list[list[Cell]]:
    return [[_cell(column, record[column.name]) for column in columns] for record in records]


def _cell(column: Column, written: Any) -> Cell:
    """Read a cell from JSON (typed) or CSV (always text)."""
    if written is None or written == "":
        return None
    match column.kind:
        case Kind.EXACT:
            return rational(written, column.name)
        case Kind.WHOLE:
            return int(written)
        case Kind.FLAG:
            return written if isinstance(written, bool) else written == "true"
        case Kind.LIST:
            items = _ITEM.findall(written) if isinstance(written, str) else written
            return tuple(_list_item(item) for item in items)
        case _:
            return str(written)


def _list_item(item: Any) -> Any:
    if isinstance(item, list):
        return tuple(_list_item(inner) for inner in item)
    if isinstance(item, str) and item.startswith("("):
        return tuple(_list_item(inner) for inner in item[1:-1].split())
    if isinstance(item, str) and item.startswith('"'):
        return item[1:-1]
    return int(item) if isinstance(item, str) and item.lstrip("-").isdigit() else item
