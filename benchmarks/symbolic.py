"""Closed forms: quasi-polynomials, ranks, Risk polynomials, against SymPy and plain loops.

SymPy's interpolation gets the counts for nothing and only fits one polynomial for each residue; its
`apart` takes the generating function of the weights 1 … 5. The rivals of a far count and of the
expected score are the loops that one writes first.
"""

from fractions import Fraction
from math import comb

import sympy

from benchmarks.bench import Bench, Measured, fastest
from exactdice.arithmetic import from_sympy, to_fraction
from exactdice.games.risk.rounds import weak_orders
from exactdice.games.swe.new_only import NewOnly
from exactdice.studies.risk.closed_forms import RoundPolynomials, winning_chance
from exactdice.symbolic.ehrhart import EhrhartPolynomial, Simplex, count_points
from exactdice.symbolic.polynomial import partial_fractions

FIVE = (1, 2, 3, 4, 5)
TEN = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)


def by_sympy(weights: tuple[int, ...]) -> tuple[tuple[object, ...], ...]:
    """Fit the polynomial of each residue with SymPy's interpolate."""
    exact = EhrhartPolynomial(weights)
    n = sympy.Symbol("n")
    counts = exact.direct_counts(exact.period * (exact.degree + 1))
    rows = []
    for residue in range(exact.period):
        points = [(m, counts[m]) for m in range(residue, len(counts), exact.period)]
        polynomial = sympy.Poly(sympy.interpolate(points, n), n)
        rows.append(tuple(from_sympy(c) for c in reversed(polynomial.all_coeffs())))
    return tuple(rows)


def plain_count(weights: tuple[int, ...], n: int) -> int:
    """Count by one pass over 0 … n for each weight."""
    counts = [1] * (n + 1)
    for weight in weights:
        for m in range(weight, n + 1):
            counts[m] += counts[m - weight]
    return counts[n]


def plain_score(sides: int, rounds: int) -> Fraction:
    """Play the chain of the revenue dice, over Fractions."""
    q = Fraction(sides - 1, sides)
    mass, scored = {0: Fraction(1)}, {0: Fraction(0)}
    for _ in range(rounds):
        new_mass: dict[int, Fraction] = {}
        new_scored: dict[int, Fraction] = {0: Fraction(0)}
        for dice, chance in mass.items():
            for left in range(dice + 2):
                ways = comb(dice + 1, left) * q**left * (1 - q) ** (dice + 1 - left)
                new_mass[left] = new_mass.get(left, Fraction(0)) + ways * chance
                if left:
                    gained = ways * (scored[dice] + left * chance)
                    new_scored[left] = new_scored.get(left, Fraction(0)) + gained
        mass, scored = new_mass, new_scored
    return sum(scored.values())


def all_rounds() -> int:
    """Derive and factor the polynomials of all rounds up to 6 v 6."""
    weak_orders.cache_clear()
    factors = 0
    for a in range(1, 7):
        for d in range(1, 7):
            factors += sum(len(count.factored()[1]) for count in RoundPolynomials(a, d).counts)
    return factors


def measure(bench: Bench) -> None:
    for weights, limit in ((FIVE, "0.05"), (TEN, "0.1")):
        ours = fastest(lambda w=weights: EhrhartPolynomial(w).quasi_polynomial.residues)
        theirs = fastest(lambda w=weights: by_sympy(w), runs=1)
        shown = ",".join(map(str, weights))
        bench.add(f"quasi-polynomial of {shown}", ours, limit, "SymPy's interpolate", theirs)

    x = sympy.Symbol("x")
    below = sympy.Poly((1 - x) * sympy.prod(1 - x**w for w in FIVE), x).all_coeffs()[::-1]
    ours = fastest(lambda: len(partial_fractions([1], [int(c) for c in below])[1]))
    fraction = 1 / sympy.Poly(below[::-1], x).as_expr()
    theirs = fastest(lambda: len(sympy.apart(fraction, x).as_ordered_terms()), runs=1)
    bench.add("its partial fractions", ours, "", "SymPy's apart", theirs)

    for weights in (FIVE, TEN):
        exact = EhrhartPolynomial(weights)
        ours = fastest(lambda e=exact: e(10**6))
        theirs = fastest(lambda w=weights: plain_count(w, 10**6), runs=1)
        bench.add(f"count at 10^6, d = {len(weights)}", ours, "0.001", "plain loops", theirs)
        bench.add(
            f"count at 10^6 without it, d = {len(weights)}",
            fastest(lambda w=weights: count_points(w, 10**6)),
        )

    simplex = Simplex(TEN, 100)
    position = simplex.size // 3
    point = simplex.unrank(position)
    for what, compute in (
        ("rank", lambda: simplex.rank(point)),
        ("unrank", lambda: simplex.unrank(position)),
    ):
        many = fastest(lambda c=compute: [c() for _ in range(10_000)])
        bench.add(f"{what} 10 000 times, d = 10, n = 100", many, "0.1")

    bench.add("Risk polynomials up to 6 v 6, factored", fastest(all_rounds), "1")
    chance = fastest(lambda: winning_chance.__wrapped__(10, 10).power)
    bench.add("Risk 10 v 10 as a function of s", chance)

    ours = fastest(lambda: to_fraction(NewOnly(4).expected_score(60)))
    theirs: Measured = fastest(lambda: plain_score(4, 60), runs=1)
    bench.add("expected score, 60 rounds", ours, "", "plain chain", theirs)
    bench.add("expected score, 100 rounds", fastest(lambda: NewOnly(4).expected_score(100)))
