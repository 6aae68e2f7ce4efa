"""Ranking is a bijection, and counts agree with enumeration and with independent programs."""

import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import InputError, TooLargeError
from exactdice.memory import stored_bytes
from exactdice.symbolic.ehrhart import Simplex


def enumerated(weights, bound):
    """All points, in lexicographic order, from the definition."""
    ranges = [range(bound // weight + 1) for weight in weights]
    return [
        x for x in product(*ranges) if sum(w * y for w, y in zip(weights, x, strict=True)) <= bound
    ]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 12))
def test_numbering_is_the_lexicographic_enumeration(weights, bound):
    simplex = Simplex(weights, bound)
    points = enumerated(weights, bound)
    assert list(simplex) == points
    assert [simplex.rank(point) for point in points] == list(range(len(points)))
    assert simplex.level_counts() == [
        sum(sum(w * y for w, y in zip(weights, x, strict=True)) == level for x in points)
        for level in range(bound + 1)
    ]


@pytest.mark.parametrize(
    ("weights", "bound", "count"),
    [
        # PyNormaliz, LattE and barvinok agree on these counts.
        ((1, 2, 3, 4, 5), 10, 113),
        ((1, 2, 3, 4, 5), 22, 1601),
        ((1, 2, 3, 4, 5), 100, 1016288),
        ((1, 1, 2, 2, 3, 3, 4, 4, 5, 5), 10, 1079),
        ((1, 1, 2, 2, 3, 3, 4, 4, 5, 5), 22, 77030),
    ],
)
def test_counts_of_the_dice_of_the_software_engineering_game(weights, bound, count):
    assert Simplex(weights, bound).size == count
    assert sum(Simplex(weights, bound).level_counts()) == count
    assert Simplex(weights, bound + 7).count(bound) == count


@given(st.data())
def test_ranking_inverts_unranking_far_out(data):
    simplex = Simplex((1, 1, 2, 2, 3, 3, 4, 4, 5, 5), 60)
    position = data.draw(st.integers(0, simplex.size - 1))
    assert simplex.rank(simplex.unrank(position)) == position


@pytest.mark.parametrize("point", [(4, 0), (0, 2), (-1, 1), (1,), (1, 1, 0), (1.0, 0), ("1", 0)])
def test_point_outside_the_simplex_does_not_wrap_round(point):
    with pytest.raises(InputError, match="weigh at most 3"):
        Simplex((1, 2), 3).rank(point)


@pytest.mark.parametrize("position", [-1, 6])
def test_number_outside_the_simplex_is_refused(position):
    with pytest.raises(InputError, match="from 0 to 5"):
        Simplex((1, 2), 3).unrank(position)


@pytest.mark.parametrize(("weights", "bound"), [((), 3), ((0, 1), 3), ((1,), -1)])
def test_degenerate_simplices_are_refused(weights, bound):
    with pytest.raises(InputError):
        Simplex(weights, bound)


def test_a_simplex_that_does_not_fit_is_refused():
    with pytest.raises(TooLargeError, match="a simplex of bound 1000000000 needs about"):
        Simplex((1,), 10**9)


@pytest.mark.parametrize(("weights", "bound"), [((1,), 0), ((1, 2), 6), ((3, 1, 1), 7)])
def test_a_simplex_asks_for_the_memory_of_its_counts(weights, bound, monkeypatch):
    """For each weight and once more a count for 0 to the bound, of (bound + 1)^d points at most."""
    asked = []
    module = sys.modules[Simplex.__module__]
    monkeypatch.setattr(module, "require_memory", lambda *said: asked.append(said))
    Simplex(weights, bound)
    counts = (len(weights) + 1) * (bound + 1)
    bits = len(weights) * (bound + 1).bit_length()
    assert asked == [(stored_bytes(counts, bits), f"a simplex of bound {bound}")]
