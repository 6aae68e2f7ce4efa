"""Algebraic values against equations solved by hand, and refusals."""

from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.models import Both, Chance, End, Game, as_algebraic, optimum, point_mass
from exactdice.solvers.algebraic import AlgebraicNumber, algebraic_value
from exactdice.solvers.matrix_games import solve_matrix_game


def again(outcomes: dict[Any, Any]) -> Game[Any]:
    return Game("again", lambda s: Both(outcomes) if s == "again" else End(s))


def test_the_golden_ratio_is_the_value_of_a_game() -> None:
    """By hand: [[1, 0], [v/2, 1/2]] is worth (1/2) / (3/2 − v/2) = v, so v² − 3v + 1 = 0.

    The root in (0, 1) is the square of the inverse golden ratio, (3 − √5)/2.
    """
    game = again(
        {
            ("a", "a"): End(1),
            ("a", "b"): End(0),
            ("b", "a"): Distribution({"again": 1, 0: 1}),
            ("b", "b"): End("1/2"),
        }
    )
    best = optimum(game.explored())
    root = as_algebraic(best, "again")
    assert root is not None
    assert root.polynomial == (1, -3, 1)
    assert root.degree == 2
    assert root.holds()
    assert str(root).startswith("root of x^2 - 3*x + 1 between ")
    assert best.enclosure().decimal(10) == "0.3819660113"  # OEIS A132338
    best.certificate().check(game)


def test_a_rational_value_has_a_minimal_polynomial_of_degree_one() -> None:
    """By hand: v = (1 + v/2)/2, so v = 2/3; the determinant has the factor z − 2 besides."""
    coin = Distribution({"again": 1, 0: 1})
    game = again({(a, b): End(1) if a == b else coin for a in "ht" for b in "ht"})
    root = as_algebraic(optimum(game.explored()), "again")
    assert root is not None
    assert root.polynomial == (-2, 3)


@given(st.lists(st.integers(-4, 4), min_size=9, max_size=9), st.integers(0, 8))
def test_roots_lie_in_the_enclosure_and_solve_the_game(entries: list[int], place: int) -> None:
    """The value less z changes sign between the ends of the enclosure; so does the polynomial."""
    pairs = [(i, j) for i in range(3) for j in range(3)]
    outcomes: dict[Any, Any] = {p: End(e) for p, e in zip(pairs, entries, strict=True)}
    outcomes[pairs[place]] = Chance(entries[place], Distribution({"again": 1, 0: 2}))
    best = optimum(again(outcomes).explored())
    root = as_algebraic(best, "again")
    if root is None:
        return
    assert root.holds()
    at = [
        sum((c * end**k for k, c in enumerate(root.polynomial)), mpq(0))
        for end in (best.enclosure().lower, best.enclosure().upper)
    ]
    assert at[0] * at[1] <= 0

    def excess(z: Any) -> Any:
        matrix = [[mpq(entries[3 * i + j]) for j in range(3)] for i in range(3)]
        matrix[place // 3][place % 3] += z / 3
        return solve_matrix_game(matrix).value - z

    assert excess(best.enclosure().lower) >= 0 >= excess(best.enclosure().upper)


def test_where_strategies_are_not_unique_there_is_no_root() -> None:
    """All entries equal: every strategy is optimal."""
    matrix = [[mpq(1), mpq(1)], [mpq(1), mpq(1)]]
    zero = [[mpq(0)] * 2] * 2
    near = Enclosure(mpq(99, 100), mpq(101, 100))
    assert algebraic_value(matrix, zero, ([0, 1], [0, 1]), near) is None
    assert algebraic_value(matrix, zero, ([0], [0, 1]), near) is None


def test_an_interval_with_two_roots_or_none_is_told() -> None:
    square_root = (-2, 0, 1)
    assert AlgebraicNumber(square_root, Enclosure(mpq(1), mpq(2))).holds()
    assert not AlgebraicNumber(square_root, Enclosure(mpq(-2), mpq(2))).holds()
    assert not AlgebraicNumber(square_root, Enclosure(mpq(2), mpq(3))).holds()


def test_other_states_are_refused() -> None:
    def moves(state: Any) -> Any:
        if state == 2:
            return End(1)
        after = point_mass(state + 1)
        stay = Distribution({state: 1, state + 1: 1})
        return Both({(a, b): after if a == b else stay for a in (0, 1) for b in (0, 1)})

    best = optimum(Game(0, moves).explored())
    with pytest.raises(InputError, match="state: got 2; give a state in which both players choose"):
        as_algebraic(best, 2)
    with pytest.raises(InputError, match="a state that leads to itself and to known values"):
        as_algebraic(best, 0)
