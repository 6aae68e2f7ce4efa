"""The reroll game in C++: the value of every roll, in doubles or in intervals."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.native import call, enclosed, enclosing, solvers
from exactdice.native.farkle import Ends

__all__ = ["RerollSolved", "reroll"]


@dataclass(frozen=True)
class RerollSolved:
    rolls: npt.NDArray[np.int32]  # number of dice per side, one row per roll, in order
    holds: npt.NDArray[np.int32]  # how many dice of each side to hold
    values: Ends  # of each roll
    value: Enclosure  # before the first roll
    choices: int  # pairs of a roll and a hold
    undecided: int  # rolls whose best hold is not certain


def reroll(dice, values, bias, penalty, *, intervals=False, progress=None):
    """Solve a reroll game of 1 to 60 dice."""
    solve = solvers().reroll_intervals if intervals else solvers().reroll_doubles
    found = call(
        solve, natural(dice, "dice", least=1, most=60), [enclosing(mpq(value)) for value in values],
        [enclosing(mpq(chance)) for chance in bias], enclosing(mpq(penalty)), progress,
    )  # fmt: skip
    return RerollSolved(
        found["rolls"], found["holds"], found["values"], enclosed(found["value"]), found["choices"],
        found["undecided"],
    )  # fmt: skip
