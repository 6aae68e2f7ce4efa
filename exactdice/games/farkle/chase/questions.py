"""What can be asked about turn after turn towards a target."""

from dataclasses import KW_ONLY, dataclass

from exactdice.errors import InputError
from exactdice.games.farkle.chase.chances import BestChance
from exactdice.games.farkle.chase.reports import chance_report
from exactdice.games.farkle.chase.turns import turn_counts
from exactdice.games.farkle.questions import POINTS, DiceQuestion, TurnPosition
from exactdice.games.farkle.rules.rule_set import STREAK
from exactdice.question import option
from exactdice.question.domains import Flag, Whole
from exactdice.report.model import Report
from exactdice.run import Run


@dataclass(frozen=True)
class FarkleTurns(
    DiceQuestion,
    command="farkle turns",
    example="farkle turns --target 4000",
    takes="3 s to 4000 points",
):
    """Distribution of the number of turns to the target."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Turns to look at.", default=20, metavar="K")
    exact: bool = option(Flag(), "Exact fractions, however long they are.")

    def check(self) -> None:
        super().check()
        self.reachable()

    def report(self, run: Run) -> Report:
        return turn_counts(self.dice, self.game(), self.turns, run, exact=self.exact).report()


@dataclass(frozen=True)
class FarkleChance(
    TurnPosition,
    command="farkle chance",
    example="farkle chance --target 2000 --turns 2",
    takes="a second a turn",
):
    """Best chance to reach the target within this turn, or within K turns."""

    _: KW_ONLY
    turns: int = option(Whole(least=1), "Turns, this one included.", default=1, metavar="K")
    score: int = option(POINTS, "Points banked before.", default=0)
    busts: int = option(Whole(most=STREAK - 1), "Busts in a row before this turn.", default=0)

    def check(self) -> None:
        game = self.reachable()
        if self.busts and not game.streak_penalty:
            raise InputError("busts", self.busts, "0: busts in a row cost nothing by these rules")
        super().check()
        banked = game.whole_points(self.score, "score")
        if game.target is not None and banked + self.points >= game.target:
            raise InputError("points", banked + self.points, f"a sum below {game.target}")

    def report(self, run: Run) -> Report:
        best = BestChance(self.dice, self.game(), run)
        chance = best.chance(self.turns, self.score, *self.place, self.busts)
        return chance_report(best, chance, self.turns)


QUESTIONS = (FarkleTurns, FarkleChance)
