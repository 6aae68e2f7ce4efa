"""Risk battles as models: the rules as a program."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

from exactdice.dice import Distribution
from exactdice.formats.certified import Stated
from exactdice.games.risk.questions import ArmiesQuestion, RiskDice, RiskWin
from exactdice.games.risk.rounds import Losses, Seen, losses_seen, round_losses
from exactdice.games.risk.rules import Order, RiskRules, fighting_units
from exactdice.models import Both, Choice, End, Game, Turn
from exactdice.run import Run


def as_game(attackers: int, defenders: int, rules: RiskRules) -> Game[tuple[int, int]]:
    def moves(armies: tuple[int, int]) -> End | Distribution[tuple[int, int]]:
        a, d = armies
        if rules.is_over(a, d):
            return End(int(d == 0))
        losses = round_losses(*rules.dice_rolled(a, d), rules)
        return losses.map(lambda lost: (a - lost[0], d - lost[1]))

    return Game((attackers, defenders), moves)


Announced: TypeAlias = tuple[int, ...]
"""The armies, then the attacker's announced number of dice or highest faces, if any."""


def as_choice_game(
    attackers: int, defenders: int, order: Order, rules: RiskRules
) -> Game[Announced]:
    """Return a battle in which both sides choose how many dice to roll."""

    @cache
    def seen(i: int, most_d: int) -> Sequence[Seen]:
        if order is Order.AFTER:
            return losses_seen(i, most_d, rules)
        return [((i,), 1, tuple(round_losses(i, j, rules) for j in range(1, most_d + 1)))]

    @cache
    def answers(most_a: int, most_d: int) -> dict[tuple[int, ...], Sequence[Losses]]:
        every = (each for i in range(1, most_a + 1) for each in seen(i, most_d))
        return {known: losses for known, _, losses in every}

    def moves(state: Announced) -> End | Turn[Announced] | Both[Announced]:
        a, d, *known = state

        def after(losses: Losses) -> Distribution[Announced]:
            return losses.map(lambda lost: (a - lost[0], d - lost[1]))

        if not known and rules.is_over(a, d):
            return End(int(d == 0))
        most_a, most_d = rules.dice_rolled(a, d)
        if known:
            each = answers(most_a, most_d)[tuple(known)]
            return Turn(2, [Choice(j, 0, after(losses)) for j, losses in enumerate(each, start=1)])
        dice = range(1, most_a + 1)
        if order is Order.SIMULTANEOUS:
            pairs = product(dice, range(1, most_d + 1))
            return Both({(i, j): after(round_losses(i, j, rules)) for i, j in pairs})
        shown = ({(a, d, *faces): ways for faces, ways, _ in seen(i, most_d)} for i in dice)
        return Turn(1, [Choice(i, 0, Distribution(ways)) for i, ways in enumerate(shown, start=1)])

    return Game((attackers, defenders), moves)


def game_of_win(asked: RiskWin, run: Run) -> Stated:
    """Return the battle of a question, with payoff 1 and the label won if the attacker wins."""
    rules = asked.require(2 * asked.attackers * asked.defenders, run)
    battle = as_game(fighting_units(asked.attackers, asked.units), asked.defenders, rules)
    return Stated(battle, f"{_title(asked)},", _LABELS)


def game_of_dice(asked: RiskDice, run: Run) -> Stated:
    fighting = fighting_units(asked.attackers, asked.units)
    battle = as_choice_game(fighting, asked.defenders, asked.order, asked.rules())
    return Stated(battle, f"{_title(asked)} with dice of their choice,", _LABELS)


_LABELS: dict[str, Callable[[tuple[int, ...]], bool]] = {"won": lambda armies: armies[1] == 0}


def _title(asked: ArmiesQuestion) -> str:
    return f"Risk: {asked.attackers} {asked.units} units attack {asked.defenders}"
