"""Polynomials in one variable with rational coefficients, and rational generating functions.

FLINT computes; `Polynomial` presents results: as text and LaTeX in factored form, as SymPy
expressions, and by their signs at whole numbers. Numbers enter SymPy only through
`exactdice.arithmetic.to_sympy`, so that no Float can result under any of its ground types.

A sequence with generating function P(x)/Q(x) follows a linear recurrence with constant
coefficients. A far coefficient takes O(log n) products of polynomials (`coefficient`; A. Bostan and
R. Mori, A simple and fast algorithm for computing the N-th term of a linearly recurrent sequence,
2021). Partial fractions over the rationals separate the powers of the irreducible factors of Q.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from flint import fmpq_poly

from exactdice.arithmetic import (
    RationalLike,
    from_flint,
    mpq,
    natural,
    rational,
    text,
    to_flint,
    to_sympy,
)
from exactdice.errors import InputError, Unquoted


def coefficients_of(polynomial: fmpq_poly) -> tuple[mpq, ...]:
    """Return the coefficients of a FLINT polynomial, constant first."""
    return tuple(from_flint(c) for c in polynomial.coeffs())


@dataclass(frozen=True)
class SignRun:
    """A maximal run of whole numbers at which a polynomial has one sign, −1, 0 or 1.

    `last` is None if the run never ends.
    """

    first: int
    last: int | None
    sign: int


def favoured(runs: Sequence[SignRun]) -> str:
    parts = []
    for run in runs:
        if run.sign == 1:
            if run.last is None:
                parts.append(f"s ≥ {run.first}")
            elif run.first == run.last:
                parts.append(f"s = {run.first}")
            else:
                parts.append(f"{run.first} ≤ s ≤ {run.last}")
    return ", ".join(parts) or "never"


@dataclass(frozen=True)
class Polynomial:
    """A polynomial: `coefficients` with the constant first, none of them for 0, and its variable.

    >>> squares = Polynomial.from_flint(fmpq_poly([0, 1, 3, 2], 6), "n")
    >>> print(squares)
    n*(n + 1)*(2*n + 1)/6
    >>> squares(3), squares.degree
    (mpq(14,1), 3)
    """

    coefficients: tuple[mpq, ...]
    variable: str = "s"

    def __post_init__(self) -> None:
        exact = [rational(c, "coefficients") for c in self.coefficients]
        while exact and exact[-1] == 0:
            exact.pop()
        object.__setattr__(self, "coefficients", tuple(exact))

    @classmethod
    def from_flint(cls, polynomial: fmpq_poly, variable: str = "s") -> "Polynomial":
        """Convert from python-flint."""
        return cls(coefficients_of(polynomial), variable)

    def to_flint(self) -> fmpq_poly:
        """Convert to python-flint."""
        return fmpq_poly([to_flint(c) for c in self.coefficients])

    @property
    def degree(self) -> int:
        """The degree; −1 for the polynomial 0."""
        return len(self.coefficients) - 1

    @property
    def leading_coefficient(self) -> mpq:
        """The coefficient of the highest power; 0 for the polynomial 0."""
        return self.coefficients[-1] if self.coefficients else mpq(0)

    def __call__(self, at: RationalLike) -> mpq:
        return from_flint(self.to_flint()(to_flint(rational(at, self.variable))))

    def expression(self) -> Any:
        """Return the expanded polynomial as a SymPy expression.

        >>> Polynomial((0, "1/2", "1/2")).expression()
        s**2/2 + s/2
        """
        from sympy import Integer, Symbol

        x = Symbol(self.variable)
        terms = (to_sympy(c) * x**power for power, c in enumerate(self.coefficients))
        return sum(terms, Integer(0))

    def factored(self) -> tuple[mpq, list[tuple["Polynomial", int]]]:
        """Return the constant and the irreducible factors over the rationals with multiplicities.

        The factors have coprime integer coefficients and a positive leading one; they are sorted by
        degree, then by the sizes of their coefficients.

        >>> constant, factors = Polynomial((0, 1, 2, 1)).factored()
        >>> constant, [(str(factor), power) for factor, power in factors]
        (mpq(1,1), [('s', 1), ('s + 1', 2)])
        """
        if self.degree < 1:
            return (self.leading_coefficient, [])
        flint = self.to_flint()
        content, powers = flint.numer().factor()
        made = partial(Polynomial.from_flint, variable=self.variable)  # FLINT's lead positively
        factors = [(made(fmpq_poly(factor)), int(power)) for factor, power in powers]

        def size(pair: tuple[Polynomial, int]) -> tuple[int, list[tuple[mpq, bool]]]:
            coefficients = reversed(pair[0].coefficients)
            return pair[0].degree, [(abs(c), bool(c < 0)) for c in coefficients]

        return mpq(int(content), int(flint.denom())), sorted(factors, key=size)

    def __str__(self) -> str:
        top, bottom, bare = self._product("**", "*")
        if bottom == 1:
            return top
        return f"({top})/{bottom}" if bare and " " in top else f"{top}/{bottom}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def latex(self) -> str:
        r"""Return the factored polynomial as LaTeX.

        >>> print(Polynomial((0, "1/6", "1/2", "1/3")).latex())
        \frac{s (s + 1) (2 s + 1)}{6}
        """
        top, bottom, _ = self._product("^", " ")
        if bottom == 1:
            return top
        sign, top = ("-", top[1:]) if top.startswith("-") else ("", top)
        return rf"{sign}\frac{{{top}}}{{{bottom}}}"

    def _product(self, to_the: str, times: str) -> tuple[str, int, bool]:
        constant, factors = self.factored()
        numerator, denominator = abs(constant.numerator), int(constant.denominator)
        sign = "-" if constant < 0 else ""
        if not factors:
            return f"{sign}{numerator}", denominator, False
        if numerator == 1 and len(factors) == 1 and factors[0][1] == 1 and not sign:
            return factors[0][0]._expanded(to_the, times), denominator, True
        parts = [str(numerator)] if numerator != 1 else []
        for factor, power in factors:
            shown = factor._expanded(to_the, times)
            shown = shown if shown == self.variable else f"({shown})"
            parts.append(shown + _raised(power, to_the))
        return sign + times.join(parts), denominator, False

    def _expanded(self, to_the: str, times: str) -> str:
        terms = (term_of(c, power) for power, c in enumerate(self.coefficients) if c)
        return written_sum(reversed([*terms]), self.variable, to_the, times)

    def sign_runs(self, first: int = 1) -> list[SignRun]:
        """Return the signs at all whole numbers from `first` on, as maximal runs.

        The real roots are isolated exactly (SymPy, by continued fractions); between two roots the
        sign is that at any one whole number, so finitely many evaluations determine all of them.

        >>> Polynomial((6, -5, 1)).sign_runs()
        [SignRun(first=1, last=1, sign=1), SignRun(first=2, last=3, sign=0), \
SignRun(first=4, last=None, sign=1)]
        """
        starts = {first}
        for low, high in self.root_intervals():
            starts |= {n for n in (low, high, high + 1) if n > first}
        runs: list[SignRun] = []
        for start in sorted(starts):
            value = self(start)
            sign = int(value > 0) - int(value < 0)
            if runs and runs[-1].sign == sign:
                continue
            if runs:
                runs[-1] = SignRun(runs[-1].first, start - 1, runs[-1].sign)
            runs.append(SignRun(start, None, sign))
        return runs

    def root_intervals(self) -> list[tuple[int, int]]:
        """Return the whole numbers around each real root: (r, r) for an integer root r.

        >>> Polynomial((-2, 0, 1)).root_intervals()
        [(-2, -1), (1, 2)]
        """
        factors = [factor for factor, _ in self.factored()[1]]
        return sorted(around for factor in factors for around in _around_roots(factor))


#: A term of a sum: the power, whether it is subtracted, and its factor without sign, empty for 1.
Term: TypeAlias = tuple[int, bool, str]


def term_of(coefficient: mpq, power: int, number: Callable[[mpq], str] = text) -> Term:
    size = abs(coefficient)
    return power, coefficient < 0, "" if size == 1 and power else number(size)


def written_sum(terms: Iterable[Term], variable: str, to_the: str, times: str) -> str:
    shown = ""
    for power, is_negative, factor in terms:
        symbol = variable + _raised(power, to_the) if power else ""
        shown += (" - " if is_negative else " + ") if shown else "-" if is_negative else ""
        shown += times.join(part for part in (factor, symbol) if part)
    return shown or "0"


def _raised(power: int, to_the: str) -> str:
    return "" if power == 1 else to_the + (f"{{{power}}}" if to_the == "^" else str(power))


def _around_roots(irreducible: Polynomial) -> Iterator[tuple[int, int]]:
    """Yield whole numbers around the real roots; from degree 2 on these are irrational."""
    if irreducible.degree == 1:
        root = -irreducible.coefficients[0] / irreducible.coefficients[1]
        yield (int(root.numerator // root.denominator), -int(-root.numerator // root.denominator))
        return
    from sympy import Poly, Symbol, ceiling, floor

    exact = Poly(irreducible.expression(), Symbol(irreducible.variable), domain="QQ")
    for (low, high), _multiplicity in exact.intervals():
        left, right = int(floor(low)), int(ceiling(high))
        while right - left > 1:
            middle = (left + right) // 2
            if exact.count_roots(low, middle):
                right = middle
            else:
                left = middle
        yield (left, right)


def _polynomial(coefficients: Sequence[RationalLike], name: str) -> fmpq_poly:
    return fmpq_poly([to_flint(rational(c, name)) for c in coefficients])


def _denominator(coefficients: Sequence[RationalLike]) -> fmpq_poly:
    denominator = _polynomial(coefficients, "denominator")
    if not denominator[0]:
        raise InputError("denominator", Unquoted("a constant term of 0"), "another constant term")
    return denominator


def coefficient(
    numerator: Sequence[RationalLike], denominator: Sequence[RationalLike], n: int
) -> mpq:
    """Return the coefficient of x^n in the expansion of numerator/denominator.

    Both are coefficients, constant first; the denominator's constant is not 0. The cost is O(log n)
    products of polynomials of the denominator's degree. A Fibonacci number:

    >>> coefficient([0, 1], [1, -1, -1], 100)
    mpq(354224848179261915075,1)
    """
    top, bottom = _polynomial(numerator, "numerator"), _denominator(denominator)
    left = natural(n, "n")
    # P(x)/Q(x) = P(x)Q(−x)/V(x²); the part of the numerator with n's parity carries the answer.
    while left:
        mirrored = fmpq_poly([c if i % 2 == 0 else -c for i, c in enumerate(bottom.coeffs())])
        top = fmpq_poly((top * mirrored).coeffs()[left % 2 :: 2])
        bottom = fmpq_poly((bottom * mirrored).coeffs()[::2])
        left //= 2
    return from_flint(top[0] / bottom[0])


@dataclass(frozen=True)
class PartialFraction:
    """The term numerator/factor^power, with the numerator's degree below the factor's."""

    numerator: Polynomial
    factor: Polynomial
    power: int

    def latex(self) -> str:
        below = self.factor.latex()
        power = rf"\left({below}\right)^{{{self.power}}}" if self.power > 1 else below
        return rf"\frac{{{self.numerator.latex()}}}{{{power}}}"


def partial_fractions(
    numerator: Sequence[RationalLike], denominator: Sequence[RationalLike]
) -> tuple[Polynomial, list[PartialFraction]]:
    """Decompose a fraction over the rationals into a polynomial and terms, of which it is the sum.

    Coefficients are given constant first; the denominator's constant is not 0.

    >>> whole, terms = partial_fractions([1], [1, 0, -1])
    >>> [(str(t.numerator), str(t.factor), t.power) for t in terms]
    [('-1/2', 'x - 1', 1), ('1/2', 'x + 1', 1)]
    """
    in_x = partial(Polynomial.from_flint, variable="x")
    bottom = _denominator(denominator)
    quotient, rest = divmod(_polynomial(numerator, "numerator"), bottom)
    content, factors = bottom.numer().factor()
    rest *= bottom.denom() / fmpq_poly([content])[0]
    monic = [(fmpq_poly(factor.coeffs()), int(power)) for factor, power in factors]
    terms = []
    for factor, power in sorted(monic, key=lambda pair: (pair[0].degree(), pair[0].coeffs()[::-1])):
        part = _part(rest, factor, power, monic)
        for exponent in range(power, 0, -1):
            part, digit = divmod(part, factor)
            if digit:
                terms.append(PartialFraction(in_x(digit), in_x(factor), exponent))
    return in_x(quotient), terms


def _part(
    numerator: fmpq_poly, factor: fmpq_poly, power: int, factors: Sequence[tuple[fmpq_poly, int]]
) -> fmpq_poly:
    """The numerator over factor^power: that of the fraction divided by the other factors."""
    modulus = factor**power
    others = fmpq_poly([1])
    for other, exponent in factors:
        if other != factor:
            others = others * other**exponent % modulus
    _one, inverse, _ = others.xgcd(modulus)
    return numerator * inverse % modulus
