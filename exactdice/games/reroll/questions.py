"""What can be asked about the reroll game: one class a command."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from exactdice.arithmetic import RationalLike, mpq, natural
from exactdice.errors import InputError
from exactdice.formats.certified import Certified
from exactdice.games.reroll import reports
from exactdice.games.reroll.dice_game import Player, optimal_player, play
from exactdice.games.reroll.exact import RerollOptimum, solve, value_table
from exactdice.games.reroll.rules import (
    MAX_DICE,
    MAX_SIDES,
    Positions,
    RerollRules,
    Roll,
    read_penalty,
)
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import Flag, Listed, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run


class _Read(Rational):
    """Exact numbers that a function of the game reads."""

    def __init__(self, reader: Callable[[RationalLike, str], mpq]) -> None:
        self.reader = reader

    def read(self, value: Any, name: str) -> mpq:
        return self.reader(value, name)


_DICE = Whole(least=1, most=MAX_DICE)
_SIDES = Whole(least=1, most=MAX_SIDES)


@dataclass(frozen=True)
class _Priced(Question):
    """What every game has."""

    _: KW_ONLY
    penalty: mpq = option(_Read(read_penalty), "What each reroll costs, in points.", default=mpq(1))


@dataclass(frozen=True)
class RerollQuestion(_Priced):
    """The dice of one game, and what a reroll costs."""

    _: KW_ONLY
    dice: int = option(_DICE, "How many dice.", default=3)
    sides: int | None = option(
        _SIDES, "Sides of each; 6 unless the lists say otherwise.", metavar="S"
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
        """Give the rules that the fields describe."""
        return RerollRules(self.dice, self.sides, self.values, self.bias, self.penalty)


@dataclass(frozen=True)
class RerollValue(
    RerollQuestion,
    Certified,
    command="reroll value",
    example="reroll value --dice 4",
    takes="1 s for 7 dice",
):
    """Expected score of optimal play."""

    game_from = "exactdice.games.reroll.model:game_of_value"

    def report(self, run: Run) -> Report:
        return reports.value_report(solve(self.rules(), run))


@dataclass(frozen=True)
class RerollPolicy(
    RerollQuestion,
    command="reroll policy",
    example="reroll policy --penalty 1/2",
    takes="1 s for 7 dice",
):
    """Optimal action and value of every roll."""

    def report(self, run: Run) -> Report:
        return reports.policy_report(solve(self.rules(), run))


@dataclass(frozen=True)
class RerollTable(
    _Priced, command="reroll table", example="reroll table 4 8", takes="1 s for 4 dice of 8 sides"
):
    """Value of every game of fair dice up to N dice of S sides."""

    dice: int = argument(_DICE, "Most dice.", metavar="N")
    sides: int = argument(_SIDES, "Most sides.", metavar="S")

    def report(self, run: Run) -> Report:
        return value_table(self.dice, self.sides, self.penalty, run).report()


@dataclass(frozen=True)
class RerollPlay(
    RerollQuestion,
    command="reroll play",
    example="reroll play --seed 3",
    takes="as long as you do, once the game is solved",
):
    """Play one game; every turn is judged exactly."""

    _: KW_ONLY
    seed: int = drawn_seed()
    auto: bool = option(Flag(), "Let the exact policy play.")

    @property
    def is_interactive(self) -> bool:
        return not self.auto

    def report(self, run: Run) -> Report:
        import numpy as np  # takes 0.1 s to load: not for the other commands

        solved = solve(self.rules(), run)
        player = optimal_player(solved) if self.auto else _person(solved, run)
        game = play(solved, player, np.random.default_rng(self.seed))
        return reports.play_report(game, self.seed)


def _person(solved: RerollOptimum, run: Run) -> Player:
    """Someone who is asked what to hold."""
    run.say(
        "Hold dice by their positions from 0, as in: 0 2. An empty line rolls all again; "
        "stick ends the game."
    )

    def read(line: str) -> Positions:
        words = line.replace(",", " ").split()
        if words == ["stick"]:
            return solved.rules.sticking
        held = tuple(natural(word, "hold", most=solved.rules.dice - 1) for word in words)
        if len(set(held)) < len(held):
            raise InputError("hold", line, "each position at most once")
        return held

    def choose(roll: Roll) -> Positions:
        return run.choose(f"{' '.join(map(str, roll))}  hold? ", read)

    return choose


QUESTIONS = (
    RerollValue,
    RerollPolicy,
    RerollTable,
    RerollPlay,
)
