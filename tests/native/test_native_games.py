"""The C++ solvers of Risk, Farkle, FateStones and the reroll game against exact results."""

from itertools import combinations, product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import fatestones
from native_oracles import risk as fast
from native_oracles.reroll import reroll

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.games import risk
from exactdice.games.risk.rules import Ties
from exactdice.native.farkle import farkle_turn
from exactdice.studies.reroll.sources import COURSEWORK, VALUE

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]

FAIR = [mpq(1, 6)] * 6
ONES_AND_FIVES = [((1,), 100), ((5,), 50), ((1, 1, 1), 1000)]


def plain_turn(dice, target):
    """Expected final points of the best turn by definition, for dice that score as above."""
    full = tuple(range(len(dice)))

    def score(faces):
        ones = faces.count(1)
        if len(faces) - ones - faces.count(5):
            return 0
        return 50 * faces.count(5) + (1000 + 100 * (ones - 3) if ones >= 3 else 100 * ones)

    def best(points, left):
        if points >= target:
            return mpq(points)
        left = left or full
        total = mpq(0)
        for shown in product(range(1, 7), repeat=len(left)):
            chance = mpq(1)
            for die, face in zip(left, shown, strict=True):
                chance *= dice[die][face - 1]
            worths = [mpq(0)]
            for size in range(1, len(left) + 1):
                for kept in combinations(range(len(left)), size):
                    gained = score([shown[k] for k in kept])
                    if gained:
                        rest = tuple(die for k, die in enumerate(left) if k not in kept)
                        after = points + gained
                        worths.append(max(mpq(after), best(after, rest)))
            total += chance * max(worths)
        return total

    return best(0, full)


weights = st.lists(st.integers(0, 5), min_size=6, max_size=6).filter(any)


@settings(max_examples=12, deadline=None)
@given(st.lists(weights, min_size=1, max_size=2), st.integers(1, 3))
def test_farkle_turns_enclose_the_exact_worth(weighted, steps):
    dice = [[mpq(w, sum(die)) for w in die] for die in weighted]
    exact = plain_turn(dice, 50 * steps)
    turn = farkle_turn(dice, ONES_AND_FIVES, 50 * steps, intervals=True)
    assert exact in turn.value
    middle = farkle_turn(dice, ONES_AND_FIVES, 50 * steps)
    assert abs(middle.value.lower - exact) <= middle.bound * exact


def test_farkle_rejects_bad_dice():
    for die in ([mpq(1, 2)] * 6, [mpq(1, 5)] * 5, [mpq(-1, 6), mpq(1, 2), *[mpq(1, 6)] * 4]):
        with pytest.raises(InputError, match="die"):
            farkle_turn([die], ONES_AND_FIVES, 100)
    with pytest.raises(InputError, match="points"):
        farkle_turn([FAIR], ONES_AND_FIVES, 130)
    with pytest.raises(InputError, match="dice"):
        farkle_turn([FAIR] * 9, ONES_AND_FIVES, 100)
    with pytest.raises(InputError, match="argument"):
        farkle_turn([FAIR], ONES_AND_FIVES, 10**12)


def test_hot_dice_are_rolled_again_by_default():
    """By hand: 100 with chance 5/6 are worth 5/6 · 100, or to 200 points 5/6 · (5/6 · 200)."""
    die = [mpq(5, 6), *[mpq(1, 30)] * 5]
    for more, value in (
        ({}, mpq(1250, 9)),
        ({"hot_dice": True}, mpq(1250, 9)),
        ({"hot_dice": False}, mpq(250, 3)),
    ):
        assert value in farkle_turn([die], [((1,), 100)], 200, intervals=True, **more).value


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


SIX = [mpq(value) for value in range(1, 7)]


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


def test_reroll_rejects_infinite_games_and_bad_dice():
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
