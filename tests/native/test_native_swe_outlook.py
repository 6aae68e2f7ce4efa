"""What the C++ solver says from a state, against the rules and against exact search."""

from functools import cache

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import swe

from exactdice import native
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    ActionKind,
    Ladder,
    State,
    legal_actions,
    outcomes,
)
from exactdice.native import swe_outlook

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


def plain_worth(state, left, ladder):
    """The definition: expectations over the rules' outcomes, with the score in the state."""

    @cache
    def value(state, left):
        return max(worth(state, left).values()) if left else mpq(state.score)

    def worth(state, left):
        return {
            action: sum(
                chance * value(after, left - 1)
                for after, chance in outcomes(state, action, ladder).probabilities().items()
            )
            for action in legal_actions(state)
        }

    return worth(state, left)


def action_of(move, state):
    if any(state.legacy):
        return Action(ActionKind.FIX, move)
    return Action(ActionKind.PROMOTE, move - 1) if move else Action(ActionKind.CREATE)


@st.composite
def states(draw, most_dice=3):
    ladder = Ladder(*sorted(draw(st.sets(st.integers(2, 20), min_size=1, max_size=4))))
    numbers = st.lists(st.integers(0, most_dice), min_size=len(ladder), max_size=len(ladder))
    few = st.lists(st.integers(0, 1), min_size=len(ladder), max_size=len(ladder))
    revenue = tuple(draw(numbers))
    score = draw(st.integers(0, 60)) if any(revenue) else 0
    return ladder, State(revenue, tuple(draw(few)), score)


NEGLECTS = [(0, 0), (0, 10**9), (1 / 1000, 0), (1 / 10, 10**9)]


@settings(max_examples=25, deadline=None)
@given(states(most_dice=1), st.integers(1, 3))
def test_action_values_enclose_the_definition(game, left):
    ladder, state = game
    exact = plain_worth(state, left, ladder)
    for made, bend in NEGLECTS:
        found = swe_outlook.solve(left, ladder, *state, made=made, bend=bend)
        assert {action_of(move, state) for move, _ in found.actions} == set(exact)
        assert all(exact[action_of(move, state)] in worth for move, worth in found.actions)
        assert max(exact.values()) in found.value


@settings(max_examples=30, deadline=None)
@given(states(), st.integers(1, 8))
def test_action_values_enclose_exact_search(game, left):
    ladder, state = game
    advice = search(left, ladder, state).actions(state, left)
    exact = {one.action: one.value for one in advice}
    for made, bend in NEGLECTS:
        found = swe_outlook.solve(left, ladder, *state, made=made, bend=bend)
        assert all(exact[action_of(move, state)] in worth for move, worth in found.actions)
        if not made and not bend:  # nothing is neglected: roundings alone
            assert found.value.width <= max(exact.values()) / 10**12


def test_excluded_moves_are_not_optimal():
    solution = search(14)
    found = swe_outlook.solve(14, STANDARD, (0,) * 5, (0,) * 5, bend=10**9)
    certain = 0
    for dice, _ in solution.blocks():
        state = solution.with_least_score(State(dice, (0,) * 5), 1)
        for left, mask in enumerate(found.possible(dice), 1):
            for choice in solution.choices(state, left) if any(dice) else []:
                optimal = [0 if a.kind is ActionKind.CREATE else a.rung + 1 for a in choice.actions]
                assert any(mask >> move & 1 for move in optimal)
            certain += mask.bit_count() == 1
    assert certain > 500  # the test has teeth


@pytest.mark.slow
def test_long_games_agree_with_the_solver_of_all_fixes():
    # Another program: every block round by round, all fixes compared, bends followed.
    long_game = swe.solve(36, intervals=True)
    for dice in ([3, 1, 1, 0, 0], [1, 1, 1, 1, 1], [0, 0, 2, 0, 2]):
        block = long_game.compiled.block(dice)
        pieces = block["pieces"]
        for state in range(0, len(block["left"]), len(block["left"]) // 3):
            left, revenue = int(block["left"][state]), block["revenue"][state].tolist()
            first = pieces["state"].tolist().index(state)
            score = int(block["low"][state])
            if not sum(revenue):
                continue
            legacy = [n - r for n, r in zip(dice, revenue, strict=True)]
            found = swe_outlook.solve(left, STANDARD, revenue, legacy, score)
            lower, upper = (
                mpq(pieces["A"][end][first]) + mpq(pieces["B"][end][first]) * score
                for end in (0, 1)
            )
            assert found.value.lower <= upper
            assert found.value.upper >= lower
            assert found.value.width < mpq(1, 10**9)


def test_neglect_widens_and_threads_change_nothing():
    state = State((1, 2, 1, 0, 1), (0, 0, 1, 0, 0), 40)
    whole = swe_outlook.solve(24, STANDARD, *state)
    part = swe_outlook.solve(24, STANDARD, *state, made=1 / 10**6)
    shared = swe_outlook.solve(24, STANDARD, *state, made=1 / 10**6, threads=2)
    assert part.sizes.solved < whole.sizes.solved == whole.sizes.blocks - 1
    assert part.value.lower <= whole.value.lower <= whole.value.upper <= part.value.upper
    assert shared.actions == part.actions


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((0, (4, 6), (0, 0), (0, 0)), {}, "rounds"),
        ((5, (6, 4), (0, 0), (0, 0)), {}, "ladder"),
        ((5, (4, 6), (0,), (0, 0)), {}, "start"),
        ((5, (4, 6), (0, -1), (0, 0)), {}, "revenue"),
        ((200, (4, 6), (0, 51), (0, 0)), {}, "start"),
        ((5, (4, 6), (0, 0), (0, 0)), {"made": 1}, "neglect"),
        ((5, (4, 6), (0, 0), (0, 0)), {"bend": -1}, "neglect"),
    ],
)
def test_bad_arguments_are_rejected(arguments, options, named):
    with pytest.raises(InputError, match=named):
        swe_outlook.solve(*arguments, **options)


def test_games_beyond_the_memory_limit_are_rejected():
    with pytest.raises(TooLargeError):
        swe_outlook.solve(200, STANDARD, (9,) * 5, (0,) * 5, memory_limit=2**26)
