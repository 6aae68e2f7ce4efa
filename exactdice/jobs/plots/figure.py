"""What a figure is: a report, a way to draw it, and the sizes at which it can be read."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted
from exactdice.jobs.plots.canvas import picture, sign, style
from exactdice.report.model import Report
from exactdice.rooms import ask

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


@dataclass(frozen=True)
class Figure:
    """One figure."""

    name: str  # by which `exactdice plot` knows it, as ``game-subject``
    caption: str  # what it shows, in a few words
    # names the question of a size, whose answer is what is drawn
    question: Callable[[int], str | Report]
    draw: Callable[[Report], "Canvas"]  # draws such a report
    size_means: str  # what the size counts
    size: int  # the size unless another is asked for
    # smallest, largest: the sizes at which a reader can tell its parts apart on a printed page
    smallest: int
    largest: int

    def data(self, size: object = None, options: Sequence[str] = ()) -> Report:
        """Return the exact numbers that the figure of a size is drawn from."""
        chosen = self.size if size is None else natural(size, "size", least=self.smallest)
        if chosen > self.largest:
            raise InputError(
                "size",
                chosen,
                f"at most {self.largest} ({self.size_means}): in a larger figure the parts could "
                "not be told apart",
            )
        asked = self.question(chosen)
        if isinstance(asked, str):
            return ask(f"{asked} {shlex.join(options)}" if options else asked)
        if options:
            words = Unquoted(shlex.join(options))
            raise InputError("options", words, "none: this figure is made of many answers")
        report = asked
        command = f"exactdice plot {self.name}"
        if chosen != self.size:
            command += f" --size {chosen}"
        return replace(report, provenance=replace(report.provenance, command=command))

    def picture(self, report: Report, kind: str) -> bytes:
        """Draw a report that `data` made, in one of `exactdice.jobs.plots.canvas.KINDS`.

        Below the picture stand the title of the report and its command: what the figure is of.
        """
        with style():
            drawn = self.draw(report)
            sign(drawn, f"{report.title}\n{report.provenance.command}")
            return picture(drawn, kind)
