"""Frames as files of Parquet, with what CSV has in comments as JSON under the key ``exactdice``.

It needs pyarrow, of the extra ``frames``.
"""

import io
import json
from typing import Any

from exactdice.report.frames import Frame, Holds, columns_of, frames, library
from exactdice.report.interchange import describing
from exactdice.report.model import Report

#: The key of the schema's metadata under which the description stands.
KEY = b"exactdice"


def parquet_files(report: Report) -> dict[str, bytes]:
    """Write each frame of a report as a file of Parquet, by their names.

    Raises MissingExtraError if pyarrow is not installed.
    """
    arrow = library("pyarrow")
    library("pyarrow.parquet")
    all_frames = frames(report)
    return {frame.name: _file(arrow, frame, report, all_frames) for frame in all_frames}


def _file(arrow: Any, frame: Frame, report: Report, beside: list[Frame]) -> bytes:
    types = {
        Holds.WORDS: arrow.string(),
        Holds.WHOLES: arrow.int64(),
        Holds.FLAGS: arrow.bool_(),
        Holds.DECIMALS: arrow.type_for_alias("double"),
    }
    columns = list(columns_of(frame))
    description = {
        "title": report.title,
        "table": frame.name,
        "tables": [other.name for other in beside],
        **describing(report.only(frame.name) if len(beside) > 1 else report),
    }
    schema = arrow.schema(
        [(name, types[holds]) for name, holds, _ in columns],
        metadata={KEY: json.dumps(description)},
    )
    table = arrow.table({name: cells for name, _, cells in columns}, schema=schema)
    stream = io.BytesIO()
    arrow.parquet.write_table(table, stream)
    return stream.getvalue()


def stored(content: bytes) -> tuple[dict[str, Any], list[list[str]]]:
    """Read a file of Parquet: its description, and its heading and rows as cells of CSV.

    Raises ValueError, KeyError if it is none, or not of this package.
    """
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
