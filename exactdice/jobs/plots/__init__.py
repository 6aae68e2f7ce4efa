"""Figures: pictures of reports, each with the exact numbers that it is drawn from.

A figure is a report and a way to draw it. The picture shows decimals; the CSV beside it holds the
rationals. matplotlib draws, and is imported only when something is drawn: it comes with the extra
``plots``.
"""

from exactdice.jobs.plots.catalogue import FIGURES, figure_named
from exactdice.jobs.plots.figure import Figure

__all__ = ["FIGURES", "Figure", "figure_named"]
