"""All figures, by name."""

from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.jobs.plots import dice
from exactdice.jobs.plots.figure import Figure

#: Every figure, in the order in which they are listed.
FIGURES: tuple[Figure, ...] = (
    *(figure for figures in listed(GAMES, "figures") for figure in figures),
    *dice.FIGURES,
)


def figure_named(name: str) -> Figure:
    """Return the figure with a name.

    >>> figure_named("risk-win").size_means
    'units on each side'
    """
    for figure in FIGURES:
        if figure.name == name:
            return figure
    raise InputError("name", name, f"one of {', '.join(figure.name for figure in FIGURES)}")
