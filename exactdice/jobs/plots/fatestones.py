"""Figures of FateStones: which die beats which, and what a deal of hands is worth."""

from random import Random
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from exactdice.games import fatestones
from exactdice.games.fatestones import encode_die
from exactdice.games.fatestones.best_response import BagTables
from exactdice.games.fatestones.census import PairValues
from exactdice.jobs.plots.canvas import (
    BLACK,
    BLUE,
    ORANGE,
    column,
    number,
    numbers,
    sheet,
)
from exactdice.jobs.plots.figure import Figure
from exactdice.report.model import Report, Table, exact, text_column, whole
from exactdice.report.provenance import Provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURES"]

_SEED = 1


def _margins(faces: int) -> Report:
    """Wins minus losses of every pair of balanced dice, the strongest die first."""
    dice = list(fatestones.balanced_dice(faces))
    table = fatestones.pair_table(dice)
    beaten = {i: sum(int(m) > 0 for m in table.margins[i]) for i in range(len(dice))}
    lost = {i: sum(int(m) < 0 for m in table.margins[i]) for i in range(len(dice))}
    order = sorted(beaten, key=lambda i: (lost[i] - beaten[i], dice[i]))
    pairs = Table(
        "pairs",
        "Wins minus losses",
        [
            text_column("first", "faces of a die; those that beat most more than beat them lead"),
            text_column("second", "faces of another die"),
            exact("margin", "chance that the first rolls higher less that of the second"),
        ],
        [
            (encode_die(dice[i]), encode_die(dice[j]), mpq(int(table.margins[i, j]), table.rolls))
            for i in order
            for j in order
        ],
    )
    conventions = {"dice": f"{faces} faces from 1 to {faces} with the mean of the standard die"}
    title = f"FateStones: margins of {len(dice)} dice of {faces} faces"
    return Report(title, (), [pairs], Provenance(conventions=conventions))


def _draw_margins(report: Report) -> "Canvas":
    (pairs,) = report.tables
    names = list(dict.fromkeys(column(pairs, "first")))
    margins = numbers(column(pairs, "margin"))
    n = len(names)
    grid = [margins[i * n : (i + 1) * n] for i in range(n)]
    most = max(map(abs, margins))
    canvas, axes = sheet(5.2, 4.6)
    image = axes.imshow(grid, cmap="PuOr_r", vmin=-most, vmax=most)
    axes.set_xticks(range(n), names, rotation=90, fontsize=5)
    axes.set_yticks(range(n), names, fontsize=5)
    axes.set_ylabel("die")
    axes.set_xlabel("against die")
    even = [(j, i) for i in range(n) for j in range(n) if margins[i * n + j] == 0 and i != j]
    axes.plot([x for x, _ in even], [y for _, y in even], ".", color=BLACK, markersize=1.5)
    label = "chance to win less chance to lose (dot: even)"
    canvas.colorbar(image, ax=axes, label=label, shrink=0.8)
    return canvas


def _deals(count: int) -> Report:
    """Values of deals drawn at random, as often by chance as in the census of a sample."""
    dice = fatestones.bag()
    values = PairValues(BagTables(dice))
    number_of = {tuple(t): i for i, t in enumerate(values.tables.triples.tolist())}
    random = Random(_SEED)  # noqa: S311 - a reproducible sample, no secret
    rows: list[tuple[Any, ...]] = []
    for _ in range(count):
        drawn = random.sample(range(len(dice)), 6)
        better, worse = (number_of[tuple(sorted(hand))] for hand in (drawn[:3], drawn[3:]))
        numerator, denominator, is_mixed = values.value(better, worse)
        hands = [
            " ".join(encode_die(dice[die]) for die in sorted(hand))
            for hand in (drawn[:3], drawn[3:])
        ]
        rows.append((*hands, mpq(numerator, denominator), int(is_mixed)))
    deals = Table(
        "deals",
        "Values of deals",
        [
            text_column("first", "hand of the first player"),
            text_column("second", "hand of the second player"),
            exact("value", "wins minus losses of the first player, both playing their best"),
            whole("mixed", "1 where the first choices must be mixed, else 0"),
        ],
        rows,
    )
    conventions = {
        "deals": f"{count}, drawn without replacement out of the bag of 32, random seed {_SEED}",
        "scratch": "worth 0",
    }
    title = "FateStones: what deals are worth"
    return Report(title, (), [deals], Provenance(conventions=conventions))


def _draw_deals(report: Report) -> "Canvas":
    (deals,) = report.tables
    worth = [abs(number(value)) for value in column(deals, "value")]
    edge = number(fatestones.best_response().edge)
    canvas, axes = sheet(5.0, 2.8)
    bins = [k / 200 for k in range(int(max(worth) * 200) + 2)]
    axes.hist(worth, bins=bins, color=BLUE, weights=[1 / len(worth)] * len(worth))
    axes.axvline(edge, color=ORANGE, linewidth=1.4, linestyle="--")
    axes.annotate(
        "what best play gains\nagainst random choices",
        (edge, axes.get_ylim()[1]),
        xytext=(5, -4),
        textcoords="offset points",
        va="top",
    )
    axes.set_xlabel("advantage of the better hand, wins less losses [games]")
    axes.set_ylabel(f"part of {len(worth)} deals")
    axes.grid(axis="y", linewidth=0.4)
    return canvas


FIGURES = (
    Figure(
        "fatestones-beats",
        "FateStones: which die beats which",
        _margins,
        _draw_margins,
        "faces of each die",
        size=6,
        smallest=4,
        largest=6,
    ),
    Figure(
        "fatestones-deals",
        "FateStones: what the deal is worth",
        _deals,
        _draw_deals,
        "deals drawn",
        size=4000,
        smallest=200,
        largest=100_000,
    ),
)
