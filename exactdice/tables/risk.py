"""Reports of Risk: every question of `exactdice.games.risk` as quantities and tables."""

from collections.abc import Iterator, Sequence
from functools import partial

from exactdice.games.risk import (
    STANDARD,
    Battle,
    Order,
    Rules,
    Units,
    battle,
    campaign,
    dice_game,
    round_losses,
    win_probability,
    win_table,
)
from exactdice.tables.entry import Entry
from exactdice.tables.model import Grid, Quantity, Report, Table, exact, flag, listing, whole
from exactdice.tables.provenance import Provenance

__all__ = [
    "campaign_report",
    "dice_report",
    "entries",
    "round_report",
    "survivors_report",
    "table_report",
    "win_report",
]

_UNIT_MEANING = {
    Units.TOTAL: "total: one attacking unit stays behind and never rolls",
    Units.FIGHTING: "fighting: every attacking unit can roll",
}
_DEFENDERS = whole("defenders", "defending units", "units")
_PROBABILITY = exact("probability", "probability")
_WIN = exact("probability", "probability that the attacker wins")


def _attackers(units: Units) -> str:
    return f"attacking units, {units} units"


def _provenance(rules: Rules, units: Units) -> Provenance:
    return Provenance(conventions={"units": _UNIT_MEANING[units]} | rules.conventions())


def round_report(attacker_dice: int, defender_dice: int, rules: Rules = STANDARD) -> Report:
    """Report the losses in one round of a dice against d."""
    losses = round_losses(attacker_dice, defender_dice, rules)
    outcomes = Table(
        "outcomes",
        "Losses in one round",
        [
            whole("attacker_losses", "units that the attacker loses", "units"),
            whole("defender_losses", "units that the defender loses", "units"),
            _PROBABILITY,
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
    title = f"Risk: one round, {attacker_dice} dice against {defender_dice}"
    conventions = {name: rules.conventions()[name] for name in ("sides", "ties")}
    return Report(title, expected, [outcomes], Provenance(conventions=conventions))


def win_report(attackers: int, defenders: int, units: Units, rules: Rules = STANDARD) -> Report:
    """Report the chance that the attacker wins a battle."""
    value = win_probability(attackers, defenders, units, rules)
    return Report(
        f"Risk: {attackers} {units} units attack {defenders}",
        [Quantity(exact("value", "probability that the attacker wins"), value)],
        provenance=_provenance(rules, units),
    )


def table_report(attackers: int, defenders: int, units: Units, rules: Rules = STANDARD) -> Report:
    """Report the chance to win for every army up to a size."""
    chances = win_table(attackers, defenders, units, rules)
    cells = Table(
        "cells",
        "Probability that the attacker wins",
        [whole("attackers", _attackers(units), "units"), _DEFENDERS, _WIN],
        [(*armies, chance) for armies, chance in chances.items()],
        Grid("attackers", "defenders", "probability"),
    )
    title = f"Risk: attacks by up to {attackers} {units} units on up to {defenders}"
    return Report(title, (), [cells], _provenance(rules, units))


def survivors_report(
    attackers: int, defenders: int, units: Units, rules: Rules = STANDARD
) -> Report:
    """Report everything about how one battle ends."""
    fight = battle(attackers, defenders, units, rules)
    outcomes = Table(
        "outcomes",
        "Who is left at the end",
        [whole("attackers", _attackers(units), "units"), _DEFENDERS, _PROBABILITY],
        [(*left, chance) for left, chance in fight.survivors.probabilities().items()],
    )
    rounds = Table(
        "rounds",
        "Number of rounds",
        [whole("rounds", "rounds until the battle is over", "rounds"), _PROBABILITY],
        fight.rounds.probabilities().items(),
    )
    title = f"Risk: survivors when {attackers} {units} units attack {defenders}"
    return Report(title, _summary(fight), [outcomes, rounds], _provenance(rules, units))


def _summary(fight: Battle) -> list[Quantity]:
    return [
        Quantity(column, value)
        for column, value in (
            (exact("win_probability", "probability that the attacker wins"), fight.win_probability),
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


def campaign_report(
    attackers: int, territories: Sequence[int], units: Units, rules: Rules = STANDARD
) -> Report:
    """Report the chance to take a list of territories, and where the army ends."""
    march = campaign(attackers, territories, units, rules)
    endings = Table(
        "endings",
        "Where the campaign ends",
        [
            whole("taken", "territories taken", "territories"),
            whole("attackers", f"{_attackers(units)}, at the front", "units"),
            whole("defenders", "units that still face them", "units"),
            _PROBABILITY,
        ],
        [(*end, chance) for end, chance in march.endings.probabilities().items()],
    )
    taken = Table(
        "territories",
        "Number of territories taken",
        [whole("taken", "territories taken", "territories"), _PROBABILITY],
        march.territories_taken.probabilities().items(),
    )
    value = Quantity(exact("value", "probability that every territory is taken"), march.probability)
    against = ", ".join(map(str, territories))
    title = f"Risk: a campaign of {attackers} {units} units against {against}"
    return Report(title, [value], [taken, endings], _provenance(rules, units))


def dice_report(
    attackers: int, defenders: int, order: Order, units: Units, rules: Rules = STANDARD
) -> Report:
    """Report how many dice to roll at every state, and whether the most are optimal."""
    game = dice_game(attackers, defenders, order, units, rules)
    states = Table(
        "states",
        "Optimal numbers of dice",
        [
            whole("attackers", _attackers(units), "units"),
            _DEFENDERS,
            _WIN,
            listing("attacker_dice", "numbers of dice that are optimal for the attacker", "dice"),
            listing("defender_dice", "numbers of dice that are optimal for the defender", "dice"),
            flag("maximum", "whether the most dice are optimal for both sides"),
        ],
        [
            (*armies, c.value, c.attacker, c.defender, c.maximum_is_optimal)
            for armies, c in game.items()
        ],
    )
    exceptions = game.exceptions()
    summary = [
        Quantity(whole("states_solved", "states solved", "states"), len(game)),
        Quantity(
            whole("exceptions", "states at which the most dice are not optimal", "states"),
            len(exceptions),
        ),
    ]
    provenance = _provenance(rules, units)
    conventions = dict(provenance.conventions) | {"order": f"{order} choice of dice"}
    title = f"Risk: how many dice to roll, up to {attackers} {units} units against {defenders}"
    return Report(title, summary, [states], Provenance(conventions=conventions))


def entries() -> Iterator[Entry]:
    """List the Risk tables of the main job."""
    for a, d in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)):
        yield Entry(
            f"risk/round-{a}-{d}",
            partial(round_report, a, d),
            f"exactdice risk round {a} {d}",
        )
    yield Entry(
        "risk/win-10x10",
        partial(table_report, 10, 10, Units.TOTAL),
        "exactdice risk table 10 10",
    )
    yield Entry(
        "risk/win-10x10-fighting",
        partial(table_report, 10, 10, Units.FIGHTING),
        "exactdice risk table 10 10 --units fighting",
    )
    yield Entry(
        "risk/survivors-10-10",
        partial(survivors_report, 10, 10, Units.TOTAL),
        "exactdice risk survivors 10 10",
    )
    yield Entry(
        "risk/campaign-12-3-2-1",
        partial(campaign_report, 12, [3, 2, 1], Units.TOTAL),
        "exactdice risk campaign 12 3 2 1",
    )
    for order in Order:
        yield Entry(
            f"risk/dice-{order}-10x10",
            partial(dice_report, 10, 10, order, Units.TOTAL),
            f"exactdice risk dice 10 10 --order {order}",
        )
