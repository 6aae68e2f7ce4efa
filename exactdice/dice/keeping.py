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

from math import comb, prod
from typing import Any

from flint import fmpz_poly

from exactdice.dice.descent import Kinds, Left, descend, numbers, ordered
from exactdice.dice.distribution import Distribution
from exactdice.dice.lattice import Lattice
from exactdice.run import Run


def kept_sum(kinds: Kinds, ranks: set[int], run: Run) -> Distribution[Any]:
    """Distribution of the sum of the dice on certain ranks, of which 0 is the highest.

    Raises TooLargeError if the law would take more than the run allows.
    """
    dice, kept = sum(number for _, number in kinds), len(ranks)
    from_below = max(ranks) + 1 > dice - min(ranks)
    if from_below:
        ranks = {dice - 1 - rank for rank in ranks}
    if kept == 1:
        return _ranked(kinds, min(ranks), from_below=from_below)
    faces = ordered((die for die, _ in kinds), lowest_first=True)
    lattice = Lattice(map(Distribution._numeric, faces))
    places = dict(zip(faces, lattice.places, strict=True))
    bits = sum(number * die.denominator.bit_length() for die, number in kinds)
    first_ranks = max(ranks) == kept - 1
    by_composition = first_ranks and len(kinds) == 1
    states = 3 if by_composition else prod(min(number, max(ranks)) + 1 for _, number in kinds)
    what = f"the sum of {kept} of {dice} dice"
    run.require(states * lattice.bytes(kept, bits), what)
    # Digits of all coefficients at all faces: 2 to 5 ns each, or 0.03 to 0.3 for a pair of states.
    digits = len(faces) * (kept * max(lattice.places) + 1) * bits
    run.expect(4 * digits if by_composition else digits * states**2 // 20, what)
    if by_composition:
        [(die, _)] = kinds
        law = _composed(die, places, dice, kept, from_below=from_below)
    else:
        law = _placed(kinds, places, ranks, from_below=from_below)
    return Distribution(lattice.weights(law, kept))


def _ranked(kinds: Kinds, rank: int, *, from_below: bool) -> Distribution[Any]:
    """The dice on one rank: more than `rank` dice reach a face where they do not fall short."""
    faces = ordered((die for die, _ in kinds), lowest_first=from_below)
    weights: dict[Any, int] = {}
    totals = [die.denominator for die, _ in kinds]
    short, before, all_ways = list(totals), 0, prod(die.denominator**n for die, n in kinds)
    for face in faces:
        few: list[int] = []  # in how many ways so many reach the face, none to `rank`
        for place, (die, number) in enumerate(kinds):
            short[place] = missing = short[place] - die.get(face, 0)
            one, reaching = [missing**number], totals[place] - missing
            for j in range(1, min(rank, number) + 1):
                one.append(comb(number, j) * missing ** (number - j) * reaching**j)
            few = one if place == 0 else _product(few, one)[: rank + 1]
        reached = all_ways - sum(few)
        weights[face], before = reached - before, reached
    return Distribution(weights)


def _product(first: list[int], second: list[int]) -> list[int]:
    """Coefficients of a product: in Python, since numbers cross to FLINT by their digits."""
    product = [0] * (len(first) + len(second) - 1)
    for i, x in enumerate(first):
        for j, y in enumerate(second):
            product[i + j] += x * y
    return product


def _composed(
    die: Distribution[Any], places: dict[Any, int], dice: int, kept: int, *, from_below: bool
) -> fmpz_poly:
    """The `kept` highest, or lowest, of equal dice."""
    width = max(places.values())
    # From below a place is counted down from the highest, and the sum is mirrored at the end.
    down = sorted(((width - places[f] if from_below else places[f], w) for f, w in die.items()))[
        ::-1
    ]
    law, above, below, last = fmpz_poly([]), fmpz_poly([]), die.denominator, down[0][0]
    for place, weight in down:
        above = above.left_shift(last - place)
        last, reached, below = place, below, below - weight
        ways = reached ** (dice - kept)
        coefficients = []
        missed, shown = below ** (dice - kept + 1), 1  # B^(n-k+1) and w^i
        for i in range(kept):
            ways = reached * ways - comb(dice - kept + i, i) * shown * missed
            shown *= weight
            coefficients.append(comb(dice, kept - 1 - i) * ways)
        law += fmpz_poly(coefficients[::-1])(above).left_shift(kept * place)
        above += weight
    return fmpz_poly(_mirrored(law, kept * width)) if from_below else law


def _mirrored(law: fmpz_poly, degree: int) -> list[Any]:
    coefficients = law.coeffs()
    return [0] * (degree + 1 - len(coefficients)) + coefficients[::-1]


def _placed(
    kinds: Kinds, places: dict[Any, int], ranks: set[int], *, from_below: bool
) -> fmpz_poly:
    """Any ranks: a polynomial in the sum of those placed, for each number of dice left."""
    dice, last = sum(number for _, number in kinds), max(ranks) + 1
    counted = [sum(rank < place for rank in ranks) for place in range(dice + 1)]
    law = fmpz_poly([])
    states: dict[Left, fmpz_poly] = {numbers([kinds]): fmpz_poly([1])}
    for level in descend([kinds], lowest_first=from_below):
        place = places[level.face]
        following: dict[Left, fmpz_poly] = {}
        for left, polynomial in states.items():
            placed = dice - sum(left)
            shifted: dict[int, fmpz_poly] = {}
            for rest, (shown,), ways in level.placings(left):
                gained = counted[placed + shown] - counted[placed]
                if gained not in shifted:
                    shifted[gained] = polynomial.left_shift(gained * place)
                if placed + shown >= last:
                    law += shifted[gained] * (ways * level.rest(rest))
                elif rest in following:
                    following[rest] += shifted[gained] * ways
                else:
                    following[rest] = shifted[gained] * ways
        states = following
    return law
