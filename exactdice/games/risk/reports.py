"""Reports of Risk: each made from a solution of `exactdice.games.risk`, none by solving."""

from typing import TYPE_CHECKING

from exactdice.dice import Distribution
from exactdice.games.risk.exact import Battle, WinTable
from exactdice.games.risk.rules import Rules, Units
from exactdice.report.model import Grid, Quantity, Report, Table, exact, flag, listing, whole
from exactdice.report.provenance import Provenance

if TYPE_CHECKING:
    from exactdice.games.risk.campaigns import March
    from exactdice.games.risk.dice_choice import ChoiceGame

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


def round_report(
    losses: Distribution[tuple[int, int]], attacker_dice: int, defender_dice: int, rules: Rules
) -> Report:
    """Report the losses in one round of some dice against others."""
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


def win_report(fight: Battle) -> Report:
    """Report the chance that the attacker wins a battle."""
    return Report(
        f"Risk: {fight.attackers} {fight.units} units attack {fight.defenders}",
        [Quantity(exact("value", "probability that the attacker wins"), fight.value)],
        provenance=_provenance(fight.rules, fight.units),
    )


def table_report(table: WinTable) -> Report:
    """Report the chance to win for every army up to a size."""
    cells = Table(
        "cells",
        "Probability that the attacker wins",
        [whole("attackers", _attackers(table.units), "units"), _DEFENDERS, _WIN],
        [(*armies, chance) for armies, chance in table.items()],
        Grid("attackers", "defenders", "probability"),
    )
    even = Table(
        "even",
        "Smallest attacking armies with at least an even chance",
        [
            _DEFENDERS,
            whole("attackers", _attackers(table.units), "units"),
            _WIN,
            exact("one_fewer", "the same with one attacker fewer"),
        ],
        table.even_armies(),
    )
    attackers, defenders = table.largest
    title = f"Risk: attacks by up to {attackers} {table.units} units on up to {defenders}"
    return Report(title, (), [cells, even], _provenance(table.rules, table.units))


def battle_report(fight: Battle) -> Report:
    """Report everything about how one battle ends."""
    outcomes = Table(
        "outcomes",
        "Who is left at the end",
        [whole("attackers", _attackers(fight.units), "units"), _DEFENDERS, _PROBABILITY],
        [(*left, chance) for left, chance in fight.survivors.probabilities().items()],
    )
    rounds = Table(
        "rounds",
        "Number of rounds",
        [whole("rounds", "rounds until the battle is over", "rounds"), _PROBABILITY],
        fight.rounds.probabilities().items(),
    )
    title = f"Risk: survivors when {fight.attackers} {fight.units} units attack {fight.defenders}"
    provenance = _provenance(fight.rules, fight.units)
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


def campaign_report(march: "March") -> Report:
    """Report the chance to take a list of territories, and where the army ends."""
    endings = Table(
        "endings",
        "Where the campaign ends",
        [
            whole("taken", "territories taken", "territories"),
            whole("attackers", f"{_attackers(march.units)}, at the front", "units"),
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
    value = Quantity(exact("value", "probability that every territory is taken"), march.value)
    against = ", ".join(map(str, march.territories))
    title = f"Risk: a campaign of {march.attackers} {march.units} units against {against}"
    return Report(title, [value], [taken, endings], _provenance(march.rules, march.units))


def dice_report(game: "ChoiceGame") -> Report:
    """Report how many dice to roll at every state, and whether the most are optimal."""
    states = Table(
        "states",
        "Optimal numbers of dice",
        [
            whole("attackers", _attackers(game.units), "units"),
            _DEFENDERS,
            _WIN,
            listing("attacker_dice", "numbers of dice that are optimal for the attacker", "dice"),
            listing("defender_dice", "numbers of dice that are optimal for the defender", "dice"),
            flag("maximum", "whether the most dice are optimal for both sides"),
            *(
                exact(f"{side}_cost", f"what one die fewer costs the {side} in chance to win")
                for side in ("attacker", "defender")
            ),
        ],
        [
            (
                *armies,
                *(c.value, c.attacker, c.defender, c.maximum_is_optimal),
                *(c.attacker_cost, c.defender_cost),
            )
            for armies, c in game.items()
        ],
    )
    attackers, defenders = game.largest
    summary = [
        Quantity(exact("value", "probability that the largest attacking army wins"), game.value),
        Quantity(whole("states_solved", "states solved", "states"), len(game)),
        Quantity(
            whole("exceptions", "states at which the most dice are not optimal", "states"),
            len(game.exceptions()),
        ),
    ]
    provenance = _provenance(game.rules, game.units)
    conventions = dict(provenance.conventions) | {"order": f"{game.order} choice of dice"}
    title = f"Risk: how many dice to roll, up to {attackers} {game.units} units against {defenders}"
    return Report(title, summary, [states], Provenance(conventions=conventions))
