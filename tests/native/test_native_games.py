"""The C++ solvers of Risk and the reroll game, in exact arithmetic."""

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


# The reroll game ------------------------------------------------------------------------------


def test_reroll_encloses_the_coursework_s_value():
    # 103369/7744: exact policy iteration, checked by an independent program.
    solved = games.reroll(3, SIX, FAIR, mpq(1), intervals=True)
    assert mpq(103369, 7744) in solved.value
    assert solved.value.width < mpq(1, 10**12)
    assert solved.undecided == 0
    assert len(solved.rolls) == 56
    # Three ones stick; three fours roll all dice again: the coursework's own tests.
    holds = {
        tuple(roll): tuple(hold) for roll, hold in zip(solved.rolls, solved.holds, strict=True)
    }
    assert holds[3, 0, 0, 0, 0, 0] == (3, 0, 0, 0, 0, 0)
    assert holds[0, 0, 0, 3, 0, 0] == (0, 0, 0, 0, 0, 0)


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=5, unique=True).map(sorted),
    st.integers(1, 40),
)
def test_reroll_of_one_die_is_a_threshold_rule(values, eighths):
    # One die: V = max over thresholds of (mean of sticks above − penalty·P(reroll)) / P(stick).
    penalty, n = mpq(eighths, 8), len(values)
    exact = max((sum(map(mpq, values[k:])) - penalty * k) / (n - k) for k in range(n))
    solved = games.reroll(1, [mpq(v) for v in values], [mpq(1, n)] * n, penalty, intervals=True)
    assert exact in solved.value
    assert solved.value.width < mpq(1, 10**9)
    middle = games.reroll(1, [mpq(v) for v in values], [mpq(1, n)] * n, penalty)
    assert abs(middle.value.lower - exact) < mpq(1, 10**10)


def test_reroll_refuses_what_never_ends_and_what_is_no_die():
    with pytest.raises(InputError, match="penalty"):
        games.reroll(3, SIX, FAIR, mpq(0))
    with pytest.raises(InputError, match="bias"):
        games.reroll(3, SIX, FAIR[:5], mpq(1))
    with pytest.raises(InputError, match="values"):
        games.reroll(3, SIX[::-1], FAIR, mpq(1))
    with pytest.raises(InputError, match="within the range of doubles"):
        games.reroll(1, [mpq(10) ** 400], [mpq(1)], mpq(1))
    with pytest.raises(TooLargeError):
        games.reroll(40, SIX, FAIR, mpq(1))
