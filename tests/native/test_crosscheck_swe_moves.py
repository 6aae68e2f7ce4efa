"""The cross-check of the moves that intervals leave possible catches a move that is left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import swe
from native_oracles.check_swe_moves import check_moves

from exactdice import native
from exactdice.games.swe.rules import Ladder
from exactdice.native import swe_outlook

pytestmark = [
    pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install"),
    pytest.mark.slow,  # the C++ floating-point solvers against exact results
]


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 14),
)
def test_random_ladders_pass(faces, rounds):
    check = check_moves(rounds, Ladder(*faces))
    assert check.passed, check.problems


def test_every_state_without_legacy_is_compared():
    """So many are there: dice of weight w, with 1, 2, …, 20 − w rounds left."""
    solved = swe.solve(20, intervals=True)
    states = sum((20 - w) * len(solved.compiled.dice_of_weight(w)) for w in range(1, 20))
    assert check_moves(20).actions >= states  # and more where the score decides


@pytest.mark.parametrize("altered", [0, 0b10])
def test_a_move_that_is_left_out_is_caught(monkeypatch, altered):
    """With three d4 and a d6 and five rounds left, the other solver leaves the creation alone."""
    genuine = swe_outlook.Outlook.possible

    def without(outlook, dice):
        masks = genuine(outlook, dice)
        if list(dice) == [3, 1, 0, 0, 0]:
            masks[4] = altered
        return masks

    monkeypatch.setattr(swe_outlook.Outlook, "possible", without)
    check = check_moves(12)
    assert not check.passed
    assert check.problems[0].endswith("5 rounds left: takes move 0, while optimal is ")


def test_enclosures_that_do_not_meet_are_caught(monkeypatch):
    genuine = swe_outlook.solve

    def shifted(*arguments, **options):
        found = genuine(*arguments, **options)
        object.__setattr__(found, "value", genuine(9, *arguments[1:], **options).value)
        return found

    monkeypatch.setattr(swe_outlook, "solve", shifted)
    assert check_moves(8).not_enclosed == 1
