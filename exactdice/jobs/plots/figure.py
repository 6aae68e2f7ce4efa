"""What a figure is: a report, a way to draw it, and the sizes at which it can be read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exactdice.arithmetic import natural
from exactdice.errors import InputError
from exactdice.jobs.plots.canvas import picture, style
from exactdice.report.model import Report
from exactdice.rooms import ask

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["Figure"]


@dataclass(frozen=True)
class Figure:
    """One figure.

    Parameters
    ----------
    name
        By which `exactdice plot` knows it, as ``game-subject``.
    caption
        What it shows, in a few words.
    question
        Names the question of a size, whose answer is what is drawn.
    draw
        Draws such a report.
    size_means
        What the size counts.
    size
        The size unless another is asked for.
    smallest, largest
        The sizes at which a reader can tell its parts apart on a printed page.
    """

    name: str
    caption: str
    question: Callable[[int], str | Report]
    draw: Callable[[Report], "Canvas"]
    size_means: str
    size: int
    smallest: int
    largest: int

    def data(self, size: object = None) -> Report:
        """Return the exact numbers that the figure of a size is drawn from.

        Raises
        ------
        InputError
            If the figure would be unreadable at that size.
        """
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
            return ask(asked)
        report = asked
        command = f"exactdice plot {self.name}"
        if chosen != self.size:
            command += f" --size {chosen}"
        return replace(report, provenance=replace(report.provenance, command=command))

    def picture(self, report: Report, kind: str) -> bytes:
        """Draw a report that `data` made, as ``pdf`` or ``png``."""
        with style():
            return picture(self.draw(report), kind)
