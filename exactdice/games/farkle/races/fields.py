"""Fields of questions in which two players meet: scores, busts in a row, aims, an opponent."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Any

from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.fields import DiceSets, RuleSets, Turn
from exactdice.games.farkle.races.chances import WinChances
from exactdice.games.farkle.races.contenders import Contender, contender
from exactdice.games.farkle.races.solve import win_chances
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.rule_set import STREAK, RuleSet
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot
from exactdice.question import option
from exactdice.question.domains import Choice, Listed, Whole
from exactdice.run import Run


class Both(Listed[int]):
    """A number for each of two players."""

    def read(self, value: Any, name: str) -> tuple[int, ...]:
        """Read two numbers."""
        numbers = super().read(value, name)
        if len(numbers) != 2:
            got = Unquoted(f"a list of {len(numbers)}")
            raise InputError(name, got, f"two numbers, as {self.metavar}")
        return numbers


class Scores(Both):
    """Points that two players have banked; busts in a row can bring them below 0."""

    def __init__(self) -> None:
        super().__init__(Whole(least=-1_000_000), "OWN,OTHER")

    def describe(self) -> str:
        """Say nothing: the rules bound the scores."""
        return ""


class BustRows(Both):
    """Busts in a row of two players."""

    def __init__(self) -> None:
        super().__init__(Whole(most=STREAK - 1), "OWN,OTHER")


class Aim(StrEnum):
    """What an opponent plays for."""

    WIN = "win"  #: to win, looking at both scores
    POINTS = "points"  #: for the points of each turn


class Play(StrEnum):
    """What the two players of a race play for."""

    OPTIMAL = "optimal"  #: both to win
    POINTS = "points"  #: both for points
    OPTIMAL_POINTS = "optimal-points"  #: the first to win, the second for points


def racing(dice: DiceSet, rules: RuleSet, aim: Aim, name: str) -> Contender:
    """Make a player of a race; what is wrong with the dice is said of the option with that name."""
    try:
        return contender(dice, rules, aim.value)
    except InputError as problem:
        if problem.argument != "dice":
            raise
        raise InputError(name, Unquoted(str(dice)), problem.wanted) from problem


SCORES = Scores()
BUSTS = BustRows()


@dataclass(frozen=True)
class Against(Turn):
    """An opponent in sight, with whom a player plays to win."""

    _: KW_ONLY
    scores: tuple[int, int] | None = option(
        SCORES, "Banked points of yours and of an opponent: play to win."
    )
    opponent: DiceSet = option(DiceSets(), "Dice of the opponent.", default=SIX_FAIR)
    opponent_rules: RuleSet | None = option(
        RuleSets(), "What scores for the opponent; by default as for you."
    )
    opponent_aim: Aim = option(Choice(Aim), "What the opponent plays for.", default=Aim.WIN)
    busts: tuple[int, int] = option(
        BUSTS, "Busts in a row, yours and the opponent's.", default=(0, 0)
    )

    def check(self) -> None:
        """Refuse scores that cannot be, and an opponent without scores."""
        super().check()
        if self.scores is None:
            rival = self.opponent, self.opponent_rules, self.opponent_aim, self.busts
            if rival != (SIX_FAIR, None, Aim.WIN, (0, 0)):
                raise InputError("scores", Unquoted("none"), "both scores, as the opponent counts")
            return
        self.require_dice(self.opponent, "opponent", self.opponent_rules)
        self.require_standing(self.scores, self.busts, self.opponent_rules)
        if self.overshoot != Overshoot.FULL:
            raise InputError(
                "overshoot", str(self.overshoot), "none: play to win asks for no points"
            )
        if self.penalty:
            raise InputError("penalty", self.penalty, "no penalty in a race")

    def race(self, run: Run) -> WinChances:
        """Solve the race against the opponent."""
        theirs = self.game(self.opponent_rules)
        other = racing(self.opponent, theirs, self.opponent_aim, "opponent")
        return win_chances(racing(self.dice, self.game(), Aim.WIN, "dice"), other, run)
