"""Questions about value iteration and breakpoints of the penalty, and their reports."""

from dataclasses import KW_ONLY
from itertools import pairwise

from exactdice.arithmetic import mpq
from exactdice.games.reroll.questions import _STATE, RerollQuestion, _dice, _named, _Read, _shape
from exactdice.question import option
from exactdice.question.domains import Text
from exactdice.report.model import Quantity, Report, Table, exact, flag, listing, whole
from exactdice.run import Run
from exactdice.studies.reroll.breakpoints import PenaltyIntervals, penalty_intervals
from exactdice.studies.reroll.value_iteration import (
    SWEEP_ORDERS,
    Order,
    Tolerances,
    read_tolerance,
    tolerances,
)

_ORDERS: dict[Order, str] = {
    "in-place": "in-place, states in lexicographic order, initial values 0",
    "synchronous": "synchronous, initial values 0",
}
_SWEEPS = whole("sweeps", "number of sweeps", "sweeps")


def tolerances_report(study: Tolerances, tolerance: mpq | None = None) -> Report:
    """Report the tolerances with an optimal policy; with `tolerance` also the result of that."""
    rules, order = study.rules, study.order
    stops = Table.of(
        "stops",
        "Where value iteration stops: above < θ ≤ up to",
        study.stops,
        _SWEEPS,
        exact("above", "exclusive lower end of θ: the change in the last sweep"),
        exact("up_to", "inclusive upper end of θ; empty if unlimited"),
        exact("error", "greatest error of a value", "points"),
        whole("greedy_wrong", "states in which the greedy policy is not optimal", "states").by(
            lambda s: len(s.greedy_wrong)
        ),
        whole("kept_wrong", "states in which the last sweep's action is not optimal", "states").by(
            lambda s: len(s.kept_wrong)
        ),
        exact("greedy_score", "expected score of the greedy policy; empty if it may never end"),
        exact("kept_score", "expected score of the last sweep's actions; empty if never ending"),
    )
    mistakes = Table.of(
        "mistakes",
        "States in which a policy is not optimal",
        (
            (s.sweeps, _dice(roll), roll in s.greedy_wrong, roll in s.kept_wrong)
            for s in study.stops
            for roll in sorted({*s.greedy_wrong, *s.kept_wrong})
        ),
        _SWEEPS,
        _STATE,
        flag("greedy", "whether the greedy policy is not optimal"),
        flag("kept", "whether the last sweep's action is not optimal"),
    )
    title = f"Reroll: tolerances of {order} value iteration, {_named(rules)}"
    conventions = {"order": _ORDERS[order], "ties": "the first action, fewer dice held first"}
    return Report.of(
        title,
        rules.conventions() | conventions,
        exact("greatest_safe_theta", "greatest θ up to which the greedy policy is optimal")(
            study.greatest_safe_theta()
        ),
        exact("greatest_safe_theta_kept", "the same for the actions kept from the last sweep")(
            study.greatest_safe_theta(kept=True)
        ),
        exact("gap", "smallest optimality gap of an action", "points")(study.gap),
        whole("sweeps_until_certain", "sweeps after which every policy is optimal", "sweeps")(
            study.sweeps_until_certain
        ),
        *([] if tolerance is None else _at(study, tolerance)),
        stops,
        mistakes,
    )


def _at(study: Tolerances, tolerance: mpq) -> list[Quantity]:
    """Return the result of one tolerance; below the table its policies are optimal."""
    stop = study.stop(tolerance)
    score = stop.greedy_score if stop else study.value
    loss = None if score is None else study.value - score
    sweeps, error = (stop.sweeps, stop.error) if stop else (None, None)
    wrong = len(stop.greedy_wrong) if stop else 0
    return [
        exact("tolerance", "the given tolerance θ")(tolerance),
        whole("tolerance_sweeps", "its number of sweeps; empty below the table", "sweeps")(sweeps),
        exact("tolerance_error", "its greatest error of a value", "points")(error),
        whole("tolerance_wrong", "states in which its greedy policy is not optimal", "states")(
            wrong
        ),
        exact("tolerance_score", "expected score of this policy; empty if it may never end")(score),
        exact("tolerance_loss", "optimality gap of this policy", "points")(loss),
    ]


def breakpoints_report(intervals: PenaltyIntervals) -> Report:
    rules = intervals.rules
    ranges = Table.of(
        "intervals",
        "Penalties with one optimal policy each",
        intervals,
        exact("above", "lower end", "points"),
        exact("below", "upper end; empty if unlimited", "points"),
        exact("total", "expected total when sticking", "points"),
        exact("rerolls", "expected rerolls; the value is total − penalty × rerolls"),
        whole("sticking_states", "rolls on which the policy sticks", "states").by(
            lambda i: sum(a == rules.sticking for a in i.policy.values())
        ),
    )
    changes = Table.of(
        "changes",
        "Changes at each breakpoint",
        (
            (right.above, _dice(roll), left.policy[roll], right.policy[roll])
            for left, right in pairwise(intervals)
            for roll in right.changed
        ),
        exact("penalty", "the breakpoint", "points"),
        _STATE,
        listing("action_below", "positions held at lower penalties"),
        listing("action_above", "positions held at higher penalties"),
    )
    count = whole("breakpoints", "breakpoints of the penalty")(len(intervals) - 1)
    conventions = {k: v for k, v in rules.conventions().items() if k != "penalty"}
    title = f"Reroll: breakpoints of the penalty, {_shape(rules)}"
    return Report.of(title, conventions, count, ranges, changes)


class RerollTheta(RerollQuestion, example="--order synchronous", takes="1 s for 4 dice"):
    """Tolerances for which value iteration finds the optimal policy."""

    _: KW_ONLY
    order: Order = option(Text(*SWEEP_ORDERS), "Order of updates.", default=SWEEP_ORDERS[1])
    tolerance: mpq | None = option(
        _Read(read_tolerance), "Also report the result of this tolerance."
    )

    def report(self, run: Run) -> Report:
        return tolerances_report(tolerances(self.rules(), self.order, run), self.tolerance)


class RerollBreakpoints(RerollQuestion, example="--dice 2", takes="1 s for 3 dice, a minute for 5"):
    """Penalties at which the optimal policy changes; --penalty has no effect."""

    def report(self, run: Run) -> Report:
        return breakpoints_report(penalty_intervals(self.rules(), run))
