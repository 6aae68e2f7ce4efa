"""A Risk battle as a model: the rules as a program."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from exactdice.dice import Distribution
from exactdice.formats.certified import Stated
from exactdice.games.risk.questions import ArmiesQuestion, RiskWin
from exactdice.games.risk.rounds import Seen, losses_seen, round_losses
from exactdice.games.risk.rules import Order, RiskRules, Ties, fighting_units
from exactdice.models import Both, Choice, End, Game, Turn
from exactdice.run import Run

if TYPE_CHECKING:
    from exactdice.games.risk.campaign_questions import RiskDice


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


def game_of_win(asked: RiskWin, run: Run) -> Stated:
    """State the battle that a question is about: it pays 1 if the attacker wins, labelled won."""
    rules = asked.require(2 * asked.attackers * asked.defenders, run)
    battle = as_game(fighting_units(asked.attackers, asked.units), asked.defenders, rules)
    return Stated(battle, f"{_title(asked)},", _LABELS)


def game_of_dice(asked: "RiskDice", run: Run) -> Stated:
    """State the battle with a choice of dice that a question is about."""
    fighting = fighting_units(asked.attackers, asked.units)
    battle = as_choice_game(fighting, asked.defenders, asked.order, asked.rules())
    return Stated(battle, f"{_title(asked)} with dice of their choice,", _LABELS)


_LABELS: dict[str, Callable[[tuple[int, ...]], bool]] = {"won": lambda armies: armies[1] == 0}


def _title(asked: ArmiesQuestion) -> str:
    return f"Risk: {asked.attackers} {asked.units} units attack {asked.defenders}"


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
