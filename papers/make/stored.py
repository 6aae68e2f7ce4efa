"""Results that take too long to compute for every build of the papers.

They are in ``papers/data``, as JSON that a command wrote. ``papers/data/SOURCES.json`` lists for
each file the command, its processor time in words and the SHA-256 of the file. A file with a
different checksum or command raises an error.
"""

import csv
import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from exactdice.arithmetic import rational
from exactdice.enclosure import Enclosure
from exactdice.errors import OutputError
from exactdice.report.model import Report, Table, enclosed, text_column
from exactdice.report.readers import read_json

__all__ = ["BOOK", "SOURCES", "StoredData"]

#: The index of the book of dice, kept for the manual: ``exactdice/book/answers.csv``.
BOOK = "project tables --book"

#: Name of the list of stored results.
SOURCES = "SOURCES.json"


@dataclass(frozen=True)
class StoredData:
    """The stored results of a folder."""

    folder: Path

    def answer(self, asked: str) -> Report | None:
        """Read the stored answer to a question, given as its canonical command; None without one.

        Raises
        ------
        OutputError
            If the list or the file that it names cannot be read, or the file was changed.
        """
        if not self.folder.exists():
            return None
        if asked == BOOK:
            return _book()
        for name, source in self._sources().items():
            if source["command"] == f"exactdice {asked}":
                return self.report(name)
        return None

    def _sources(self) -> dict[str, dict[str, str]]:
        path = self.folder / SOURCES
        try:
            listed: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise OutputError(f"data: {path} cannot be read; restore it") from problem
        return listed

    def report(self, name: str) -> Report:
        """Read one stored report, by its file name.

        Raises
        ------
        OutputError
            If it is missing, not listed, changed, or not made by the listed command.
        """
        path = self.folder / name
        try:
            source = json.loads((self.folder / SOURCES).read_text(encoding="utf-8"))[name]
            command, checksum = source["command"], source["sha256"]
            content = path.read_bytes()
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
            raise OutputError(
                f"data: {path} or its entry in {SOURCES} is missing; restore it from the repository"
            ) from problem
        again = f"make it again: {command} --format json --output {path}"
        if hashlib.sha256(content).hexdigest() != checksum:
            raise OutputError(f"data: {path} is not the file of its checksum; {again}")
        report = read_json(content.decode())
        if report.provenance.command != command:
            raise OutputError(f"data: {path} comes from another command; {again}")
        return report


def _book() -> Report:
    """Read the index of the book of dice, which comes with the package."""
    with files("exactdice.book").joinpath("answers.csv").open(encoding="utf-8") as lines:
        rows = [
            (
                *(row[name] for name in ("game", "variant", "rules", "verdict")),
                Enclosure(rational(row["lower"]), rational(row["upper"])),
            )
            for row in csv.DictReader(lines)
        ]
    columns = [text_column(name, name) for name in ("game", "variant", "rules", "verdict")]
    table = Table("index", "The book of dice", [*columns, enclosed("value", "value")], rows)
    return Report("The book of dice", (), [table])
