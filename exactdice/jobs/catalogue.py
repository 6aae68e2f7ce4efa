"""The main job: the tables by name, each with the question that it answers.

They are listed in ``tables.txt`` beside this module, one a line; `exactdice tables` writes each of
them in text, CSV, JSON and LaTeX.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from exactdice.report.writers import Format, render
from exactdice.rooms import ask
from exactdice.run import DEFAULT, Run

__all__ = ["CATALOGUE", "FORMATS", "LONG", "Entry"]

#: The formats that the main job writes.
FORMATS = (Format.TEXT, Format.CSV, Format.JSON, Format.LATEX)


@dataclass(frozen=True)
class Entry:
    """One table of the main job.

    Parameters
    ----------
    name
        Where it is written, as ``game/table`` without a suffix.
    question
        The question that it answers, as a command without the program's name.
    """

    name: str
    question: str

    @property
    def file_names(self) -> tuple[str, ...]:
        """The names of its files."""
        return tuple(self.name + output_format.suffix for output_format in FORMATS)

    def files(self, digits: int = 10, run: Run = DEFAULT) -> Iterator[tuple[str, str]]:
        """Yield the name and the content of each file of this entry."""
        report = ask(self.question, run)
        for name, output_format in zip(self.file_names, FORMATS, strict=True):
            yield name, render(report, output_format, digits)


def _listed() -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Read the list: the tables of the main job, and those that take long."""
    text = resources.files("exactdice.jobs").joinpath("tables.txt").read_text(encoding="utf-8")
    usual: list[Entry] = []
    long: list[Entry] = []
    place = usual
    for line in text.splitlines():
        if line == "long:":
            place = long
        elif line and not line.startswith("#"):
            name, _, asked = line.partition(": ")
            place.append(Entry(name, asked))
    return tuple(usual), tuple(long)


#: The tables of the main job in the order in which they are written, and those that take minutes.
CATALOGUE, LONG = _listed()
