"""Best turns and races of Farkle in C++.

Arguments are exact numbers as everywhere in the package. They cross into doubles here: the nearest
one for the solver in doubles, and the two that enclose them for intervals. Arrays come back in
pairs, the lower ends and the upper ends; in doubles both are the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.native import Progress, call, enclosed, enclosing, solvers

Doubles: TypeAlias = npt.NDArray[np.float64]

#: Lower ends and upper ends; in doubles both are the same.
Ends: TypeAlias = tuple[Doubles, Doubles]


@dataclass(frozen=True)
class FarkleTurn:
    """The best turn of Farkle in floating point."""

    unit: int  # greatest common divisor of all scores: level k stands for k·unit points
    # ends of the expected final points when a set of dice is rolled, by [mask of dice, level]
    worth: Ends
    # 1 where rolling is better than banking, 0 where it is not, −1 where rounding leaves it open
    roll: npt.NDArray[np.int8]
    value: Enclosure  # ends of the worth of all dice with no points
    # sets of options that rolls offer, over all sets of dice left; equal dice are not told apart
    menus: int
    bound: mpq  # largest relative error, in doubles, of a worth plus the penalty


@lru_cache(maxsize=8)
def turns_by_rules(
    combinations: tuple[tuple[tuple[int, ...], int], ...], conventions: tuple[int, ...]
) -> Any:
    """Make the solver of turns by some rules, which keeps what sets of dice have in common.

    >>> rules = (((1,), 100),), (6, 100, 0, 0, True, False)
    >>> turns_by_rules(*rules) is turns_by_rules(*rules)
    True
    """
    module = solvers()
    scores = [call(module.FarkleCombination, list(faces), score) for faces, score in combinations]
    return call(module.FarkleTurns, call(module.FarkleRules, scores, *conventions))


def farkle_turn(
    dice: Sequence[Sequence[mpq]],
    combinations: Iterable[tuple[Sequence[int], int]],
    target: int,
    *,
    jokers: Sequence[bool] | None = None,
    most_dice: int = 6,
    minimum_bank: int = 0,
    penalty: int = 0,
    hot_dice: bool = True,
    caps_overshoot: bool = False,
    intervals: bool = False,
    progress: Progress | None = None,
) -> FarkleTurn:
    """Find the turn that maximises expected points, for dice that may all be different.

    One fair die that scores 100 for a one: the turn is worth a sixth of that.

    >>> turn = farkle_turn([[mpq(1, 6)] * 6], [((1,), 100)], 100, intervals=True)
    >>> mpq(50, 3) in turn.value
    True

    Six different dice to 6000 take 40 ms of processor time; what rolls offer depends on faces alone
    and is kept, so that further sets with as many dice of each kind take 3 ms by the same rules.
    """
    module = solvers()
    chances = [[enclosing(chance) for chance in die] for die in dice]
    pool = call(module.FarkleDice, chances, list(jokers or [False] * len(chances)))
    turns = turns_by_rules(
        tuple((tuple(faces), score) for faces, score in combinations),
        (most_dice, target, minimum_bank, penalty, hot_dice, caps_overshoot),
    )
    solved = call(turns.intervals if intervals else turns.doubles, pool, progress)
    levels = solved["roll"].shape[1]
    return FarkleTurn(
        solved["unit"],
        solved["worth"],
        solved["roll"],
        enclosed(solved["value"]),
        solved["menus"],
        mpq(module.farkle_relative_bound(len(chances), levels)),
    )


def ends_of(numbers: Iterable[mpq]) -> tuple[list[Any], list[Any]]:
    """Return the doubles below and above each number."""
    pairs = [enclosing(number)[1:] for number in numbers]
    return [below for below, _ in pairs], [above for _, above in pairs]


def race_rolls(
    first_menu: Sequence[int],
    start: Sequence[int],
    score: Sequence[int],
    next_state: Sequence[int],
    weights: Iterable[mpq],
    busts: Iterable[mpq],
) -> Any:
    """Hand what the rolls of a player offer to the solvers of races.

    The first menu of each set of dice, the first option of each menu, both with one past the last;
    units scored and dice rolled next of each option; chances of menus, and of busts by set of dice.
    """
    flat = list(first_menu), list(start), list(score), list(next_state)
    return call(solvers().FarkleRolls, *flat, ends_of(weights), ends_of(busts))


def race_player(rolls: Any, levels: int, minimum_bank: int, entry_minimum: int, laws: Any) -> Any:
    """Make a player of a race, points in units; `laws` as `ends_of` each, none to play to win."""
    return call(solvers().FarklePlayer, rolls, levels, minimum_bank, entry_minimum, laws)


def race(first: Any, second: Any, threads: int, progress: Progress | None) -> Any:
    """Enclose the chances to win of two players, or of one against themselves (second None)."""
    return call(solvers().farkle_race, first, second, threads, progress)


def fewest_turns(player: Any, progress: Progress | None) -> Any:
    """Enclose the least expected number of turns to the target, by the units banked."""
    return call(solvers().farkle_least_turns, player, progress)


def streak_player(
    rolls: Any, levels: int, minimum_bank: int, penalty: int, depth: int, laws: Any, third: Any
) -> Any:
    """Make a player whose every third bust in a row costs points, down to `depth` below 0."""
    solver = solvers().FarkleStreakPlayer
    return call(solver, rolls, levels, minimum_bank, penalty, depth, laws, third)


def streak_race(
    first: Any, second: Any, width: mpq, passes: int, threads: int, progress: Progress | None
) -> Any:
    """Enclose the chances to win where busts in a row cost points, in so many passes at most."""
    solver = solvers().farkle_streak_race
    return call(solver, first, second, enclosing(width)[0], passes, threads, progress)
