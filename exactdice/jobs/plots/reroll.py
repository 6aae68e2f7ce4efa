"""Figures of the reroll game: what to hold, and how far value iteration can be trusted."""

from itertools import pairwise
from math import isqrt

from exactdice.jobs.plots.figure import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    VERMILION,
    YELLOW,
    Canvas,
    Figure,
    column,
    note,
    number,
    numbers,
    sheet,
)
from exactdice.report.model import Report
from exactdice.studies.reroll.sources import COURSEWORK

_TOLERANCE = COURSEWORK["tolerance"]
_HELD = {0: GREY, 1: YELLOW, 2: ORANGE, 3: SKY}  # colour of a cell by the dice held; 3 is to stick
_ROLLED = "#777777"


def _draw_policy(report: Report) -> Canvas:
    from matplotlib.patches import Patch, Rectangle

    action = dict(report.table("states").select("state", "action"))
    across = isqrt(len(action) - 1) + 1
    down = -(-len(action) // across)
    dice = len(next(iter(action)))
    canvas, axes = sheet(0.5 + 0.19 * dice * across, 0.6 + 0.3 * down)
    for place, (roll, held) in enumerate(action.items()):
        x, y = place % across, place // across
        colour = _HELD[_kind(held, dice)]
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5))
        for die, face in enumerate(roll):
            look = {"fontweight": "bold", "color": BLACK} if die in held else {"color": _ROLLED}
            at = x + (die + 1) / (dice + 1), y + 0.5
            axes.text(*at, str(face), ha="center", va="center", **look)
    axes.set_xlim(0, across)
    axes.set_ylim(down, 0)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_frame_on(False)
    axes.set_xlabel("each cell a roll, in ascending order; bold: the dice to hold")
    shown = {_kind(held, dice) for held in action.values()}
    words = {3: "stick", 2: "hold two or more", 1: "hold one", 0: "roll all again"}
    if dice == 3:
        words[2] = "hold two"
    canvas.legend(
        handles=[Patch(facecolor=_HELD[n], label=w) for n, w in words.items() if n in shown],
        loc="outside upper center",
        ncols=4,
    )
    return canvas


def _kind(held: tuple[int, ...], dice: int) -> int:
    """Say which colour of `_HELD` a roll has."""
    return 3 if len(held) == dice else min(len(held), 2)


def _draw_theta(report: Report) -> Canvas:
    stops = report.table("stops")
    sweeps, theta = column(stops, "sweeps"), number(report.value("tolerance"))
    change, error = numbers(column(stops, "above")), numbers(column(stops, "error"))
    wrong = column(stops, "greedy_wrong")
    canvas, panels = sheet(5.4, 2.8, panels=2)
    left, right = panels
    left.semilogy(sweeps, change, "o-", color=BLUE, markersize=3, label="change in the sweep")
    left.semilogy(sweeps, error, "s--", color=VERMILION, markersize=3, label="error of a value")
    left.axhline(theta, color=BLACK, linewidth=0.8, linestyle=":")
    note(left, f"θ = {theta:g}", (sweeps[0], theta), (0, 3))
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_xlabel("sweeps made")
    left.set_ylabel("greatest over all rolls [points]")
    left.legend()
    # At a tolerance θ the iteration stops at the first sweep that changes no value by θ or more.
    # The first range has no upper end and is drawn up to twice its lower one.
    for (high, low), count in zip(pairwise([2 * change[0], *change]), wrong, strict=True):
        right.plot([low, high], [count, count], color=BLUE, linewidth=2.5, solid_capstyle="butt")
    right.set_xscale("log")
    right.axvline(theta, color=BLACK, linewidth=0.8, linestyle=":")
    note(right, f"θ = {theta:g}", (theta, max(wrong)), (3, -4))
    right.set_xlabel("tolerance θ [points]")
    right.set_ylabel("rolls with a wrong greedy action")
    right.set_ylim(bottom=-max(wrong) / 40)
    right.grid(axis="y", linewidth=0.4)
    return canvas


FIGURES = (
    Figure(
        "reroll-policy",
        "Reroll: what to hold with three dice",
        lambda size: f"reroll policy --sides {size}",
        _draw_policy,
        "sides of each die",
        sizes=(2, 6, 9),
    ),
    Figure(
        "reroll-theta",
        "Reroll: where value iteration stops, and what it gets wrong there",
        lambda size: f"reroll theta --dice {size} --tolerance {_TOLERANCE}",
        _draw_theta,
        "dice",
        sizes=(2, 3, 4),
    ),
)
