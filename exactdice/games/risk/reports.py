"""Reports of Risk, each made from a solution of `exactdice.games.risk`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from exactdice.arithmetic import mpq, text
from exactdice.games.risk.exact import Battle, WinTable
from exactdice.games.risk.rounds import Losses
from exactdice.games.risk.rules import Order, RiskRules, Units, fighting_units, shown_units
from exactdice.report.model import (
    Cell,
    Column,
    Grid,
    Report,
    Table,
    enclosed,
    exact,
    flag,
    listing,
    text_column,
    whole,
)

if TYPE_CHECKING:
    from exactdice.games.risk.balanced_blitz import BalancedBlitz
    from exactdice.games.risk.campaigns import March, StoppingPlan
    from exactdice.games.risk.dice_choice import ChoiceGame

_UNIT_MEANING = {
    Units.TOTAL: "total (one attacking unit stays behind and never rolls)",
    Units.FIGHTING: "fighting (every attacking unit can roll)",
}
_SIDES = ("attacker", "defender")
_DEFENDERS = whole("defenders", "defending units", "units")
_PROBABILITY = exact("probability", "probability")
_WIN = exact("probability", "probability that the attacker wins")


def _attackers_in(units: Units, where: str = "") -> Column:
    return whole("attackers", f"attacking units, {units} units{where}", "units")


def _conventions(rules: RiskRules, units: Units, **more: str) -> dict[str, str]:
    return {"units": _UNIT_MEANING[units]} | rules.conventions() | more


def _army(attackers: int, units: Units) -> str:
    fighting = fighting_units(attackers, units)
    return f"{attackers} attackers" + f" ({fighting} fight)" * (fighting != attackers)


def _expected_losses(side: str) -> Column:
    return exact(f"expected_{side}_losses", f"expected losses of the {side}", "units")


def round_report(
    losses: Losses, attacker_dice: int, defender_dice: int, rules: RiskRules
) -> Report:
    dice = "die" if attacker_dice == 1 else "dice"
    return Report.of(
        f"Risk: one round, {attacker_dice} {dice} against {defender_dice}",
        {name: rules.conventions()[name] for name in ("sides", "ties")},
        *(
            _expected_losses(side)(losses.expectation(itemgetter(place)))
            for place, side in enumerate(_SIDES)
        ),
        Table.of(
            "outcomes",
            "Losses in one round",
            ((*lost, chance) for lost, chance in losses.probabilities().items()),
            *(whole(f"{side}_losses", f"losses of the {side}", "units") for side in _SIDES),
            _PROBABILITY,
        ),
        says="units lost by the attacker on average in a round of "
        f"{attacker_dice} {dice} against {defender_dice}",
    )


def win_report(battle: Battle) -> Report:
    return Report.of(
        f"Risk: {battle.attackers} {battle.units} units attack {battle.defenders}",
        _conventions(battle.rules, battle.units),
        exact("value", "probability that the attacker wins")(battle.value),
        says=_beats(battle),
    )


def _beats(battle: Battle) -> str:
    defenders = f"{battle.defenders} defender{'s' * (battle.defenders != 1)}"
    return f"{_army(battle.attackers, battle.units)} beat {defenders}"


def table_report(table: WinTable) -> Report:
    cells = Table.of(
        "cells",
        "Probability that the attacker wins",
        (
            (shown_units(a, table.units), d, chance)
            for a, column in enumerate(zip(*table.rows, strict=True), start=1)
            for d, chance in enumerate(column, start=1)
        ),
        _attackers_in(table.units),
        _DEFENDERS,
        _WIN,
        grid=Grid("attackers", "defenders", "probability"),
    )
    even = Table.of(
        "even",
        "Smallest attacking armies that win with probability at least 1/2",
        table.even_armies(),
        _DEFENDERS,
        _attackers_in(table.units),
        _WIN,
        exact("one_fewer", "probability with one attacker fewer"),
    )
    attackers, defenders = table.largest
    title = f"Risk: attacks by up to {attackers} {table.units} units on up to {defenders}"
    return Report.of(title, _conventions(table.rules, table.units), cells, even)


def least_report(
    defenders: int,
    armies: Iterable[tuple[mpq, int, mpq]],
    most: int,
    rules: RiskRules,
    units: Units,
) -> Report:
    columns = [whole("wanted", "wanted probability", "percent"), _attackers_in(units), _WIN]
    rows = [(int(100 * p), shown_units(army, units), chance) for p, army, chance in armies]
    return Report.of(
        f"Risk: smallest armies that beat {defenders}",
        _conventions(rules, units, attackers=f"at most {shown_units(most, units)}"),
        Table.of("least", "Smallest armies", rows, *columns),
        says=f"To beat {defenders} you need {needed(rows)}",
    )


def needed(rows: Iterable[Sequence[Cell]]) -> str:
    return ", ".join(f"{army} for {wanted} %" for wanted, army, _ in rows)


def battle_report(battle: Battle) -> Report:
    return Report.of(
        f"Risk: survivors when {battle.attackers} {battle.units} units attack {battle.defenders}",
        _conventions(battle.rules, battle.units),
        exact("win_probability", "probability that the attacker wins")(battle.value),
        _expected_losses("attacker")(battle.expected_attacker_losses),
        _expected_losses("defender")(battle.expected_defender_losses),
        exact("expected_rounds", "expected number of rounds", "rounds")(battle.rounds.mean()),
        Table.of(
            "outcomes",
            "Units left at the end",
            ((*left, chance) for left, chance in battle.survivors.probabilities().items()),
            _attackers_in(battle.units),
            _DEFENDERS,
            _PROBABILITY,
        ),
        Table.of(
            "rounds",
            "Number of rounds",
            battle.rounds.probabilities().items(),
            whole("rounds", "rounds until the battle is over", "rounds"),
            _PROBABILITY,
        ),
        says=_beats(battle),
    )


def campaign_report(march: "March") -> Report:
    taken = whole("taken", "territories taken", "territories")
    against = ", ".join(map(str, march.territories))
    return Report.of(
        f"Risk: a campaign of {march.attackers} {march.units} units against {against}",
        _conventions(march.rules, march.units),
        exact("value", "probability that every territory is taken")(march.value),
        Table.of(
            "territories",
            "Number of territories taken",
            march.territories_taken.probabilities().items(),
            taken,
            _PROBABILITY,
        ),
        Table.of(
            "endings",
            "End of the campaign",
            ((*end, chance) for end, chance in march.endings.probabilities().items()),
            taken,
            _attackers_in(march.units, ", at the front"),
            whole("defenders", "defending units at the front", "units"),
            _PROBABILITY,
        ),
        says=f"{_army(march.attackers, march.units)} take territories of {against}, "
        "one after another",
    )


def dice_report(game: "ChoiceGame") -> Report:
    meaning = "the attacker's highest dice against which the defender rolls fewer, and how many"
    fewer = [text_column("fewer_against", meaning)] if game.order is Order.AFTER else []
    (attackers, defenders), rows = game.largest, []
    for armies, c in game.items():
        optimal = c.value, c.attacker, c.defender, c.maximum_is_optimal
        rolls = (f"{'-'.join(map(text, faces))}: {dice}" for faces, dice in c.fewer_against)
        faces = [", ".join(rolls) or "none"] * len(fewer)
        rows.append((*armies, *optimal, c.attacker_cost, c.defender_cost, *faces))
    return Report.of(
        f"Risk: how many dice to roll, up to {attackers} {game.units} units against {defenders}",
        _conventions(game.rules, game.units, order=f"{game.order} choice of dice"),
        exact("value", "probability that the largest attacking army wins")(game.value),
        whole("states_solved", "all states up to these armies", "states")(len(game)),
        whole("exceptions", "states in which the most dice are not optimal", "states")(
            len(game.exceptions())
        ),
        Table.of(
            "states",
            "Optimal numbers of dice",
            rows,
            _attackers_in(game.units),
            _DEFENDERS,
            _WIN,
            *(
                listing(f"{side}_dice", f"optimal numbers of dice of the {side}", "dice")
                for side in _SIDES
            ),
            flag("maximum", "whether the most dice are optimal for both sides"),
            *(
                exact(f"{side}_cost", f"cost of one die fewer for the {side}, in probability")
                for side in _SIDES
            ),
            *fewer,
        ),
        says=f"{_army(attackers, game.units)} beat {defenders} defenders if both choose their dice",
    )


def blitz_report(blitz: "BalancedBlitz") -> Report:
    battle = blitz.battle
    conventions = {"units": str(battle.units)} | battle.rules.conventions()
    conventions["balanced blitz"] = blitz.steps
    by_dice = blitz.true_law
    return Report.of(
        f"Risk: {battle.attackers} {battle.units} units blitz {battle.defenders}",
        conventions,
        enclosed("value", "probability to win a balanced blitz")(blitz.win_probability),
        exact("by_dice", "probability by dice")(by_dice.probability_that(lambda end: end[1] == 0)),
        Table.of(
            "endings",
            "Units left, from the best for the attacker to the best for the defender",
            ((*end, by_dice.probability(end), chance) for end, chance in blitz.law.items()),
            _attackers_in(battle.units),
            _DEFENDERS,
            exact("by_dice", "probability by dice"),
            enclosed("balanced", "probability in a balanced blitz"),
        ),
        says=f"{_beats(battle)} in a balanced blitz",
    )


def plan_report(plan: "StoppingPlan") -> Report:
    worth, places = plan.worth, range(len(plan.territories))
    own = worth.territories or worth.all_taken
    taken = [worth.of_territory(i, len(places)) for i in places] if own else [worth.territory]
    conventions = {
        "units": str(Units.TOTAL),
        "own unit lost": text(-worth.unit),
        "enemy unit lost": text(worth.enemy),
        "territory taken": ", ".join(map(text, taken)),
        "guards": ", ".join(map(text, worth.guards)) or "worth nothing",
        "ties between actions": "stop; leave the fewest behind",
    }
    against = ", ".join(map(str, plan.territories))
    return Report.of(
        f"Risk: when to stop, {plan.attackers} total units against {against}",
        conventions | plan.rules.conventions(),
        exact("value", "expected payoff of the optimal policy")(plan.value),
        exact("staying", "payoff without any attack")(plan.staying),
        flag("attack", "whether to attack at the start")(bool(plan.value > plan.staying)),
        exact("all_taken", "probability that it takes all territories")(plan.all_taken),
        exact("taken", "expected number of territories taken", "territories")(plan.expected_taken),
        exact("lost", "expected number of own units lost", "units")(plan.expected_losses),
        Table.of(
            "attacks",
            "Numbers of units with which to attack",
            (
                (place, d, _ranges([n for n, is_attack in enumerate(row) if is_attack]) or "none")
                for place, front in enumerate(plan.fronts, start=1)
                for d, row in enumerate(front.attacks, start=1)
            ),
            whole("territory", "territory of the campaign, in order"),
            _DEFENDERS,
            text_column("attack_with", f"total units, up to {plan.attackers}", "units"),
        ),
        Table.of(
            "leaves",
            "Numbers of units to leave behind in a territory just taken",
            (
                (place, units, leave)
                for place, front in enumerate(plan.fronts, start=1)
                for units, leave in _runs(front.leaves)
            ),
            whole("territory", "territory just taken"),
            text_column("units", "total units left of the army", "units"),
            whole("leave", "units to leave behind", "units"),
        ),
        says=f"expected payoff of {plan.attackers} attackers against {against}: "
        + ("attack" if plan.value > plan.staying else "do not attack"),
    )


def _ranges(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{r[0]} to {r[-1]}" if len(r) > 1 else f"{r[0]}" for r in runs)


def _runs(leaves: Sequence[int]) -> Iterator[tuple[str, int]]:
    for leave, run in groupby(range(2, len(leaves)), leaves.__getitem__):
        yield _ranges([*run]), leave
