"""Probabilities of no catastrophe from the finders, against plain search, and their bounds."""

from functools import cache

import pytest
from finders.swe_structure import _tables, unbroken, unbroken_between
from gmpy2 import mpq
from swe_oracle import Oracle, moves, reachable

from exactdice.games.swe.rules import STANDARD, State

NONE = (0,) * 5
ORACLE = Oracle(STANDARD)


@cache
def safe(left, revenue, legacy):
    """The greatest probability of no catastrophe after a roll of these dice, by all moves."""
    total = 0
    for chance, (kept, waiting, _) in ORACLE.ends(revenue, legacy, 0):
        if any(kept):
            ways = moves(kept, waiting).values() if left > 1 else []
            total += chance * max((safe(left - 1, *dice) for dice in ways), default=1)
    return total


@pytest.mark.parametrize("revenue", [(1, 0, 0, 0, 0), (2, 1, 0, 0, 0), (0, 0, 1, 0, 2)])
@pytest.mark.parametrize("left", [1, 2, 4])
def test_probability_of_no_catastrophe_agrees_with_plain_search(left, revenue):
    chance = unbroken(left, State(revenue, NONE, 0))
    assert chance == mpq(*safe(left, revenue, NONE).as_integer_ratio())


@pytest.mark.parametrize("revenue", [(3, 0, 0, 0, 0), (1, 1, 1, 0, 0), (0, 1, 0, 0, 2)])
@pytest.mark.parametrize("left", [1, 3, 5])  # the last with dice of a weight of up to 16
def test_bounds_without_heavy_dice_contain_the_probability(left, revenue):
    lower, upper = unbroken_between(left, State(revenue, NONE, 0), 14)
    assert lower <= unbroken(left, State(revenue, NONE, 0)) <= upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dice", "catastrophe"),
    # An independent program in exact arithmetic, ten digits: four d4 and five, to be rolled.
    [(4, mpq("0.1200654149")), (5, mpq("0.1208382469"))],
)
def test_with_19_rounds_left_creating_a_fifth_d4_is_less_safe(dice, catastrophe):
    lower, upper = unbroken_between(19, State((dice, 0, 0, 0, 0), NONE, 0), 14)
    assert lower < 1 - catastrophe < upper
    assert upper - lower < mpq(1, 1000)


@pytest.mark.parametrize("most", range(5))
def test_each_table_up_to_a_weight_is_listed_once(most):
    listed = list(_tables(most))
    tables = {
        State(revenue, legacy)
        for layer in reachable(ORACLE, (NONE, NONE, 0), most)
        for revenue, legacy, _ in layer
    }
    # By the theorem on reachable pairs these are all of that weight.
    assert sorted(listed) == sorted(table for table in tables if any(table.dice))
