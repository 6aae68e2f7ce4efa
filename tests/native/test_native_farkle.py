"""The C++ solver of Farkle, in exact arithmetic."""

from itertools import combinations, product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.errors import InputError
from exactdice.native.farkle import farkle_turn

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


def test_farkle_refuses_what_is_no_die():
    for die in ([mpq(1, 2)] * 6, [mpq(1, 5)] * 5, [mpq(-1, 6), mpq(1, 2), *[mpq(1, 6)] * 4]):
        with pytest.raises(InputError, match="die"):
            farkle_turn([die], ONES_AND_FIVES, 100)
    with pytest.raises(InputError, match="points"):
        farkle_turn([FAIR], ONES_AND_FIVES, 130)
    with pytest.raises(InputError, match="dice"):
        farkle_turn([FAIR] * 9, ONES_AND_FIVES, 100)
    with pytest.raises(InputError, match="argument"):
        farkle_turn([FAIR], ONES_AND_FIVES, 10**12)


def test_dice_that_all_score_are_rolled_again_unless_that_is_said():
    """By hand: 100 with chance 5/6 are worth 5/6 · 100, or to 200 points 5/6 · (5/6 · 200)."""
    die = [mpq(5, 6), *[mpq(1, 30)] * 5]
    for more, value in (
        ({}, mpq(1250, 9)),
        ({"hot_dice": True}, mpq(1250, 9)),
        ({"hot_dice": False}, mpq(250, 3)),
    ):
        assert value in farkle_turn([die], [((1,), 100)], 200, intervals=True, **more).value
