r"""The two things that a paper reads: macros for single numbers, and tables.

A macro's name is ``\The`` and letters, which no name of LaTeX starts with. Each carries,
as a comment, the command that prints its number.
Files name no commit and no date, so that they change exactly when a number does.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gmpy2 import mpq

from exactdice import arithmetic
from exactdice.jobs.papers.stored import StoredData
from exactdice.report.model import Cell, Column, Formula, Report, Table
from exactdice.report.provenance import Provenance
from exactdice.report.writers import Format, render

__all__ = ["Macros", "Paper", "fraction", "paper_table", "percent"]

_HEADER = "% Made by `exactdice paper-data`. Never edit this file: edit what makes it.\n"
_NAME = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Paper:
    """One paper: its folder, what makes its files, and its figures with their sizes."""

    name: str
    build: Callable[[StoredData], Mapping[str, str]]
    figures: Mapping[str, int | None] = field(default_factory=dict)

    def files(self, stored: StoredData) -> dict[str, str]:
        """Make the generated files by their names, in the folder of the paper."""
        return {f"{self.name}/{file}": content for file, content in self.build(stored).items()}


def fraction(number: mpq) -> Formula:
    r"""Write a rational for a line of text.

    Examples
    --------
    >>> fraction(mpq(-1, 3)).latex
    '-1/3'
    """
    return Formula(arithmetic.text(number), arithmetic.text(number))


def percent(number: mpq, places: int = 1) -> str:
    """Write a chance in per cent.

    Examples
    --------
    >>> percent(mpq(1, 3))
    '33.3'
    """
    return arithmetic.decimal(number * 100, places)


class Macros:
    r"""Macros for single numbers.

    Parameters
    ----------
    command
        The command whose output holds the numbers that follow; `source` changes it.

    Examples
    --------
    >>> macros = Macros("exactdice risk win 4 2")
    >>> macros.exact("WinFourTwo", mpq(6610505, 10077696))
    >>> print(macros.content().splitlines()[-1])
    \newcommand{\TheWinFourTwo}{\ensuremath{6610505/10077696}}
    """

    def __init__(self, command: str) -> None:
        self._lines: list[str] = []
        self._names: set[str] = set()
        self.source(command)

    def source(self, command: str) -> None:
        """Name the command whose output holds the numbers that follow."""
        self._lines.append(f"% {command}")

    def text(self, name: str, words: str) -> None:
        """Add a macro for words of LaTeX."""
        if not _NAME.fullmatch(name) or name in self._names:
            raise ValueError(f"{name}: a macro needs a name of letters that is not yet used")
        self._names.add(name)
        self._lines.append(f"\\newcommand{{\\The{name}}}{{{words}}}")

    def exact(self, name: str, number: mpq | int) -> None:
        """Add a rational as p/q."""
        self.text(name, f"\\ensuremath{{{arithmetic.text(mpq(number))}}}")

    def decimal(self, name: str, number: mpq | int, places: int) -> None:
        """Add a decimal, correctly rounded."""
        self.text(name, f"\\ensuremath{{{arithmetic.decimal(mpq(number), places)}}}")

    def cut(self, name: str, number: mpq, places: int) -> None:
        """Add a decimal that is cut off rather than rounded: a lower bound of a positive number."""
        units = number.numerator * 10**places // number.denominator
        self.text(name, f"\\ensuremath{{{arithmetic.decimal(mpq(units, 10**places), places)}}}")

    def whole(self, name: str, number: int) -> None:
        """Add a whole number, its thousands apart."""
        grouped = f"{number:,}".replace(",", "\\,") if abs(number) >= 10_000 else str(number)
        self.text(name, f"\\ensuremath{{{grouped}}}")

    def percent(self, name: str, number: mpq, places: int = 1) -> None:
        """Add a chance in per cent, with the sign."""
        self.text(name, f"{percent(number, places)}\\,\\%")

    def content(self) -> str:
        """Return the whole file."""
        return _HEADER + "\n".join(self._lines) + "\n"


def paper_table(
    caption: str,
    label: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    command: str,
    *,
    small: bool = False,
) -> str:
    """Write one table with its caption and label through the LaTeX writer.

    Parameters
    ----------
    caption
        What the table shows, in plain words.
    label
        By which the text refers to it, after ``tab:``.
    columns, rows
        What is shown, each cell as it is to be read.
    command
        The command that prints the same numbers.
    small
        Whether to set it in small type: for wide tables.
    """
    table = Table(label.replace("-", "_"), caption, columns, rows)
    report = Report(caption, (), [table], Provenance(command=command))
    written = render(report, Format.LATEX).splitlines()
    body = [line for line in written if not line.startswith("%")]
    lines = [f"% {command}"]
    for line in body:
        if line.startswith(r"\caption{"):
            # In a longtable the caption is a row of its own.
            end = r"\\" if line.endswith(r"\\") else ""
            lines.append(f"{line.removesuffix(end)}\\label{{tab:{label}}}{end}")
        else:
            lines.append(line.replace(r"\begin{table}", r"\begin{table}[tbp]"))
        if small and line == r"\centering":
            lines.append(r"\small")  # within the float, which would undo a size set before it
    return _HEADER + "\n".join(lines) + "\n"
