"""Coefficients against long division, partial fractions against SymPy's apart."""

import pytest
from flint import fmpz_poly
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import QQ, Poly, Symbol, apart
from waves import cyclotomic_waves

from exactdice.arithmetic import from_sympy
from exactdice.errors import InputError
from exactdice.symbolic.polynomial import coefficient, partial_fractions

x = Symbol("x")
whole = st.integers(-4, 4)


def long_division(numerator, denominator, length):
    series = []
    for n in range(length):
        top = numerator[n] if n < len(numerator) else 0
        known = sum(
            denominator[i] * series[n - i] for i in range(1, min(n, len(denominator) - 1) + 1)
        )
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
