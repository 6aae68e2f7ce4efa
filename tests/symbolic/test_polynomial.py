"""Polynomials, generating functions, quasi-polynomials; counts of lattice points."""

import os
import subprocess
import sys
from itertools import pairwise, product
from math import factorial, lcm, prod
from operator import mul
from pathlib import Path

import pytest
import sympy
from flint import fmpq_poly, fmpz_poly
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import refuses
from sympy import QQ, Poly, Symbol, apart, sympify

from exactdice.arithmetic import from_sympy
from exactdice.errors import TooLargeError
from exactdice.memory import stored_bytes
from exactdice.symbolic import questions
from exactdice.symbolic.ehrhart import EhrhartPolynomial, Simplex, count_points, ehrhart
from exactdice.symbolic.polynomial import Polynomial, SignRun, _part, coefficient, partial_fractions
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Status

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
        pairs = zip([0, *coefficients], [*coefficients, 0], strict=True)
        coefficients = [above - mpq(root, 2) * here for above, here in pairs]
    if with_irrational:  # and by s² − 2, whose roots are ±1.41…
        pairs = zip([0, 0, *coefficients], [*coefficients, 0, 0], strict=True)
        coefficients = [above - 2 * here for above, here in pairs]
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


def test_constants_zeros_and_terms():
    assert Polynomial(()).sign_runs() == [SignRun(1, None, 0)]
    assert Polynomial((-2,)).sign_runs(5) == [SignRun(5, None, -1)]
    assert Polynomial((1, 2, 0, 0)).degree == 1
    assert Polynomial((0,)).degree == -1
    assert Polynomial((0,)).leading_coefficient == 0
    _, terms = partial_fractions([1], [1, -2, 1])
    assert [term.latex() for term in terms] == [r"\frac{1}{\left(x - 1\right)^{2}}"]
    _, terms = partial_fractions([1], [1, 1])
    assert [term.latex() for term in terms] == [r"\frac{1}{x + 1}"]


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


_PROGRAM = """
from sympy import Float, latex
from sympy.external.gmpy import GROUND_TYPES
from exactdice.studies.swe.closed_forms import telescoping
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
    command, root = [sys.executable, "-W", "error", "-c", _PROGRAM], Path(__file__).parents[2]
    how = {"capture_output": True, "text": True, "check": False}
    finished = subprocess.run(command, env=environment, cwd=root, **how)
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


def cyclotomic_waves(numerator, exponents):
    # Sylvester's partial fractions of numerator/∏ Φ_k(x)^exponents[k]; 1 − x is Φ_1 here.
    factors = {k: fmpz_poly([1, -1]) if k == 1 else fmpz_poly.cyclotomic(k) for k in exponents}
    parts = [(fmpq_poly(factors[order]), exponents[order]) for order in exponents]
    waves = {}
    for order in sorted(exponents):
        power = exponents[order]
        part = _part(fmpq_poly(numerator), fmpq_poly(factors[order]), power, parts)
        # Φ_k divides 1 − x^k; over the power of the latter the part expands into binomials.
        completing = (1 - fmpz_poly([1]).left_shift(order)) // factors[order]
        over = part * fmpq_poly(completing) ** power
        waves[order] = QuasiPolynomial.from_fraction(over, order, power)
    return waves


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


tuples = st.integers(1, 3).flatmap(lambda size: st.tuples(*[small_rationals] * size))
quasi_polynomials = st.lists(tuples, min_size=1, max_size=4).map(
    lambda rows: QuasiPolynomial(tuple(rows))
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


def test_leading_coefficients_that_vanish_or_vary():
    assert QuasiPolynomial(((1, 0), (2, 0, 0))).degree == 0
    assert QuasiPolynomial(((0, 0),)).residues == ((0,),)
    assert QuasiPolynomial(((1,), (2, 3))).residues == ((1, 0), (2, 3))
    assert QuasiPolynomial(((0, 1), (0, 2))).leading_coefficient is None


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


def points_of(weights, bound):
    """All points, in lexicographic order, from the definition."""
    ranges = [range(bound // weight + 1) for weight in weights]
    return [x for x in product(*ranges) if sum(map(mul, weights, x)) <= bound]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 12))
def test_numbering_is_the_lexicographic_enumeration(weights, bound):
    simplex = Simplex(weights, bound)
    points = points_of(weights, bound)
    assert list(simplex) == points
    assert [simplex.rank(point) for point in points] == list(range(len(points)))
    assert simplex.level_counts() == [
        sum(sum(w * y for w, y in zip(weights, x, strict=True)) == level for x in points)
        for level in range(bound + 1)
    ]


@given(st.data())
def test_ranking_inverts_unranking_far_out(data):
    simplex = Simplex((1, 1, 2, 2, 3, 3, 4, 4, 5, 5), 60)
    position = data.draw(st.integers(0, simplex.size - 1))
    assert simplex.rank(simplex.unrank(position)) == position


@pytest.mark.parametrize(("weights", "bound"), [((1,), 0), ((1, 2), 6), ((3, 1, 1), 7)])
def test_a_simplex_asks_for_the_memory_of_its_counts(weights, bound, monkeypatch):
    """For each weight and once more a count for 0 to the bound, of (bound + 1)^d points at most."""
    asked = []
    module = sys.modules[Simplex.__module__]
    monkeypatch.setattr(module, "require_memory", lambda *said: asked.append(said))
    Simplex(weights, bound)
    counts = (len(weights) + 1) * (bound + 1)
    bits = len(weights) * (bound + 1).bit_length()
    assert asked == [(stored_bytes(counts, bits), f"a simplex of bound {bound}")]


#: The module, whose name in the package is that of its function.
ehrhart_polynomials = sys.modules[EhrhartPolynomial.__module__]

FIVE = (1, 2, 3, 4, 5)
TEN = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)

weight_lists = st.lists(st.integers(1, 6), min_size=1, max_size=4)


def enumerated(weights, n, least=0, strict=False):
    ranges = [range(least, n // w + 1) for w in weights]
    weighed = (sum(w * y for w, y in zip(weights, x, strict=True)) for x in product(*ranges))
    return sum(total < n if strict else total <= n for total in weighed)


@pytest.mark.slow
@settings(max_examples=50)
@given(weight_lists)
def test_counts_agree_with_enumeration(weights):
    function = EhrhartPolynomial(weights)
    for n in range(14):
        assert function(n) == count_points(weights, n) == enumerated(weights, n)
    function = EhrhartPolynomial(weights)
    for n in range(1, 16):
        assert function.interior(n) == enumerated(weights, n, least=1, strict=True)


@given(weight_lists)
def test_polynomials_of_weights_agree_with_theory(weights):
    function = EhrhartPolynomial(weights)
    assert function.degree == function.quasi_polynomial.degree == len(weights)
    # The smallest period is the least common multiple of the weights: nothing cancels.
    assert function.period == function.quasi_polynomial.reduced().period == lcm(*weights)
    volume = mpq(1, factorial(len(weights)) * prod(weights))
    assert function.leading_coefficient == volume
    assert function.quasi_polynomial.leading_coefficient == volume
    function = EhrhartPolynomial(weights)
    total = QuasiPolynomial(((0,),))
    for order, wave in function.waves.items():
        total += wave
        assert wave.degree == sum(w % order == 0 for w in (1, *weights)) - 1
    assert total.reduced() == function.quasi_polynomial.reduced()
    # Another way to them: inverses modulo powers of the cyclotomic polynomials.
    orders = [k for k in range(1, max(weights) + 1) if any(w % k == 0 for w in weights)]
    powers = {k: sum(w % k == 0 for w in (1, *weights)) for k in orders}
    assert EhrhartPolynomial(weights).waves == cyclotomic_waves(fmpz_poly([1]), powers)
    function = EhrhartPolynomial(weights)
    assert function.proof().status is Status.PROVED
    assert function.reciprocity().status is Status.PROVED


def test_waves_of_a_large_period_by_hand():
    # Σ over y ≤ m = (n − r)/p of n − p·y + 1 is (n² + (p + 2)n + (p − r)(r + 2))/(2p).
    p = 10007
    constants = [mpq((p - r) * (r + 2), 2 * p) for r in range(p)]
    mean = sum(constants, mpq(0)) / p
    waves = EhrhartPolynomial([1, p]).waves  # p is prime: of orders 1 and p
    assert waves[1].residues == ((mean, mpq(p + 2, 2 * p), mpq(1, 2 * p)),)
    assert waves[p].residues == tuple((constant - mean,) for constant in constants)


@pytest.mark.parametrize(
    ("weights", "n", "count"),
    # Counted by Normaliz, LattE and barvinok, which agree.
    [(FIVE, 10, 113), (FIVE, 22, 1601), (FIVE, 100, 1016288), (TEN, 10, 1079), (TEN, 22, 77030)],
)
def test_dice_of_the_software_engineering_game(weights, n, count):
    assert ehrhart(*weights)(n) == count_points(weights, n) == Simplex(weights, n).size == count
    assert Simplex(weights, n + 7).count(n) == count


def test_written_coefficients_by_hand():
    # Weights 1, 2: (n² + 4n + 4)/4 for even n and (n² + 4n + 3)/4 for odd n, by hand.
    assert ehrhart(1, 2).quasi_polynomial.residues == ((1, 1, mpq(1, 4)), (mpq(3, 4), 1, mpq(1, 4)))
    waves = ehrhart(*FIVE).waves
    # Degrees from the multiplicity of the poles: k divides 6, 2, 1, 1, 1 of 1, 1, 2, 3, 4, 5.
    assert {k: wave.degree for k, wave in waves.items()} == {1: 5, 2: 1, 3: 0, 4: 0, 5: 0}
    assert {k: wave.degree for k, wave in ehrhart(*TEN).waves.items()} == {
        1: 10, 2: 3, 3: 1, 4: 1, 5: 1
    }  # fmt: skip
    # (n + 2)²/4 for even n and ((n + 2)² − 1)/4 for odd n.
    assert str(ehrhart(1, 2)) == "1/4*n**2 + n + 7/8 + [1/8, -1/8]"
    assert count_points((2, 10**12), 5) == 3
    # OEIS A001401, partitions of n into at most 5 parts; the count sums them up.
    partitions = [1, 1, 2, 3, 5, 7, 10, 13, 18, 23, 30, 37, 47, 57, 70, 84, 101, 119, 141, 164]
    function = ehrhart(*FIVE)
    assert [function(n) - (function(n - 1) if n else 0) for n in range(20)] == partitions


def test_far_counts_by_two_methods():
    # The quasi-polynomial against one coefficient of the generating function.
    for weights in (FIVE, TEN, (7, 7, 12)):
        for n in (10**6, 10**6 + 1, 10**30 + 17):
            assert ehrhart(*weights)(n) == count_points(weights, n)
    # 60-digit n, weights whose period is 53 million: the volume gives the leading digits, and the
    # number of points for n = L is found by one coordinate after another in the small case below.
    weights = (97, 89, 83, 79)
    n = 10**60
    ratio = mpq(count_points(weights, n) * factorial(4) * prod(weights), n**4)
    assert 1 < ratio < 1 + mpq(1, 10**55)
    assert count_points(weights, 400) == enumerated(weights, 400)


@pytest.mark.parametrize("weights", [FIVE, TEN, (2, 4, 6), (5,), (3, 3, 7)])
def test_normaliz_finds_the_same_quasi_polynomial(weights):
    normaliz = pytest.importorskip("PyNormaliz", reason="PyNormaliz is not installed")
    d = len(weights)
    unit = [[int(i == j) for j in range(d + 1)] for i in range(d)]
    cone = normaliz.Cone(inequalities=[*unit, [*(-w for w in weights), 1]], grading=[[0] * d + [1]])
    *rows, denominator = cone.HilbertQuasiPolynomial()
    theirs = QuasiPolynomial(tuple(tuple(mpq(c, denominator) for c in row) for row in rows))
    assert theirs.reduced() == ehrhart(*weights).quasi_polynomial.reduced()


@pytest.mark.parametrize(
    ("weights", "n"), [(FIVE, 10), (FIVE, 59), (FIVE, 1000), (TEN, 22), ((3, 3, 7), 50)]
)
def test_latte_counts_the_same_points(weights, n, tmp_path):
    wanted = "LattE is not installed: passagemath-latte-4ti2 and passagemath-cddlib"
    wheels = pytest.importorskip("sage_wheels", reason=wanted)
    program = Path(wheels.__path__[0]) / "bin" / "count"
    if not (program.exists() and program.with_name("scdd_gmp").exists()):
        pytest.skip(wanted)
    d = len(weights)
    # Each row b, −a stands for b − a·x ≥ 0.
    unit = [[0] * (i + 1) + [1] + [0] * (d - i - 1) for i in range(d)]
    rows = [[n, *(-w for w in weights)], *unit]
    system = "\n".join([f"{d + 1} {d + 1}", *(" ".join(map(str, row)) for row in rows)])
    (tmp_path / "simplex.hrep").write_text(system + "\n")
    how = {"cwd": tmp_path, "capture_output": True, "check": True, "timeout": 60}
    subprocess.run([program, "simplex.hrep"], **how)
    assert int((tmp_path / "numOfLatticePoints").read_text()) == ehrhart(*weights)(n)


def test_limits_on_coefficients_are_the_last_that_are_taken(monkeypatch):
    # A period of 6 and three coefficients in each residue; weights up to 5 sum to 2 + 3.
    monkeypatch.setattr(ehrhart_polynomials, "MAX_COEFFICIENTS", 18)
    assert EhrhartPolynomial((2, 3))(5) == enumerated((2, 3), 5)
    monkeypatch.setattr(ehrhart_polynomials, "MAX_COEFFICIENTS", 17)
    with pytest.raises(TooLargeError, match="period 6: 18 coefficients, more than the limit of 17"):
        EhrhartPolynomial((2, 3))
    monkeypatch.setattr(ehrhart_polynomials, "MAX_COEFFICIENTS", 5)
    assert count_points((2, 3, 6), 5) == enumerated((2, 3), 5)
    refuses(TooLargeError, "sum to 11, more than the limit of 5", count_points, (2, 3, 6), 6)


def test_wrong_proofs_and_counts_are_noticed(monkeypatch):
    monkeypatch.setattr(questions, "count_points", lambda *_: 5)
    with pytest.raises(AssertionError, match="two counts differ at n = 2"):
        questions.ehrhart_report(ehrhart(1, 2), 2)
    wrong = EhrhartPolynomial((1, 2))
    even, _odd = wrong.quasi_polynomial.residues
    monkeypatch.setattr(wrong, "quasi_polynomial", QuasiPolynomial((even, (0, *even[1:]))))
    refuses(AssertionError, "fails at n = 1", wrong.proof)
    monkeypatch.setattr(wrong, "quasi_polynomial", QuasiPolynomial(((0, 1),)))
    refuses(AssertionError, "reciprocity", wrong.reciprocity)
