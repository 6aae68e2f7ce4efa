"""Figures: pictures of reports, each with the exact numbers that it is drawn from.

A figure is a report and a way to draw it. The picture shows decimals; the CSV beside it holds the
rationals. matplotlib draws, and is imported only when something is drawn: it comes with the extra
``plots``.
"""

from exactdice.errors import one_named
from exactdice.jobs.plots import dice, games
from exactdice.jobs.plots.figure import Figure

__all__ = ["FIGURES", "Figure", "figure_named"]

FIGURES = tuple(
    figure
    for module in (games, dice)
    for figure in vars(module).values()
    if isinstance(figure, Figure)
)


def figure_named(name: str) -> Figure:
    """Return the figure with a name."""
    return one_named({figure.name: figure for figure in FIGURES}, name, "name")
