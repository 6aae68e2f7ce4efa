"""FateStones in C++: the census of all deals out of a bag, and the values of single duels."""

from dataclasses import dataclass

from exactdice.enclosure import Enclosure
from exactdice.native import call, enclosed, solvers

__all__ = ["Census", "census", "duels"]


@dataclass(frozen=True)
class Census:
    deals: int  # ordered pairs of disjoint hands
    mixed: int  # without a saddle point, up to rounding
    even: int  # of value 0, up to rounding
    undecided: int  # where rounding leaves one of these open
    mean_absolute: Enclosure
    largest: Enclosure
    largest_deal: tuple[int, ...]


def census(bag, *, intervals=False, threads=1, progress=None):
    """Solve every deal of two hands of three dice out of a bag."""
    module = solvers()
    solve = module.fatestones_census_intervals if intervals else module.fatestones_census_doubles
    found = call(solve, [list(die) for die in bag], threads, progress)
    return Census(
        found["deals"], found["mixed"], found["even"], found["undecided"],
        enclosed(found["mean_absolute"]), enclosed(found["largest"]), tuple(found["largest_deal"]),
    )  # fmt: skip


def duels(bag, deals, *, intervals=False):
    """Bound the value of each duel (six numbers of dice: row's three, column's three)."""
    module = solvers()
    solve = module.fatestones_duels_intervals if intervals else module.fatestones_duels_doubles
    return call(solve, [list(die) for die in bag], [list(deal) for deal in deals])
