"""Figures of Farkle: when to bank, and how a turn ends."""

from typing import Any

from exactdice.arithmetic import mpq
from exactdice.jobs.plots.figure import (
    BLUE,
    GREY,
    HEAT,
    ORANGE,
    VERMILION,
    Canvas,
    Figure,
    column,
    note,
    number,
    numbers,
    rows_of,
    sheet,
)
from exactdice.report.model import Report


def _draw_thresholds(report: Report) -> Canvas:
    (table,) = report.tables
    dice = column(table, "dice")
    target = report.value("target")
    assert isinstance(target, int)  # noqa: S101 - the question has a target
    ends = [target if end is None else end for end in column(table, "bank_from")]
    canvas, axes = sheet(5.0, 0.9 + 0.3 * len(dice))
    axes.barh(dice, ends, color=BLUE, height=0.7, label="roll on")
    rest = [target - end for end in ends]
    axes.barh(dice, rest, left=ends, color=GREY, height=0.7, label="bank")
    for count, end in zip(dice, ends, strict=True):
        words = "always roll" if end == target else f"bank from {end}"
        place = (end, -4, "right", "white") if end > target / 2 else (end, 4, "left", "black")
        look = {"ha": place[2], "va": "center", "color": place[3]}
        note(axes, words, (place[0], count), (place[1], 0), **look)
    return _by_dice(canvas, axes, dice, target)


def _draw_thresholds_to_win(report: Report) -> Canvas:
    (table,) = report.tables
    dice, needed = column(table, "dice"), report.value("needed")
    assert isinstance(needed, int)  # noqa: S101 - of a whole number of points
    canvas, axes = sheet(5.0, 0.9 + 0.3 * len(dice))
    axes.barh(dice, [needed] * len(dice), color=GREY, height=0.7, label="bank")
    label = "roll on"
    for count, ranges in zip(dice, column(table, "roll"), strict=True):
        for part in (ranges or "").split():  # none where every number of points is banked
            low, _, high = part.partition("–")
            first, last = int(low), int(high or low)
            # From half a step before to half a step behind; a turn begins with a roll.
            start = first - 25 if first > 50 else 0
            end = last + 25 if last + 50 < needed else needed
            axes.barh(count, end - start, left=start, color=BLUE, height=0.7, label=label)
            label = "_"
    return _by_dice(canvas, axes, dice, needed)


def _by_dice(canvas: Canvas, axes: Any, dice: list[int], most: int) -> Canvas:
    """Name the axes of a picture with a bar of points for each number of dice."""
    axes.set_yticks(dice)
    axes.set_xlim(0, most)
    axes.set_xlabel("points of the turn so far [points]")
    axes.set_ylabel("dice left to roll")
    canvas.legend(loc="outside upper center", ncols=2)
    return canvas


def _draw_looking(report: Report) -> Canvas:
    table = report.table("chances")
    own, gains = column(table, "own"), [100 * worth.middle for worth in column(table, "looking")]
    scores = sorted(set(own))
    most = len(scores)
    step = scores[1] - scores[0] if most > 1 else 1  # the scores at which play begins, alone
    grid = [numbers(gains[place : place + most]) for place in range(0, len(gains), most)]
    canvas, axes = sheet(4.6, 3.7)
    edges = (-step / 2, scores[-1] + step / 2)
    image = axes.imshow(grid, origin="lower", extent=2 * edges, cmap=HEAT, aspect="equal")
    axes.plot(edges, edges, color="white", linewidth=0.9, linestyle="--")
    for name in ("most", "ahead"):
        at = report.value(f"{name}_other"), report.value(f"{name}_own")
        axes.plot(*([place] for place in at), "x", color=VERMILION, clip_on=False)
    axes.set_xlabel("score of the opponent [points]")
    axes.set_ylabel("score of the player who is to move [points]")
    canvas.colorbar(image, ax=axes, label="percentage points won by looking")
    return canvas


#: The picture ends where at most this part of all turns is left.
_TAIL = mpq(1, 200)


def _draw_end(report: Report) -> Canvas:
    table = report.table("points")
    shown = [row for row in rows_of(table) if row[2] > _TAIL]
    points = [row[0] for row in shown]
    mean = report.value("value")
    canvas, axes = sheet(5.2, 2.8)
    chances = numbers([row[1] for row in shown])
    colours = [ORANGE if p == 0 else BLUE for p in points]
    axes.bar(points, chances, width=38, color=colours)
    axes.axvline(number(mean), color="black", linewidth=0.9, linestyle="--")
    note(axes, f"mean {number(mean):.1f}", (number(mean), max(chances)), (4, -8))
    note(axes, "bust", (0, chances[0]), (8, -8))
    left = number(mpq(1) - sum((row[1] for row in shown), mpq(0)))
    axes.annotate(f"beyond: {left:.2%} of turns", (1, 0.12), xycoords="axes fraction", ha="right")
    axes.set_xlabel("points of the turn [points]")
    axes.set_ylabel("probability")
    axes.grid(axis="y", linewidth=0.4)
    return canvas


def _draw_sets(report: Report) -> Canvas:
    table = report.table("sets")
    names = column(table, "dice")
    worths = [worth.middle for worth in column(table, "value")]
    canvas, axes = sheet(5.4, 0.8 + 0.2 * len(names))
    axes.barh(names, numbers(worths), color=BLUE, height=0.7)
    for name, worth in zip(names, worths, strict=True):
        look = {"ha": "right", "va": "center", "color": "white"}
        note(axes, f"{number(worth):.0f}", (number(worth), name), (-4, 0), **look)
    axes.invert_yaxis()
    axes.set_xlim(0, None)
    axes.set_xlabel("expected points of the best turn [points]")
    return canvas


FIGURES = (
    Figure(
        "farkle-thresholds",
        "Farkle: from how many points to bank",
        lambda dice: f"farkle thresholds --dice fair*{dice}",
        _draw_thresholds,
        "dice",
        sizes=(1, 6, 6),
    ),
    Figure(
        "farkle-opponent",
        "Farkle: when to bank with 2000 of 4000 points, against an opponent who plays to win",
        lambda hundreds: f"farkle thresholds --target 4000 --scores 2000,{100 * hundreds}",
        _draw_thresholds_to_win,
        "hundreds of points that the opponent has",
        sizes=(0, 35, 39),
    ),
    Figure(
        "farkle-looking",
        "Farkle: where looking at the opponent pays, in a race to 4000 points",
        lambda step: f"farkle race --target 4000 --play optimal --step {step}",
        _draw_looking,
        "points between the scores",
        sizes=(50, 100, 500),
    ),
    Figure(
        "farkle-turn",
        "Farkle: how a turn of best play ends",
        lambda dice: f"farkle distribution --dice fair*{dice}",
        _draw_end,
        "dice",
        sizes=(1, 6, 6),
    ),
    Figure(
        "farkle-sets",
        "Farkle: what five weighted dice and one other are worth, the best of them",
        lambda hundreds: f"farkle sets --hold weighted*5 --above {100 * hundreds}",
        _draw_sets,
        "hundreds of points that the sets shown are worth",
        sizes=(40, 55, 66),
    ),
)
