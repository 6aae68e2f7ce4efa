"""Reports of Risk: each made from a solution of `exactdice.games.risk`, none by solving."""

from collections.abc import Iterable

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.games.risk.exact import Battle, WinTable
from exactdice.games.risk.rules import RiskRules, Units, shown_units
from exactdice.report.model import Column, Grid, Quantity, Report, Table, exact, whole
from exactdice.report.provenance import Provenance

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


def provenance_of(rules: RiskRules, units: Units, **more: str) -> Provenance:
    """Name the conventions of a battle."""
    return Provenance(conventions={"units": _UNIT_MEANING[units]} | rules.conventions() | more)


def round_report(
    losses: Distribution[tuple[int, int]], attacker_dice: int, defender_dice: int, rules: RiskRules
) -> Report:
    """Report the losses in one round of some dice against others."""
    outcomes = Table(
        "outcomes",
        "Losses in one round",
        [
            whole("attacker_losses", "units that the attacker loses", "units"),
            whole("defender_losses", "units that the defender loses", "units"),
            PROBABILITY,
        ],
        [(*lost, chance) for lost, chance in losses.probabilities().items()],
    )
    expected = [
        Quantity(exact(f"expected_{side}_losses", f"expected losses of the {side}", "units"), mean)
        for side, mean in (
            ("attacker", losses.expectation(lambda lost: lost[0])),
            ("defender", losses.expectation(lambda lost: lost[1])),
        )
    ]
    dice = "die" if attacker_dice == 1 else "dice"
    title = f"Risk: one round, {attacker_dice} {dice} against {defender_dice}"
    conventions = {name: rules.conventions()[name] for name in ("sides", "ties")}
    return Report(title, expected, [outcomes], Provenance(conventions=conventions))


def win_report(fight: Battle) -> Report:
    """Report the chance that the attacker wins a battle."""
    return Report(
        f"Risk: {fight.attackers} {fight.units} units attack {fight.defenders}",
        [Quantity(exact("value", "probability that the attacker wins"), fight.value)],
        provenance=provenance_of(fight.rules, fight.units),
    )


def table_report(table: WinTable) -> Report:
    """Report the chance to win for every army up to a size."""
    cells = Table(
        "cells",
        "Probability that the attacker wins",
        [attackers_in(table.units), DEFENDERS, WIN],
        [
            (shown_units(a, table.units), d, chance)
            for a, column in enumerate(zip(*table.rows, strict=True), start=1)
            for d, chance in enumerate(column, start=1)
        ],
        Grid("attackers", "defenders", "probability"),
    )
    even = Table(
        "even",
        "Smallest attacking armies with at least an even chance",
        [
            DEFENDERS,
            attackers_in(table.units),
            WIN,
            exact("one_fewer", "the same with one attacker fewer"),
        ],
        table.even_armies(),
    )
    attackers, defenders = table.largest
    title = f"Risk: attacks by up to {attackers} {table.units} units on up to {defenders}"
    return Report(title, (), [cells, even], provenance_of(table.rules, table.units))


def least_report(
    defenders: int,
    armies: Iterable[tuple[mpq, int, mpq]],
    most: int,
    rules: RiskRules,
    units: Units,
) -> Report:
    """Report the smallest armies that have some chances to win."""
    columns = [
        whole("wanted", "probability that is wanted", "percent"),
        attackers_in(units),
        WIN,
    ]
    rows = [(int(100 * p), shown_units(army, units), chance) for p, army, chance in armies]
    title = f"Risk: smallest armies that beat {defenders}"
    provenance = provenance_of(rules, units, attackers=f"at most {shown_units(most, units)}")
    return Report(title, (), [Table("least", "Smallest armies", columns, rows)], provenance)


def battle_report(fight: Battle) -> Report:
    """Report everything about how one battle ends."""
    outcomes = Table(
        "outcomes",
        "Who is left at the end",
        [attackers_in(fight.units), DEFENDERS, PROBABILITY],
        [(*left, chance) for left, chance in fight.survivors.probabilities().items()],
    )
    rounds = Table(
        "rounds",
        "Number of rounds",
        [whole("rounds", "rounds until the battle is over", "rounds"), PROBABILITY],
        fight.rounds.probabilities().items(),
    )
    title = f"Risk: survivors when {fight.attackers} {fight.units} units attack {fight.defenders}"
    provenance = provenance_of(fight.rules, fight.units)
    return Report(title, _summary(fight), [outcomes, rounds], provenance)


def _summary(fight: Battle) -> list[Quantity]:
    return [
        Quantity(column, value)
        for column, value in (
            (exact("win_probability", "probability that the attacker wins"), fight.value),
            (
                exact("expected_attacker_losses", "expected losses of the attacker", "units"),
                fight.expected_attacker_losses,
            ),
            (
                exact("expected_defender_losses", "expected losses of the defender", "units"),
                fight.expected_defender_losses,
            ),
            (exact("expected_rounds", "expected number of rounds", "rounds"), fight.rounds.mean()),
        )
    ]
