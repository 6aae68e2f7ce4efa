"""Reports of Risk as people play it: campaigns, the app's blitz, how many dice."""

from collections.abc import Iterator, Sequence

from exactdice.arithmetic import text
from exactdice.games.risk.balanced_blitz import (
    OUTCOME_CUTOFF,
    OUTCOME_POWER,
    WIN_CUTOFF,
    WIN_POWER,
    BalancedBlitz,
)
from exactdice.games.risk.campaigns import March
from exactdice.games.risk.dice_choice import ChoiceGame
from exactdice.games.risk.reports import DEFENDERS, PROBABILITY, WIN, attackers_in, conventions_of
from exactdice.games.risk.rules import Order, Units
from exactdice.games.risk.stopping import StoppingPlan
from exactdice.report.model import Report, Table, enclosed, exact, flag, listing, text_column, whole


def campaign_report(march: March) -> Report:
    """Report the chance to take a list of territories, and where the army ends."""
    endings = Table.of(
        "endings",
        "Where the campaign ends",
        ((*end, chance) for end, chance in march.endings.probabilities().items()),
        whole("taken", "territories taken", "territories"),
        attackers_in(march.units, ", at the front"),
        whole("defenders", "units that still face them", "units"),
        PROBABILITY,
    )
    taken = Table.of(
        "territories",
        "Number of territories taken",
        march.territories_taken.probabilities().items(),
        whole("taken", "territories taken", "territories"),
        PROBABILITY,
    )
    value = exact("value", "probability that every territory is taken")(march.value)
    against = ", ".join(map(str, march.territories))
    title = f"Risk: a campaign of {march.attackers} {march.units} units against {against}"
    return Report.of(title, conventions_of(march.rules, march.units), value, taken, endings)


def dice_report(game: ChoiceGame) -> Report:
    """Report how many dice to roll at every state, and whether the most are optimal."""
    meaning = "the attacker's highest dice against which the defender rolls fewer, and how many"
    fewer = [text_column("fewer_against", meaning)] if game.order is Order.AFTER else []
    attackers, defenders = game.largest
    return Report.of(
        f"Risk: how many dice to roll, up to {attackers} {game.units} units against {defenders}",
        conventions_of(game.rules, game.units, order=f"{game.order} choice of dice"),
        exact("value", "probability that the largest attacking army wins")(game.value),
        whole("states_solved", "states solved", "states")(len(game)),
        whole("exceptions", "states at which the most dice are not optimal", "states")(
            len(game.exceptions())
        ),
        Table.of(
            "states",
            "Optimal numbers of dice",
            (
                (
                    *armies,
                    *(c.value, c.attacker, c.defender, c.maximum_is_optimal),
                    *(c.attacker_cost, c.defender_cost),
                    *(_fewer_text(c.fewer_against) for _ in fewer),
                )
                for armies, c in game.items()
            ),
            attackers_in(game.units),
            DEFENDERS,
            WIN,
            listing("attacker_dice", "numbers of dice that are optimal for the attacker", "dice"),
            listing("defender_dice", "numbers of dice that are optimal for the defender", "dice"),
            flag("maximum", "whether the most dice are optimal for both sides"),
            *(
                exact(f"{side}_cost", f"what one die fewer costs the {side} in chance to win")
                for side in ("attacker", "defender")
            ),
            *fewer,
        ),
    )


def _fewer_text(fewer: Sequence[tuple[Sequence[int], int]]) -> str:
    """Write the answers to rolls.

    >>> _fewer_text([((6, 5), 1), ((6, 6), 1)])
    '6-5: 1, 6-6: 1'
    """
    return ", ".join(f"{'-'.join(map(text, faces))}: {dice}" for faces, dice in fewer) or "none"


def blitz_report(blitz: BalancedBlitz) -> Report:
    """Report the chances of a blitz as the app draws it, beside those of the dice."""
    battle = blitz.battle
    conventions = {"units": str(battle.units)} | battle.rules.conventions()
    conventions["balanced blitz"] = (
        f"chances to win up to {text(WIN_CUTOFF)} become 0; power {text(WIN_POWER)} on them; "
        f"{text(OUTCOME_CUTOFF)} cut off at either end; power {text(OUTCOME_POWER)} on endings"
    )
    return Report.of(
        f"Risk: {battle.attackers} {battle.units} units blitz {battle.defenders}",
        conventions,
        enclosed("value", "probability that the attacker wins in a balanced blitz")(
            blitz.win_probability
        ),
        exact("by_dice", "the same by dice")(
            blitz.true_law.probability_that(lambda end: end[1] == 0)
        ),
        Table.of(
            "endings",
            "Who is left, from the best for the attacker to the best for the defender",
            ((*end, blitz.true_law.probability(end), chance) for end, chance in blitz.law.items()),
            attackers_in(battle.units),
            whole("defenders", "defending units", "units"),
            exact("by_dice", "probability by dice"),
            enclosed("balanced", "probability in a balanced blitz"),
        ),
    )


def plan_report(plan: StoppingPlan) -> Report:
    """Report when to attack, when to stop and how many units to leave behind."""
    worth = plan.worth
    conventions = {
        "units": str(Units.TOTAL),
        "own unit lost": text(-worth.unit),
        "enemy unit lost": text(worth.enemy),
        "territory taken": ", ".join(
            text(worth.of_territory(place, len(plan.territories)))
            for place in range(len(plan.territories))
        )
        if worth.territories or worth.all_taken
        else text(worth.territory),
        "guards": ", ".join(map(text, worth.guards)) or "worth nothing",
        "ties between actions": "stop; leave the fewest behind",
    }
    against = ", ".join(map(str, plan.territories))
    return Report.of(
        f"Risk: when to stop, {plan.attackers} total units against {against}",
        conventions | plan.rules.conventions(),
        exact("value", "expected worth of the best play")(plan.value),
        exact("staying", "worth of not attacking")(plan.staying),
        flag("attack", "whether to attack at the start")(bool(plan.value > plan.staying)),
        exact("all_taken", "probability that the best play takes all territories")(plan.all_taken),
        exact("taken", "territories that it takes, expected", "territories")(plan.expected_taken),
        exact("lost", "own units that it loses, expected", "units")(plan.expected_losses),
        Table.of(
            "attacks",
            "With how many units to attack",
            (
                (place, d, _ranges([n for n, is_attack in enumerate(row) if is_attack]) or "none")
                for place, front in enumerate(plan.fronts, start=1)
                for d, row in enumerate(front.attacks, start=1)
            ),
            whole("territory", "territory of the campaign, in order"),
            whole("defenders", "units that defend it", "units"),
            text_column("attack_with", f"total units, up to {plan.attackers}", "units"),
        ),
        Table.of(
            "leaves",
            "How many units to leave behind when a territory has fallen",
            (
                (place, units, leave)
                for place, front in enumerate(plan.fronts, start=1)
                for units, leave in _runs(front.leaves)
            ),
            whole("territory", "territory that has fallen"),
            text_column("units", "total units that are left of the army", "units"),
            whole("leave", "of those, units to leave behind", "units"),
        ),
    )


def _ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers as ranges.

    >>> _ranges([2, 3, 4, 7])
    '2 to 4, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{r[0]} to {r[-1]}" if len(r) > 1 else f"{r[0]}" for r in runs)


def _runs(leaves: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield ranges of units with the same number to leave behind."""
    start = 2
    for n in range(3, len(leaves) + 1):
        if n == len(leaves) or leaves[n] != leaves[start]:
            yield _ranges(range(start, n)), leaves[start]
            start = n
