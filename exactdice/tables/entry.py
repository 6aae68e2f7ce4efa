"""One report of the main job: its name, how it is made, and the command that prints it alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from exactdice.report.model import Report
from exactdice.report.writers import Format, render

__all__ = ["FORMATS", "Entry"]

#: The formats that the main job writes.
FORMATS = (Format.TEXT, Format.CSV, Format.JSON, Format.LATEX)


@dataclass(frozen=True)
class Entry:
    """One report of the main job.

    Parameters
    ----------
    name
        Where it is written, as ``game/table`` without a suffix.
    build
        Makes the report.
    command
        The command that prints the same report alone.
    """

    name: str
    build: Callable[[], Report]
    command: str

    @property
    def file_names(self) -> tuple[str, ...]:
        """The names of its files."""
        return tuple(self.name + output_format.suffix for output_format in FORMATS)

    @property
    def question(self) -> str:
        """The command without the program's name."""
        return self.command.removeprefix("exactdice ")

    def files(self, digits: int = 10, _run: object = None) -> Iterator[tuple[str, str]]:
        """Yield the name and the content of each file of this entry."""
        report = self.build()
        provenance = replace(report.provenance, command=self.command)
        for name, output_format in zip(self.file_names, FORMATS, strict=True):
            yield name, render(replace(report, provenance=provenance), output_format, digits)
