r"""A report as LaTeX, which needs nothing but ``\usepackage{booktabs,longtable}``.

It compiles under plain pdflatex. A fraction of more than `LONGEST_IN_LATEX` characters is cut in
the middle and its digits are counted, since a page is narrower than a screen; CSV has it whole.
"""

from collections.abc import Iterable, Iterator

from exactdice.report.csv_cells import one_line
from exactdice.report.eyes import alignment, eye_columns, eye_row, footer, grid_rows
from exactdice.report.model import Formula, Report

__all__ = ["LONGEST_IN_LATEX", "as_latex"]

#: Fractions with more characters than this are cut.
LONGEST_IN_LATEX = 36

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


def as_latex(report: Report, digits: int) -> str:
    """Write a report as LaTeX."""
    lines = [f"% {line}" for line in (one_line(report.title), *footer(report))]
    lines.append("% needs \\usepackage{booktabs,longtable}")
    if report.quantities:
        rows = [
            [q.column.meaning, *eye_row([q.column], [q.value], digits, LONGEST_IN_LATEX), ""][:3]
            for q in report.quantities
        ]
        lines += _booktabs(report.title, ["quantity", "exact", "decimal"], rows, "lrr")
    for table in report.tables:
        if table.grid:
            headings, rows = grid_rows(table)
            lines += _booktabs(table.title, headings, rows, "r" * len(headings))
        cells = [eye_row(table.columns, row, digits, LONGEST_IN_LATEX) for row in table.rows]
        headings = eye_columns(table.columns)
        lines += _booktabs(table.title, headings, cells, alignment(table.columns))
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
