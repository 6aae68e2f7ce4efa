"""Best turns of Farkle in C++.

Arguments are exact numbers as everywhere in the package. They cross into doubles here: the nearest
one for the solver in doubles, and the two that enclose them for intervals. Arrays come back in
pairs, the lower ends and the upper ends; in doubles both are the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.native import Progress, call, enclosed, enclosing, solvers
from exactdice.native.arrays import Ends

__all__ = ["FarkleTurn", "farkle_turn", "turns_by_rules"]


@dataclass(frozen=True)
class FarkleTurn:
    """The best turn of Farkle in floating point.

    Parameters
    ----------
    unit
        Greatest common divisor of all scores: level k stands for k·unit points.
    worth
        Ends of the expected final points when a set of dice is rolled, by [mask of dice, level].
    roll
        1 where rolling is better than banking, 0 where it is not, −1 where rounding leaves it open.
    value
        Ends of the worth of all dice with no points.
    menus
        Sets of options that rolls offer, over all sets of dice left; equal dice are not told apart.
    bound
        Largest relative error, in doubles, of a worth plus the penalty.
    """

    unit: int
    worth: Ends
    roll: npt.NDArray[np.int8]
    value: Enclosure
    menus: int
    bound: mpq


@lru_cache(maxsize=8)
def turns_by_rules(
    combinations: tuple[tuple[tuple[int, ...], int], ...], conventions: tuple[int, ...]
) -> Any:
    """Make the solver of turns by some rules, which keeps what sets of dice have in common.

    Parameters
    ----------
    combinations, conventions
        Faces that score together, with their score; and the other arguments of the module's rules.

    Examples
    --------
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

    Parameters
    ----------
    dice
        Six exact probabilities for each die.
    combinations
        Faces that score together, with their score.
    target
        Points at which a turn ends.
    jokers
        For each die whether its first side stands for any face, beside a natural one.
    most_dice, minimum_bank, penalty, hot_dice
        As in the exact solver's rules.
    caps_overshoot
        Whether points past the target are worth nothing.
    intervals
        Enclose the worths.
    progress
        Called with the part that is done.

    Examples
    --------
    One fair die that scores 100 for a one: the turn is worth a sixth of that.

    >>> turn = farkle_turn([[mpq(1, 6)] * 6], [((1,), 100)], 100, intervals=True)
    >>> mpq(50, 3) in turn.value
    True

    Notes
    -----
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
    found = call(turns.intervals if intervals else turns.doubles, pool, progress)
    levels = found["roll"].shape[1]
    return FarkleTurn(
        found["unit"],
        found["worth"],
        found["roll"],
        enclosed(found["value"]),
        found["menus"],
        mpq(module.farkle_relative_bound(len(chances), levels)),
    )
