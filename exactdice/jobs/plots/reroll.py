"""Figures of the reroll game: what to hold, and how far value iteration can be trusted."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from exactdice.games.reroll.sources import COURSEWORK
from exactdice.jobs.plots.canvas import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    VERMILION,
    YELLOW,
    column,
    number,
    numbers,
    sheet,
)
from exactdice.jobs.plots.figure import Figure
from exactdice.report.model import Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURES"]

_TOLERANCE = COURSEWORK["tolerance"]
_HELD = {0: GREY, 1: YELLOW, 2: ORANGE, 3: BLUE}  # colour of a cell by the dice held; 3 is to stick


def _draw_policy(report: Report) -> "Canvas":
    from matplotlib.patches import Patch, Rectangle

    states = report.table("states")
    action = dict(zip(column(states, "state"), column(states, "action"), strict=True))
    sides = max(roll[0] for roll in action)
    columns = min(sides, 3)
    rows = -(-sides // columns)
    canvas, panels = sheet(5.4, 1.85 * rows + 0.35, rows=rows, panels=columns, squeeze=False)
    for axes in panels.flat[sides:]:
        axes.set_axis_off()
    for low, axes in zip(range(1, sides + 1), panels.flat, strict=False):
        for roll, held in action.items():
            if roll[0] == low:
                _, middle, high = roll
                square = (middle - 0.5, high - 0.5)
                axes.add_patch(
                    Rectangle(square, 1, 1, facecolor=_HELD[len(held)], edgecolor="white")
                )
                _name_held(axes, roll, held)
        axes.set_title(f"lowest die {low}")
        axes.set_xlim(0.5, sides + 0.5)
        axes.set_ylim(0.5, sides + 0.5)
        axes.set_xticks(range(1, sides + 1))
        axes.set_yticks(range(1, sides + 1))
        axes.set_aspect("equal")
    canvas.supxlabel("middle die [face]", fontsize=8)
    canvas.supylabel("highest die [face]", fontsize=8)
    words = {3: "stick", 2: "hold two", 1: "hold one", 0: "roll all again"}
    canvas.legend(
        handles=[Patch(facecolor=_HELD[n], label=word) for n, word in words.items()],
        loc="outside upper center",
        ncols=4,
    )
    return canvas


def _name_held(axes: Any, roll: tuple[int, ...], held: tuple[int, ...]) -> None:
    """Write the faces held into a cell, where it is neither all of them nor none."""
    if 0 < len(held) < len(roll):
        faces = " ".join(str(roll[position]) for position in held)
        axes.text(roll[1], roll[2], faces, ha="center", va="center", fontsize=6, color=BLACK)


def _draw_theta(report: Report) -> "Canvas":
    stops = report.table("stops")
    sweeps, theta = column(stops, "sweeps"), number(report.value("tolerance"))
    change, error = numbers(column(stops, "above")), numbers(column(stops, "error"))
    wrong = column(stops, "greedy_wrong")
    canvas, panels = sheet(5.4, 2.8, panels=2)
    left, right = panels
    left.semilogy(sweeps, change, "o-", color=BLUE, markersize=3, label="change in the sweep")
    left.semilogy(sweeps, error, "s--", color=VERMILION, markersize=3, label="error of a value")
    left.axhline(theta, color=BLACK, linewidth=0.8, linestyle=":")
    left.annotate(f"θ = {theta:g}", (sweeps[0], theta), xytext=(0, 3), textcoords="offset points")
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_xlabel("sweeps made")
    left.set_ylabel("greatest over all rolls [points]")
    left.legend()
    # At a tolerance θ the iteration stops at the first sweep that changes no value by θ or more.
    for (high, low), count in zip(pairwise([*_upper(change), *change[-1:]]), wrong, strict=True):
        right.plot([low, high], [count, count], color=BLUE, linewidth=2.5, solid_capstyle="butt")
    right.set_xscale("log")
    right.axvline(theta, color=BLACK, linewidth=0.8, linestyle=":")
    right.annotate(
        f"θ = {theta:g}", (theta, max(wrong)), xytext=(3, -4), textcoords="offset points"
    )
    right.set_xlabel("tolerance θ [points]")
    right.set_ylabel("rolls with a wrong greedy action")
    right.set_ylim(bottom=-max(wrong) / 40)
    right.grid(axis="y", linewidth=0.4)
    return canvas


def _upper(change: list[float]) -> list[float]:
    """Upper ends of the ranges of θ; the first has none and is drawn up to twice its lower end."""
    return [2 * change[0], *change[:-1]]


FIGURES = (
    Figure(
        "reroll-policy",
        "Reroll: what to hold with three dice",
        lambda size: f"reroll policy --sides {size}",
        _draw_policy,
        "sides of each die",
        size=6,
        smallest=2,
        largest=9,
    ),
    Figure(
        "reroll-theta",
        "Reroll: where value iteration stops, and what it gets wrong there",
        lambda size: f"reroll theta --dice {size} --tolerance {_TOLERANCE}",
        _draw_theta,
        "dice",
        size=3,
        smallest=2,
        largest=4,
    ),
)
