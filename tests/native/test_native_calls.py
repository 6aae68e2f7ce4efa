"""Calls of the C++ solvers: errors, missing modules, checkpoints and outlooks."""

import sys
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from native_oracles import swe
from swe_oracle import Oracle

from exactdice import native
from exactdice import run as circumstances
from exactdice.dice import Distribution, d
from exactdice.errors import InputError, MissingExtraError, TooLargeError
from exactdice.games.swe.optimum.exact import solve as search
from exactdice.games.swe.rules import STANDARD, ActionKind, Ladder, State
from exactdice.native import process, swe_outlook
from exactdice.native.process import Process, RefusedError
from exactdice.run import Run
from exactdice.solve.game import Game
from exactdice.solve.turns import Chance, End, Other

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


def test_missing_solvers_are_reported(monkeypatch):
    def missing(name):
        raise ImportError(f"there is no {name}")

    monkeypatch.setattr(native, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"not built; .*\(there is no exactdice\.native\._"):
        native.solvers()
    assert not native.are_built()
    with pytest.raises(RefusedError, match="are not built"):
        Process()


def test_unknown_sources_are_accepted(monkeypatch):
    monkeypatch.setattr(native, "sources_at_hand", lambda: None)
    assert native.are_built()


def test_refusals_of_a_solver_are_errors_of_the_package():
    solvers = native.solvers()

    def raising(problem):
        def solve(*arguments, **options):
            assert (arguments, options) == ((1,), {"threads": 2})
            raise problem

        return lambda: native.call(solve, 1, threads=2)

    with pytest.raises(InputError, match=r"^dice: got an unsupported value; expected 3"):
        raising(solvers.BadInput("dice: give 3"))()
    with pytest.raises(TooLargeError, match=r"^the C\+\+ solver takes 5 GiB; ask for less$"):
        raising(solvers.TooLarge("takes 5 GiB"))()
    words = r"^argument: got incompatible arguments; expected numbers"
    with pytest.raises(InputError, match=words):
        raising(TypeError("incompatible arguments\nof a solver"))()
    for other in (TypeError("no number\nincompatible"), KeyError("x")):
        with pytest.raises(type(other)) as problem:
            raising(other)()
        assert problem.value is other


def test_a_number_beyond_all_doubles_is_refused_and_limits_nothing():
    largest = mpq(2) ** 1024 - mpq(2) ** 970  # half-way from the largest double to the next one
    nearest, below, above = native.enclosing(largest - 1)
    assert (nearest, below, above) == (1.7976931348623157e308, 1.7976931348623157e308, float("inf"))
    assert native.limit(2**1023, "memory_limit") == 2.0**1023


def test_divergence_is_left_to_other_solvers():
    unsettled = object.__new__(Process)
    unsettled._process = SimpleNamespace(guess=lambda *_: None, approach=lambda *_: None)
    with pytest.raises(RefusedError, match="strategy iteration in doubles does not converge"):
        unsettled.guess()
    with pytest.raises(RefusedError, match="steps in doubles do not converge"):
        unsettled.approach((0, 0, True), 0, 1, 1, 1)
    # A state whose only move leads back to it, without reward.
    assert process.PRIME == 2305843009213693951  # the ninth Mersenne prime, 2^61 - 1


def create(dice, round_):
    return [(0, None, (1,), mpq(1))]


@pytest.mark.parametrize(("rounds", "ladder", "is_taken"), [
    (200, [4], True), (201, [4], False), (1, [4, 5, 6, 7, 8, 9, 10, 11], True),
    (1, [4, 5, 6, 7, 8, 9, 10, 11, 12], False), (1, [4, 10**6], True), (1, [4, 10**6 + 1], False),
])  # fmt: skip
def test_games_are_followed_up_to_their_limits(rounds, ladder, is_taken):
    assert swe_outlook.takes(rounds, ladder) is is_taken
    if not is_taken:
        words = r"rounds: got 201|at most 8 rungs, of dice of at most"
        with pytest.raises(InputError, match=words):
            swe_outlook.law_from_below(create, rounds, ladder, lowest_first=False, least="1/2")


def test_score_distributions_need_a_bound_below_1():
    def law(least):
        weights, _ = swe_outlook.law_from_below(create, 1, [4], lowest_first=False, least=least)
        return {score: mpq(weight, swe_outlook.DENOMINATOR) for score, weight in weights.items()}

    assert law(mpq(1, 10**300)) == {0: mpq(1, 4), 1: mpq(3, 4)}  # by hand: a die of four faces
    for wrong in (mpq(1, 10**300) - mpq(1, 10**310), 1):
        with pytest.raises(InputError, match="expected a number from 1e-300 up to, but without, 1"):
            law(wrong)


def test_an_outlook_resumes_from_a_kept_level(monkeypatch):
    monkeypatch.setattr(circumstances, "SELDOM", 0)
    contents, levels = {}, []

    class StopError(Exception):
        pass

    def keep(name, content):
        contents[name] = content
        levels.append(int(content.partition(b"\n")[0]))
        if len(levels) == 3:
            raise StopError

    kept = SimpleNamespace(keep=keep, kept=contents.get, forget=contents.pop)
    game = 8, (4, 6), (0, 0), (0, 0)
    with pytest.raises(StopError):
        swe_outlook.solve(*game, run=Run(kept=kept), name="swe")
    again = swe_outlook.solve(*game, run=Run(kept=kept), name="swe")
    plain = swe_outlook.solve(*game)
    assert (again.value, again.actions) == (plain.value, plain.actions)
    assert levels == list(range(len(levels)))


def walk_of(*moves):
    walk = native.solvers().Walk(Other, sys.getsizeof, mpq(0))
    walk.number(0)
    for move in moves:
        walk.move(mpq(0), move)
    walk.close(0)
    return walk


class Endless:
    def __len__(self):
        return 3

    def __iter__(self):
        return iter([(1, 1)])


@pytest.mark.parametrize(
    "successors",
    [["ab"], [[1, 1]], [(1,)], [(1, 1, 1)], ["a"], [1], [None], Endless(), iter([(1, 1)]), 5],
)
def test_successors_that_are_no_pairs_are_refused(successors):
    with pytest.raises(TypeError):
        walk_of(successors)


def test_walks_give_their_arrays_once_and_keep_their_states():
    walk = walk_of([(Other(state), 1) for state in range(50)])
    assert list(walk.arrays()[5]) == [*range(50, 100)]  # all from the other side
    with pytest.raises(native.solvers().BadInput, match="ask for them once"):
        walk.arrays()
    walk.close(0)
    walk.arrays()
    walk = walk_of([(1, 1)])
    walk.states().clear()
    with pytest.raises(IndexError):
        walk.number(1)


def test_distributions_with_lists_as_items_are_rejected(monkeypatch):
    monkeypatch.setattr("exactdice.solve.turns.FEW", 0)  # use the C++ walk also for small games

    class Listed(Distribution):
        def items(self):
            return [list(pair) for pair in super().items()]

    def moves(at):
        return End(0) if at > 4 else Chance(0, Listed({5: 1, 6: 1}) if at == 4 else d(1) + at)

    game = Game(0, moves)
    with pytest.raises(TypeError, match="give a tuple of a state and a weight"):
        game.explored()


def test_digits_are_bounded_and_can_be_stopped():
    """A million digits would take an hour, with one step for each pair of digits."""
    asked = []

    def progress(steps):
        asked.append(steps)
        if len(asked) > 3:
            raise TimeoutError

    game = Process([0, 3], [0, 1], [0, 1, 1], [0, 1], [1], [0], [0], [0], [0, 1], [1])
    digits = game.digits([0, -1], progress)
    with pytest.raises(TimeoutError):
        digits.combined(1_000_000, 12)
    raw = native.solvers().Digits(game._process, [0, -1])
    for limbs in (0, 2**23 + 1, 2**62):
        with pytest.raises(native.solvers().BadInput, match="limbs: give the count at least"):
            raw.times([1], 1, limbs)


def action_of(move, state):
    if any(state.legacy):
        return "fix", move
    return ("promote", move - 1) if move else ("create", 0)


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
    exact = Oracle(ladder).worth(tuple(state), left)
    for made, bend in NEGLECTS:
        found = swe_outlook.solve(left, ladder, *state, made=made, bend=bend)
        assert {action_of(move, state) for move, _ in found.actions} == set(exact)
        assert all(mpq(exact[action_of(move, state)]) in worth for move, worth in found.actions)
        assert mpq(max(exact.values())) in found.value


@settings(max_examples=30, deadline=None)
@given(states(), st.integers(1, 8))
def test_action_values_enclose_exact_search(game, left):
    ladder, state = game
    advice = search(left, ladder, state).actions(state, left)
    exact = {(one.action.kind.value, one.action.rung): one.value for one in advice}
    for made, bend in NEGLECTS:
        found = swe_outlook.solve(left, ladder, *state, made=made, bend=bend)
        assert all(exact[action_of(move, state)] in worth for move, worth in found.actions)
        if not made and not bend:  # only roundings
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
    assert certain > 500  # enough moves are excluded


@pytest.mark.slow
def test_long_games_agree_with_the_solver_of_all_fixes():
    # Another program: block by block and round by round, comparing all fixes.
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
    shared = swe_outlook.solve(24, STANDARD, *state, made=1 / 10**6, run=Run(workers=2))
    assert part.sizes.solved < whole.sizes.solved == whole.sizes.blocks - 1
    assert part.value.lower <= whole.value.lower <= whole.value.upper <= part.value.upper
    assert shared.actions == part.actions
