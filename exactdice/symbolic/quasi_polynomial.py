r"""Quasi-polynomials: one polynomial for each residue of the argument modulo a period.

They are exactly the sequences whose generating function is, apart from finitely many terms, a
fraction :math:`P(x)/(1-x^L)^e`. For :math:`\deg P < L e` there are no exceptions: expanding the
power,

.. math:: f(Lm + r) = \sum_{j=0}^{e-1} P_{r+Lj} \binom{m-j+e-1}{e-1} \qquad (m \ge 0),

because the binomial is 0 for :math:`1 - e \le m - j < 0`. This is how they are built here: integers
throughout, one substitution :math:`m = (n-r)/L` for each residue at the end.

Source: R. P. Stanley, Enumerative Combinatorics I, section 4.4.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from math import factorial, lcm
from typing import Any, ClassVar

from flint import fmpq, fmpq_poly, fmpz, fmpz_poly

from exactdice.arithmetic import RationalLike, mpq, natural, rational, text, to_flint
from exactdice.errors import InputError, Unquoted
from exactdice.symbolic.polynomial import Polynomial, Term, coefficients_of, term_of, written_sum


@dataclass(frozen=True)
class QuasiPolynomial:
    """A quasi-polynomial in n.

    * `residues`: for n ≡ 0, 1, …, period − 1 the coefficients of the polynomial in n, constant
      first, all of the same length.

    The number of (x, y) ≥ 0 with x + 2y ≤ n:

    >>> pairs = QuasiPolynomial.from_fraction(fmpz_poly([1, 2, 1]), 2, 3)
    >>> pairs.residues
    ((mpq(1,1), mpq(1,1), mpq(1,4)), (mpq(3,4), mpq(1,1), mpq(1,4)))
    >>> [int(pairs(n)) for n in range(6)]
    [1, 2, 4, 6, 9, 12]

    A list in brackets holds the coefficients for the residues 0, 1, …:

    >>> print(pairs)
    1/4*n**2 + n + [1, 3/4]
    """

    __array_ufunc__: ClassVar = None  # numpy's numbers leave + to the one below

    residues: tuple[tuple[mpq, ...], ...]

    def __post_init__(self) -> None:
        rows = [tuple(rational(c, "residues") for c in row) for row in self.residues]
        if not rows or not all(rows):
            raise InputError("residues", Unquoted("none"), "at least one coefficient a residue")
        longest = max(map(len, rows))
        while longest > 1 and all(len(row) < longest or not row[-1] for row in rows):
            rows = [row[: longest - 1] for row in rows]
            longest -= 1
        padded = tuple(row + (mpq(0),) * (longest - len(row)) for row in rows)
        object.__setattr__(self, "residues", padded)

    @classmethod
    def from_fraction(
        cls, numerator: fmpz_poly | fmpq_poly, period: int, power: int
    ) -> "QuasiPolynomial":
        """Expand numerator/(1 − x^period)^power, with the numerator's degree below period·power.

        The cost is O(period·power²) operations with rationals.
        """
        if numerator.degree() >= period * power:
            raise InputError(
                "numerator",
                Unquoted(f"degree {numerator.degree()}"),
                f"a degree below {period * power}, that of the denominator",
            )
        coefficients: list[Any] = list(numerator.coeffs())
        coefficients += [0] * (period * power - len(coefficients))
        basis = [_rising(power - 1, j) for j in range(power)]
        rows = []
        for residue in range(period):
            in_m = fmpq_poly()
            for coefficient, choose in zip(coefficients[residue::period], basis, strict=True):
                if coefficient:
                    in_m += coefficient * choose
            in_n = in_m(fmpq_poly([fmpq(-residue, period), fmpq(1, period)]))
            row = coefficients_of(in_n)
            rows.append(row + (mpq(0),) * (power - len(row)))
        return cls(tuple(rows))

    @property
    def period(self) -> int:
        """The number of residues."""
        return len(self.residues)

    @property
    def degree(self) -> int:
        """The greatest degree of a residue's polynomial."""
        return len(self.residues[0]) - 1

    @cached_property
    def leading_coefficient(self) -> mpq | None:
        """The coefficient of n^degree; None if it differs between residues."""
        leading = {row[-1] for row in self.residues}
        return leading.pop() if len(leading) == 1 else None

    def __call__(self, n: int) -> mpq:
        at = _whole(n, "n")
        value = mpq(0)
        for coefficient in reversed(self.residues[at % self.period]):
            value = value * at + coefficient
        return value

    def polynomial(self, residue: int) -> Polynomial:
        """Return the polynomial of one residue."""
        chosen = natural(residue, "residue", most=self.period - 1)
        return Polynomial(self.residues[chosen], "n")

    def coefficient_period(self, power: int) -> int:
        """Return the smallest period of the coefficient of n^power.

        >>> pairs = QuasiPolynomial.from_fraction(fmpz_poly([1, 2, 1]), 2, 3)
        >>> [pairs.coefficient_period(power) for power in range(3)]
        [2, 1, 1]
        """
        chosen = natural(power, "power", most=self.degree)
        return _smallest_period([row[chosen] for row in self.residues])

    def reduced(self) -> "QuasiPolynomial":
        """Return the same function with its smallest period."""
        return QuasiPolynomial(self.residues[: _smallest_period(self.residues)])

    def reflected(self, shift: int = 0) -> "QuasiPolynomial":
        """Return the function n ↦ self(shift − n)."""
        shift = _whole(shift, "shift")
        turned = fmpq_poly([shift, -1])
        rows = []
        for residue in range(self.period):
            row = self.residues[(shift - residue) % self.period]
            image = fmpq_poly([to_flint(c) for c in row])(turned)
            rows.append(coefficients_of(image) or (mpq(0),))
        return QuasiPolynomial(tuple(rows))

    def scaled(self, factor: RationalLike) -> "QuasiPolynomial":
        """Return the function n ↦ factor·self(n)."""
        exact = rational(factor, "factor")
        return QuasiPolynomial(tuple(tuple(exact * c for c in row) for row in self.residues))

    def waves(self, orders: Iterable[int]) -> "dict[int, QuasiPolynomial]":
        """Return the parts of the coefficients with given orders, which are divisors of the period.

        A periodic coefficient is a sum of multiples of :math:`ζ^n` for roots of unity ζ; the part
        of order k consists of those ζ of order k. The mean over the residues that agree modulo k
        keeps the orders that divide k; subtracting, for each prime p in k, the mean over the
        residues that agree modulo k/p leaves only k. Each part is a quasi-polynomial with its order
        as period; over all divisors of the period the parts sum to this function. The cost is
        O(period·degree) additions of rationals for the greatest order, and less for smaller ones
        with a multiple among the others.

        >>> pairs = QuasiPolynomial.from_fraction(fmpz_poly([1, 2, 1]), 2, 3)
        >>> for order, wave in pairs.waves([1, 2]).items():
        ...     print(order, wave)
        1 1/4*n**2 + n + 7/8
        2 [1/8, -1/8]
        """
        columns = [list(column) for column in zip(*self.residues, strict=True)]
        means = {self.period: columns}
        waves = {}
        for order in sorted({natural(k, "orders", least=1) for k in orders}, reverse=True):
            if self.period % order:
                raise InputError("orders", order, f"divisors of the period, {self.period}")
            nearest = min(k for k in means if k % order == 0)
            means[order] = [_means(column, order) for column in means[nearest]]
            part = list(means[order])
            for prime, _ in fmpz(order).factor():
                coarse = order // int(prime)
                for i, column in enumerate(part):
                    mean = _means(column, coarse)
                    part[i] = [c - mean[r % coarse] for r, c in enumerate(column)]
            waves[order] = QuasiPolynomial(tuple(zip(*part, strict=True)))
        return dict(sorted(waves.items()))

    def __add__(self, other: "QuasiPolynomial") -> "QuasiPolynomial":
        if not isinstance(other, QuasiPolynomial):
            return NotImplemented
        rows = [
            tuple(
                mine + theirs
                for mine, theirs in zip_longest(
                    self.residues[n % self.period],
                    other.residues[n % other.period],
                    fillvalue=mpq(0),
                )
            )
            for n in range(lcm(self.period, other.period))
        ]
        return QuasiPolynomial(tuple(rows))

    def __str__(self) -> str:
        return self._written("n", "**", "*", text, "[{}]")

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def latex(self, variable: str = "n") -> str:
        r"""Return the function as LaTeX, with periodic coefficients as lists in brackets.

        :math:`[c_0, c_1, …]_n` stands for :math:`c_{n \bmod L}`, L being the length of the list.

        >>> print(QuasiPolynomial.from_fraction(fmpz_poly([1, 2, 1]), 2, 3).latex())
        \frac{1}{4} n^{2} + n + \left[1, \frac{3}{4}\right]_n
        """
        return self._written(variable, "^", " ", _latex_number, r"\left[{}\right]_" + variable)

    def _written(
        self, variable: str, to_the: str, times: str, number: Callable[[mpq], str], periodic: str
    ) -> str:
        terms: list[Term] = []
        for power in range(self.degree, -1, -1):
            period = self.coefficient_period(power)
            column = [row[power] for row in self.residues[:period]]
            if period > 1:
                terms.append((power, False, periodic.format(", ".join(map(number, column)))))
            elif column[0]:
                terms.append(term_of(column[0], power, number))
        return written_sum(terms, variable, to_the, times)


def _whole(number: int, name: str) -> int:
    exact = rational(number, name)
    if exact.denominator != 1:
        raise InputError(name, number, "a whole number")
    return int(exact)


def _means(column: Sequence[mpq], period: int) -> list[mpq]:
    size = len(column) // period
    return [sum(column[residue::period], mpq(0)) / size for residue in range(period)]


def _rising(size: int, shift: int) -> fmpq_poly:
    product = fmpq_poly([fmpq(1, factorial(size))])
    for step in range(1, size + 1):
        product *= fmpq_poly([step - shift, 1])
    return product


def _smallest_period(entries: Sequence[object]) -> int:
    length = len(entries)
    divisors = (d for d in range(1, length + 1) if length % d == 0)
    return next(p for p in divisors if all(entries[i] == entries[i - p] for i in range(p, length)))


def _latex_number(number: mpq) -> str:
    if number.denominator == 1:
        return text(number)
    sign = "-" if number < 0 else ""
    return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
