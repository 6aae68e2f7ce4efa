"""Figures of Risk: who wins a battle, and who is left."""

from exactdice.arithmetic import mpq
from exactdice.jobs.plots.figure import (
    BLACK,
    BLUE,
    GREY,
    HEAT,
    ORANGE,
    VERMILION,
    Canvas,
    Figure,
    column,
    number,
    numbers,
    rows_of,
    sheet,
)
from exactdice.report.model import Report

_LEAST = 1e-8  # chances that are told apart by colour


def _draw_chances(report: Report) -> Canvas:
    cells, even = report.tables
    most, largest = max(column(cells, "defenders")), max(column(cells, "attackers"))
    rows: dict[int, list[float]] = {}
    for attackers, _, chance in rows_of(cells):
        rows.setdefault(attackers, []).append(number(chance))
    canvas, axes = sheet(4.6, 3.8)
    image = axes.imshow(
        list(rows.values()),
        origin="lower",
        extent=(0.5, most + 0.5, 1.5, largest + 0.5),
        cmap=HEAT,
        vmin=0,
        vmax=1,
        aspect="equal",
    )
    # The contour runs along the edges of cells: an army has a chance, not a point of the plane.
    steps = {d: a for d, a, *_ in rows_of(even)}
    edges = [steps.get(d, largest + 1) - 0.5 for d in range(1, most + 1)]
    along = [d + shift for d in range(1, most + 1) for shift in (-0.5, 0.5)]
    axes.plot(along, [e for e in edges for _ in (0, 1)], color="white", linewidth=2.6)
    axes.plot(along, [e for e in edges for _ in (0, 1)], color=BLACK, linewidth=1.1)
    axes.locator_params(integer=True)
    axes.set_xlabel("defending army [units]")
    axes.set_ylabel("attacking army, one stays behind [units]")
    axes.text(0.03, 0.95, "attacker wins\nmore often", transform=axes.transAxes, va="top")
    axes.text(
        0.97, 0.05, "defender wins\nmore often", transform=axes.transAxes, ha="right", color="white"
    )
    canvas.colorbar(image, ax=axes, label="probability that the attacker wins")
    return canvas


def _draw_survivors(report: Report) -> Canvas:
    outcomes = report.table("outcomes")
    lost = [(d, p) for _, d, p in rows_of(outcomes) if d]
    won = [(a, p) for a, d, p in rows_of(outcomes) if not d]
    canvas, panels = sheet(5.4, 2.7, panels=2, sharey=True)
    sides = (
        (panels[0], lost, "defender holds", "defending units left [units]", ORANGE),
        (panels[1], won, "attacker wins", "attacking units left, in total [units]", BLUE),
    )
    for axes, bars, title, label, colour in sides:
        chance = number(sum((p for _, p in bars), mpq(0)))
        left = [units for units, _ in bars]
        axes.bar(left, numbers([p for _, p in bars]), color=colour, width=0.8)
        axes.set_title(f"{title}: {chance:.1%}")
        axes.set_xlabel(label)
        step = max(1, len(left) // 8)
        axes.set_xticks(range(min(left), max(left) + 1, step))
        axes.grid(axis="y", linewidth=0.4)
    panels[0].invert_xaxis()  # both sides count outwards from the middle, where nobody is left
    panels[0].set_ylabel("probability")
    return canvas


def _draw_costs(report: Report) -> Canvas:
    from matplotlib.colors import LogNorm

    states = report.table("states")
    attackers, defenders = column(states, "attackers"), column(states, "defenders")
    least, largest, most = min(attackers), max(attackers), max(defenders)
    canvas, panels = sheet(6.4, 3.2, panels=2, sharey=True)
    costs = {side: column(states, f"{side}_cost") for side in ("attacker", "defender")}
    shown = [number(cost) for of in costs.values() for cost in of if cost is not None and cost > 0]
    for axes, (side, of) in zip(panels, costs.items(), strict=True):
        grid = [[float("nan")] * most for _ in range(least, largest + 1)]
        for a, d, cost in zip(attackers, defenders, of, strict=True):
            if cost is not None and cost > 0:
                grid[a - least][d - 1] = number(cost)
        image = axes.imshow(
            grid,
            origin="lower",
            extent=(0.5, most + 0.5, least - 0.5, largest + 0.5),
            cmap=HEAT,
            norm=LogNorm(max(min(shown, default=_LEAST), _LEAST), max(shown, default=1)),
            aspect="equal",
        )
        wrong = [(d, a) for a, d, c in zip(attackers, defenders, of, strict=True) if c and c < 0]
        axes.plot([d for d, _ in wrong], [a for _, a in wrong], "x", color=VERMILION)
        axes.set_facecolor(GREY)
        axes.set_title(f"the {side} rolls one die fewer")
        axes.locator_params(integer=True)
        axes.set_xlabel("defending army [units]")
    panels[0].set_ylabel("attacking army, one stays behind [units]")
    canvas.colorbar(
        image, ax=panels, label="what that costs in chance to win (grey: no choice)", extend="min"
    )
    return canvas


FIGURES = (
    Figure(
        "risk-win",
        "Risk: who wins, by the sizes of both armies",
        lambda size: f"risk table {size + 1} {size}",
        _draw_chances,
        "units on each side",
        sizes=(5, 30, 120),
    ),
    Figure(
        "risk-survivors",
        "Risk: who is left after a battle of equal armies",
        lambda size: f"risk survivors {size} {size}",
        _draw_survivors,
        "units on each side",
        sizes=(2, 12, 60),
    ),
    Figure(
        "risk-dice",
        "Risk: what one die fewer costs either side",
        lambda size: f"risk dice {size} {size}",
        _draw_costs,
        "units on each side",
        sizes=(5, 40, 100),
    ),
)
