"""A Risk battle as a model: the rules as a program, and the command that writes it into a file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from exactdice.dice import Distribution
from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.questions import Export
from exactdice.games.risk.questions import RiskWin
from exactdice.games.risk.rounds import Seen, losses_seen, round_losses
from exactdice.games.risk.rules import Order, RiskRules, Ties, fighting_units
from exactdice.models import Both, Choice, End, Game, Turn
from exactdice.run import Run

if TYPE_CHECKING:
    from exactdice.games.risk.campaign_questions import RiskDice


@dataclass(frozen=True)
class ModelExportRisk(
    Export,
    RiskWin,
    command="model export-risk",
    example="model export-risk 4 2 battle.drn",
    takes="a moment for 50 against 50",
):
    """Write a Risk battle as a chain: 1 is paid where the attacker wins, labelled won."""

    def listed(self, run: Run) -> tuple[str, ExplicitModel]:
        """Explore the battle."""
        rules = self.require(2 * self.attackers * self.defenders, run)
        game = as_game(fighting_units(self.attackers, self.units), self.defenders, rules)
        table = explicit(game.explored(run), {"won": lambda armies: bool(armies[1] == 0)})
        title = f"Risk: {self.attackers} {self.units} units attack {self.defenders}, as a chain"
        return title, table


def as_game(attackers: int, defenders: int, rules: RiskRules) -> Game[tuple[int, int]]:
    """State a battle of fighting units as a chain, round after round.

    The rounds are those of `losses_by_rolls`, counted without listing the rolls.
    """

    def moves(armies: tuple[int, int]) -> End | Distribution[tuple[int, int]]:
        a, d = armies
        if rules.is_over(a, d):
            return End(int(d == 0))
        losses = round_losses(*rules.dice_rolled(a, d), rules)
        return losses.map(lambda lost: (a - lost[0], d - lost[1]))

    return Game((attackers, defenders), moves)


Announced: TypeAlias = tuple[int, ...]
"""The armies, and the number of the attacker's dice if it is announced, or their highest faces."""

Losses: TypeAlias = tuple[int, int]
"""The attacker's and the defender's."""


def as_choice_game(
    attackers: int, defenders: int, order: Order, rules: RiskRules
) -> Game[Announced]:
    """State a battle in which both sides choose how many dice to roll.

    >>> from exactdice.models import optimum
    >>> optimum(as_choice_game(3, 2, Order.SIMULTANEOUS, RiskRules())).value
    mpq(6610505,10077696)
    """

    @cache
    def seen(i: int, most_d: int) -> Sequence[Seen]:
        if order is Order.AFTER:
            return losses_seen(i, most_d, rules)
        return [((i,), 1, tuple(round_losses(i, j, rules) for j in range(1, most_d + 1)))]

    @cache
    def answers(most_a: int, most_d: int) -> dict[tuple[int, ...], Sequence[Distribution[Losses]]]:
        every = (each for i in range(1, most_a + 1) for each in seen(i, most_d))
        return {known: laws for known, _, laws in every}

    def moves(state: Announced) -> End | Turn[Announced] | Both[Announced]:
        a, d, *known = state

        def after(losses: Distribution[Losses]) -> Distribution[Announced]:
            return losses.map(lambda lost: (a - lost[0], d - lost[1]))

        if not known and rules.is_over(a, d):
            return End(int(d == 0))
        most_a, most_d = rules.dice_rolled(a, d)
        if known:
            laws = answers(most_a, most_d)[tuple(known)]
            return Turn(2, [Choice(j, 0, after(law)) for j, law in enumerate(laws, start=1)])
        dice = range(1, most_a + 1)
        if order is Order.SIMULTANEOUS:
            pairs = product(dice, range(1, most_d + 1))
            return Both({(i, j): after(round_losses(i, j, rules)) for i, j in pairs})
        shown = ({(a, d, *told): ways for told, ways, _ in seen(i, most_d)} for i in dice)
        return Turn(1, [Choice(i, 0, Distribution(law)) for i, law in enumerate(shown, start=1)])

    return Game((attackers, defenders), moves)


def game_of_dice(asked: "RiskDice", run: Run) -> Game[Any]:
    """The game that a question about the choice of dice is about."""
    fighting = fighting_units(asked.attackers, asked.units)
    return as_choice_game(fighting, asked.defenders, asked.order, asked.rules())


def losses_by_rolls(
    attacker_dice: int, defender_dice: int, rules: RiskRules
) -> Distribution[tuple[int, int]]:
    """Roll every roll of a round: the losses of the attacker and of the defender.

    Each side sorts its dice; the highest meets the highest, the second the second, as far as both
    have dice, and each with its bonus. The lower one loses a unit; of equal ones the side's that
    does not win ties.

    >>> losses_by_rolls(1, 1, RiskRules())
    Distribution({(0, 1): 5, (1, 0): 7})
    """
    rolls: Counter[tuple[int, int]] = Counter()
    own, _ = rules.sides_of(attacker_dice, defender_dice)
    for attack in product(*(range(1, sides + 1) for sides in own)):
        rolls.update(losses_to(attack, defender_dice, rules))
    return Distribution(rolls)


def losses_to(
    attack: Sequence[int], defender_dice: int, rules: RiskRules
) -> Counter[tuple[int, int]]:
    """Roll every roll of the defender against what the attacker's dice show, and count losses."""
    rolls: Counter[tuple[int, int]] = Counter()
    _, facing = rules.sides_of(len(attack), defender_dice)
    for defence in product(*(range(1, sides + 1) for sides in facing)):
        strong, weak = sorted(attack)[::-1], sorted(defence)[::-1]
        for dice, bonus in ((strong, rules.attacker_bonus), (weak, rules.defender_bonus)):
            for place, added in enumerate(bonus[: len(dice)]):
                dice[place] += added
        pairs = list(zip(strong, weak, strict=False))
        lost = sum(x < y or (x == y and rules.ties is Ties.DEFENDER) for x, y in pairs)
        rolls[lost, len(pairs) - lost] += 1
    return rolls


#: What this module asks, for `exactdice.rooms`.
QUESTIONS = (ModelExportRisk,)
