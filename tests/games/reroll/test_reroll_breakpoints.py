"""Breakpoints of the penalty, against solving at single penalties and a formula for one die."""

from itertools import pairwise

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import allocated, asking

from exactdice.games.reroll import RerollRules, best_score, solve
from exactdice.run import Run
from exactdice.studies.reroll.breakpoints import penalty_intervals
from exactdice.studies.reroll.sources import VALUE

GAMES = [
    {"dice": 2, "sides": 6},
    {"dice": 3, "sides": 3},
    {"dice": 2, "values": [1, 2, 10], "bias": ["1/2", "1/3", "1/6"]},
    {"dice": 2, "sides": 3, "bias": [0, "1/2", "1/2"]},  # rolls that never come up
]


@pytest.fixture(scope="module", params=GAMES, ids=str)
def game(request):
    return request.param, penalty_intervals(RerollRules(**request.param))


@given(penalty=st.fractions(min_value="1/500", max_value=12, max_denominator=500))
def test_intervals_solve_every_penalty(game, penalty):
    arguments, intervals = game
    exact = mpq(penalty.numerator, penalty.denominator)
    solved = solve(RerollRules(**arguments, penalty=exact))
    inside = [interval for interval in intervals if exact in interval]
    touching = [i for i in intervals if exact in (i.above, i.below)]
    assert len(inside) == 1 or len(touching) == 2
    for interval in inside or touching:
        assert interval.value(exact) == solved.value
        for roll, action in interval.policy.items():
            assert action in solved.ties[roll]
        if inside:
            assert interval.policy == solved.policy


def test_repr_omits_the_intervals(game):
    arguments, intervals = game
    assert repr(intervals) == f"PenaltyIntervals(rules={RerollRules(**arguments)!r})"


def test_intervals_meet_and_the_value_is_convex(game):
    arguments, intervals = game
    assert intervals[0].above == 0
    assert (
        intervals[0].total == best_score(RerollRules(**arguments))[0]
    )  # nearly free: wait for the best
    assert (intervals[-1].below, intervals[-1].rerolls) == (None, 0)
    for left, right in pairwise(intervals):
        assert left.below == right.above
        assert left.below is not None
        assert left.value(left.below) == right.value(left.below)
        assert left.rerolls >= right.rerolls
        assert right.changed
        for roll in right.changed:
            assert left.policy[roll] != right.policy[roll]


def test_intervals_are_open():
    """One coin of 1 and 2: a 1 is thrown again as long as that costs less than 1/2."""
    below, above = penalty_intervals(RerollRules(dice=1, sides=2))
    end, some = mpq(1, 2), mpq(1, 10**9)
    for penalty, inside in (
        (mpq(0), (False, False)),
        (some, (True, False)),
        (end - some, (True, False)),
        (end, (False, False)),
        (end + some, (False, True)),
        (mpq(10**9), (False, True)),
    ):
        assert (penalty in below, penalty in above) == inside


def test_breakpoints_report(game):
    arguments, intervals = game
    report = intervals.report()
    for row, interval in zip(report.table("intervals").rows, intervals, strict=True):
        above, below, total, rerolls, sticking = row
        middle = above + mpq(1, 10**9) if below is None else (above + below) / 2
        solved = solve(RerollRules(**arguments, penalty=middle))
        assert middle in interval
        assert total - middle * rerolls == solved.value
        assert sticking == solved.sticking_states
    expected = [
        (above.above, roll, below.policy[roll], above.policy[roll])
        for below, above in pairwise(intervals)
        for roll in above.changed
    ]
    assert list(report.table("changes").rows) == expected
    assert report.value("breakpoints") == len(intervals) - 1
    named = RerollRules(**arguments).conventions()
    del named["penalty"]
    assert report.provenance.conventions == named


@pytest.mark.slow
@pytest.mark.parametrize(("dice", "sides"), [(3, 3), (3, 4)])
def test_memory_estimate_of_the_intervals(dice, sides):
    """The oracle is the allocated memory after caches are filled."""
    run, asked = asking()
    rules = RerollRules(dice=dice, sides=sides)
    penalty_intervals(rules)
    most, intervals = allocated(lambda: penalty_intervals(rules, run))
    assert len(intervals) > 1
    assert most < asked[0][0] < 2.5 * most


def test_progress_counts_the_rolls_that_stick():
    told = []
    run = Run(progress=lambda *news: told.append(news))
    intervals = penalty_intervals(RerollRules(dice=1), run)
    assert told == [("rolls on which play sticks", n, 6) for n in range(1, 7)]
    assert str(intervals) == "6 intervals of the penalty"
    assert intervals[4:] == (intervals[4], intervals[5])
    assert len(intervals) == 6


def test_breakpoints_of_one_die_agree_with_a_formula():
    """Keeping v beats one more roll exactly where the penalty exceeds E[max(x - v, 0)]."""
    expected = sorted(sum((mpq(x - v, 6) for x in range(v + 1, 7)), mpq(0)) for v in range(1, 7))
    intervals = penalty_intervals(RerollRules(dice=1))
    assert [interval.above for interval in intervals] == expected


def test_breakpoints_near_the_penalty_of_the_coursework():
    """Just above 1 the policy changes in the two states that a large θ gets wrong."""
    intervals = penalty_intervals(RerollRules())
    (around,) = [interval for interval in intervals if mpq(1) in interval]
    after = intervals[intervals.index(around) + 1]
    assert after.changed == ((5, 5, 6), (5, 6, 6))
    assert around.value(mpq(1)) == mpq(VALUE)
    for penalty, changed in ((around.below, True), (mpq(1), False)):
        solved = solve(RerollRules(penalty=penalty))  # at the breakpoint both policies are optimal
        for roll in after.changed:
            assert (after.policy[roll] in solved.ties[roll]) is changed
            assert around.policy[roll] in solved.ties[roll]
