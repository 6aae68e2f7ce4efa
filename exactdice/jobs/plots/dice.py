"""Figures of dice by themselves: the law of an expression."""

from exactdice.jobs.plots.figure import (
    BLUE,
    ORANGE,
    Canvas,
    Figure,
    column,
    note,
    number,
    numbers,
    sheet,
)
from exactdice.report.model import Report

_MOST_BARS = 120


def _draw_law(report: Report) -> Canvas:
    table = report.table("outcomes")
    outcomes, chances = column(table, "outcome"), numbers(column(table, "probability"))
    canvas, axes = sheet(5.2, 2.6)
    axes.set_ylabel("probability")
    axes.grid(axis="y", linewidth=0.4)
    if all(isinstance(outcome, bool) for outcome in outcomes):
        bars = axes.bar(["yes" if outcome else "no" for outcome in outcomes], chances, color=BLUE)
        axes.bar_label(bars, [f"{chance:.1%}" for chance in chances])
        axes.set_ylim(0, 1.1)
        return canvas
    if len(outcomes) > _MOST_BARS:
        axes.fill_between(outcomes, chances, color=BLUE, step="mid", linewidth=0)
        axes.set_ylim(bottom=0)
    else:
        axes.bar(outcomes, chances, color=BLUE, width=0.8)
    axes.xaxis.get_major_locator().set_params(integer=True)
    mean = number(report.value("value"))
    axes.axvline(mean, color=ORANGE, linewidth=1.2, linestyle="--")
    note(axes, f"mean {mean:.4g}", (mean, max(chances)), (4, 3))
    axes.set_xlabel("outcome")
    return canvas


FIGURES = (
    Figure(
        "dice-law",
        "Dice: the law of a sum",
        lambda size: f"dice law {size}d6",
        _draw_law,
        "dice",
        sizes=(1, 3, 100),
    ),
)
