"""The C++ solver of Risk, in exact arithmetic."""

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import risk as fast

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.games import risk
from exactdice.games.risk.rules import Ties

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]

house_rules = st.builds(
    risk.RiskRules,
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
    lower, upper = fast.grid(7, 6, fast.numbers_of(rules), intervals=True)
    middle, _ = fast.grid(7, 6, fast.numbers_of(rules))
    bound = fast.bound(13, fast.numbers_of(rules))
    for (a, d), chance in exact.items():
        assert mpq(lower[d, a]) <= chance <= mpq(upper[d, a])
        assert abs(mpq(middle[d, a]) - chance) <= bound * chance


@settings(max_examples=25, deadline=None)
@given(house_rules)
def test_risk_rounds_are_counted_exactly(rules):
    a, d = rules.attacker_dice, rules.defender_dice
    ways = fast.round_ways(a, d, fast.numbers_of(rules))
    law = risk.round_losses(a, d, rules)
    assert [law.probability((k, min(a, d) - k)) for k in range(min(a, d) + 1)] == [
        mpq(way, sum(ways)) for way in ways
    ]


def test_risk_of_one_unit_each_is_one_round():
    # By hand: of 36 pairs of dice the attacker's is higher in 15.
    lower, upper = fast.grid(1, 1, intervals=True)
    assert mpq(lower[1, 1]) <= mpq(15, 36) <= mpq(upper[1, 1])


def test_risk_sizes_out_of_range_are_refused():
    with pytest.raises(InputError, match="attackers"):
        fast.grid(0, 3)
    with pytest.raises(InputError, match="defenders"):
        fast.grid(3, 0)
    # A C++ int goes up to 2^31 - 1, and the armies of a grid begin at none.
    with pytest.raises(InputError, match=r"attackers: .* from 1 to 2147483646"):
        fast.grid(2**31 - 1, 1)
    with pytest.raises(TooLargeError):
        fast.grid(10**6, 10**6)
    with pytest.raises(InputError, match="memory_limit"):
        fast.grid(3, 3, memory_limit=-1)
    with pytest.raises(InputError, match="too many rolls"):
        fast.round_ways(20, 20, fast.numbers_of(risk.RiskRules(20, 20)))


@pytest.mark.parametrize(("intervals", "each"), [(False, 8), (True, 16)])
def test_a_risk_grid_is_refused_from_one_byte_above_its_numbers(intervals, each):
    # 31 × 21 armies, from none to 30 and 20 units; a double has 8 bytes (IEEE 754), an interval two
    needed = 31 * 21 * each
    lower, _ = fast.grid(30, 20, intervals=intervals, memory_limit=needed)
    assert lower.shape == (21, 31)
    with pytest.raises(TooLargeError):
        fast.grid(30, 20, intervals=intervals, memory_limit=needed - 1)
    assert fast.grid(30, 20, intervals=intervals, memory_limit=None)[0].shape == (21, 31)
