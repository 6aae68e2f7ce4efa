"""The C++ solvers of FateStones, in exact arithmetic."""

import pytest
from gmpy2 import mpq
from native_oracles import fatestones

from exactdice import native
from exactdice.errors import InputError

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]

BAG = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3), (2, 3, 4)]


def test_fatestones_duels_are_antisymmetric_and_enclosed():
    deals = [(0, 1, 2, 3, 4, 5), (3, 4, 5, 0, 1, 2), (1, 3, 6, 1, 3, 6)]
    lower, upper = fatestones.duels(BAG, deals, intervals=True)
    middle, _ = fatestones.duels(BAG, deals)
    for low, value, high in zip(lower, middle, upper, strict=True):
        assert low - 1e-15 <= value <= high + 1e-15
        assert high - low < 1e-13
    # Swapped hands change the sign; equal hands are even.
    assert mpq(lower[0]) <= -mpq(lower[1])
    assert mpq(lower[1]) <= -mpq(lower[0])
    assert mpq(lower[2]) <= 0 <= mpq(upper[2])


def test_fatestones_census_counts_every_deal_once_whatever_the_threads():
    one = fatestones.census(BAG)
    assert one == fatestones.census(BAG, threads=2)
    assert one.deals == 35 * 4  # C(7, 3)·C(4, 3)
    enclosed = fatestones.census(BAG, intervals=True)
    assert enclosed.mean_absolute.width < mpq(1, 10**13)
    assert abs(one.mean_absolute.lower - enclosed.mean_absolute.lower) < mpq(1, 10**13)


def test_fatestones_refuses_small_bags_and_strange_hands():
    with pytest.raises(InputError, match="dice"):
        fatestones.census(BAG[:5])
    with pytest.raises(InputError, match="hands"):
        fatestones.duels(BAG, [(0, 0, 1, 2, 3, 4)])
    with pytest.raises(InputError, match="threads"):
        fatestones.census(BAG, threads=0)
