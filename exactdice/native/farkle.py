"""Optimal turns of Farkle in C++.

Arguments are exact numbers. They are converted to doubles: the nearest one for the solver in
doubles, and the two around them for intervals. Arrays come back as pairs of lower and upper bounds,
which are equal in doubles.
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

#: Lower and upper bounds.
Ends: TypeAlias = tuple[Doubles, Doubles]


@dataclass(frozen=True)
class FarkleTurn:
    unit: int  # greatest common divisor of all scores: level k means k·unit points
    # bounds of the expected final points when rolling a set of dice, by [mask of dice, level]
    worth: Ends
    # 1 if rolling is better than banking, 0 if not, −1 if rounding leaves it open
    roll: npt.NDArray[np.int8]
    value: Enclosure  # bounds of the expected points of a turn
    # sets of options that rolls offer, over all sets of dice left; equal dice count once
    menus: int
    bound: mpq  # largest relative error of an expected value plus the penalty, in doubles


@lru_cache(maxsize=8)
def turns_by_rules(
    combinations: tuple[tuple[tuple[int, ...], int], ...], conventions: tuple[int, ...]
) -> Any:
    """Make the solver of turns for some rules, which caches data shared by sets of dice."""
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

    Six different dice to 6000 take 40 ms of processor time. Rolls depend only on faces and are
    cached, so further sets with as many dice of each kind take 3 ms under the same rules.
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
    bound = mpq(module.farkle_relative_bound(len(chances), levels))
    named = {name: solved[name] for name in ("unit", "worth", "roll", "menus")}
    return FarkleTurn(value=enclosed(solved["value"]), bound=bound, **named)
