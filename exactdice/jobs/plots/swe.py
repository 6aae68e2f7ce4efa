"""Figures of the software-engineering game: values, size, optimal play, laws of the score."""

from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.jobs.plots.figure import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    VERMILION,
    Canvas,
    Figure,
    column,
    numbers,
    rows_of,
    sheet,
)
from exactdice.report.model import Report


def _draw_values(report: Report) -> Canvas:
    (games,) = report.tables
    rounds = column(games, "rounds")[1:]  # no scale of logarithms shows the game of no round
    canvas, (left, right) = sheet(5.6, 2.7, panels=2)
    left.plot(rounds, numbers(column(games, "value")[1:]), "o-", color=BLUE, markersize=2.5)
    left.plot(rounds, numbers(column(games, "new_only")[1:]), "s--", color=ORANGE, markersize=2.5)
    left.legend(["optimal play", "always create"])
    left.set_xlabel("game length [rounds]")
    left.set_ylabel("expected final score [points]")
    both = games.select("value", "new_only")[1:]
    gains = numbers([best - create for best, create in both])
    right.plot(rounds, gains, "o-", color=VERMILION, markersize=2.5)
    right.set_xlabel("game length [rounds]")
    right.set_ylabel("optimal play less always create [points]")
    for axes in (left, right):
        axes.grid(linewidth=0.4)
        axes.xaxis.get_major_locator().set_params(integer=True)
    return canvas


_ACTIONS = {"create d4": GREY, "promote d4": BLUE, "promote d6": ORANGE, "promote d8": SKY}


def _draw_policy(report: Report) -> Canvas:
    from matplotlib.patches import Patch, Rectangle

    rows = rows_of(report.table("states"))
    if not rows:
        wanted = "more rounds, as 12: in so few optimal play creates wherever it comes to"
        raise InputError("rounds", Unquoted(report.title), wanted)
    dice = list(dict.fromkeys(row[0] for row in rows))
    last = max(row[1] for row in rows)
    canvas, axes = sheet(5.4, 1.1 + 0.16 * len(dice))
    for name, now, low, _, scores, action, score_decides in rows:
        # Where the score decides, the cell is shared out among the scores, low to the left.
        lower = {r[2]: r[4] for r in rows if r[:2] == (name, now)}
        start = sum(n for least, n in lower.items() if least < low) / sum(lower.values())
        width = scores / sum(lower.values())
        corner = (now - 0.5 + start, dice.index(name) - 0.5)
        axes.add_patch(Rectangle(corner, width, 1, facecolor=_ACTIONS.get(action, VERMILION)))
        if score_decides:
            frame = (now - 0.5, dice.index(name) - 0.5)
            axes.add_patch(Rectangle(frame, 1, 1, fill=False, edgecolor=BLACK, zorder=3))
    axes.set_xlim(0.5, last + 0.5)
    axes.set_ylim(-0.5, len(dice) - 0.5)
    axes.set_yticks(range(len(dice)), dice)
    axes.set_xticks(range(2, last + 1, 2))
    axes.set_xticks([x - 0.5 for x in range(1, last + 1)], minor=True)
    axes.set_yticks([y - 0.5 for y in range(len(dice))], minor=True)
    axes.grid(which="minor", color="white", linewidth=0.6)
    axes.set_axisbelow(False)
    axes.tick_params(which="minor", length=0)
    axes.set_xlabel(f"round that begins, of {last}")
    axes.set_ylabel("revenue dice")
    present = {row[5] for row in rows}
    handles = [Patch(facecolor=c, label=a) for a, c in _ACTIONS.items() if a in present]
    if present - set(_ACTIONS):
        handles.append(Patch(facecolor=VERMILION, label="promote higher"))
    divided = "score decides: low scores to the left"
    handles.append(Patch(facecolor="none", edgecolor=BLACK, label=divided))
    canvas.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), 3))
    return canvas


_LAWS = {
    "optimal": (BLUE, "-", "optimal play"),
    "newonly": (ORANGE, "--", "always create"),
    "promoonce": (VERMILION, "-.", "promote each d4 once"),
    "promo": (BLACK, ":", "promote if possible"),
}


def _draw_laws(report: Report) -> Canvas:
    (scores,) = report.tables
    x = column(scores, "score")
    canvas, axes = sheet(5.0, 3.0)
    drawn: dict[tuple[object, ...], Any] = {}
    for name, (colour, line, label) in _LAWS.items():
        law = tuple(column(scores, name))
        if law in drawn:  # one curve would hide the other
            drawn[law].set_label(f"{drawn[law].get_label()} = {label}")
            continue
        # The chance of at least so many points: laws of several policies stay apart in it.
        rest, tail = mpq(1), []
        for chance in law:
            tail.append(rest)
            rest -= chance
        look = {"color": colour, "linestyle": line, "label": label}
        (drawn[law],) = axes.step(x, numbers([*tail]), where="post", **look)
    axes.set_xlabel("final score [points]")
    axes.set_ylabel("probability of at least that score")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.grid(linewidth=0.4)
    axes.legend()
    return canvas


FIGURES = (
    Figure(
        "swe-values",
        "SWE: what games are worth, and what is lost by always creating",
        lambda size: f"swe values {size}",
        _draw_values,
        "rounds",
        sizes=(2, 24, 40),
    ),
    Figure(
        "swe-policy",
        "SWE: where optimal play does not create, and where the score decides",
        lambda size: f"swe policy {size} --path --first",
        _draw_policy,
        "rounds",
        sizes=(12, 25, 26),  # in shorter games the score decides nowhere under optimal play
    ),
    Figure(
        "swe-laws",
        "SWE: laws of the final score under several policies",
        lambda size: f"swe laws {size}",
        _draw_laws,
        "rounds",
        sizes=(2, 10, 14),
    ),
)
