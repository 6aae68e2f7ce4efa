r"""Risk in which both sides choose how many dice to roll.

The Risk post assumes that it is optimal always to attack and defend with as many units as
possible. Here that is settled as a zero-sum game: the attacker maximises the chance to take the
territory, the defender minimises it, and each may roll any number of dice from 1 to what the rules
allow. They choose in one of three orders:

* ``announced``: the attacker says first, the defender answers knowing it: V = max over a of min
  over d;
* ``simultaneous``: both choose at once, a matrix game at each state;
* ``after``: the defender chooses after seeing the attacker's dice, as in G. Koole, An optimal dice
  rolling policy for Risk, Nieuw Archief voor Wiskunde 12 (1994) 49-52: V = max over a of the
  expected value, over the rolls of a dice, of min over d.

Comparisons are exact. All optimal choices are kept; for simultaneous choice a number of dice is
called optimal if rolling it surely is an optimal strategy. Values are integers over L^(a + d) in
the announced game, as in `exactdice.games.risk.exact`; with mixed strategies they may leave that
lattice, so the simultaneous game is solved over the rationals.

Cost: O(a·d·α·δ·min(α, δ)) products with α and δ the most dice of either side, in the simultaneous
game one α × δ matrix game a state, and in the order ``after`` as much again for each sorted roll of
the attacker's δ highest dice, of which there are C(s + δ − 1, δ) with s sides.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError
from exactdice.games.risk.rounds import losses_seen, round_losses
from exactdice.games.risk.rules import STANDARD, RiskRules, Units, fighting_units, shown_units
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run


class Order(StrEnum):
    """Who knows what when the numbers of dice are chosen."""

    ANNOUNCED = "announced"
    SIMULTANEOUS = "simultaneous"
    AFTER = "after"


@dataclass(frozen=True)
class DiceChoice:
    """The game at one state."""

    value: mpq  # chance that the attacker wins when both sides choose optimally from here on
    attacker: tuple[int, ...]  # numbers of dice that are optimal for the attacker, ascending
    # numbers of dice that are optimal for the defender, ascending; in the announced order those
    # that are optimal against every number of dice that the attacker may announce, and in the order
    # after against every roll of them
    defender: tuple[int, ...]
    # whether the most dice are optimal for both sides; in the announced order the defender's answer
    # must be the most dice whatever the attacker announced or rolled
    maximum_is_optimal: bool
    # attacker_cost, defender_cost: what rolling one die fewer than the most costs a side in chance
    # to win, for one round in which the other side rolls the most; None where it has one die. Below
    # 0 it would gain
    attacker_cost: mpq | None
    defender_cost: mpq | None
    # in the order after: the highest faces of the attacker's most dice against which fewer dice are
    # better for the defender, with how many
    fewer_against: tuple[tuple[tuple[int, ...], int], ...] = ()


@dataclass(frozen=True)
class ChoiceGame(Reported, Mapping[tuple[int, int], DiceChoice]):
    """The solved game for every state up to a size, by (attackers, defenders) in `units`."""

    reported_by: ClassVar = "exactdice.games.risk.campaign_reports:dice_report"

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
        """The largest armies, attackers in the units given."""
        attackers, defenders = max(self.states)
        return shown_units(attackers, self.units), defenders

    @property
    def value(self) -> mpq:
        """Chance that the largest attacking army beats the largest defending one."""
        return self[self.largest].value

    def __str__(self) -> str:
        attackers, defenders = self.largest
        return (
            f"choice of dice up to {attackers} {self.units} units against {defenders}, "
            f"{self.order}: {len(self.exceptions())} exceptions to the most dice"
        )

    def exceptions(self) -> list[tuple[int, int]]:
        """States at which the most dice are not optimal for both sides, in order."""
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

    Parameters
    ----------
    attackers, defenders, units, rules
        As for a battle; the rules' numbers of dice bound the choices.
    order
        ``announced``, ``simultaneous`` or ``after``.
    run
        Hears of the attackers done.

    Returns
    -------
    ChoiceGame
        A mapping from armies to `DiceChoice`.

    Raises
    ------
    InputError
        If a number of units is out of range, the order has another name, or the dice are to be seen
        where a law stands for them.

    Examples
    --------
    >>> game = dice_game(4, 2)
    >>> game[4, 2].value, game.exceptions()
    (mpq(6610505,10077696), [])
    """
    a_most = fighting_units(attackers, units)
    d_most = natural(defenders, "defenders", least=1)
    try:
        chosen = Order(order)
    except ValueError:
        raise InputError("order", order, "announced, simultaneous or after") from None
    if chosen is Order.AFTER and rules.law:
        raise InputError("order", order, "announced or simultaneous: a law has no dice to see")
    values: dict[tuple[int, int], mpq] = {}
    states: dict[tuple[int, int], DiceChoice] = {}
    for a in range(a_most + 1):
        run.tell("attackers", a, a_most)
        for d in range(d_most + 1):
            if rules.is_over(a, d):
                values[a, d] = mpq(1 if d == 0 else 0)
            else:
                states[a, d] = _choice(a, d, rules, values, chosen)
                values[a, d] = states[a, d].value
    return ChoiceGame(Units(units), chosen, rules, states)


def _payoffs(
    a: int, d: int, rules: RiskRules, values: Mapping[tuple[int, int], mpq]
) -> list[list[mpq]]:
    """Chance to win after each pair of choices, by attacker's and defender's dice less one."""
    most_a, most_d = rules.dice_rolled(a, d)
    return [
        [
            round_losses(i, j, rules).expectation(lambda lost: values[a - lost[0], d - lost[1]])
            for j in range(1, most_d + 1)
        ]
        for i in range(1, most_a + 1)
    ]


def _choice(
    a: int, d: int, rules: RiskRules, values: Mapping[tuple[int, int], mpq], order: Order
) -> DiceChoice:
    """Solve the game at one state."""
    payoffs = _payoffs(a, d, rules, values)
    fewer: _Fewer = ()
    if order is Order.AFTER:
        (value, attacker, defender), fewer = _after(a, d, rules, values)
    else:
        solve = _announced if order is Order.ANNOUNCED else _simultaneous
        value, attacker, defender = solve(payoffs)
    maximal = len(payoffs) in attacker and len(payoffs[0]) in defender
    return DiceChoice(value, attacker, defender, maximal, *_costs(payoffs), fewer)


_Solved: TypeAlias = tuple[mpq, tuple[int, ...], tuple[int, ...]]
_Fewer: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]


def _announced(payoffs: list[list[mpq]]) -> _Solved:
    answers = [min(row) for row in payoffs]
    value = max(answers)
    attacker = tuple(i for i, least in enumerate(answers, start=1) if least == value)
    columns = enumerate(zip(*payoffs, strict=True), start=1)
    return value, attacker, tuple(j for j, column in columns if list(column) == answers)


def _simultaneous(payoffs: list[list[mpq]]) -> _Solved:
    from exactdice.solve.matrix_games import solve_matrix_game  # not for the other commands

    value = solve_matrix_game(payoffs).value
    attacker = tuple(i for i, row in enumerate(payoffs, start=1) if min(row) >= value)
    columns = enumerate(zip(*payoffs, strict=True), start=1)
    return value, attacker, tuple(j for j, column in columns if max(column) <= value)


def _after(
    a: int, d: int, rules: RiskRules, values: Mapping[tuple[int, int], mpq]
) -> tuple[_Solved, _Fewer]:
    most_a, most_d = rules.dice_rolled(a, d)
    worths: list[mpq] = []
    optimal = set(range(1, most_d + 1))
    fewer: list[tuple[tuple[int, ...], int]] = []
    for i in range(1, most_a + 1):
        total, rolls = mpq(0), 0
        for faces, ways, laws in losses_seen(i, most_d, rules):
            answers = [
                law.expectation(lambda lost: values[a - lost[0], d - lost[1]]) for law in laws
            ]
            least = min(answers)
            total, rolls = total + ways * least, rolls + ways
            optimal &= (best := {j for j, answer in enumerate(answers, 1) if answer == least})
            if i == most_a and most_d not in best:
                fewer.append((faces, max(best)))
        worths.append(total / rolls)
    value = max(worths)
    attacker = tuple(i for i, worth in enumerate(worths, start=1) if worth == value)
    return (value, attacker, tuple(sorted(optimal))), tuple(fewer)


def _costs(payoffs: list[list[mpq]]) -> tuple[mpq | None, mpq | None]:
    """Say what one die fewer costs each side."""
    *_, most = payoffs
    attacker = most[-1] - payoffs[-2][-1] if len(payoffs) > 1 else None
    defender = most[-2] - most[-1] if len(most) > 1 else None
    return attacker, defender
