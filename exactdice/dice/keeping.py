r"""The sum of the dice on certain ranks, by polynomials.

*One rank.* The die on rank r is at least f where more than r dice are: the product of a linear
polynomial a die, cut off behind its r-th power, counts the rolls in which no more are. Differences
over f are the law.

*The k highest of n equal dice.* Let t be the lowest face that is kept, w its weight and B the
weight of all below it. If j dice show more, k - j of the others count as t, in

.. math:: c_j = \binom{n}{j} \sum_{m \ge k-j} \binom{n-j}{m} w^m B^{n-j-m}

ways, so that the law is :math:`\sum_t x^{kt} \sum_j c_j a_t^j` with the polynomial
:math:`a_t = \sum_{f>t} w_f x^{f-t}`: for each face one composition. The sums follow from each
other: with S(m, i) for that over m dice of which at least i show t,
:math:`S(m, i) = (w + B) S(m-1, i-1) - \binom{m-1}{i-1} w^{i-1} B^{m-i+1}`.

*Any ranks of any dice.* Face by face (`exactdice.dice.descent`), a polynomial in the sum for each
number of dice that are left, from the end that is nearer to the ranks, until the last of them is
placed.

Cost: O(faces) compositions of a polynomial of degree k; else O(faces · ∏(nᵢ + 1)²) multiples of
polynomials with as many coefficients as there are sums.
"""

from itertools import accumulate
from math import comb, prod
from operator import sub
from typing import Any

from exactdice.dice.descent import Kinds, Left, descend, numbers, ordered
from exactdice.dice.distribution import Distribution
from exactdice.dice.lattice import Lattice, homogeneous
from exactdice.run import Run


def kept_sum(kinds: Kinds, ranks: set[int], run: Run) -> Distribution[Any]:
    """Distribution of the sum of the dice on certain ranks, of which 0 is the highest."""
    dice, kept = sum(number for _, number in kinds), len(ranks)
    from_below = max(ranks) + 1 > dice - min(ranks)
    if from_below:
        ranks = {dice - 1 - rank for rank in ranks}
    if kept == 1:
        return _ranked(kinds, *ranks, from_below=from_below)
    faces = ordered((die for die, _ in kinds), lowest_first=from_below)
    bits = sum(number * die.denominator.bit_length() for die, number in kinds)
    # From below a face counts with the other sign, so that the lowest comes first.
    sign = -1 if from_below else 1
    lattice = Lattice((sign * Distribution._numeric(face) for face in faces), kept, bits)
    places = dict(zip(faces, lattice.places.values(), strict=True))
    by_composition = max(ranks) == kept - 1 and len(kinds) == 1
    states = 3 if by_composition else prod(min(number, max(ranks)) + 1 for _, number in kinds)
    what = f"the sum of {kept} of {dice} dice"
    run.require(states * lattice.bytes, what)
    # Digits of all coefficients at all faces: 2 to 5 ns each, or 0.03 to 0.3 for a pair of states.
    digits = len(faces) * lattice.size * bits
    run.expect(4 * digits if by_composition else digits * states**2 // 20, what)
    if by_composition:
        [(die, _)] = kinds
        law = _composed(lattice, [(places[face], die[face]) for face in faces], dice, run)
    else:
        law = _placed(lattice, kinds, places, ranks, run, from_below=from_below)
    return Distribution({sign * x: weight for x, weight in lattice.weights(law).items()})


def _ranked(kinds: Kinds, rank: int, *, from_below: bool) -> Distribution[Any]:
    """The dice on one rank: they fall short of a face where at most `rank` dice reach it."""
    faces = ordered((die for die, _ in kinds), lowest_first=from_below)
    reaching = [list(accumulate(die.get(face, 0) for face in faces)) for die, _ in kinds]
    missing = [
        [die.denominator - weight for weight in reach]
        for (die, _), reach in zip(kinds, reaching, strict=True)
    ]
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
    """In how many ways at most `rank` dice reach a face."""
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
    """The first of equal dice, whose faces come in order, each as its place and its weight."""
    kept, below, last = lattice.rolls, sum(weight for _, weight in faces), faces[0][0]
    law, above = lattice.made([0]), lattice.made([0])
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
        law += lattice.shifted(homogeneous(coefficients[::-1], above, 1), kept * place)
        above += weight
    return law


def _placed(
    lattice: Lattice,
    kinds: Kinds,
    places: dict[Any, int],
    ranks: set[int],
    run: Run,
    *,
    from_below: bool,
) -> Any:
    """Any ranks: a polynomial in the sum of those placed, for each number of dice left."""
    dice, last = sum(number for _, number in kinds), max(ranks) + 1
    counted = [sum(rank < place for rank in ranks) for place in range(dice + 1)]
    law = lattice.made([0])
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
                    law += shifted[gained] * (ways * level.rest(rest))
                elif rest in following:
                    following[rest] += shifted[gained] * ways
                else:
                    following[rest] = shifted[gained] * ways
        states = following
    return law
