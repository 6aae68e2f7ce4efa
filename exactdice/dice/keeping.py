r"""The sum of the dice with certain ranks, by polynomials.

*One rank.* The die of rank r is below f if at most r dice reach f. A product of linear polynomials,
one for each die and cut off after its r-th power, counts these rolls.

*The k highest of n equal dice.* Let t be the lowest face that is kept, w its weight and B the
weight of all faces below it. If j dice show more, k - j of the others count as t, in

.. math:: c_j = \binom{n}{j} \sum_{m \ge k-j} \binom{n-j}{m} w^m B^{n-j-m}

ways. So the distribution is :math:`\sum_t x^{kt} \sum_j c_j a_t^j` with the polynomial
:math:`a_t = \sum_{f>t} w_f x^{f-t}`: one composition for each face. The sums follow from each
other: if S(m, i) is the sum over m dice with at least i showing t, then
:math:`S(m, i) = (w + B) S(m-1, i-1) - \binom{m-1}{i-1} w^{i-1} B^{m-i+1}`.

*Any ranks of any dice.* Face by face, from the end nearer to the ranks until the last of them is
placed: a polynomial in the sum for each number of dice left.

Cost: O(faces) compositions of a polynomial of degree k; otherwise O(faces · ∏(nᵢ + 1)²) multiples
of polynomials with as many coefficients as there are sums.

*Face by face* (`descend`): each remaining die shows the next face or does not. Equal dice of a pool
are one kind: j of m remaining dice show a face of weight w in :math:`\binom{m}{j} w^j` ways. Kinds
that differ only in faces already visited become one kind: d6 and d10 below 7. Their weights are
kept in lowest terms; the factor that is divided out returns for each die that is left.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, product
from math import comb, gcd, prod
from operator import sub
from typing import Any

from exactdice.dice.distribution import Distribution
from exactdice.dice.weighted import Lattice, homogeneous
from exactdice.errors import InputError
from exactdice.run import Run

_KEPT = 100_000  # placings kept for faces with the same ones

Kinds = Sequence[tuple[Distribution[Any], int]]
Kind = tuple[dict[Any, int], int]
Left = tuple[int, ...]
#: At a face: the dice left after it, how many of each pool show it, and in how many ways.
Placing = tuple[Left, Left, int]


def numbers(pools: Iterable[Kinds]) -> Left:
    return tuple(number for kinds in pools for _, number in kinds)


def ordered(dice: Iterable[Iterable[Any]], *, lowest_first: bool) -> list[Any]:
    faces = {face for die in dice for face in die}
    try:
        return sorted(faces, reverse=not lowest_first)
    except TypeError:
        raise InputError("faces", list(faces), "comparable faces, such as numbers") from None


def descend(pools: Sequence[Kinds], *, lowest_first: bool) -> "Iterator[Level]":
    """Go through the faces from the highest down, or from the lowest up."""
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
    """A face, and the ways in which the dice left there show it."""

    def __init__(self, face: Any, kinds: list[Kind], pools: int) -> None:
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
        #: Levels with equal values have the same placings.
        self.alike = self._weights, self._factors, tuple(self._homes), tuple(p for _, p in kinds)

    def placings(self, left: Left) -> Iterable[Placing]:
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
        """Return how many dice of a kind may show the face, and in how many ways."""
        weight, factor = self._weights[index], self._factors[index]
        if self._homes[index] is None:
            return [(left, weight**left)]
        if not weight:
            return [(0, factor**left)]
        return [(j, comb(left, j) * weight**j * factor ** (left - j)) for j in range(left + 1)]

    def rest(self, left: Left) -> int:
        """Return in how many ways the remaining dice show the faces after this one."""
        kinds = zip(self.following, left, strict=True)
        return prod(sum(die.values()) ** number for (die, _), number in kinds)


def _gather(homes: Sequence[int | None], size: int) -> Callable[[Iterable[int]], Left]:
    """Return a function that adds numbers of dice by the new kind of each old kind."""

    def gathered(numbers: Iterable[int]) -> Left:
        sums = [0] * size
        for home, number in zip(homes, numbers, strict=True):
            if home is not None:
                sums[home] += number
        return tuple(sums)

    return tuple if list(homes) == list(range(size)) else gathered


def kept_sum(kinds: Kinds, ranks: set[int], run: Run) -> Distribution[Any]:
    dice, kept = sum(number for _, number in kinds), len(ranks)
    from_below = max(ranks) + 1 > dice - min(ranks)
    if from_below:
        ranks = {dice - 1 - rank for rank in ranks}
    if kept == 1:
        return _ranked(kinds, *ranks, from_below=from_below)
    faces = ordered((die for die, _ in kinds), lowest_first=from_below)
    bits = sum(number * die.denominator.bit_length() for die, number in kinds)
    # From below, faces change sign, so that the lowest comes first.
    sign = -1 if from_below else 1
    lattice = Lattice((sign * Distribution._numeric(face) for face in faces), kept, bits)
    places = dict(zip(faces, lattice.places.values(), strict=True))
    by_composition = max(ranks) == kept - 1 and len(kinds) == 1
    states = 3 if by_composition else prod(min(number, max(ranks)) + 1 for _, number in kinds)
    what = f"the sum of {kept} of {dice} dice"
    run.require(states * lattice.bytes, what)
    # Bits of all coefficients at all faces: 2 to 5 ns each, or 0.03 to 0.3 for a pair of states.
    digits = len(faces) * lattice.size * bits
    run.expect(4 * digits if by_composition else digits * states**2 // 20, what)
    if by_composition:
        [(die, _)] = kinds
        sums = _composed(lattice, [(places[face], die[face]) for face in faces], dice, run)
    else:
        sums = _placed(lattice, kinds, places, ranks, run, from_below=from_below)
    return Distribution({sign * x: weight for x, weight in lattice.weights(sums).items()})


def _ranked(kinds: Kinds, rank: int, *, from_below: bool) -> Distribution[Any]:
    faces = ordered((die for die, _ in kinds), lowest_first=from_below)
    reaching = [list(accumulate(die.get(face, 0) for face in faces)) for die, _ in kinds]
    dice = zip(kinds, reaching, strict=True)
    missing = [[die.denominator - weight for weight in reach] for (die, _), reach in dice]
    several = [number for _, number in kinds]
    if rank:
        places = zip(zip(*reaching, strict=True), zip(*missing, strict=True), strict=True)
        ways = [_at_most(rank, several, *place) for place in places]
    else:
        powers = [[w**n for w in weights] for weights, n in zip(missing, several, strict=True)]
        ways = list(map(prod, zip(*powers, strict=True)))
    every = prod(die.denominator**number for die, number in kinds)
    return Distribution(dict(zip(faces, map(sub, [every, *ways], ways), strict=True)))


def _at_most(rank: int, several: list[int], reaching: Left, missing: Left) -> int:
    ways = [1]  # for each number of them
    for number, reach, miss in zip(several, reaching, missing, strict=True):
        most = min(rank, number)
        one = [comb(number, j) * miss ** (number - j) * reach**j for j in range(most + 1)]
        both = [0] * (len(ways) + most)
        for i, x in enumerate(ways):
            for j, y in enumerate(one):
                both[i + j] += x * y
        ways = both[: rank + 1]
    return sum(ways)


def _composed(lattice: Lattice, faces: list[tuple[int, int]], dice: int, run: Run) -> Any:
    kept, below, last = lattice.rolls, sum(weight for _, weight in faces), faces[0][0]
    sums, above = lattice.made([0]), lattice.made([0])
    for done, (place, weight) in enumerate(faces):
        run.tell("faces", done, len(faces))
        above = lattice.shifted(above, last - place)
        last, reached, below = place, below, below - weight
        ways = reached ** (dice - kept)
        coefficients = []
        missed, shown = below ** (dice - kept + 1), 1  # B^(n-k+1) and w^i
        for i in range(kept):
            ways = reached * ways - comb(dice - kept + i, i) * shown * missed
            shown *= weight
            coefficients.append(comb(dice, kept - 1 - i) * ways)
        sums += lattice.shifted(homogeneous(coefficients[::-1], above, 1), kept * place)
        above += weight
    return sums


def _placed(
    lattice: Lattice,
    kinds: Kinds,
    places: dict[Any, int],
    ranks: set[int],
    run: Run,
    *,
    from_below: bool,
) -> Any:
    dice, last = sum(number for _, number in kinds), max(ranks) + 1
    counted = [sum(rank < place for rank in ranks) for place in range(dice + 1)]
    sums = lattice.made([0])
    states: dict[Left, Any] = {numbers([kinds]): lattice.made([1])}
    for done, level in enumerate(descend([kinds], lowest_first=from_below)):
        run.tell("faces", done, len(places))
        place = places[level.face]
        following: dict[Left, Any] = {}
        for left, polynomial in states.items():
            placed = dice - sum(left)
            shifted: dict[int, Any] = {}
            for rest, (shown,), ways in level.placings(left):
                gained = counted[placed + shown] - counted[placed]
                if gained not in shifted:
                    shifted[gained] = lattice.shifted(polynomial, gained * place)
                if placed + shown >= last:
                    sums += shifted[gained] * (ways * level.rest(rest))
                elif rest in following:
                    following[rest] += shifted[gained] * ways
                else:
                    following[rest] = shifted[gained] * ways
        states = following
    return sums
