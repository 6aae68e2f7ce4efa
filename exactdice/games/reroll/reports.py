"""Reports of the reroll game: each made from a solution, none by solving."""

from collections.abc import Iterable

from exactdice.arithmetic import mpq, text
from exactdice.games.reroll.exact import RerollOptimum, ValueTable, best_score
from exactdice.games.reroll.rules import Number, Positions, RerollRules, Roll
from exactdice.report.model import Grid, Provenance, Quantity, Report, Table, exact, listing, whole
from exactdice.solve.play import JudgedStep, total_regret

_STATE = listing("state", "dice in ascending order")
_VALUE = exact("value", "expected score of optimal play", "points")


def _dice(roll: Iterable[Number]) -> tuple[int | str, ...]:
    return tuple(value if isinstance(value, int) else text(value) for value in roll)


def _shape(rules: RerollRules) -> str:
    return f"{rules.dice} {'die' if rules.dice == 1 else 'dice'} of {rules.sides} sides"


def _named(rules: RerollRules) -> str:
    return f"{_shape(rules)}, penalty {text(rules.penalty)}"


def value_report(solved: RerollOptimum) -> Report:
    """Report what a game is worth before the first roll."""
    rules = solved.rules
    score, rolls = best_score(rules)
    return Report.of(
        f"Reroll: value of {_named(rules)}",
        rules.conventions(),
        _VALUE(solved.value),
        *_sizes(solved),
        exact("best_score", "best possible score", "points")(mpq(score)),
        listing("best_first_rolls", "first rolls that earn it")(tuple(map(_dice, rolls))),
    )


def _sizes(solved: RerollOptimum) -> list[Quantity]:
    return [
        whole("number_of_states", "different rolls", "states")(len(solved.values)),
        whole("sticking_states", "rolls on which the policy sticks", "states")(
            solved.sticking_states
        ),
    ]


def policy_report(solved: RerollOptimum) -> Report:
    """Report the optimal action and the value of every roll."""
    rules = solved.rules
    actions = whole("actions_each", "actions of each roll: sets of positions to hold", "actions")
    return Report.of(
        f"Reroll: optimal play of {_named(rules)}",
        rules.conventions(),
        _VALUE(solved.value),
        *_sizes(solved),
        actions(2**rules.dice),
        Table.of(
            "states",
            "Optimal play",
            ((_dice(r), solved.policy[r], v, solved.ties[r]) for r, v in solved.values.items()),
            _STATE,
            listing("action", "positions to hold, from 0; all of them is to stick"),
            exact("value", "expected further score", "points"),
            listing("ties", "all optimal actions"),
        ),
    )


def play_report(
    solved: RerollOptimum, steps: Iterable[JudgedStep], score: mpq, seed: int
) -> Report:
    """Report one game, turn by turn, against optimal play."""
    rules, chosen = solved.rules, [step for step in steps if step.action != "roll"]

    def reward(roll: Roll, held: Positions) -> mpq:
        return mpq(rules.stick_score(roll)) if held == rules.sticking else -rules.penalty

    turns = Table(
        "turns",
        "Turns",
        [
            _STATE,
            listing("action", "positions held; all of them is to stick"),
            exact("reward", "what it paid", "points"),
            listing("best", "the first optimal action"),
            exact("regret", "how much less it can expect than the best", "points"),
        ],
        [
            (_dice(at.state), at.action, reward(at.state, at.action), at.best, at.regret.point)
            for at in chosen
        ],
    )
    summary = [
        Quantity(exact("score", "final score", "points"), score),
        Quantity(_VALUE, solved.value),
        Quantity(
            exact("regret", "regret of all turns together", "points"), total_regret(chosen).point
        ),
    ]
    conventions = rules.conventions() | {"seed": str(seed)}
    title = f"Reroll: a game of {_named(rules)}"
    return Report(title, summary, [turns], Provenance(conventions=conventions))


def table_report(table: ValueTable) -> Report:
    """Report the value of every game of fair dice up to a number of dice and of sides."""
    cells = Table.of(
        "games",
        "Expected score of optimal play",
        table.rows,
        whole("dice", "number of dice", "dice"),
        whole("sides", "sides of each", "sides"),
        _VALUE,
        exact("best_score", "best possible score", "points"),
        whole("number_of_states", "different rolls", "states"),
        whole("sticking_states", "rolls on which the policy sticks", "states"),
        grid=Grid("dice", "sides", "value"),
    )
    dice, sides, cost = table.largest.dice, table.largest.sides, text(table.largest.penalty)
    title = f"Reroll: values of up to {dice} dice of up to {sides} sides, penalty {cost}"
    return Report.of(title, {"bias": "fair", "penalty": f"{cost} for each reroll"}, cells)
