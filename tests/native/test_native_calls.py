"""How the C++ solvers are called: what is refused, what is missing, and what is kept."""

import sys
from types import SimpleNamespace

import pytest

from exactdice import native
from exactdice import run as circumstances
from exactdice.arithmetic import mpq
from exactdice.dice import Distribution, d
from exactdice.errors import InputError, MissingExtraError, TooLargeError
from exactdice.native import process, swe_laws, swe_outlook
from exactdice.native.process import Digits, Process, RefusedError
from exactdice.solve.game import Game
from exactdice.solve.turns import Chance, End, Other

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


def test_where_the_solvers_are_not_built_that_is_said_and_seen(monkeypatch):
    def missing(name):
        raise ImportError(f"there is no {name}")

    monkeypatch.setattr(native, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"not built; .*\(there is no exactdice\.native\._"):
        native.solvers()
    assert not native.are_built()
    with pytest.raises(RefusedError, match="are not built"):
        Process()


def test_sources_that_nothing_tells_are_those_of_the_module(monkeypatch):
    monkeypatch.setattr(native, "sources_at_hand", lambda: None)
    assert native.are_built()


def test_refusals_of_a_solver_are_errors_of_the_package():
    solvers = native.solvers()

    def raising(problem):
        def solve(*arguments, **options):
            assert (arguments, options) == ((1,), {"threads": 2})
            raise problem

        return lambda: native.call(solve, 1, threads=2)

    with pytest.raises(
        InputError, match=r"^dice: got something that no C\+\+ solver takes; expected 3"
    ):
        raising(solvers.BadInput("dice: give 3"))()
    with pytest.raises(TooLargeError, match=r"^the C\+\+ solver takes 5 GiB; ask for less$"):
        raising(solvers.TooLarge("takes 5 GiB"))()
    with pytest.raises(
        InputError, match=r"^argument: got incompatible arguments; expected numbers"
    ):
        raising(TypeError("incompatible arguments\nof a solver"))()
    for other in (TypeError("no number\nincompatible"), KeyError("x")):
        with pytest.raises(type(other)) as problem:
            raising(other)()
        assert problem.value is other


def test_a_number_beyond_all_doubles_is_refused_and_limits_nothing():
    largest = mpq(2) ** 1024 - mpq(2) ** 970  # half-way from the largest double to the next one
    with pytest.raises(InputError, match="give a number within the range of doubles"):
        native.enclosing(largest)
    nearest, below, above = native.enclosing(largest - 1)
    assert (nearest, below, above) == (1.7976931348623157e308, 1.7976931348623157e308, float("inf"))
    assert native.limit(2**1023, "memory_limit") == 2.0**1023
    with pytest.raises(
        InputError, match="memory_limit: got -1; expected a whole number of at least 0"
    ):
        native.limit(-1, "memory_limit")


def test_what_does_not_settle_is_left_to_another_solver():
    unsettled = object.__new__(Process)
    unsettled._process = SimpleNamespace(guess=lambda *_: None, approach=lambda *_: None)
    with pytest.raises(RefusedError, match="strategy iteration in doubles does not settle"):
        unsettled.guess()
    with pytest.raises(RefusedError, match="steps in doubles do not settle"):
        unsettled.approach((0, 0, True), 0, 1, 1, 1)


def test_digits_want_moves_with_which_play_ends():
    # A state whose one move leads back to it, for nothing.
    looping = Process([0, 3], [0, 0], [0, 1, 1], [0, 1], [0], [0], [0], [0], [0, 1], [1])
    with pytest.raises(RefusedError):
        Digits(looping._process, [0, -1])
    assert process.PRIME == 2305843009213693951  # the ninth prime of Mersenne, 2^61 - 1


def create(dice, round_):
    return [(0, None, (1,), mpq(1))]


@pytest.mark.parametrize(
    ("rounds", "ladder", "is_taken"),
    [
        (200, [4], True),
        (201, [4], False),
        (1, [4, 5, 6, 7, 8, 9, 10, 11], True),
        (1, [4, 5, 6, 7, 8, 9, 10, 11, 12], False),
        (1, [4, 10**6], True),
        (1, [4, 10**6 + 1], False),
    ],
)
def test_games_are_followed_up_to_their_limits(rounds, ladder, is_taken):
    assert swe_laws.takes(rounds, ladder) is is_taken
    if not is_taken:
        with pytest.raises(
            InputError, match=r"rounds: got 201|at most 8 rungs, of dice of at most"
        ):
            swe_laws.law_from_below(create, rounds, ladder, lowest_first=False, least="1/2")


def test_laws_are_bounded_with_a_least_chance_below_1():
    def law(least):
        weights, _ = swe_laws.law_from_below(create, 1, [4], lowest_first=False, least=least)
        return {score: mpq(weight, swe_laws.DENOMINATOR) for score, weight in weights.items()}

    assert law(mpq(1, 10**300)) == {0: mpq(1, 4), 1: mpq(3, 4)}  # by hand: a die of four faces
    for wrong in (mpq(1, 10**300) - mpq(1, 10**310), 1):
        with pytest.raises(InputError, match="give a number from 1e-300 up to, but without, 1"):
            law(wrong)


def test_an_outlook_goes_on_from_the_level_that_is_kept(monkeypatch):
    """What was stopped and went on has the worths of what was never stopped."""
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
        swe_outlook.solve(*game, kept=kept)
    again, plain = swe_outlook.solve(*game, kept=kept), swe_outlook.solve(*game)
    assert (again.value, again.actions) == (plain.value, plain.actions)
    assert levels == list(range(len(levels)))


def walk_of(*moves):
    """A walk that goes on from the state 0 by these moves, or by the methods that are named."""
    walk = native.solvers().Walk(Other, sys.getsizeof, mpq(0))
    walk.number(0)
    for move in moves:
        walk.move(mpq(0), move)
    walk.close(0)
    return walk


class Endless:
    """Says that it has more than it gives."""

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


def test_the_arrays_of_a_walk_are_given_once():
    walk = walk_of([(Other(state), 1) for state in range(50)])
    assert list(walk.arrays()[5]) == [*range(50, 100)]  # each is seen from the other side
    with pytest.raises(native.solvers().BadInput, match="ask for them once"):
        walk.arrays()
    walk.close(0)
    walk.arrays()


def test_a_walk_whose_states_are_taken_away_is_refused():
    walk = walk_of([(1, 1)])
    walk.states().clear()
    with pytest.raises(IndexError):
        walk.number(1)


def test_a_distribution_whose_items_are_lists_is_refused_when_it_is_explored(monkeypatch):
    monkeypatch.setattr("exactdice.solve.turns.FEW", 0)  # the C++ walk, of a small game too

    class Listed(Distribution):
        def items(self):
            return [list(pair) for pair in super().items()]

    def moves(at):
        return End(0) if at > 4 else Chance(0, Listed({5: 1, 6: 1}) if at == 4 else d(1) + at)

    game = Game(0, moves)
    with pytest.raises(TypeError, match="give a tuple of a state and a weight"):
        game.explored()


def test_digits_are_bounded_and_can_be_stopped():
    """Of a million digits, each takes a step for each digit before it: an hour."""
    asked = []

    def progress(steps):
        asked.append(steps)
        if len(asked) > 3:
            raise TimeoutError

    game = Process([0, 3], [0, 1], [0, 1, 1], [0, 1], [1], [0], [0], [0], [0, 1], [1])
    digits = game.digits([0, -1], progress)
    with pytest.raises(TimeoutError):
        digits.combined(1_000_000, 12)
    for count in (0, -1, 2**23 + 1, 2**62, 2**63 - 1):
        with pytest.raises(InputError, match=r"count: .* 1 to 2\^23"):
            game.digits([0, -1]).combined(count, 12)
    raw = native.solvers().Digits(game._process, [0, -1])
    for limbs in (0, 2**23 + 1, 2**62):
        with pytest.raises(native.solvers().BadInput, match="limbs: give the count at least"):
            raw.times([1], 1, limbs)
