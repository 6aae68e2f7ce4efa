"""Reports of the reroll game: value, policy, tolerances, breakpoints, and games played."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, rational, text
from exactdice.games.reroll import (
    Interval,
    Rules,
    Solved,
    best_score,
    penalty_intervals,
    solve,
    study_theta,
)
from exactdice.games.reroll.exact import END, storage
from exactdice.games.reroll.play import Turn
from exactdice.games.reroll.rules import Number
from exactdice.memory import require_memory
from exactdice.report.model import (
    Grid,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.solvers.value_iteration import SWEEP_ORDERS, Order
from exactdice.tables.entry import Entry

__all__ = [
    "breakpoints_report",
    "certificate_report",
    "entries",
    "play_report",
    "policy_report",
    "table_report",
    "theta_report",
    "value_report",
]

Progress: TypeAlias = "Callable[[int, int], None] | None"  # told what is done, and of how much

_STATE = listing("state", "dice in ascending order")
_VALUE = exact("value", "expected score of optimal play", "points")


def _provenance(rules: Rules, **further: str) -> Provenance:
    return Provenance(conventions=rules.conventions() | further)


def _dice(roll: Iterable[Number]) -> tuple[int | str, ...]:
    return tuple(value if isinstance(value, int) else text(value) for value in roll)


def _shape(rules: Rules) -> str:
    return f"{rules.dice} {'die' if rules.dice == 1 else 'dice'} of {rules.sides} sides"


def _named(rules: Rules) -> str:
    return f"{_shape(rules)}, penalty {text(rules.penalty)}"


def value_report(rules: Rules, *, force: bool = False) -> Report:
    """Report what a game is worth before the first roll."""
    solved = solve(rules, force=force)
    score, rolls = best_score(rules)
    return Report(
        f"Reroll: value of {_named(rules)}",
        [
            Quantity(_VALUE, solved.value),
            *_sizes(solved),
            Quantity(exact("best_score", "best possible score", "points"), mpq(score)),
            Quantity(
                listing("best_first_rolls", "first rolls that earn it"), tuple(map(_dice, rolls))
            ),
        ],
        provenance=_provenance(rules),
    )


def _sizes(solved: Solved) -> list[Quantity]:
    return [
        Quantity(whole("number_of_states", "different rolls", "states"), len(solved.values)),
        Quantity(
            whole("sticking_states", "rolls on which the policy sticks", "states"),
            sum(solved.sticks(roll) for roll in solved.values),
        ),
        Quantity(text_column("method", "the exact solver"), solved.method),
        Quantity(whole("iterations", "policies evaluated exactly"), solved.iterations),
    ]


def policy_report(rules: Rules, *, force: bool = False) -> Report:
    """Report the optimal action and the value of every roll."""
    solved = solve(rules, force=force)
    states = Table(
        "states",
        "Optimal play",
        [
            _STATE,
            listing("action", "positions to hold, from 0; all of them is to stick"),
            exact("value", "expected further score", "points"),
            listing("ties", "all optimal actions"),
        ],
        [(_dice(r), solved.policy[r], v, solved.ties[r]) for r, v in solved.values.items()],
    )
    summary = [Quantity(_VALUE, solved.value), *_sizes(solved)]
    title = f"Reroll: optimal play of {_named(rules)}"
    return Report(title, summary, [states], _provenance(rules))


def certificate_report(rules: Rules, *, force: bool = False) -> Report:
    """Report what proves the values: checked before it is written, and open to any other check.

    The states are the rolls, the partial holds, to which one more die is rolled, and the end.
    """
    solved = solve(rules, force=force)
    certificate = solved.certificate()
    certificate.check(solved.solution.process)
    states = Table(
        "states",
        "Values, actions and ranks",
        [
            text_column("kind", "roll, hold (of some dice, one more is rolled next) or end"),
            listing("dice", "values shown or held, in ascending order"),
            exact("value", "expected further score", "points"),
            listing("action", "positions held; empty for a hold, which only rolls on"),
            whole("rank", "the action leads to a state of lower rank; 0 is the end"),
        ],
        [
            (
                "end" if state == END else "roll" if state in solved.policy else "hold",
                () if state == END else _dice(state),
                value,
                solved.policy.get(state, ()),
                certificate.ranks[state],
            )
            for state, value in certificate.values.items()
        ],
    )
    proof = {
        "proof": "the value of a roll is the best of its score and, for every hold, the hold's "
        "value less the penalty; of a hold, the mean over the next die; ranks fall to 0, so play "
        "by these actions ends"
    }
    title = f"Reroll: certificate of {_named(rules)}"
    value = Quantity(_VALUE, solved.value)
    return Report(title, [value], [states], _provenance(rules, **proof))


def theta_report(
    rules: Rules, order: Order = "in-place", *, force: bool = False, progress: Progress = None
) -> Report:
    """Report for which tolerances value iteration finds an optimal policy."""
    study = study_theta(rules, order, force=force, progress=progress)
    stops = Table(
        "stops",
        "Where value iteration stops: above < θ ≤ up to",
        [
            whole("sweeps", "sweeps made", "sweeps"),
            exact("above", "the tolerance θ is above this; the change in the last sweep"),
            exact("up_to", "and at most this; empty where there is no limit"),
            exact("error", "greatest error of a value", "points"),
            whole("greedy_wrong", "states where the greedy policy is not optimal", "states"),
            whole("kept_wrong", "states where the last sweep's actions are not", "states"),
            exact("greedy_score", "what the greedy policy earns; empty if it need not end"),
            exact("kept_score", "what the last sweep's actions earn; empty if they need not end"),
        ],
        [
            (
                *(s.sweeps, s.above, s.up_to, s.error),
                *(len(s.greedy_wrong), len(s.kept_wrong), s.greedy_score, s.kept_score),
            )
            for s in study.stops
        ],
    )
    mistakes = Table(
        "mistakes",
        "States in which a policy is not optimal",
        [
            whole("sweeps", "sweeps made", "sweeps"),
            _STATE,
            flag("greedy", "whether the greedy policy is wrong there"),
            flag("kept", "whether the last sweep's action is wrong there"),
        ],
        [
            (s.sweeps, _dice(roll), roll in s.greedy_wrong, roll in s.kept_wrong)
            for s in study.stops
            for roll in sorted({*s.greedy_wrong, *s.kept_wrong})
        ],
    )
    summary = [
        Quantity(
            exact("greatest_safe_theta", "every θ up to this gives an optimal greedy policy"),
            study.greatest_safe_theta(),
        ),
        Quantity(
            exact("greatest_safe_theta_kept", "and this, optimal actions kept from the last sweep"),
            study.greatest_safe_theta(kept=True),
        ),
        Quantity(
            exact("gap", "least amount by which an action falls short of optimal", "points"),
            study.gap,
        ),
        Quantity(
            whole("sweeps_until_certain", "sweeps after which no policy can be wrong", "sweeps"),
            study.sweeps_until_certain,
        ),
    ]
    title = f"Reroll: tolerances of {order} value iteration, {_named(rules)}"
    return Report(title, summary, [stops, mistakes], _provenance(rules, order=_ORDERS[order]))


_ORDERS: dict[Order, str] = {
    "in-place": "in-place, states in lexicographic order, all values 0 at first",
    "synchronous": "synchronous, all values 0 at first",
}


def breakpoints_report(rules: Rules, *, force: bool = False, progress: Progress = None) -> Report:
    """Report the penalties at which the optimal policy changes."""
    intervals = penalty_intervals(rules, force=force, progress=progress)
    ranges = Table(
        "intervals",
        "Penalties with one optimal policy each",
        [
            exact("above", "lower end", "points"),
            exact("below", "upper end; empty where there is none", "points"),
            exact("total", "expected total on sticking", "points"),
            exact("rerolls", "expected rerolls; the game is worth total − penalty × rerolls"),
            whole("sticking_states", "rolls on which the policy sticks", "states"),
        ],
        [
            (
                i.above,
                i.below,
                i.total,
                i.rerolls,
                sum(a == rules.sticking for a in i.policy.values()),
            )
            for i in intervals
        ],
    )
    changes = Table(
        "changes",
        "What changes at each breakpoint",
        [
            exact("penalty", "the breakpoint", "points"),
            _STATE,
            listing("action_below", "positions held at lower penalties"),
            listing("action_above", "positions held at higher ones"),
        ],
        list(_changes(intervals)),
    )
    count = Quantity(whole("breakpoints", "breakpoints of the penalty"), len(intervals) - 1)
    conventions = {k: v for k, v in rules.conventions().items() if k != "penalty"}
    title = f"Reroll: breakpoints of the penalty, {_shape(rules)}"
    return Report(title, [count], [ranges, changes], Provenance(conventions=conventions))


def _changes(
    intervals: Sequence[Interval],
) -> Iterator[tuple[mpq, tuple[int | str, ...], tuple[int, ...], tuple[int, ...]]]:
    for left, right in pairwise(intervals):
        for roll in right.changed:
            yield right.above, _dice(roll), left.policy[roll], right.policy[roll]


def play_report(solved: Solved, turns: Sequence[Turn], seed: int) -> Report:
    """Report one game, turn by turn, against optimal play.

    `seed` is what the random generator that rolled the dice was started with.
    """
    score = sum((mpq(turn.reward) for turn in turns), mpq(0))
    moves = Table(
        "turns",
        "Turns",
        [
            _STATE,
            listing("action", "positions held; all of them is to stick"),
            exact("reward", "what it paid", "points"),
            listing("best", "the first optimal action"),
            exact("given_away", "how much less it can expect than the best", "points"),
        ],
        [(_dice(t.roll), t.held, mpq(t.reward), t.best, t.given_away) for t in turns],
    )
    summary = [
        Quantity(exact("score", "final score", "points"), score),
        Quantity(exact("value", "expected score of optimal play", "points"), solved.value),
        Quantity(
            exact("given_away", "expected points given away by all turns", "points"),
            sum((turn.given_away for turn in turns), mpq(0)),
        ),
    ]
    title = f"Reroll: a game of {_named(solved.rules)}"
    conventions = _provenance(solved.rules, seed=str(seed))
    return Report(title, summary, [moves], conventions)


def table_report(
    dice: int, sides: int, penalty: RationalLike = 1, *, force: bool = False
) -> Report:
    """Report the value of every game of fair dice up to a number of dice and of sides."""
    if not force:
        largest = Rules(dice=dice, sides=sides, penalty=penalty)
        require_memory(storage(largest), f"a game of {_shape(largest)}", or_force=True)
    games = [
        solve(Rules(dice=n, sides=s, penalty=penalty), force=force)
        for n in range(1, dice + 1)
        for s in range(1, sides + 1)
    ]
    cells = Table(
        "games",
        "Expected score of optimal play",
        [
            whole("dice", "number of dice", "dice"),
            whole("sides", "sides of each", "sides"),
            _VALUE,
            exact("best_score", "best possible score", "points"),
            whole("number_of_states", "different rolls", "states"),
            whole("sticking_states", "rolls on which the policy sticks", "states"),
        ],
        [
            (
                *(game.rules.dice, game.rules.sides, game.value, mpq(best_score(game.rules)[0])),
                *(len(game.values), sum(game.sticks(roll) for roll in game.values)),
            )
            for game in games
        ],
        Grid("dice", "sides", "value"),
    )
    cost = text(rational(penalty, "penalty"))
    conventions = {"bias": "fair", "penalty": f"{cost} for each reroll"}
    title = f"Reroll: values of up to {dice} dice of up to {sides} sides, penalty {cost}"
    return Report(title, (), [cells], Provenance(conventions=conventions))


#: The coursework's example of a modified game.
LOADED = Rules(dice=4, sides=3, bias=["1/10", "1/10", "8/10"], penalty=2)


def entries() -> Iterator[Entry]:
    """Yield the reports of the main job."""
    loaded = " --dice 4 --sides 3 --bias 1/10,1/10,8/10 --penalty 2"
    for name, rules, options in (("3-dice", Rules(), ""), ("4-loaded-dice", LOADED, loaded)):
        for verb, report in (("policy", policy_report), ("breakpoints", breakpoints_report)):
            yield Entry(
                f"reroll/{verb}-{name}",
                partial(report, rules),
                f"exactdice reroll {verb}{options}",
            )
    yield Entry(
        "reroll/certificate-3-dice",
        partial(certificate_report, Rules()),
        "exactdice reroll certificate",
    )
    yield Entry("reroll/values-4x8", partial(table_report, 4, 8), "exactdice reroll table 4 8")
    for order in SWEEP_ORDERS:
        yield Entry(
            f"reroll/theta-{order}",
            partial(theta_report, Rules(), order),
            f"exactdice reroll theta --order {order}",
        )
