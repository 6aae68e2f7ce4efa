"""All figures, by name."""

from exactdice.errors import InputError
from exactdice.jobs.plots import dice, farkle, fatestones, reroll, risk, swe
from exactdice.jobs.plots.figure import Figure

__all__ = ["FIGURES", "figure_named"]

#: Every figure, in the order in which they are listed.
FIGURES: tuple[Figure, ...] = (
    *risk.FIGURES,
    *reroll.FIGURES,
    *swe.FIGURES,
    *fatestones.FIGURES,
    *farkle.FIGURES,
    *dice.FIGURES,
)


def figure_named(name: str) -> Figure:
    """Return the figure with a name.

    Raises
    ------
    InputError
        If there is none; the text lists the names that there are.

    Examples
    --------
    >>> figure_named("risk-win").size_means
    'units on each side'
    """
    for figure in FIGURES:
        if figure.name == name:
            return figure
    raise InputError("name", name, f"one of {', '.join(figure.name for figure in FIGURES)}")
