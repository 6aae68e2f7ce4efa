"""Values and bounds found in C++, against the solvers by components and brute force."""

from dataclasses import replace
from functools import partial
from itertools import product
from operator import sub
from unittest.mock import patch

import model_oracles as oracles
import networkx as nx
import numpy as np
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import arena_of, fraction, go, refuses, tables, turn_game_values, ways

from exactdice import native
from exactdice.dice import Distribution
from exactdice.errors import MissingExtraError
from exactdice.models import Chance, Choice, End, Game, Other, Turn, optimum, point_mass
from exactdice.native.process import PRIME, Process, RefusedError
from exactdice.solve import lifting
from exactdice.solve.arena import CHANCE, MAX, Arena, NoValueError
from exactdice.solve.lifting import WideIntegers, lifted_values, process_of, words_of
from exactdice.solve.questions import reach
from exactdice.solve.stopping import avoiding_moves, ranks_against_free
from exactdice.solve.turn_games import certified_bounds, values_by_components

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


one_player = tables(players=1, ends=False)


@pytest.mark.slow
@settings(max_examples=180)
@given(one_player | tables(players=2, ends=True) | tables(players=1, ends=True, turns=True))
def test_values_are_those_of_the_components(table):
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
@given(tables(players=2, ends=False), st.sets(st.integers(0, 3)))
def test_avoiding_states_are_those_of_the_search(table, goal):
    arena = Game(0, table.__getitem__).explored().arena
    inside = {state for state in goal if state < len(arena)}
    assert lifting.avoided(arena, inside)[0] == avoiding_moves(arena, inside)


def ruin(goal, up, down):
    law = {1: up, -1: down}
    ends = {at: End(int(at == goal)) for at in (0, goal)}
    return Game(1, lambda at: ends.get(at) or Distribution({at + s: w for s, w in law.items()}))


@given(st.integers(2, 60), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=30)
def test_the_ruin_of_gamblers_follows_the_formula(goal, up, down):
    """Feller, volume 1, XIV.2: from z of a, (q/p)^z − (q/p)^a over 1 − (q/p)^a is the ruin."""
    model = ruin(goal, up, down).explored()
    found = lifted_values(model.arena, names=model.states)
    ratio = mpq(down, up)
    expected = mpq(1, goal) if ratio == 1 else (1 - ratio) / (1 - ratio**goal)
    assert found.values[0] == expected


def test_a_wrong_guess_is_mended_by_exact_comparison():
    """Two moves that doubles cannot tell apart; the second is better by 10⁻¹⁷."""
    tiny = mpq(1, 10**17)
    game = Game(0, lambda s: [go("less", 1, 1), go("more", 1, 1 + tiny)] if s == 0 else None)
    model = game.explored()
    found = lifted_values(model.arena, names=model.states)
    assert (found.values[0], found.chosen[0], found.several) == (1 + tiny, 1, {})
    best = optimum(model)
    assert (best.value, best.action(0), best.optimal_actions(0)) == (1 + tiny, "more", ("more",))


def test_numbers_too_long_are_left_to_the_other_solvers():
    game = Game(0, lambda s: Distribution({1: 3**50, 2: 2**80}) if s == 0 else End(s))
    model = game.explored()
    assert lifted_values(model.arena, names=model.states) is None
    assert optimum(model).value == mpq(3**50 + 2 * 2**80, 3**50 + 2**80)
    model = ruin(40, 2, 3).explored()
    with patch.multiple(lifting, _MOST_WORK=100, _FEW_DIGITS=0):
        assert lifted_values(model.arena, names=model.states) is None


def test_without_the_module_the_answers_are_the_same():
    missing = MissingExtraError("not built")
    model = ruin(9, 1, 2).explored()
    with patch("exactdice.native.process.solvers", side_effect=missing):
        assert lifted_values(model.arena, names=model.states) is None
        alone = (optimum(model).value, reach(model, lambda at: at == 9).value)
    assert alone == (optimum(model).value, reach(model, lambda at: at == 9).value)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 6))
def test_digits_are_those_of_the_fraction(up, down, count):
    """One state that is left upwards, for 1, or downwards; or stays: up/(up + down)."""
    weights = [up, down, 5]
    game = Process(
        [0, 3, 3], [0, 1, 0], [0, 1, 1, 1], [0, 3], [1, 2, 0], *[[0]] * 3, [0, 3], weights
    )
    digits = game.digits([0, -1, -1])
    modulus = PRIME**count
    value = WideIntegers(digits.times(mpz(1), count))[0]
    assert abs(value) <= modulus
    assert (value * mpz(up + down) - up) % modulus == 0
    assert list(WideIntegers(digits.times(mpz(-up - down) % modulus, count))) == [-up, 0, 0]
    assert list(WideIntegers(digits.times(mpz(up + down), count))) == [up, 0, 0]
    assert (digits.combined(count, 3) * mpz(up + down) - 3 * up) % modulus == 0


@given(tables(players=2, ends=True, turns=True))
def test_ways_back_are_counted_as_networkx_finds_them(table):
    model = Game(0, table.__getitem__).explored()
    arena, n = model.arena, len(model.states)
    edges = [(s, target % n) for s in range(n) for target in arena.successors(s)]
    parts = nx.strongly_connected_components(nx.DiGraph(edges))
    inside = {state for part in parts if len(part) > 1 for state in part}
    expected = sum(state in inside for state, _ in edges)
    assert process_of(arena)[0].looping() == expected
    with patch.object(lifting, "process_of", side_effect=RefusedError):
        assert replace(model)._looping == expected


def test_arenas_of_many_transitions_are_lifted_if_sparse():
    arena = ruin(5, 1, 1).explored().arena
    guess = lifting.guess_of(arena)
    with patch.object(lifting, "_MOST_FILLED", 0):
        sparse, full = (
            lifted_values(arena, names=range(len(arena)), guess=guess._replace(is_sparse=is_sparse))
            for is_sparse in (True, False)
        )
    assert full is None
    assert sparse.values[0] == mpq(1, 5)  # a fair game is won with what one has of all there is


def enclosed(arena, width):
    bounds = lifting.enclosed_values(arena, width, names=range(len(arena)))
    assert all(bounds.between(state).width <= width for state in range(len(arena)))
    return bounds


@pytest.mark.slow
@given(tables(players=2, ends=True), st.integers(1, 60))
def test_bounds_contain_the_best_of_all_strategies(table, digits):
    """The oracle tries every pair of strategies."""
    model = Game(0, table.__getitem__).explored()
    bounds = enclosed(model.arena, mpq(1, 10**digits))
    expected = turn_game_values(table)
    for number, state in enumerate(model.states):
        between = bounds.between(number)
        assert fraction(between.lower) <= expected[state] <= fraction(between.upper)


@pytest.mark.slow
@given(tables(players=1, ends=False), st.integers(1, 60))
def test_bounds_are_found_though_circles_cost_nothing(table, digits):
    """The oracle tries all policies under which play ends."""
    for state, turn in table.items():
        if isinstance(turn, Chance):
            table[state] = Chance(0, turn.successors)
        elif isinstance(turn, list):
            table[state] = [Choice(choice.action, 0, choice.successors) for choice in turn]
    table[max(state for state in table if state != "end")] = Chance(5, point_mass("end"))
    policies = product(*([(s, way) for way in ways(turn)] for s, turn in table.items()))
    tried = [oracles.chain_values(table, dict(policy)) for policy in policies]
    expected = [values for values in tried if values is not None]
    if expected:
        model = Game(0, table.__getitem__).explored()
        bounds = enclosed(model.arena, mpq(1, 10**digits))
        for number, state in enumerate(model.states):
            between = bounds.between(number)
            best = max(values[state] for values in expected)
            assert fraction(between.lower) <= best <= fraction(between.upper)


def test_large_squares_of_ways_that_cost_nothing_are_enclosed():
    """By hand: one can come to the corner that pays 7 from everywhere."""
    size = 60

    def moves(at):
        if at in ((0, size - 1), (size - 1, size - 1)):
            return End(7 if at[0] else 3)
        x, y = at
        steps = ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))
        places = [(min(max(a, 0), size - 1), min(max(b, 0), size - 1)) for a, b in steps]
        laws = [{places[n]: 8, places[(n + 1) % 4]: 1, at: 1} for n in range(4)]
        return [Choice(n, 0, Distribution(law)) for n, law in enumerate(laws)]

    best = optimum(Game((size // 2, size // 2), moves), width="1e-9")
    assert not best.is_exact
    assert all(7 in best.value_of(state) for state in best.model.states if state != (0, size - 1))


@pytest.mark.slow
@given(tables(players=2, ends=True, turns=True))
def test_every_best_move_is_chosen_or_left_open(table):
    arena = Game(0, table.__getitem__).explored().arena
    exact = values_by_components(arena, names=range(len(arena)))
    bounds = enclosed(arena, mpq(1, 10**20))
    for state, value in enumerate(exact.values):
        assert value in bounds.between(state)
        best = exact.several.get(state, (exact.chosen[state],))
        assert set(best) <= set(bounds.several.get(state, (bounds.chosen[state],)))


@pytest.mark.slow
@given(tables(players=2, ends=True, turns=True), st.integers(0, 2))
def test_ranks_are_those_found_without_the_module(table, taste):
    arena = Game(0, table.__getitem__).explored().arena
    offered = [arena.moves(state) for state in range(len(arena))]
    chosen = [moves[taste % len(moves)] if moves else -1 for moves in offered]
    first, second = ranks_against_free(arena, chosen)
    process, _ = process_of(arena)
    assert process.ranks_against_free(chosen).tolist() == first + second


def tangle(size):
    arena = Arena()
    for state in range(size):
        owner = MAX if state % 2 else CHANCE
        arena.open(owner)
        for move in range(2 if owner == MAX else 1):
            targets = {(state * state * 7 + (37 * state + 131) * k + move) % size for k in range(6)}
            weights = [1 + target % 9 for target in targets]
            arena.move(mpq(state % 7 - 3, 3), (*weights, 1), (*targets, size))
    arena.end(mpq(1, 3))
    return arena


def test_walks_and_tangles_are_enclosed():
    arena = tangle(700)
    guess = lifting.guess_of(arena)
    assert not guess.is_sparse
    exact = lifted_values(arena, names=range(len(arena)))
    bounds = enclosed(arena, mpq(1, 10**30))
    assert all(exact.values[state] in bounds.between(state) for state in range(len(arena)))
    # From the middle of 2000 it takes 1000² steps (Feller, volume 1, XIV.3).
    arena = arena_of(0, *[(CHANCE, (1, at - 1, at + 1)) for at in range(1, 2000)], 0)
    assert 1000**2 in enclosed(arena, mpq(1, 10**30)).between(1000)


def test_no_bounds_if_play_can_be_prolonged():
    # Waiting costs the first player 1 each time, but cannot be prevented.
    table = {
        0: [go("wait", 0, -1), go("on", 1)],
        1: Turn(2, [go("little", "end", 1), go("much", "end", 2)]), "end": End(0)}  # fmt: skip
    arena = Game(0, table.__getitem__).explored().arena
    for solve in (values_by_components, partial(lifting.enclosed_values, width=mpq(1, 9))):
        refuses(NoValueError, "'a'", solve, arena, names="ab.")
    table = {
        0: [go("on", 1), go("stop", "end", -1)], 1: Turn(2, [go("back", 0), go("stop", "end", 1)]),
        "end": End(0)}  # fmt: skip
    model = Game(0, table.__getitem__).explored()
    refuses(NoValueError, "'a'", lifting.enclosed_values, model.arena, mpq(1, 10), names="ab.")
    with pytest.raises(NoValueError):
        optimum(model, width="1e-9")


def test_comparisons_of_wrong_or_long_numbers_are_refused():
    arena = Game(0, lambda s: Distribution({1: 2, 2: 3}) if s == 0 else End(s)).explored().arena
    process, scale = process_of(arena)
    comparison = lifting.MoveComparison(arena, process, int(scale))
    for large in (2**62, -(2**62)):
        numbers = words_of([0, large, 0], 1)
        refuses(RefusedError, "words", comparison.signs, numbers, numbers, numbers, 1, 1)
    longer = words_of([2**62, 2**62, 2**62], 2)
    assert comparison.signs(longer, longer, longer, 1, 1).tolist() == [0]
    # By hand: 0 is worth 5/2 and 1 is worth 5; over 2 that is 5 and 10, and no other number.
    arena = arena_of((CHANCE, (0, 1, 2)), 5, 0)
    process, scale = process_of(arena)
    comparison = lifting.MoveComparison(arena, process, int(scale))
    chosen = np.array([0, -1, -1])
    better, several = lifting._compared(comparison, words_of([5, 10, 0], 1), mpz(2), chosen)
    assert (list(better), dict(several)) == ([], {})
    for wrong in (4, 6, -5):
        with pytest.raises(RefusedError, match="these are not the values of the moves"):
            lifting._compared(comparison, words_of([wrong, 10, 0], 1), mpz(2), chosen)


@given(st.lists(st.integers(-(2**120), 2**120), min_size=1))
def test_words_store_integers(numbers):
    words = words_of(numbers, 2)
    assert words.dtype == np.uint64
    assert list(WideIntegers(words)) == numbers


def test_a_race_that_changes_sides_is_enclosed_with_every_choice_settled():
    """Roll a coin until tails; exact values are the second way."""

    def moves(state):
        if state == "won":
            return End(1)
        mine, theirs, points = state
        more = "won" if mine + points + 1 >= 6 else (mine, theirs, points + 1)
        roll = Choice("roll", 0, Distribution({more: 3, Other((theirs, 0, 0)): 2}))
        hold = go("hold", Other((theirs, mine + points, 0)))
        return [roll, hold] if points else [roll]

    arena = Game((0, 0, 0), moves).explored().arena
    exact = values_by_components(arena, names=range(len(arena)))
    bounds = enclosed(arena, mpq(1, 10**30))
    assert bounds.several == exact.several == {}
    assert list(bounds.chosen) == list(exact.chosen)
    assert all(value in bounds.between(state) for state, value in enumerate(exact.values))


@pytest.mark.parametrize("width", [mpq(1, 10), mpq(1, 1000), mpq(1, 10**9)])
def test_bounds_are_narrowed_again_if_a_state_is_rarely_left(width):
    """A step too wide by one in 2^50 counts 2^40 times before the state is left."""
    chances = {0: (1 << 40) - 1, 1: 1}
    game = Game(0, lambda n: Distribution(chances) if n == 0 else End(mpq(1, 3)))
    between = enclosed(game.explored().arena, width).between(0)
    assert between.lower < mpq(1, 3) < between.upper


@pytest.mark.parametrize("payoff", [10**6, 10**12])
def test_bounds_of_large_values_have_the_words_that_they_need(payoff):
    # By hand: v = v/2 + p/2 − 1, so that v = p − 2.
    game = Game(0, lambda n: Chance(-1, Distribution({0: 1, 1: 1})) if n == 0 else End(payoff))
    between = enclosed(game.explored().arena, mpq(1, 1000)).between(0)
    assert between.lower <= payoff - 2 <= between.upper


@pytest.mark.parametrize("excess", [mpq(3, 2), mpq(10**6)])
def test_bounds_refused_or_too_wide_are_sought_again_with_more_bits(excess):
    arena = Game(0, lambda n: Distribution({0: 1, 1: 1}) if n == 0 else End(5)).explored().arena
    bounds, width, tries = lifting._bounds, mpq(1, 1000), []

    def seldom(*given):
        tries.append(given[-1])
        if len(tries) == 1:
            raise RefusedError("no bounds are proved")
        found, widest = bounds(*given)
        assert widest == max(map(sub, found.upper, found.lower))
        assert found.between(1).point == 5
        return found, widest if len(tries) > 2 else int(width * excess * 2 ** given[-1])

    with patch.object(lifting, "_bounds", seldom):
        assert 5 in enclosed(arena, width).between(0)
    assert len(tries) == 3
    assert tries[0] + 32 < tries[1]
    assert excess <= 2 ** (tries[2] - tries[1])  # as many units are narrow enough then


def test_bounds_are_widened_until_they_are_proved_or_refused():
    arena = Game(0, lambda n: Distribution({0: 1, 1: 1}) if n == 0 else End(5)).explored().arena
    unsettled, widths = lifting._unsettled, []

    def late(comparison, chosen, lower, upper, one):
        widths.append(WideIntegers(upper)[0] - WideIntegers(lower)[0])
        return unsettled(comparison, chosen, lower, upper, one) if len(widths) > 2 else None

    with patch.object(lifting, "_unsettled", late):
        assert 5 in enclosed(arena, mpq(1, 1000)).between(0)
    first, second, third = widths
    assert 3 * first < second < third < 5 * second
    with patch.object(lifting, "_unsettled", return_value=None):
        assert lifting.enclosed_values(arena, mpq(1, 1000), names="ab") is None


def test_bounds_of_more_words_than_are_kept_are_left_to_python():
    """Fifteen words have 960 bits; a width of 10⁻⁴⁰⁰ asks for 1329."""
    arena = arena_of((CHANCE, (0, (2, 0), (1, 1))), "1/3")
    width = mpq(1, mpz(10) ** 400)
    assert lifting.enclosed_values(arena, width, names="ab") is None
    between = certified_bounds(arena, width).between(0)
    assert mpq(1, 3) in between
    assert between.width <= width
    assert mpq(1, 3) in enclosed(arena, mpq(1, mpz(10) ** 250)).between(0)
