"""Quasi-polynomials expand their fraction, and arithmetic on them is that of functions."""

import numpy as np
import pytest
from flint import fmpz_poly
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol

from exactdice.errors import InputError
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial

small_rationals = st.builds(mpq, st.integers(-3, 3), st.integers(1, 3))
quasi_polynomials = st.tuples(st.integers(1, 4), st.integers(1, 3)).flatmap(
    lambda shape: st.lists(
        st.lists(small_rationals, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    ).map(lambda rows: QuasiPolynomial(tuple(map(tuple, rows))))
)


def expanded(numerator, period, power, length):
    """Coefficients by long division: multiply by 1 + x^period + x^2period + … `power` times."""
    series = [*numerator, *[0] * length][:length]
    for _ in range(power):
        for n in range(period, length):
            series[n] += series[n - period]
    return series


@given(st.data(), st.integers(1, 5), st.integers(1, 4))
def test_fraction_expands_from_the_first_coefficient_on(data, period, power):
    size = period * power
    numerator = data.draw(st.lists(st.integers(-5, 5), min_size=size, max_size=size))
    function = QuasiPolynomial.from_fraction(fmpz_poly(numerator), period, power)
    assert [function(n) for n in range(30)] == expanded(numerator, period, power, 30)


@given(quasi_polynomials, quasi_polynomials, small_rationals, st.integers(-4, 4))
def test_operations_are_those_of_functions(f, g, factor, shift):
    total, multiple, mirror, same = f + g, f.scaled(factor), f.reflected(shift), f.reduced()
    for n in range(-13, 13):
        assert total(n) == f(n) + g(n)
        assert multiple(n) == factor * f(n)
        assert mirror(n) == f(shift - n)
        assert same(n) == f(n) == f.polynomial(n % f.period)(n)


@given(quasi_polynomials)
def test_reduced_period_divides_and_is_that_of_the_coefficients(f):
    assert f.period % f.reduced().period == 0
    for power in range(f.degree + 1):
        assert f.reduced().period % f.coefficient_period(power) == 0


def test_degree_does_not_count_coefficients_that_are_zero_everywhere():
    assert QuasiPolynomial(((1, 0), (2, 0, 0))).degree == 0
    assert QuasiPolynomial(((0, 0),)).residues == ((0,),)
    assert QuasiPolynomial(((1,), (2, 3))).residues == ((1, 0), (2, 3))


@given(quasi_polynomials)
def test_waves_of_all_orders_sum_to_the_function_and_average_to_nothing(f):
    orders = [k for k in range(1, f.period + 1) if f.period % k == 0]
    waves = f.waves(orders)
    assert list(waves) == orders
    for n in range(-6, 12):
        assert sum(wave(n) for wave in waves.values()) == f(n)
    for order, wave in waves.items():
        assert wave.period == order
        # Roots of unity of that order alone: over the multiples of a divisor nothing remains.
        for coarse in (k for k in orders if k < order and order % k == 0):
            for start in range(coarse):
                rows = wave.residues[start::coarse]
                assert all(sum(column) == 0 for column in zip(*rows, strict=True))


def test_orders_of_waves_divide_the_period():
    with pytest.raises(InputError, match="orders: got 3; expected divisors of the period, 2"):
        QuasiPolynomial(((1,), (2,))).waves([3])


def test_leading_coefficient_that_varies_is_none():
    assert QuasiPolynomial(((0, 1), (0, 2))).leading_coefficient is None


@pytest.mark.parametrize(
    ("residues", "latex"),  # worked by hand
    [
        (((0,),), "0"),
        (((0, -1),), "-n"),
        (((1, 0, 1),), "n^{2} + 1"),
        (((-1, "1/2"), (3, "1/2")), r"\frac{1}{2} n + \left[-1, 3\right]_n"),
        (((0, 1), (0, -2)), r"\left[1, -2\right]_n n"),
    ],
)
def test_latex(residues, latex):
    assert QuasiPolynomial(residues).latex() == latex


def test_improper_fraction_is_refused():
    with pytest.raises(InputError, match="degree below 2"):
        QuasiPolynomial.from_fraction(fmpz_poly([0, 0, 1]), 1, 2)


@pytest.mark.parametrize("residues", [(), ((),), ((1,), ())])
def test_missing_coefficients_are_refused(residues):
    with pytest.raises(InputError, match="at least one coefficient"):
        QuasiPolynomial(residues)


@pytest.mark.parametrize("n", [2.0, "x", mpq(1, 2), Symbol("n")])
def test_argument_must_be_a_whole_number(n):
    with pytest.raises(InputError, match="n: got"):
        QuasiPolynomial(((1,), (2,)))(n)


def test_wrong_residue_and_power_are_refused():
    f = QuasiPolynomial(((1,), (2,)))
    with pytest.raises(InputError, match="residue: got 2"):
        f.polynomial(2)
    with pytest.raises(InputError, match="power: got 1"):
        f.coefficient_period(1)


@pytest.mark.parametrize("number", [1, np.int64(1), np.float64(1)])
def test_a_number_is_not_added(number):
    linear = QuasiPolynomial(((1, 2),))
    for add in (lambda: linear + number, lambda: number + linear):
        with pytest.raises(TypeError, match="operand"):
            add()


def test_the_shift_is_a_whole_number():
    with pytest.raises(InputError, match="shift: got '1/2'; expected a whole number"):
        QuasiPolynomial(((1, 2),)).reflected("1/2")
