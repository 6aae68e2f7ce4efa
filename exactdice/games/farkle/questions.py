"""What can be asked about Farkle itself: its rules, its dice, and the README."""

from dataclasses import dataclass

from exactdice.games.farkle import reports
from exactdice.games.farkle.fields import WithPenalty
from exactdice.games.farkle.readme import statements
from exactdice.games.farkle.rules.dice_sets import DiceSet, named_dice
from exactdice.games.farkle.rules.menus import menus_of
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.certain_banking import mean_best
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.run import Run


@dataclass(frozen=True)
class Rules(WithPenalty, command="farkle rules", example="farkle rules", takes="a moment"):
    """What scores, and every convention."""

    def report(self, run: Run) -> Report:
        """List them."""
        return reports.rules_report(self.game())


@dataclass(frozen=True)
class Dice(Question, command="farkle dice", example="farkle dice", takes="a moment"):
    """List the named dice."""

    def report(self, run: Run) -> Report:
        """List them, with the mean score of each alone."""
        alone = {
            name: mean_best(menus_of(KCD, DiceSet([die]), prune=True), 1)
            for name, die in named_dice().items()
        }
        return reports.dice_report(alone)


@dataclass(frozen=True)
class Readme(Question, command="farkle readme", example="farkle readme", takes="a moment"):
    """Check the figures of the KCD Farkle README."""

    def report(self, run: Run) -> Report:
        """Compute what its definitions give."""
        return reports.readme_report(statements())


#: Every question of this game, in the order in which help lists them.
QUESTIONS = (Rules, Dice, Readme)
