r"""Risk with a choice of dice on both sides.

The Risk post assumes that it is optimal to attack and defend with as many units as possible. Here
this is a zero-sum game: the attacker maximises the probability to take the territory, the defender
minimises it, and each rolls any number of dice from 1 to the most that the rules allow. There are
three orders of play:

* ``announced``: the attacker announces a number, then the defender chooses: V = max over a of min
  over d;
* ``simultaneous``: both choose simultaneously, a matrix game in each state;
* ``after``: the defender chooses after seeing the attacker's dice, as in G. Koole, An optimal dice
  rolling policy for Risk, Nieuw Archief voor Wiskunde 12 (1994) 49-52: V = max over a of the
  expected value, over the rolls of a dice, of min over d.

Comparisons are exact, and all optimal choices are kept. With simultaneous moves a number of dice is
called optimal if always rolling it is an optimal strategy. The model is
`exactdice.games.risk.model.as_choice_game`.

Cost: O(a·d·α·δ·min(α, δ)) transitions, with α and δ the most dice of each side. Simultaneous moves
take one α × δ matrix game a state; the order ``after`` takes as much again for each of the
C(s + δ − 1, δ) sorted rolls of the attacker's δ highest dice with s sides.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import (
    STANDARD,
    Order,
    RiskRules,
    Units,
    fighting_units,
    shown_units,
)
from exactdice.question.domains import OneOf
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.solve.optimum import Optimum


@dataclass(frozen=True)
class DiceChoice:
    value: mpq  # probability that the attacker wins if both sides play optimally from here on
    attacker: tuple[int, ...]  # optimal numbers of dice of the attacker, ascending
    # optimal numbers of dice of the defender, ascending; in the orders announced and after those
    # that are optimal against every number or roll of the attacker
    defender: tuple[int, ...]
    maximum_is_optimal: bool  # whether the most dice are in both
    # attacker_cost, defender_cost: decrease of a side's probability to win if it rolls one die
    # fewer than the most in one round, in which the other side rolls the most; None with one die
    attacker_cost: mpq | None
    defender_cost: mpq | None
    # in the order after: the highest faces of the attacker's most dice against which fewer dice are
    # better for the defender, and how many
    fewer_against: tuple[tuple[tuple[int, ...], int], ...] = ()


@dataclass(frozen=True)
class ChoiceGame(
    Reported, Mapping[tuple[int, int], DiceChoice], by="exactdice.games.risk.reports:dice_report"
):
    """The solved game for every state up to a size, by (attackers, defenders) in `units`."""

    units: Units
    order: Order
    rules: RiskRules
    states: Mapping[tuple[int, int], DiceChoice]  # by fighting units

    def __getitem__(self, armies: tuple[int, int]) -> DiceChoice:
        try:
            attackers, defenders = armies
            return self.states[fighting_units(attackers, self.units), defenders]
        except (KeyError, TypeError, ValueError):
            raise KeyError(armies) from None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((shown_units(a, self.units), d) for a, d in self.states)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def largest(self) -> tuple[int, int]:
        """The largest armies, attackers in `units`."""
        attackers, defenders = max(self.states)
        return shown_units(attackers, self.units), defenders

    @property
    def value(self) -> mpq:
        return self[self.largest].value

    def __str__(self) -> str:
        attackers, defenders = self.largest
        return (
            f"choice of dice up to {attackers} {self.units} units against {defenders}, "
            f"{self.order}: {len(self.exceptions())} exceptions to the most dice"
        )

    def exceptions(self) -> list[tuple[int, int]]:
        return [armies for armies, choice in self.items() if not choice.maximum_is_optimal]


def dice_game(
    attackers: int,
    defenders: int,
    order: Order | str = Order.ANNOUNCED,
    units: Units | str = Units.TOTAL,
    rules: RiskRules = STANDARD,
    run: Run = DEFAULT,
) -> ChoiceGame:
    """Solve the game of choosing dice for every state up to the given armies.

    * `attackers`, `defenders`, `units`, `rules`, `run`: as in `solve`; the rules set the most dice.
    * `order`: ``announced``, ``simultaneous`` or ``after``.

    The result maps armies to `DiceChoice`.
    Raises InputError if an army is out of range, the order is not one of the three, or it is
    ``after`` and the rules have a `law` instead of dice.

    >>> game = dice_game(4, 2)
    >>> game[4, 2].value, game.exceptions()
    (mpq(6610505,10077696), [])
    """
    from exactdice.games.risk.model import as_choice_game  # not for the other commands
    from exactdice.solve.questions import exact_optimum

    a_most = fighting_units(attackers, units)
    d_most = natural(defenders, "defenders", least=1)
    chosen = OneOf(Order).read(order, "order")
    if chosen is Order.AFTER and rules.law:
        raise InputError("order", order, "announced or simultaneous, if --losses replaces the dice")
    armies = list(product(range(a_most + 1), range(d_most + 1)))
    best = exact_optimum(as_choice_game(a_most, d_most, chosen, rules), run, also=armies)
    values = {state: best.value_of(state).exact for state in armies}
    losses = cache(partial(round_losses, rules=rules))

    def after(a: int, d: int, i: int, j: int) -> mpq:
        return losses(i, j).expectation(lambda lost: values[a - lost[0], d - lost[1]])

    states: dict[tuple[int, int], DiceChoice] = {}
    for a in range(a_most + 1):
        run.tell("attackers", a, a_most)
        for d in range(d_most + 1):
            if not rules.is_over(a, d):
                dice = rules.dice_rolled(a, d)
                states[a, d] = _choice((a, d), dice, chosen, best, partial(after, a, d))
    return ChoiceGame(Units(units), chosen, rules, states)


def _choice(
    armies: tuple[int, int],
    dice: tuple[int, int],
    order: Order,
    best: "Optimum[tuple[int, ...]]",
    after: Callable[[int, int], mpq],
) -> DiceChoice:
    (most_a, most_d), value = dice, best.value_of(armies).exact
    ours, theirs = range(1, most_a + 1), range(1, most_d + 1)
    fewer: list[tuple[tuple[int, ...], int]] = []
    if order is Order.SIMULTANEOUS:
        payoffs = {(i, j): after(i, j) for i in ours for j in theirs}
        attacker = tuple(i for i in ours if all(payoffs[i, j] >= value for j in theirs))
        defender = tuple(j for j in theirs if all(payoffs[i, j] <= value for i in ours))
    else:
        attacker, model = best.optimal_actions(armies), best.model
        seen = {model.states[n] for n in model.arena.successors(model.number(armies))}
        answers = {state[2:]: best.optimal_actions(state) for state in sorted(seen)}
        defender = tuple(j for j in theirs if all(j in js for js in answers.values()))
        if order is Order.AFTER:
            shown = min(dice)  # visible faces of the attacker's most dice
            against = {faces: js for faces, js in answers.items() if len(faces) == shown}
            fewer = [(faces, max(js)) for faces, js in against.items() if most_d not in js]
    most = after(most_a, most_d)
    costs = (
        most - after(most_a - 1, most_d) if most_a > 1 else None,
        after(most_a, most_d - 1) - most if most_d > 1 else None,
    )
    is_maximum = most_a in attacker and most_d in defender
    return DiceChoice(value, attacker, defender, is_maximum, *costs, tuple(fewer))
