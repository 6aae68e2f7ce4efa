"""Thresholds to bank from, simple players to compare with, and how turns end."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from exactdice.arithmetic import RationalLike, natural, text
from exactdice.games.farkle.rules.dice_sets import DiceSet
from exactdice.games.farkle.rules.menus import Menus, menus_of
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.turn.exact import Overshoot, TurnOptimum
from exactdice.games.farkle.turn.forward import RollPolicy, TurnEnd, ends_of_turn
from exactdice.games.farkle.turn.sweep import NEVER, RollStep
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

_BITS = 1000  # of a mass, at least


@dataclass(frozen=True)
class Threshold:
    """When to roll a set of dice and when to bank.

    `roll` are maximal ranges of points, both ends included, in which rolling is strictly better, or
    banking is not allowed. From `bank_from` on banking is never worse; it is None where rolling is
    better at the last points below the end of the turn. With an opponent in sight it is None too
    where it is not settled, or where rolling is not better at all points below; `ties` are points
    at which both are equal, `unsettled` those at which the enclosures do not tell.
    """

    left: int
    roll: tuple[tuple[int, int], ...]
    bank_from: int | None
    ties: tuple[int, ...] = ()
    unsettled: tuple[int, ...] = ()


def ranges(points: Iterable[int], unit: int) -> tuple[tuple[int, int], ...]:
    """Gather ascending points, multiples of the unit, into maximal ranges, both ends included.

    >>> ranges([50, 100, 200], 50)
    ((50, 100), (200, 200))
    """
    gathered: list[tuple[int, int]] = []
    for each in points:
        if gathered and gathered[-1][1] == each - unit:
            gathered[-1] = gathered[-1][0], each
        else:
            gathered.append((each, each))
    return tuple(gathered)


def thresholds(turn: TurnOptimum) -> list[Threshold]:
    """Say for each set of dice left at which points rolling is better than banking.

    Examples
    --------
    >>> from exactdice.games.farkle import KCD, solve
    >>> turn = solve(rules=KCD.varied(target=None))
    >>> [(t.left, t.bank_from) for t in thresholds(turn)]
    [(1, 300), (2, 250), (3, 450), (4, 1050), (5, 3400), (6, 12950)]
    """
    unit = turn.rules.unit
    of_states = []
    for state in turn.dice.proper_states():
        better = turn.sweep.keys[: turn.end // unit, state] > NEVER
        rolls = ranges((level * unit for level in better.nonzero()[0].tolist()), unit)
        last = rolls[-1][1] + unit if rolls else turn.rules.minimum_bank
        of_states.append(Threshold(state, rolls, None if last == turn.rules.target else last))
    return of_states


@dataclass(frozen=True)
class ThresholdPlayer:
    """Keeps the highest score of each roll, and banks from a number of points on, or at the target.

    Of equal scores the larger number of the set of dice left is kept.
    """

    rules: RuleSet
    dice: DiceSet
    bank_from: int
    overshoot: Overshoot = Overshoot.FULL

    def __post_init__(self) -> None:
        points = self.rules.whole_points(self.bank_from, "bank_from")
        least = max(self.rules.minimum_bank, self.rules.unit)
        object.__setattr__(self, "bank_from", natural(points, "bank_from", least=least))

    @property
    def _end(self) -> int:
        """Points at which the turn ends: there is nothing to play for beyond the target."""
        target = self.rules.target
        return self.bank_from if target is None else min(self.bank_from, target)

    @cached_property
    def menus(self) -> Menus:
        """The menus of the game."""
        return menus_of(self.rules, self.dice, prune=True)

    def step(self, level: int, state: int) -> RollStep:
        """What rolling a state leads to."""
        unit, states = self.rules.unit, self.dice.states
        bank: dict[int, int] = {}
        roll: dict[int, int] = {}
        for menu, weight in self.menus.by_state[state].menus.items():
            score, left = menu[0]  # menus are in canonical order
            reached = level + score // unit
            following = self.menus.next_state(left)
            ends = reached * unit >= self._end
            stranded = following == 0 and reached * unit < self.rules.minimum_bank
            if ends or (following == 0 and not stranded):
                bank[reached] = bank.get(reached, 0) + weight
            else:
                code = reached * states + following
                roll[code] = roll.get(code, 0) + weight
        bust, denominator = self.menus.bust_weight(state)
        return RollStep(bank, roll, bust, self.dice.denominator // denominator)

    @property
    def levels(self) -> int:
        """Units of points from which the turn is banked."""
        return self._end // self.rules.unit

    def turn_end(self, run: Run = DEFAULT, *, most: int | None = None) -> TurnEnd:
        """How a whole turn ends, exactly, of at most so many bytes."""
        needed = stored_bytes(self.levels * self.dice.states, _BITS)
        run.require(needed, f"banking from {text(self.bank_from)} points")
        return _counted(ends_of_turn(self, 0, self.dice.full, run, most=most), self)


def _counted(end: TurnEnd, player: "TurnOptimum | ThresholdPlayer") -> TurnEnd:
    """Count points past the target as the overshoot says."""
    target = player.rules.target
    return end if target is None or player.overshoot == Overshoot.FULL else end.capped(target)


def turn_end(
    turn: TurnOptimum,
    points: RationalLike = 0,
    left: str | int | None = None,
    run: Run = DEFAULT,
    *,
    most: int | None = None,
    bits: int | None = None,
) -> TurnEnd:
    """How the best turn ends, when the dice left are rolled now.

    The rest is as for `ends_of_turn`.
    """
    at, state = turn.points(points), turn.state(left)
    policy: RollPolicy = turn.sweep
    if at >= turn.end:  # without a target, where banking is certain: one roll decides
        policy = ThresholdPlayer(turn.rules, turn.dice, turn.end)
    end = ends_of_turn(policy, at // turn.rules.unit, state, run, most=most, bits=bits)
    return _counted(end, turn)
