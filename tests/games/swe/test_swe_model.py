"""The rules as a model, solved by the general solvers, against the exact search over blocks."""

from hypothesis import given, settings
from hypothesis import strategies as st
from swe_oracle import Oracle

from exactdice.arithmetic import to_fraction
from exactdice.games.swe.model import as_game
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import Ladder, empty_table
from exactdice.models import optimum

_LADDERS = st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(
    lambda faces: Ladder(*sorted(faces))
)


@settings(deadline=None, max_examples=30)
@given(_LADDERS, st.integers(0, 5))
def test_a_model_has_the_values_and_optimal_actions_of_the_search(ladder, rounds):
    best, searched = optimum(as_game(rounds, ladder)), solve(rounds, ladder)
    best.certificate().check(best.model.game)
    assert best.value == searched.value
    for state, left in best.model.states:
        assert best.value_of((state, left)) == searched.value_at(state, left)
        if left:
            advice = searched.actions(state, left)
            optimal = tuple(str(each.action) for each in advice if each.optimal)
            assert best.optimal_actions((state, left)) == optimal


@settings(deadline=None, max_examples=30)
@given(_LADDERS, st.integers(0, 6), st.integers(0, 9))
def test_a_model_is_worth_what_the_plain_recursion_gives(ladder, rounds, score):
    start = empty_table(ladder)._replace(score=score)
    value = optimum(as_game(rounds, ladder, start)).value
    assert to_fraction(value) == Oracle(ladder).value(tuple(start), rounds)
