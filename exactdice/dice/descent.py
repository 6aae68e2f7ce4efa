r"""Dice of several pools, gone through face by face: how many of those that are left show each.

From one end of the faces to the other, the dice that are left show the next face or do not; equal
dice of a pool are one kind, of which only the number matters: of m that are left, j show a face of
weight w in :math:`\binom{m}{j} w^j` ways, and those that show it are placed. Kinds that differ by
faces that are past only are one kind from there on: d6 and d10 below 7. Their weights are kept in
lowest terms, and what is divided out comes back as a factor of each die that is left.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import comb, gcd, prod
from operator import sub
from typing import Any

from exactdice.dice.distribution import Distribution
from exactdice.errors import InputError

# Placings that are kept for the faces at which they are the same, as all of fair dice but the last.
_KEPT = 100_000

Kinds = Sequence[tuple[Distribution[Any], int]]
Kind = tuple[dict[Any, int], int]
Left = tuple[int, ...]
#: A way to go on at a face: the dice that are left then, what each pool shows, in how many ways.
Placing = tuple[Left, Left, int]


def numbers(pools: Iterable[Kinds]) -> Left:
    """How many dice of each kind there are, before the first face."""
    return tuple(number for kinds in pools for _, number in kinds)


def ordered(dice: Iterable[Iterable[Any]], *, lowest_first: bool) -> list[Any]:
    """All faces of some dice, in order."""
    faces = {face for die in dice for face in die}
    try:
        return sorted(faces, reverse=not lowest_first)
    except TypeError:
        raise InputError("faces", list(faces), "faces with an order, as numbers alone") from None


def descend(pools: Sequence[Kinds], *, lowest_first: bool) -> "Iterator[Level]":
    """Go through the faces from the highest down, or from the lowest up.

    >>> from exactdice.dice.distribution import fair
    >>> top, *_ = descend([[(fair(2), 3)]], lowest_first=False)
    >>> top.face, list(top.placings((2,)))
    (2, [((2,), (0,), 1), ((1,), (1,), 2), ((0,), (2,), 1)])
    """
    kinds = [(dict(die), place) for place, dice in enumerate(pools) for die, _ in dice]
    is_kept = prod((n + 1) * (n + 2) // 2 for n in numbers(pools)) <= _KEPT
    kept: dict[Any, dict[Left, list[Placing]]] = {}
    for face in ordered((die for die, _ in kinds), lowest_first=lowest_first):
        level = Level(face, kinds, len(pools))
        if is_kept:
            level.kept = kept.setdefault(level.alike, {})
        yield level
        kinds = level.following


class Level:
    """A face, with what the dice that are left when it is reached can do there."""

    def __init__(self, face: Any, kinds: list[Kind], pools: int) -> None:
        """Take the face off the dice of all kinds; what is behind it is in lowest terms."""
        self.face = face
        self.following: list[Kind] = []
        self.kept: dict[Left, list[Placing]] | None = None
        self._weights = tuple(die.pop(face, 0) for die, _ in kinds)
        self._pools = _gather([place for _, place in kinds], pools)
        self._factors = tuple(gcd(*die.values()) if len(kinds) > 1 else 1 for die, _ in kinds)
        self._homes: list[int | None] = []  # where each kind goes
        for (die, place), factor in zip(kinds, self._factors, strict=True):
            if not die:
                self._homes.append(None)
                continue
            behind = die if factor == 1 else {f: w // factor for f, w in die.items()}
            if (behind, place) not in self.following:
                self.following.append((dict(behind), place))
            self._homes.append(self.following.index((behind, place)))
        self._left = _gather(self._homes, len(self.following))
        #: What says of a level which placings it has.
        self.alike = self._weights, self._factors, tuple(self._homes), tuple(p for _, p in kinds)

    def placings(self, left: Left) -> Iterable[Placing]:
        """Ways to go on with the dice that are left."""
        if self.kept is None:
            return self._placings(left)
        if left not in self.kept:
            self.kept[left] = list(self._placings(left))
        return self.kept[left]

    def _placings(self, left: Left) -> Iterator[Placing]:
        for choice in product(*map(self._of_kind, range(len(left)), left)):
            shown, ways = zip(*choice, strict=True)
            yield self._left(map(sub, left, shown)), self._pools(shown), prod(ways)

    def _of_kind(self, index: int, left: int) -> list[tuple[int, int]]:
        """Numbers of a kind that may show the face, with their ways."""
        weight, factor = self._weights[index], self._factors[index]
        if self._homes[index] is None:
            return [(left, weight**left)]
        if not weight:
            return [(0, factor**left)]
        return [(j, comb(left, j) * weight**j * factor ** (left - j)) for j in range(left + 1)]

    def rest(self, left: Left) -> int:
        """In how many ways any dice that are left show the faces that are behind this one."""
        kinds = zip(self.following, left, strict=True)
        return prod(sum(die.values()) ** number for (die, _), number in kinds)


def _gather(homes: Sequence[int | None], size: int) -> Callable[[Iterable[int]], Left]:
    """Add numbers of dice up by where each kind goes."""

    def gathered(numbers: Iterable[int]) -> Left:
        sums = [0] * size
        for home, number in zip(homes, numbers, strict=True):
            if home is not None:
                sums[home] += number
        return tuple(sums)

    return tuple if list(homes) == list(range(size)) else gathered
