"""The C++ solver of the software-engineering game against the rules, in exact arithmetic."""

import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import swe

from exactdice import native
from exactdice.errors import InputError, MissingExtraError, TooLargeError
from exactdice.games.swe.sources import OPTIMUM

HERE = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]


def plain_value(ladder, rounds):
    """The definition with the score in the state, over Fractions."""
    rungs = range(len(ladder))

    def rolled(left, revenue, legacy, score, rung=0, kept=0):
        if rung == len(ladder):
            return value(left - 1, revenue, legacy, score + kept if kept else 0)
        total, number = Fraction(0), revenue[rung]
        for failed in range(number + 1):
            ways = Fraction(comb(number, failed) * (ladder[rung] - 1) ** (number - failed))
            change = [failed if i == rung else 0 for i in rungs]
            total += (
                ways
                / ladder[rung] ** number
                * rolled(
                    left,
                    tuple(r - c for r, c in zip(revenue, change, strict=True)),
                    tuple(b + c for b, c in zip(legacy, change, strict=True)),
                    score,
                    rung + 1,
                    kept + number - failed,
                )
            )
        return total

    @cache
    def value(left, revenue, legacy, score):
        if left == 0:
            return Fraction(score)
        moved = []
        for i in rungs:
            raised = tuple(r + (j == i) for j, r in enumerate(revenue))
            if legacy[i]:
                moved.append((raised, tuple(b - (j == i) for j, b in enumerate(legacy))))
        if not moved:
            moved.append(((revenue[0] + 1, *revenue[1:]), legacy))
            moved += [
                (tuple(r - (j == i) + (j == i + 1) for j, r in enumerate(revenue)), legacy)
                for i in rungs[:-1]
                if revenue[i]
            ]
        return max(rolled(left, *after, score) for after in moved)

    empty = (0,) * len(ladder)
    return mpq(value(rounds, empty, empty, 0))


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(2, 12), min_size=1, max_size=3, unique=True).map(sorted), st.integers(1, 6)
)
def test_intervals_contain_the_exact_value_and_doubles_keep_their_bound(ladder, rounds):
    exact = plain_value(tuple(ladder), rounds)
    enclosed = swe.solve(rounds, ladder, intervals=True)
    assert exact in enclosed.value
    assert enclosed.value.width < mpq(1, 10**12) * (exact + 1)
    found = swe.solve(rounds, ladder).value
    assert found.lower == found.upper
    assert abs(found.lower - exact) <= swe.relative_bound(len(ladder), rounds) * exact


def test_ten_rounds_have_the_value_that_the_readme_prints():
    # The SWE game's README, for the original ten rounds.
    assert abs(swe.solve(10).value.lower - OPTIMUM[10]) < mpq(1, 10**14)


def states_by_generating_function(rounds, rungs):
    """Σ over multisets T of weight w of ∏(T_i + 1)·(rounds − w); one state at the empty table.

    1/∏(1 − x^i)² counts the splits of multisets by weight.
    """
    count = [1] + [0] * rounds
    for step in [*range(1, rungs + 1)] * 2:
        for w in range(step, rounds + 1):
            count[w] += count[w - step]
    return 1 + sum(count[w] * (rounds - w) for w in range(1, rounds + 1))


@pytest.mark.parametrize("rounds", [1, 2, 9, 22])
def test_numbers_of_states_equal_the_generating_function(rounds):
    sizes = swe.solve(rounds).sizes
    assert sizes.states == states_by_generating_function(rounds, 5)


def test_rounds_are_kept_as_the_number_that_was_read():
    assert swe.solve("3").rounds == 3


def test_threads_change_no_digit():
    one, two = swe.solve(24, intervals=True), swe.solve(24, intervals=True, threads=2)
    assert one.value == two.value
    assert one.sizes == two.sizes


def test_every_line_of_a_block_in_doubles_lies_in_its_interval():
    dice = [1, 1, 1, 0, 0]
    doubles = swe.solve(14).compiled.block(dice)
    intervals = swe.solve(14, intervals=True).compiled.block(dice)
    assert (doubles["revenue"] == intervals["revenue"]).all()
    for letter in "AB":
        low, high = intervals["pieces"][letter]
        middle = doubles["pieces"][letter][0]
        assert (low <= middle).all()
        assert (middle <= high).all()
    assert (doubles["choices"]["taken"] == intervals["choices"]["taken"]).all()


@pytest.mark.parametrize(("arguments", "options", "named"), [
    ((0,), {}, "rounds"), ((201,), {}, "rounds"), ((2.5,), {}, "rounds"),
    ((5, [6, 4]), {}, "ladder"), ((5, []), {}, "ladder"), ((5, [1]), {}, "ladder"),
    ((5, [4]), {"threads": 0}, "threads"),
])  # fmt: skip
def test_out_of_range_is_refused_by_name(arguments, options, named):
    with pytest.raises(InputError, match=rf"^{named}: got .*; expected "):
        swe.solve(*arguments, **options)


def test_large_games_are_rejected_beforehand():
    with pytest.raises(TooLargeError, match="MiB"):
        swe.solve(150, memory_limit=2**30)


def test_progress_reaches_the_caller_and_its_exception_stops_the_work():
    parts = []

    def stop(part):
        parts.append(part)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        swe.solve(40, progress=stop)
    assert len(parts) == 1
    assert 0 <= parts[0] <= 1


def third(three=3.0):
    return 1.0 / three


def test_upward_rounding_never_reaches_python():
    nearest = 0.3333333333333333  # 6004799503160661/2^54, below 1/3; upward would end in …37
    seen = []
    with pytest.raises(RuntimeError, match="enough"):
        swe.solve(40, intervals=True, progress=lambda _: seen.append(third()) or stop_now())
    swe.solve(8, intervals=True, threads=2)
    assert [*seen, third()] == [nearest, nearest]


def stop_now():
    raise RuntimeError("enough")


@pytest.mark.slow
def test_an_interrupt_is_answered_within_seconds():
    program = "from native_oracles import swe; print('go', flush=True); swe.solve(70)"
    child = subprocess.Popen(
        [sys.executable, "-c", program], cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert child.stdout.readline() == "go\n"
    time.sleep(1)
    before = time.monotonic()
    os.kill(child.pid, signal.SIGINT)
    _, complaint = child.communicate(timeout=30)
    assert "KeyboardInterrupt" in complaint
    assert time.monotonic() - before < 10  # well below one second on an idle machine


def test_a_missing_module_is_reported_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "exactdice.native._solvers", None)
    assert not native.are_built()
    with pytest.raises(MissingExtraError, match="install a C\\+\\+20 compiler") as caught:
        swe.solve(3)
    assert "\n" not in str(caught.value)


doubles = st.floats(
    allow_nan=False, allow_infinity=False, min_value=-1e150, max_value=1e150
).filter(lambda x: x == 0 or abs(x) > 1e-140)


@given(st.sampled_from("+-*/"), doubles, doubles)
def test_interval_operations_enclose_the_exact_result(operation, x, y):
    if operation == "/" and y == 0:
        return
    p, q = mpq(x), mpq(y)
    exact = {"+": p + q, "-": p - q, "*": p * q, "/": p / q if y else None}[operation]
    low, high = native.solvers().enclose(operation, x, y)
    assert mpq(low) <= exact <= mpq(high)


@given(st.fractions())
def test_a_rational_lies_between_the_doubles_that_enclose_it(number):
    exact = mpq(number)
    nearest, below, above = native.enclosing(exact)
    assert mpq(below) <= exact <= mpq(above)
    assert nearest in (below, above)
    assert (below == above) == (mpq(nearest) == exact)
