r"""Writing a `Report` as text, CSV, JSON, Markdown or LaTeX.

What the formats share: an exact cell is the text ``p/q`` with its decimal beside it, rounded half
to even from the rational. CSV and JSON hold every number whole, so that reading them back
(`exactdice.report.readers`) gives the same rationals. Text, Markdown and LaTeX are for eyes:
there a fraction of more than `LONGEST` or `LONGEST_IN_LATEX` characters is cut in the middle and
its digits are counted.

A table whose only column holds lists is a list of lists in JSON; all other rows are objects there.
A whole number of more digits than Python reads by itself is text in JSON, alone and in lists.

What an argument brings along stays in its line and is valid UTF-8: line breaks and other control
characters are shown as ``\u000a``, but for cells of CSV and all of JSON, which hold them as they
are; halves of surrogate pairs are replaced, but for JSON, which has a form for them.

LaTeX needs nothing but ``\usepackage{booktabs,longtable}`` and compiles under plain pdflatex.
"""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

from gmpy2 import mpq

from exactdice import arithmetic
from exactdice.report.csv_cells import escaped, one_line, row_text, written_list
from exactdice.report.model import Cell, Column, Formula, Kind, Quantity, Report, Table

__all__ = ["LONGEST", "Format", "data_columns", "render"]

#: Fractions with more characters than this are cut in text and Markdown tables.
LONGEST = 60

#: The same in LaTeX, where a page is narrower than a screen.
LONGEST_IN_LATEX = 36

_GRID_DECIMALS = 4

#: Whole numbers from here on are text in JSON: ``int`` refuses more digits, and so does json.
_TEXT_IN_JSON = 10**4300

_SURROGATE = re.compile("[\ud800-\udfff]")


class Format(StrEnum):
    """The output formats, by the names that the command line uses."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MD = "md"
    LATEX = "latex"

    @property
    def suffix(self) -> str:
        """Suffix of a file in this format."""
        return {Format.TEXT: ".txt", Format.LATEX: ".tex"}.get(self, f".{self.value}")


def render(report: Report, output_format: Format = Format.TEXT, digits: int = 10) -> str:
    """Write a report in a format.

    Parameters
    ----------
    report
        What to write.
    output_format
        One of the five formats.
    digits
        Significant digits of the decimals beside exact numbers; JSON gives the nearest double.

    Returns
    -------
    str
        The whole text, ending with a newline.

    Examples
    --------
    >>> from exactdice.report.model import exact
    >>> report = Report("A coin", [Quantity(exact("value", "chance of heads"), mpq(1, 2))])
    >>> print(render(report, Format.CSV).splitlines()[-2:])
    ['name,value,value_float', 'value,1/2,0.5000000000']
    """
    writers: dict[Format, Callable[[Report, int], str]] = {
        Format.TEXT: _as_text,
        Format.JSON: _as_json,
        Format.CSV: _as_csv,
        Format.MD: _as_markdown,
        Format.LATEX: _as_latex,
    }
    written = writers[output_format](report, digits)
    is_json = output_format is Format.JSON
    return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}" if is_json else "\ufffd", written)


# Cells ---------------------------------------------------------------------------------------


def _plain(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple):
        return "(" + ", ".join(_plain(item) for item in cell) + ")"
    return cell if isinstance(cell, str) else arithmetic.text(cell)


def _shown(cell: Cell) -> str:
    """Write a cell for eyes, in one line; a formula stays one."""
    return one_line(_plain(cell))


def _shortened(number: mpq, longest: int) -> str:
    """Exact text, cut in the middle where it is too long to read."""
    whole = arithmetic.text(number)
    if len(whole) <= longest:
        return whole
    parts = whole.split("/")
    cut = "/".join(p if len(p) <= 16 else f"{p[:8]}…{p[-6:]}" for p in parts)
    return f"{cut} ({' / '.join(str(len(p.lstrip('-'))) for p in parts)} digits)"


def _eye_columns(columns: Sequence[Column]) -> list[str]:
    headings = []
    for column in columns:
        headings.append(column.shown)
        if column.kind is Kind.EXACT:
            headings.append("decimal")
    return headings


def _eye_row(
    columns: Sequence[Column], row: Sequence[Cell], digits: int, longest: int = LONGEST
) -> list[str]:
    cells = []
    for column, cell in zip(columns, row, strict=True):
        if column.kind is Kind.EXACT:
            cells += (
                ["", ""] if cell is None else [_shortened(cell, longest), _decimal(cell, digits)]
            )
        else:
            cells.append(_shown(cell))
    return cells


def _decimal(number: mpq, digits: int) -> str:
    return (
        arithmetic.text(number)
        if number.denominator == 1
        else arithmetic.significant(number, digits)
    )


def _is_numeric(column: Column) -> bool:
    return column.kind in (Kind.EXACT, Kind.WHOLE)


def _alignment(columns: Sequence[Column]) -> str:
    return "".join(
        "rr" if c.kind is Kind.EXACT else "r" if _is_numeric(c) else "l" for c in columns
    )


def _grid_rows(table: Table) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the two-way picture of a table, as decimals."""
    grid = table.grid
    if grid is None:
        raise TypeError(f"table {table.name} has no grid")
    down, across, cells = (table.cells(name) for name in (grid.down, grid.across, grid.cell))
    shown = {
        (row, column): arithmetic.decimal(cell, _GRID_DECIMALS)
        for row, column, cell in zip(down, across, cells, strict=True)
    }
    columns = list(dict.fromkeys(across))
    corner = f"{table.column_named(grid.down).shown} \\ {table.column_named(grid.across).shown}"
    rows = [
        [_shown(row), *(shown.get((row, column), "") for column in columns)]
        for row in dict.fromkeys(down)
    ]
    return [corner, *(_shown(column) for column in columns)], rows


# Text ----------------------------------------------------------------------------------------


def _aligned(headings: list[str], rows: list[list[str]], alignment: str) -> Iterator[str]:
    widths = [max(map(len, cells)) for cells in zip(headings, *rows, strict=True)]
    rule = ["-" * width for width in widths]
    for cells in (headings, rule, *rows):
        padded = (
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(cells, widths, alignment, strict=True)
        )
        yield "  ".join(padded).rstrip()


def _footer(report: Report) -> Iterator[str]:
    for name, value in _facts(report):
        yield one_line(f"{name}: {value}")


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    if report.provenance.command:
        yield "command", report.provenance.command
    yield "producer", report.provenance.producer
    yield from report.provenance.conventions.items()


def _as_text(report: Report, digits: int) -> str:
    title = one_line(report.title)
    lines = [title, "=" * len(title), ""]
    for quantity in report.quantities:
        lines += _quantity_lines(quantity, digits)
    if report.quantities:
        lines.append("")
    for table in report.tables:
        lines += [one_line(table.title), ""]
        if table.grid:
            headings, rows = _grid_rows(table)
            lines += [*_aligned(headings, rows, "r" * len(headings)), ""]
        cells = [_eye_row(table.columns, row, digits) for row in table.rows]
        lines += _aligned(_eye_columns(table.columns), cells, _alignment(table.columns))
        lines.append("")
        lines += [f"  {line}" for line in _legend(table.columns)]
        lines.append("")
    lines += [f"# {line}" for line in _footer(report)]
    return "\n".join(lines) + "\n"


def _quantity_lines(quantity: Quantity, digits: int) -> Iterator[str]:
    column, value = quantity.column, quantity.value
    unit = f" [{column.unit}]" if column.unit else ""
    yield f"{column.shown}: {column.meaning}{unit}"
    if column.kind is Kind.EXACT and isinstance(value, mpq) and value.denominator != 1:
        yield f"  = {arithmetic.text(value)}"
        yield f"  ≈ {arithmetic.significant(value, digits)}"
    else:
        yield f"  = {_shown(value)}"


def _legend(columns: Iterable[Column]) -> Iterator[str]:
    for column in columns:
        unit = f" [{column.unit}]" if column.unit else ""
        yield f"{column.shown}: {column.meaning}{unit}"


# CSV -----------------------------------------------------------------------------------------


def _as_csv(report: Report, digits: int) -> str:
    """Write sections under ``# table:`` lines; one comment line for each fact of provenance."""
    stream = io.StringIO()
    stream.write(f"# {escaped(report.title)}\n")
    for name, fact in _facts(report):
        stream.write(f"# {escaped(name).replace(':', _COLON)}: {escaped(fact)}\n")
    if report.quantities:
        stream.write("# table: quantities\n")
        stream.writelines(f"# column: {_described(q.column)}\n" for q in report.quantities)
        stream.write(row_text(["name", "value", "value_float"]))
        for quantity in report.quantities:
            value = quantity.value
            is_exact = quantity.column.kind is Kind.EXACT and value is not None
            decimal = arithmetic.significant(value, digits) if is_exact else ""
            stream.write(row_text([quantity.column.name, _csv_cell(value), decimal]))
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
        if column.kind is Kind.EXACT:
            names.append(f"{column.name}_float")
    return names


def _csv_cell(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return written_list(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return _plain(cell)


def _csv_row(columns: Sequence[Column], row: Sequence[Cell], digits: int) -> list[str]:
    cells = []
    for column, cell in zip(columns, row, strict=True):
        cells.append(_csv_cell(cell))
        if column.kind is Kind.EXACT:
            cells.append("" if cell is None else arithmetic.significant(cell, digits))
    return cells


# JSON ----------------------------------------------------------------------------------------


def _as_json(report: Report, _digits: int) -> str:
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


# Markdown ------------------------------------------------------------------------------------


def _as_markdown(report: Report, digits: int) -> str:
    lines = [f"# {one_line(report.title)}", ""]
    for quantity in report.quantities:
        value = quantity.value
        lines.append(f"- **{quantity.column.shown}** ({quantity.column.meaning}): {_shown(value)}")
        if isinstance(value, mpq) and value.denominator != 1:
            lines[-1] += f" ≈ {arithmetic.significant(value, digits)}"
    if report.quantities:
        lines.append("")
    for table in report.tables:
        lines += [f"## {one_line(table.title)}", ""]
        if table.grid:
            headings, rows = _grid_rows(table)
            lines += [*_piped(headings, rows, "r" * len(headings)), ""]
        cells = [_eye_row(table.columns, row, digits) for row in table.rows]
        lines += _piped(_eye_columns(table.columns), cells, _alignment(table.columns))
        lines.append("")
        lines += [f"- {line}" for line in _legend(table.columns)]
        lines.append("")
    lines += [f"<!-- {line.replace('--', '- -')} -->" for line in _footer(report)]
    return "\n".join(lines) + "\n"


def _piped(headings: list[str], rows: list[list[str]], alignment: str) -> Iterator[str]:
    yield "| " + " | ".join(cell.replace("|", "\\|") for cell in headings) + " |"
    yield "|" + "|".join("---:" if side == "r" else ":---" for side in alignment) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


# LaTeX ---------------------------------------------------------------------------------------

_LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "…": r"\ldots{}",
        "≈": r"$\approx$",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        "×": r"$\times$",
        "−": r"$-$",
        "√": r"$\surd$",
        "λ": r"$\lambda$",
        "θ": r"$\theta$",
        "∞": r"$\infty$",
        "⇔": r"$\Leftrightarrow$",
        "→": r"$\to$",
        "∏": r"$\prod$",
        "Σ": r"$\Sigma$",
        "σ": r"$\sigma$",
        "·": r"$\cdot$",
        "±": r"$\pm$",
        "–": "--",
        "—": "---",
        "“": "``",
        "”": "''",
        "’": "'",
    }
)

_LONGEST_FLOAT = 40


def _as_latex(report: Report, digits: int) -> str:
    lines = [f"% {line}" for line in (one_line(report.title), *_footer(report))]
    lines.append("% needs \\usepackage{booktabs,longtable}")
    if report.quantities:
        rows = [
            [q.column.meaning, *_eye_row([q.column], [q.value], digits, LONGEST_IN_LATEX), ""][:3]
            for q in report.quantities
        ]
        lines += _booktabs(report.title, ["quantity", "exact", "decimal"], rows, "lrr")
    for table in report.tables:
        if table.grid:
            headings, rows = _grid_rows(table)
            lines += _booktabs(table.title, headings, rows, "r" * len(headings))
        cells = [_eye_row(table.columns, row, digits, LONGEST_IN_LATEX) for row in table.rows]
        headings = _eye_columns(table.columns)
        lines += _booktabs(table.title, headings, cells, _alignment(table.columns))
    return "\n".join(lines) + "\n"


def _booktabs(
    title: str, headings: list[str], rows: list[list[str]], alignment: str
) -> Iterator[str]:
    """One table: a float where it fits a page, a longtable where it does not."""
    caption = f"\\caption{{{one_line(title).translate(_LATEX_ESCAPES)}}}"
    head = [r"\toprule", _latex_row(headings), r"\midrule"]
    body = [_latex_row(row) for row in rows]
    if len(rows) <= _LONGEST_FLOAT:
        yield from (r"\begin{table}", r"\centering", caption, f"\\begin{{tabular}}{{{alignment}}}")
        yield from (*head, *body, r"\bottomrule", r"\end{tabular}", r"\end{table}")
    else:
        yield from (f"\\begin{{longtable}}{{{alignment}}}", caption + r"\\", *head)
        yield from (r"\endhead", *body, r"\bottomrule", r"\end{longtable}")


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(_latex_cell(cell) for cell in cells) + r" \\"


def _latex_cell(cell: str) -> str:
    if isinstance(cell, Formula):
        return f"${cell.latex}$"
    if cell.startswith("-") and cell[1:2].isdigit():
        return f"$-${cell[1:].translate(_LATEX_ESCAPES)}"
    return cell.translate(_LATEX_ESCAPES)
