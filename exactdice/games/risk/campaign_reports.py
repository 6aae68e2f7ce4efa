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
from exactdice.games.risk.reports import DEFENDERS, PROBABILITY, WIN, attackers_in, provenance_of
from exactdice.games.risk.rules import Order, Units
from exactdice.games.risk.stopping import StoppingPlan
from exactdice.report.model import (
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance


def campaign_report(march: March) -> Report:
    """Report the chance to take a list of territories, and where the army ends."""
    endings = Table(
        "endings",
        "Where the campaign ends",
        [
            whole("taken", "territories taken", "territories"),
            attackers_in(march.units, ", at the front"),
            whole("defenders", "units that still face them", "units"),
            PROBABILITY,
        ],
        [(*end, chance) for end, chance in march.endings.probabilities().items()],
    )
    taken = Table(
        "territories",
        "Number of territories taken",
        [whole("taken", "territories taken", "territories"), PROBABILITY],
        march.territories_taken.probabilities().items(),
    )
    value = Quantity(exact("value", "probability that every territory is taken"), march.value)
    against = ", ".join(map(str, march.territories))
    title = f"Risk: a campaign of {march.attackers} {march.units} units against {against}"
    return Report(title, [value], [taken, endings], provenance_of(march.rules, march.units))


def dice_report(game: ChoiceGame) -> Report:
    """Report how many dice to roll at every state, and whether the most are optimal."""
    meaning = "the attacker's highest dice against which the defender rolls fewer, and how many"
    fewer = [text_column("fewer_against", meaning)] if game.order is Order.AFTER else []
    states = Table(
        "states",
        "Optimal numbers of dice",
        [
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
        ],
        [
            (
                *armies,
                *(c.value, c.attacker, c.defender, c.maximum_is_optimal),
                *(c.attacker_cost, c.defender_cost),
                *(_fewer_text(c.fewer_against) for _ in fewer),
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
    provenance = provenance_of(game.rules, game.units, order=f"{game.order} choice of dice")
    title = f"Risk: how many dice to roll, up to {attackers} {game.units} units against {defenders}"
    return Report(title, summary, [states], provenance)


def _fewer_text(fewer: Sequence[tuple[Sequence[int], int]]) -> str:
    """Write the answers to rolls.

    >>> _fewer_text([((6, 5), 1), ((6, 6), 1)])
    '6-5: 1, 6-6: 1'
    """
    return ", ".join(f"{'-'.join(map(text, faces))}: {dice}" for faces, dice in fewer) or "none"


def blitz_report(blitz: BalancedBlitz) -> Report:
    """Report the chances of a blitz as the app draws it, beside those of the dice."""
    battle = blitz.battle
    rows = [(*end, blitz.true_law.probability(end), chance) for end, chance in blitz.law.items()]
    endings = Table(
        "endings",
        "Who is left, from the best for the attacker to the best for the defender",
        [
            attackers_in(battle.units),
            whole("defenders", "defending units", "units"),
            exact("by_dice", "probability by dice"),
            enclosed("balanced", "probability in a balanced blitz"),
        ],
        rows,
    )
    quantities = [
        Quantity(
            enclosed("value", "probability that the attacker wins in a balanced blitz"),
            blitz.win_probability,
        ),
        Quantity(
            exact("by_dice", "the same by dice"),
            blitz.true_law.probability_that(lambda end: end[1] == 0),
        ),
    ]
    conventions = {"units": str(battle.units)} | battle.rules.conventions()
    conventions["balanced blitz"] = (
        f"chances to win up to {text(WIN_CUTOFF)} become 0; power {text(WIN_POWER)} on them; "
        f"{text(OUTCOME_CUTOFF)} cut off at either end; power {text(OUTCOME_POWER)} on endings"
    )
    title = f"Risk: {battle.attackers} {battle.units} units blitz {battle.defenders}"
    return Report(title, quantities, [endings], Provenance(conventions=conventions))


def plan_report(plan: StoppingPlan) -> Report:
    """Report when to attack, when to stop and how many units to leave behind."""
    quantities = [
        Quantity(exact("value", "expected worth of the best play"), plan.value),
        Quantity(exact("staying", "worth of not attacking"), plan.staying),
        Quantity(flag("attack", "whether to attack at the start"), bool(plan.value > plan.staying)),
        Quantity(
            exact("all_taken", "probability that the best play takes all territories"),
            plan.all_taken,
        ),
        Quantity(
            exact("taken", "territories that it takes, expected", "territories"),
            plan.expected_taken,
        ),
        Quantity(exact("lost", "own units that it loses, expected", "units"), plan.expected_losses),
    ]
    attacks = Table(
        "attacks",
        "With how many units to attack",
        [
            whole("territory", "territory of the campaign, in order"),
            whole("defenders", "units that defend it", "units"),
            text_column("attack_with", f"total units, up to {plan.attackers}", "units"),
        ],
        [
            (place, d, _ranges([n for n, is_attack in enumerate(row) if is_attack]) or "none")
            for place, front in enumerate(plan.fronts, start=1)
            for d, row in enumerate(front.attacks, start=1)
        ],
    )
    leaves = Table(
        "leaves",
        "How many units to leave behind when a territory has fallen",
        [
            whole("territory", "territory that has fallen"),
            text_column("units", "total units that are left of the army", "units"),
            whole("leave", "of those, units to leave behind", "units"),
        ],
        [
            (place, units, leave)
            for place, front in enumerate(plan.fronts, start=1)
            for units, leave in _runs(front.leaves)
        ],
    )
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
    title = f"Risk: when to stop, {plan.attackers} total units against {against}"
    return Report(
        title,
        quantities,
        [attacks, leaves],
        Provenance(conventions=conventions | plan.rules.conventions()),
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
