"""The main job: the tables by name, each with the question that it answers.

They are listed in ``tables.txt`` beside this module, one a line; `exactdice project tables`
writes each of them in text, CSV, JSON and LaTeX.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from exactdice.report.writers import Format, rendered_files
from exactdice.rooms import ask
from exactdice.run import DEFAULT, Run

#: The formats that the main job writes.
FORMATS = (Format.TEXT, Format.CSV, Format.JSON, Format.LATEX)


@dataclass(frozen=True)
class Entry:
    """One table of the main job."""

    name: str  # where it is written, as ``game/table`` without a suffix
    question: str  # the question that it answers, as a command without the program's name

    def files(self, digits: int = 10, run: Run = DEFAULT) -> Iterator[tuple[str, str | bytes]]:
        """Yield the name and the content of each file of this entry."""
        report = ask(self.question, run)
        for output_format in FORMATS:
            yield from rendered_files(report, output_format, self.name, digits=digits).items()

    def may_have(self, file_name: str) -> bool:
        """Tell whether a file may be one of this entry, by its name.

        >>> entry = Entry("risk/win", "risk win 4 2")
        >>> [entry.may_have(f"risk/{name}") for name in ("win.txt", "win-even.csv", "won.csv")]
        [True, True, False]
        """
        name, _, suffix = file_name.rpartition(".")
        is_table = f".{suffix}" == Format.CSV.suffix and name.startswith(f"{self.name}-")
        return is_table or file_name in (self.name + form.suffix for form in FORMATS)


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
