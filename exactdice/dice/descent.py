r"""Dice of several pools, gone through face by face: how many of those that are left show each.

From one end of the faces to the other, the dice that are left show the next face or do not; equal
dice of a pool are one kind, of which only the number matters: of m that are left, j show a face of
weight w in :math:`\binom{m}{j} w^j` ways, and those that show it are placed. Kinds that differ by
faces that are past only are one kind from there on: d6 and d10 below 7. Their weights are kept in
lowest terms, and what is divided out comes back as a factor of each die that is left.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import comb, gcd, prod
from operator import sub
from typing import Any, NamedTuple

from exactdice.dice.distribution import Distribution
from exactdice.errors import InputError

Kinds = Sequence[tuple[Distribution[Any], int]]
Left = tuple[int, ...]


#: A way to go on at a face: the dice that are left then, what each pool shows, in how many ways.
Placing = tuple[Left, Left, int]


class Level(NamedTuple):
    """A face, with what the dice that are left when it is reached can do there.

    `rest` is in how many ways any dice that are left show the faces that are behind this one.
    """

    face: Any
    placings: Callable[[Left], Iterator[Placing]]
    rest: Callable[[Left], int]


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


def descend(pools: Sequence[Kinds], *, lowest_first: bool) -> Iterator[Level]:
    """Go through the faces from the highest down, or from the lowest up.

    >>> from exactdice.dice.distribution import fair
    >>> top, *_ = descend([[(fair(2), 3)]], lowest_first=False)
    >>> top.face, list(top.placings((2,)))
    (2, [((2,), (0,), 1), ((1,), (1,), 2), ((0,), (2,), 1)])
    """
    kinds = [(dict(die), place) for place, dice in enumerate(pools) for die, _ in dice]
    faces = ordered((die for die, _ in kinds), lowest_first=lowest_first)
    for face in faces:
        shown = [die.pop(face, 0) for die, _ in kinds]
        following, homes, factors = _merged(kinds)
        yield _level(
            face, shown, following, homes, factors, _gather([i for _, i in kinds], len(pools))
        )
        kinds = following


Kind = tuple[dict[Any, int], int]


def _merged(kinds: list[Kind]) -> tuple[list[Kind], list[int | None], list[int]]:
    """Kinds behind a face, in lowest terms: where each of those before it goes, and its factor."""
    following: list[Kind] = []
    homes: list[int | None] = []
    factors: list[int] = []
    for die, place in kinds:
        factors.append(gcd(*die.values()) if len(kinds) > 1 else 1)
        if not die:
            homes.append(None)
            continue
        behind = die if factors[-1] == 1 else {f: w // factors[-1] for f, w in die.items()}
        if (behind, place) not in following:
            following.append((dict(behind), place))
        homes.append(following.index((behind, place)))
    return following, homes, factors


def _gather(homes: list[int | None], size: int) -> Callable[[Iterable[int]], Left]:
    """Add numbers of dice up by where each kind goes."""

    def gathered(numbers: Iterable[int]) -> Left:
        sums = [0] * size
        for home, number in zip(homes, numbers, strict=True):
            if home is not None:
                sums[home] += number
        return tuple(sums)

    return tuple if homes == list(range(size)) else gathered


def _level(
    face: Any,
    weights: list[int],
    following: list[Kind],
    homes: list[int | None],
    factors: list[int],
    shown_by_pools: Callable[[Iterable[int]], Left],
) -> Level:
    left_then = _gather(homes, len(following))

    @cache
    def of_kind(index: int, left: int) -> list[tuple[int, int]]:
        """Numbers that may show the face, with their ways."""
        weight, factor = weights[index], factors[index]
        if homes[index] is None:
            return [(left, weight**left)]
        if not weight:
            return [(0, factor**left)]
        return [(j, comb(left, j) * weight**j * factor ** (left - j)) for j in range(left + 1)]

    def placings(left: Left) -> Iterator[Placing]:
        for choice in product(*map(of_kind, range(len(left)), left)):
            shown, ways = zip(*choice, strict=True)
            yield left_then(map(sub, left, shown)), shown_by_pools(shown), prod(ways)

    def rest(left: Left) -> int:
        return prod(
            sum(die.values()) ** number for (die, _), number in zip(following, left, strict=True)
        )

    return Level(face, placings, rest)
