"""Figures: pictures of reports, each with a CSV file of its exact numbers.

matplotlib draws, and is imported only for drawing; it comes with the extra ``plots``.
"""

from exactdice.errors import one_named
from exactdice.jobs.plots import figure, games
from exactdice.jobs.plots.figure import Figure

__all__ = ["FIGURES", "Figure", "figure_named"]

FIGURES = tuple(
    shown
    for module in (games, figure)
    for shown in vars(module).values()
    if isinstance(shown, Figure)
)


def figure_named(name: str) -> Figure:
    """Return the figure with a name."""
    return one_named({f.name: f for f in FIGURES}, name, "name", "exactdice plot --help")
