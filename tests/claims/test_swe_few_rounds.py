"""Chances of no catastrophe against the rules, and bounds of them."""

from functools import cache

import pytest
from finders import FINDERS
from finders import swe_structure as structure
from finders.swe_structure import unbroken, unbroken_between
from gmpy2 import mpq
from swe_oracle import Oracle, moves

from exactdice.games.swe.rules import STANDARD, State

NONE = (0,) * 5
ORACLE = Oracle(STANDARD)


@cache
def safe(left, revenue, legacy):
    """The greatest chance of no catastrophe where these dice are rolled, all moves tried."""
    total = 0
    for chance, (kept, waiting, _) in ORACLE.ends(revenue, legacy, 0):
        if any(kept):
            ways = moves(kept, waiting).values() if left > 1 else []
            total += chance * max((safe(left - 1, *dice) for dice in ways), default=1)
    return total


@pytest.mark.parametrize("revenue", [(1, 0, 0, 0, 0), (2, 1, 0, 0, 0), (0, 0, 1, 0, 2)])
@pytest.mark.parametrize("left", [1, 2, 4])
def test_the_greatest_chance_of_no_catastrophe_is_that_of_trying_all_moves(left, revenue):
    chance = unbroken(left, State(revenue, NONE, 0))
    assert chance == mpq(*safe(left, revenue, NONE).as_integer_ratio())


@pytest.mark.parametrize("revenue", [(3, 0, 0, 0, 0), (1, 1, 1, 0, 0), (0, 1, 0, 0, 2)])
@pytest.mark.parametrize("left", [1, 3, 5])  # the last with dice of a weight of up to 16
def test_bounds_hold_that_do_without_heavy_dice(left, revenue):
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


@pytest.mark.parametrize(("rounds", "verdict"), [(18, "open"), (19, "refuted")])
def test_creating_is_not_always_safer_to_the_end(monkeypatch, rounds, verdict):
    # The same program: with 18 rounds left rolling is at 0.11735 and creating at 0.11577.
    asked = structure._SAFER | {"rounds": rounds, "sum": 6}
    monkeypatch.setattr(structure, "_SAFER", asked)
    finding = FINDERS["swe.safer-to-the-end"]()
    assert str(finding.verdict) == verdict
    assert finding.evidence["exceptions"] == 0


@pytest.mark.parametrize(("least", "verdict"), [(18, "open"), (19, "proved"), (20, "open")])
def test_a_fifth_d4_is_first_less_safe_with_19_rounds_left(monkeypatch, least, verdict):
    monkeypatch.setattr(structure, "_SAFER", structure._SAFER | {"rounds": least})
    assert str(FINDERS["swe.four-dice"]().verdict) == verdict
