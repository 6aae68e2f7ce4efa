r"""Zero-sum matrix games, solved exactly.

A matrix game is a payoff matrix :math:`A`: the row player chooses a row, the column player a
column, both at once, and the column player pays :math:`A_{ij}` to the row player. Mixed strategies
:math:`x` and :math:`y` and a number :math:`v` solve it when

.. math:: (x^T A)_j \ge v \quad\text{for all } j, \qquad (A y)_i \le v \quad\text{for all } i.

The triple is its own certificate: the left side says that the row player is sure of at least
:math:`v`, the right side that the column player pays at most :math:`v`, so :math:`v` is the value
(von Neumann 1928). `certifies` checks the two sides and shares nothing with the solver.

Four methods, in this order:

* ``saddle point``: an entry that is smallest in its row and largest in its column;
* ``kernel``: for games of 2×2 and 3×3, in closed form; see `exactdice.solve.kernels`;
* ``basis``: for games of at least 8×8, the simplex method in doubles says which rows I and columns
  J to mix (`kernels`); :math:`A_{IJ}\, y' = 1` and :math:`A_{IJ}^T x' = 1` are solved
  exactly by FLINT, and both sides of the definition are checked in integers. A basis that fails the
  check is dropped;
* ``simplex``: with the matrix shifted so that all entries are positive, maximise :math:`\sum y'_j`
  subject to :math:`A y' \le 1`, :math:`y' \ge 0`. The optimum is :math:`1/v`, and the dual prices
  are the row player's side (Dantzig 1951).

The simplex method keeps a tableau of integers over one denominator :math:`D`, the previous pivot.
A pivot on :math:`p` replaces :math:`t_{ij}` by :math:`(t_{ij} p - t_{is} t_{rj}) / D`, a division
without remainder, because every entry is a minor of the matrix it began with (Edmonds 1967,
Bareiss 1968). No fraction is formed and no greatest common divisor taken until the end. The column
with the most negative reduced cost enters; after a pivot that gains nothing, Bland's least index
decides until one gains again. Every run of pivots at one vertex thus ends, degenerate or not.

Where there are several solutions, the one returned depends only on the matrix: the first saddle
point in row-major order, the first kernel in the order of that module, or the basis that the rules
above reach, in doubles or in integers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from exactdice.arithmetic import RationalLike, amount, divexact, mpq, mpz, over_common_denominator
from exactdice.errors import InputError
from exactdice.solve.kernels import (
    Kernel,
    kernel_of_three,
    kernel_of_two,
    mixed_choices,
    saddle_point,
)

Eliminate: TypeAlias = Callable[[list[Any], list[Any], int, Any], list[Any]]

_WHOLE = frozenset({int, mpz})

# Measured on CPython 3.11: Python's integers are faster than mpz while the minors stay within a
# few machine words (10×10 of single digits: 0.18 ms against 0.25 ms; 20×20: 2.9 against 2.0 ms).
_FEW_BITS = 60

# Measured: with fewer rows or columns, pivots in integers take no longer than guess and check.
_WORTHWHILE = 8


@dataclass(frozen=True)
class MatrixSolution:
    """The value of a matrix game, with optimal mixed strategies of both sides."""

    value: mpq  # what the row player gets on average when both play optimally
    # row, column: the probability of each row and of each column; they sum to 1
    row: tuple[mpq, ...]
    column: tuple[mpq, ...]
    method: str  # how it was found: ``"saddle point"``, ``"kernel"``, ``"basis"`` or ``"simplex"``


def solve_matrix_game(payoff: Sequence[Sequence[RationalLike]]) -> MatrixSolution:
    """Find the value and an optimal mixed strategy of each side.

    Rock, paper, scissors, where a win with paper counts double:

    >>> solution = solve_matrix_game([[0, -2, 1], [2, 0, -1], [-1, 1, 0]])
    >>> solution.value, solution.row
    (mpq(0,1), (mpq(1,4), mpq(1,4), mpq(1,2)))
    >>> solve_matrix_game([["1/2", 0], [0, "1/3"]]).value
    mpq(1,5)

    A saddle point costs one pass over the m×n entries. A pivot costs (m + 1)(n + 1) products of
    integers of at most min(m, n) times as many digits as the entries; about 1.3·n pivots for n×n
    matrices of random entries at n = 20, and 2·n at n = 56.
    """
    rows = [list(row) for row in payoff]
    _check_shape(rows)
    if all(_WHOLE.issuperset(map(type, row)) for row in rows):
        return solve_integer_matrix_game(rows)
    flat, denominator = over_common_denominator(
        amount(entry, f"payoff[{i}][{j}]")
        for i, row in enumerate(rows)
        for j, entry in enumerate(row)
    )
    width = len(rows[0])
    whole = [flat[start : start + width] for start in range(0, len(flat), width)]
    return solve_integer_matrix_game(whole, denominator)


def _check_shape(rows: list[list[Any]]) -> None:
    if not rows or not rows[0]:
        raise InputError("payoff", rows, "a matrix with at least one row and one column")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(f"payoff[{i}]", row, f"{len(rows[0])} entries, as in the first row")


def solve_integer_matrix_game(
    payoff: Sequence[Sequence[Any]], denominator: int | mpz = 1
) -> MatrixSolution:
    """Solve the game of whole payoffs over one denominator, without looking at the entries' types.

    The way in for solvers that keep integers: nothing is converted, and nothing checked but what
    a wrong answer could come from, a denominator below 1.

    >>> solve_integer_matrix_game([[3, 0], [0, 2]], 6)
    MatrixSolution(value=mpq(1,5), row=(mpq(2,5), mpq(3,5)), column=(mpq(2,5), mpq(3,5)), \
method='kernel')
    """
    if denominator < 1:
        raise InputError("denominator", denominator, "a whole number of at least 1")
    saddle = saddle_point(payoff)
    if saddle is not None:
        i, j = saddle
        return MatrixSolution(
            mpq(payoff[i][j], denominator),
            _pure(i, len(payoff)),
            _pure(j, len(payoff[0])),
            "saddle point",
        )
    kernel = _kernel(payoff)
    if kernel is not None:
        return MatrixSolution(
            mpq(kernel.value, kernel.total * denominator),
            tuple(mpq(weight, kernel.total) for weight in kernel.row),
            tuple(mpq(weight, kernel.total) for weight in kernel.column),
            "kernel",
        )
    return _by_basis(payoff, denominator) or _simplex(payoff, denominator)


def integer_matrix_game_value(payoff: Sequence[Sequence[Any]]) -> tuple[Any, Any]:
    """Value of the game of whole payoffs, as numerator and positive denominator, not reduced.

    The inner loop of solvers that want many values and no strategies.

    >>> integer_matrix_game_value([[3, 0], [0, 2]]), integer_matrix_game_value([[1, 2], [3, 4]])
    ((6, 5), (3, 1))
    """
    saddle = saddle_point(payoff)
    if saddle is not None:
        return payoff[saddle[0]][saddle[1]], 1
    kernel = _kernel(payoff)
    if kernel is not None:
        return kernel.value, kernel.total
    solution = _by_basis(payoff, 1)
    if solution is not None:
        return solution.value.numerator, solution.value.denominator
    tableau, shift, eliminate = _tableau(payoff)
    _, _, determinant = _pivot_to_optimum(tableau, eliminate)
    total = tableau[-1][-1]
    return determinant - shift * total, total


def _kernel(payoff: Sequence[Sequence[Any]]) -> Kernel | None:
    """Closed form of a game of 2×2 or 3×3 without a saddle point; None for other sizes."""
    size = len(payoff)
    if size != len(payoff[0]):
        return None
    if size == 2:
        return kernel_of_two(payoff)
    return kernel_of_three(payoff) if size == 3 else None


_ZERO, _ONE = mpq(0), mpq(1)


def _pure(choice: int, size: int) -> tuple[mpq, ...]:
    return (_ZERO,) * choice + (_ONE,) + (_ZERO,) * (size - 1 - choice)


def _by_basis(payoff: Sequence[Sequence[Any]], denominator: int | mpz) -> MatrixSolution | None:
    """Solve a game on the rows and columns that doubles say to mix; None where they are wrong.

    Also where it is so small that this takes longer than pivots in integers.
    """
    m, n = len(payoff), len(payoff[0])
    guess = mixed_choices(payoff) if min(m, n) >= _WORTHWHILE else None
    if guess is None or len(guess[0]) != len(guess[1]):
        return None
    from flint import fmpz_mat  # takes longer to load than small games to solve

    rows, columns = guess
    shift = 1 - min(map(min, payoff))
    whole = fmpz_mat([[int(entry + shift) for entry in row] for row in payoff])
    inner = fmpz_mat([[int(payoff[i][j] + shift) for j in columns] for i in rows])
    ones = fmpz_mat([[1]] * len(rows))
    try:
        weights: Any = inner.solve(ones)
        y, y_scale = weights.numer_denom()
        weights = inner.transpose().solve(ones)
        x, x_scale = weights.numer_denom()
    except ZeroDivisionError:
        return None
    row, column = fmpz_mat(1, m), fmpz_mat(n, 1)
    for k, (i, j) in enumerate(zip(rows, columns, strict=True)):
        row[0, i], column[j, 0] = x[k, 0], y[k, 0]
    row_weights, column_weights = row.entries(), column.entries()
    if (
        min(row_weights) < 0
        or min(column_weights) < 0
        or min((row * whole).entries()) < x_scale
        or max((whole * column).entries()) > y_scale
    ):
        return None
    row_total, column_total = mpz(int(sum(row_weights))), mpz(int(sum(column_weights)))
    return MatrixSolution(
        (mpq(int(y_scale), column_total) - shift) / denominator,
        tuple(mpq(int(weight), row_total) for weight in row_weights),
        tuple(mpq(int(weight), column_total) for weight in column_weights),
        "basis",
    )


def _simplex(payoff: Sequence[Sequence[Any]], denominator: int | mpz) -> MatrixSolution:
    """Solve any game by the simplex method in integers; the module docstring has the program."""
    m, n = len(payoff), len(payoff[0])
    tableau, shift, eliminate = _tableau(payoff)
    outside, basis, determinant = _pivot_to_optimum(tableau, eliminate)

    # Variable j < n is column j's weight, variable n + i the slack of row i. At the optimum the
    # basic variables stand in the last column, the dual prices of the others in the last row.
    total = tableau[m][n]
    row, column = [_ZERO] * m, [_ZERO] * n
    for i, variable in enumerate(basis):
        if variable < n:
            column[variable] = mpq(tableau[i][n], total)
    for j, variable in enumerate(outside):
        if variable >= n:
            row[variable - n] = mpq(tableau[m][j], total)
    value = mpq(determinant - shift * total, total * denominator)
    return MatrixSolution(value, tuple(row), tuple(column), "simplex")


def _tableau(payoff: Sequence[Sequence[Any]]) -> tuple[list[list[Any]], Any, Eliminate]:
    """First tableau, what was added to the payoffs, and the arithmetic that suits their size."""
    m, n = len(payoff), len(payoff[0])
    shift = 1 - min(map(min, payoff))
    spread = int(max(map(max, payoff)) + shift)
    few = spread.bit_length() * min(m, n) <= _FEW_BITS
    whole: Any = int if few else mpz
    tableau = [[whole(entry + shift) for entry in row] + [whole(1)] for row in payoff]
    tableau.append([whole(-1)] * n + [whole(0)])
    return tableau, shift, _eliminate_short if few else _eliminate_long


def _pivot_to_optimum(
    tableau: list[list[Any]], eliminate: Eliminate
) -> tuple[list[int], list[int], Any]:
    """Pivot in place until no reduced cost is negative.

    Returns the variables outside the basis by column, those in it by row, and the denominator of
    the tableau.
    """
    m, n = len(tableau) - 1, len(tableau[0]) - 1
    outside, basis = list(range(n)), list(range(n, n + m))
    determinant: Any = 1
    stalled = False
    while True:
        s = _entering(tableau[m], outside, stalled)
        if s is None:
            return outside, basis, determinant
        r = _leaving(tableau, s, basis)
        stalled = not tableau[r][n]
        pivot_row = tableau[r]
        pivot = pivot_row[s]
        for i, row in enumerate(tableau):
            if i != r:
                factor = row[s]
                tableau[i] = eliminate(row, pivot_row, s, determinant)
                tableau[i][s] = -factor
        pivot_row[s] = determinant
        determinant = pivot
        outside[s], basis[r] = basis[r], outside[s]


def _entering(costs: list[Any], outside: list[int], stalled: bool) -> int | None:
    """Column with the most negative reduced cost; after a pivot without gain, the least index."""
    count = len(outside)
    if stalled:
        return min((j for j in range(count) if costs[j] < 0), key=outside.__getitem__, default=None)
    lowest = min(costs[:count])
    return costs.index(lowest) if lowest < 0 else None


def _leaving(tableau: list[list[Any]], s: int, basis: list[int]) -> int:
    """Row whose basic variable reaches 0 first as column s grows; of equals, the least index."""
    best, best_entry, best_bound = -1, 1, 0
    for i, variable in enumerate(basis):
        row = tableau[i]
        entry = row[s]
        if entry > 0:
            # bound / entry against best_bound / best_entry, both denominators positive
            sign = row[-1] * best_entry - best_bound * entry
            if best < 0 or sign < 0 or (sign == 0 and variable < basis[best]):
                best, best_entry, best_bound = i, entry, row[-1]
    return best  # never -1: the game has a positive value, so no column grows without bound


def _eliminate_short(row: list[Any], pivot_row: list[Any], s: int, determinant: Any) -> list[Any]:
    """New tableau row, in Python's integers."""
    factor, pivot = row[s], pivot_row[s]
    if not factor:
        return row if pivot == determinant else [a * pivot // determinant for a in row]
    return [(a * pivot - factor * b) // determinant for a, b in zip(row, pivot_row, strict=True)]


def _eliminate_long(row: list[Any], pivot_row: list[Any], s: int, determinant: Any) -> list[Any]:
    """New tableau row, in mpz, whose exact division is faster than the one with remainder."""
    factor, pivot = row[s], pivot_row[s]
    if not factor:
        return row if pivot == determinant else [divexact(a * pivot, determinant) for a in row]
    return [
        divexact(a * pivot - factor * b, determinant) for a, b in zip(row, pivot_row, strict=True)
    ]


def certifies(payoff: Sequence[Sequence[RationalLike]], solution: MatrixSolution) -> bool:
    """Check a solution by the two inequalities that define it.

    Shares nothing with the solver: sums of products of rationals, and comparisons.

    >>> pennies = [[1, -1], [-1, 1]]
    >>> certifies(pennies, solve_matrix_game(pennies))
    True
    >>> certifies(pennies, MatrixSolution(mpq(0), (mpq(1), mpq(0)), (mpq(1), mpq(0)), "guess"))
    False

    2·m·n products of rationals.
    """
    rows = [[amount(entry, "payoff") for entry in row] for row in payoff]
    _check_shape(rows)
    x, y, v = solution.row, solution.column, solution.value
    if len(x) != len(rows) or len(y) != len(rows[0]):
        return False
    if min(x) < 0 or min(y) < 0 or sum(x, _ZERO) != 1 or sum(y, _ZERO) != 1:
        return False
    guaranteed = (
        sum((p * entry for p, entry in zip(x, column, strict=True) if p), _ZERO)
        for column in zip(*rows, strict=True)
    )
    conceded = (
        sum((entry * q for entry, q in zip(row, y, strict=True) if q), _ZERO) for row in rows
    )
    return all(earned >= v for earned in guaranteed) and all(paid <= v for paid in conceded)
