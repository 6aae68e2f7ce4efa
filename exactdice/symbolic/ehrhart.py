r"""Lattice points of a rational simplex: a dense numbering, and their number as a function.

For positive integer weights w, the number of points of

.. math:: \{x \in \mathbb Z^d : x \ge 0,\ w_1 x_1 + … + w_d x_d \le n\}

is that of the ways to pay at most n with coins of these values. `Simplex` numbers the points in
lexicographic order. With :math:`N_i(m)` the number of points in the coordinates from *i* on that
weigh at most *m*, the points whose coordinate *i* is below *x* number :math:`N_i(m) - N_i(m - w_i
x)`, so a rank is a telescoping sum of *d* terms: the combinatorial number system with weights.

As a function of n the number is the Ehrhart quasi-polynomial of the simplex with the vertices 0 and
:math:`e_i / w_i`. Its generating function is :math:`1/((1-x)\prod_i(1-x^{w_i}))`; the factor 1 − x
is the slack. With L the least common multiple of the weights this is :math:`P(x)/(1-x^L)^{d+1}`
with the polynomial :math:`P = \frac{1-x^L}{1-x}\prod_i \frac{1-x^L}{1-x^{w_i}}` of degree below L(d
+ 1), so the count is a quasi-polynomial for all n ≥ 0. Only the pole 1 has order d + 1, thanks to
the slack: so the degree is d, and the leading coefficient, in every residue, is the volume
:math:`1/(d!\,w_1 ⋯ w_d)`. Nothing cancels, so every primitive :math:`w_i`-th root of unity is a
pole, and the smallest period is L. Replacing x by 1/x gives the reciprocity :math:`f(-n) = (-1)^d
f(n - 1 - \sum w_i)`; the right side counts the interior points, with all :math:`x_i > 0` and
:math:`\sum w_i x_i < n`. Comparing with direct counts at d + 1 arguments in each residue, for n <
L(d + 1), proves the coefficients (`EhrhartPolynomial.proof`).

Sources: E. Ehrhart, Sur les polyèdres rationnels homothétiques à n dimensions (1962); M. Beck and
S. Robins, Computing the Continuous Discretely, chapters 1, 3 and 4.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import pairwise
from math import factorial, lcm, prod

from flint import fmpz_poly

from exactdice.arithmetic import mpq, natural, text
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.memory import require_memory, stored_bytes
from exactdice.symbolic.polynomial import coefficient
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Statement, statements

#: Most coefficients that a quasi-polynomial is written out with; with as many a report takes 40 s.
MAX_COEFFICIENTS = 1_000_000


def read_weights(weights: Iterable[object]) -> tuple[int, ...]:
    """Return the weights as at least one whole number of at least 1; repeats are allowed."""
    whole = tuple(natural(weight, "weights", least=1) for weight in weights)
    if not whole:
        raise InputError("weights", Unquoted("none"), "at least one whole number of at least 1")
    return whole


class Simplex:
    """The lattice points x ≥ 0 with Σ weight·x ≤ bound, numbered from 0.

    At least one weight, each at least 1, and the bound at least 0; otherwise InputError is raised.
    Construction takes O(d·n) additions and as much memory.

    >>> simplex = Simplex((1, 2), 3)
    >>> simplex.size, list(simplex)
    (6, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 0)])
    >>> simplex.rank((1, 1)), simplex.unrank(3)
    (3, (1, 1))
    """

    def __init__(self, weights: Iterable[int], bound: int) -> None:
        self.weights = read_weights(weights)
        self.bound = natural(bound, "bound")
        bits = len(self.weights) * (self.bound + 1).bit_length()  # of a count, about
        numbers = (len(self.weights) + 1) * (self.bound + 1)
        require_memory(stored_bytes(numbers, bits), f"a simplex of bound {text(self.bound)}")
        self._counts = [[1] * (self.bound + 1)]  # N_i(m) for i = d, d − 1, …, 1
        for weight in reversed(self.weights):
            counts = list(self._counts[-1])
            for m in range(weight, self.bound + 1):
                counts[m] += counts[m - weight]
            self._counts.append(counts)
        self._counts.reverse()

    @property
    def size(self) -> int:
        """The number of points; not `len`, which Python limits to 63 bits."""
        return self._counts[0][-1]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self.unrank(position) for position in range(self.size))

    def __contains__(self, point: Sequence[int]) -> bool:
        if len(point) != len(self.weights) or not all(x >= 0 for x in point):
            return False
        return sum(w * x for w, x in zip(self.weights, point, strict=True)) <= self.bound

    def count(self, bound: int) -> int:
        """Return the number of points that weigh at most `bound`, at most the simplex's own.

        >>> [Simplex((1, 2, 3, 4, 5), 22).count(n) for n in (0, 1, 10, 22)]
        [1, 2, 113, 1601]
        """
        return self._counts[0][natural(bound, "bound", most=self.bound)]

    def level_counts(self) -> list[int]:
        """Return the numbers of points that weigh exactly 0, 1, …, bound.

        >>> Simplex((1, 2), 3).level_counts()
        [1, 1, 2, 2]
        """
        return [after - before for before, after in pairwise([0, *self._counts[0]])]

    def rank(self, point: Sequence[int]) -> int:
        """Return the number of a point, in O(d); raise InputError if it is outside the simplex."""
        with suppress(TypeError):  # of coordinates that are no whole numbers
            if point in self:
                left, position = self.bound, 0
                for x, weight, counts in zip(point, self.weights, self._counts, strict=False):
                    position += counts[left] - counts[left - weight * x]
                    left -= weight * x
                return position
        wanted = f"{len(self.weights)} whole numbers of at least 0 that weigh at most {self.bound}"
        raise InputError("point", tuple(point), wanted)

    def unrank(self, position: int) -> tuple[int, ...]:
        """Return the point with a number, in O(d·log n); raise InputError if there is none."""
        position = natural(position, "position", most=self.size - 1)
        left = self.bound
        point = []
        for weight, counts in zip(self.weights, self._counts, strict=False):
            # The greatest x with counts[left] − counts[left − weight·x] ≤ position.
            lowest = bisect_left(counts, counts[left] - position, 0, left + 1)
            x = (left - lowest) // weight
            position -= counts[left] - counts[left - weight * x]
            left -= weight * x
            point.append(x)
        return tuple(point)


def _factor(weight: int) -> fmpz_poly:
    return 1 - fmpz_poly([1]).left_shift(weight)


def count_points(weights: Iterable[int], n: int) -> int:
    """Return the number of points for one n, of any size and with any weights.

    One coefficient of the generating function: O(log n) products of polynomials of degree 1 + Σ
    weights, without the quasi-polynomial. Raises TooLargeError if the weights that are at most n
    sum to more than `MAX_COEFFICIENTS`.

    >>> count_points([1, 2, 3, 4, 5], 22)
    1601
    >>> count_points([1], 10**30) == 10**30 + 1
    True
    """
    bound = natural(n, "n")
    light = tuple(weight for weight in read_weights(weights) if weight <= bound)
    if sum(light) > MAX_COEFFICIENTS:
        problem = f"the weights sum to {sum(light)}, more than the limit of {MAX_COEFFICIENTS}"
        raise TooLargeError(problem)
    below = prod((_factor(weight) for weight in light), start=_factor(1))
    bottom = [int(c) for c in below.coeffs()]
    return int(coefficient([1], bottom, bound))


class EhrhartPolynomial:
    """The number of points as a function of n, for at least one weight of at least 1.

    Raises InputError for other weights, and TooLargeError if the period times (d + 1) is above
    `MAX_COEFFICIENTS`; `count_points` has no such limit.

    >>> pairs = EhrhartPolynomial([1, 2])
    >>> pairs.degree, pairs.period, pairs.leading_coefficient
    (2, 2, mpq(1,4))
    >>> pairs(10), pairs.interior(10)
    (36, 16)
    """

    def __init__(self, weights: Iterable[int]) -> None:
        self.weights = read_weights(weights)
        self._shown = ", ".join(map(str, self.weights))
        self.degree = len(self.weights)
        self.period = lcm(*self.weights)
        if self.period * (self.degree + 1) > MAX_COEFFICIENTS:
            raise TooLargeError(
                f"the weights have period {self.period}: {self.period * (self.degree + 1)} "
                f"coefficients, more than the limit of {MAX_COEFFICIENTS}; ask for the count at "
                "one n"
            )
        full = _factor(self.period)
        numerator = prod((full // _factor(w) for w in self.weights), start=full // _factor(1))
        expanded = QuasiPolynomial.from_fraction(numerator, self.period, self.degree + 1)
        self.quasi_polynomial = expanded

    @cached_property
    def leading_coefficient(self) -> mpq:
        """The volume of the simplex for n = 1: 1/(d!·∏ weights)."""
        return mpq(1, factorial(self.degree) * prod(self.weights))

    def __call__(self, n: int) -> int:
        return int(self.quasi_polynomial(natural(n, "n")))

    def interior(self, n: int) -> int:
        """Return the number of points with all x > 0 and Σ weight·x < n, for n ≥ 1, by reciprocity.

        >>> ehrhart(1, 2).interior(4)  # only (1, 1)
        1
        """
        sign = -1 if self.degree % 2 else 1
        return sign * int(self.quasi_polynomial(-natural(n, "n", least=1)))

    @cached_property
    def orders(self) -> list[int]:
        """The orders of the poles, which are roots of unity: the divisors of the weights."""
        return sorted({k for w in self.weights for k in range(1, w + 1) if w % k == 0})

    @cached_property
    def waves(self) -> dict[int, QuasiPolynomial]:
        """Sylvester's waves: for each k that divides a weight, the part with period k.

        The degree of wave k is one less than the number of factors 1 − x^w, including the slack,
        with k dividing w. Their sum is the count, in its shortest written form.

        >>> {k: wave.degree for k, wave in ehrhart(1, 2, 3, 4, 5).waves.items()}
        {1: 5, 2: 1, 3: 0, 4: 0, 5: 0}
        """
        return self.quasi_polynomial.waves(self.orders)

    def direct_counts(self, below: int) -> list[int]:
        """Return the numbers of points for n = 0, …, below − 1, weight by weight; O(d·below)."""
        counts = [1] * natural(below, "below")
        for weight in self.weights:
            for n in range(weight, below):
                counts[n] += counts[n - weight]
        return counts

    def proof(self) -> Statement:
        """Compare with direct counts at d + 1 arguments of each residue, which proves all n.

        Raises AssertionError if a count differs, which would be an error in this package.

        >>> print(ehrhart(1, 2).proof().status)
        proved
        """
        points = self.period * (self.degree + 1)
        for n, counted in enumerate(self.direct_counts(points)):
            if self.quasi_polynomial(n) != counted:
                raise AssertionError(f"the quasi-polynomial of {self.weights} fails at n = {n}")
        values = {"weights": self._shown, "degree": self.degree, "period": self.period}
        values |= {"latex": self.latex(), "points": points, "each": self.degree + 1}
        return statements(__package__, "count", **values)[0]

    def reciprocity(self) -> Statement:
        """Check f(−n) = (−1)^d f(n − 1 − Σ weights) coefficient by coefficient.

        Raises AssertionError if one differs, which would be an error in this package.

        >>> print(ehrhart(1, 2).reciprocity().latex)
        f(-n) = f(n - 4)
        """
        shift = 1 + sum(self.weights)
        sign = -1 if self.degree % 2 else 1
        # With n for −n: f(n) = (−1)^d f(−n − shift).
        if self.quasi_polynomial.reflected(-shift).scaled(sign) != self.quasi_polynomial:
            raise AssertionError(f"reciprocity fails for {self.weights}")
        minus, words = ("-", "minus the number") if sign < 0 else ("", "the number")
        return statements(__package__, "reciprocity", minus=minus, words=words, shift=shift)[0]

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def latex(self, variable: str = "n") -> str:
        r"""Return the sum of the waves as LaTeX.

        >>> print(ehrhart(1, 2).latex())
        \frac{1}{4} n^{2} + n + \frac{7}{8} + \left[\frac{1}{8}, -\frac{1}{8}\right]_n
        """
        return " + ".join(wave.latex(variable) for wave in self.waves.values())

    def __str__(self) -> str:
        return " + ".join(map(str, self.waves.values()))

    def __repr__(self) -> str:
        return (
            f"EhrhartPolynomial([{self._shown}]): degree {self.degree}, period {self.period}, "
            f"leading coefficient {text(self.leading_coefficient)}"
        )


@lru_cache(maxsize=64)
def ehrhart(*weights: int) -> EhrhartPolynomial:
    """Return the quasi-polynomial of the weights; results are cached.

    >>> ehrhart(1, 2, 3, 4, 5)
    EhrhartPolynomial([1, 2, 3, 4, 5]): degree 5, period 60, leading coefficient 1/14400
    """
    return EhrhartPolynomial(weights)
