"""The C++ solvers of each game against exact results."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from farkle_oracle import SlowTurn
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import fatestones, swe
from native_oracles import risk as fast
from native_oracles.reroll import reroll
from printed import SWE_OPTIMUM

from exactdice import native
from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError, MissingExtraError, TooLargeError
from exactdice.games import risk
from exactdice.games.risk.rules import Ties
from exactdice.native.farkle import farkle_turn

HERE = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]


def test_values_rounds_threads_and_memory_of_games():
    # The SWE game's README, for the original ten rounds.
    found = swe.solve(10).value
    assert found.lower == found.upper
    assert abs(found.lower - SWE_OPTIMUM[10]) < mpq(1, 10**14)
    assert swe.solve(10, intervals=True).value.width < mpq(1, 10**11)
    assert swe.solve("3").rounds == 3
    one, two = swe.solve(24, intervals=True), swe.solve(24, intervals=True, threads=2)
    assert one.value == two.value
    assert one.sizes == two.sizes
    with pytest.raises(TooLargeError, match="MiB"):
        swe.solve(150, memory_limit=2**30)


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


def test_callbacks_stop_the_work_and_never_see_upward_rounding():
    parts = []

    def stop(part):
        parts.append(part)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        swe.solve(40, progress=stop)
    assert len(parts) == 1
    assert 0 <= parts[0] <= 1
    nearest = 0.3333333333333333  # 6004799503160661/2^54, below 1/3; upward would end in …37
    seen = []
    with pytest.raises(RuntimeError, match="enough"):
        swe.solve(40, intervals=True, progress=lambda _: seen.append(third()) or stop_now())
    swe.solve(8, intervals=True, threads=2)
    assert [*seen, third()] == [nearest, nearest]


def third(three=3.0):
    return 1.0 / three


def stop_now():
    raise RuntimeError("enough")


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


FAIR = [mpq(1, 6)] * 6
ONES_AND_FIVES = [((1,), 100), ((5,), 50), ((1, 1, 1), 1000)]


weights = st.lists(st.integers(0, 5), min_size=6, max_size=6).filter(any)


@settings(max_examples=12, deadline=None)
@given(st.lists(weights, min_size=1, max_size=2), st.integers(1, 3))
def test_farkle_turns_enclose_the_exact_worth(weighted, steps):
    dice = [[mpq(w, sum(die)) for w in die] for die in weighted]
    chances = [{face: to_fraction(p) for face, p in enumerate(die, 1)} for die in dice]
    slow = SlowTurn(chances, tuple(ONES_AND_FIVES), 50 * steps)
    exact = mpq(slow.value(0, slow.all))
    turn = farkle_turn(dice, ONES_AND_FIVES, 50 * steps, intervals=True)
    assert exact in turn.value
    middle = farkle_turn(dice, ONES_AND_FIVES, 50 * steps)
    assert abs(middle.value.lower - exact) <= middle.bound * exact


def test_hot_dice_are_rolled_again_by_default():
    """By hand: 100 with chance 5/6 are worth 5/6 · 100, or to 200 points 5/6 · (5/6 · 200)."""
    die = [mpq(5, 6), *[mpq(1, 30)] * 5]
    for more, value in (
        ({}, mpq(1250, 9)), ({"hot_dice": True}, mpq(1250, 9)), ({"hot_dice": False}, mpq(250, 3)),
    ):  # fmt: skip
        assert value in farkle_turn([die], [((1,), 100)], 200, intervals=True, **more).value


BAG = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3), (2, 3, 4)]


def test_fatestones_census_counts_every_deal_once_whatever_the_threads():
    one = fatestones.census(BAG)
    assert one == fatestones.census(BAG, threads=2)
    assert one.deals == 35 * 4  # C(7, 3)·C(4, 3)
    enclosed = fatestones.census(BAG, intervals=True)
    assert enclosed.mean_absolute.width < mpq(1, 10**13)
    assert abs(one.mean_absolute.lower - enclosed.mean_absolute.lower) < mpq(1, 10**13)


SIX = [mpq(value) for value in range(1, 7)]


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


house_rules = st.builds(
    risk.RiskRules, attacker_dice=st.integers(1, 4), defender_dice=st.integers(1, 3),
    attacker_sides=st.integers(1, 8), defender_sides=st.integers(1, 8),
    ties=st.sampled_from(list(Ties)), stop_below=st.integers(1, 3),
)  # fmt: skip


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


BAD_DICE = [mpq(1, 2)] * 6, [mpq(1, 5)] * 5, [mpq(-1, 6), mpq(1, 2), *[mpq(1, 6)] * 4]


@pytest.mark.parametrize(("call", "message"), [
    *((lambda die=die: farkle_turn([die], ONES_AND_FIVES, 100), "die") for die in BAD_DICE),
    (lambda: farkle_turn([FAIR], ONES_AND_FIVES, 130), "points"),
    (lambda: farkle_turn([FAIR] * 9, ONES_AND_FIVES, 100), "dice"),
    (lambda: farkle_turn([FAIR], ONES_AND_FIVES, 10**12), "argument"),
    (lambda: fatestones.census(BAG[:5]), "dice"),
    (lambda: fatestones.duels(BAG, [(0, 0, 1, 2, 3, 4)]), "hands"),
    (lambda: fatestones.census(BAG, threads=0), "threads"),
    (lambda: reroll(3, SIX, FAIR, mpq(0)), "penalty"),
    (lambda: reroll(3, SIX, FAIR[:5], mpq(1)), "bias"),
    (lambda: reroll(3, SIX[::-1], FAIR, mpq(1)), "values"),
    (lambda: reroll(1, [mpq(10) ** 400], [mpq(1)], mpq(1)), "within the range of doubles"),
    (lambda: fast.grid(0, 3), "attackers"), (lambda: fast.grid(3, 0), "defenders"),
    # A C++ int goes up to 2^31 - 1, and the armies of a grid begin at none.
    (lambda: fast.grid(2**31 - 1, 1), "attackers: .* from 1 to 2147483646"),
    (lambda: fast.grid(3, 3, memory_limit=-1), "memory_limit"),
    (lambda: fast.round_ways(20, 20, fast.numbers_of(risk.RiskRules(20, 20))), "too many rolls"),
])  # fmt: skip
def test_arguments_out_of_range_are_rejected(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    "call", [lambda: reroll(40, SIX, FAIR, mpq(1)), lambda: fast.grid(10**6, 10**6)]
)
def test_too_large_games_are_rejected(call):
    with pytest.raises(TooLargeError):
        call()


@pytest.mark.parametrize(("intervals", "each"), [(False, 8), (True, 16)])
def test_a_risk_grid_is_refused_from_one_byte_above_its_numbers(intervals, each):
    # 31 × 21 armies, from none to 30 and 20 units; a double has 8 bytes (IEEE 754), an interval two
    needed = 31 * 21 * each
    lower, _ = fast.grid(30, 20, intervals=intervals, memory_limit=needed)
    assert lower.shape == (21, 31)
    with pytest.raises(TooLargeError):
        fast.grid(30, 20, intervals=intervals, memory_limit=needed - 1)
    assert fast.grid(30, 20, intervals=intervals, memory_limit=None)[0].shape == (21, 31)
