"""FateStones: the equilibrium of every deal out of a bag, and what the census adds up to."""

from functools import partial
from itertools import combinations

from gmpy2 import mpq

from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.rules import bag as whole_bag
from exactdice.jobs.crosscheck import Case, Check
from exactdice.studies.fatestones.censuses import RESOLUTION, census
from native_oracles import fatestones

__all__ = ["check_fatestones", "ladder"]


def check_fatestones(size, *, deals=3000):
    """Cross-check the census of some dice of the bag, and about `deals` deals."""
    dice = whole_bag()[:size]
    check = Check("fatestones", f"{size} dice")
    hands = list(combinations(range(size), 3))
    pairs = [(*row, *column) for row in hands for column in hands if not set(row) & set(column)]
    chosen = pairs[:: max(1, len(pairs) // deals)]
    bound = mpq(1, 2**40)
    doubles, _ = fatestones.duels(dice, chosen)
    lower, upper = fatestones.duels(dice, chosen, intervals=True)
    for index, deal in enumerate(chosen):
        row, column = tuple(dice[i] for i in deal[:3]), tuple(dice[i] for i in deal[3:])
        check.number(
            f"deal {deal}", solve(row, column).value, doubles[index].item(),
            (lower[index].item(), upper[index].item()), bound,
        )  # fmt: skip
    exact = census(dice)
    found = fatestones.census(dice)
    enclosed = fatestones.census(dice, intervals=True)
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
