"""Steps of the theorem on a defender who sees the attacker's dice."""

from collections import Counter
from fractions import Fraction as Q
from functools import cache
from itertools import pairwise, product
from math import comb, lcm
from operator import mul

from stepping.risk_play import lost, won
from stepping.step import need

MANY = 48  # sides from which the bounds of (b) hold
ONE_DIE_AGAINST = {(5, 4), (5, 5), (6, 4), (6, 5), (6, 6)}


def highest(dice, sides):
    """Return the distribution of the two highest dice, or of the only one, the higher first."""
    rolls = product(range(1, sides + 1), repeat=dice)
    counts = Counter(tuple(sorted(roll, reverse=True)[:2]) for roll in rolls)
    return {faces: Q(count, sides**dice) for faces, count in counts.items()}


@cache
def answered(faces, dice, sides):
    """Return the distribution of the attacker's losses, given its highest dice."""
    counts = [0] * (min(len(faces), dice) + 1)
    for roll in product(range(1, sides + 1), repeat=dice):
        counts[lost(faces, roll)] += 1
    return [Q(count, sides**dice) for count in counts]


def worth(win, a, d, faces, dice, sides):
    """Return the win probability, given the attacker's dice and the defender's number of dice."""
    chances = answered(faces, dice, sides)
    stake = len(chances) - 1
    return sum(c * win[a - k, d - stake + k] for k, c in enumerate(chances))


def seen(most, sides):
    """Return win probabilities for all armies up to a size, also by the attacker's dice."""
    win = {(a, 0): Q(1) for a in range(most + 1)} | {(0, d): Q(0) for d in range(1, most + 1)}
    of_dice = {}
    rolls = [highest(dice, sides) for dice in (1, 2, 3)]
    for a, d in product(range(1, most + 1), repeat=2):
        of_dice[a, d] = [
            sum(
                chance * min(worth(win, a, d, faces, j, sides) for j in range(1, min(d, 2) + 1))
                for faces, chance in shown.items()
            )
            for shown in rolls[: min(a, 3)]
        ]
        win[a, d] = max(of_dice[a, d])
    return win, of_dice


def most_dice(sides, most):
    """Check the numbers of (b) for one number of sides, and all armies up to a size."""
    two, three = highest(2, sides), highest(3, sides)
    p = sum(chance * answered(x, 2, sides)[0] for x, chance in highest(1, sides).items())
    q3 = sum(chance * answered(x[:1], 1, sides)[0] for x, chance in three.items())
    r = 1 - q3
    need(q3 >= p, "28 (b): d = 1")
    least = sum(
        chance * min(answered(x[:1], 1, sides)[0] * p, answered(x, 2, sides)[0])
        for x, chance in two.items()
    )
    need(least >= p * p, "28 (b): one attacker")
    total = Q(0)
    for x, chance in three.items():
        c, (_, u1, u2) = answered(x[:1], 1, sides)[0], answered(x, 2, sides)
        total += chance * min(c * (q3 - p) * r, u1 * (q3 - p) - p * (u2 - (1 - c) * r))
    need(total >= 0, "28 (b): d = 2")
    win, of_dice = seen(most, sides)
    need(all(of[-1] == max(of) for of in of_dice.values()), "28 (b): fewer dice")
    for a, d in product(range(2, most + 1), range(1, most + 1)):
        need(win[a, d] >= p * win[a, d - 1] + (1 - p) * win[a - 1, d], "28 (b): H")
    for a, d in product(range(most), repeat=2):
        need(win[a + 1, d] >= win[a, d] >= win[a, d + 1], "28 (a): small armies")
    for a, d in product(range(1, most + 1), range(2, most + 1)):
        better = {
            x
            for x in highest(min(a, 3), sides)
            if worth(win, a, d, x, 1, sides) <= worth(win, a, d, x, 2, sides)
        }
        need(a > 1 or better <= {(1,)}, "28 (c): one die of the attacker")
        for x, y in better if a > 1 else ():
            need(all((x, z) in better for z in range(y, x + 1)), "28 (c): a higher second die")


def pairs(dice, sides):
    """Yield the numbers of lower faces of the two highest dice, and the number of such rolls."""
    for high in range(sides):
        for low in range(high + 1):
            two = 1 if low == high else 2
            yield high, low, two if dice == 2 else 1 + 3 * low if low == high else 3 + 6 * low


def two_dice(x, y, sides):
    """Return how many of sides² rolls of two dice cost the attacker 0, 1 and 2 units."""
    none, both = 2 * x * y - y * y, (sides - y) ** 2 - (x - y) ** 2
    return none, sides**2 - none - both, both


def one_die(sides):
    """Return p, q₁, q₂ and q₃: chances of one die against two, and of 1, 2, 3 dice against one."""
    cubes = [sum((x + 1) ** n * x - x ** (n + 1) for x in range(sides)) for n in (1, 2, 3)]
    q = [Q(ways, sides ** (n + 1)) for n, ways in enumerate(cubes, 1)]
    return Q(sum(x * x for x in range(sides)), sides**3), *q


def mean_of_least(dice, sides, less, one, two):
    """Return the mean of the lesser answer over rolls whose dice show `less` faces less.

    One die has the value x·one[0] + (1 − x)·one[1], and two have u·two[:3] + (1 − x)·two[3], where
    x is the share of faces below the highest die.
    """
    unit = lcm(*(Q(part).denominator for part in (*one, *two)))
    one, two = ([int(part * unit) for part in of] for of in (one, two))
    total = 0
    for high, low, ways in pairs(dice, sides):
        x, y = max(0, high - less), max(0, low - less)
        by_one = sides * (x * one[0] + (sides - x) * one[1])
        by_two = sum(map(mul, two_dice(x, y, sides), two)) + sides * (sides - x) * two[3]
        total += ways * min(by_one, by_two)
    return Q(total, unit * sides ** (dice + 2))


def ends(sides, less=0):
    """Return W(a, 1), W(a, 2) and W(a − 1, 2) for a = 2 and a = 3, or lower bounds."""
    p, q1, q2, q3 = one_die(sides)
    two1 = q2 + (1 - q2) * q1
    three1 = q3 + (1 - q3) * two1
    two2 = mean_of_least(2, sides, less, (two1, p * q1), (1, q1, 0, 0))
    three2 = mean_of_least(3, sides, less, (three1, two2), (1, two1, p * q1, 0))
    return (two1, two2, p * q1), (three1, three2, two2)


def five_numbers(sides):
    """Return the numbers of (b) that must be at least 0."""
    p, *_, q3 = one_die(sides)
    g, r = q3 - p, 1 - q3
    yield g
    yield mean_of_least(2, sides, 0, (p, 0), (1, 0, 0, 0)) - p * p
    yield mean_of_least(3, sides, 0, (g * r, 0), (0, g, -p, p * r))
    for less, after, other in ends(sides):
        yield after - p * less - (1 - p) * other


def many_sides(sides):
    """Check the bounds of (b) for this number of sides and all greater ones."""
    p, q1, _, q3 = one_die(sides)
    g = q3 - p
    need(p == Q(1, 3) - Q(1, 2 * sides) + Q(1, 6 * sides**2), "28 (b): p")
    need(g == Q(5, 12) * (1 - Q(1, sides**2)), "28 (b): q₃ − p")
    need(1 - q3 == Q((sides + 1) ** 2, 4 * sides**2) and q1 == Q(sides - 1, 2 * sides), "28 (b): r")
    least = mean_of_least(2, sides, 1, (p, 0), (1, 0, 0, 0))
    need(least > Q(1, 9), "28 (b): one attacker, many sides")
    least = mean_of_least(3, sides, 0, (g / 4, 0), (0, g, -Q(1, 3), p / 4))
    need(least * sides > Q(5, 3) + Q(2, 3) + Q(1, 12), "28 (b): d = 2, many sides")
    (_, two2, _), (_, three2, _) = ends(sides, 1)
    need(two2 > Q(7, 18) and three2 > Q(47, 72), "28 (b): H, many sides")


def critical(sides):
    """Return μ of (e): attackers for each defender at which neither side gains ground."""
    mu = Q(1)
    while True:
        lost = won = 0
        for x, y, ways in pairs(3, sides):
            u0, u1, u2 = two_dice(x, y, sides)
            answers = (sides * (sides - x), sides * x), (u1 + 2 * u2, u1 + 2 * u0)
            one, other = max(answers, key=lambda of: of[0] - mu * of[1])
            lost, won = lost + ways * one, won + ways * other
        if lost == mu * won:
            return mu
        mu = Q(lost, won)


def who_sees():
    """Theorem 28."""
    for sides in range(2, 13):
        most_dice(sides, 6 if sides == 6 else 4)
    for sides in range(2, MANY):
        need(min(five_numbers(sides)) >= 0, f"28 (b): {sides} sides")
    many_sides(MANY)
    slopes = [critical(sides) for sides in range(2, 13)]
    need(
        all(x > y for x, y in pairwise(slopes)) and slopes[4] == Q(1945, 1943), "28 (e): the slope"
    )
    # (1 − x)^(−n) ≥ (1 + x)^n, which has these terms
    grows = sum(Q(comb(4400000, k), 6250000**k) for k in range(5))
    need(grows > 2 * Q(2500, 2499), "28 (d): from 4400000 units on")
    beta, gamma = Q(2501, 2500), Q(2499, 2500)
    need(beta * gamma == 1 - Q(1, 6250000), "28 (d): the bound")
    for dice in (1, 2, 3):
        total = Q(0)
        for x, chance in highest(dice, 6).items():
            losses = answered(x, 1 if x in ONE_DIE_AGAINST else 2, 6)
            stake = len(losses) - 1
            total += chance * sum(c * beta**-k * gamma ** (k - stake) for k, c in enumerate(losses))
        need(total <= 1, f"28 (d): {dice} dice")
    win, unseen = seen(9, 6)[0], won(9)
    for a, d in product(range(1, 10), repeat=2):
        need(win[a, d] <= min(unseen[a, d], beta**a * gamma ** (d - 1)), "28 (d): small armies")
    return "the defender sees the dice: all numbers of sides, the bound, all armies up to 4, and with six sides up to 9"
