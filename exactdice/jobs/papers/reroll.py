"""The numbers of the paper on the reroll game."""

from collections.abc import Iterable, Mapping

from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.games.reroll import Rules, penalty_intervals, solve, study_theta
from exactdice.games.reroll.exact import best_score
from exactdice.games.reroll.rules import Number
from exactdice.games.reroll.theta import Stop, ThetaStudy
from exactdice.jobs.papers.legacy_sheets import Macros, Paper, fraction, paper_table
from exactdice.jobs.papers.stored import StoredData
from exactdice.report.model import text_column, whole

__all__ = ["PAPER"]

_COURSEWORK_THETA = mpq(1, 10)


def _build(_stored: StoredData) -> Mapping[str, str]:
    in_place = study_theta(Rules(), "in-place")
    synchronous = study_theta(Rules(), "synchronous")
    return {
        "numbers.tex": _numbers(in_place, synchronous),
        "stops.tex": _stops(in_place),
        "intervals.tex": _intervals(),
        "games.tex": _games(),
    }


def _at(study: ThetaStudy, theta: mpq) -> Stop:
    stop = study.stop(theta)
    if stop is None:
        raise AssertionError("the study ends above the tolerance that the coursework names")
    return stop


def _least_safe(study: ThetaStudy) -> mpq:
    safe = study.greatest_safe_theta()
    if safe is None:
        raise AssertionError("every tolerance would be safe")
    return safe


def _numbers(in_place: ThetaStudy, synchronous: ThetaStudy) -> str:
    macros = Macros("exactdice reroll policy")
    solved = solve(Rules())
    macros.exact("Value", solved.value)
    macros.decimal("ValueDecimal", solved.value, 6)
    macros.whole("States", len(solved.values))
    macros.whole("Sticking", sum(solved.sticks(roll) for roll in solved.values))
    macros.whole("Policies", solved.iterations)
    macros.whole("ActionsEach", 2**solved.rules.dice)
    score, _ = best_score(solved.rules)
    macros.exact("Best", mpq(score))
    by_name = {
        "RestartValue": (6, 6, 6),
        "HoldOneValue": (1, 6, 6),
        "HoldTwoValue": (1, 2, 2),
        "HoldLowTwoValue": (2, 3, 3),
    }
    for name, roll in by_name.items():
        macros.exact(name, solved.values[roll])
        macros.decimal(f"{name}Decimal", solved.values[roll], 4)
    macros.source("exactdice reroll theta --order in-place, and --order synchronous")
    for name, study in (("InPlace", in_place), ("Synchronous", synchronous)):
        safe, stop = _least_safe(study), _at(study, _COURSEWORK_THETA)
        macros.cut(f"SafeTheta{name}", safe, 6)
        macros.whole(f"Sweeps{name}", stop.sweeps)
        macros.whole(f"Wrong{name}", len(stop.greedy_wrong))
        macros.decimal(f"Error{name}", stop.error, 4)
        macros.text(f"WrongRolls{name}", _named(stop.greedy_wrong))
        if stop.greedy_score is None:
            raise AssertionError("the greedy policy of the coursework's tolerance must end")
        macros.decimal(f"Score{name}", stop.greedy_score, 6)
        macros.decimal(f"Loss{name}", solved.value - stop.greedy_score, 7)
        certain = study.sweeps_until_certain
        macros.text(f"Certain{name}", "never" if certain is None else str(certain))
    macros.decimal("Theta", _COURSEWORK_THETA, 1)
    macros.exact("Gap", in_place.gap)
    macros.decimal("GapDecimal", in_place.gap, 5)
    macros.source("exactdice reroll breakpoints")
    intervals = penalty_intervals(Rules())
    macros.whole("Breakpoints", len(intervals) - 1)
    around = next(i for i in intervals if mpq(1) in i)
    following = intervals[intervals.index(around) + 1]
    macros.text("ChangedAbove", _named(following.changed))
    kept = {tuple(roll[i] for i in following.policy[roll]) for roll in following.changed}
    macros.text("KeptAbove", _named(kept))
    macros.exact("AroundLow", around.above)
    macros.decimal("AroundLowDecimal", around.above, 4)
    if around.below is None:
        raise AssertionError("play must change again above the coursework's penalty")
    macros.exact("AroundHigh", around.below)
    macros.decimal("AroundHighDecimal", around.below, 4)
    macros.decimal("Rerolls", around.rerolls, 4)
    macros.decimal("Total", around.total, 4)
    last = intervals[-1]
    macros.exact("LastBreakpoint", last.above)
    macros.decimal("NeverReroll", last.total, 4)
    return macros.content()


def _named(rolls: Iterable[tuple[Number, ...]]) -> str:
    """Name rolls in a line of text."""
    return " and ".join(f"({', '.join(map(str, roll))})" for roll in sorted(rolls)) or "none"


def _stops(study: ThetaStudy) -> str:
    rows = [
        (
            stop.sweeps,
            decimal(stop.above, 5),
            "" if stop.up_to is None else decimal(stop.up_to, 5),
            decimal(stop.error, 5),
            len(stop.greedy_wrong),
            "" if stop.greedy_score is None else decimal(stop.greedy_score, 6),
        )
        for stop in study.stops
    ]
    return paper_table(
        "Where value iteration in place stops, by its tolerance, and what its greedy policy is "
        "worth; an empty score means that the policy need not end",
        "stops",
        [
            whole("sweeps", "sweeps made"),
            text_column("above", "tolerance", heading="θ above"),
            text_column("up_to", "tolerance", heading="and up to"),
            text_column("error", "greatest error", heading="greatest error"),
            whole("wrong", "wrong actions", heading="rolls played wrongly"),
            text_column("score", "expected score", heading="score of the policy"),
        ],
        rows,
        "exactdice reroll theta --order in-place",
    )


def _intervals() -> str:
    intervals = penalty_intervals(Rules())
    chosen = [*intervals[:4], *(i for i in intervals if mpq(1) in i), *intervals[-4:]]
    rows = [
        (
            fraction(i.above),
            "" if i.below is None else fraction(i.below),
            decimal(i.total, 4),
            decimal(i.rerolls, 4),
            sum(action == Rules().sticking for action in i.policy.values()),
        )
        for i in chosen
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
            whole("sticking", "rolls to stick on", heading="rolls to stick on"),
        ],
        rows,
        "exactdice reroll breakpoints",
    )


def _games() -> str:
    sides = (2, 3, 4, 5, 6, 8)
    rows = [
        (dice, *(decimal(solve(Rules(dice=dice, sides=s)).value, 4) for s in sides))
        for dice in (1, 2, 3, 4)
    ]
    return paper_table(
        "Value of the game by the number of dice (rows) and of sides (columns), penalty as in the "
        "coursework",
        "games",
        [
            whole("dice", "dice"),
            *(text_column(f"s{s}", "sides", heading=f"{s} sides") for s in sides),
        ],
        rows,
        "exactdice reroll table 4 8",
    )


PAPER = Paper("reroll", _build, {"reroll-policy": None, "reroll-theta": None})
