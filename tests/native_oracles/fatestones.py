"""FateStones in C++: the census of all deals and single duels, with their check."""

from dataclasses import dataclass
from functools import partial
from itertools import combinations

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.rules import bag as whole_bag
from exactdice.jobs.crosscheck import Case, Check
from exactdice.native import call, enclosed, solvers
from exactdice.studies.fatestones.censuses import RESOLUTION
from exactdice.studies.fatestones.censuses import census as exact_census

__all__ = ["Census", "census", "check_fatestones", "duels", "ladder"]


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


def check_fatestones(size, *, deals=3000):
    """Cross-check the census of some dice of the bag, and about `deals` deals."""
    dice = whole_bag()[:size]
    check = Check("fatestones", f"{size} dice")
    hands = list(combinations(range(size), 3))
    pairs = [(*row, *column) for row in hands for column in hands if not set(row) & set(column)]
    chosen = pairs[:: max(1, len(pairs) // deals)]
    bound = mpq(1, 2**40)
    doubles, _ = duels(dice, chosen)
    lower, upper = duels(dice, chosen, intervals=True)
    for index, deal in enumerate(chosen):
        row, column = tuple(dice[i] for i in deal[:3]), tuple(dice[i] for i in deal[3:])
        check.number(
            f"deal {deal}", solve(row, column).value, doubles[index].item(),
            (lower[index].item(), upper[index].item()), bound,
        )  # fmt: skip
    exact = exact_census(dice)
    found = census(dice)
    enclosed = census(dice, intervals=True)
    check.model_size("deals", exact.pairs, found.deals)
    check.model_size("mixed deals", exact.mixed, found.mixed)
    check.model_size("even deals", exact.even, found.even)
    # The exact mean is stated rounded down by less than RESOLUTION.
    check.number(
        "mean absolute value", exact.mean_absolute_value, found.mean_absolute.lower,
        (enclosed.mean_absolute.lower - RESOLUTION, enclosed.mean_absolute.upper), bound,
    )  # fmt: skip
    check.number(
        "largest value", exact.largest, found.largest.lower,
        (enclosed.largest.lower, enclosed.largest.upper), bound,
    )  # fmt: skip
    check.undecided += enclosed.undecided
    return check


def ladder():
    for size in (7, 9, 12, 16):
        yield Case("fatestones", f"{size} dice", partial(check_fatestones, size), size > 9)
