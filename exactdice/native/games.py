"""Risk grids and the reroll game in C++.

Arguments are exact numbers as everywhere in the package. They cross into doubles here: the nearest
one for the solvers in doubles, and the two that enclose them for intervals. Arrays come back in
pairs, the lower ends and the upper ends; in doubles both are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.games.risk.rules import STANDARD, Rules, Ties
from exactdice.native import Progress, call, enclosed, enclosing, solvers

__all__ = [
    "Ends",
    "RerollSolved",
    "reroll",
    "risk_bound",
    "risk_grid",
    "risk_round_ways",
]

Doubles: TypeAlias = npt.NDArray[np.float64]
Ends: TypeAlias = tuple[Doubles, Doubles]

_MEMORY_LIMIT = 8 * 2**30
_MAX_INT = 2**31 - 1


# Risk -----------------------------------------------------------------------------------------


def _risk_rules(rules: Rules) -> Any:
    return call(
        solvers().RiskRules,
        rules.attacker_dice,
        rules.defender_dice,
        rules.attacker_sides,
        rules.defender_sides,
        rules.ties is Ties.ATTACKER,
        min(rules.stop_below, _MAX_INT),
    )


def risk_grid(
    attackers: int,
    defenders: int,
    rules: Rules = STANDARD,
    *,
    intervals: bool = False,
    progress: Progress | None = None,
) -> Ends:
    """Chances to win for every army up to a size.

    Parameters
    ----------
    attackers, defenders
        Fighting units of the largest armies, at least 1.
    rules
        House rules, with at most 2^53 rolls in a round.
    intervals
        Enclose the chances.
    progress
        Called with the part that is done.

    Returns
    -------
    tuple
        Lower and upper ends, each an array indexed by [defenders, attackers], from 0 up.

    Examples
    --------
    >>> lower, upper = risk_grid(3, 2, intervals=True)
    >>> mpq(lower[2, 3]) <= mpq(6610505, 10077696) <= mpq(upper[2, 3])
    True
    """
    solve = solvers().risk_intervals if intervals else solvers().risk_doubles
    armies = [
        natural(attackers, "attackers", least=1, most=_MAX_INT - 1),
        natural(defenders, "defenders", least=1, most=_MAX_INT - 1),
    ]
    grid: Ends = call(solve, *armies, _risk_rules(rules), _MEMORY_LIMIT, progress)
    return grid


def risk_round_ways(attacker: int, defender: int, rules: Rules = STANDARD) -> list[int]:
    """Ways of all rolls in which the attacker loses 0, 1, … units; exact.

    Examples
    --------
    >>> risk_round_ways(3, 2)
    [2890, 2611, 2275]
    """
    ways = call(solvers().risk_round_ways, attacker, defender, _risk_rules(rules))
    return [int(way) for way in ways]


def risk_bound(units: int, rules: Rules = STANDARD) -> mpq:
    """Largest relative error of a chance in doubles, for armies of so many units in all."""
    return mpq(call(solvers().risk_relative_bound, units, _risk_rules(rules)))


# The reroll game ------------------------------------------------------------------------------


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
