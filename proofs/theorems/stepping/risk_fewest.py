"""Steps of the theorem on the numbers of sides from which d + 1 dice beat d."""

from fractions import Fraction as Q
from itertools import accumulate, combinations, pairwise, product
from math import comb, cos, exp, expm1, pi, sin

from stepping.risk_play import lost
from stepping.step import need

FEWEST = 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25


def without_ties(d):
    """Return the mean of the units that d + 1 dice win against d without ties, less d/2."""
    won, orders = 0, list(combinations(range(2 * d + 1), d + 1))
    for ups in orders:
        steps = [1 if i in ups else -1 for i in range(2 * d + 1)]
        heights = [0, *accumulate(steps)]
        won += sum(heights[i] >= 0 for i in ups[:d])
    return Q(won, len(orders)) - Q(d, 2)


def at_least(dice, high, sides):
    """Return, for k = 0, …, dice, in how many rolls at least k dice show one of `high` faces."""
    counts = [comb(dice, i) * high**i * (sides - high) ** (dice - i) for i in range(dice + 1)]
    return [*accumulate(reversed(counts))][::-1]


def advantage(d, sides):
    """Return 2·f·sides^(2d + 1)."""
    won, before = 0, at_least(d + 1, 0, sides)
    for high in range(1, sides + 1):
        now, theirs = at_least(d + 1, high, sides), at_least(d, high, sides)
        won += sum((now[k] - before[k]) * (theirs[0] - theirs[k]) for k in range(1, d + 1))
        before = now
    return 2 * won - d * sides ** (2 * d + 1)


def from_least(d, least):
    """Return the coefficients of the polynomial `advantage` in sides − least, by differences."""
    at = 2 * d + 1
    known = [advantage(d, sides) for sides in range(at + 1)]
    differences = []
    while known:
        differences.append(known[0])
        known = [y - x for x, y in pairwise(known)]
    # Newton's form: the sum of differences[k]·C(sides, k), with sides = least + x, by Horner
    result = [Q(0)]
    for k in range(at, -1, -1):
        scaled = [c * (least - k) for c in result] + [Q(0)]
        for i, c in enumerate(result):
            scaled[i + 1] += c
        result = [c / (k + 1) for c in scaled] if k < at else [Q(0)]
        result[0] += differences[k]
    return result


def integral(terms):
    return [Q(0), *(c / (i + 1) for i, c in enumerate(terms))]


def times(terms, others):
    result = [Q(0)] * (len(terms) + len(others) - 1)
    for (i, c), (j, e) in product(enumerate(terms), enumerate(others)):
        result[i + j] += c * e
    return result


def value(terms, x):
    return sum(c * x**i for i, c in enumerate(terms))


def binomial(n, k):
    """Return the probability that k of n dice are before u, as a polynomial in u."""
    return [Q(0)] * k + [Q(comb(n, k) * comb(n - k, i) * (-1) ** i) for i in range(n - k + 1)]


def lost_to_ties(d, sides):
    """Return T by its integrals over the cells."""
    total = Q(0)
    for k in range(d):
        first, second = binomial(d, k), integral(binomial(d - 1, k))
        single, both = integral(first), integral(times(first, second))
        for low, high in pairwise(Q(j, sides) for j in range(sides + 1)):
            total += value(second, high) * (value(single, high) - value(single, low))
            total -= value(both, high) - value(both, low)
    return d * (d + 1) * total


def growth(points):
    """Return β by the trapezoidal rule."""
    total = 0
    for t in (pi * (2 * i + 1) / (2 * points) for i in range(points)):
        kappa, c = 4 * sin(t / 2) ** 2, cos(t / 2)
        part = exp(-kappa / 2) * cos(t / 2 - sin(t)) - c * exp(-kappa)
        total += (1 + 2 * c * part / expm1(-kappa)) / kappa
    return 4 * pi**-0.5 * total / points


def fewest_sides():
    """Theorem 35."""
    for d in range(1, 6):
        need(without_ties(d) == (Q(4**d, comb(2 * d + 1, d)) - 1) / 2, "35 (a): without ties")
    for d, sides in product((1, 2), range(1, 5)):
        rolls = product(range(1, sides + 1), repeat=2 * d + 1)
        worst = sum(d - 2 * lost(sorted(r[d:], reverse=True)[:d], r[:d]) for r in rolls)
        need(worst == advantage(d, sides), "35: all rolls")
    for d, least in enumerate(FEWEST, 1):
        rising = from_least(d, least)
        need(min(rising) >= 0 < rising[0] == advantage(d, least), "35 (c): from the least on")
        far = sum(c * 7**i for i, c in enumerate(rising))
        need(d > 5 or far == advantage(d, least + 7), "35 (c): the polynomial")
        need(all(advantage(d, sides) <= 0 for sides in range(1, least)), "35 (c): fewer sides")
    for d, sides in product((1, 2, 3), (1, 2, 3, 4)):
        won = Q(advantage(d, sides), 2 * sides ** (2 * d + 1))
        need(without_ties(d) - lost_to_ties(d, sides) == won, "35 (d): ties by integrals")
        same = (times(binomial(d, k), binomial(d - 1, k)) for k in range(d))
        even = sum(value(integral(terms), 1) for terms in same)
        need(even == (Q(4**d, comb(2 * d, d)) - 1) / (2 * d), "35 (d): the diagonal")
    need(all(abs(growth(n) - 0.650137738158) < 1e-12 for n in (8, 16)), "35 (d): β")
    return f"d + 1 dice against d: all numbers of sides, for d up to {len(FEWEST)}"
