r"""How results show themselves in a notebook: short tables, in HTML and in LaTeX.

A notebook calls ``_repr_html_`` and ``_repr_latex_`` of the last value of a cell. The classes
whose results are worth a look inherit both from `ShowsItself` and say what to show: sheets, each
with a caption, headings and rows of cells. Long results are cut after `MAX_ROWS` rows and say how
many are left; a fraction too long to read is shown as a decimal. Rationals themselves, which
belong to gmpy2, show as fractions after ``%load_ext exactdice.report.notebook``. The LaTeX is an
``array``, which MathJax and LaTeX both understand.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq, mpz

from exactdice.arithmetic import significant, text

if TYPE_CHECKING:
    from exactdice.report.model import Report

__all__ = [
    "MAX_ROWS",
    "Reported",
    "Sheet",
    "ShowsItself",
    "load_ipython_extension",
    "shown",
    "shown_in_latex",
]

#: Rows after which a table is cut.
MAX_ROWS = 12

_LONGEST = 24  # characters of a fraction that is shown whole
_DIGITS = 8


def shown(cell: Any) -> str:
    """Write a cell as plain text.

    Examples
    --------
    >>> shown(mpq(1, 3)), shown(mpq(1, 2**100)), shown((1, 2)), shown(None), shown(True)
    ('1/3', '≈ 7.8886091e-31', '1 2', '', 'yes')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple | list):
        return " ".join(map(shown, cell))
    if isinstance(cell, type(mpq()) | type(mpz()) | int):
        whole = text(cell)
        return whole if len(whole) <= _LONGEST else f"≈ {significant(cell, _DIGITS)}"
    return str(cell)


def shown_in_latex(cell: Any) -> str:
    r"""Write a cell for LaTeX's mathematics mode.

    Examples
    --------
    >>> print(shown_in_latex(mpq(-1, 3)), shown_in_latex("50 %"))
    -\frac{1}{3} \text{50 \%}
    """
    latex = getattr(cell, "latex", None)  # a formula of a table brings its own
    if isinstance(latex, str):
        return latex
    plain = shown(cell)
    if isinstance(cell, type(mpq())) and not plain.startswith("≈"):
        sign = "-" if cell < 0 else ""
        over = f"{sign}\\frac{{{abs(cell.numerator)}}}{{{cell.denominator}}}"
        return over if cell.denominator != 1 else plain
    if isinstance(cell, type(mpq()) | type(mpz()) | int) and not isinstance(cell, bool):
        return plain.replace("≈", r"\approx")
    safe = "".join(f"\\{sign}" if sign in "%&#$_{}" else sign for sign in plain)
    return f"\\text{{{safe}}}" if safe else ""


def load_ipython_extension(shell: Any) -> None:
    """Show rationals as fractions, for ``%load_ext exactdice.report.notebook`` in a notebook."""
    formatter = shell.display_formatter.formatters["text/latex"]
    formatter.for_type(type(mpq()), lambda number: f"${shown_in_latex(number)}$")


@dataclass(frozen=True)
class Sheet:
    r"""A table for a notebook.

    Parameters
    ----------
    caption
        What it shows.
    headings
        One for each column.
    rows
        Cells; only the first `MAX_ROWS` are looked at.
    number_of_rows
        Of all of them.

    Examples
    --------
    >>> coin = Sheet("A coin", ["side", "chance"], [("heads", mpq(1, 2)), ("tails", mpq(1, 2))], 2)
    >>> print(coin.latex()[:38])
    $$\begin{array}{ll}\text{side} & \text
    >>> "<td>heads</td><td>1/2</td>" in coin.html()
    True
    """

    caption: str
    headings: Sequence[str]
    rows: Iterable[Sequence[Any]]
    number_of_rows: int

    def _first(self) -> list[Sequence[Any]]:
        return list(islice(self.rows, MAX_ROWS))

    def _left(self) -> str:
        left = self.number_of_rows - MAX_ROWS
        return f"… and {left} more rows" if left > 0 else ""

    def html(self) -> str:
        """Write it as an HTML table."""
        head = "".join(f"<th>{escape(heading)}</th>" for heading in self.headings)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row) + "</tr>"
            for row in self._first()
        )
        left = f"<p>{self._left()}</p>" if self._left() else ""
        caption = f"<caption>{escape(self.caption)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}"

    def latex(self) -> str:
        """Write it as an array between dollar signs."""
        lines = [" & ".join(map(shown_in_latex, self.headings)) + r" \\ \hline"]
        cells = [" & ".join(map(shown_in_latex, row)) for row in self._first()]
        if self._left():
            cells.append(shown_in_latex(self._left()))
        columns = "l" * len(self.headings)
        body = f"{lines[0]} " + r" \\ ".join(cells)
        return f"$$\\begin{{array}}{{{columns}}}{body}\\end{{array}}$$"


class Reported(ABC):
    """A result that a notebook shows as its report, cut after `MAX_ROWS` rows of a table."""

    __slots__ = ()

    @abstractmethod
    def report(self) -> "Report":
        """Return the report of the result."""

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.report()._repr_latex_()


class ShowsItself(ABC):
    """A result that a notebook shows as its sheets."""

    __slots__ = ()

    @abstractmethod
    def _sheets(self) -> Iterable[Sheet]:
        """Return what is shown, from the top."""

    def _repr_html_(self) -> str:
        return "".join(sheet.html() for sheet in self._sheets())

    def _repr_latex_(self) -> str:
        return "".join(sheet.latex() for sheet in self._sheets())
