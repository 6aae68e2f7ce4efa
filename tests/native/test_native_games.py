"""The C++ solvers of Risk, Farkle and the reroll game, in exact arithmetic."""

from itertools import combinations, product

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


# Farkle ---------------------------------------------------------------------------------------

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
    turn = games.farkle_turn(dice, ONES_AND_FIVES, 50 * steps, intervals=True)
    assert exact in turn.value
    middle = games.farkle_turn(dice, ONES_AND_FIVES, 50 * steps)
    assert abs(middle.value.lower - exact) <= middle.bound * exact


def test_farkle_refuses_what_is_no_die():
    for die in ([mpq(1, 2)] * 6, [mpq(1, 5)] * 5, [mpq(-1, 6), mpq(1, 2), *[mpq(1, 6)] * 4]):
        with pytest.raises(InputError, match="die"):
            games.farkle_turn([die], ONES_AND_FIVES, 100)
    with pytest.raises(InputError, match="points"):
        games.farkle_turn([FAIR], ONES_AND_FIVES, 130)
    with pytest.raises(InputError, match="dice"):
        games.farkle_turn([FAIR] * 9, ONES_AND_FIVES, 100)
    with pytest.raises(InputError, match="argument"):
        games.farkle_turn([FAIR], ONES_AND_FIVES, 10**12)


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
