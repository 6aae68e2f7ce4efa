"""Polynomials as results: text and LaTeX say the same as the coefficients, signs are exact."""

from itertools import pairwise

import pytest
import sympy
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Poly, Symbol, sympify

from exactdice.arithmetic import from_sympy
from exactdice.errors import InputError
from exactdice.symbolic.polynomial import Polynomial, SignRun

small_rationals = st.builds(mpq, st.integers(-6, 6), st.integers(1, 4))
polynomials = st.lists(small_rationals, max_size=6).map(lambda cs: Polynomial(tuple(cs)))


@given(polynomials)
def test_text_reads_back_as_the_same_polynomial(polynomial):
    # SymPy parses the text; rational=True keeps it from making Floats.
    difference = sympify(str(polynomial), rational=True) - polynomial.expression()
    assert difference.expand() == 0


@given(polynomials)
def test_factors_multiply_to_the_polynomial(polynomial):
    constant, factors = polynomial.factored()
    product = Poly(str(constant), Symbol("s"), domain="QQ")
    for factor, power in factors:
        assert factor.leading_coefficient > 0
        assert Poly(factor.expression(), Symbol("s"), domain="QQ").is_irreducible
        product *= Poly(factor.expression(), Symbol("s"), domain="QQ") ** power
    assert product == Poly(polynomial.expression(), Symbol("s"), domain="QQ")


@given(polynomials, small_rationals)
def test_value_agrees_with_sympy(polynomial, at):
    s = Symbol("s")
    expected = polynomial.expression().subs(s, sympify(str(at), rational=True))
    assert polynomial(at) == from_sympy(expected)


@given(polynomials)
def test_flint_round_trip(polynomial):
    assert Polynomial.from_flint(polynomial.to_flint()) == polynomial


@given(st.lists(st.integers(-12, 12), max_size=4), st.integers(-3, 3), st.booleans())
def test_sign_runs_are_the_signs_at_every_whole_number(roots, first, with_irrational):
    coefficients = [1]
    for root in roots:  # multiply by (s − root/2), so that half of the roots are whole
        coefficients = [
            (coefficients[i - 1] if i else 0)
            - mpq(root, 2) * (coefficients[i] if i < len(coefficients) else 0)
            for i in range(len(coefficients) + 1)
        ]
    if with_irrational:  # and by s² − 2, whose roots are ±1.41…
        coefficients = [
            (coefficients[i - 2] if i > 1 else 0)
            - 2 * (coefficients[i] if i < len(coefficients) else 0)
            for i in range(len(coefficients) + 2)
        ]
    polynomial = Polynomial(tuple(coefficients))
    runs = polynomial.sign_runs(first)
    assert runs[0].first == first
    assert runs[-1].last is None
    assert all(a.last + 1 == b.first for a, b in pairwise(runs))
    for n in range(first, 20):  # beyond all roots, which are at most 6
        value = polynomial(n)
        sign = next(r.sign for r in runs if r.first <= n and (r.last is None or n <= r.last))
        assert sign == (value > 0) - (value < 0)


@pytest.mark.parametrize(
    ("coefficients", "around"),  # squares by hand: 399/100 < 4 < 401/100, 2 < 2.25 < 3
    [
        ((-399, 0, 100), [(-2, -1), (1, 2)]),
        ((-401, 0, 100), [(-3, -2), (2, 3)]),
        ((-2, 0, 1), [(-2, -1), (1, 2)]),
        ((-3, 2), [(1, 2)]),
        ((1, 0, 1), []),
        ((-999999, 0, 0, 1), [(99, 100)]),
        ((-1000001, 0, 0, 1), [(100, 101)]),
    ],
)
def test_irrational_roots_beside_whole_numbers(coefficients, around):
    assert Polynomial(coefficients).root_intervals() == around


@pytest.mark.parametrize("width", [2, 3, 10])
def test_however_wide_a_root_is_isolated_it_lies_between_two_whole_numbers(width, monkeypatch):
    isolated = [((-width, 0), 1), ((0, width), 1)]
    monkeypatch.setattr(sympy.Poly, "intervals", lambda _: isolated)
    assert Polynomial((-2, 0, 1)).root_intervals() == [(-2, -1), (1, 2)]  # 1 < 2 < 4


def test_signs_of_constants():
    assert Polynomial(()).sign_runs() == [SignRun(1, None, 0)]
    assert Polynomial((-2,)).sign_runs(5) == [SignRun(5, None, -1)]


@pytest.mark.parametrize(
    ("coefficients", "latex", "plain"),  # worked by hand
    [
        ((), "0", "0"),
        (("-1/2",), r"-\frac{1}{2}", "-1/2"),
        ((0, 1), "s", "s"),
        ((1, 1), "s + 1", "s + 1"),
        (("1/2", "1/2"), r"\frac{s + 1}{2}", "(s + 1)/2"),
        ((0, 0, -3), "-3 s^{2}", "-3*s**2"),
        ((-1, 0, 1), "(s + 1) (s - 1)", "(s + 1)*(s - 1)"),
        ((0, "-1/2", "1/2"), r"\frac{s (s - 1)}{2}", "s*(s - 1)/2"),
        ((1, 0, "-1/3"), r"-\frac{(s^{2} - 3)}{3}", "-(s**2 - 3)/3"),
    ],
)
def test_written_form(coefficients, latex, plain):
    assert Polynomial(coefficients).latex() == latex
    assert str(Polynomial(coefficients)) == plain


def test_trailing_zeros_do_not_count():
    assert Polynomial((1, 2, 0, 0)).degree == 1
    assert Polynomial((0,)).degree == -1
    assert Polynomial((0,)).leading_coefficient == 0


def test_float_and_symbol_are_refused():
    for wrong in (0.5, Symbol("x")):
        with pytest.raises(InputError, match="exact number"):
            Polynomial((1, wrong))
        with pytest.raises(InputError, match="s: got"):
            Polynomial((1, 2))(wrong)
