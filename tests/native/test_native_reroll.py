"""The reroll game in C++, in exact arithmetic."""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from native_oracles.reroll import reroll

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.studies.reroll.sources import COURSEWORK, VALUE

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]

SIX = [mpq(value) for value in range(1, 7)]
FAIR = [mpq(1, 6)] * 6


def test_reroll_encloses_the_coursework_s_value():
    solved = reroll(3, SIX, FAIR, mpq(1), intervals=True)
    assert mpq(VALUE) in solved.value
    assert solved.value.width < mpq(1, 10**12)
    assert solved.undecided == 0
    assert len(solved.rolls) == COURSEWORK["states"]
    # Three ones stick; three fours roll all dice again: the coursework's own tests.
    holds = {
        tuple(roll): tuple(hold) for roll, hold in zip(solved.rolls, solved.holds, strict=True)
    }
    assert holds[3, 0, 0, 0, 0, 0] == (3, 0, 0, 0, 0, 0)
    assert holds[0, 0, 0, 3, 0, 0] == (0, 0, 0, 0, 0, 0)


@pytest.mark.slow
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=5, unique=True).map(sorted),
    st.integers(1, 40),
)
def test_reroll_of_one_die_is_a_threshold_rule(values, eighths):
    # One die: V = max over thresholds of (mean of sticks above − penalty·P(reroll)) / P(stick).
    penalty, n = mpq(eighths, 8), len(values)
    exact = max((sum(map(mpq, values[k:])) - penalty * k) / (n - k) for k in range(n))
    solved = reroll(1, [mpq(v) for v in values], [mpq(1, n)] * n, penalty, intervals=True)
    assert exact in solved.value
    assert solved.value.width < mpq(1, 10**9)
    middle = reroll(1, [mpq(v) for v in values], [mpq(1, n)] * n, penalty)
    assert abs(middle.value.lower - exact) < mpq(1, 10**10)


def test_reroll_refuses_what_never_ends_and_what_is_no_die():
    with pytest.raises(InputError, match="penalty"):
        reroll(3, SIX, FAIR, mpq(0))
    with pytest.raises(InputError, match="bias"):
        reroll(3, SIX, FAIR[:5], mpq(1))
    with pytest.raises(InputError, match="values"):
        reroll(3, SIX[::-1], FAIR, mpq(1))
    with pytest.raises(InputError, match="within the range of doubles"):
        reroll(1, [mpq(10) ** 400], [mpq(1)], mpq(1))
    with pytest.raises(TooLargeError):
        reroll(40, SIX, FAIR, mpq(1))
