"""The rule of a round of Risk, roll by roll: the oracle of `exactdice.games.risk.rounds`."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from exactdice.dice import Distribution
from exactdice.games.risk.rounds import Losses
from exactdice.games.risk.rules import RiskRules, Ties


def losses_by_rolls(attacker_dice: int, defender_dice: int, rules: RiskRules) -> Losses:
    """Return the losses of a round, by listing every roll: the rule itself.

    Each side sorts its dice and adds its bonuses; dice are compared in pairs from the highest. The
    side with the lower die loses a unit, or in a tie the side that does not win ties.
    """
    rolls: Counter[tuple[int, int]] = Counter()
    own, _ = rules.sides_of(attacker_dice, defender_dice)
    for attack in product(*(range(1, sides + 1) for sides in own)):
        rolls.update(losses_to(attack, defender_dice, rules))
    return Distribution(rolls)


def losses_to(
    attack: Sequence[int], defender_dice: int, rules: RiskRules
) -> Counter[tuple[int, int]]:
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
