"""The C++ solvers of Risk and FateStones, in exact arithmetic."""

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.games import risk
from exactdice.games.risk.rules import Ties
from exactdice.native import games

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")

SIX = [mpq(value) for value in range(1, 7)]
FAIR = [mpq(1, 6)] * 6


# Risk -----------------------------------------------------------------------------------------

house_rules = st.builds(
    risk.Rules,
    attacker_dice=st.integers(1, 4),
    defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 8),
    defender_sides=st.integers(1, 8),
    ties=st.sampled_from(list(Ties)),
    stop_below=st.integers(1, 3),
)


@settings(max_examples=25, deadline=None)
@given(house_rules)
def test_risk_grids_enclose_the_exact_chances(rules):
    exact = risk.win_table(7, 6, "fighting", rules)
    lower, upper = games.risk_grid(7, 6, rules, intervals=True)
    middle, _ = games.risk_grid(7, 6, rules)
    bound = games.risk_bound(13, rules)
    for (a, d), chance in exact.items():
        assert mpq(lower[d, a]) <= chance <= mpq(upper[d, a])
        assert abs(mpq(middle[d, a]) - chance) <= bound * chance


@settings(max_examples=25, deadline=None)
@given(house_rules)
def test_risk_rounds_are_counted_exactly(rules):
    a, d = rules.attacker_dice, rules.defender_dice
    ways = games.risk_round_ways(a, d, rules)
    law = risk.round_losses(a, d, rules)
    assert [law.probability((k, min(a, d) - k)) for k in range(min(a, d) + 1)] == [
        mpq(way, sum(ways)) for way in ways
    ]


def test_risk_sizes_out_of_range_are_refused():
    with pytest.raises(InputError, match="attackers"):
        games.risk_grid(0, 3)
    with pytest.raises(TooLargeError):
        games.risk_grid(10**6, 10**6)
    with pytest.raises(InputError, match="too many rolls"):
        games.risk_round_ways(20, 20, risk.Rules(20, 20))


# FateStones -----------------------------------------------------------------------------------

BAG = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3), (2, 3, 4)]


def test_fatestones_duels_are_antisymmetric_and_enclosed():
    deals = [(0, 1, 2, 3, 4, 5), (3, 4, 5, 0, 1, 2), (1, 3, 6, 1, 3, 6)]
    lower, upper = games.fatestones_duels(BAG, deals, intervals=True)
    middle, _ = games.fatestones_duels(BAG, deals)
    for low, value, high in zip(lower, middle, upper, strict=True):
        assert low - 1e-15 <= value <= high + 1e-15
        assert high - low < 1e-13
    # Swapped hands change the sign; equal hands are even.
    assert mpq(lower[0]) <= -mpq(lower[1])
    assert mpq(lower[1]) <= -mpq(lower[0])
    assert mpq(lower[2]) <= 0 <= mpq(upper[2])


def test_fatestones_census_counts_every_deal_once_whatever_the_threads():
    one = games.fatestones_census(BAG)
    assert one == games.fatestones_census(BAG, threads=2)
    assert one.deals == 35 * 4  # C(7, 3)·C(4, 3)
    enclosed = games.fatestones_census(BAG, intervals=True)
    assert enclosed.mean_absolute.width < mpq(1, 10**13)
    assert abs(one.mean_absolute.lower - enclosed.mean_absolute.lower) < mpq(1, 10**13)


def test_fatestones_refuses_small_bags_and_strange_hands():
    with pytest.raises(InputError, match="dice"):
        games.fatestones_census(BAG[:5])
    with pytest.raises(InputError, match="hands"):
        games.fatestones_duels(BAG, [(0, 0, 1, 2, 3, 4)])
    with pytest.raises(InputError, match="threads"):
        games.fatestones_census(BAG, threads=0)
