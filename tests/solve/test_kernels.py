"""Kernels of small games: every small matrix there is, judged by the two defining inequalities."""

from itertools import product

import pytest

from exactdice.solve.matrix_games import (
    _whole,
    certifies,
    integer_matrix_game_value,
    kernel_of_three,
    kernel_of_two,
    saddle_point,
    solve_matrix_game,
)


def matrices(size: int, entries: range) -> list[list[list[int]]]:
    flat = product(entries, repeat=size * size)
    return [[list(cells[i * size : (i + 1) * size]) for i in range(size)] for cells in flat]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "entries"), [(2, range(-2, 3)), (3, range(2)), (3, range(-1, 2))])
def test_every_small_matrix_is_solved_by_a_saddle_point_or_a_kernel(
    size: int, entries: range
) -> None:
    for payoff in matrices(size, entries):
        solution = solve_matrix_game(payoff)
        assert solution.method in ("saddle point", "kernel")
        assert certifies(payoff, solution)


def test_value_alone_is_the_value_of_the_solution() -> None:
    for payoff in [*matrices(3, range(2)), [[1, 2, 0], [0, 1, 2]], [[5]], [[2, 1], [0, 3]]]:
        numerator, denominator = integer_matrix_game_value(payoff)
        assert denominator > 0
        assert solve_matrix_game(payoff).value * denominator == numerator


def test_weights_are_nonnegative_and_sum_to_the_total() -> None:
    for payoff in matrices(3, range(-1, 2)):
        if saddle_point(payoff) is None:
            kernel = kernel_of_three(payoff)
            assert kernel.total == sum(kernel.row) == sum(kernel.column) > 0
            assert min(kernel.row + kernel.column) >= 0


def test_rows_and_columns_that_trail_change_the_sign_of_both() -> None:
    # By hand: a + d trails b + c; v = (0·0 − 2·3)/(0 + 0 − 2 − 3) = 6/5.
    assert kernel_of_two([[0, 2], [3, 0]]) == (6, 5, (3, 2), (2, 3))


def test_a_game_that_has_a_saddle_point_is_not_for_kernels() -> None:
    with pytest.raises(AssertionError, match="saddle point"):
        kernel_of_three([[1, 1, 1], [0, 0, 0], [0, 0, 0]])


def minor(payoff: list[list[int]], i: int, j: int) -> int:
    """Determinant of what is left of a 3×3 matrix without row i and column j."""
    (a, b), (c, d) = [
        [x for k, x in enumerate(row) if k != j] for row in payoff[:i] + payoff[i + 1 :]
    ]
    return a * d - b * c


def test_a_matrix_is_its_own_kernel_where_no_cofactor_sum_has_the_other_sign() -> None:
    # Shapley and Snow's theorem, with cofactors from their definition: signed minors.
    own = 0
    for payoff in matrices(3, range(-1, 2)):
        if saddle_point(payoff) is not None:
            continue
        cofactors = [[(-1) ** (i + j) * minor(payoff, i, j) for j in range(3)] for i in range(3)]
        rows = tuple(map(sum, cofactors))
        columns = tuple(map(sum, zip(*cofactors, strict=True)))
        total = sum(rows)
        sign = (total > 0) - (total < 0)
        if sign and all(sign * weight >= 0 for weight in rows + columns):
            determinant = sum(x * y for x, y in zip(payoff[0], cofactors[0], strict=True))
            own += 1
            assert _whole(payoff) == (
                sign * determinant,
                abs(total),
                tuple(map(abs, rows)),
                tuple(map(abs, columns)),
            )
        else:
            assert _whole(payoff) is None
    assert own
