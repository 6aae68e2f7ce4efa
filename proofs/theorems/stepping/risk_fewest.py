"""Steps of the theorem on the numbers of sides from which d + 1 dice beat d."""

from fractions import Fraction as Q
from functools import lru_cache
from itertools import accumulate, combinations, pairwise, product
from math import comb, cos, exp, expm1, isqrt, pi, sin, sqrt
from operator import add, mul, sub

from stepping.risk_play import lost
from stepping.step import need

BITS = 56  # of the probabilities in `favours`
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


@lru_cache(512)
def tails(dice, high, sides):
    """Return, for k = 0, …, dice + 1, the probability that at least k dice show one of `high` faces.

    They are times 2^BITS. The terms are computed outwards from the greatest, which is put to 2^BITS,
    by factors of at most 1, and rounded down. So each is too small by at most `dice`, and the errors
    of the quotients are below (dice + 1)².
    """
    low, mode = sides - high, min((dice + 1) * high // sides, dice)
    if high > low:  # k dice show one of these faces if dice - k show another
        return [(1 << BITS) - x for x in reversed(tails(dice, low, sides))]
    below, above = [1 << BITS], [1 << BITS]
    for k in range(mode, 0, -1):
        below.append(below[-1] * (k * low) // ((dice - k + 1) * high))
        if not below[-1]:
            break
    for k in range(mode, dice):
        above.append(above[-1] * ((dice - k) * high) // ((k + 1) * low))
        if not above[-1]:
            break
    none = [0] * (mode + 1 - len(below))
    sums = [0] * (dice - mode + 2 - len(above)) + [*accumulate(above[:0:-1] + below + none)]
    return [(x << BITS) // sums[-1] for x in reversed(sums)]


def favours(d, sides):
    """Return whether f is positive, from 2·f·2^BITS with an error below 8·d·sides·(d + 2)².

    With k of d + 1 dice on one of `high` faces: now[k - 1], divided by the sides, is a mean of two
    tails for d dice, with an error below (d + 1)². Each enters twice; and the errors of `theirs` add
    up to d times (d + 1)², since the differences of the probabilities behind `now` add up to 1 for
    each k. The products are the probabilities that the k-th dice tie or the defender's is better.
    """
    lost, before = 0, [0] * d
    for high in range(1, sides + 1):  # the k-th die shows the lowest of the `high` highest faces
        theirs, low = tails(d, high, sides), sides - high
        now = [*map(add, map(high.__mul__, theirs[:d]), map(low.__mul__, theirs[1:]))]
        lost += sum(map(mul, map(sub, now, before), theirs[1:]))
        before = now
    won = (d << BITS) - 2 * (lost // (sides << BITS))
    need(abs(won) > 8 * d * sides * (d + 2) ** 2, "35: too few bits")
    return won > 0


def least_sides(most):
    """Return s_d for d up to `most`; each must be above the one before.

    For d < 60 all numbers of sides that theorem 35 (a, b) does not settle are tried, from 60 on two:
    the last two of those that are tried to find s_d.
    """
    found, sides = [], 3
    for d in range(1, most + 1):
        need(not favours(d, sides), f"35 (d): the least number does not rise to {d}")
        sides += 1
        while not favours(d, sides):
            sides += 1
        if d < 60:
            tried = range((sides + 1) // 2, d + isqrt(4 * d) + 1)
            good = [x for x in tried if favours(d, x)]
            need(good == [x for x in tried if x >= sides], f"35 (d): another least number for {d}")
        found.append(sides)
    return found


def constants():
    """Check the constants of the bounds of r at the least d and s for which they are stated."""

    def sums(d, s, widest):
        g = widest / (d - 3)
        t0 = 1.3415 + 6.54 / s + 19.4 / s**1.5
        t1, t2 = 2.6124 + 3.16 / sqrt(s), 3.954 + 6.77 / sqrt(s) + 6.54 / s + 19.4 / s**1.5
        m = (1 + 1 / d) * ((d - 1) * (1 - 1 / s**2) / 4) ** -1.5 / 27
        return g**1.5, g**2.5, t0, t1, t2, m

    def changes(g3, g5, t1, t2, s):
        """Return the sum of the table of |S′|: the multiple of k, and the rest without y²."""
        far, farther = one * g3 * t1, two * g5 * t2
        each = 5 / 12 + (3 / 8 + 8 / (36 * pi)) / s + (farther + far) / 3
        each += (0.7 * g5 * t2 + far) / (12 * s)
        rest = 31 / 120 + 1 / 3 + 32 / (60 * pi * s) + farther / 3 + g3 * t1 / 15
        return each, rest + farther / (12 * s)

    one, two = 1 / (4 * sqrt(pi)), 3 / (8 * sqrt(pi))  # γ
    for d, s, half in (20, 20, 0), (60, 30, 1):  # the middle cell, and the cell s/2
        z, least = ((d - 1) * (1 - x / s**2) / 4 for x in (1, 1 + 3 * half))
        delta = two * ((d - 1) / (d - 3)) ** 2.5 / (48 * least * (1 if half else s**2))
        part = (0.21 / 6 + 0.21 / (12 * s) + delta) * (z / least) ** 1.5
        need(least > 4.7 and part < 1 / 27, "35: the cells at the middle")
    g3, g5, t0, t1, _, m = sums(60, 30, 60)  # s = d/2 at the least; Y in place of 1 for G and m
    few = (1 / 2 + one * g3 * t1) / 6 + (1 + two * g5 * t0) / 48 + (2 + 0.4 * g3 * t1) / 360
    need(2 * (1 + 1 / 60) * few + m < 0.415, "35 (b): few sides")
    need(sqrt(pi * 60) / 2 > 6.8 and 1 - 6.8 + 16 * 0.415 < 1, "35 (b): half as many sides")
    for d, most, over in (20, 0.45, 2), (250, 0.32, 1.1):
        _, _, t0, t1, _, m = sums(d, d, d)
        g3 = (1 - 3 / d) ** -1.5
        far = (1 / 2 + one * g3 * t1) / 6 + (2 + 0.4 * g3 * t1) / (12 * d)
        need(2 * (1 + 1 / d) * far + m < most, "35 (b): many sides")
        least = (sqrt(pi) * (over * sqrt(d) - 0.5) / 2 + sqrt(d) / 2) / (sqrt(d) + over)
        need(least > (1.5 if d == 20 else 1.34) > 1 + most, "35 (b): M for many sides")
    for d, widest, most in (60, 60 + 2 * sqrt(60), 0.11), (250, 250 + 1.2 * sqrt(250), 0.0825):
        g3, g5, t0, t1, _, m = sums(d, d, widest)
        below = 7 * (1 + two * g5 * t0) / 240 + (2 + 0.4 * g3 * t1) / (12 * d)
        need(2 * (1 + 1 / d) * below + m < most, "35 (b): r from below")
    s, widest = 60, 60 + 2 * sqrt(60) + 1
    g3, g5, t0, t1, t2, m = sums(s, s, widest)
    need(g3 < 1.56 and g5 < 2.09 and t1 < 3.03 and t2 < 4.99, "35 (d): g and T along s")
    each, rest = changes(1.56, 2.09, 3.03, 4.99, s)
    need(2 * (1 + 1 / s) * (each + rest / s) < 2.9 and 3 * m * widest < 0.16, "35 (d): along s")
    need((121 * sqrt(pi * s) / 2 - 61) / (2 * widest) > 5 > 0.22 + 2.9 + 0.16, "35 (d): M along s")
    s, widest = 250, 250 + 1.2 * sqrt(250)
    g3, g5, t0, t1, t2, _ = sums(s, s, widest)
    t3 = 5.225 + 13.54 / sqrt(s) + t0  # and 2.973·√s
    need(g3 < 1.137 and g5 < 1.238 and t1 < 2.82 and t2 < 4.42 and t3 < 7.46, "35 (d): g and T")
    each, rest = changes(1.137, 1.238, 2.82, 4.42, s)
    third = 1.238 * (two / 3 + 0.7 / (12 * s))
    rest += 1 / 5 + 3 / (10 * s) + 7.46 * third
    need(
        2 * 2.973 * third < 0.521 and 2 * rest < 4.1 and 2 * each < 1.92,
        "35 (d): along the diagonal",
    )
    apart = 2.4 / (sqrt(s) * widest)  # 2σ/(ds) at the most
    need(0.0825 * 2 * expm1(apart) / apart * widest / s < 0.18, "35 (d): the change of G")
    small = (s / (s - 2)) ** 2.5 * (1 - 4 / s**2) ** -2.5
    need(64 * (7 / 240 * two + 0.4 / 48) * small < 1, "35 (d): the cell (s + 1)/2")
    middle = (4 * s / (s - 1)) ** 1.5 * (1 - 1 / s**2) ** -1.5 / 27 + 1 / s
    need(middle < 0.303 and 0.303 * (widest / s) ** 1.5 < 0.339, "35 (d): the middle")
    need((s + 1) / (s + 2) > 0.996 and sqrt(pi) / 4 > 0.443, "35 (d): M along the diagonal")
    less = sqrt(pi) / 4 * (1.2 * s + 2.5 * sqrt(s)) / (s + 1.5) + 0.5
    need(less < 1.11 and 0.835 / sqrt(pi) > 0.471, "35 (d): M along the diagonal")
    need(widest / s < 1.038**2 and 0.996 * 0.471 * 0.443 > 0.2078, "35 (d): the last step")
    linear = 0.996 * (0.471 * 1.11 + 0.443) + 0.86 * 1.038 + 2.1 * 0.471
    need(linear < 2.844 and 6.02 - 2.1 / 2 - 0.996 * 1.11 < 3.87, "35 (d): the last step")
    need(0.2078 * s > 2.844 * sqrt(s) + 3.87, "35 (d): from 250 on")


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
    for d, u, v in product((2, 3, 5), (Q(1, 7), Q(1, 2)), (Q(3, 5), Q(2, 3))):
        fixed = [[value(binomial(d - 1, k), x) for k in range(d)] for x in (u, v)]
        first, second = (
            sum(x * y for x, y in zip(fixed[0], fixed[1][k:], strict=False)) for k in (0, 1)
        )
        pairs = ((u, v), (1 - v, 1 - u))
        both = sum(
            value(binomial(d, k), x) * value(binomial(d - 1, k), y)
            for x, y in pairs
            for k in range(d)
        )
        need(both == (1 + v - u) * first + (1 - v + u) * second, "35 (d): the symmetric form")
    constants()
    for d, least in enumerate(FEWEST, 1):
        for sides in (1, 2, least - 1, least, 3 * least):
            need(favours(d, sides) == (advantage(d, sides) > 0), "35 (d): the sign")
    least = least_sides(250)
    need((*least[:20],) == FEWEST, "35 (d): the first numbers")
    over = [sides - d - 0.650137738158 * sqrt(d) for d, sides in enumerate(least, 1)]
    need(min(over) > 1.2 and max(over) < 2.5, "35: from the square root")
    need(all(abs(growth(n) - 0.650137738158) < 1e-12 for n in (8, 16)), "35 (d): β")
    return f"d + 1 dice against d: s_d for d up to {len(least)}"
