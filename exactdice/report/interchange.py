r"""A report as CSV and as JSON, which hold every number whole.

Reading them back (`exactdice.report.readers`) gives the same rationals. A table whose only column
holds lists is a list of lists in JSON; all other rows are objects there. A whole number of more
digits than Python reads by itself is text in JSON, alone and in lists. A number between bounds is
both ends: an object with ``lower`` and ``upper`` in JSON, ``lower upper`` in a cell of CSV; the
decimal beside it is that of the middle.
"""

import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from exactdice import arithmetic
from exactdice.enclosure import Enclosure
from exactdice.report.csv_cells import escaped, row_text, written_list
from exactdice.report.eyes import facts, plain
from exactdice.report.model import Cell, Column, Kind, Report

__all__ = ["HAVE_DECIMALS", "as_csv", "as_json", "data_columns"]

#: The kinds of columns beside which stands a column of decimals.
HAVE_DECIMALS = (Kind.EXACT, Kind.ENCLOSURE)

#: Whole numbers from here on are text in JSON: ``int`` refuses more digits, and so does json.
_TEXT_IN_JSON = 10**4300


def as_csv(report: Report, digits: int) -> str:
    """Write sections under ``# table:`` lines; one comment line for each fact of provenance."""
    stream = io.StringIO()
    stream.write(f"# {escaped(report.title)}\n")
    for name, fact in facts(report):
        stream.write(f"# {escaped(name).replace(':', _COLON)}: {escaped(fact)}\n")
    if report.quantities:
        stream.write("# table: quantities\n")
        stream.writelines(f"# column: {_described(q.column)}\n" for q in report.quantities)
        stream.write(row_text(["name", "value", "value_float"]))
        for quantity in report.quantities:
            value = quantity.value
            beside = _csv_decimal(quantity.column, value, digits)
            stream.write(row_text([quantity.column.name, _csv_cell(value), beside]))
    for table in report.tables:
        stream.write(f"# table: {table.name}: {escaped(table.title)}\n")
        stream.writelines(f"# column: {_described(column)}\n" for column in table.columns)
        stream.write(row_text(data_columns(table.columns)))
        stream.writelines(row_text(_csv_row(table.columns, row, digits)) for row in table.rows)
    return stream.getvalue()


_COLON, _BRACKET = r"\u003a", r"\u005d"


def _described(column: Column) -> str:
    meaning, unit = escaped(column.meaning), escaped(column.unit).replace("]", _BRACKET)
    # A meaning that ends as a unit does is followed by one, if an empty one.
    shown = f" [{unit}]" if unit or meaning.endswith("]") else ""
    return f"{column.name} ({column.kind}): {meaning}{shown}"


def data_columns(columns: Sequence[Column]) -> list[str]:
    """Names of the columns of a table in CSV, those of decimals included."""
    names = []
    for column in columns:
        names.append(column.name)
        if column.kind in HAVE_DECIMALS:
            names.append(f"{column.name}_float")
    return names


def _csv_cell(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return written_list(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return plain(cell)


def _csv_row(columns: Sequence[Column], row: Sequence[Cell], digits: int) -> list[str]:
    cells = []
    for column, cell in zip(columns, row, strict=True):
        cells.append(_csv_cell(cell))
        if column.kind in HAVE_DECIMALS:
            cells.append(_csv_decimal(column, cell, digits))
    return cells


def _csv_decimal(column: Column, cell: Cell, digits: int) -> str:
    if cell is None or column.kind not in HAVE_DECIMALS:
        return ""
    number = cell.middle if isinstance(cell, Enclosure) else cell
    return arithmetic.significant(number, digits)


def as_json(report: Report, _digits: int) -> str:
    """Write a report as JSON."""
    document: dict[str, Any] = {"title": report.title}
    for quantity in report.quantities:
        document.update(_json_items(quantity.column, quantity.value))
    for table in report.tables:
        document[table.name] = [_json_row(table.columns, row) for row in table.rows]
    document["columns"] = {
        "quantities": [_json_column(quantity.column) for quantity in report.quantities]
    } | {table.name: [_json_column(column) for column in table.columns] for table in report.tables}
    document["titles"] = {table.name: table.title for table in report.tables}
    document["provenance"] = {
        "command": report.provenance.command,
        "producer": report.provenance.producer,
        "conventions": dict(report.provenance.conventions),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _json_row(columns: Sequence[Column], row: Sequence[Cell]) -> Any:
    """Write a row as an object, or as the bare list where lists are the only column."""
    if len(columns) == 1 and columns[0].kind is Kind.LIST:
        return _json_value(row[0])
    pairs = zip(columns, row, strict=True)
    return dict(item for column, cell in pairs for item in _json_items(column, cell))


def _json_items(column: Column, cell: Cell) -> Iterator[tuple[str, Any]]:
    if column.kind is Kind.EXACT:
        yield column.name, None if cell is None else arithmetic.text(cell)
        yield f"{column.name}_float", None if cell is None else arithmetic.nearest_double(cell)
    elif isinstance(cell, Enclosure):
        ends = {"lower": cell.lower, "upper": cell.upper}
        yield column.name, {name: arithmetic.text(end) for name, end in ends.items()}
        yield f"{column.name}_float", arithmetic.nearest_double(cell.middle)
    elif column.kind is Kind.ENCLOSURE:
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
    return {
        "name": column.name,
        "meaning": column.meaning,
        "unit": column.unit,
        "kind": str(column.kind),
    }
