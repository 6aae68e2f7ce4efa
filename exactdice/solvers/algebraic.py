r"""Values that are algebraic numbers: where both choose at once in a state that can come again.

Let a state of `BOTH` lead to itself, and otherwise only to states of known rational value. Then its
value v solves :math:`\operatorname{val}(A + v B) = v` with rational matrices A and B, that is
:math:`\operatorname{val}(A + v (B - J)) = 0` for J the matrix of ones. On the rows and columns that
optimal strategies mix (the kernel of Shapley and Snow 1950) it is therefore a root of

.. math:: p(z) = \det\bigl(A_{IJ} + z (B_{IJ} - J)\bigr).

That is proved for an interval known to hold v, where it holds no second root of p: it is shown in
ball arithmetic that for every z in the interval the kernel's weights are positive, and every row
and column outside the kernel is strictly worse. Then the kernel is one at v too, and v is the root.
Where the optimal strategies are not unique this fails, and the value stays enclosed.
"""

from dataclasses import dataclass
from itertools import pairwise

from flint import arb, arb_mat, fmpq_mat, fmpq_poly, fmpz_poly
from gmpy2 import mpq, mpz

from exactdice.arithmetic import from_flint, to_flint
from exactdice.enclosure import Enclosure

__all__ = ["AlgebraicNumber", "algebraic_value"]


@dataclass(frozen=True)
class AlgebraicNumber:
    """A root of an irreducible polynomial.

    Parameters
    ----------
    polynomial
        Whole coefficients of the minimal polynomial, the constant first; without common divisor,
        the last one positive.
    interval
        Rationals between which it is the polynomial's only root.

    Examples
    --------
    >>> root = AlgebraicNumber((-2, 0, 1), Enclosure(mpq(1), mpq(2)))
    >>> print(root, root.degree)
    root of x^2 - 2 between 1 and 2 2
    """

    polynomial: tuple[int, ...]
    interval: Enclosure

    @property
    def degree(self) -> int:
        """The degree of the number; 1 where it is rational."""
        return len(self.polynomial) - 1

    def holds(self) -> bool:
        """Whether the interval holds exactly one root, by Sturm's theorem.

        Counts changes of sign in the polynomial's Sturm chain at both ends; rationals only.
        """
        low, high = self.interval.lower, self.interval.upper
        chain = [fmpq_poly(list(self.polynomial))]
        chain.append(chain[0].derivative())
        while chain[-1].degree() > 0:
            chain.append(-(chain[-2] % chain[-1]))
        return _changes(chain, low) - _changes(chain, high) == 1

    def __str__(self) -> str:
        shown = str(fmpz_poly(list(self.polynomial))).replace("+ (-", "- ").replace(")", "")
        return f"root of {shown} between {self.interval.lower} and {self.interval.upper}"


def _changes(chain: list[fmpq_poly], at: mpq) -> int:
    signs = [value for value in (from_flint(part(to_flint(at))) for part in chain) if value]
    return sum(before * after < 0 for before, after in pairwise(signs))


def algebraic_value(
    constant: list[list[mpq]],
    again: list[list[mpq]],
    kernel: tuple[list[int], list[int]],
    enclosure: Enclosure,
) -> AlgebraicNumber | None:
    """The value of a matrix game with entries A + v·B, v being its value.

    Parameters
    ----------
    constant, again
        The matrices A and B.
    kernel
        Rows and columns that are mixed, equally many.
    enclosure
        Bounds of the value that are proved.

    Returns
    -------
    AlgebraicNumber or None
        None where the kernel is not the only one all over the enclosure, or that holds two roots.

    Examples
    --------
    v = (2 − v²/4) / (3 − v), so that 3v² − 12v + 8 = 0:

    >>> a = [[mpq(1), mpq(0)], [mpq(0), mpq(2)]]
    >>> b = [[mpq(0), mpq(1, 2)], [mpq(1, 2), mpq(0)]]
    >>> near = Enclosure(mpq("0.845"), mpq("0.846"))
    >>> algebraic_value(a, b, ([0, 1], [0, 1]), near).polynomial
    (8, -12, 3)
    """
    rows, columns = kernel
    if len(rows) != len(columns) or not _is_strict(constant, again, kernel, enclosure):
        return None
    polynomial = _determinant(
        [[constant[i][j] for j in columns] for i in rows],
        [[again[i][j] - 1 for j in columns] for i in rows],
    )
    if not polynomial:
        return None
    _, factors = fmpz_poly(polynomial.numer()).factor()
    found = []
    for factor, _ in factors:
        sign = 1 if factor[factor.degree()] > 0 else -1
        candidate = AlgebraicNumber(
            tuple(sign * int(factor[k]) for k in range(factor.degree() + 1)), enclosure
        )
        ends = [from_flint(fmpq_poly(factor)(to_flint(at))) for at in _ends(enclosure)]
        if ends[0] * ends[1] <= 0:
            found.append(candidate)
        elif not _has_no_root(fmpq_poly(factor), enclosure):
            return None
    return found[0] if len(found) == 1 and found[0].holds() else None


def _ends(enclosure: Enclosure) -> tuple[mpq, mpq]:
    return enclosure.lower, enclosure.upper


def _has_no_root(factor: fmpq_poly, enclosure: Enclosure) -> bool:
    chain = [factor, factor.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))
    return _changes(chain, enclosure.lower) == _changes(chain, enclosure.upper)


def _determinant(constant: list[list[mpq]], slope: list[list[mpq]]) -> fmpq_poly:
    """Determinant of a matrix of linear polynomials, interpolated."""
    size = len(constant)
    points = list(range(size + 1))
    values = []
    for point in points:
        matrix = fmpq_mat(
            [
                [to_flint(a + point * b) for a, b in zip(upper, lower, strict=True)]
                for upper, lower in zip(constant, slope, strict=True)
            ]
        )
        values.append(matrix.det())
    total = fmpq_poly()
    for point, value in zip(points, values, strict=True):
        term, scale = fmpq_poly([value]), mpz(1)
        for other in points:
            if other != point:
                term *= fmpq_poly([-other, 1])
                scale *= point - other
        total += term / int(scale)
    return total


def _is_strict(
    constant: list[list[mpq]],
    again: list[list[mpq]],
    kernel: tuple[list[int], list[int]],
    enclosure: Enclosure,
) -> bool:
    """Whether the kernel is mixed with positive weights, and all else worse, for all z enclosed."""
    rows, columns = kernel
    middle, radius = to_flint(enclosure.middle), to_flint(enclosure.width / 2)
    z = arb(middle, arb(radius).upper())
    matrix = [
        [arb(to_flint(a)) + z * arb(to_flint(b)) for a, b in zip(upper, lower, strict=True)]
        for upper, lower in zip(constant, again, strict=True)
    ]
    size = len(rows)
    # Weights y and value w with Σ_j a_ij y_j = w for the rows of the kernel, Σ y = 1; and x alike.
    try:
        y = _equalised([[matrix[i][j] for j in columns] for i in rows])
        x = _equalised([[matrix[i][j] for i in rows] for j in columns])
    except ZeroDivisionError:
        return False
    value = y[size]
    if not all(weight > 0 for weight in (*y[:size], *x[:size])):
        return False
    paid = (
        sum((matrix[i][j] * y[k] for k, j in enumerate(columns)), arb(0))
        for i in range(len(matrix))
        if i not in rows
    )
    earned = (
        sum((matrix[i][j] * x[k] for k, i in enumerate(rows)), arb(0))
        for j in range(len(matrix[0]))
        if j not in columns
    )
    return all(row < value for row in paid) and all(column > value for column in earned)


def _equalised(square: list[list[arb]]) -> list[arb]:
    """Weights that make all rows pay the same, and then what they pay."""
    size = len(square)
    system = [[*row, arb(-1)] for row in square] + [[arb(1)] * size + [arb(0)]]
    right = [[arb(0)]] * size + [[arb(1)]]
    solved = arb_mat(system).solve(arb_mat(right))
    return [solved[i, 0] for i in range(size + 1)]
