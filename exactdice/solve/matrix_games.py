r"""Zero-sum matrix games, solved exactly.

The row player chooses a row of a payoff matrix :math:`A`, simultaneously the column player a
column, and the column player pays :math:`A_{ij}` to the row player. Mixed strategies :math:`x` and
:math:`y` and a number :math:`v` solve the game if

.. math:: (x^T A)_j \ge v \quad\text{for all } j, \qquad (A y)_i \le v \quad\text{for all } i

(von Neumann 1928), so that the triple is its own certificate. `certifies` checks both sides and
shares nothing with the solver. Four methods are tried in this order:

* ``saddle point``: an entry that is smallest in its row and largest in its column;
* ``kernel``: games of 2×2 and 3×3 in closed form, see below;
* ``basis``: for games of at least 8×8, the simplex method in doubles guesses the rows I and columns
  J to mix; FLINT solves :math:`A_{IJ}\, y' = 1` and :math:`A_{IJ}^T x' = 1` exactly, and both sides
  of the definition are checked in integers. A basis that fails the check is dropped;
* ``simplex``: with the matrix shifted so that all entries are positive, maximise :math:`\sum y'_j`
  subject to :math:`A y' \le 1`, :math:`y' \ge 0`. The optimum is :math:`1/v`, and the dual prices
  are the row player's side (Dantzig 1951).

A *kernel* is a square submatrix K whose equalising strategies are optimal in the whole game; every
game has one (Shapley and Snow 1950). With C the cofactors of K and S their sum, :math:`x_i = \sum_j
C_{ij} / S`, :math:`y_j = \sum_i C_{ij} / S` and :math:`v = \det K / S`. A 3×3 game is solved by
trying the saddle points, the matrix itself and its nine 2×2 submatrices, row pairs before column
pairs, in integers: 4 µs on CPython 3.11, where the simplex method takes 15.

The simplex method keeps a tableau of integers over one denominator :math:`D`, the previous pivot. A
pivot on :math:`p` replaces :math:`t_{ij}` by :math:`(t_{ij} p - t_{is} t_{rj}) / D`, a division
without remainder, because every entry is a minor of the initial matrix (Edmonds 1967, Bareiss
1968). The column with the most negative reduced cost enters; after a pivot without gain, Bland's
least index decides until one gains again, so that the method ends. If there are several solutions,
the result depends only on the matrix.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from exactdice.arithmetic import RationalLike, amount, divexact, mpq, mpz, over_common_denominator
from exactdice.errors import InputError

_STEPS = 1 << 52  # an entry is rounded to this many steps between the least and the greatest


class Kernel(NamedTuple):
    """A solution in integers: divide the value and the weights by `total`, which is positive."""

    value: Any
    total: Any
    row: tuple[Any, ...]
    column: tuple[Any, ...]


def saddle_point(payoff: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
    """Return the first entry, row by row, that is smallest in its row and largest in its column."""
    floors = [min(row) for row in payoff]
    ceilings = [max(column) for column in zip(*payoff, strict=True)]
    value = max(floors)
    if value != min(ceilings):
        return None
    return floors.index(value), ceilings.index(value)


def kernel_of_two(payoff: Sequence[Sequence[Any]]) -> Kernel:
    (a, b), (c, d) = payoff
    total = a + d - b - c  # not 0: without a saddle point a and d both exceed, or trail, b and c
    value = a * d - b * c
    if total > 0:
        return Kernel(value, total, (d - c, a - b), (d - b, a - c))
    return Kernel(-value, -total, (c - d, b - a), (b - d, c - a))


def kernel_of_three(payoff: Sequence[Sequence[Any]]) -> Kernel:
    """Solve a 3×3 game without a saddle point."""
    return _whole(payoff) or _of_two_in_three(payoff)


def _whole(payoff: Sequence[Sequence[Any]]) -> Kernel | None:
    """The matrix as its own kernel, if no sum of cofactors has the sign opposite to their total."""
    (a, b, c), (d, e, f), (g, h, i) = payoff
    c11, c12, c13 = e * i - f * h, f * g - d * i, d * h - e * g
    c21, c22, c23 = c * h - b * i, a * i - c * g, b * g - a * h
    c31, c32, c33 = b * f - c * e, c * d - a * f, a * e - b * d
    x1, x2, x3 = c11 + c12 + c13, c21 + c22 + c23, c31 + c32 + c33
    y1, y2, y3 = c11 + c21 + c31, c12 + c22 + c32, c13 + c23 + c33
    total = x1 + x2 + x3
    if total > 0:
        if x1 >= 0 and x2 >= 0 and x3 >= 0 and y1 >= 0 and y2 >= 0 and y3 >= 0:
            return Kernel(a * c11 + b * c12 + c * c13, total, (x1, x2, x3), (y1, y2, y3))
    elif total < 0 and x1 <= 0 and x2 <= 0 and x3 <= 0 and y1 <= 0 and y2 <= 0 and y3 <= 0:
        value = -(a * c11 + b * c12 + c * c13)
        return Kernel(value, -total, (-x1, -x2, -x3), (-y1, -y2, -y3))
    return None


# Two of three places, and the third.
_PAIRS = ((0, 1, 2), (0, 2, 1), (1, 2, 0))


def _of_two_in_three(payoff: Sequence[Sequence[Any]]) -> Kernel:
    """A kernel of two rows and columns that the third of each does not improve on."""
    for i, j, k in _PAIRS:
        upper, lower, third = payoff[i], payoff[j], payoff[k]
        for p, q, r in _PAIRS:
            a, b, c, d = upper[p], upper[q], lower[p], lower[q]
            total = a + d - b - c
            if total > 0:
                x1, x2, y1, y2, value = d - c, a - b, d - b, a - c, a * d - b * c
            elif total < 0:
                total = -total
                x1, x2, y1, y2, value = c - d, b - a, b - d, c - a, b * c - a * d
            else:
                continue
            if (
                x1 >= 0
                and x2 >= 0
                and y1 >= 0
                and y2 >= 0
                and third[p] * y1 + third[q] * y2 <= value
                and x1 * upper[r] + x2 * lower[r] >= value
            ):
                row, column = [0, 0, 0], [0, 0, 0]
                row[i], row[j], column[p], column[q] = x1, x2, y1, y2
                return Kernel(value, total, tuple(row), tuple(column))
    raise AssertionError("every matrix game has a kernel; this one has a saddle point")


def mixed_choices(payoff: Sequence[Sequence[Any]]) -> tuple[list[int], list[int]] | None:
    """Guess the rows and the columns with positive probability, equally many of each.

    A pivot costs (m + 1)(n + 1) operations of numpy, about 30 µs for 200×200.
    """
    import numpy as np

    low, high = min(map(min, payoff)), max(map(max, payoff))
    spread = high - low
    steps = [[int((entry - low) * _STEPS // spread) for entry in row] for row in payoff]
    m, n = len(payoff), len(payoff[0])
    tableau = np.zeros((m + 1, n + 1), dtype=np.float64)
    tableau[:m, :n] = np.array(steps)
    tableau[:m, :n] /= _STEPS
    tableau[:m, :n] += 1
    tableau[:m, n] = 1
    tableau[m, :n] = -1
    tiny = 1 / tableau.dtype.type(1 << 30)
    outside, basis = np.arange(n), np.arange(n, n + m)
    stalled = False
    for _ in range(20 * (m + n)):
        costs = tableau[m, :n]
        falling = np.flatnonzero(costs < -tiny)
        if not len(falling):
            rows = sorted(int(v) - n for v in outside if v >= n)
            columns = sorted(int(v) for v in basis if v < n)
            return rows, columns
        s = int(falling[outside[falling].argmin()] if stalled else costs.argmin())
        rising = np.flatnonzero(tableau[:m, s] > tiny)
        if not len(rising):
            return None
        ratios = np.maximum(tableau[rising, n], 0) / tableau[rising, s]
        nearest = rising[ratios <= ratios.min() * (1 + tiny)]
        r = int(nearest[basis[nearest].argmin()] if stalled else nearest[0])
        stalled = bool(tableau[r, n] < tiny)
        pivot, column, row = tableau[r, s], tableau[:, s].copy(), tableau[r] / tableau[r, s]
        tableau -= column[:, None] * row
        tableau[r], tableau[:, s] = row, -column / pivot
        tableau[r, s] = 1 / pivot
        outside[s], basis[r] = basis[r], outside[s]
    return None


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
    """Return the value and an optimal mixed strategy of each side.

    A pivot costs (m + 1)(n + 1) products of integers of at most min(m, n) times as many digits as
    the entries; random n×n matrices need about 1.3·n pivots at n = 20, and 2·n at n = 56.
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
            wanted = f"a row of {len(rows[0])} entries, like the first one"
            raise InputError(f"payoff[{i}]", row, wanted)


def solve_integer_matrix_game(
    payoff: Sequence[Sequence[Any]], denominator: int | mpz = 1
) -> MatrixSolution:
    """Solve the game of integer payoffs over one denominator, without checking the entries."""
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
    """Return numerator and positive denominator, not reduced, of the value of integer payoffs.

    For solvers that need many values and no strategies.
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
    """Pivot in place until no reduced cost is negative; return variables outside and inside."""
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
    factor, pivot = row[s], pivot_row[s]
    if not factor:
        return row if pivot == determinant else [a * pivot // determinant for a in row]
    return [(a * pivot - factor * b) // determinant for a, b in zip(row, pivot_row, strict=True)]


def _eliminate_long(row: list[Any], pivot_row: list[Any], s: int, determinant: Any) -> list[Any]:
    factor, pivot = row[s], pivot_row[s]
    if not factor:
        return row if pivot == determinant else [divexact(a * pivot, determinant) for a in row]
    pairs = zip(row, pivot_row, strict=True)
    return [divexact(a * pivot - factor * b, determinant) for a, b in pairs]


def certifies(payoff: Sequence[Sequence[RationalLike]], solution: MatrixSolution) -> bool:
    """Check a solution by the two inequalities that define it; 2·m·n products of rationals."""
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
    conceded = (sum((a * q for a, q in zip(row, y, strict=True) if q), _ZERO) for row in rows)
    return all(earned >= v for earned in guaranteed) and all(paid <= v for paid in conceded)
