"""The numbers of the paper on the reroll game."""

from collections.abc import Mapping
from typing import Any

from exactdice.report.model import Table, text_column
from exactdice.report.model import whole as whole_column
from exactdice.studies.reroll.sources import COURSEWORK
from exactdice.studies.reroll.value_iteration import SWEEP_ORDERS
from papers.make.sheets import (
    Macros,
    Paper,
    Shown,
    Sources,
    cut,
    decimal,
    exact,
    paper_table,
    whole,
)

__all__ = ["PAPER"]

_THETA = f"reroll theta --tolerance {COURSEWORK['tolerance']}"
_SIDES = (2, 3, 4, 5, 6, 8)
_ROLLS = {
    "RestartValue": (6, 6, 6),
    "HoldOneValue": (1, 6, 6),
    "HoldTwoValue": (1, 2, 2),
    "HoldLowTwoValue": (2, 3, 3),
}


def _build(sources: Sources) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(sources),
        "stops.tex": _stops(sources),
        "intervals.tex": _intervals(sources),
        "games.tex": _games(sources),
    }


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    answer = macros.source("reroll policy")
    macros.add("Value", exact(answer.value("value")))
    macros.add("ValueDecimal", decimal(answer.value("value"), 6))
    macros.add("States", whole(answer.value("number_of_states")))
    macros.add("Sticking", whole(answer.value("sticking_states")))
    macros.add("ActionsEach", whole(answer.value("actions_each")))
    for name, roll in _ROLLS.items():
        value = answer.table("states").cell("value", state=roll)
        macros.add(name, exact(value))
        macros.add(f"{name}Decimal", decimal(value, 4))
    macros.add("Best", exact(macros.source("reroll value").value("best_score")))
    for order in reversed(SWEEP_ORDERS):
        _tolerances(macros, order)
    _breakpoints(macros)
    return macros.content()


def _tolerances(macros: Macros, order: str) -> None:
    found = macros.source(f"{_THETA} --order {order}")
    name = order.title().replace("-", "")
    macros.add(f"SafeTheta{name}", cut(found.value("greatest_safe_theta"), 6))
    sweeps = found.value("tolerance_sweeps")
    macros.add(f"Sweeps{name}", whole(sweeps))
    macros.add(f"Wrong{name}", whole(found.value("tolerance_wrong")))
    macros.add(f"Error{name}", decimal(found.value("tolerance_error"), 4))
    mistakes = _rows(found.table("mistakes"))
    wrong = {roll: roll for made, roll, greedy, _ in mistakes if made == sweeps and greedy}
    macros.add(f"WrongRolls{name}", _named(wrong))
    macros.add(f"Score{name}", decimal(found.value("tolerance_score"), 6))
    macros.add(f"Loss{name}", decimal(found.value("tolerance_loss"), 7))
    macros.add(f"Certain{name}", whole(found.value("sweeps_until_certain")))
    if order == SWEEP_ORDERS[-1]:
        macros.add("Theta", decimal(found.value("tolerance"), 1))
        macros.add("Gap", exact(found.value("gap")))
        macros.add("GapDecimal", decimal(found.value("gap"), 5))


def _breakpoints(macros: Macros) -> None:
    answer = macros.source("reroll breakpoints")
    macros.add("Breakpoints", whole(answer.value("breakpoints")))
    intervals, changes = _rows(answer.table("intervals")), _rows(answer.table("changes"))
    low, high, total, rerolls, _ = intervals[_around(intervals)]
    following = [(roll, held) for penalty, roll, _, held in changes if penalty == high]
    macros.add("ChangedAbove", _named({roll: roll for roll, _ in following}))
    macros.add(
        "KeptAbove", _named({tuple(roll[i] for i in held): roll for roll, held in following})
    )
    for name, end in (("AroundLow", low), ("AroundHigh", high)):
        macros.add(name, exact(end))
        macros.add(f"{name}Decimal", decimal(end, 4))
    macros.add("Rerolls", decimal(rerolls, 4))
    macros.add("Total", decimal(total, 4))
    last, _, never, *_ = intervals[-1]
    macros.add("LastBreakpoint", exact(last))
    macros.add("NeverReroll", decimal(never, 4))


def _rows(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.rows]


def _around(intervals: list[tuple[Any, ...]]) -> int:
    """Find the interval that contains the coursework's penalty, 1."""
    return next(i for i, (low, high, *_) in enumerate(intervals) if low < 1 < high)


def _named(rolls: Mapping[Any, Any]) -> Shown:
    """Write rolls or kept dice in a formula, each with the cell of its source."""
    words = [f"({', '.join(map(str, roll))})" for roll in sorted(rolls)]
    return Shown(r" \text{ and } ".join(words) or r"\text{none}", tuple(rolls.values()))


def _stops(sources: Sources) -> str:
    stops = _rows(sources.ask(_THETA).table("stops"))
    rows = [
        (
            whole(sweeps),
            decimal(above, 5),
            decimal(up_to, 5) if up_to is not None else "no bound",
            decimal(error, 5),
            whole(wrong),
            decimal(score, 6) if score is not None else "none",
        )
        for sweeps, above, up_to, error, wrong, _, score, _ in stops
    ]
    return paper_table(
        "Where value iteration in place stops, by its tolerance $\\theta$, and what its greedy "
        "policy is worth; states in lexicographic order, and of equally good actions the first, "
        "those that hold fewer dice before others",
        "stops",
        [
            text_column("sweeps", "sweeps made"),
            text_column("above", "tolerance", heading="$\\theta$ above"),
            text_column("up_to", "tolerance", heading="and up to"),
            text_column("error", "greatest error", heading="greatest error"),
            text_column("wrong", "wrong actions", heading="rolls played wrongly"),
            text_column("score", "expected score", heading="score of the policy"),
        ],
        rows,
        sources,
        [_THETA],
    )


def _intervals(sources: Sources) -> str:
    command = "reroll breakpoints"
    intervals = _rows(sources.ask(command).table("intervals"))
    around = _around(intervals)
    rows = [
        (
            exact(above),
            "no bound" if below is None else exact(below),
            decimal(total, 4),
            decimal(rerolls, 4),
            whole(sticking),
        )
        for above, below, total, rerolls, sticking in (
            *intervals[:4],
            intervals[around],
            *intervals[-4:],
        )
    ]
    return paper_table(
        "Ranges of the penalty with one optimal policy each: the first four, the one that holds "
        "the coursework's penalty, and the last four; the game is worth the total less the "
        "penalty times the rerolls",
        "intervals",
        [
            text_column("above", "from", heading="penalty above"),
            text_column("below", "to", heading="and below"),
            text_column("total", "total on sticking", heading="expected total"),
            text_column("rerolls", "rerolls", heading="expected rerolls"),
            text_column("sticking", "rolls to stick on", heading="rolls to stick on"),
        ],
        rows,
        sources,
        [command],
    )


def _games(sources: Sources) -> str:
    command = "reroll table 4 8"
    games = sources.ask(command).table("games")
    rows = [
        (dice, *(decimal(games.cell("value", dice=dice, sides=s), 4) for s in _SIDES))
        for dice in (1, 2, 3, 4)
    ]
    return paper_table(
        "Value of the game by the number of dice (rows) and of sides (columns), penalty as in the "
        "coursework",
        "games",
        [
            whole_column("dice", "dice"),
            *(text_column(f"s{s}", "sides", heading=f"{s} sides") for s in _SIDES),
        ],
        rows,
        sources,
        [command],
    )


PAPER = Paper("reroll", _build, {"reroll-policy": None, "reroll-theta": None})
