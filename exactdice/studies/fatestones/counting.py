r"""Number of non-transitive triples of dice, without listing the dice.

A non-transitive triple is an unordered set of three dice with n faces and values 1 to N in which
each beats the next, cyclically. There are two conventions for beating:

* ``majority``: the probability to win is more than 1/2;
* ``more``: it is more than the probability to lose.

Only the order of the values matters. With :math:`c_k` the number of triples that contain exactly
the values 1 to k, the number of triples is a polynomial in N of degree 3n,

.. math:: T_n(N) = \sum_{k=1}^{3n} c_k \binom{N}{k}.

The :math:`c_k` come from a dynamic program over the values in ascending order. Its state is the
number of faces of each die so far, with a score for each of the pairs AB, BC and CA. A value on x,
y and z faces of A, B and C adds x·b to the score of A over B, with b the lower faces of B, and with
the convention ``more`` subtracts y·a. Each cycle is counted from each of its three dice, so the sum
is divided by 3.

Source: the counts with 3n different values are OEIS A121228; the convention ``majority`` for n = 6
is problem 376 of Project Euler.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from math import comb
from typing import TypeAlias

import numpy as np
from flint import fmpq, fmpq_poly

from exactdice.arithmetic import mpz, natural
from exactdice.errors import TooLargeError
from exactdice.games.fatestones.beats import Counts, three_cycles
from exactdice.games.fatestones.rules import balanced_dice, count_balanced_dice
from exactdice.question.domains import OneOf

Placed: TypeAlias = tuple[int, int, int]

# One more face makes the tables three times as large and the work five times: 7 faces take 2 s
# with ``majority`` and 8 s with ``more``; with 8 the numbers do not fit 64 bits.
_MAX_FACES = 7
_MAX_BALANCED = 10_000


class Convention(StrEnum):
    MORE = "more"  #: it wins more often than it loses
    MAJORITY = "majority"  #: it wins with probability above 1/2


@dataclass(frozen=True)
class Triples:
    """Numbers of non-transitive triples of dice."""

    faces: int
    values: int
    convention: Convention
    coefficients: tuple[int, ...]  # numbers of triples that contain exactly the values 1 to k

    @property
    def value(self) -> mpz:
        return mpz(sum(c * comb(self.values, k) for k, c in enumerate(self.coefficients)))

    @property
    def polynomial(self) -> fmpq_poly:
        """The number as a polynomial in the number of values."""
        total, falling = fmpq_poly([0]), fmpq_poly([1])  # falling: the polynomial C(N, k)
        for k, c in enumerate(self.coefficients):
            total += falling * c
            falling *= fmpq_poly([fmpq(-k, k + 1), fmpq(1, k + 1)])
        return total

    @property
    def balanced(self) -> int:
        return count_balanced_dice(self.faces)

    @property
    def balanced_triples(self) -> int:
        return balanced_three_cycles(self.faces)


def nontransitive_triples(
    faces: int, values: int, convention: Convention | str = Convention.MORE
) -> Triples:
    """Count non-transitive triples; the cost depends only on `faces`."""
    values = natural(values, "values", least=1)
    coefficients = nontransitive_coefficients(faces, convention)
    return Triples(natural(faces, "faces"), values, Convention(convention), tuple(coefficients))


def nontransitive_coefficients(
    faces: int, convention: Convention | str = Convention.MORE
) -> list[int]:
    n = natural(faces, "faces", least=1)
    chosen = OneOf(Convention).read(convention, "convention")
    if n > _MAX_FACES:
        raise TooLargeError(f"faces: tables for {n} faces do not fit; at most {_MAX_FACES} do")
    return list(_coefficients(n, signed=chosen is Convention.MORE))


@cache
def _coefficients(n: int, *, signed: bool) -> tuple[int, ...]:
    layer: dict[Placed, Counts] = {(0, 0, 0): _empty((0, 0, 0), signed)}
    layer[0, 0, 0][0, 0, 0] = 1
    full = (n, n, n)
    # Least winning score; score s is at index s with ``majority``, at s + n² with ``more``.
    least = n * n + 1 if signed else n * n // 2 + 1
    coefficients = [0]
    for _ in range(3 * n):
        layer = _next_value(layer, n, signed)
        final = layer.get(full)
        cyclic = 0 if final is None else int(final[least:, least:, least:].sum())
        coefficients.append(cyclic // 3)
    return tuple(coefficients)


def _empty(placed: Placed, signed: bool) -> Counts:
    """Return zeros for every score of the pairs AB, BC, CA with these numbers of faces placed."""
    a, b, c = placed
    shape = tuple((2 if signed else 1) * most + 1 for most in (a * b, b * c, c * a))
    # Entries are below the number of triples with values 1 to 3n: C(27, 7)³ < 2⁶³ for 7 faces.
    return np.zeros(shape, dtype=np.int64)


def _next_value(layer: dict[Placed, Counts], n: int, signed: bool) -> dict[Placed, Counts]:
    """Return the tables after one more value, on at least one face."""
    following: dict[Placed, Counts] = {}
    for (a, b, c), table in layer.items():
        for x, y, z in product(range(n - a + 1), range(n - b + 1), range(n - c + 1)):
            if x == y == z == 0:
                continue
            target = (a + x, b + y, c + z)
            if target not in following:
                following[target] = _empty(target, signed)
            gains = (x * b, y * c, z * a)
            if signed:
                # The index of score 0 shifts with the number of pairs, the score by wins − losses.
                losses, (i, j, k) = (y * a, z * b, x * c), target
                old, new = (a * b, b * c, c * a), (i * j, j * k, k * i)
                gains = tuple(  # type: ignore[assignment]
                    more - less + high - low
                    for more, less, high, low in zip(gains, losses, new, old, strict=True)
                )
            pairs = zip(gains, table.shape, strict=True)
            following[target][tuple(slice(g, g + extent) for g, extent in pairs)] += table
    return following


def balanced_three_cycles(faces: int) -> int:
    """Count the cyclic triples of balanced dice, with the convention ``more``."""
    count = count_balanced_dice(faces)
    if count > _MAX_BALANCED:
        problem = f"the pair table of {count} balanced dice with {faces} faces does not fit"
        raise TooLargeError(f"faces: {problem}; at most {_MAX_BALANCED} do")
    return three_cycles(balanced_dice(faces))
