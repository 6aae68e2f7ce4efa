"""Figures of the software-engineering game: values, size, optimal play, laws of the score."""

from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from exactdice.games.swe import STANDARD, solve
from exactdice.games.swe.evaluation import exact_law
from exactdice.games.swe.optimal import evaluate_optimal
from exactdice.games.swe.players import NewOnly, Promo, PromoOnce
from exactdice.jobs.plots.canvas import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    VERMILION,
    column,
    numbers,
    rows_of,
    sheet,
)
from exactdice.jobs.plots.figure import Figure
from exactdice.report.model import Report, Table, exact, flag, text_column, whole
from exactdice.symbolic.ehrhart_polynomials import count_points
from exactdice.symbolic.new_only import NewOnly as NewOnlyForm
from exactdice.symbolic.reachable import split_weights
from exactdice.tables.swe import dice_text, policy_report, swe_provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURES"]

_RUNGS = len(STANDARD)


def _values(rounds: int) -> Report:
    solution = solve(rounds, STANDARD)
    new_only = NewOnlyForm(STANDARD[0])
    games = Table(
        "games",
        "The optimum, creating alone, and the size of each game",
        [
            whole("rounds", "rounds of the game", "rounds"),
            exact("value", "expected final score under optimal play", "points"),
            exact("new_only", "the same when every die is new and none is promoted", "points"),
            whole("dice", "multisets of dice that so many rounds can make", "multisets"),
            whole("splits", "those multisets, split into revenue and legacy", "states"),
        ],
        [
            (
                r,
                solution.value_at(solution.start, r),
                new_only.expected_score(r),
                count_points(range(1, _RUNGS + 1), r),
                count_points(split_weights(_RUNGS), r),
            )
            for r in range(1, rounds + 1)
        ],
    )
    title = f"SWE: values and sizes of games of up to {rounds} rounds"
    return Report(title, (), [games], swe_provenance(STANDARD))


def _draw_values(report: Report) -> "Canvas":
    (games,) = report.tables
    rounds = column(games, "rounds")
    canvas, (left, right) = sheet(5.6, 2.7, panels=2)
    left.plot(rounds, numbers(column(games, "value")), "o-", color=BLUE, markersize=2.5)
    left.plot(rounds, numbers(column(games, "new_only")), "s--", color=ORANGE, markersize=2.5)
    left.legend(["optimal play", "always create"])
    left.set_xlabel("game length [rounds]")
    left.set_ylabel("expected final score [points]")
    right.semilogy(rounds, column(games, "splits"), "o-", color=VERMILION, markersize=2.5)
    right.semilogy(rounds, column(games, "dice"), "s--", color=SKY, markersize=2.5)
    right.legend(["states without the score", "multisets of dice"])
    right.set_xlabel("game length [rounds]")
    right.set_ylabel("number")
    for axes in (left, right):
        axes.grid(linewidth=0.4)
        axes.xaxis.get_major_locator().set_params(integer=True)
    return canvas


def _policy(rounds: int) -> Report:
    """Where optimal play does something else than create, and whether the score decides."""
    listed = policy_report(rounds, STANDARD, path=True)
    choices: dict[tuple[tuple[int, ...], int], list[tuple[int, int, str]]] = {}
    for now, revenue, _, low, high, _, _, optimal in rows_of(listed.table("states")):
        bounds = choices.setdefault((revenue, now), [])
        if bounds and bounds[-1][2] == optimal[0]:
            bounds[-1] = (bounds[-1][0], high, optimal[0])
        else:
            bounds.append((low, high, optimal[0]))
    varied = {
        revenue
        for (revenue, _), bounds in choices.items()
        if sum(revenue) and any(not action.startswith("create") for _, _, action in bounds)
    }
    rows = [
        (dice_text(revenue, STANDARD), now, low, high, action, len(bounds) > 1)
        for (revenue, now), bounds in sorted(choices.items(), key=lambda item: _order(item[0]))
        if revenue in varied
        for low, high, action in bounds
    ]
    states = Table(
        "states",
        "First optimal action, for the dice with which it is not always to create",
        [
            text_column("dice", "revenue dice; there are no legacy dice"),
            whole("round", "number of the round that begins", "rounds"),
            whole("low", "least score of optimal play for which it holds", "points"),
            whole("high", "greatest such score", "points"),
            text_column("action", "the first optimal action"),
            flag("score_decides", "whether another score calls for another action"),
        ],
        rows,
    )
    return Report(f"SWE: optimal play of {rounds} rounds", (), [states], listed.provenance)


def _order(state: tuple[tuple[int, ...], int]) -> Any:
    revenue, now = state
    return sum(revenue), revenue[::-1], now


_ACTIONS = {"create d4": GREY, "promote d4": BLUE, "promote d6": ORANGE, "promote d8": SKY}


def _draw_policy(report: Report) -> "Canvas":
    from matplotlib.patches import Patch, Rectangle

    rows = rows_of(report.table("states"))
    dice = list(dict.fromkeys(row[0] for row in rows))
    last = max(row[1] for row in rows)
    canvas, axes = sheet(5.4, 1.1 + 0.16 * len(dice))
    for name, now, low, high, action, score_decides in rows:
        least = min(r[2] for r in rows if r[:2] == (name, now))
        most = max(r[3] for r in rows if r[:2] == (name, now))
        # Where the score decides, the cell is shared out among the scores, low to the left.
        start, width = (low - least) / (most - least + 1), (high - low + 1) / (most - least + 1)
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
    axes.set_xlabel("round that begins")
    axes.set_ylabel("revenue dice")
    present = {row[4] for row in rows}
    handles = [Patch(facecolor=c, label=a) for a, c in _ACTIONS.items() if a in present]
    if present - set(_ACTIONS):
        handles.append(Patch(facecolor=VERMILION, label="promote higher"))
    handles.append(Patch(facecolor="none", edgecolor=BLACK, label="score decides"))
    canvas.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), 4))
    return canvas


def _laws(rounds: int) -> Report:
    policies = [NewOnly(), Promo(), PromoOnce()]
    laws = {policy.name: exact_law(policy, rounds).distribution() for policy in policies}
    optimal = evaluate_optimal(solve(rounds, STANDARD))
    laws[optimal.policy] = optimal.law.distribution()
    highest = max(max(law) for law in laws.values())
    columns = [exact(_key(name), f"probability under {name}") for name in laws]
    scores = Table(
        "scores",
        "Laws of the final score",
        [whole("score", "final score", "points"), *columns],
        [
            (score, *(law.probability(score) for law in laws.values()))
            for score in range(highest + 1)
        ],
    )
    title = f"SWE: laws of the final score over {rounds} rounds"
    return Report(title, (), [scores], swe_provenance(STANDARD))


def _key(name: str) -> str:
    return name.lower()


_LAWS = {
    "optimal": (BLUE, "-", "optimal play"),
    "newonly": (ORANGE, "--", "always create"),
    "promoonce": (VERMILION, "-.", "promote each d4 once"),
    "promo": (BLACK, ":", "promote if possible"),
}


def _draw_laws(report: Report) -> "Canvas":
    (scores,) = report.tables
    x = column(scores, "score")
    canvas, axes = sheet(5.0, 3.0)
    for name, (colour, line, label) in _LAWS.items():
        # The chance of at least so many points: laws of several policies stay apart in it.
        rest, tail = mpq(1), []
        for chance in column(scores, name):
            tail.append(rest)
            rest -= chance
        axes.step(x, numbers([*tail]), where="post", color=colour, linestyle=line, label=label)
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
        "SWE: what games are worth, and how many states they have",
        _values,
        _draw_values,
        "rounds",
        size=24,
        smallest=2,
        largest=40,
    ),
    Figure(
        "swe-policy",
        "SWE: where optimal play does not create, and where the score decides",
        _policy,
        _draw_policy,
        "rounds",
        size=24,
        smallest=12,
        largest=26,
    ),
    Figure(
        "swe-laws",
        "SWE: laws of the final score under several policies",
        _laws,
        _draw_laws,
        "rounds",
        size=10,
        smallest=2,
        largest=14,
    ),
)
