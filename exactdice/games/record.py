"""Records of games: the only information about a game that the rest of the package uses.

Commands, cross-checks, pages of play and the names in `exactdice` are found through the records. A
record names modules without importing them, so a question about one game does not load the others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exactdice.linked import linked


@dataclass(frozen=True)
class GameRecord:
    """A game, as listed in `GAMES`."""

    home: str  # its subpackage; the last part of the name begins its commands and claims
    title: str  # name of the game in sentences
    description: str  # one line about its questions
    questions: tuple[str, ...] = ("questions",)  # its modules that define them
    studies: tuple[str, ...] = ()  # the same in `exactdice.studies`, listed after them
    symbolic: tuple[str, ...] = ()  # full names of modules with questions of ``symbolic``
    crosscheck: str = ""  # its cross-checks, as ``module:name``
    page: str = ""  # its page of play, as ``module:name``

    def modules(self) -> tuple[str, ...]:
        research = self.home.replace(".games.", ".studies.")
        return (
            *(f"{self.home}.{name}" for name in self.questions),
            *(f"{research}.{name}" for name in self.studies),
        )


def listed(records: Mapping[str, GameRecord], part: str) -> Iterator[Any]:
    """Yield one part of each game that has it."""
    for record in records.values():
        if name := getattr(record, part):
            yield linked(name)
