"""What can be asked about all sets of the named dice."""

from dataclasses import KW_ONLY, MISSING, dataclass

from gmpy2 import mpq

from exactdice.errors import InputError
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.exact import Overshoot
from exactdice.games.farkle.fields import Conventions, DiceSets
from exactdice.question import option
from exactdice.question.domains import Choice, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run

__all__ = ["Sets"]


@dataclass(frozen=True)
class Sets(
    Conventions,
    command="farkle sets",
    example="farkle sets --above 6300 --hold 'weighted*5'",
    takes="10 s at most where a bound decides, else 2 ms a set",
):
    """Sets of the named dice that are worth at least so many points, proved."""

    _: KW_ONLY
    above: mpq = option(
        Rational(), "Expected points of a turn that a set is worth.", default=MISSING
    )
    hold: DiceSet | None = option(DiceSets(), "Dice that every set holds; the others are not so.")
    without: DiceSet | None = option(DiceSets(), "Kinds of which none of the others is.")
    size: int = option(Whole(least=1), "Dice of a set.", default=6)
    overshoot: Overshoot = option(
        Choice(Overshoot), "What points past the target are worth.", default=Overshoot.FULL
    )

    def check(self) -> None:
        """Refuse rules without a target, and more dice than they allow."""
        from exactdice.games.farkle.sets_above import named_block

        super().check()
        self.reachable(counts_streaks=False)
        if self.size > self.rules.dice:
            raise InputError("size", self.size, f"at most {self.rules.dice}, by the rules")
        named_block(self.hold, self.without, self.size)

    def report(self, run: Run) -> Report:
        """Bound the worth of all sets at once, and enclose each where that does not decide."""
        from exactdice.games.farkle.set_reports import sets_report
        from exactdice.games.farkle.sets_above import named_block, sets_above

        block, game = named_block(self.hold, self.without, self.size), self.game()
        found = sets_above(block, self.above, game, self.overshoot, run)
        return sets_report(found, self.hold, self.without, game, self.overshoot)
