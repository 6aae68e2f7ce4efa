"""Matrix games: certificates, supports, literature; and algebraic values solved by hand."""

import runpy
from itertools import combinations, product
from pathlib import Path
from unittest.mock import patch

import pytest
from flint import Ordering, arb, fmpq, fmpq_mat, fmpq_mpoly_ctx
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import go, module_at, refuses
from sympy import Matrix
from sympy.solvers.simplex import lpmax

from exactdice import models
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import Both, Chance, End, Game, as_algebraic, optimum, point_mass
from exactdice.solve import algebraic, matrix_games
from exactdice.solve.algebraic import AlgebraicNumber, Stage, _vanishing, algebraic_value
from exactdice.solve.matrix_games import certifies, solve_integer_matrix_game, solve_matrix_game


def rows_of(entries, m, n):
    return st.lists(st.lists(entries, min_size=n, max_size=n), min_size=m, max_size=m)


def matrices(entries, most=5):
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(lambda size: rows_of(entries, *size))


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


LARGE = st.tuples(st.integers(8, 11), st.integers(8, 11), st.integers(1, 4))


@given(LARGE.flatmap(lambda size: rows_of(st.integers(-size[2], size[2]), *size[:2])))
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
    # Each choice is made equally good: weights 1/i, value 1 / (1 + 1/2 + … + 1/n).
    assert solution.value == sign / sum((mpq(1, i + 1) for i in range(9)), mpq(0))
    assert solve_matrix_game(payoff).method == "basis"


def test_large_games_are_certified():
    payoff = [[(7 * i * i + 11 * i * j + 5 * j**3) % 19 for j in range(100)] for i in range(90)]
    solution = solve_matrix_game(payoff)
    assert solution.method == "basis"
    assert certifies(payoff, solution)
    # The classic solution: guess a total of four, show 1, 2, 3 with weights 5, 4, 3.
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
    n = 12
    payoff = [[1 if (i + j) % 3 else 0 for j in range(n)] for i in range(n)]
    solution = solve_matrix_game(payoff)
    # Row classes modulo 3 mix equally: each column class pays 0 against one class of three.
    assert solution.value == mpq(2, 3)
    assert certifies(payoff, solution)


def test_small_games_by_hand_and_of_the_literature():
    solution = solve_matrix_game([[0, 1, 1], [2, 1, 1], [3, 1, 1]])
    # by hand: entries 1 at (1,1), (1,2), (2,1), (2,2) are saddle points
    middle = (mpq(0), mpq(1), mpq(0))
    assert solution == matrix_games.MatrixSolution(mpq(1), middle, middle, "saddle point")
    # Holmes and Moriarty, Theory of Games and Economic Behavior §18.4.4: value 40, (3/5, 2/5).
    solution = solve_matrix_game([[100, 0], [-50, 100]])
    assert solution.value == 40
    assert solution.row == (mpq(3, 5), mpq(2, 5))
    assert solution.column == (mpq(2, 5), mpq(3, 5))
    assert solution.method == "kernel"
    payoff = [[3, -1, 2], [0, 2, -1], [-2, 1, 3]]
    whole, sevenths = solve_integer_matrix_game(payoff), solve_integer_matrix_game(payoff, 7)
    assert sevenths.value == whole.value / 7
    assert (sevenths.row, sevenths.column) == (whole.row, whole.column)
    # By hand: a + d trails b + c; v = (0·0 − 2·3)/(0 + 0 − 2 − 3) = 6/5.
    assert matrix_games.kernel_of_two([[0, 2], [3, 0]]) == (6, 5, (3, 2), (2, 3))


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


def test_blands_rule_chooses_the_least_variable():
    # Bland's rule: of the columns with a negative cost the one whose variable has the least index;
    # the largest-coefficient rule, used otherwise, takes the most negative cost. The last entry is
    # the objective, no cost.
    costs, outside = [0, -1, -7, -2, -9], [1, 8, 5, 3]
    assert outside[matrix_games._entering(costs, outside, stalled=True)] == 3
    assert outside[matrix_games._entering(costs, outside, stalled=False)] == 5
    assert matrix_games._entering([0, 4, -1], [0, 1], stalled=True) is None
    assert matrix_games._entering([0, 4, -1], [0, 1], stalled=False) is None
    # Bland's rule. The ratios of the last entry to the first are 2, 1, 1, 1 and, with a first entry
    # that is not positive, none.
    rows = [[1, 2], [2, 2], [1, 1], [3, 3], [0, 0], [-1, 0]]
    assert matrix_games._leaving(rows, 0, [1, 7, 3, 5, 2, 0]) == 2
    assert matrix_games._leaving(rows, 0, [1, 3, 7, 5, 2, 0]) == 1
    assert matrix_games._leaving(rows, 0, [1, 7, 5, 3, 2, 0]) == 3


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


def test_choices_are_guessed_in_games_of_eight_and_more():
    for size, rows, method in ((7, 7, "simplex"), (7, 8, "simplex"), (8, 8, "basis")):
        payoff = [[i + 1 if i == j else 0 for j in range(size)] for i in range(rows)]
        assert solve_matrix_game(payoff).method == method
        numerator, denominator = matrix_games.integer_matrix_game_value(payoff)
        # as in the test of a wrong basis above
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


def test_values_and_weights_of_all_small_matrices():
    for payoff in [*all_matrices(3, range(2)), [[1, 2, 0], [0, 1, 2]], [[5]], [[2, 1], [0, 3]]]:
        numerator, denominator = matrix_games.integer_matrix_game_value(payoff)
        assert denominator > 0
        assert solve_matrix_game(payoff).value * denominator == numerator
    for payoff in all_matrices(3, range(-1, 2)):
        if matrix_games.saddle_point(payoff) is None:
            kernel = matrix_games.kernel_of_three(payoff)
            assert kernel.total == sum(kernel.row) == sum(kernel.column) > 0
            assert min(kernel.row + kernel.column) >= 0


def minor(payoff, i, j):
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
                sign * determinant, abs(total), tuple(map(abs, rows)), tuple(map(abs, columns))
            )  # fmt: skip
        else:
            assert matrix_games._whole(payoff) is None
    assert own


def changes_sign(coefficients, bounds):
    at = [
        sum(c * end**k for k, c in enumerate(coefficients)) for end in (bounds.lower, bounds.upper)
    ]
    return at[0] * at[1] <= 0


def again(outcomes):
    return Game("again", lambda s: Both(outcomes) if s == "again" else End(s))


def test_the_golden_ratio_is_the_value_of_a_game():
    """By hand: [[1, 0], [v/2, 1/2]] is worth (1/2) / (3/2 − v/2) = v, so v² − 3v + 1 = 0.

    The root in (0, 1) is the square of the inverse golden ratio, (3 − √5)/2.
    """
    game = again({
        ("a", "a"): End(1), ("a", "b"): End(0), ("b", "a"): Distribution({"again": 1, 0: 1}),
        ("b", "b"): End("1/2")})  # fmt: skip
    best = optimum(game.explored())
    root = as_algebraic(best, "again")
    assert root.polynomial == (1, -3, 1)
    assert root.degree == 2
    assert root.holds()
    assert str(root).startswith("root of x^2 - 3*x + 1 between ")
    assert best.value.decimal(10) == "0.3819660113"  # OEIS A132338
    best.certificate().check(game)


def test_values_of_linked_states_solve_their_equations():
    # By hand: v = (1 + v/2)/2, so v = 2/3; the determinant has the factor z − 2 besides.
    coin = Distribution({"again": 1, 0: 1})
    game = again({(a, b): End(1) if a == b else coin for a in "ht" for b in "ht"})
    assert as_algebraic(optimum(game.explored()), "again").polynomial == (-2, 3)
    # By hand, with x for level and y for ahead: [[y, 0], [0, y/2]] is worth x = y/3; and [[1,
    # x], [1, (1 + x)/2]] has a saddle point, y = (1 + x)/2. So x = 1/5 and y = 3/5.
    best = optimum(Game("level", duel).explored(), width="1e-30")
    for state, polynomial in (("level", (-1, 5)), ("ahead", (-3, 5))):
        assert as_algebraic(best, state).polynomial == polynomial
    # By hand: x = y / (1 + y) and y = (2 − x²/4) / (3 − x). With y = x / (1 − x) that is 4x
    # (3 − x) = (8 − x²)(1 − x), or x³ + 3x² − 20x + 8 = 0.
    best = optimum(Game("x", linked).explored(), width="1e-30")
    root = as_algebraic(best, "x")
    assert root.holds()
    assert root.polynomial == (8, -20, 3, 1)
    other = as_algebraic(best, "y")
    # y = x / (1 − x) is put into it, x = y / (1 + y): times (1 + y)³ it stays of degree 3.
    y = other.interval.middle
    x = y / (1 + y)
    assert abs(8 - 20 * x + 3 * x**2 + x**3) < mpq(1, 10**25)
    assert other.degree == 3


@given(st.lists(st.integers(-4, 4), min_size=9, max_size=9), st.integers(0, 8))
def test_roots_lie_in_the_enclosure_and_solve_the_game(entries, place):
    """The value less z changes sign between the ends of the enclosure; so does the polynomial."""
    pairs = [(i, j) for i in range(3) for j in range(3)]
    outcomes = {p: End(e) for p, e in zip(pairs, entries, strict=True)}
    outcomes[pairs[place]] = Chance(entries[place], Distribution({"again": 1, 0: 2}))
    best = optimum(again(outcomes).explored())
    root = as_algebraic(best, "again")
    if root is None:
        return
    assert root.holds()
    assert changes_sign(root.polynomial, best.value)

    def excess(z):
        matrix = [[mpq(entries[3 * i + j]) for j in range(3)] for i in range(3)]
        matrix[place // 3][place % 3] += z / 3
        return solve_matrix_game(matrix).value - z

    assert excess(best.value.lower) >= 0 >= excess(best.value.upper)


def test_no_root_is_found_of_another_kernel():
    matrix = [[(mpq(1), {}), (mpq(1), {})]] * 2
    near = [Enclosure(mpq(99, 100), mpq(101, 100))]
    assert algebraic_value([Stage(matrix, [0, 1], [0, 1])], near) is None
    assert algebraic_value([Stage(matrix, [0], [0, 1])], near) is None
    # By hand: 4, 2, 1 and 0 have a saddle point at 2; weights of all four sum up to pay −2.
    matrix = [[(mpq(entry), {}) for entry in row] for row in ([4, 2], [1, 0])]
    near = [Enclosure(mpq(-3), mpq(-1))]
    assert algebraic_value([Stage(matrix, [0, 1], [0, 1])], near) is None
    alike = [[(mpq(1), {})] * 2] * 2
    assert algebraic_value([Stage(alike, [0, 1], [0, 1])], [Enclosure(mpq(0), mpq(2))]) is None
    # In (2 - v/2)/(3 - v) and (1 - v/2)/(3 - v) the game below is mixed, not for v = 5/2 or v = 3.
    half = (mpq(0), {0: mpq(1, 2)})
    stage = Stage([[(mpq(1), {}), half], [half, (mpq(2), {})]], [0, 1], [0, 1])
    for low, high, holds in (("1/2", 1, True), ("1/2", "5/2", False), ("1/2", 3, False)):
        assert (algebraic_value([stage], [Enclosure(mpq(low), mpq(high))]) is not None) == holds


def duel(state):
    """Two rounds that lead to one another: who is ahead by one wins the round or is level again."""
    if state in ("won", "lost"):
        return End(int(state == "won"))
    up, down = ("won", "level") if state == "ahead" else ("ahead", "lost")
    slip = Distribution({up: 1, down: 1})
    return Both({
        ("h", "h"): point_mass(up), ("t", "t"): slip, ("h", "t"): point_mass(down),
        ("t", "h"): point_mass("lost" if state == "level" else "won")})  # fmt: skip


def linked(state):
    """x = val [[1, 0], [0, y]] and y = val [[1, x/2], [x/2, 2]], each leading to the other."""
    if not isinstance(state, str):
        return End(state)
    if state == "x":
        entries = [[End(1), End(0)], [End(0), point_mass("y")]]
    else:
        half = Distribution({"x": 1, 0: 1})
        entries = [[End(1), half], [half, End(2)]]
    return Both({(i, j): entries[i][j] for i in (0, 1) for j in (0, 1)})


@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_polynomials_vanish_within_far_narrower_enclosures(pays, weight):
    def moves(state):
        if state == 2:
            return End(0)
        on = Distribution({1 - state: weight, 2: 2})

        a, b, c, d = pays[4 * state : 4 * state + 4]
        outcomes = [Chance(a, on), End(b), End(c), Chance(d, on)]
        return Both({divmod(k, 2): outcome for k, outcome in enumerate(outcomes)})

    model = Game(0, moves).explored()
    best = optimum(model, width="1e-30")
    root = None if best.value.point is not None else as_algebraic(best, 0)
    if root is not None:
        narrow = optimum(model, width="1e-60").value
        assert changes_sign(root.polynomial, narrow)


def test_states_without_a_root_are_refused():
    def moves(state):
        if state < 0:
            return End(-state)
        on = Distribution({(state + 1) % 7: 2, -1: 1})
        half = Distribution({(state + 1) % 7: 1, -1: 1})
        entries = [[on, half], [half, point_mass(-2 - state % 3)]]
        return Both({(i, j): entries[i][j] for i in (0, 1) for j in (0, 1)})

    best = optimum(Game(0, moves).explored())
    assert not best.is_exact
    with pytest.raises(TooLargeError, match="7 states lead to one another; expected at most 6"):
        as_algebraic(best, 0)
    best = optimum(Game("x", linked).explored(), width="1e-30")
    refuses(InputError, "state: got 0; expected a state of which the value", as_algebraic, best, 0)


def test_equations_are_eliminated_and_factors_kept():
    # By hand: near 2 of (x - 1)(x - 2)(y - 3) the second vanishes, and near y = 3 the third.
    names = fmpq_mpoly_ctx.get(["x", "y"], Ordering.lex)
    x, y = names.gens()
    product = (x - 1) * (x - 2) * (y - 3)
    assert _vanishing(product, [arb(2), arb(0)]) == x - 2
    assert _vanishing(product, [arb(2), arb(3)]) == (x - 2) * (y - 3)
    assert _vanishing(product, [arb(0), arb(0)]) == product
    first, _, third = fmpq_mpoly_ctx.get(["v0", "v1", "v2"], Ordering.lex).gens()
    equations = [first * first - 2 * third, third - 1, third - 1]
    balls = [arb(mid, 0.25) for mid in (1.4, 0, 1)]
    polynomial = algebraic._eliminated(equations, balls)
    assert [int(c) for c in polynomial.numer()] == [-2, 0, 1]
    square_root = (-2, 0, 1)
    assert AlgebraicNumber(square_root, Enclosure(mpq(1), mpq(2))).holds()
    assert not AlgebraicNumber(square_root, Enclosure(mpq(-2), mpq(2))).holds()
    assert not AlgebraicNumber(square_root, Enclosure(mpq(2), mpq(3))).holds()


def test_a_value_through_two_states_of_chance_is_eliminated_with_both():
    """By hand: z = x/2, y = (1 + z)/2 = 1/2 + x/4, and [[1, 0], [y/2, 1/2]] is worth
    x = (1/2) / (3/2 − y/2), so that x² − 10x + 4 = 0 and x = 5 − √21.
    """

    def moves(state):
        if state == "x":
            half = Distribution({"y": 1, 0: 1})
            return Both({(0, 0): End(1), (0, 1): End(0), (1, 0): half, (1, 1): End("1/2")})
        if state == "y":
            return Distribution({"z": 1, 1: 1})
        return Distribution({"x": 1, 0: 1}) if state == "z" else End(state)

    best = optimum(Game("x", moves).explored(), width="1e-30")
    root = as_algebraic(best, "x")
    assert root.polynomial == (4, -10, 1)
    assert root.holds()
    of_chance = as_algebraic(best, "z")  # x = 2z: 4z² − 20z + 4 = 0
    assert of_chance.polynomial == (1, -5, 1)


#: Matching pennies for 1 or 2; when they differ, a coin decides whether "on" leads back. By hand
#: 3v² − 12v + 8 = 0, as v = (2 − v²/4) / (3 − v); v is 0.8452…
PAIRS = {("h", "h"): End(1), ("t", "t"): End(2)} | dict.fromkeys(
    (("h", "t"), ("t", "h")), Distribution({"on": 1, 0: 1})
)


@pytest.mark.parametrize("on", [0, 1, 2])
@pytest.mark.parametrize("player", [0, 1, 2])
def test_a_state_of_one_player_on_the_way_has_the_move_that_is_best(player, on):
    stop = [go(n, -3 if player == 1 else 3) for n in range(2)]
    ways = [*stop[:on], go("on", "again"), *stop[on:]]
    turn = models.Turn(player, ways) if player else point_mass("again")
    game = Game("again", {"again": Both(PAIRS), "on": turn, 0: End(0), 3: End(3), -3: End(-3)}.get)
    best = optimum(game)
    for state in ("again", "on"):
        root = as_algebraic(best, state)
        assert root.polynomial == (8, -12, 3)
        assert root.interval == best.value_of(state)
    best.certificate().check(game)


def test_moves_of_both_sides_agree_if_sides_change_in_cycles():
    """By hand as above: who "picks" sees to it that the other one is asked again."""
    coin = Distribution({models.Other("pick"): 1, 0: 1})
    table = {
        "start": point_mass("again"),
        "again": Both(PAIRS | dict.fromkeys((("h", "t"), ("t", "h")), coin)),
        "pick": [go("lose", -5), go("on", models.Other("again"))],
    }
    game = Game("start", lambda s: table[s] if s in table else End(s))
    best = optimum(game)
    assert (best.action("pick"), best.optimal_actions("pick")) == ("on", ("on",))
    best.certificate().check(game)
    assert as_algebraic(best, "again").polynomial == (8, -12, 3)
    assert -models.policy_value(game, best).value in best.value_of("pick")


@pytest.mark.parametrize("player", [1, 2])
def test_actions_that_lead_to_the_same_irrational_value_are_both_named(player):
    costs = {"x": 0, "worse": -1 if player == 1 else 1, "y": 0}
    turn = models.Turn(player, [go(a, "on", cost) for a, cost in costs.items()])
    game = Game("choose", lambda s: turn if s == "choose" else Both(PAIRS) if s == "on" else End(s))
    best = optimum(game)
    assert best.unsettled == {"choose": ("x", "y")}
    assert best.value_of("choose").width <= mpq(1, 10**9)
    best.certificate().check(game)


EXAMPLES = Path(__file__).parents[2] / "examples"


def solved(game, **how):
    best = optimum(game.explored(), **how)
    best.certificate().check(game)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bag", "liars_dice"])
def test_examples_run_as_they_stand(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 3


def test_the_bag_agrees_with_a_recursion_over_its_tokens():
    def best(coins, skulls, hand, drawn):
        left = sum(coins) + skulls
        value = mpq(0)
        for i, count in enumerate(coins):
            if count:
                rest = (*coins[:i], count - 1, *coins[i + 1 :])
                value += mpq(count, left) * best(rest, skulls, hand + i + 1, drawn)
        if skulls and not drawn:
            value += mpq(skulls, left) * best(coins, skulls - 1, hand, 1)
        return max(mpq(hand), value)

    bag = module_at("examples", "bag.py").bag
    found = solved(bag((2, 1, 2), 3))
    assert found.value == best((2, 1, 2), 3, 0, 0)
    law = models.reward_distribution(found.model, found)
    assert law.mean == found.value
    assert law.distribution().mean() == law.mean


def test_one_simultaneous_move_is_one_matrix_game():
    """Odds and evens with 1 to 3 fingers: by hand, even minus odd, values of the 3×3 game."""
    payoffs = {(a, b): a + b if (a + b) % 2 == 0 else -a - b for a in (1, 2) for b in (1, 2)}
    shown = Both({pair: point_mass(paid) for pair, paid in payoffs.items()})
    table = {"show": shown}
    game = Game("show", lambda state: table.get(state) or End(state))
    # the textbook two-finger morra: the odd player gains 1/12, each shows one finger with 7/12
    best = solved(game)
    assert best.value == mpq(-1, 12)
    assert best.action("show") == (Distribution({1: 7, 2: 5}), Distribution({1: 7, 2: 5}))
