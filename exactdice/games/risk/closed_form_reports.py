"""Reports of Risk with s-sided dice: each made from functions of s, none by solving."""

from exactdice.games.risk.battle_functions import WinningChance
from exactdice.games.risk.round_polynomials import (
    COMPARED,
    RiskRound,
    power_sum_pattern,
    reciprocity,
    shift,
)
from exactdice.games.risk.rules import Ties, Units
from exactdice.report.model import Quantity, Report, Table, exact, listing, text_column, whole
from exactdice.report.provenance import Provenance
from exactdice.symbolic.polynomial import favoured
from exactdice.symbolic.reports import formula, statements_table


def round_polynomials_report(now: RiskRound, ties: Ties) -> Report:
    """Report the counts of one round as polynomials in the number of sides."""
    a, d = now.attacker_dice, now.defender_dice
    outcomes = Table(
        "outcomes",
        f"Rolls out of s^{now.dice}, for s-sided dice",
        [
            whole("attacker_losses", "units that the attacker loses", "units"),
            whole("defender_losses", "units that the defender loses", "units"),
            text_column("count", "rolls that do so, factored over the rationals", "rolls"),
            listing("coefficients", "coefficients of the count, constant first"),
            whole("least_sides", "sides from which on it can happen", "sides"),
            exact("six", "probability with six sides"),
            exact("limit", "limit of the probability for ever more sides"),
        ],
        [
            (
                lost,
                now.stake - lost,
                formula(count),
                tuple(map(str, count.coefficients)),
                now.positive_from(lost),
                now.probability(lost, 6),
                now.limit(lost),
            )
            for lost, count in enumerate(now.counts)
        ],
    )
    summary = [
        Quantity(
            text_column("advantage", "defender's less attacker's losses, summed over all rolls"),
            formula(now.advantage),
        ),
        Quantity(
            text_column("favoured", "sides with which the attacker loses less on average"),
            favoured(now.favoured()),
        ),
    ]
    statements = []
    if ties is Ties.DEFENDER:
        # The theorems are about all rounds: what is compared besides does not end with this one.
        statements.append(reciprocity(max(a, d, COMPARED)))
        if a <= d:
            statements.append(shift(max(d, COMPARED)))
        if a == d + 1:
            statements.insert(0, power_sum_pattern(max(d, COMPARED)))
    title = f"Risk: one round, {a} dice against {d}, with s sides"
    tables = [outcomes, statements_table(statements)] if statements else [outcomes]
    return Report(title, summary, tables, Provenance(conventions={"ties": f"won by the {ties}"}))


def battle_function_report(
    chance: WinningChance, attackers: int, defenders: int, units: Units, sides: int, ties: Ties
) -> Report:
    """Report the chance to win a battle as a function of the number of sides."""
    summary = [
        Quantity(text_column("chance", "probability that the attacker wins"), formula(chance)),
        Quantity(exact("value", f"the same with {sides} sides"), chance(sides)),
        Quantity(exact("limit", "its limit for ever more sides"), chance.limit),
        Quantity(
            text_column("favoured", "sides with which the attacker wins more often than not"),
            favoured(chance.favoured()),
        ),
    ]
    conventions = {
        "units": f"{units} units",
        "dice": "at most 3 against 2",
        "ties": f"won by the {ties}",
    }
    title = f"Risk: {attackers} {units} units attack {defenders}, with s sides"
    return Report(title, summary, provenance=Provenance(conventions=conventions))
