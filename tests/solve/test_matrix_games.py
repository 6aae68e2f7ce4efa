"""Matrix games: certificates, enumeration of supports, and games of the literature."""

from itertools import combinations, product
from unittest.mock import patch

import pytest
from flint import fmpq, fmpq_mat
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import refuses
from sympy import Matrix
from sympy.solvers.simplex import lpmax

from exactdice.errors import InputError
from exactdice.solve import matrix_games
from exactdice.solve.matrix_games import certifies, solve_integer_matrix_game, solve_matrix_game


def matrices(entries, most=5):
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(entries, min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )


def value_by_kernels(payoff):
    """Shapley and Snow (1950): some square submatrix, with equal payoffs all over, is the game."""
    m, n = len(payoff), len(payoff[0])
    for size in range(1, min(m, n) + 1):
        for rows in combinations(range(m), size):
            for columns in combinations(range(n), size):
                # unknowns: the size probabilities of the side, and v; last equation: sum 1
                square = [[payoff[i][j] for j in columns] for i in rows]
                x = _equaliser([list(column) for column in zip(*square, strict=True)])
                y = _equaliser(square)
                if x is None or y is None or min(x) < 0 or min(y) < 0:
                    continue
                gains = [
                    sum(p * payoff[i][j] for p, i in zip(x, rows, strict=True)) for j in range(n)
                ]
                costs = [
                    sum(q * payoff[i][j] for q, j in zip(y, columns, strict=True)) for i in range(m)
                ]
                if min(gains) == max(costs):
                    return mpq(int(min(gains).p), int(min(gains).q))
    raise AssertionError("every matrix game has a kernel")


def _equaliser(square):
    """Probabilities that make all rows pay the same; None if they are not determined."""
    size = len(square)
    rows = [[*row, -1] for row in square] + [[1] * size + [0]]
    right = [[0]] * size + [[1]]
    try:
        solved = fmpq_mat([list(map(fmpq, row)) for row in rows]).solve(
            fmpq_mat([list(map(fmpq, row)) for row in right])
        )
    except ZeroDivisionError:
        return None
    return [solved[i, 0] for i in range(size)]


@given(matrices(st.integers(-2, 2), most=6))
@settings(max_examples=400, deadline=None)
def test_solutions_of_matrices_full_of_ties_are_certified(payoff):
    assert certifies(payoff, solve_matrix_game(payoff))


@given(matrices(st.integers(-(10**30), 10**30), most=7))
@settings(max_examples=100, deadline=None)
def test_solutions_of_matrices_of_long_integers_are_certified(payoff):
    solution = solve_matrix_game(payoff)
    assert certifies(payoff, solution)
    as_mpz = [[mpz(entry) for entry in row] for row in payoff]
    assert solve_integer_matrix_game(as_mpz) == solution


@pytest.mark.slow
@given(matrices(st.fractions(max_denominator=12, min_value=-3, max_value=3), most=5))
@settings(max_examples=150, deadline=None)
def test_solutions_of_rational_matrices_are_certified(payoff):
    assert certifies(payoff, solve_matrix_game(payoff))


@given(matrices(st.integers(-3, 3), most=4))
@settings(max_examples=150, deadline=None)
def test_value_equals_the_one_found_by_enumerating_square_kernels(payoff):
    assert solve_matrix_game(payoff).value == value_by_kernels(payoff)


@pytest.mark.slow
@given(matrices(st.integers(-2, 3), most=4))
@settings(max_examples=25, deadline=None)
def test_value_equals_the_one_of_sympys_linear_program(payoff):
    from sympy import Symbol

    shifted = Matrix(payoff) + 3 * Matrix.ones(len(payoff), len(payoff[0]))
    y = [Symbol(f"y{j}") for j in range(len(payoff[0]))]
    paid = shifted * Matrix(y)
    optimum, _ = lpmax(sum(y), [entry <= 1 for entry in paid] + [q >= 0 for q in y])
    assert solve_matrix_game(payoff).value == 1 / mpq(int(optimum.p), int(optimum.q)) - 3


@given(matrices(st.integers(-4, 4), most=5))
def test_swapping_the_players_changes_the_sign_of_the_value(payoff):
    swapped = [[-entry for entry in column] for column in zip(*payoff, strict=True)]
    assert solve_matrix_game(swapped).value == -solve_matrix_game(payoff).value


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n
        )
    )
)
def test_antisymmetric_games_are_fair(square):
    n = len(square)
    game = [[square[i][j] - square[j][i] for j in range(n)] for i in range(n)]
    assert solve_matrix_game(game).value == 0


@given(
    st.tuples(st.integers(8, 11), st.integers(8, 11), st.integers(1, 4)).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(-size[2], size[2]), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )
)
def test_a_basis_from_doubles_gives_the_value_of_integer_pivots(payoff):
    solution = solve_matrix_game(payoff)
    assert certifies(payoff, solution)
    numerator, denominator = matrix_games.integer_matrix_game_value(payoff)
    assert mpq(numerator, denominator) == solution.value
    with patch.object(matrix_games, "mixed_choices", lambda _: None):
        assert solve_matrix_game(payoff).value == solution.value
        numerator, denominator = matrix_games.integer_matrix_game_value(payoff)
    assert mpq(numerator, denominator) == solution.value


@given(matrices(st.integers(-(2**1100), 2**1100), most=2))
def test_entries_beyond_doubles_are_solved(block):
    """Eight copies of a game on the diagonal of a larger one; the certificate decides."""
    m, n = len(block), len(block[0])
    payoff = [[0] * (8 * n) for _ in range(8 * m)]
    for k in range(8):
        for i in range(m):
            for j in range(n):
                payoff[k * m + i][k * n + j] = block[i][j]
    assert certifies(payoff, solve_matrix_game(payoff))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "guess", [([0], [0]), ([0, 1], [0]), ([0, 1], [2, 3]), (list(range(8)), list(range(8)))]
)
def test_a_wrong_basis_is_dropped(guess, sign):
    """Without the last row and column one side could do better there."""
    payoff = [[sign * (i + 1) if i == j else 0 for j in range(9)] for i in range(9)]
    with patch.object(matrix_games, "mixed_choices", lambda _: guess):
        solution = solve_matrix_game(payoff)
    assert solution.method == "simplex"
    # as in the test of diagonal games below
    assert solution.value == sign / sum((mpq(1, i + 1) for i in range(9)), mpq(0))
    assert solve_matrix_game(payoff).method == "basis"


def test_a_game_of_a_hundred_choices_is_certified():
    """A fixed matrix of small residues; only the certificate says what is right."""
    payoff = [[(7 * i * i + 11 * i * j + 5 * j**3) % 19 for j in range(100)] for i in range(90)]
    solution = solve_matrix_game(payoff)
    assert solution.method == "basis"
    assert certifies(payoff, solution)


def test_saddle_point_is_the_first_in_row_major_order():
    solution = solve_matrix_game([[0, 1, 1], [2, 1, 1], [3, 1, 1]])
    # by hand: entries 1 at (1,1), (1,2), (2,1), (2,2) are saddle points
    middle = (mpq(0), mpq(1), mpq(0))
    assert solution == matrix_games.MatrixSolution(mpq(1), middle, middle, "saddle point")


def test_two_by_two_game_of_von_neumann_and_morgenstern_by_its_kernel():
    # Holmes and Moriarty, Theory of Games and Economic Behavior §18.4.4: value 40, (3/5, 2/5).
    solution = solve_matrix_game([[100, 0], [-50, 100]])
    assert solution.value == 40
    assert solution.row == (mpq(3, 5), mpq(2, 5))
    assert solution.column == (mpq(2, 5), mpq(3, 5))
    assert solution.method == "kernel"


def test_three_fingered_morra_is_fair_with_weights_5_4_3():
    """The classic solution: guess a total of four, show 1, 2, 3 with weights 5, 4, 3."""
    moves = [(show, guess) for show in (1, 2, 3) for guess in (1, 2, 3)]
    payoff = [[(s + t) * ((g == t) - (h == s)) for t, h in moves] for s, g in moves]
    solution = solve_matrix_game(payoff)
    assert solution.value == 0
    assert certifies(payoff, solution)
    # Textbook solution (Dresher, Games of Strategy, 1961): (1,3), (2,2), (3,1) at 5/12, 4/12, 3/12.
    published = [mpq(0)] * 9
    published[2], published[4], published[6] = mpq(5, 12), mpq(4, 12), mpq(3, 12)
    row = tuple(published)
    assert certifies(payoff, matrix_games.MatrixSolution(mpq(0), row, row, "published"))


def test_cycling_example_shifted_into_a_game_ends():
    """A large block of equal entries makes every early pivot degenerate."""
    n = 12
    payoff = [[1 if (i + j) % 3 else 0 for j in range(n)] for i in range(n)]
    solution = solve_matrix_game(payoff)
    # Row classes modulo 3 mix equally: each column class pays 0 against one class of three.
    assert solution.value == mpq(2, 3)
    assert certifies(payoff, solution)


@pytest.mark.parametrize("n", [10, 24])
def test_diagonal_game_pays_the_harmonic_mean_over_n(n):
    payoff = [[i + 1 if i == j else 0 for j in range(n)] for i in range(n)]
    # Each choice is made equally good: weights 1/i, value 1 / (1 + 1/2 + … + 1/n).
    assert solve_matrix_game(payoff).value == 1 / sum((mpq(1, i + 1) for i in range(n)), mpq(0))


def test_denominator_scales_the_value_and_nothing_else():
    payoff = [[3, -1, 2], [0, 2, -1], [-2, 1, 3]]
    whole, sevenths = solve_integer_matrix_game(payoff), solve_integer_matrix_game(payoff, 7)
    assert sevenths.value == whole.value / 7
    assert (sevenths.row, sevenths.column) == (whole.row, whole.column)


@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        ([], "payoff: got []; expected a matrix with at least one row and one column"),
        ([[]], "payoff: got [[]]; expected a matrix with at least one row and one column"),
        ([[1, 2], [3]], "payoff[1]: got [3]; expected a row of 2 entries"),
        ([[1, 0.5]], "payoff[0][1]: got 0.5; expected an exact number"),
    ],
)
def test_bad_matrices_are_refused_in_one_line(payoff, message):
    with pytest.raises(InputError) as refusal:
        solve_matrix_game(payoff)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


def test_denominator_below_one_is_refused():
    refuses(InputError, "denominator: got 0", solve_integer_matrix_game, [[1]], 0)


@pytest.mark.parametrize(
    ("row", "column", "value"),
    [
        (["1/2", "1/2"], ["1/2", "1/2"], "1/100"),  # more than the row player is sure of
        (["1/2", "1/2"], ["1/2", "1/2"], "-1/100"),  # less than the column player concedes
        (["1/2", "1/2"], [1, 0], 0),  # the column player could pay more
        (["3/2", "-1/2"], ["1/2", "1/2"], 0),  # no probability vector
        (["1/2", "1/4"], ["1/2", "1/2"], 0),  # does not sum to 1
        ([1], ["1/2", "1/2"], 0),  # too short
        (["1/2", "1/2"], ["1/2", "1/2", 0], 0),  # too long
    ],
)
def test_false_certificates_are_refused(row, column, value):
    claim = matrix_games.MatrixSolution(
        mpq(value), tuple(map(mpq, row)), tuple(map(mpq, column)), "claim"
    )
    assert not certifies([[1, -1], [-1, 1]], claim)


def test_invalid_matrices_are_rejected_by_the_check():
    pure = matrix_games.MatrixSolution(mpq(1), (mpq(1), mpq(0)), (mpq(1),), "claim")
    refuses(InputError, r"^payoff: got .*; expected a matrix with at least", certifies, [], pure)
    with pytest.raises(InputError, match=r"^payoff\[1\]: got .*; expected a row of 1 ent"):
        certifies([[1], [2, 3]], pure)


def test_after_a_pivot_without_gain_the_least_variable_enters():
    # Bland's rule: of the columns with a negative cost the one whose variable has the least index;
    # the largest-coefficient rule, used otherwise, takes the most negative cost. The last entry is
    # the objective, no cost.
    costs, outside = [0, -1, -7, -2, -9], [1, 8, 5, 3]
    assert outside[matrix_games._entering(costs, outside, stalled=True)] == 3
    assert outside[matrix_games._entering(costs, outside, stalled=False)] == 5
    assert matrix_games._entering([0, 4, -1], [0, 1], stalled=True) is None
    assert matrix_games._entering([0, 4, -1], [0, 1], stalled=False) is None


def test_the_simplex_method_solves_every_small_game():
    """All 2×3 matrices of 0, 1 and 2, those with a saddle point included, which is seen before.

    And all 3×3 matrices of 0 and 1, and of 0 and a number of many words.
    """
    for entries in product(range(3), repeat=6):
        payoff = [list(entries[:3]), list(entries[3:])]
        assert certifies(payoff, matrix_games._simplex(payoff, 1))
    for one, entries in product((1, 10**40), product(range(2), repeat=9)):
        payoff = [[one * entry for entry in entries[i : i + 3]] for i in (0, 3, 6)]
        assert certifies(payoff, matrix_games._simplex(payoff, 1))


def test_of_tied_rows_the_least_variable_leaves():
    # Bland's rule. The ratios of the last entry to the first are 2, 1, 1, 1 and, with a first entry
    # that is not positive, none.
    rows = [[1, 2], [2, 2], [1, 1], [3, 3], [0, 0], [-1, 0]]
    assert matrix_games._leaving(rows, 0, [1, 7, 3, 5, 2, 0]) == 2
    assert matrix_games._leaving(rows, 0, [1, 3, 7, 5, 2, 0]) == 1
    assert matrix_games._leaving(rows, 0, [1, 7, 5, 3, 2, 0]) == 3


def test_choices_are_guessed_in_games_of_eight_and_more():
    for size, rows, method in ((7, 7, "simplex"), (7, 8, "simplex"), (8, 8, "basis")):
        payoff = [[i + 1 if i == j else 0 for j in range(size)] for i in range(rows)]
        assert solve_matrix_game(payoff).method == method
        numerator, denominator = matrix_games.integer_matrix_game_value(payoff)
        # as in the test of diagonal games above
        assert mpq(numerator, denominator) == 1 / sum(mpq(1, i + 1) for i in range(size))


def all_matrices(size, entries):
    flat = product(entries, repeat=size * size)
    return [[list(cells[i * size : (i + 1) * size]) for i in range(size)] for cells in flat]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "entries"), [(2, range(-2, 3)), (3, range(2)), (3, range(-1, 2))])
def test_small_matrices_have_a_saddle_point_or_a_kernel(size, entries):
    for payoff in all_matrices(size, entries):
        solution = solve_matrix_game(payoff)
        assert solution.method in ("saddle point", "kernel")
        assert certifies(payoff, solution)


def test_the_value_without_strategies_is_that_of_the_solution():
    for payoff in [*all_matrices(3, range(2)), [[1, 2, 0], [0, 1, 2]], [[5]], [[2, 1], [0, 3]]]:
        numerator, denominator = matrix_games.integer_matrix_game_value(payoff)
        assert denominator > 0
        assert solve_matrix_game(payoff).value * denominator == numerator


def test_weights_are_nonnegative_and_sum_to_the_total():
    for payoff in all_matrices(3, range(-1, 2)):
        if matrix_games.saddle_point(payoff) is None:
            kernel = matrix_games.kernel_of_three(payoff)
            assert kernel.total == sum(kernel.row) == sum(kernel.column) > 0
            assert min(kernel.row + kernel.column) >= 0


def test_rows_and_columns_that_trail_change_the_sign_of_both():
    # By hand: a + d trails b + c; v = (0·0 − 2·3)/(0 + 0 − 2 − 3) = 6/5.
    assert matrix_games.kernel_of_two([[0, 2], [3, 0]]) == (6, 5, (3, 2), (2, 3))


def test_a_game_that_has_a_saddle_point_is_not_for_kernels():
    with pytest.raises(AssertionError, match="saddle point"):
        matrix_games.kernel_of_three([[1, 1, 1], [0, 0, 0], [0, 0, 0]])


def minor(payoff, i, j):
    """Determinant of what is left of a 3×3 matrix without row i and column j."""
    (a, b), (c, d) = [
        [x for k, x in enumerate(row) if k != j] for row in payoff[:i] + payoff[i + 1 :]
    ]
    return a * d - b * c


def test_a_matrix_is_its_own_kernel_if_cofactor_sums_agree_in_sign():
    # Shapley and Snow's theorem, with cofactors from their definition: signed minors.
    own = 0
    for payoff in all_matrices(3, range(-1, 2)):
        if matrix_games.saddle_point(payoff) is not None:
            continue
        cofactors = [[(-1) ** (i + j) * minor(payoff, i, j) for j in range(3)] for i in range(3)]
        rows = tuple(map(sum, cofactors))
        columns = tuple(map(sum, zip(*cofactors, strict=True)))
        total = sum(rows)
        sign = (total > 0) - (total < 0)
        if sign and all(sign * weight >= 0 for weight in rows + columns):
            determinant = sum(x * y for x, y in zip(payoff[0], cofactors[0], strict=True))
            own += 1
            assert matrix_games._whole(payoff) == (
                sign * determinant,
                abs(total),
                tuple(map(abs, rows)),
                tuple(map(abs, columns)),
            )
        else:
            assert matrix_games._whole(payoff) is None
    assert own
