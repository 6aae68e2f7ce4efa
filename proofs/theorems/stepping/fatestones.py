"""Steps of the theorems about FateStones."""

from fractions import Fraction as Q
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, prod

from stepping.step import need


def margin(die, other):
    """Return the probability of a win minus that of a loss."""
    beaten = sum((x > y) - (x < y) for x in die for y in other)
    return Q(beaten, len(die) * len(other))


def tie(die, other):
    return Q(sum(x == y for x in die for y in other), len(die) * len(other))


def without(hand, i):
    return hand[:i] + hand[i + 1 :]


def plays(hand, others):
    """Return margin and probability of a scratch, (α, β), of every play against random choice."""
    if not hand:
        return {(Q(0), Q(1))}
    found = set()
    for i, die in enumerate(hand):
        sums = {(Q(0), Q(0))}
        for j, other in enumerate(others):
            wins, tied = margin(die, other), tie(die, other)
            then = {
                (wins + tied * a, tied * b) for a, b in plays(without(hand, i), without(others, j))
            }
            n = len(others)
            sums = {(a + x / n, b + y / n) for a, b in sums for x, y in then}
        found |= sums
    return found


def first_choices(hand, others):
    """Return the matrix of a duel with two dice a side and scratches of value 0."""
    return [
        [
            margin(die, other) + tie(die, other) * margin(hand[1 - i], others[1 - j])
            for j, other in enumerate(others)
        ]
        for i, die in enumerate(hand)
    ]


def value_of(matrix):
    """Return the value of a 2 × 2 game."""
    (a, b), (c, d) = matrix
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return low if low == high else (a * d - b * c) / (a + d - b - c)


def scratches():
    """Theorem 16."""
    bag = [(1, 1, 4), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 1), (3, 3, 3), (2, 3, 4)]
    for size in (2, 3):
        best, scratch, found = [], [], []
        for hand in combinations(bag, size):
            for others in combinations(bag, size):
                if {*hand} & {*others}:
                    continue
                ways = plays(hand, others)
                chances_of_it = {b for _, b in ways}
                matchings = [
                    prod((tie(d, o) for d, o in zip(hand, order, strict=True)), start=Q(1))
                    for order in permutations(others)
                ]
                mean = sum(matchings) / len(matchings)
                need(chances_of_it == {mean}, "16: play changes the chance of a scratch")
                best.append(max(a for a, _ in ways))
                scratch.append(mean)
                found.append(ways)
                if size == 2:
                    there, back = first_choices(hand, others), first_choices(others, hand)
                    need(value_of(there) == -value_of(back), "16: sides exchanged")
        n = len(best)
        whole = (sum(best) / n) / (1 - sum(scratch) / n)
        need(
            sum(max(a + b * whole for a, b in ways) for ways in found) / n == whole, "16: the game"
        )
    return f"scratches: all {n} deals of three dice out of a bag of seven, and those of two"


def is_own_opposite(die):
    return die == tuple(sorted(7 - x for x in die))


def opposites():
    """Theorem 17."""
    dice = [d for d in combinations_with_replacement(range(1, 7), 6) if sum(d) == 21]
    opposite = {die: tuple(sorted(7 - x for x in die)) for die in dice}
    for die, other in product(dice, repeat=2):
        there, back = margin(die, other), margin(opposite[die], opposite[other])
        need(there == -back, "17: margins")
        need(tie(die, other) == tie(opposite[die], opposite[other]), "17: ties")
    own = [die for die in combinations_with_replacement(range(1, 7), 6) if is_own_opposite(die)]
    need(len(own) == comb(5, 2) and {*own} <= {*dice}, "17: other dice")
    need(all(margin(die, other) == 0 for die, other in product(own, repeat=2)), "17: not even")
    pairs = [(die, of) for die, of in opposite.items() if die < of]
    for hand, others in product(pairs, repeat=2):
        need(sum(map(sum, first_choices(hand, others))) == 0, "17: random choice is not even")
    first, second = (
        ((1, 1, 3, 5, 5, 6), (1, 2, 2, 4, 6, 6)),
        ((1, 1, 4, 4, 5, 6), (1, 2, 3, 3, 6, 6)),
    )
    need(first in pairs and second in pairs, "17: no opposites")
    matrix = first_choices(first, second)
    need(matrix == [[Q(x, 1296) for x in row] for row in ((29, -60), (60, -29))], "17: matrix")
    need(value_of(matrix) == Q(-29, 1296), "17: value")
    return "opposites: all pairs of the 32 dice, the ten, and the hands that are not even"
