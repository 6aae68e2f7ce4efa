"""Polynomials: text, LaTeX and exact signs; and generating functions."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import sympy
from flint import fmpz_poly
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import QQ, Poly, Symbol, apart, sympify
from waves import cyclotomic_waves

from exactdice.arithmetic import from_sympy
from exactdice.errors import InputError
from exactdice.symbolic.polynomial import Polynomial, SignRun, coefficient, partial_fractions

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
def test_irrational_roots_near_whole_numbers(coefficients, around):
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


_PROGRAM = """
from sympy import Float, latex
from sympy.external.gmpy import GROUND_TYPES
from exactdice.studies.swe.closed_forms.catastrophe import telescoping
from exactdice.symbolic.ehrhart import ehrhart
from exactdice.games.swe.new_only import NewOnly
from exactdice.symbolic.polynomial import Polynomial
from exactdice.studies.risk.closed_forms import winning_chance
from exactdice.studies.risk.closed_forms import power_sum, risk_round

expressions = [
    *(count.expression() for count in risk_round(3, 2).counts),
    winning_chance(3, 2).numerator.expression(),
    *(ehrhart(1, 2, 3, 4, 5).quasi_polynomial.polynomial(r).expression() for r in range(60)),
    Polynomial((NewOnly(4).expected_score(3), "1/3", "0.1")).expression(),
    power_sum(4).expression(),
]
assert not any(expression.atoms(Float) for expression in expressions)
print(GROUND_TYPES)
for expression in expressions:
    print(latex(expression))
for statement in telescoping():
    print(statement)
for run in risk_round(6, 5).favoured() + winning_chance(5, 5).favoured():
    print(run)
"""


def run_with(ground_types):
    environment = {**os.environ, "SYMPY_GROUND_TYPES": ground_types}
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", _PROGRAM],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    used, *lines = finished.stdout.splitlines()
    assert used == ground_types
    return lines


@pytest.fixture(scope="module")
def lines_with_python():
    return run_with("python")


@pytest.mark.slow
@pytest.mark.parametrize("ground_types", ["flint", "gmpy"])
def test_same_exact_expressions_under_every_ground_type(ground_types, lines_with_python):
    assert run_with(ground_types) == lines_with_python
    assert not any("." in line for line in lines_with_python if line.startswith("\\frac"))


x = Symbol("x")
whole = st.integers(-4, 4)


def long_division(numerator, denominator, length):
    series = []
    for n in range(length):
        top = numerator[n] if n < len(numerator) else 0
        last = min(n, len(denominator) - 1)
        known = sum(denominator[i] * series[n - i] for i in range(1, last + 1))
        series.append(mpq(top - known) / denominator[0])
    return series


@given(st.lists(whole, max_size=5), whole.filter(bool), st.lists(whole, max_size=4))
def test_coefficient_agrees_with_long_division(numerator, constant, rest):
    denominator = [constant, *rest]
    expected = long_division(numerator, denominator, 25)
    assert [coefficient(numerator, denominator, n) for n in range(25)] == expected


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.lists(whole, min_size=1, max_size=6),
    st.lists(
        st.tuples(
            st.sampled_from([(1, -1), (1, 1), (1, 1, 1), (2, -3), (1, 0, -2)]), st.integers(1, 3)
        ),
        min_size=1,
        max_size=3,
        unique_by=lambda pair: pair[0],
    ),
)
def test_partial_fractions_sum_to_the_fraction_and_match_apart(numerator, factors):
    denominator = fmpz_poly([1])
    for factor, power in factors:
        denominator *= fmpz_poly(list(factor)) ** power
    below = [int(c) for c in denominator.coeffs()]
    whole_part, terms = partial_fractions(numerator, below)
    top, bottom = Poly(numerator[::-1], x, domain=QQ), Poly(below[::-1], x, domain=QQ)
    by_sympy = apart(top.as_expr() / bottom.as_expr(), x)
    # Degrees stay below 20, so 24 points off the roots decide the equality.
    for at in range(10, 34):
        total = whole_part(at)
        for term in terms:
            assert term.numerator.degree < term.factor.degree
            total += term.numerator(at) / term.factor(at) ** term.power
        assert total == from_sympy(by_sympy.subs(x, at))
        assert total == from_sympy(top.eval(at) / bottom.eval(at))


@given(st.dictionaries(st.integers(1, 6), st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_waves_sum_to_the_sequence(exponents, data):
    denominator = fmpz_poly([1])
    for order, power in exponents.items():
        factor = fmpz_poly([1, -1]) if order == 1 else fmpz_poly.cyclotomic(order)
        denominator *= factor**power
    degree = denominator.degree()
    numerator = data.draw(st.lists(whole, min_size=degree, max_size=degree))
    waves = cyclotomic_waves(fmpz_poly(numerator), exponents)
    for order, wave in waves.items():
        assert wave.period == order
        assert wave.degree < exponents[order]
    below = [int(c) for c in denominator.coeffs()]
    for n, expected in enumerate(long_division(numerator, below, 20)):
        assert sum(wave(n) for wave in waves.values()) == expected


def test_latex_of_a_term():
    _, terms = partial_fractions([1], [1, -2, 1])
    assert [term.latex() for term in terms] == [r"\frac{1}{\left(x - 1\right)^{2}}"]
    _, terms = partial_fractions([1], [1, 1])
    assert [term.latex() for term in terms] == [r"\frac{1}{x + 1}"]


@pytest.mark.parametrize("denominator", [[], [0], [0, 1]])
def test_denominator_that_is_zero_at_zero_is_refused(denominator):
    with pytest.raises(InputError, match="denominator"):
        coefficient([1], denominator, 3)
    with pytest.raises(InputError, match="denominator"):
        partial_fractions([1], denominator)


def test_negative_index_and_floats_are_refused():
    with pytest.raises(InputError, match="n: got -1"):
        coefficient([1], [1, 1], -1)
    with pytest.raises(InputError, match="numerator"):
        coefficient([0.5], [1, 1], 1)
