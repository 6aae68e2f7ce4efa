"""The rules against their description in the game's README."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from swe_oracle import Oracle, moves

from exactdice.arithmetic import to_fraction
from exactdice.errors import InputError
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    act,
    check_state,
    empty_table,
    first_rise,
    legal_actions,
    outcomes,
    promotion_table,
    roll,
    weight,
)

POOLS = st.tuples(*[st.integers(0, 2)] * 3)
STATES = st.builds(State, POOLS, POOLS, st.integers(0, 40))


@given(STATES)
def test_moves_are_those_of_the_readme(state):
    expected = moves(*state[:2])
    after = {(a.kind.value, a.rung): tuple(act(state, a)[:2]) for a in legal_actions(state)}
    assert after == expected
    assert all(act(state, action).score == state.score for action in legal_actions(state))


@given(STATES)
def test_canonical_order_fixes_from_the_top_and_promotes_from_the_bottom(state):
    actions = legal_actions(state)
    if any(state.legacy):
        assert [a.rung for a in actions] == sorted((a.rung for a in actions), reverse=True)
    else:
        assert actions[0] == Action(ActionKind.CREATE)
        assert [a.rung for a in actions[1:]] == sorted(a.rung for a in actions[1:])


@given(STATES)
def test_a_skip_is_last_and_only_on_request_without_legacy(state):
    with_skip = legal_actions(state, skip=True)
    assert with_skip[: len(legal_actions(state))] == legal_actions(state)
    assert (with_skip[-1] == Action(ActionKind.SKIP)) == (not any(state.legacy))
    assert act(state, Action(ActionKind.SKIP)) == state


@given(STATES)
def test_roll_counts_each_die_by_itself(state):
    ladder = Ladder(2, 3, 7)
    expected = {}
    for chance, after in Oracle(ladder).ends(*state):
        expected[after] = expected.get(after, 0) + chance
    dist = roll(state, ladder).probabilities()
    assert {tuple(after): to_fraction(chance) for after, chance in dist.items()} == expected


@given(STATES)
def test_only_creating_and_promoting_change_the_dice_and_raise_their_weight_by_one(state):
    for action in legal_actions(state):
        gained = weight(act(state, action).dice) - weight(state.dice)
        assert gained == (action.kind in {ActionKind.CREATE, ActionKind.PROMOTE})
    for after in roll(state, Ladder(2, 3, 7)):
        assert after.dice == state.dice


def test_first_round_makes_a_die_that_scores_or_fails():
    # The README's rules by hand: a d4 shows 1 with chance 1/4; then no revenue die is left.
    first = outcomes(empty_table(), Action(ActionKind.CREATE))
    assert first.probabilities() == {
        State((0, 0, 0, 0, 0), (1, 0, 0, 0, 0), 0): mpq(1, 4),
        State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1): mpq(3, 4),
    }


def test_a_catastrophe_resets_the_score():
    after = roll(State((1, 1, 0, 0, 0), (0,) * 5, 12), STANDARD)
    # All fail with chance 1/4·1/6.
    assert after.probability(State((0,) * 5, (1, 1, 0, 0, 0), 0)) == mpq(1, 24)


@pytest.mark.parametrize("faces", [(), (1, 4), (4, 4), (6, 4), (4, 6.0), (True, 4)])
def test_ladders_must_ascend_from_two_faces(faces):
    with pytest.raises(InputError, match="ladder"):
        Ladder(*faces)


@pytest.mark.parametrize("text", ["", "4,,6", "4;6", "6,4", "1,2"])
def test_ladders_are_read_from_text_or_refused(text):
    assert Ladder.read(" 4,6 ,20") == Ladder(4, 6, 20)
    with pytest.raises(InputError, match="ladder"):
        Ladder.read(text)


def test_ladders_survive_copying():
    assert copy.copy(STANDARD) == pickle.loads(pickle.dumps(STANDARD)) == STANDARD  # noqa: S301
    assert repr(STANDARD) == "Ladder(4, 6, 8, 12, 20)"


@pytest.mark.parametrize(
    ("revenue", "legacy", "score", "named"),
    [
        ((1, 0), (0, 0, 0), 0, "revenue"),
        ((1, 0, 0), (0, 0), 0, "legacy"),
        ((1, -1, 0), (0, 0, 0), 0, "revenue"),
        ((1, 0, 0), (0, "x", 0), 0, "legacy"),
        ((1, 0, 0), (0, 0, 0), -3, "score"),
    ],
)
def test_states_that_do_not_suit_the_ladder_are_rejected(revenue, legacy, score, named):
    with pytest.raises(InputError, match=named):
        check_state(revenue, legacy, score, Ladder(2, 3, 7))


def test_actions_are_named_by_their_dice():
    names = [
        Action(ActionKind.FIX, 4),
        Action(ActionKind.CREATE),
        Action(ActionKind.PROMOTE, 1),
        Action(ActionKind.SKIP),
    ]
    assert [a.describe(STANDARD) for a in names] == ["fix d20", "create d4", "promote d6", "skip"]
    assert list(map(str, names)) == ["fix 4", "create", "promote 1", "skip"]


def test_default_score_of_a_state_is_0():
    assert check_state((1, 0, 0, 0, 0), (0, 0, 0, 0, 0)).score == 0


@given(faces=st.lists(st.integers(2, 40), min_size=1, max_size=8, unique=True).map(sorted))
def test_gains_are_differences_of_chances(faces):
    table = promotion_table(Ladder(*faces))
    gains = [Fraction(1, a) - Fraction(1, b) for a, b in pairwise(faces)]
    assert [to_fraction(rung.gain) for rung in table] == [*gains, 0]
    rises = [i for i in range(1, len(gains)) if gains[i] > gains[i - 1]]
    assert first_rise(Ladder(*faces)) == (rises[0] if rises else None)


def test_faces_that_are_no_ladder_have_no_promotions():
    for table in (promotion_table, first_rise):
        with pytest.raises(InputError, match="ladder: got 6, 4"):
            table((6, 4))
