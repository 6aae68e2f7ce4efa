"""Double Shutter, against a recursion over sets of tiles in fractions."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from gmpy2 import mpq

from exactdice.book import load
from exactdice.book.shut_the_box import double_shutter
from exactdice.models import optimum

Tile = tuple[bool, int]  # whether in the front row, and its number

TWO = {total: 6 - abs(7 - total) for total in range(2, 13)}
ONE = dict.fromkeys(range(1, 7), 1)


def paid(columns: int) -> Fraction:
    """The least mean; a back tile may be shut where the front one is gone, or goes with it."""

    @cache
    def least(tiles: frozenset[Tile]) -> Fraction:
        free = sum(n for front, n in tiles if front or (True, columns + 1 - n) not in tiles)
        return min(mean(tiles, law) for law in ((TWO, ONE) if free <= 6 else (TWO,)))

    def mean(tiles: frozenset[Tile], law: dict[int, int]) -> Fraction:
        worth = Fraction(0)
        for total, ways in law.items():
            left = [
                tiles - frozenset(shut)
                for size in range(1, len(tiles) + 1)
                for shut in combinations(sorted(tiles), size)
                if sum(n for _, n in shut) == total
                and all(
                    front or (True, columns + 1 - n) in shut or (True, columns + 1 - n) not in tiles
                    for front, n in shut
                )
            ]
            stay = Fraction(sum(n * (1 + front) for front, n in tiles))
            worth += ways * min(map(least, left), default=stay)
        return worth / sum(law.values())

    return least(frozenset((front, n) for front in (True, False) for n in range(1, columns + 1)))


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_small_boxes_are_worth_what_a_recursion_over_sets_says(columns: int) -> None:
    assert optimum(double_shutter(columns), least=True).value == mpq(paid(columns))


@pytest.mark.long
def test_nine_columns_are_worth_what_was_printed() -> None:
    # danthemanhathaway.com/ProgProjects/ShutTheBox: 19.427
    variant = load("double-shutter")
    assert variant.numbers[0].verdict(variant.answer().value) == "confirmed"
