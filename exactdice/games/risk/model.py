"""A Risk battle as a model: the rules as a program, and the command that writes it into a file."""

from collections import Counter
from dataclasses import dataclass
from itertools import product

from exactdice.dice import Distribution
from exactdice.formats.explicit import ExplicitModel, explicit
from exactdice.formats.questions import Export
from exactdice.games.risk.questions import Win
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import Rules, Ties, fighting_units
from exactdice.models import End, Game
from exactdice.run import Run


@dataclass(frozen=True)
class ExportRisk(
    Export,
    Win,
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


def as_game(attackers: int, defenders: int, rules: Rules) -> Game[tuple[int, int]]:
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


def losses_by_rolls(
    attacker_dice: int, defender_dice: int, rules: Rules
) -> Distribution[tuple[int, int]]:
    """Roll every roll of a round: the losses of the attacker and of the defender.

    Each side sorts its dice; the highest meets the highest, the second the second, as far as both
    have dice, and each with its bonus. The lower one loses a unit; of equal ones the side's that
    does not win ties.

    >>> losses_by_rolls(1, 1, Rules())
    Distribution({(0, 1): 5, (1, 0): 7})
    """
    rolls: Counter[tuple[int, int]] = Counter()
    own, facing = rules.sides_of(attacker_dice, defender_dice)
    for attack in product(*(range(1, sides + 1) for sides in own)):
        for defence in product(*(range(1, sides + 1) for sides in facing)):
            strong, weak = sorted(attack)[::-1], sorted(defence)[::-1]
            for dice, bonus in ((strong, rules.attacker_bonus), (weak, rules.defender_bonus)):
                for place, added in enumerate(bonus[: len(dice)]):
                    dice[place] += added
            pairs = list(zip(strong, weak, strict=False))
            lost = sum(x < y or (x == y and rules.ties is Ties.DEFENDER) for x, y in pairs)
            rolls[lost, len(pairs) - lost] += 1
    return Distribution(rolls)


#: What this module asks, for `exactdice.rooms`.
QUESTIONS = (ExportRisk,)
