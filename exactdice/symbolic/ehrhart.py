r"""Lattice points of a rational simplex: their number, and a dense numbering.

For positive integer weights :math:`w_1, …, w_d` and a bound *n* the points are the

.. math:: \{x ∈ ℤ^d : x_i ≥ 0,\ w_1 x_1 + … + w_d x_d ≤ n\}.

Their number, as a function of *n*, is the Ehrhart quasi-polynomial of the simplex with the
vertices 0 and :math:`e_i / w_i`; it is also the number of ways to pay at most *n* with coins of
these values. Points are numbered in lexicographic order. With :math:`N_i(m)` the number of points
in the coordinates from *i* on that weigh at most *m*, the points whose coordinate *i* is below *x*
number :math:`N_i(m) - N_i(m - w_i x)`, so a rank is a telescoping sum of *d* terms.

Source: E. Ehrhart, Sur les polyèdres rationnels homothétiques à n dimensions (1962); the numbering
is the combinatorial number system carried over to weights.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from exactdice.arithmetic import natural, text
from exactdice.errors import InputError, Unquoted
from exactdice.memory import require_memory, stored_bytes


class Simplex:
    """The lattice points x ≥ 0 with Σ weight·x ≤ bound, numbered from 0.

    Building it takes O(d·n) additions and as much memory.

    Parameters
    ----------
    weights
        At least one whole number of at least 1.
    bound
        A whole number of at least 0.

    Raises
    ------
    InputError
        If a weight is below 1, there is none, or the bound is below 0.

    Examples
    --------
    >>> simplex = Simplex((1, 2), 3)
    >>> simplex.size, list(simplex)
    (6, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 0)])
    >>> simplex.rank((1, 1)), simplex.unrank(3)
    (3, (1, 1))
    """

    def __init__(self, weights: Iterable[int], bound: int) -> None:
        self.weights = tuple(natural(weight, "weights", least=1) for weight in weights)
        if not self.weights:
            raise InputError("weights", Unquoted("none"), "at least one weight")
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
        """The number of points. No `len`, which Python limits to 63 bits."""
        return self._counts[0][-1]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self.unrank(position) for position in range(self.size))

    def __contains__(self, point: Sequence[int]) -> bool:
        return (
            len(point) == len(self.weights)
            and all(x >= 0 for x in point)
            and self._weigh(point) <= self.bound
        )

    def count(self, bound: int) -> int:
        """Return the number of points that weigh at most `bound`, no more than the simplex's own.

        Examples
        --------
        >>> [Simplex((1, 2, 3, 4, 5), 22).count(n) for n in (0, 1, 10, 22)]
        [1, 2, 113, 1601]
        """
        return self._counts[0][natural(bound, "bound", most=self.bound)]

    def level_counts(self) -> list[int]:
        """Return how many points weigh exactly 0, 1, …, bound.

        Examples
        --------
        >>> Simplex((1, 2), 3).level_counts()
        [1, 1, 2, 2]
        """
        counts = self._counts[0]
        return [
            counts[0],
            *(after - before for before, after in pairwise(counts)),
        ]

    def rank(self, point: Sequence[int]) -> int:
        """Return the number of a point, in O(d).

        Raises
        ------
        InputError
            If the point lies outside the simplex; a number is never wrapped round.
        """
        with suppress(TypeError):  # of coordinates that are no whole numbers
            if point in self:
                return self._position(point)
        wanted = f"{len(self.weights)} whole numbers of at least 0 that weigh at most {self.bound}"
        raise InputError("point", tuple(point), wanted)

    def _position(self, point: Sequence[int]) -> int:
        left, position = self.bound, 0
        for x, weight, counts in zip(point, self.weights, self._counts, strict=False):
            position += counts[left] - (counts[left - weight * x])
            left -= weight * x
        return position

    def unrank(self, position: int) -> tuple[int, ...]:
        """Return the point of a number, in O(d·log n).

        Raises
        ------
        InputError
            If the number is below 0 or no smaller than the number of points.
        """
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

    def _weigh(self, point: Sequence[int]) -> int:
        return sum(weight * x for weight, x in zip(self.weights, point, strict=True))
