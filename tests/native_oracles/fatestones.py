"""FateStones in C++: the census of all deals out of a bag, and the values of single duels.

Doubles, or intervals that enclose: arrays come back in pairs, the lower ends and the upper ends;
in doubles both are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from exactdice.enclosure import Enclosure
from exactdice.native import Progress, call, enclosed, solvers
from exactdice.native.farkle import Ends

__all__ = ["Census", "census", "duels"]


@dataclass(frozen=True)
class Census:
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


def census(
    bag: Sequence[Sequence[int]],
    *,
    intervals: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> Census:
    """Solve every deal of two hands of three dice out of a bag.

    Examples
    --------
    >>> from gmpy2 import mpq
    >>> bag = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> census(bag).deals
    20
    """
    module = solvers()
    solve = module.fatestones_census_intervals if intervals else module.fatestones_census_doubles
    found = call(solve, [list(die) for die in bag], threads, progress)
    return Census(
        found["deals"],
        found["mixed"],
        found["even"],
        found["undecided"],
        enclosed(found["mean_absolute"]),
        enclosed(found["largest"]),
        tuple(found["largest_deal"]),
    )


def duels(
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
    >>> from gmpy2 import mpq
    >>> bag = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3)]
    >>> lower, upper = duels(bag, [(0, 1, 2, 0, 1, 2)], intervals=True)
    >>> mpq(lower[0]) <= 0 <= mpq(upper[0])
    True
    """
    module = solvers()
    solve = module.fatestones_duels_intervals if intervals else module.fatestones_duels_doubles
    values: Ends = call(solve, [list(die) for die in bag], [list(deal) for deal in deals])
    return values
