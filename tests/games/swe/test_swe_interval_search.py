"""The optimum that intervals searched for is the one that exact search finds."""

from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice import native
from exactdice.enclosure import Enclosure
from exactdice.games.swe.optimum import interval_search
from exactdice.games.swe.optimum.chooser import judge
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.interval_search import optimum
from exactdice.games.swe.rules import STANDARD, Ladder, State
from exactdice.native import swe_outlook
from exactdice.rooms import ask
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


@pytest.mark.slow
def test_fifty_rounds_of_two_kinds_of_dice():
    # Far beyond exact search over all blocks in a test's time; the enclosure is 12 digits wide.
    searched = optimum(50, Ladder(4, 6))
    assert searched.value in searched.enclosure
    assert searched.enclosure.width < mpq(1, 10**9)


def test_every_block_is_reported_as_it_is_solved():
    steps = []
    searched = optimum(8, run=Run(progress=lambda *news: steps.append(news)))
    steps = [(done, of) for what, done, of in steps if what == "blocks"]
    assert steps == [(done, searched.blocks) for done in range(1, searched.blocks + 1)]


def test_an_enclosure_without_the_exact_value_raises_an_error(monkeypatch):
    genuine = interval_search.swe_outlook.solve

    def shifted(*arguments, **options):
        solved = genuine(*arguments, **options)
        object.__setattr__(solved, "value", Enclosure(mpq(0), mpq(1, 2)))
        return solved

    monkeypatch.setattr(interval_search.swe_outlook, "solve", shifted)
    with pytest.raises(AssertionError, match="outside its enclosure"):
        optimum(6)


def test_each_level_comes_back_as_it_was_written(monkeypatch):
    """Values of many digits, and decisions that turn on the score."""
    searches = []
    genuine = interval_search.run_levels

    def listening(kept, name, count, step, *, write, read):
        def heard(level, before):
            searches.append(step(level, before))
            return searches[-1]

        return genuine(kept, name, count, heard, write=write, read=read)

    monkeypatch.setattr(interval_search, "run_levels", listening)
    optimum(12, Ladder(2, 3))
    assert len(searches) == 13
    for search in searches:
        assert interval_search._read(interval_search._written(search)) == search
    assert any(search.compared for search in searches)


def test_stored_enclosures_are_deleted_after_the_search():
    forgotten = []
    kept = SimpleNamespace(
        kept=lambda _: None, keep=lambda *_: None, forget=lambda name: forgotten.append(name)
    )
    optimum(3, Ladder(4, 6), Run(kept=kept))
    # Enclosures between lines, and piece by piece: each is one computation.
    names = [name for name in forgotten if name.startswith("swe enclosure, 3 rounds")]
    assert [name.split("bends to ")[1].split(",")[0] for name in names] == [str(10**12), "0"]


LEGACY = State((1, 1, 0, 0, 0), (1, 0, 1, 0, 0), 9)
WHOLE = State((2, 1, 1, 0, 0), (0, 0, 0, 0, 0), 30)


@pytest.mark.parametrize("state", [LEGACY, WHOLE])
@pytest.mark.parametrize("left", [1, 5, 12])
def test_values_and_regrets_are_those_of_exact_search(state, left):
    advice = solve(left, STANDARD, state).actions(state, left)
    prospects = judge(left, STANDARD, state).prospects
    assert [one.action for one in prospects] == [one.action for one in advice]
    for one, exact in zip(prospects, advice, strict=True):
        assert exact.value in one.value
        assert exact.regret in one.regret
        assert one.optimal in (exact.optimal, None)


def test_actions_with_overlapping_enclosures_are_open(monkeypatch):
    monkeypatch.setattr(swe_outlook, "HARDLY", 9 / 10)  # hardly anything is looked at
    exact = solve(12, STANDARD, WHOLE).actions(WHOLE, 12)
    prospects = judge(12, STANDARD, WHOLE).prospects
    assert None in [one.optimal for one in prospects]
    for one, sure in zip(prospects, exact, strict=True):
        assert one.optimal in (sure.optimal, None)
        assert sure.value in one.value
        assert sure.regret in one.regret


def test_an_enclosure_from_a_state_counts_the_remaining_rounds():
    report = ask("swe enclosure 9 --round 4 --revenue 1,1,0,0,0 --score 3")
    state = State((1, 1, 0, 0, 0), (0,) * 5, 3)
    solution = solve(6, STANDARD, state)  # rounds 4 to 9
    assert solution.value in report.value("enclosure")
    advice = solution.actions(state, 6)
    table = report.table("actions")
    assert table.cells("action") == [one.action.describe(STANDARD) for one in advice]
    for exact, value in zip(advice, table.cells("value"), strict=True):
        assert exact.value in value
        assert value.width < mpq(1, 10**6)
