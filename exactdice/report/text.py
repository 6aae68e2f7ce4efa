"""A report as plain text, in lines of `WIDTH` characters, and as Markdown."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.report.csv_cells import one_line
from exactdice.report.eyes import (
    aligned,
    alignment,
    eye_columns,
    eye_rows,
    folded,
    footer,
    grid_rows,
    is_listed,
    legend,
    shown,
    unlisted,
)
from exactdice.report.model import CellKind, Quantity, Report, Table

WIDTH = 80  # characters of a line


def as_text(report: Report, digits: int) -> str:
    title = one_line(report.title)
    lines = [*folded(title, WIDTH), "=" * min(len(title), WIDTH), ""]
    for quantity in report.quantities:
        for line in _quantity_lines(quantity, digits):
            lines += _indented(line.lstrip(), line[: len(line) - len(line.lstrip())], "    ")
    if report.quantities:
        lines.append("")
    for table in report.tables:
        lines += [one_line(table.title), "", *_table(table, digits, partial(aligned, width=WIDTH))]
        for line in legend(table.columns):
            lines += _indented(line, "  ", "    ")
        lines.append("")
    for line in footer(report):
        lines += _indented(line, "# ", "#   ")
    return "\n".join(lines) + "\n"


def _indented(line: str, first: str, following: str) -> list[str]:
    head, *rest = folded(line, WIDTH - len(first))
    if rest:
        rest = folded(line[len(head) :].lstrip(), WIDTH - len(following))
    return [first + head, *(following + part for part in rest)]


def _quantity_lines(quantity: Quantity, digits: int) -> Iterator[str]:
    column, value = quantity.column, quantity.value
    unit = f" [{column.unit}]" if column.unit else ""
    yield f"{column.shown}: {column.meaning}{unit}"
    if column.kind is CellKind.EXACT and isinstance(value, mpq) and value.denominator != 1:
        yield f"  ≈ {arithmetic.significant(value, digits)}"
        yield f"  = {arithmetic.text(value)}"
    elif isinstance(value, Enclosure):
        places = value.places(digits)
        yield f"  ≈ {value.certain(digits)}, known to within {value.shown_width()}"
        yield f"  ≥ {value.rounded_down(places)}"
        yield f"  ≤ {value.rounded_up(places)}"
    else:
        yield f"  = {shown(value)}"


def _table(table: Table, digits: int, drawn: Callable[..., Iterable[str]]) -> Iterator[str]:
    if table.grid:
        headings, rows = grid_rows(table)
        yield from (*drawn(headings, rows, "r" * len(headings)), "")
    if is_listed(table):
        cells = eye_rows(table.columns, table.rows, digits)
        yield from drawn(eye_columns(table.columns), cells, alignment(table.columns))
    else:
        yield unlisted(table)
    yield ""


def as_markdown(report: Report, digits: int) -> str:
    lines = [f"# {one_line(report.title)}", ""]
    for quantity in report.quantities:
        value = quantity.value
        seen = value.near(digits) if isinstance(value, Enclosure) else shown(value)
        if isinstance(value, mpq) and value.denominator != 1:
            seen = f"{arithmetic.significant(value, digits)} ≈ {seen}"
        lines.append(f"- **{quantity.column.shown}** ({quantity.column.meaning}): {seen}")
    if report.quantities:
        lines.append("")
    for table in report.tables:
        lines += [f"## {one_line(table.title)}", "", *_table(table, digits, _piped)]
        lines += [f"- {line}" for line in legend(table.columns)]
        lines.append("")
    lines += [f"<!-- {line.replace('--', '- -')} -->" for line in footer(report)]
    return "\n".join(lines) + "\n"


def _piped(headings: list[str], rows: list[list[str]], alignment: str) -> Iterator[str]:
    yield "| " + " | ".join(cell.replace("|", "\\|") for cell in headings) + " |"
    yield "|" + "|".join("---:" if side == "r" else ":---" for side in alignment) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
