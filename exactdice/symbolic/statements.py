"""Mathematical statements, each with its grounds, and closed forms as cells of reports.

A `Statement` is *proved*, with the proof; *verified*, with the bound up to which every case was
compared; or *guessed* from finitely many numbers, with the number of them held out as a test.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from string import Template
from typing import Protocol

from exactdice.report.model import Formula, Table, text_column


class Status(StrEnum):
    """How a statement is justified."""

    PROVED = "proved"
    VERIFIED = "verified"
    GUESSED = "guessed"


@dataclass(frozen=True)
class Statement:
    """A statement with its status and its grounds.

    `name` is a short name, `text` the statement in words and plain notation with its range, and
    `latex` the formula for mathematics mode. `grounds` is the proof, or its idea and source; the
    bound up to which it is verified; or the fit and the held-out numbers of a guess.

    >>> print(Statement("sum", "1 + … + n = n(n + 1)/2", "", Status.PROVED, "induction on n"))
    sum: 1 + … + n = n(n + 1)/2 [proved: induction on n]
    """

    name: str
    text: str
    latex: str
    status: Status
    grounds: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text} [{self.status}: {self.grounds}]"


def statements(package: str, group: str, **values: object) -> list[Statement]:
    """Read a group of proved statements from ``statements.toml`` in a package; fill in `values`."""
    listed = resources.files(package).joinpath("statements.toml").read_text(encoding="utf-8")
    filled = [
        {part: Template(words).substitute(values) for part, words in statement.items()}
        for statement in tomllib.loads(listed)[group]
    ]
    return [Statement(status=Status.PROVED, **parts) for parts in filled]


class ClosedForm(Protocol):
    """A form with a plain text and LaTeX."""

    def latex(self) -> str:
        """Write it for mathematics mode."""


def formula(closed_form: ClosedForm) -> Formula:
    return Formula(str(closed_form), closed_form.latex())


def statements_table(statements: Iterable[Statement]) -> Table:
    return Table.of(
        "statements",
        "Statements and their grounds",
        ((s.name, s.text, str(s.status), s.grounds, Formula(s.latex, s.latex)) for s in statements),
        text_column("name", "a few words"),
        text_column("statement", "the statement"),
        text_column("status", "proved, verified up to a bound, or guessed"),
        text_column("grounds", "the proof, or the bound"),
        text_column("latex", "the formula as LaTeX", heading="LaTeX"),
    )
