"""Values from digits, against the solvers that go from component to component."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import networkx as nx
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import tables

from exactdice import native
from exactdice.dice import Distribution
from exactdice.errors import MissingExtraError
from exactdice.models import Choice, End, Game, optimum, point_mass
from exactdice.native.process import PRIME, Process, RefusedError
from exactdice.solve import lifting
from exactdice.solve.arena import NoValueError
from exactdice.solve.lifting import WideIntegers, avoided, lifted_values, process_of
from exactdice.solve.questions import reach
from exactdice.solve.stopping import avoiding_moves
from exactdice.solve.turn_games import values_by_components

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


def agrees(table: dict[Any, Any]) -> None:
    model = Game(0, table.__getitem__).explored()
    try:
        expected = values_by_components(model.arena, names=model.states)
    except NoValueError:
        assert lifted_values(model.arena, names=model.states) is None
        return
    found = lifted_values(model.arena, names=model.states)
    if found is not None:
        assert list(found.values) == expected.values
        assert found.several == expected.several
        if not expected.several:
            assert list(found.chosen) == list(expected.chosen)


@pytest.mark.slow
@given(tables(players=1, ends=False))
def test_one_player_has_the_values_of_the_components(table: dict[Any, Any]) -> None:
    agrees(table)


@pytest.mark.slow
@given(tables(players=2, ends=True))
def test_two_players_have_the_values_of_the_components(table: dict[Any, Any]) -> None:
    agrees(table)


@pytest.mark.slow
@given(tables(players=1, ends=True, turns=True))
def test_players_who_change_sides_have_the_values_of_the_components(table: dict[Any, Any]) -> None:
    agrees(table)


@pytest.mark.slow
@given(tables(players=2, ends=False), st.sets(st.integers(0, 3)))
def test_states_that_avoid_a_goal_are_those_of_the_search(
    table: dict[Any, Any], goal: set[int]
) -> None:
    arena = Game(0, table.__getitem__).explored().arena
    inside = {state for state in goal if state < len(arena)}
    assert avoided(arena, inside)[0] == avoiding_moves(arena, inside)


def ruin(goal: int, up: int, down: int) -> Game[int]:
    law = {1: up, -1: down}
    return Game(
        1,
        lambda at: (
            Distribution({at + step: weight for step, weight in law.items()})
            if 0 < at < goal
            else End(int(at == goal))
        ),
    )


@given(st.integers(2, 60), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=30)
def test_gamblers_are_ruined_as_the_formula_says(goal: int, up: int, down: int) -> None:
    """Feller, volume 1, XIV.2: from z of a, (q/p)^z − (q/p)^a over 1 − (q/p)^a is the ruin."""
    model = ruin(goal, up, down).explored()
    found = lifted_values(model.arena, names=model.states)
    assert found is not None
    ratio = mpq(down, up)
    expected = mpq(1, goal) if ratio == 1 else (1 - ratio) / (1 - ratio**goal)
    assert found.values[0] == expected


def test_a_wrong_guess_is_mended_by_exact_comparison() -> None:
    """Two moves that doubles cannot tell apart; the second is better by 10⁻¹⁷."""
    tiny = mpq(1, 10**17)
    game = Game(
        0,
        lambda s: (
            [Choice("less", 1, point_mass(1)), Choice("more", 1 + tiny, point_mass(1))]
            if s == 0
            else None
        ),
    )
    model = game.explored()
    found = lifted_values(model.arena, names=model.states)
    assert found is not None
    assert (found.values[0], found.chosen[0], found.several) == (1 + tiny, 1, {})
    best = optimum(model)
    assert (best.value, best.action(0), best.optimal_actions(0)) == (1 + tiny, "more", ("more",))


def test_numbers_too_great_for_words_are_left_to_the_other_solvers() -> None:
    game = Game(0, lambda s: Distribution({1: 3**50, 2: 2**80}) if s == 0 else End(s))
    model = game.explored()
    assert lifted_values(model.arena, names=model.states) is None
    assert optimum(model).value == mpq(3**50 + 2 * 2**80, 3**50 + 2**80)
    with pytest.raises(RefusedError):
        process_of(Game(0, lambda s: End(2**70)).explored().arena)


def test_fractions_too_long_for_the_work_are_left_to_the_other_solvers() -> None:
    model = ruin(40, 2, 3).explored()
    with patch.multiple(lifting, _MOST_WORK=100, _FEW_DIGITS=0):
        assert lifted_values(model.arena, names=model.states) is None


def test_without_the_module_the_answers_are_the_same() -> None:
    missing = MissingExtraError("not built")
    model = ruin(9, 1, 2).explored()
    with patch("exactdice.native.process.solvers", side_effect=missing):
        assert lifted_values(model.arena, names=model.states) is None
        alone = (optimum(model).value, reach(model, lambda at: at == 9).value)
    assert alone == (optimum(model).value, reach(model, lambda at: at == 9).value)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 6))
def test_digits_are_those_of_the_fraction(up: int, down: int, count: int) -> None:
    """One state that is left upwards, for 1, or downwards; or stays: up/(up + down)."""
    game = Process(
        [0, 3, 3], [0, 1, 0], [0, 1, 1, 1], [0, 3], [1, 2, 0], [0], [0], [0], [0, 3], [up, down, 5]
    )
    digits = game.digits([0, -1, -1])
    modulus = PRIME**count
    value = WideIntegers(digits.times(mpz(1), count))[0]
    assert abs(value) <= modulus
    assert (value * mpz(up + down) - up) % modulus == 0
    assert list(WideIntegers(digits.times(mpz(-up - down) % modulus, count))) == [-up, 0, 0]
    assert list(WideIntegers(digits.times(mpz(up + down), count))) == [up, 0, 0]
    assert (digits.combined(count, 3) * mpz(up + down) - 3 * up) % modulus == 0


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(RefusedError, match="targets"):
        Process([0, 3], [0, 0], [0, 1, 1], [0, 1], [9], [0], [0], [0], [0, 1], [1])
    with pytest.raises(RefusedError, match="weights"):
        Process([0, 3], [0, 0], [0, 1, 1], [0, 1], [1], [0], [0], [0], [0, 1], [-1])
    with pytest.raises(RefusedError, match="offsets"):
        Process([0, 3], [0, 0], [0, 5, 1], [0, 1], [1], [0], [0], [0], [0, 1], [1])
    loop = Process([1, 3], [0, 0], [0, 1, 1], [0, 1], [0], [0], [0], [0], [0, 1], [1])
    with pytest.raises(RefusedError, match="settle"):
        loop.guess()
    with pytest.raises(RefusedError, match="surely ends"):
        loop.digits([0, -1])


@given(tables(players=2, ends=True, turns=True))
def test_ways_back_are_counted_as_networkx_finds_them(table: dict[Any, Any]) -> None:
    model = Game(0, table.__getitem__).explored()
    arena, n = model.arena, len(model.states)
    edges = [(s, target % n) for s in range(n) for target in arena.successors(s)]
    parts = nx.strongly_connected_components(nx.DiGraph(edges))
    inside = {state for part in parts if len(part) > 1 for state in part}
    expected = sum(state in inside for state, _ in edges)
    assert process_of(arena)[0].looping() == expected
    with patch.object(lifting, "process_of", side_effect=RefusedError):
        assert replace(model)._looping == expected


def test_arenas_of_many_transitions_are_lifted_where_they_stay_sparse() -> None:
    arena = ruin(5, 1, 1).explored().arena
    guess = lifting.guess_of(arena)
    assert guess is not None
    with patch.object(lifting, "_MOST_FILLED", 0):
        sparse, full = (
            lifted_values(arena, names=range(len(arena)), guess=guess._replace(is_sparse=is_sparse))
            for is_sparse in (True, False)
        )
    assert full is None
    assert sparse is not None
    assert sparse.values[0] == mpq(1, 5)  # a fair game is won with what one has of all there is
