"""What can be asked about Risk with s-sided dice, for all s at once: one class a command."""

from dataclasses import KW_ONLY, dataclass

from exactdice.games.risk import closed_form_reports
from exactdice.games.risk.battle_functions import MAX_UNITS, winning_chance
from exactdice.games.risk.round_polynomials import risk_round
from exactdice.games.risk.rules import MAX_DICE, Ties, Units, fighting_units
from exactdice.question import Question, argument, option
from exactdice.question.domains import Choice, Whole
from exactdice.report.model import Report
from exactdice.run import Run

_DICE = Whole(least=1, most=MAX_DICE)


@dataclass(frozen=True)
class RoundPolynomials(
    Question, command="symbolic risk-round", example="symbolic risk-round 3 2", takes="a moment"
):
    """Losses in one round of A dice against D, as polynomials in the sides s."""

    attackers: int = argument(_DICE, "Dice of the attacker.", metavar="A")
    defenders: int = argument(_DICE, "Dice of the defender.", metavar="D")
    _: KW_ONLY
    ties: Ties = option(Choice(Ties), "Who wins a pair of equal dice.", default=Ties.DEFENDER)

    def report(self, run: Run) -> Report:
        """Count the weak orders of the dice by their levels."""
        now = risk_round(self.attackers, self.defenders, self.ties)
        return closed_form_reports.round_polynomials_report(now, self.ties)


@dataclass(frozen=True)
class BattleFunction(
    Question,
    command="symbolic risk-battle",
    example="symbolic risk-battle 4 2",
    takes="1 s for 30 against 30",
):
    """Probability that A attackers beat D, as a function of the sides s."""

    attackers: int = argument(Whole(most=MAX_UNITS), "Attacking units.", metavar="A")
    defenders: int = argument(Whole(least=1, most=MAX_UNITS), "Defending units.", metavar="D")
    _: KW_ONLY
    units: Units = option(
        Choice(Units), "Whether A counts the unit that stays behind.", default=Units.TOTAL
    )
    sides: int = option(Whole(least=1), "Sides for the value.", default=6, metavar="S")
    ties: Ties = option(Choice(Ties), "Who wins a pair of equal dice.", default=Ties.DEFENDER)

    def check(self) -> None:
        """Refuse an army that cannot attack."""
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        """Run the recursion over battles with rational functions of s."""
        attacking = fighting_units(self.attackers, self.units)
        chance = winning_chance(attacking, self.defenders, ties=self.ties)
        return closed_form_reports.battle_function_report(
            chance, self.attackers, self.defenders, self.units, self.sides, self.ties
        )


#: The questions about closed forms, in the order in which help lists them.
QUESTIONS = (RoundPolynomials, BattleFunction)
