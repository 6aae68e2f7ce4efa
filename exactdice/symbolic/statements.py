"""Mathematical statements, each with what it rests on.

A closed form is worth as much as the reason to believe it. A `Statement` therefore says one of
three things: *proved*, and how; *verified*, and up to which bound every case was compared; or
*guessed* from finitely many numbers, with how many were held out as a test.
"""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """What a statement rests on."""

    PROVED = "proved"
    VERIFIED = "verified"
    GUESSED = "guessed"


@dataclass(frozen=True)
class Statement:
    """A statement with its status and its grounds.

    Parameters
    ----------
    name
        A few words to find it by.
    text
        The statement in words and plain notation, with its range.
    latex
        The formula, for mathematics mode.
    status
        Whether it is proved, verified up to a bound, or guessed.
    grounds
        The proof, or its idea and source; the bound; or the fit and the held-out numbers.

    Examples
    --------
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
