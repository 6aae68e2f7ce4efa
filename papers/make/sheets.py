r"""What a paper reads: macros for single numbers, and tables, each made from answers to questions.

A paper takes its numbers from reports. `Sources` answers questions, and a number that is in none
of the cited answers raises an error while the paper is made. So every cited source contains its
number. `worked` marks a number that is computed from others and lists these parts.

A macro's name is ``\The`` and letters; no LaTeX command has such a name. A comment at each macro
contains the question whose answer contains its number. Files contain no commit and no date, so they
change exactly when a number changes.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import OutputError
from exactdice.jobs.plots import figure_named
from exactdice.question.model import Question
from exactdice.report.latex import latex_row, latex_words
from exactdice.report.model import Cell, Column, Formula, Report
from exactdice.rooms import ask, question
from exactdice.run import Run
from papers.make.stored import BOOK, StoredData

__all__ = ["Macros", "Paper", "Shown", "Sources", "Worked", "cut", "decimal", "exact", "formula"]
__all__ += ["paper_table", "percent", "whole", "worked"]

_HEADER = "% Made by `python -m papers.make`. Never edit this file: edit what makes it.\n"
_NAME = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"-?\d+(\\,\d{3})*(\.\d+)?")
_UNLIMITED = Run(memory=None)
_EXPORT = ("sweep export ", BOOK)  # are no questions: their answers are stored


def _canonical(command: str) -> str:
    """Return the canonical command of a question."""
    return command if command.startswith(_EXPORT) else str(question(command))


class Sources:
    """The questions that a file of a paper cites, with their answers.

    Parameters
    ----------
    stored
        Answers that take too long to compute for every build.
    """

    def __init__(self, stored: StoredData | None = None) -> None:
        self._stored = stored
        self._answers: dict[str, Report] = {}

    def ask(self, command: str) -> Report:
        """Answer a question once, or read its stored answer."""
        asked = _canonical(command)
        if asked not in self._answers:
            stored = self._stored and self._stored.answer(asked)
            self._answers[asked] = stored or ask(asked, _UNLIMITED)
        return self._answers[asked]


@dataclass(frozen=True)
class Worked:
    """A number computed from others, its parts."""

    value: mpq
    parts: tuple[Any, ...]


def worked(value: mpq | int, *parts: Any) -> Worked:
    """Mark a number as computed from parts.

    Examples
    --------
    >>> worked(mpq(1, 2) - mpq(1, 3), mpq(1, 2), mpq(1, 3)).value
    mpq(1,6)
    """
    return Worked(mpq(value), parts)


@dataclass(frozen=True)
class Shown:
    """A typeset number, with the cells of answers from which it was made."""

    text: str
    parts: tuple[Any, ...]


def _value(number: Any) -> mpq:
    return number.value if isinstance(number, Worked) else mpq(number)


def _parts(number: Any) -> tuple[Any, ...]:
    return number.parts if isinstance(number, Worked) else (number,)


def exact(number: Any) -> Shown:
    """Show a rational as p/q."""
    return Shown(arithmetic.text(_value(number)), _parts(number))


def decimal(number: Any, places: int) -> Shown:
    """Show a correctly rounded decimal; of an enclosure the digits on which both ends agree.

    Examples
    --------
    >>> decimal(mpq(2, 3), 3).text
    '0.667'
    """
    if isinstance(number, Enclosure):
        return Shown(number.decimal(places), (number,))
    return Shown(arithmetic.decimal(_value(number), places), _parts(number))


def cut(number: Any, places: int) -> Shown:
    """Show a decimal that is cut off rather than rounded: a lower bound of a positive number.

    Examples
    --------
    >>> cut(mpq(2, 3), 3).text
    '0.666'
    """
    exact_number = _value(number)
    units = exact_number.numerator * 10**places // exact_number.denominator
    return Shown(arithmetic.decimal(mpq(units, 10**places), places), _parts(number))


def whole(number: Any) -> Shown:
    r"""Show an integer, with separated thousands from five digits on.

    Examples
    --------
    >>> print(whole(12345).text)
    12\,345
    """
    value = _value(number)
    if value.denominator != 1:
        raise ValueError(f"{value} is no whole number")
    integer = int(value)
    grouped = f"{integer:,}".replace(",", "\\,") if abs(integer) >= 10_000 else str(integer)
    return Shown(grouped, _parts(number))


def percent(number: Any, places: int = 1) -> Shown:
    """Show a probability in per cent, without the sign.

    Examples
    --------
    >>> percent(mpq(1, 3)).text
    '33.3'
    """
    if isinstance(number, Enclosure):
        hundredfold = Enclosure(100 * number.lower, 100 * number.upper)
        return Shown(hundredfold.decimal(places), (number,))
    return Shown(arithmetic.decimal(_value(number) * 100, places), _parts(number))


def formula(cell: Any) -> Shown:
    """Show a formula from an answer."""
    return Shown(cell.latex if isinstance(cell, Formula) else str(cell), (cell,))


def _cells(report: Report) -> set[Any]:
    """Collect all quantities and cells of a report, including those of lists."""
    found: set[Any] = set()

    def add(cell: Cell) -> None:
        found.add(cell)
        if isinstance(cell, tuple):
            for entry in cell:
                add(entry)

    for quantity in report.quantities:
        add(quantity.value)
    for table in report.tables:
        for row in table.rows:
            for cell in row:
                add(cell)
    return found


def _require(shown: Shown, answers: Iterable[Report]) -> None:
    """Raise an error for a number whose parts are in none of the answers."""
    there: set[Any] = set()
    for answer in answers:
        there |= _cells(answer)
    for part in shown.parts:
        if part not in there:
            raise ValueError(f"{shown.text}: {part} is in none of the cited answers")


class Macros:
    r"""Macros for single numbers.

    Parameters
    ----------
    sources
        Answers questions.

    Examples
    --------
    >>> macros = Macros(Sources())
    >>> small = macros.source("risk win 4 2")
    >>> macros.add("WinFourTwo", exact(small.value("value")))
    >>> print(macros.content().splitlines()[-1])
    \newcommand{\TheWinFourTwo}{\ensuremath{6610505/10077696}}
    >>> macros.add("Invented", exact(mpq(1, 7)))
    Traceback (most recent call last):
    ValueError: 1/7: 1/7 is in none of the cited answers
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._lines: list[str] = []
        self._names: set[str] = set()
        self._cited: list[Report] = []
        self._asked: list[Question] = []

    def source(self, command: str, *, more: bool = False) -> Report:
        """Cite a question, whose answer contains the numbers that follow; return the answer.

        Parameters
        ----------
        command
            The question.
        more
            Whether to keep earlier citations, for numbers computed from several answers.
        """
        answer = self._sources.ask(command)
        asked = [] if command.startswith(_EXPORT) else [question(command)]
        self._cited = [*self._cited, answer] if more else [answer]
        self._asked = [*self._asked, *asked] if more else asked
        self._lines.append(f"% exactdice {_canonical(command)}")
        return answer

    def add(self, name: str, shown: Shown) -> None:
        """Add a macro for a number or formula of the current answers."""
        _require(shown, self._cited)
        self._define(name, f"\\ensuremath{{{shown.text}}}")

    def asked(self, name: str, number: int) -> None:
        """Add a macro for a number that is part of the current questions."""
        for cited in self._asked:
            if str(number) not in ",".join(cited.words()).split(","):
                raise ValueError(f"{name}: {number} is not in the question {cited}")
        self._define(name, f"\\ensuremath{{{whole(number).text}}}")

    def percent(self, name: str, number: Any, places: int = 1) -> None:
        """Add a probability in per cent, with the sign."""
        shown = percent(number, places)
        _require(shown, self._cited)
        self._define(name, f"{shown.text}\\,\\%")

    def _define(self, name: str, words: str) -> None:
        if not _NAME.fullmatch(name) or name in self._names:
            raise ValueError(f"{name}: a macro needs a name of letters that is not yet used")
        self._names.add(name)
        self._lines.append(f"\\newcommand{{\\The{name}}}{{{words}}}")

    def content(self) -> str:
        """Return the whole file."""
        return _HEADER + "\n".join(self._lines) + "\n"


def paper_table(
    caption: str,
    label: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Any]],
    sources: Sources,
    commands: Sequence[str],
    *,
    small: bool = False,
) -> str:
    """Write one table with its caption and label.

    Parameters
    ----------
    caption
        The caption; mathematics is between dollar signs.
    label
        The label in the text, after ``tab:``.
    columns, rows
        The content: words, and numbers as `Shown`.
    sources
        Answers the questions.
    commands
        The questions whose answers contain the numbers; other numbers raise an error.
    small
        Whether to set it in small type: for wide tables.
    """
    answers = [sources.ask(command) for command in commands]
    there: set[Any] = set().union(*map(_cells, answers))
    shown_rows = []
    for row in rows:
        for cell in row:
            for part in cell.parts if isinstance(cell, Shown) else ():
                if part not in there:
                    raise ValueError(f"{label}: {part} is in none of the cited answers")
        shown_rows.append([_for_table(cell) for cell in row])
    sides = [_side([row[place] for row in shown_rows]) for place in range(len(columns))]
    lines = [f"% exactdice {_canonical(command)}" for command in commands]
    lines += [r"\begin{table}[tbp]", r"\centering", *([r"\small"] if small else [])]
    lines += [f"\\caption{{{latex_words(caption)}}}\\label{{tab:{label}}}"]
    lines += [f"\\begin{{tabular}}{{{''.join(sides)}}}", r"\toprule"]
    headings = [latex_words(column.shown) for column in columns]
    lines += [" & ".join(headings) + r" \\", r"\midrule", *map(latex_row, shown_rows)]
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return _HEADER + "\n".join(lines) + "\n"


def _side(cells: Sequence[str]) -> str:
    """Align a column: to the right if it has mostly numbers, otherwise to the left.

    Numbers of a column have equally many decimal places.
    """
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    return "r" if 2 * len(numbers) > len([cell for cell in cells if cell]) else "l"


def _for_table(cell: Any) -> str:
    if isinstance(cell, Shown):
        return Formula(cell.text, cell.text)
    if isinstance(cell, int):
        return Formula(*[whole(cell).text] * 2)
    return cell if isinstance(cell, Formula) else str(cell)


@dataclass(frozen=True)
class Paper:
    """One paper: its folder, what makes its files, and its figures with their sizes.

    Instead of a size it may give the command of the stored answer that a figure shows.
    """

    name: str
    build: Callable[[Sources], Mapping[str, str]]
    figures: Mapping[str, int | str | None] = field(default_factory=dict)

    def drawn(self, figure: str, stored: StoredData) -> Report:
        """Return the answer that a figure shows.

        Raises
        ------
        OutputError
            If the stored answer does not exist.
        """
        of = self.figures[figure]
        if not isinstance(of, str):
            return figure_named(figure).data(of)
        report = stored.answer(of)
        if report is None:
            raise OutputError(f"data: {stored.folder} holds no answer to {of}; restore it")
        return report

    def files(self, stored: StoredData) -> dict[str, str]:
        """Make the generated files by their names, in the folder of the paper."""
        made = self.build(Sources(stored))
        return {f"{self.name}/{file}": content for file, content in made.items()}
