r"""Guess closed forms from exact numbers, test them on numbers held out, and prove them.

A guess is fitted to the first numbers of a sequence and has to predict the last ones, which the fit
never saw. It stays a guess, however many it predicts, until something bounds what the sequence can
be; then finitely many numbers decide:

* a polynomial of degree at most D is determined by D + 1 numbers;
* a quasi-polynomial of degree at most D and period L by D + 1 in each residue;
* two sequences with constant coefficients, of orders r and t, agree for ever when they agree on
  r + t numbers.

`Guess.proved` checks the number and takes the reason for the bound.

Fitting is linear algebra over the integers by FLINT: the null space of one matrix for recurrences,
those with constant coefficients (C-finite) being the case of polynomial degree 0 of the P-recursive
ones. SymPy's `find_linear_recurrence` and `guess_generating_function_rational` do the former only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import gcd

from flint import fmpq_poly, fmpz_mat
from gmpy2 import mpq

from exactdice.arithmetic import (
    RationalLike,
    natural,
    over_common_denominator,
    rational,
    to_flint,
)
from exactdice.errors import InputError, Unquoted
from exactdice.symbolic.polynomial import Polynomial
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial
from exactdice.symbolic.statements import Statement, Status

__all__ = [
    "Guess",
    "RationalFunction",
    "Recurrence",
    "guess_generating_function",
    "guess_polynomial",
    "guess_quasi_polynomial",
    "guess_recurrence",
]


@dataclass(frozen=True)
class Recurrence:
    """The recurrence p_0(n) a(n) + p_1(n) a(n + 1) + … + p_r(n) a(n + r) = 0.

    `first` is the index of the first number of the sequence it is about.
    """

    polynomials: tuple[Polynomial, ...]
    first: int = 0

    @property
    def order(self) -> int:
        """How many numbers determine the next: r."""
        return len(self.polynomials) - 1

    @property
    def degree(self) -> int:
        """The greatest degree of a polynomial; 0 for constant coefficients."""
        return max(polynomial.degree for polynomial in self.polynomials)

    def defect(self, values: Sequence[mpq], position: int) -> mpq:
        """Return the left side with a(n) = values[position]; 0 where the recurrence holds."""
        n = self.first + position
        return sum(
            (p(n) * values[position + i] for i, p in enumerate(self.polynomials)), start=mpq(0)
        )

    def extend(self, values: Sequence[RationalLike], length: int) -> list[mpq]:
        """Return the first `length` numbers, from at least r of them.

        Raises
        ------
        InputError
            If fewer than r numbers are given, or the leading polynomial is 0 on the way.

        Examples
        --------
        >>> doubling = Recurrence((Polynomial((2,), "n"), Polynomial((-1,), "n")))
        >>> doubling.extend([1], 4)
        [mpq(1,1), mpq(2,1), mpq(4,1), mpq(8,1)]
        """
        known = [rational(value, "values") for value in values]
        if len(known) < self.order:
            raise InputError(
                "values", Unquoted(f"{len(known)} numbers"), f"at least {self.order} numbers"
            )
        while len(known) < natural(length, "length"):
            position = len(known) - self.order
            leading = self.polynomials[-1](self.first + position)
            if not leading:
                raise InputError(
                    "length",
                    Unquoted(f"{length}, where the leading polynomial is 0"),
                    f"at most {len(known)}",
                )
            known.append(mpq(0))
            known[-1] = -self.defect(known, position) / leading
        return known[:length]

    def __str__(self) -> str:
        terms = []
        for i, polynomial in enumerate(self.polynomials):
            if polynomial.coefficients:
                argument = "a(n)" if i == 0 else f"a(n + {i})"
                terms.append(f"({polynomial})*{argument}")
        return " + ".join(terms) + " = 0"

    def latex(self) -> str:
        """Return the recurrence as LaTeX."""
        terms = []
        for i, polynomial in enumerate(self.polynomials):
            if polynomial.coefficients:
                index = "n" if i == 0 else f"n + {i}"
                terms.append(rf"\left({polynomial.latex()}\right) a_{{{index}}}")
        return " + ".join(terms) + " = 0"


@dataclass(frozen=True)
class RationalFunction:
    """A generating function numerator/denominator in x."""

    numerator: Polynomial
    denominator: Polynomial

    def __str__(self) -> str:
        return f"({self.numerator})/({self.denominator})"

    def latex(self) -> str:
        """Return the fraction as LaTeX."""
        return rf"\frac{{{self.numerator.latex()}}}{{{self.denominator.latex()}}}"


Form = Polynomial | QuasiPolynomial | Recurrence | RationalFunction


@dataclass(frozen=True)
class Guess:
    """A closed form that fits some numbers and has predicted others.

    Parameters
    ----------
    form
        What was found; it has a `latex` method.
    fitted, held_out
        How many numbers determined it, and how many it then predicted.
    """

    form: Form
    fitted: int
    held_out: int

    def statement(self, name: str) -> Statement:
        """Record the guess as a guess."""
        return Statement(
            name,
            f"the numbers follow {self._shown}",
            self.form.latex(),
            Status.GUESSED,
            f"fitted to {self.fitted} numbers, predicts the next {self.held_out}",
        )

    def proved(self, name: str, enough: int, grounds: str) -> Statement:
        """Record the guess as proved, where so many numbers decide.

        Parameters
        ----------
        name
            A few words.
        enough
            How many numbers determine the sequence, by `grounds`.
        grounds
            Why so few are enough, such as a bound for the degree.

        Raises
        ------
        InputError
            If fewer numbers were compared.

        Examples
        --------
        >>> sums = guess_polynomial([0, 1, 3, 6, 10])
        >>> print(sums.proved("sum", 3, "a sum of n linear terms has degree 2"))
        sum: the numbers follow n*(n + 1)/2 [proved: a sum of n linear terms has degree 2; 5 \
numbers compared, 3 needed]
        >>> sums.proved("sum", 6, "a guess about the degree")
        Traceback (most recent call last):
        exactdice.errors.InputError: enough: got 6; give at most 5, the numbers compared
        """
        compared = self.fitted + self.held_out
        needed = natural(enough, "enough", least=1)
        if needed > compared:
            raise InputError("enough", enough, f"at most {compared}, the numbers compared")
        return Statement(
            name,
            f"the numbers follow {self._shown}",
            self.form.latex(),
            Status.PROVED,
            f"{grounds}; {compared} numbers compared, {needed} needed",
        )

    @property
    def _shown(self) -> str:
        if isinstance(self.form, QuasiPolynomial):
            return f"a quasi-polynomial of degree {self.form.degree} and period {self.form.period}"
        return str(self.form)


def _read(values: Sequence[RationalLike], hold_out: int) -> tuple[list[mpq], int]:
    exact = [rational(value, "values") for value in values]
    held = natural(hold_out, "hold_out", least=1)
    if len(exact) <= held:
        raise InputError(
            "values", Unquoted(f"{len(exact)} numbers"), f"more than the {held} held out"
        )
    return exact, held


def guess_polynomial(
    values: Sequence[RationalLike], first: int = 0, hold_out: int = 2
) -> Guess | None:
    """Guess a polynomial in n from its values at n = first, first + 1, ….

    Newton's interpolation through all numbers but the last `hold_out`, which it has to predict.

    Returns
    -------
    Guess or None
        None where the prediction fails.

    Examples
    --------
    >>> print(guess_polynomial([1, 5, 14, 30, 55, 91], first=1).form)
    n*(n + 1)*(2*n + 1)/6
    >>> guess_polynomial([1, 2, 4, 8, 16, 32]) is None
    True
    """
    exact, held = _read(values, hold_out)
    fitted = exact[:-held]
    polynomial = Polynomial.from_flint(_through(fitted, first), "n")
    for position in range(len(fitted), len(exact)):
        if polynomial(first + position) != exact[position]:
            return None
    return Guess(polynomial, len(fitted), held)


def _through(values: Sequence[mpq], first: int, step: int = 1) -> fmpq_poly:
    """Newton's forward differences through the values at first, first + step, …."""
    differences = list(values)
    total, basis = fmpq_poly(), fmpq_poly([1])
    for k in range(len(values)):
        total += to_flint(differences[0]) * basis
        # The next basis polynomial is ∏ (n − first − i·step)/((i + 1)·step) for i ≤ k.
        basis = basis * fmpq_poly([-first - k * step, 1]) / ((k + 1) * step)
        differences = [b - a for a, b in pairwise(differences)]
    return total


def guess_quasi_polynomial(
    values: Sequence[RationalLike], period: int, hold_out: int = 1
) -> Guess | None:
    """Guess a quasi-polynomial with a period from its values at n = 0, 1, ….

    `hold_out` numbers of each residue are held out.

    Examples
    --------
    >>> halves = guess_quasi_polynomial([0, 0, 1, 1, 2, 2, 3, 3], 2)
    >>> halves.form.residues
    ((mpq(0,1), mpq(1,2)), (mpq(-1,2), mpq(1,2)))
    """
    L = natural(period, "period", least=1)
    exact, held = _read(values, hold_out)
    if len(exact) < L * (held + 1):
        raise InputError(
            "values", Unquoted(f"{len(exact)} numbers"), f"at least {L * (held + 1)} of them"
        )
    rows = []
    for residue in range(L):
        own = exact[residue::L]
        polynomial = Polynomial.from_flint(_through(own[:-held], residue, L), "n")
        if any(polynomial(residue + L * j) != own[j] for j in range(len(own) - held, len(own))):
            return None
        rows.append(polynomial.coefficients or (mpq(0),))
    return Guess(QuasiPolynomial(tuple(rows)), len(exact) - L * held, L * held)


def guess_recurrence(
    values: Sequence[RationalLike],
    *,
    most_order: int = 4,
    most_degree: int = 0,
    first: int = 0,
    hold_out: int = 3,
) -> Guess | None:
    """Guess a linear recurrence with polynomial coefficients.

    Orders and degrees are tried by the number of unknowns, (order + 1)(degree + 1), the smaller
    order first. A fit needs more equations than unknowns among the numbers fitted, and must hold on
    those held out.

    Parameters
    ----------
    values
        a(first), a(first + 1), ….
    most_order, most_degree
        Bounds; degree 0 asks for constant coefficients.
    first
        Index of the first number.
    hold_out
        How many numbers at the end only test the fit.

    Returns
    -------
    Guess or None
        With a `Recurrence`; None where none is found.

    Examples
    --------
    >>> print(guess_recurrence([0, 1, 1, 2, 3, 5, 8, 13, 21, 34]).form)
    (1)*a(n) + (1)*a(n + 1) + (-1)*a(n + 2) = 0
    >>> from math import factorial
    >>> print(guess_recurrence([factorial(n) for n in range(10)], most_degree=1).form)
    (n + 1)*a(n) + (-1)*a(n + 1) = 0
    """
    exact, held = _read(values, hold_out)
    orders = range(1, natural(most_order, "most_order", least=1) + 1)
    degrees = range(natural(most_degree, "most_degree") + 1)
    shapes = sorted(product(orders, degrees), key=lambda s: ((s[0] + 1) * (s[1] + 1), s[0]))
    fitted = len(exact) - held
    for order, degree in shapes:
        if fitted - order <= (order + 1) * (degree + 1):
            continue
        found = _fit(exact[:fitted], order, degree, first)
        if found and not any(
            found.defect(exact, position) for position in range(fitted - order, len(exact) - order)
        ):
            return Guess(found, fitted, held)
    return None


def _fit(values: Sequence[mpq], order: int, degree: int, first: int) -> Recurrence | None:
    rows = []
    for position in range(len(values) - order):
        n = mpq(first + position)
        row = [n**j * values[position + i] for i in range(order + 1) for j in range(degree + 1)]
        rows.append([int(c) for c in over_common_denominator(row)[0]])
    kernel, nullity = fmpz_mat(rows).nullspace()
    width = degree + 1
    for column in range(nullity):
        solution = [int(kernel[i, column]) for i in range(len(rows[0]))]
        if any(solution[-width:]):  # the last number of the recurrence takes part
            scale = gcd(*solution) * (-1 if next(c for c in solution if c) < 0 else 1)
            reduced = [c // scale for c in solution]
            blocks = (tuple(reduced[i : i + width]) for i in range(0, len(reduced), width))
            return Recurrence(
                tuple(Polynomial(tuple(map(mpq, block)), "n") for block in blocks), first
            )
    return None


def guess_generating_function(
    values: Sequence[RationalLike], *, most_order: int = 8, hold_out: int = 3
) -> Guess | None:
    """Guess a rational generating function, by a recurrence with constant coefficients.

    Examples
    --------
    >>> found = guess_generating_function([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
    >>> print(found.form)
    (1)/((x + 1)*(x - 1)**2)
    """
    guess = guess_recurrence(values, most_order=most_order, hold_out=hold_out)
    if guess is None or not isinstance(guess.form, Recurrence):
        return None
    # Σ p_i a(n + i) = 0 says that the denominator Σ p_i x^(r − i) leaves a numerator of degree < r.
    leading = guess.form.polynomials[-1](0)
    reversed_row = [p(0) / leading for p in reversed(guess.form.polynomials)]
    below = fmpq_poly([to_flint(c) for c in reversed_row])
    series = fmpq_poly([to_flint(rational(v)) for v in values[: guess.form.order]])
    above = (below * series).truncate(guess.form.order)
    form = RationalFunction(Polynomial.from_flint(above, "x"), Polynomial.from_flint(below, "x"))
    return Guess(form, guess.fitted, guess.held_out)
