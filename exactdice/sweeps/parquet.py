"""The tables of a report as Parquet: rationals as text, with their decimals beside them.

The columns are those of the report's JSON: an exact number stands as text "p/q" under its name and
as a double under ``name_float``, one between bounds as the text of both; whole numbers are 64-bit
integers, or text where one is too large; lists are text, as in JSON. The title and the provenance
are in the metadata of the file. It needs pyarrow, the extra ``parquet``.
"""

import io
import json
from importlib import import_module
from typing import Any

from exactdice.errors import InputError, MissingExtraError, Unquoted
from exactdice.report.model import Report
from exactdice.report.writers import Format, render

__all__ = ["as_parquet"]

_LARGEST = 2**63


def as_parquet(report: Report) -> bytes:
    """Write the one table of a report as Parquet.

    Parameters
    ----------
    report
        A report with one table; its quantities go into the metadata.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    InputError
        If the report has several tables, or none.
    """
    if len(report.tables) != 1:
        raise InputError("format", Unquoted(f"{len(report.tables)} tables"), "one for Parquet")
    try:
        arrow, writer = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as problem:
        raise MissingExtraError(
            "Parquet needs pyarrow; install it: pip install 'exactdice[parquet]'"
        ) from problem
    document: dict[str, Any] = json.loads(render(report, Format.JSON))
    (table,) = report.tables
    rows: list[dict[str, Any]] = document.pop(table.name)
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _column([row[name] for row in rows]) for name in names}
    about = {"exactdice": json.dumps(document)}
    made = arrow.table(columns).replace_schema_metadata(about)
    stream = io.BytesIO()
    writer.write_table(made, stream)
    return stream.getvalue()


def _column(cells: list[Any]) -> list[Any]:
    """Give cells a type that all of them have."""
    if any(isinstance(cell, list | dict) for cell in cells):
        return [None if cell is None else json.dumps(cell) for cell in cells]
    if any(type(cell) is int and not -_LARGEST <= cell < _LARGEST for cell in cells):
        return [None if cell is None else str(cell) for cell in cells]
    return cells
