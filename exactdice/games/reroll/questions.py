"""What can be asked about the reroll game: one class a command."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from exactdice.arithmetic import RationalLike, mpq
from exactdice.formats.certified import Certified
from exactdice.games.reroll import reports
from exactdice.games.reroll.exact import lookahead, solve, value_table, words
from exactdice.games.reroll.rules import MAX_DICE, MAX_SIDES, RerollRules, read_penalty
from exactdice.question import Question, argument, drawn_seed, option
from exactdice.question.domains import Flag, Listed, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.solve.play import played_by_seed


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
        solved = solve(self.rules(), run)
        asked = None if self.auto else run
        steps, score = played_by_seed(lookahead(solved), self.seed, asked, words(solved.rules))
        return reports.play_report(solved, steps, score, self.seed)


QUESTIONS = (
    RerollValue,
    RerollPolicy,
    RerollTable,
    RerollPlay,
)
