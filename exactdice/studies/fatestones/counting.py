r"""How many triples of dice are non-transitive, counted without listing the dice.

A non-transitive triple is an unordered set of three dice with n faces and values 1 to N of which
each beats the next, round a cycle. Two conventions of what beating means are in use:

* ``majority``: the chance to win is more than 1/2;
* ``more``: the chance to win is more than the chance to lose. Weaker where there are ties.

Only the order of the values matters, so with :math:`c_k` the number of triples that show exactly k
different values, all of 1 to k,

.. math:: T_n(N) = \sum_{k=1}^{3n} c_k \binom{N}{k},

a polynomial in N of degree 3n. The :math:`c_k` come from a dynamic program over the values in
rising order. Its state is how many faces each die has so far, with a score for each of the pairs
AB, BC and CA. A value given to x, y and z faces of A, B and C adds x·b to the score of A over B,
where b counts the faces of B so far (they are lower), and under the convention ``more`` takes off
y·a. Each cycle is met from each of its three dice, so the sum is divided by 3.

Balanced dice (mean (n + 1)/2) are few enough to be listed; their cyclic triples are counted by
`exactdice.games.fatestones.beats.three_cycles`.

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
from exactdice.errors import InputError, TooLargeError
from exactdice.games.fatestones.beats import Counts, three_cycles
from exactdice.games.fatestones.rules import balanced_dice, count_balanced_dice

Placed: TypeAlias = tuple[int, int, int]

# One value more makes the tables three times as large and the work five times: 7 faces take 2 s
# under ``majority`` and 8 s under ``more``, and at 8 the numbers no longer fit 64 bits.
_MAX_FACES = 7
_MAX_BALANCED = 10_000


class Convention(StrEnum):
    """What it means that a die beats another."""

    MORE = "more"  #: it wins more often than it loses
    MAJORITY = "majority"  #: it wins with a chance of more than 1/2


@dataclass(frozen=True)
class Triples:
    """Non-transitive triples of dice with some faces and values: `value` counts them."""

    faces: int
    values: int
    convention: Convention  # what it means to beat
    coefficients: tuple[int, ...]  # triples that show all of the values 1 to k

    @property
    def value(self) -> mpz:
        """How many there are."""
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
        """Number of balanced dice with as many faces."""
        return count_balanced_dice(self.faces)

    @property
    def balanced_triples(self) -> int:
        """Number of triples of those in which each wins more often than it loses."""
        return balanced_three_cycles(self.faces)


def nontransitive_triples(
    faces: int, values: int, convention: Convention | str = Convention.MORE
) -> Triples:
    """Count non-transitive triples of dice with `faces` faces and values 1 to `values`.

    The cost depends on `faces` alone.
    """
    values = natural(values, "values", least=1)
    coefficients = nontransitive_coefficients(faces, convention)
    return Triples(natural(faces, "faces"), values, Convention(convention), tuple(coefficients))


def nontransitive_coefficients(
    faces: int, convention: Convention | str = Convention.MORE
) -> list[int]:
    """Numbers c₀, …, c₃ₙ of non-transitive triples that show all of the values 1 to k."""
    n = natural(faces, "faces", least=1)
    if convention not in list(Convention):
        raise InputError("convention", convention, f"one of {', '.join(Convention)}")
    if n > _MAX_FACES:
        raise TooLargeError(
            f"faces: the tables for {n} faces would not fit; give at most {_MAX_FACES} faces"
        )
    return list(_coefficients(n, signed=convention == Convention.MORE))


@cache
def _coefficients(n: int, *, signed: bool) -> tuple[int, ...]:
    layer: dict[Placed, Counts] = {(0, 0, 0): _empty((0, 0, 0), signed)}
    layer[0, 0, 0][0, 0, 0] = 1
    full = (n, n, n)
    # The least score that wins: s stands at index s under ``majority``, at s + n² under ``more``.
    least = n * n + 1 if signed else n * n // 2 + 1
    coefficients = [0]
    for _ in range(3 * n):
        layer = _next_value(layer, n, signed)
        final = layer.get(full)
        cyclic = 0 if final is None else int(final[least:, least:, least:].sum())
        coefficients.append(cyclic // 3)
    return tuple(coefficients)


def _empty(placed: Placed, signed: bool) -> Counts:
    """Zeros for every score of the pairs AB, BC, CA with these numbers of faces placed."""
    a, b, c = placed
    shape = tuple((2 if signed else 1) * most + 1 for most in (a * b, b * c, c * a))
    # Entries stay below the number of triples with values 1 to 3n: C(27, 7)³ < 2⁶³ for 7 faces.
    return np.zeros(shape, dtype=np.int64)


def _next_value(layer: dict[Placed, Counts], n: int, signed: bool) -> dict[Placed, Counts]:
    """Tables after one further value, given to at least one face."""
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
                # The origin moves with the number of pairs, the score by wins minus losses.
                losses, (i, j, k) = (y * a, z * b, x * c), target
                old, new = (a * b, b * c, c * a), (i * j, j * k, k * i)
                gains = tuple(  # type: ignore[assignment]
                    more - less + high - low
                    for more, less, high, low in zip(gains, losses, new, old, strict=True)
                )
            place = tuple(
                slice(gain, gain + extent) for gain, extent in zip(gains, table.shape, strict=True)
            )
            following[target][place] += table
    return following


def balanced_three_cycles(faces: int) -> int:
    """Number of cyclic triples of balanced dice with `faces` faces, under the convention ``more``.

    Raises TooLargeError if there are more than ten thousand such dice, from 12 faces on; 11 faces
    take a minute and 0.9 GB.
    """
    count = count_balanced_dice(faces)
    if count > _MAX_BALANCED:
        raise TooLargeError(
            f"faces: there are {count} balanced dice with {faces} faces; the pair table of more "
            f"than {_MAX_BALANCED} would not fit"
        )
    return three_cycles(balanced_dice(faces))
