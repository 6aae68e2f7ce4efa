"""Cells as eyes see them: what text, Markdown, LaTeX and HTML share.

An exact number is shown as p/q with its decimal beside it, rounded half to even from the rational;
a fraction of more than so many characters is cut in the middle and its digits are counted. Of a
number between bounds the digits that are certain are shown, with the width between the bounds,
rounded up, beside them.
"""

from collections.abc import Iterable, Iterator, Sequence

from gmpy2 import mpq

from exactdice import arithmetic
from exactdice.enclosure import Enclosure
from exactdice.report.csv_cells import one_line
from exactdice.report.model import Cell, Column, Kind, Report, Table, number

__all__ = ["LONGEST", "alignment", "decimal", "eye_columns", "eye_row", "facts", "footer"]
__all__ += ["grid_rows", "legend", "plain", "shown"]

#: Fractions with more characters than this are cut in text and Markdown tables.
LONGEST = 60

_GRID_DECIMALS = 4

_BESIDE = {Kind.EXACT: "decimal", Kind.ENCLOSURE: "width"}


def plain(cell: Cell) -> str:
    """Write a cell whole, as text."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple):
        return "(" + ", ".join(plain(item) for item in cell) + ")"
    if isinstance(cell, Enclosure):
        return f"{arithmetic.text(cell.lower)} {arithmetic.text(cell.upper)}"
    return cell if isinstance(cell, str) else arithmetic.text(cell)


def shown(cell: Cell) -> str:
    """Write a cell for eyes, in one line; a formula stays one."""
    return one_line(plain(cell))


def _shortened(number: mpq, longest: int) -> str:
    """Exact text, cut in the middle where it is too long to read."""
    whole = arithmetic.text(number)
    if len(whole) <= longest:
        return whole
    parts = whole.split("/")
    cut = "/".join(p if len(p) <= 16 else f"{p[:8]}…{p[-6:]}" for p in parts)
    return f"{cut} ({' / '.join(str(len(p.lstrip('-'))) for p in parts)} digits)"


def eye_columns(columns: Sequence[Column]) -> list[str]:
    """Headings of a table as eyes see it: a decimal beside what is exact, a width beside bounds."""
    headings = []
    for column in columns:
        headings.append(column.shown)
        if column.kind in _BESIDE:
            headings.append(_BESIDE[column.kind])
    return headings


def eye_row(
    columns: Sequence[Column], row: Sequence[Cell], digits: int, longest: int = LONGEST
) -> list[str]:
    """Cells of a row as eyes see them; an exact number of more characters is cut."""
    cells: list[str] = []
    for column, cell in zip(columns, row, strict=True):
        if cell is None and column.kind in _BESIDE:
            cells += ["", ""]
        elif column.kind is Kind.EXACT:
            cells += [_shortened(number(cell), longest), decimal(number(cell), digits)]
        elif isinstance(cell, Enclosure):
            cells += [cell.certain(digits), cell.shown_width()]
        else:
            cells.append(shown(cell))
    return cells


def decimal(number: mpq, digits: int) -> str:
    """Write the decimal beside an exact number; a whole one stays whole."""
    return (
        arithmetic.text(number)
        if number.denominator == 1
        else arithmetic.significant(number, digits)
    )


def alignment(columns: Sequence[Column]) -> str:
    """Say for each column as eyes see it whether it is set to the right or to the left."""
    sides = {Kind.EXACT: "rr", Kind.ENCLOSURE: "rr", Kind.WHOLE: "r"}
    return "".join(sides.get(column.kind, "l") for column in columns)


def grid_rows(table: Table) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the two-way picture of a table, as decimals."""
    grid = table.grid
    if grid is None:
        raise TypeError(f"table {table.name} has no grid")
    down, across, cells = (table.cells(name) for name in (grid.down, grid.across, grid.cell))
    decimals = {
        (row, column): arithmetic.decimal(number(cell), _GRID_DECIMALS)
        for row, column, cell in zip(down, across, cells, strict=True)
    }
    columns = list(dict.fromkeys(across))
    corner = f"{table.column_named(grid.down).shown} \\ {table.column_named(grid.across).shown}"
    rows = [
        [shown(row), *(decimals.get((row, column), "") for column in columns)]
        for row in dict.fromkeys(down)
    ]
    return [corner, *(shown(column) for column in columns)], rows


def footer(report: Report) -> Iterator[str]:
    """Write where a report came from, a line a fact."""
    for name, value in facts(report):
        yield one_line(f"{name}: {value}")


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """Name the facts of the provenance."""
    if report.provenance.command:
        yield "command", report.provenance.command
    yield "producer", report.provenance.producer
    yield from report.provenance.conventions.items()


def legend(columns: Iterable[Column]) -> Iterator[str]:
    """Say what the columns mean and in which unit."""
    for column in columns:
        unit = f" [{column.unit}]" if column.unit else ""
        yield f"{column.shown}: {column.meaning}{unit}"
