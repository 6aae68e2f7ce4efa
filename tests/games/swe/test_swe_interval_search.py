"""The optimum that intervals searched for is the one that exact search finds."""

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.enclosure import Enclosure
from exactdice.games.swe.optimum import interval_search
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.interval_search import optimum
from exactdice.games.swe.rules import Ladder
from exactdice.run import Run

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 11),
)
def test_random_games_have_the_value_of_exact_search(faces, rounds):
    searched = optimum(rounds, Ladder(*faces))
    assert searched.value == solve(rounds, Ladder(*faces)).value
    assert searched.value in searched.enclosure


@pytest.mark.parametrize("rounds", [1, 2, 10, 12, 18])
def test_the_standard_game_has_the_value_of_exact_search_from_fewer_blocks(rounds):
    searched = optimum(rounds)
    assert searched.value == solve(rounds).value
    assert searched.blocks <= searched.blocks_in_all
    assert searched.certain >= searched.compared


def test_fifty_rounds_of_few_kinds_are_within_reach():
    # Far beyond exact search over all blocks in a test's time; the enclosure is 12 digits wide.
    searched = optimum(50, Ladder(4, 6))
    assert searched.value in searched.enclosure
    assert searched.enclosure.width < mpq(1, 10**9)


def test_every_block_is_reported_as_it_is_solved():
    steps = []
    searched = optimum(8, run=Run(progress=lambda *news: steps.append(news)))
    steps = [(done, of) for what, done, of in steps if what == "blocks"]
    assert steps == [(done, searched.blocks) for done in range(1, searched.blocks + 1)]


def test_an_enclosure_that_misses_the_exact_value_is_noticed(monkeypatch):
    genuine = interval_search.swe_outlook.solve

    def shifted(*arguments, **options):
        solved = genuine(*arguments, **options)
        object.__setattr__(solved, "value", Enclosure(mpq(0), mpq(1, 2)))
        return solved

    monkeypatch.setattr(interval_search.swe_outlook, "solve", shifted)
    with pytest.raises(AssertionError, match="outside its enclosure"):
        optimum(6)
