"""The reroll game in C++.

Arguments are exact numbers as everywhere in the package. They cross into doubles here: the nearest
one for the solver in doubles, and the two that enclose them for intervals. Arrays come back in
pairs, the lower ends and the upper ends; in doubles both are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.native import Progress, call, enclosed, enclosing, solvers
from exactdice.native.farkle import Ends

__all__ = ["RerollSolved", "reroll"]


@dataclass(frozen=True)
class RerollSolved:
    """The reroll game in floating point.

    Parameters
    ----------
    rolls
        How many dice show each side, a row for each roll; sorted rolls in lexicographic order.
    holds
        How many dice of each side to hold.
    values
        Ends of the value of each roll.
    value
        What encloses the value before the first roll.
    choices
        Pairs of a roll and a hold of it.
    undecided
        Rolls whose best hold is not certain.
    """

    rolls: npt.NDArray[np.int32]
    holds: npt.NDArray[np.int32]
    values: Ends
    value: Enclosure
    choices: int
    undecided: int


def reroll(
    dice: int,
    values: Sequence[mpq],
    bias: Sequence[mpq],
    penalty: mpq,
    *,
    intervals: bool = False,
    progress: Progress | None = None,
) -> RerollSolved:
    """Solve a reroll game.

    Parameters
    ----------
    dice
        How many dice, 1 to 60.
    values, bias
        The values of the sides, ascending, and their probabilities; exact.
    penalty
        What a reroll costs, above 0.
    intervals
        Enclose the values: from below by ever longer games, from above by a function that is
        verified to be no less than any of its actions.
    progress
        Called a few times a second.

    Examples
    --------
    >>> solved = reroll(3, [mpq(v) for v in range(1, 7)], [mpq(1, 6)] * 6, mpq(1), intervals=True)
    >>> mpq(103369, 7744) in solved.value, solved.choices
    (True, 364)
    """
    solve = solvers().reroll_intervals if intervals else solvers().reroll_doubles
    found = call(
        solve,
        natural(dice, "dice", least=1, most=60),
        [enclosing(mpq(value)) for value in values],
        [enclosing(mpq(chance)) for chance in bias],
        enclosing(mpq(penalty)),
        progress,
    )
    return RerollSolved(
        found["rolls"],
        found["holds"],
        found["values"],
        enclosed(found["value"]),
        found["choices"],
        found["undecided"],
    )
