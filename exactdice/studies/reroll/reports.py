"""Reports of value iteration and of penalties at which the optimal policy changes."""

from itertools import pairwise

from exactdice.arithmetic import mpq
from exactdice.games.reroll.reports import _STATE, _dice, _named, _shape
from exactdice.report.model import Quantity, Report, Table, exact, flag, listing, whole
from exactdice.studies.reroll.breakpoints import PenaltyIntervals
from exactdice.studies.reroll.value_iteration import Order, Tolerances


def tolerances_report(study: Tolerances, tolerance: mpq | None = None) -> Report:
    """Report for which tolerances value iteration finds an optimal policy.

    Where a `tolerance` is given, the report says also what that one leads to.
    """
    rules, order = study.rules, study.order
    stops = Table.of(
        "stops",
        "Where value iteration stops: above < θ ≤ up to",
        study.stops,
        whole("sweeps", "sweeps made", "sweeps"),
        exact("above", "the tolerance θ is above this; the change in the last sweep"),
        exact("up_to", "and at most this; empty where there is no limit"),
        exact("error", "greatest error of a value", "points"),
        whole("greedy_wrong", "states where the greedy policy is not optimal", "states").by(
            lambda s: len(s.greedy_wrong)
        ),
        whole("kept_wrong", "states where the last sweep's actions are not", "states").by(
            lambda s: len(s.kept_wrong)
        ),
        exact("greedy_score", "what the greedy policy earns; empty if it need not end"),
        exact("kept_score", "what the last sweep's actions earn; empty if they need not end"),
    )
    mistakes = Table.of(
        "mistakes",
        "States in which a policy is not optimal",
        (
            (s.sweeps, _dice(roll), roll in s.greedy_wrong, roll in s.kept_wrong)
            for s in study.stops
            for roll in sorted({*s.greedy_wrong, *s.kept_wrong})
        ),
        whole("sweeps", "sweeps made", "sweeps"),
        _STATE,
        flag("greedy", "whether the greedy policy is wrong there"),
        flag("kept", "whether the last sweep's action is wrong there"),
    )
    summary = [
        exact("greatest_safe_theta", "every θ up to this gives an optimal greedy policy")(
            study.greatest_safe_theta()
        ),
        exact("greatest_safe_theta_kept", "and this, optimal actions kept from the last sweep")(
            study.greatest_safe_theta(kept=True)
        ),
        exact("gap", "least amount by which an action falls short of optimal", "points")(study.gap),
        whole("sweeps_until_certain", "sweeps after which no policy can be wrong", "sweeps")(
            study.sweeps_until_certain
        ),
    ]
    if tolerance is not None:
        summary += _at(study, tolerance)
    title = f"Reroll: tolerances of {order} value iteration, {_named(rules)}"
    conventions = {"order": _ORDERS[order], "ties": "the first action, fewer dice held first"}
    return Report.of(title, rules.conventions() | conventions, *summary, stops, mistakes)


_BELOW = None, None, 0


def _at(study: Tolerances, tolerance: mpq) -> list[Quantity]:
    """Say where one tolerance stops; below the table, that its policies are optimal."""
    stop = study.stop(tolerance)
    score = stop.greedy_score if stop else study.value
    sweeps, error, wrong = (stop.sweeps, stop.error, len(stop.greedy_wrong)) if stop else _BELOW
    return [
        exact("tolerance", "the tolerance θ that was asked about")(tolerance),
        whole("tolerance_sweeps", "sweeps that it makes; empty below the table", "sweeps")(sweeps),
        exact("tolerance_error", "greatest error of a value then", "points")(error),
        whole("tolerance_wrong", "states where its greedy policy is not optimal", "states")(wrong),
        exact("tolerance_score", "what that policy earns; empty if it need not end")(score),
        exact("tolerance_loss", "how much less that is than optimal play", "points")(
            None if score is None else study.value - score
        ),
    ]


_ORDERS: dict[Order, str] = {
    "in-place": "in-place, states in lexicographic order, all values 0 at first",
    "synchronous": "synchronous, all values 0 at first",
}


def breakpoints_report(intervals: PenaltyIntervals) -> Report:
    """Report the penalties at which the optimal policy changes."""
    rules = intervals.rules
    ranges = Table.of(
        "intervals",
        "Penalties with one optimal policy each",
        intervals,
        exact("above", "lower end", "points"),
        exact("below", "upper end; empty where there is none", "points"),
        exact("total", "expected total on sticking", "points"),
        exact("rerolls", "expected rerolls; the game is worth total − penalty × rerolls"),
        whole("sticking_states", "rolls on which the policy sticks", "states").by(
            lambda i: sum(a == rules.sticking for a in i.policy.values())
        ),
    )
    changes = Table.of(
        "changes",
        "What changes at each breakpoint",
        (
            (right.above, _dice(roll), left.policy[roll], right.policy[roll])
            for left, right in pairwise(intervals)
            for roll in right.changed
        ),
        exact("penalty", "the breakpoint", "points"),
        _STATE,
        listing("action_below", "positions held at lower penalties"),
        listing("action_above", "positions held at higher ones"),
    )
    count = whole("breakpoints", "breakpoints of the penalty")(len(intervals) - 1)
    conventions = {k: v for k, v in rules.conventions().items() if k != "penalty"}
    title = f"Reroll: breakpoints of the penalty, {_shape(rules)}"
    return Report.of(title, conventions, count, ranges, changes)
