"""Reports of Risk: each made from a solution of `exactdice.games.risk`, none by solving."""

from collections.abc import Iterable
from operator import itemgetter

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.games.risk.exact import Battle, WinTable
from exactdice.games.risk.rules import RiskRules, Units, shown_units
from exactdice.report.model import Column, Grid, Report, Table, exact, whole

_UNIT_MEANING = {
    Units.TOTAL: "total: one attacking unit stays behind and never rolls",
    Units.FIGHTING: "fighting: every attacking unit can roll",
}
DEFENDERS = whole("defenders", "defending units", "units")
PROBABILITY = exact("probability", "probability")
WIN = exact("probability", "probability that the attacker wins")


def attackers_in(units: Units, where: str = "") -> Column:
    """Describe the column of the attacker's units."""
    return whole("attackers", f"attacking units, {units} units{where}", "units")


def conventions_of(rules: RiskRules, units: Units, **more: str) -> dict[str, str]:
    """Name the conventions of a battle."""
    return {"units": _UNIT_MEANING[units]} | rules.conventions() | more


def _expected_losses(side: str) -> Column:
    return exact(f"expected_{side}_losses", f"expected losses of the {side}", "units")


def round_report(
    losses: Distribution[tuple[int, int]], attacker_dice: int, defender_dice: int, rules: RiskRules
) -> Report:
    """Report the losses in one round of some dice against others."""
    dice = "die" if attacker_dice == 1 else "dice"
    sides = ("attacker", "defender")
    return Report.of(
        f"Risk: one round, {attacker_dice} {dice} against {defender_dice}",
        {name: rules.conventions()[name] for name in ("sides", "ties")},
        *(
            _expected_losses(side)(losses.expectation(itemgetter(place)))
            for place, side in enumerate(sides)
        ),
        Table.of(
            "outcomes",
            "Losses in one round",
            ((*lost, chance) for lost, chance in losses.probabilities().items()),
            *(whole(f"{s}_losses", f"units that the {s} loses", "units") for s in sides),
            PROBABILITY,
        ),
    )


def win_report(fight: Battle) -> Report:
    """Report the chance that the attacker wins a battle."""
    return Report.of(
        f"Risk: {fight.attackers} {fight.units} units attack {fight.defenders}",
        conventions_of(fight.rules, fight.units),
        exact("value", "probability that the attacker wins")(fight.value),
    )


def table_report(table: WinTable) -> Report:
    """Report the chance to win for every army up to a size."""
    cells = Table.of(
        "cells",
        "Probability that the attacker wins",
        (
            (shown_units(a, table.units), d, chance)
            for a, column in enumerate(zip(*table.rows, strict=True), start=1)
            for d, chance in enumerate(column, start=1)
        ),
        attackers_in(table.units),
        DEFENDERS,
        WIN,
        grid=Grid("attackers", "defenders", "probability"),
    )
    even = Table.of(
        "even",
        "Smallest attacking armies with at least an even chance",
        table.even_armies(),
        DEFENDERS,
        attackers_in(table.units),
        WIN,
        exact("one_fewer", "the same with one attacker fewer"),
    )
    attackers, defenders = table.largest
    title = f"Risk: attacks by up to {attackers} {table.units} units on up to {defenders}"
    return Report.of(title, conventions_of(table.rules, table.units), cells, even)


def least_report(
    defenders: int,
    armies: Iterable[tuple[mpq, int, mpq]],
    most: int,
    rules: RiskRules,
    units: Units,
) -> Report:
    """Report the smallest armies that have some chances to win."""
    columns = [whole("wanted", "probability that is wanted", "percent"), attackers_in(units), WIN]
    rows = [(int(100 * p), shown_units(army, units), chance) for p, army, chance in armies]
    return Report.of(
        f"Risk: smallest armies that beat {defenders}",
        conventions_of(rules, units, attackers=f"at most {shown_units(most, units)}"),
        Table.of("least", "Smallest armies", rows, *columns),
    )


def battle_report(fight: Battle) -> Report:
    """Report everything about how one battle ends."""
    return Report.of(
        f"Risk: survivors when {fight.attackers} {fight.units} units attack {fight.defenders}",
        conventions_of(fight.rules, fight.units),
        exact("win_probability", "probability that the attacker wins")(fight.value),
        _expected_losses("attacker")(fight.expected_attacker_losses),
        _expected_losses("defender")(fight.expected_defender_losses),
        exact("expected_rounds", "expected number of rounds", "rounds")(fight.rounds.mean()),
        Table.of(
            "outcomes",
            "Who is left at the end",
            ((*left, chance) for left, chance in fight.survivors.probabilities().items()),
            attackers_in(fight.units),
            DEFENDERS,
            PROBABILITY,
        ),
        Table.of(
            "rounds",
            "Number of rounds",
            fight.rounds.probabilities().items(),
            whole("rounds", "rounds until the battle is over", "rounds"),
            PROBABILITY,
        ),
    )
