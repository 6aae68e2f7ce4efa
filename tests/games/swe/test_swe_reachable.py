"""Reachable scores against a search over whole states."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from swe_oracle import Oracle, reachable

from exactdice.errors import InputError
from exactdice.games.swe.optimum import reachable as reachable_states
from exactdice.games.swe.optimum.block import ScoreBounds
from exactdice.games.swe.optimum.reachable import (
    can_be_reached,
    first_reached,
    layers,
    search_steps,
    splits_of,
)
from exactdice.games.swe.rules import STANDARD, ActionKind, Ladder, State, empty_table


def states_of(layer):
    return {
        tuple(splits_of(dice).state(index, score))
        for dice, splits in layer.items()
        for index, scores in enumerate(splits)
        for score in range(scores.bit_length())
        if scores >> score & 1
    }


@settings(max_examples=20, deadline=None)
@given(rungs=st.integers(1, 3), rounds=st.integers(0, 6), data=st.data())
def test_layers_are_those_of_a_search_over_whole_states(rungs, rounds, data):
    ladder = Ladder(*range(2, 2 + rungs))
    pools = st.lists(st.integers(0, 1), min_size=rungs, max_size=rungs).map(tuple)
    start = State(data.draw(pools), data.draw(pools), data.draw(st.integers(0, 9)))
    expected = reachable(Oracle(ladder), tuple(start), rounds)
    assert [states_of(layer) for layer in layers(rounds, start)] == expected


@settings(max_examples=60, deadline=None)
@given(rungs=st.integers(1, 3), rounds=st.integers(0, 6), data=st.data())
def test_bounds_of_scores_hold(rungs, rounds, data):
    pools = st.lists(st.integers(0, 2), min_size=rungs, max_size=rungs).map(tuple)
    start = State(data.draw(pools), data.draw(pools), data.draw(st.integers(0, 9)))
    bounds = ScoreBounds.from_start(start)
    for played, layer in enumerate(layers(rounds, start)):
        for revenue, legacy, score in states_of(layer):
            dice = State(revenue, legacy).dice
            least = bounds.least(played, sum(revenue))
            assert least <= score <= bounds.greatest(played, dice, sum(revenue))


def test_the_greatest_score_of_all_play_from_an_empty_table_is_the_bound():
    # All play of nine rounds, listed state by state (theorem 26).
    greatest = {}
    start = empty_table()
    for played, layer in enumerate(reachable(Oracle(STANDARD), tuple(start), 9)):
        for revenue, legacy, score in layer:
            key = played, revenue, legacy
            greatest[key] = max(score, greatest.get(key, 0))
    bounds = ScoreBounds.from_start(start)
    for (played, revenue, legacy), score in greatest.items():
        assert score == bounds.greatest(played, State(revenue, legacy).dice, sum(revenue))


def test_scores_that_are_reached_have_gaps():
    # Three d4 after four rounds, one of them in revenue, by hand: three rounds create and one fixes
    # what failed before. If the first die fails in round 1, it is 0 + 1 + 2 + 1; if one fails in
    # round 2, 1 + 1 + 2 + 1; if one, two or three fail in round 3, 1 + 2 + 2 + 1, 1 + 2 + 1 + 1 or,
    # after a catastrophe, 1.
    *_, last = layers(4, empty_table())
    splits = splits_of((3, 0, 0, 0, 0))
    scores = last[3, 0, 0, 0, 0][splits.index((1, 0, 0, 0, 0))]
    assert [score for score in range(scores.bit_length()) if scores >> score & 1] == [1, 4, 5, 6]


def test_a_state_can_be_reached_exactly_when_a_search_finds_it():
    ladder = Ladder(3, 5)
    reached = reachable(Oracle(ladder), ((0, 0), (0, 0), 0), 4)
    for played, layer in enumerate(reached):
        for revenue, legacy, _ in reached[-1] | {((0, 0), (0, 0), 0)}:
            for score in range(12):
                state = State(revenue, legacy, score)
                assert can_be_reached(state, played, ladder) == (tuple(state) in layer)


def test_a_state_is_first_reached_when_a_search_first_finds_it():
    ladder = Ladder(3, 5)
    reached = reachable(Oracle(ladder), ((0, 0), (0, 0), 0), 12)
    for revenue, legacy, _ in reached[3] | reached[0]:
        for score in range(6):
            state = State(revenue, legacy, score)
            # Weight 3 at most and score 5 at most: nothing new after 8 rounds, looked at up to 12.
            first = next((t for t, layer in enumerate(reached) if tuple(state) in layer), None)
            assert first_reached(state, ladder) == first


def test_a_player_may_be_restricted():
    def only_creates(played, state, action):
        return 0 if action.kind is ActionKind.PROMOTE else -1

    *_, last = layers(6, empty_table(Ladder(4, 6)), permitted=only_creates)
    assert set(last) == {(n, 0) for n in range(1, 7)}


def test_rounds_played_must_be_whole():
    with pytest.raises(InputError, match="rounds played"):
        can_be_reached(empty_table(), -1)


@pytest.mark.parametrize(("listed", "steps"), [(9, 4 * 22), (8, 4 * 9)])
def test_steps_are_counted_below_where_dice_are_too_many_to_list(listed, steps, monkeypatch):
    """Of two d4 and a d6 over four rounds; nine sets of d4 and d6 weigh as much or less."""
    sets = [(a, b) for a in range(5) for b in range(3) if a + 2 * b <= 4]
    assert len(sets) == 9
    # Play makes them from any sets with no more dice and no more d6.
    sources = [(a, b) for a, b in sets if b <= 1 and a + b <= 3]
    assert sum((a + 1) * (b + 1) for a, b in sources) == 22
    monkeypatch.setattr(reachable_states, "_MAX_LISTED", listed)
    assert search_steps(State((2, 1), (0, 0), 3), 4) == steps
