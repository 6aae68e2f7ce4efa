"""Guessing: finds what generated the numbers, and is not fooled by numbers that follow nothing."""

from math import comb, factorial

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import S, Symbol, fibonacci, oo, sequence

from exactdice.errors import InputError
from exactdice.games.risk.round_polynomials import risk_round
from exactdice.games.swe.closed_forms.new_only import NewOnly
from exactdice.symbolic.ehrhart_polynomials import ehrhart
from exactdice.symbolic.guessing import (
    Guess,
    Recurrence,
    guess_generating_function,
    guess_polynomial,
    guess_quasi_polynomial,
    guess_recurrence,
)
from exactdice.symbolic.polynomial import Polynomial
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Status

small_rationals = st.builds(mpq, st.integers(-5, 5), st.integers(1, 4))


@given(st.lists(small_rationals, max_size=5), st.integers(-3, 3), st.integers(1, 4))
def test_polynomial_is_found_from_its_values(coefficients, first, hold_out):
    polynomial = Polynomial(tuple(coefficients), "n")
    length = max(1, polynomial.degree + 1) + hold_out
    guess = guess_polynomial([polynomial(first + i) for i in range(length)], first, hold_out)
    assert guess.form == polynomial
    assert (guess.fitted, guess.held_out) == (length - hold_out, hold_out)


def test_polynomial_of_a_risk_round_is_found_from_probabilities():
    # Out of s^5 rolls; 6 numbers determine a polynomial of degree 5, 3 more test it.
    counts = [risk_round(3, 2).probability(2, s) * s**5 for s in range(1, 10)]
    guess = guess_polynomial(counts, first=1, hold_out=3)
    assert guess.form.coefficients == risk_round(3, 2).count(2).coefficients


def test_powers_of_two_are_no_polynomial():
    assert guess_polynomial([2**n for n in range(12)]) is None


def test_quasi_polynomial_of_lattice_points_is_found():
    function = ehrhart(1, 2, 3)
    # degree 3: four numbers in each of six residues, and one held out.
    guess = guess_quasi_polynomial([function(n) for n in range(30)], 6)
    assert guess.form == function.quasi_polynomial
    proved = guess.proved("points", 24, "degree 3 and period 6 by the generating function")
    assert proved.status is Status.PROVED
    assert "quasi-polynomial of degree 3 and period 6" in proved.text
    assert guess_quasi_polynomial([function(n) for n in range(30)], 5) is None


def test_as_few_numbers_as_tell_are_enough_and_one_less_is_not():
    """Of each residue one for a constant, and those held out."""
    assert guess_quasi_polynomial([1, 2] * 3, 2, hold_out=2).form(7) == 2
    with pytest.raises(InputError, match=r"5 numbers.*at least 6"):
        guess_quasi_polynomial(([1, 2] * 3)[:5], 2, hold_out=2)


def test_zero_quasi_polynomial():
    assert guess_quasi_polynomial([0] * 6, 2).form == QuasiPolynomial(((0,),) * 2)


@given(
    st.lists(st.integers(-2, 2), min_size=1, max_size=3).filter(lambda c: c[0]),
    st.lists(st.integers(-3, 3), min_size=3, max_size=3),
)
def test_recurrence_with_constant_coefficients_holds_on_more_numbers(coefficients, start):
    values = list(start[: len(coefficients)])
    while len(values) < 30:
        values.append(
            sum(c * v for c, v in zip(coefficients, values[-len(coefficients) :], strict=True))
        )
    guess = guess_recurrence(values[:20], most_order=3)
    assert guess is not None
    assert guess.form.order <= len(coefficients)
    assert guess.form.extend(values[:20], 30) == values


def test_fibonacci_agrees_with_sympy():
    values = [0, 1]
    while len(values) < 16:
        values.append(values[-1] + values[-2])
    assert guess_recurrence(values).form.extend([0, 1], 16) == values
    n = Symbol("n")
    # SymPy gives the coefficients of a(n − 1), a(n − 2).
    assert sequence(fibonacci(n), (n, 0, oo)).find_linear_recurrence(16) == [S.One, S.One]


@pytest.mark.parametrize(
    ("values", "order", "degree"),
    [
        ([factorial(n) for n in range(12)], 1, 1),  # a(n + 1) = (n + 1) a(n)
        ([comb(2 * n, n) for n in range(14)], 1, 1),  # (n + 1) a(n + 1) = (4n + 2) a(n)
        ([mpq(1, factorial(n)) for n in range(12)], 1, 1),
        # Motzkin numbers, OEIS A001006: (n + 4) a(n + 2) = (2n + 5) a(n + 1) + 3(n + 1) a(n)
        ([1, 1, 2, 4, 9, 21, 51, 127, 323, 835, 2188, 5798, 15511, 41835], 2, 1),
    ],
)
def test_recurrence_with_polynomial_coefficients_is_found(values, order, degree):
    guess = guess_recurrence(values, most_degree=2)
    assert (guess.form.order, guess.form.degree) == (order, degree)
    assert guess.form.extend(values[:order], len(values)) == values


def test_index_of_the_first_number_shifts_the_recurrence():
    values = [factorial(n) for n in range(3, 15)]
    guess = guess_recurrence(values, most_degree=1, first=3)
    assert str(guess.form) == "(n + 1)*a(n) + (-1)*a(n + 1) = 0"
    assert guess.form.extend([6], 12) == values


def test_numbers_that_follow_nothing_are_left_alone():
    # Partition numbers, OEIS A000041, follow no linear recurrence with polynomial coefficients.
    partitions = [1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77, 101, 135, 176, 231, 297, 385]
    assert guess_recurrence(partitions, most_order=3, most_degree=2) is None
    assert guess_generating_function(partitions, most_order=6) is None


def test_chance_of_catastrophes_follows_no_short_recurrence():
    # (q; q)_t satisfies a q-recurrence, with q^t in its coefficients, and none of this kind.
    values = [NewOnly(4).catastrophe(t) for t in range(1, 25)]
    assert guess_recurrence(values, most_order=3, most_degree=2) is None


def test_generating_function_of_lattice_points():
    # Weights 1 and 2: 1/((1 − x)²(1 − x²)).
    found = guess_generating_function([ehrhart(1, 2)(n) for n in range(14)])
    assert found.form.denominator == Polynomial((1, -2, 0, 2, -1), "x")
    assert found.form.numerator == Polynomial((1,), "x")
    assert found.form.latex() == r"\frac{1}{-(x + 1) (x - 1)^{3}}"
    assert "GUESSED" not in found.statement("pairs").text


def test_guess_stays_a_guess_until_proved():
    guess = guess_polynomial([0, 1, 3, 6, 10, 15])
    assert guess.statement("sums").status is Status.GUESSED
    assert "predicts the next 2" in guess.statement("sums").grounds
    assert guess.proved("sums", 3, "degree 2").status is Status.PROVED
    with pytest.raises(InputError, match="at most 6"):
        guess.proved("sums", 7, "no reason")


def test_recurrence_is_written_without_zero_terms():
    squares = Recurrence((Polynomial((4,), "n"), Polynomial((), "n"), Polynomial((-1,), "n")))
    assert str(squares) == "(4)*a(n) + (-1)*a(n + 2) = 0"
    assert squares.latex() == r"\left(4\right) a_{n} + \left(-1\right) a_{n + 2} = 0"
    assert Guess(squares, 5, 3).statement("powers").latex == squares.latex()


def test_recurrence_stops_where_it_determines_nothing():
    # (n − 2) a(n + 1) = a(n) says nothing about a(3).
    stuck = Recurrence((Polynomial((1,), "n"), Polynomial((2, -1), "n")))
    with pytest.raises(InputError, match="at most 3"):
        stuck.extend([1], 5)
    with pytest.raises(InputError, match="at least 1 numbers"):
        stuck.extend([], 5)


@pytest.mark.parametrize("values", [[], [1], [1, 2]])
def test_too_few_numbers_are_refused(values):
    with pytest.raises(InputError, match="more than the 2 held"):
        guess_polynomial(values)
    with pytest.raises(InputError, match="numbers"):
        guess_recurrence(values)


def test_too_few_equations_give_no_guess():
    # 3 equations could not test 2 unknowns after the last 3 numbers are held out.
    assert guess_recurrence([1, 2, 4, 8, 16]) is None


def test_wrong_arguments_are_refused():
    with pytest.raises(InputError, match=r"values: got 0\.5"):
        guess_polynomial([1, 2, 0.5, 4])
    with pytest.raises(InputError, match="values"):
        guess_polynomial([1, 2, Symbol("x"), 4])
    with pytest.raises(InputError, match="hold_out: got 0"):
        guess_polynomial([1, 2, 3], hold_out=0)
    with pytest.raises(InputError, match="at least 6 of them"):
        guess_quasi_polynomial([1, 2, 3, 4, 5], 3)
    with pytest.raises(InputError, match="period: got 0"):
        guess_quasi_polynomial([1, 2, 3], 0)
    with pytest.raises(InputError, match="most_order: got 0"):
        guess_recurrence([1, 2, 3, 4, 5], most_order=0)
