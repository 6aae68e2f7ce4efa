"""Players of Farkle: thresholds to bank, simple policies to compare with, and how turns end."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from exactdice.arithmetic import RationalLike, natural, text
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.exact import BestTurn, Overshoot
from exactdice.games.farkle.forward import (
    EnclosedEnd,
    Policy,
    TurnEnd,
    enclosed_ends_of_turn,
    ends_of_turn,
)
from exactdice.games.farkle.menus import Menu, Menus, menus_of
from exactdice.games.farkle.rules import RuleSet
from exactdice.games.farkle.selections import roll_text
from exactdice.games.farkle.sweep import NEVER, Step
from exactdice.memory import stored_bytes
from exactdice.run import DEFAULT, Run

__all__ = [
    "Threshold",
    "ThresholdPlayer",
    "enclosed_turn_end",
    "points_distribution",
    "selection_score",
    "thresholds",
    "turn_end",
]

_BITS = 1000  # of a mass, at least


@dataclass(frozen=True)
class Threshold:
    """When to roll a set of dice and when to bank.

    Attributes
    ----------
    left
        Number of the set of dice left.
    roll
        Maximal ranges of points, both ends included, in which rolling is strictly better.
    bank_from
        Points from which banking is at least as good, up to the target; None where rolling is
        better at the last points below the target.
    """

    left: int
    roll: tuple[tuple[int, int], ...]
    bank_from: int | None


def selection_score(rules: RuleSet, faces: Sequence[int]) -> int:
    """Score of a selection of faces, each of which has to score.

    Raises
    ------
    InputError
        If some die of it does not score.

    Examples
    --------
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> selection_score(KCD, [1, 5])
    150
    >>> selection_score(KCD, [1, 2])
    Traceback (most recent call last):
    exactdice.errors.InputError: selection: got 1,2; give faces of which every one scores
    """
    score = rules.score(faces)
    if score == 0:
        raise InputError("selection", Unquoted(roll_text(faces)), "faces of which every one scores")
    return score


def thresholds(turn: BestTurn) -> list[Threshold]:
    """Say for each set of dice left at which points rolling is better than banking.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> turn = solve(rules=KCD.varied(target=None))
    >>> [(t.left, t.bank_from) for t in thresholds(turn)]
    [(1, 300), (2, 250), (3, 450), (4, 1050), (5, 3400), (6, 12950)]
    """
    unit = turn.rules.unit
    found = []
    for state in turn.dice.proper_states():
        better = turn.sweep.keys[: turn.end // unit, state] > NEVER
        ranges: list[tuple[int, int]] = []
        for level in better.nonzero()[0].tolist():
            if ranges and ranges[-1][1] == (level - 1) * unit:
                ranges[-1] = (ranges[-1][0], level * unit)
            else:
                ranges.append((level * unit, level * unit))
        last = ranges[-1][1] + unit if ranges else turn.rules.minimum_bank
        found.append(Threshold(state, tuple(ranges), None if last == turn.rules.target else last))
    return found


@dataclass(frozen=True)
class ThresholdPlayer:
    """Keeps the highest score of each roll, and banks from a number of points on, or at the target.

    Of equal scores the larger number of the set of dice left is kept.

    Parameters
    ----------
    rules, dice
        The game.
    bank_from
        Points from which to bank; at least the minimum bank.
    overshoot
        What points past the target are worth.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import SIX_FAIR
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> player = ThresholdPlayer(KCD, SIX_FAIR, 300)
    >>> player.turn_end().bust < 1
    True
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

    def step(self, level: int, state: int) -> Step:
        """What rolling a state leads to."""
        unit, states = self.rules.unit, self.dice.states
        bank: dict[int, int] = {}
        roll: dict[int, int] = {}
        for menu, weight in self.menus.by_state[state].menus.items():
            score, left = self._kept(menu)
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
        return Step(bank, roll, bust, self.dice.denominator // denominator)

    @staticmethod
    def _kept(menu: Menu) -> tuple[int, int]:
        return menu[0]  # menus are in canonical order

    def turn_end(self, run: Run = DEFAULT, *, most: int | None = None) -> TurnEnd:
        """How a whole turn ends.

        Raises
        ------
        TooLargeError
            If the turn can have so many rolls that its law takes too much memory.
        """
        needed = stored_bytes(self._end // self.rules.unit * self.dice.states, _BITS)
        run.require(needed, f"banking from {text(self.bank_from)} points")
        return _ends(self, 0, self.dice.full, self.overshoot, run, most)


def _ends(
    policy: Policy, level: int, state: int, overshoot: Overshoot, run: Run, most: int | None
) -> TurnEnd:
    """How a turn ends, with points past the target counted as the overshoot says."""
    end = ends_of_turn(policy, level, state, run, most=most)
    target = policy.menus.rules.target
    return end if target is None or overshoot == Overshoot.FULL else end.capped(target)


def turn_end(
    turn: BestTurn,
    points: RationalLike = 0,
    left: str | int | None = None,
    run: Run = DEFAULT,
    *,
    most: int | None = None,
) -> TurnEnd:
    """How the best turn ends, when the dice left are rolled now.

    Parameters
    ----------
    turn, points, left
        As for `BestTurn.optimal`.
    run
        Limits the memory.
    most
        Bytes that the exact chances may take; no fewer than the memory where None.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> from exactdice.games.farkle.rule_tables import KCD
    >>> turn = solve(rules=KCD.varied(target=50))
    >>> turn_end(turn).bust
    mpq(5,162)
    """
    at, state = turn.points(points), turn.state(left)
    policy: Policy = turn.sweep
    if at >= turn.end:  # without a target, where banking is certain: one roll decides
        policy = ThresholdPlayer(turn.rules, turn.dice, turn.end)
    return _ends(policy, at // turn.rules.unit, state, turn.overshoot, run, most)


def enclosed_turn_end(
    turn: BestTurn, points: RationalLike = 0, left: str | int | None = None, run: Run = DEFAULT
) -> EnclosedEnd:
    """How the best turn ends, with bounds on its law, for turns too long for exact chances.

    Parameters
    ----------
    turn, points, left
        As for `BestTurn.optimal`.
    run
        Hears of progress.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> turn = solve()
    >>> end = enclosed_turn_end(turn)
    >>> turn.value in end.mean(), turn_end(turn).bust in end.bust
    (True, True)
    """
    at, state = turn.points(points), turn.state(left)
    capped = turn.overshoot is Overshoot.NEEDED and turn.rules.target is not None
    cap = turn.end if capped else None
    return enclosed_ends_of_turn(turn.sweep, at // turn.rules.unit, state, turn.end, run, cap=cap)


def points_distribution(turn: BestTurn) -> Distribution[int]:
    """Distribution of the points of a whole best turn; a bust is worth minus the penalty.

    Examples
    --------
    >>> from exactdice.games.farkle.exact import solve
    >>> turn = solve()
    >>> points_distribution(turn).mean() == turn.value
    True
    """
    return turn_end(turn).distribution(turn.rules.penalty)
