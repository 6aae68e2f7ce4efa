"""Questions about the reroll game, one class per command, and their reports."""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY
from typing import Any

from exactdice.arithmetic import RationalLike, mpq, text
from exactdice.enclosure import points
from exactdice.formats.certified import Certified
from exactdice.games.reroll.exact import (
    RerollOptimum,
    ValueTable,
    best_score,
    lookahead,
    solve,
    value_table,
    words,
)
from exactdice.games.reroll.rules import (
    MAX_DICE,
    MAX_SIDES,
    Number,
    Positions,
    RerollRules,
    Roll,
    read_penalty,
)
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import Flag, Listed, Rational, Whole
from exactdice.report.model import Grid, Quantity, Report, Table, exact, listing, whole
from exactdice.run import Run
from exactdice.solve.play import JudgedStep, played_by_seed, total_regret

# Reports -------------------------------------------------------------------------------------

_STATE = listing("state", "dice in ascending order")
_VALUE = exact("value", "expected score of optimal play", "points")
_BEST_SCORE = exact("best_score", "best possible score", "points")
_SIZES = (
    whole("number_of_states", "different rolls", "states"),
    whole("sticking_states", "rolls on which optimal play sticks", "states"),
)


def _dice(roll: Iterable[Number]) -> tuple[int | str, ...]:
    return tuple(value if isinstance(value, int) else text(value) for value in roll)


def _shape(rules: RerollRules) -> str:
    return f"{rules.dice} {'die' if rules.dice == 1 else 'dice'} of {rules.sides} sides"


def _named(rules: RerollRules) -> str:
    return f"{_shape(rules)}, penalty {text(rules.penalty)}"


def _sizes(solved: RerollOptimum) -> list[Quantity]:
    numbers = len(solved.values), solved.sticking_states
    return [size(number) for size, number in zip(_SIZES, numbers, strict=True)]


def value_report(solved: RerollOptimum) -> Report:
    rules = solved.rules
    score, rolls = best_score(rules)
    return Report.of(
        f"Reroll: value of {_named(rules)}",
        rules.conventions(),
        _VALUE(solved.value),
        *_sizes(solved),
        _BEST_SCORE(mpq(score)),
        listing("best_first_rolls", "first rolls with that score")(tuple(map(_dice, rolls))),
        says=f"points on average with {_named(rules)}, played optimally",
    )


def policy_report(solved: RerollOptimum) -> Report:
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
            listing("action", "positions to hold, from 0; all positions to stick"),
            exact("value", "expected further score", "points"),
            listing("ties", "all optimal actions"),
        ),
        says=f"points on average with {_named(rules)}, played optimally",
    )


def play_report(
    solved: RerollOptimum, steps: Iterable[JudgedStep], score: mpq, seed: int
) -> Report:
    rules, chosen = solved.rules, [step for step in steps if step.action != "roll"]

    def reward(roll: Roll, held: Positions) -> mpq:
        return mpq(rules.stick_score(roll)) if held == rules.sticking else -rules.penalty

    return Report.of(
        f"Reroll: a game of {_named(rules)}",
        rules.conventions() | {"seed": str(seed)},
        exact("score", "final score", "points")(score),
        _VALUE(solved.value),
        exact("regret", "total regret of all turns", "points")(total_regret(chosen).point),
        Table.of(
            "turns",
            "Turns",
            (
                (_dice(at.state), at.action, reward(at.state, at.action), at.best, at.regret.point)
                for at in chosen
            ),
            _STATE,
            listing("action", "positions held; all positions to stick"),
            exact("reward", "reward", "points"),
            listing("best", "first optimal action"),
            exact("regret", "regret: loss of expected score by this action", "points"),
        ),
        says=f"points in this game with {_named(rules)}; optimal play: {points(solved.value)}",
    )


def table_report(table: ValueTable) -> Report:
    cells = Table.of(
        "games",
        "Expected score of optimal play",
        table.rows,
        whole("dice", "number of dice", "dice"),
        whole("sides", "sides of each die", "sides"),
        _VALUE,
        _BEST_SCORE,
        *_SIZES,
        grid=Grid("dice", "sides", "value"),
    )
    dice, sides, cost = table.largest.dice, table.largest.sides, text(table.largest.penalty)
    title = f"Reroll: values of up to {dice} dice of up to {sides} sides, penalty {cost}"
    return Report.of(title, {"bias": "fair", "penalty": f"{cost} for each reroll"}, cells)


# Questions -----------------------------------------------------------------------------------


class _Read(Rational):
    """Exact numbers that a function of the game reads."""

    def __init__(self, reader: Callable[[RationalLike, str], mpq]) -> None:
        self.reader = reader

    def read(self, value: Any, name: str) -> mpq:
        return self.reader(value, name)


_DICE = Whole(least=1, most=MAX_DICE)
_FACES = Whole(least=1, most=MAX_SIDES)


class _Priced(Question):
    _: KW_ONLY
    penalty: mpq = option(_Read(read_penalty), "Cost of each reroll, in points.", default=mpq(1))


class RerollQuestion(_Priced):
    _: KW_ONLY
    dice: int = option(_DICE, "Number of dice.", default=3)
    sides: int | None = option(
        _FACES, "Sides of each die. Default: as many as in --bias or --values, or 6.", metavar="S"
    )
    bias: tuple[mpq, ...] | None = option(
        Listed(Rational(), "P1,P2,…"), "Probability of each side; fair by default."
    )
    values: tuple[mpq, ...] | None = option(
        Listed(Rational(), "V1,V2,…"), "Value of each side; 1 to S by default."
    )

    def check(self) -> None:
        self.rules()

    def rules(self) -> RerollRules:
        return RerollRules(self.dice, self.sides, self.values, self.bias, self.penalty)


class RerollValue(RerollQuestion, Certified, example="--dice 4", takes="1 s for 7 dice"):
    """Expected score of optimal play."""

    game_from = "exactdice.games.reroll.model:game_of_value"

    def report(self, run: Run) -> Report:
        return value_report(solve(self.rules(), run))


class RerollPolicy(RerollQuestion, example="--penalty 1/2", takes="1 s for 7 dice"):
    """Optimal action and value of every roll."""

    def report(self, run: Run) -> Report:
        return policy_report(solve(self.rules(), run))


class RerollTable(_Priced, example="4 8", takes="1 s for 4 dice of 8 sides"):
    """Value of every game of at most DICE fair dice of at most SIDES sides."""

    dice: int = argument(_DICE, "Most dice.")
    sides: int = argument(_FACES, "Most sides.")

    def report(self, run: Run) -> Report:
        return table_report(value_table(self.dice, self.sides, self.penalty, run))


class RerollPlay(
    RerollQuestion, example="--seed 3", takes="your own time, after the game is solved"
):
    """Play one game, with the exact regret of every turn."""

    _: KW_ONLY
    seed: int = drawn_seed()
    auto: bool = option(Flag(), "Let the optimal policy play.")

    def report(self, run: Run) -> Report:
        solved = solve(self.rules(), run)
        player = None if self.auto else run
        steps, score = played_by_seed(lookahead(solved), self.seed, player, words(solved.rules))
        return play_report(solved, steps, score, self.seed)
