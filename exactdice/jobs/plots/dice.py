"""Figures of dice by themselves: the law of an expression, and laws in one chart."""

from collections.abc import Sequence
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.jobs.plots.figure import (
    BLUE,
    ORANGE,
    Canvas,
    column,
    figure,
    frame,
    number,
    numbers,
    sheet,
    style,
    upright,
)
from exactdice.report.model import Report

_MOST_BARS = 120


@figure(lambda n: f"dice distribution {n}d6", "dice", (1, 3, 100))
def _dice_law(report: Report) -> Canvas:
    """Dice: the law of a sum."""
    table = report.table("outcomes")
    outcomes, chances = column(table, "outcome"), numbers(column(table, "probability"))
    canvas, axes = sheet(5.2, 2.6)
    if all(isinstance(outcome, bool) for outcome in outcomes):
        frame(axes, "", "probability", "y")
        bars = axes.bar(["yes" if outcome else "no" for outcome in outcomes], chances, color=BLUE)
        axes.bar_label(bars, [f"{chance:.1%}" for chance in chances])
        axes.set_ylim(0, 1.1)
        return canvas
    if len(outcomes) > _MOST_BARS:
        axes.fill_between(outcomes, chances, color=BLUE, step="mid", linewidth=0)
        axes.set_ylim(bottom=0)
    else:
        axes.bar(outcomes, chances, color=BLUE, width=0.8)
    mean = number(report.value("value"))
    look = {"color": ORANGE, "linewidth": 1.2}
    upright(axes, mean, f"mean {mean:.4g}", max(chances), (4, 3), **look)
    frame(axes, "outcome", "probability", "y", whole=True)
    return canvas


def draw_laws(laws: Sequence[Distribution[Any]], names: Sequence[str]) -> Canvas:
    """Draw laws in one chart: points on lines over numbers, else bars beside each other."""
    if len(names) not in (0, len(laws)):
        raise InputError("names", names, f"as many as there are laws, which is {len(laws)}")
    with style():
        canvas, axes = sheet(5.2, 2.6)
        frame(axes, "outcome", "probability", "y")
        labels = [*names] or [""]
        places = list(dict.fromkeys(outcome for law in laws for outcome in law))
        are_whole = all(type(outcome) is int for outcome in places)
        are_numbers = are_whole or all(type(x) in (int, type(mpq(0))) for x in places)
        for index, law in enumerate(laws):
            chances = numbers(list(law.probabilities().values()))
            label = labels[index % len(labels)]
            if are_numbers and len(law) == 1 and len(laws) > 1:  # its bar would flatten the others
                axes.axvline(
                    number(next(iter(law))), label=label, color=f"C{index}", linestyle="--"
                )
                continue
            if are_numbers and (len(laws) > 1 or not are_whole):
                axes.plot(numbers(list(law)), chances, marker=".", label=label)
                continue
            width = 0.8 / len(laws)
            shift = (index - (len(laws) - 1) / 2) * width
            at = numbers(list(law)) if are_numbers else [places.index(x) + shift for x in law]
            axes.bar(at, chances, width=width, label=label)
        if not are_numbers:
            axes.set_xticks(range(len(places)), [str(outcome) for outcome in places])
        axes.set_ylim(bottom=0)
        if names:
            axes.legend()
    return canvas


@figure(lambda n: f"dice compare '{n}d6 keep highest 3 vs 3d6'", "dice", (3, 4, 100))
def _dice_compare(report: Report) -> Canvas:
    """Dice: rolls against each other."""
    laws: dict[str, dict[int, mpq]] = {}
    for roll, outcome, chance in report.table("outcomes").select("roll", "outcome", "probability"):
        laws.setdefault(roll, {})[outcome] = chance
    return draw_laws([Distribution.from_probabilities(law) for law in laws.values()], list(laws))
