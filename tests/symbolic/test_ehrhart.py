"""Lattice points: ranks, and counts against enumeration and independent programs."""

import subprocess
import sys
from itertools import product
from math import factorial, lcm, prod
from operator import mul
from pathlib import Path

import pytest
from flint import fmpz_poly
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol
from waves import cyclotomic_waves

from exactdice.errors import InputError, TooLargeError
from exactdice.memory import stored_bytes
from exactdice.symbolic import questions
from exactdice.symbolic.ehrhart import EhrhartPolynomial, Simplex, count_points, ehrhart
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Status


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


@pytest.mark.parametrize("point", [(4, 0), (0, 2), (-1, 1), (1,), (1, 1, 0), (1.0, 0), ("1", 0)])
def test_point_outside_the_simplex_does_not_wrap_round(point):
    with pytest.raises(InputError, match="weigh at most 3"):
        Simplex((1, 2), 3).rank(point)


@pytest.mark.parametrize("position", [-1, 6])
def test_number_outside_the_simplex_is_refused(position):
    with pytest.raises(InputError, match="from 0 to 5"):
        Simplex((1, 2), 3).unrank(position)


@pytest.mark.parametrize(("weights", "bound"), [((), 3), ((0, 1), 3), ((1,), -1)])
def test_degenerate_simplices_are_refused(weights, bound):
    with pytest.raises(InputError):
        Simplex(weights, bound)


def test_a_simplex_that_does_not_fit_is_refused():
    with pytest.raises(TooLargeError, match="a simplex of bound 1000000000 needs about"):
        Simplex((1,), 10**9)


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


@settings(max_examples=50)
@given(weight_lists)
def test_count_agrees_with_enumeration(weights):
    function = EhrhartPolynomial(weights)
    for n in range(14):
        assert function(n) == count_points(weights, n) == enumerated(weights, n)


@settings(max_examples=50)
@given(weight_lists)
def test_negative_arguments_count_the_points_inside(weights):
    function = EhrhartPolynomial(weights)
    for n in range(1, 16):
        assert function.interior(n) == enumerated(weights, n, least=1, strict=True)


@given(weight_lists)
def test_degree_period_and_volume(weights):
    function = EhrhartPolynomial(weights)
    assert function.degree == function.quasi_polynomial.degree == len(weights)
    # The smallest period is the least common multiple of the weights: nothing cancels.
    assert function.period == function.quasi_polynomial.reduced().period == lcm(*weights)
    volume = mpq(1, factorial(len(weights)) * prod(weights))
    assert function.leading_coefficient == volume
    assert function.quasi_polynomial.leading_coefficient == volume


@given(weight_lists)
def test_waves_sum_to_the_count(weights):
    function = EhrhartPolynomial(weights)
    total = QuasiPolynomial(((0,),))
    for order, wave in function.waves.items():
        total += wave
        assert wave.degree == sum(w % order == 0 for w in (1, *weights)) - 1
    assert total.reduced() == function.quasi_polynomial.reduced()


@given(weight_lists)
def test_waves_are_the_partial_fractions_of_the_generating_function(weights):
    # Another way to them: inverses modulo powers of the cyclotomic polynomials.
    orders = [k for k in range(1, max(weights) + 1) if any(w % k == 0 for w in weights)]
    powers = {k: sum(w % k == 0 for w in (1, *weights)) for k in orders}
    assert EhrhartPolynomial(weights).waves == cyclotomic_waves(fmpz_poly([1]), powers)


def test_waves_of_a_large_period_by_hand():
    # Σ over y ≤ m = (n − r)/p of n − p·y + 1 is (n² + (p + 2)n + (p − r)(r + 2))/(2p).
    p = 10007
    constants = [mpq((p - r) * (r + 2), 2 * p) for r in range(p)]
    mean = sum(constants, mpq(0)) / p
    waves = EhrhartPolynomial([1, p]).waves  # p is prime: of orders 1 and p
    assert waves[1].residues == ((mean, mpq(p + 2, 2 * p), mpq(1, 2 * p)),)
    assert waves[p].residues == tuple((constant - mean,) for constant in constants)


@given(weight_lists)
def test_proof_and_reciprocity_hold(weights):
    function = EhrhartPolynomial(weights)
    assert function.proof().status is Status.PROVED
    assert function.reciprocity().status is Status.PROVED


@pytest.mark.parametrize(
    ("weights", "n", "count"),
    # Counted by Normaliz, LattE and barvinok, which agree.
    [(FIVE, 10, 113), (FIVE, 22, 1601), (FIVE, 100, 1016288), (TEN, 10, 1079), (TEN, 22, 77030)],
)
def test_dice_of_the_software_engineering_game(weights, n, count):
    assert ehrhart(*weights)(n) == count_points(weights, n) == Simplex(weights, n).size == count
    assert Simplex(weights, n + 7).count(n) == count


def test_partitions_into_at_most_five_parts():
    # OEIS A001401, partitions of n into at most 5 parts; the count sums them up.
    partitions = [1, 1, 2, 3, 5, 7, 10, 13, 18, 23, 30, 37, 47, 57, 70, 84, 101, 119, 141, 164]
    function = ehrhart(*FIVE)
    assert [function(n) - (function(n - 1) if n else 0) for n in range(20)] == partitions


def test_five_weights_written_out():
    # Weights 1, 2: (n² + 4n + 4)/4 for even n and (n² + 4n + 3)/4 for odd n, by hand.
    assert ehrhart(1, 2).quasi_polynomial.residues == ((1, 1, mpq(1, 4)), (mpq(3, 4), 1, mpq(1, 4)))
    waves = ehrhart(*FIVE).waves
    # Degrees from the multiplicity of the poles: k divides 6, 2, 1, 1, 1 of 1, 1, 2, 3, 4, 5.
    assert {k: wave.degree for k, wave in waves.items()} == {1: 5, 2: 1, 3: 0, 4: 0, 5: 0}
    assert {k: wave.degree for k, wave in ehrhart(*TEN).waves.items()} == {
        1: 10, 2: 3, 3: 1, 4: 1, 5: 1
    }  # fmt: skip


def test_text_is_the_sum_of_the_waves():
    # (n + 2)²/4 for even n and ((n + 2)² − 1)/4 for odd n.
    assert str(ehrhart(1, 2)) == "1/4*n**2 + n + 7/8 + [1/8, -1/8]"


def test_far_counts_by_two_methods():
    # The quasi-polynomial against one coefficient of the generating function.
    for weights in (FIVE, TEN, (7, 7, 12)):
        for n in (10**6, 10**6 + 1, 10**30 + 17):
            assert ehrhart(*weights)(n) == count_points(weights, n)


def test_count_with_a_period_too_long_to_write_out():
    # 60-digit n, weights whose period is 53 million: the volume gives the leading digits, and the
    # number of points for n = L is found by one coordinate after another in the small case below.
    weights = (97, 89, 83, 79)
    n = 10**60
    ratio = mpq(count_points(weights, n) * factorial(4) * prod(weights), n**4)
    assert 1 < ratio < 1 + mpq(1, 10**55)
    assert count_points(weights, 400) == enumerated(weights, 400)


def test_weights_above_the_bound_do_not_matter():
    assert count_points((2, 10**12), 5) == 3


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


@pytest.mark.parametrize("weights", [(), (0,), (1, -2), (1.5,), ("x",), (Symbol("w"),), (True,)])
def test_wrong_weights_are_refused(weights):
    for make in (EhrhartPolynomial, lambda w: count_points(w, 5)):
        with pytest.raises(InputError, match="weights: got"):
            make(weights)


@pytest.mark.parametrize("n", [-1, "two", 2.0, Symbol("n")])
def test_wrong_bounds_are_refused(n):
    with pytest.raises(InputError, match="n: got"):
        ehrhart(1, 2)(n)
    with pytest.raises(InputError, match="n: got"):
        count_points((1, 2), n)


def test_interior_needs_a_positive_dilation():
    with pytest.raises(InputError, match="n: got 0"):
        ehrhart(1, 2).interior(0)


def test_too_long_periods_and_weights_are_refused_with_their_size():
    with pytest.raises(TooLargeError, match="period 56606581"):
        EhrhartPolynomial((97, 89, 83, 79))
    with pytest.raises(TooLargeError, match="sum to 1000000000"):
        count_points((10**9,), 10**12)


def test_limits_on_coefficients_are_the_last_that_are_taken(monkeypatch):
    # A period of 6 and three coefficients in each residue; weights up to 5 sum to 2 + 3.
    monkeypatch.setattr(ehrhart_polynomials, "MAX_COEFFICIENTS", 18)
    assert EhrhartPolynomial((2, 3))(5) == enumerated((2, 3), 5)
    monkeypatch.setattr(ehrhart_polynomials, "MAX_COEFFICIENTS", 17)
    with pytest.raises(TooLargeError, match="period 6: 18 coefficients, more than the limit of 17"):
        EhrhartPolynomial((2, 3))
    monkeypatch.setattr(ehrhart_polynomials, "MAX_COEFFICIENTS", 5)
    assert count_points((2, 3, 6), 5) == enumerated((2, 3), 5)
    with pytest.raises(TooLargeError, match="sum to 11, more than the limit of 5"):
        count_points((2, 3, 6), 6)


def test_two_counts_that_differ_are_noticed(monkeypatch):
    monkeypatch.setattr(questions, "count_points", lambda *_: 5)
    with pytest.raises(AssertionError, match="two counts differ at n = 2"):
        questions.ehrhart_report(ehrhart(1, 2), 2)


def test_proof_and_reciprocity_find_a_wrong_coefficient(monkeypatch):
    wrong = EhrhartPolynomial((1, 2))
    even, _odd = wrong.quasi_polynomial.residues
    monkeypatch.setattr(wrong, "quasi_polynomial", QuasiPolynomial((even, (0, *even[1:]))))
    with pytest.raises(AssertionError, match="fails at n = 1"):
        wrong.proof()
    monkeypatch.setattr(wrong, "quasi_polynomial", QuasiPolynomial(((0, 1),)))
    with pytest.raises(AssertionError, match="reciprocity"):
        wrong.reciprocity()
