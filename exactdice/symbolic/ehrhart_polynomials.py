r"""The number of lattice points of a dilated simplex, as a quasi-polynomial of the dilation.

For positive integer weights w the number of

.. math:: \{x \in \mathbb Z^d : x \ge 0,\ w_1 x_1 + … + w_d x_d \le n\}

has the generating function :math:`1/((1-x)\prod_i(1-x^{w_i}))`; the factor 1 − x is the slack. With
L the least common multiple of the weights, the fraction is :math:`P(x)/(1-x^L)^{d+1}` with the
polynomial :math:`P = \frac{1-x^L}{1-x}\prod_i \frac{1-x^L}{1-x^{w_i}}` of degree below L(d + 1), so
the count is a quasi-polynomial for all n ≥ 0. Four facts follow from the fraction:

* the degree is d, because the pole at 1 has order d + 1 and no other pole has a higher one;
* the leading coefficient is :math:`1/(d!\,w_1 ⋯ w_d)`, the volume, in every residue: thanks to the
  slack no pole but 1 has order d + 1;
* the smallest period is L: nothing cancels, so every primitive :math:`w_i`-th root of unity is a
  pole;
* replacing x by 1/x gives the reciprocity :math:`f(-n) = (-1)^d f(n - 1 - \sum w_i)`, and the right
  side counts the points inside, with all :math:`x_i > 0` and :math:`\sum w_i x_i < n`.

A quasi-polynomial of degree d and period L is determined by d + 1 arguments in each residue, so
comparing with a direct count for n < L(d + 1) proves the computed coefficients
(`EhrhartPolynomial.proof`).

Sources: E. Ehrhart, Sur les polyèdres rationnels homothétiques à n dimensions (1962); M. Beck and
S. Robins, Computing the Continuous Discretely, chapters 1, 3 and 4.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from math import factorial, lcm, prod

from flint import fmpz_poly

from exactdice.arithmetic import mpq, natural, text
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.symbolic.generating_functions import coefficient
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Statement, Status

#: Most coefficients that a quasi-polynomial is written out with; with as many a report takes 40 s.
MAX_COEFFICIENTS = 1_000_000


def read_weights(weights: Iterable[object]) -> tuple[int, ...]:
    """Read weights: at least one, each a whole number of at least 1; repeats are welcome.

    >>> read_weights(["1", 2])
    (1, 2)
    >>> read_weights([])
    Traceback (most recent call last):
    exactdice.errors.InputError: weights: got none; give at least one whole number of at least 1
    """
    whole = tuple(natural(weight, "weights", least=1) for weight in weights)
    if not whole:
        raise InputError("weights", Unquoted("none"), "at least one whole number of at least 1")
    return whole


def _factor(weight: int) -> fmpz_poly:
    """Return 1 − x^weight; a shift, because FLINT's powers of x take memory."""
    return 1 - fmpz_poly([1]).left_shift(weight)


def _denominator(weights: tuple[int, ...]) -> fmpz_poly:
    return prod((_factor(weight) for weight in weights), start=_factor(1))


def count_points(weights: Iterable[int], n: int) -> int:
    """Count the points for one n, of any size and with any weights.

    One coefficient of the generating function: O(log n) products of polynomials of degree
    1 + Σ weights, without writing the quasi-polynomial out.

    Raises
    ------
    TooLargeError
        If the weights that are at most n sum to more than `MAX_COEFFICIENTS`.

    Examples
    --------
    >>> count_points([1, 2, 3, 4, 5], 22)
    1601
    >>> count_points([1], 10**30) == 10**30 + 1
    True
    """
    bound = natural(n, "n")
    light = tuple(weight for weight in read_weights(weights) if weight <= bound)
    if sum(light) > MAX_COEFFICIENTS:
        raise TooLargeError(
            f"the weights sum to {sum(light)}, more than the limit of {MAX_COEFFICIENTS}"
        )
    bottom = [int(c) for c in _denominator(light).coeffs()]
    return int(coefficient([1], bottom, bound))


class EhrhartPolynomial:
    """The count of points for all n at once.

    Parameters
    ----------
    weights
        At least one whole number of at least 1.

    Raises
    ------
    InputError
        If there is no weight or one is below 1.
    TooLargeError
        If the period times (d + 1) is above `MAX_COEFFICIENTS`; `count_points` knows no period.

    Examples
    --------
    >>> pairs = EhrhartPolynomial([1, 2])
    >>> pairs.degree, pairs.period, pairs.leading_coefficient
    (2, 2, mpq(1,4))
    >>> pairs(10), pairs.interior(10)
    (36, 16)
    """

    def __init__(self, weights: Iterable[int]) -> None:
        self.weights = read_weights(weights)
        self.dimension = self.degree = len(self.weights)
        self.period = lcm(*self.weights)
        if self.period * (self.degree + 1) > MAX_COEFFICIENTS:
            raise TooLargeError(
                f"the weights have period {self.period}: {self.period * (self.degree + 1)} "
                f"coefficients, more than the limit of {MAX_COEFFICIENTS}; ask for the count at "
                "one n"
            )
        full = _factor(self.period)
        numerator = prod((full // _factor(w) for w in self.weights), start=full // _factor(1))
        self.quasi_polynomial = QuasiPolynomial.from_fraction(
            numerator, self.period, self.degree + 1
        )

    @cached_property
    def leading_coefficient(self) -> mpq:
        """The volume of the simplex for n = 1: 1/(d!·∏ weights)."""
        return mpq(1, factorial(self.degree) * prod(self.weights))

    def __call__(self, n: int) -> int:
        """Count the points with Σ weight·x ≤ n, for n ≥ 0; O(d).

        Examples
        --------
        >>> ehrhart(1, 2, 3, 4, 5)(100)
        1016288
        """
        return int(self.quasi_polynomial(natural(n, "n")))

    def interior(self, n: int) -> int:
        """Count the points with all x > 0 and Σ weight·x < n, for n ≥ 1, by reciprocity.

        Examples
        --------
        >>> ehrhart(1, 2).interior(4)  # only (1, 1)
        1
        """
        sign = -1 if self.degree % 2 else 1
        return sign * int(self.quasi_polynomial(-natural(n, "n", least=1)))

    @cached_property
    def orders(self) -> list[int]:
        """The orders of the poles, roots of unity: the divisors of the weights."""
        return sorted({k for w in self.weights for k in range(1, w + 1) if w % k == 0})

    @cached_property
    def waves(self) -> dict[int, QuasiPolynomial]:
        """Sylvester's waves: for each k that divides a weight, the part with period k.

        The degree of wave k is one less than the number of factors 1 − x^w, slack included, with
        k dividing w. Their sum is the count: the shortest way to write it out.

        Examples
        --------
        >>> {k: wave.degree for k, wave in ehrhart(1, 2, 3, 4, 5).waves.items()}
        {1: 5, 2: 1, 3: 0, 4: 0, 5: 0}
        """
        return self.quasi_polynomial.waves(self.orders)

    def direct_counts(self, below: int) -> list[int]:
        """Count the points for n = 0, …, below − 1 one weight after another; O(d·below)."""
        counts = [1] * natural(below, "below")
        for weight in self.weights:
            for n in range(weight, below):
                counts[n] += counts[n - weight]
        return counts

    def proof(self) -> Statement:
        """Compare with direct counts at d + 1 arguments of each residue, which decides all n.

        Raises
        ------
        AssertionError
            If a count differs: a mistake in this package.

        Examples
        --------
        >>> print(ehrhart(1, 2).proof().status)
        proved
        """
        points = self.period * (self.degree + 1)
        for n, counted in enumerate(self.direct_counts(points)):
            if self.quasi_polynomial(n) != counted:
                raise AssertionError(f"the quasi-polynomial of {self.weights} fails at n = {n}")
        return Statement(
            "count",
            f"the number of x ≥ 0 with Σ w·x ≤ n for the weights {self._shown} is this "
            f"quasi-polynomial of degree {self.degree} and period {self.period}, for all n ≥ 0",
            self.latex(),
            Status.PROVED,
            f"the generating function shows degree and period; direct counts for n < {points} "
            f"agree, {self.degree + 1} in each residue, which determines the polynomials",
        )

    def reciprocity(self) -> Statement:
        """Check f(−n) = (−1)^d f(n − 1 − Σ weights) coefficient by coefficient.

        Raises
        ------
        AssertionError
            If a coefficient differs: a mistake in this package.

        Examples
        --------
        >>> print(ehrhart(1, 2).reciprocity().latex)
        f(-n) = f(n - 4)
        """
        shift = 1 + sum(self.weights)
        sign = -1 if self.degree % 2 else 1
        # With n for −n: f(n) = (−1)^d f(−n − shift).
        if self.quasi_polynomial.reflected(-shift).scaled(sign) != self.quasi_polynomial:
            raise AssertionError(f"reciprocity fails for {self.weights}")
        minus = "-" if sign < 0 else ""
        return Statement(
            "reciprocity",
            f"f(−n) = {minus}f(n − {shift}) for all n, and it is {minus}the number of points with "
            "all x > 0 and Σ w·x < n",
            f"f(-n) = {minus}f(n - {shift})",
            Status.PROVED,
            "the coefficients of every residue agree; substitute x = y + 1 for the points inside",
        )

    @property
    def _shown(self) -> str:
        return ", ".join(map(str, self.weights))

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def latex(self, variable: str = "n") -> str:
        r"""Return the count, as the sum of its waves, as LaTeX.

        Examples
        --------
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
    """Return the quasi-polynomial of the given weights, computed once.

    >>> ehrhart(1, 2, 3, 4, 5)
    EhrhartPolynomial([1, 2, 3, 4, 5]): degree 5, period 60, leading coefficient 1/14400
    """
    return EhrhartPolynomial(weights)
