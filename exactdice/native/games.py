"""Risk grids and FateStones in C++.

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
from exactdice.native import Progress, call, enclosed, solvers

__all__ = [
    "Ends",
    "FateStonesCensus",
    "fatestones_census",
    "fatestones_duels",
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


# FateStones -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class FateStonesCensus:
    """The equilibria of all deals out of one bag, in floating point.

    Parameters
    ----------
    deals
        Ordered pairs of disjoint hands.
    mixed, even
        Deals without a saddle point, and of value 0, up to rounding.
    undecided
        Deals of which rounding leaves one of these open.
    mean_absolute, largest
        What encloses the mean of the absolute values, and the largest.
    largest_deal
        Numbers of the dice of a deal that has it, the better hand's three first.
    """

    deals: int
    mixed: int
    even: int
    undecided: int
    mean_absolute: Enclosure
    largest: Enclosure
    largest_deal: tuple[int, ...]


def fatestones_census(
    bag: Sequence[Sequence[int]],
    *,
    intervals: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> FateStonesCensus:
    """Solve every deal of two hands of three dice out of a bag.

    Examples
    --------
    >>> bag = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> fatestones_census(bag).deals
    20
    """
    module = solvers()
    solve = module.fatestones_census_intervals if intervals else module.fatestones_census_doubles
    found = call(solve, [list(die) for die in bag], threads, progress)
    return FateStonesCensus(
        found["deals"],
        found["mixed"],
        found["even"],
        found["undecided"],
        enclosed(found["mean_absolute"]),
        enclosed(found["largest"]),
        tuple(found["largest_deal"]),
    )


def fatestones_duels(
    bag: Sequence[Sequence[int]], deals: Sequence[Sequence[int]], *, intervals: bool = False
) -> Ends:
    """Value of each duel, a scratch worth 0.

    Parameters
    ----------
    bag
        The dice.
    deals
        For each duel six numbers of dice in the bag, row's three and then column's.
    intervals
        Enclose the values: by what each side's mixed choice is sure of.

    Examples
    --------
    >>> bag = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> lower, upper = fatestones_duels(bag, [(0, 1, 2, 0, 1, 2)], intervals=True)
    >>> mpq(lower[0]) <= 0 <= mpq(upper[0])
    True
    """
    module = solvers()
    solve = module.fatestones_duels_intervals if intervals else module.fatestones_duels_doubles
    values: Ends = call(solve, [list(die) for die in bag], [list(deal) for deal in deals])
    return values
