"""What can be asked about Risk with s-sided dice, for all s at once, and what is reported then."""

from dataclasses import KW_ONLY, dataclass

from exactdice.games.risk.rules import MAX_DICE, Ties, Units, fighting_units
from exactdice.question import Question, argument, option
from exactdice.question.domains import OneOf, Whole
from exactdice.report.model import Report, Table, exact, listing, text_column, whole
from exactdice.run import Run
from exactdice.studies.risk.closed_forms import (
    COMPARED,
    MAX_UNITS,
    RoundPolynomials,
    WinningChance,
    power_sum_pattern,
    reciprocity,
    risk_round,
    shift,
    winning_chance,
)
from exactdice.symbolic.polynomial import favoured
from exactdice.symbolic.statements import formula, statements_table


def round_polynomials_report(now: RoundPolynomials, ties: Ties) -> Report:
    """Report the counts of one round as polynomials in the number of sides."""
    a, d = now.attacker_dice, now.defender_dice
    statements = []
    if ties is Ties.DEFENDER:
        # The theorems are about all rounds: what is compared besides does not end with this one.
        statements.append(reciprocity(max(a, d, COMPARED)))
        if a <= d:
            statements.append(shift(max(d, COMPARED)))
        if a == d + 1:
            statements.insert(0, power_sum_pattern(max(d, COMPARED)))
    return Report.of(
        f"Risk: one round, {a} {'die' if a == 1 else 'dice'} against {d}, with s sides",
        {"ties": f"won by the {ties}"},
        text_column("advantage", "defender's less attacker's losses, summed over all rolls")(
            formula(now.advantage)
        ),
        text_column("favoured", "sides with which the attacker loses less on average")(
            favoured(now.favoured())
        ),
        Table.of(
            "outcomes",
            f"Rolls out of s^{now.dice}, for s-sided dice",
            range(len(now.counts)),
            whole("attacker_losses", "units that the attacker loses", "units").by(int),
            whole("defender_losses", "units that the defender loses", "units").by(
                lambda lost: now.stake - lost
            ),
            text_column("count", "rolls that do so, factored over the rationals", "rolls").by(
                lambda lost: formula(now.counts[lost])
            ),
            listing("coefficients", "coefficients of the count, constant first").by(
                lambda lost: tuple(map(str, now.counts[lost].coefficients))
            ),
            whole("least_sides", "sides from which on it can happen", "sides").by(
                now.positive_from
            ),
            exact("six", "probability with six sides").by(lambda lost: now.probability(lost, 6)),
            exact("limit", "limit of the probability for ever more sides").by(now.limit),
        ),
        statements_table(statements) if statements else None,
    )


def battle_function_report(
    chance: WinningChance, attackers: int, defenders: int, units: Units, sides: int, ties: Ties
) -> Report:
    """Report the chance to win a battle as a function of the number of sides."""
    return Report.of(
        f"Risk: {attackers} {units} units attack {defenders}, with s sides",
        {"units": f"{units} units", "dice": "at most 3 against 2", "ties": f"won by the {ties}"},
        text_column("chance", "probability that the attacker wins")(formula(chance)),
        exact("value", f"the same with {sides} sides")(chance(sides)),
        exact("limit", "its limit for ever more sides")(chance.limit),
        text_column("favoured", "sides with which the attacker wins more often than not")(
            favoured(chance.favoured())
        ),
    )


_DICE = Whole(least=1, most=MAX_DICE)


@dataclass(frozen=True)
class SymbolicRiskRound(
    Question, command="symbolic risk-round", example="symbolic risk-round 3 2", takes="a moment"
):
    """Losses in one round of A dice against D, as polynomials in the sides s."""

    attackers: int = argument(_DICE, "Dice of the attacker.", metavar="A")
    defenders: int = argument(_DICE, "Dice of the defender.", metavar="D")
    _: KW_ONLY
    ties: Ties = option(OneOf(Ties), "Who wins a pair of equal dice.", default=Ties.DEFENDER)

    def report(self, run: Run) -> Report:
        now = risk_round(self.attackers, self.defenders, self.ties)
        return round_polynomials_report(now, self.ties)


@dataclass(frozen=True)
class SymbolicRiskBattle(
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
        OneOf(Units), "Whether A counts the unit that stays behind.", default=Units.TOTAL
    )
    sides: int = option(Whole(least=1), "Sides for the value.", default=6, metavar="S")
    ties: Ties = option(OneOf(Ties), "Who wins a pair of equal dice.", default=Ties.DEFENDER)

    def check(self) -> None:
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        attacking = fighting_units(self.attackers, self.units)
        chance = winning_chance(attacking, self.defenders, ties=self.ties)
        return battle_function_report(
            chance, self.attackers, self.defenders, self.units, self.sides, self.ties
        )


#: The questions about closed forms, in the order in which help lists them.
QUESTIONS = (SymbolicRiskRound, SymbolicRiskBattle)
