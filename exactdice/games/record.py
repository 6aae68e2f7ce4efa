"""What the rest of the package knows of a game: one record, in the game's own folder.

Everything that lists games reads their records: rooms of questions, cross-checks, pages of play,
and the names in `exactdice`. A record names modules and does not import them, so that what is
asked about one game does not wait for the others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exactdice.linked import linked


@dataclass(frozen=True)
class GameRecord:
    """A game as the package knows it."""

    home: str  # its folder as a package; the folder's name begins its commands and claims
    title: str  # what sentences call it
    description: str  # a line about its questions
    # modules of its folder with a tuple ``QUESTIONS``, those that are asked most first
    questions: tuple[str, ...] = ("questions",)
    # modules of its folder in `exactdice.studies` with questions of research, listed after those
    studies: tuple[str, ...] = ()
    # modules, by their full names, with its questions of the room ``symbolic``
    symbolic: tuple[str, ...] = ()
    # crosscheck, page: as ``module:name``: the ladder of its cross-checks; its page of play. Empty
    # where it has none
    crosscheck: str = ""
    page: str = ""

    def modules(self) -> tuple[str, ...]:
        """Name the modules with its questions, but for those of the room ``symbolic``."""
        research = self.home.replace(".games.", ".studies.")
        return (
            *(f"{self.home}.{name}" for name in self.questions),
            *(f"{research}.{name}" for name in self.studies),
        )


def listed(records: Mapping[str, GameRecord], part: str) -> Iterator[Any]:
    """Go through what the games have of one part, in their order.

    >>> from exactdice.games import GAMES
    >>> [page.path for page in listed(GAMES, "page")][:2]
    ['/play/risk', '/play/swe']
    """
    for record in records.values():
        if name := getattr(record, part):
            yield linked(name)
