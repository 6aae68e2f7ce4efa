"""Figures of FateStones: which die beats which, and what a deal of hands is worth."""

from exactdice.jobs.plots.figure import (
    BLACK,
    BLUE,
    ORANGE,
    Canvas,
    Figure,
    column,
    note,
    number,
    rows_of,
    sheet,
)
from exactdice.report.model import Report
from exactdice.studies.fatestones.census_parts import bag_text, bags


def _draw_margins(report: Report) -> Canvas:
    # The dice that beat most more than beat them lead.
    order = sorted(
        (beaten_by - beats, die) for die, beats, beaten_by in rows_of(report.table("dice"))
    )
    names = [die for _, die in order]
    n = len(names)
    chances = report.table("pairs").select("first", "second", "margin")
    margins = {(first, second): number(margin) for first, second, margin in chances}
    grid = [[margins[die, other] for other in names] for die in names]
    most = max(margins.values())
    canvas, axes = sheet(6.4, 5.6)
    image = axes.imshow(grid, cmap="PuOr_r", vmin=-most, vmax=most)
    axes.set_xticks(range(n), names, rotation=90, fontsize=7)
    axes.set_yticks(range(n), names, fontsize=7)
    axes.set_ylabel("die: above, those that beat most dice less dice that beat them")
    axes.set_xlabel("against die, in the same order")
    even = [(j, i) for i in range(n) for j in range(n) if grid[i][j] == 0 and i != j]
    axes.plot([x for x, _ in even], [y for _, y in even], ".", color=BLACK, markersize=1.5)
    label = "chance to win less chance to lose (dot: even)"
    canvas.colorbar(image, ax=axes, label=label, shrink=0.8)
    return canvas


def _draw_deals(report: Report) -> Canvas:
    worth = [abs(number(value)) for value in column(report.table("deals"), "value")]
    edge = number(report.value("best_response_edge"))
    canvas, axes = sheet(5.0, 2.8)
    bins = [k / 200 for k in range(int(max(worth) * 200) + 2)]
    axes.hist(worth, bins=bins, color=BLUE, weights=[1 / len(worth)] * len(worth))
    axes.axvline(edge, color=ORANGE, linewidth=1.4, linestyle="--")
    words = "what best play gains\nagainst random choices"
    note(axes, words, (edge, axes.get_ylim()[1]), (5, -4), va="top")
    axes.set_xlabel("advantage of the better hand, wins less losses [games]")
    axes.set_ylabel(f"part of {len(worth)} deals")
    axes.grid(axis="y", linewidth=0.4)
    return canvas


def _draw_bags(report: Report) -> Canvas:
    table = report.table("bags")
    canvas, panels = sheet(6.0, 2.9, panels=2)
    rests = {bag: rest for bag, *rest in rows_of(table)}
    for faces, colour, marker in ((5, ORANGE, "s"), (6, BLUE, "o")):
        named = [(total, bag_text(faces, total)) for total in bags(faces)]
        means = [total / faces for total, bag in named if bag in rests]
        rows = [rests[bag] for _, bag in named if bag in rests]
        if not rows:
            continue
        shared = {"color": colour, "marker": marker, "markersize": 3, "linewidth": 1.0}
        worth = [number(mean) for _, _, _, mean, *_ in rows]
        panels[0].plot(means, worth, label=f"{faces} faces", **shared)
        mixed = [mixed / pairs for pairs, mixed, *_ in rows]
        panels[1].plot(means, mixed, **shared)
    panels[0].set_ylabel("mean advantage of the better hand")
    panels[1].set_ylabel("deals with a mixed first choice [part]")
    for axes in panels:
        axes.set_xlabel("mean of each die in the bag")
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", linewidth=0.4)
    panels[0].legend()
    return canvas


FIGURES = (
    Figure(
        "fatestones-beats",
        "FateStones: which die beats which",
        lambda size: f"fatestones beats --faces {size} --pairs",
        _draw_margins,
        "faces of each die",
        sizes=(4, 6, 6),
    ),
    Figure(
        "fatestones-deals",
        "FateStones: what the deal is worth",
        lambda size: f"fatestones census --sample {size} --deals",
        _draw_deals,
        "deals drawn",
        sizes=(200, 4000, 100_000),
    ),
    Figure(
        "fatestones-bags",
        "FateStones: what the deal is worth, by the mean of the dice",
        lambda size: f"fatestones bags {size}",
        _draw_bags,
        "faces of each die",
        sizes=(5, 5, 6),
    ),
)
