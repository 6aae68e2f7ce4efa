"""Steps of the theorem on the line of even chances."""

from decimal import Decimal
from fractions import Fraction as Q
from functools import cache
from itertools import product

from stepping.risk_play import ROUNDS, bounds, won
from stepping.step import need

U = ROUNDS[3, 2]
CUT = 100  # terms with larger armies are bounded
REST = Q(1, 10**16)
LEAST = 2046, 1935  # of 2797·a − 2387·d, by the parity of a + d
MEAN = U[1] + 2 * U[2]
VARIANCE, THIRD = (sum(c * (k - MEAN) ** n for k, c in enumerate(U)) for n in (2, 3))
SMALL, ALL = 400, 1000  # defenders up to which V is computed for all a, and for those at the line
FAR = 135_000  # defenders from which on (c) is enough
NEAR, ERRORS, ERROR = Q(1, 20), ((5, 8), (8, 13)), 21  # (c): −C⁻ and C⁺ at the line, for all
STEADY = 60  # units left, or one more, of which V is looked up


def powers(rounds):
    """Return the distributions of the attacker's losses after 0, 1, … rounds of 3 against 2."""
    of = [[Q(1)]]
    for _ in range(rounds):
        last = [Q(0), Q(0), *of[-1], Q(0), Q(0)]
        of.append([sum(U[k] * last[i + 2 - k] for k in range(3)) for i in range(len(last) - 2)])
    return of


def thin(most):
    """Return V(x, y) for x ≤ 2 or y ≤ 1, both up to a size."""
    win = {(x, 0): Q(1) for x in range(most + 1)} | {(0, y): Q(0) for y in range(1, most + 1)}
    for x, y in product(range(1, most + 1), repeat=2):
        if x <= 2 or y == 1:
            chances = ROUNDS[min(x, 3), min(y, 2)]
            stake = len(chances) - 1
            win[x, y] = sum(c * win[x - k, y - stake + k] for k, c in enumerate(chances))
    return win


def exits(most, parity):
    """Yield (x, y), k and u_k for the last rounds that lead to B_i."""
    for x, y, k in product(range(1, most + 1), range(most + 1), range(3)):
        if (x <= 2 or y <= 1) and (x + y + parity) % 2 == 0 and x + k >= 3 and y + 2 - k >= 2:
            yield x, y, k, U[k]


def stays(law, x):
    """Return the probability that at least 3 of x attackers are left."""
    return sum(law[: max(0, x - 2)], Q(0))


def kappas():
    """Bounds of κ₀ and of κ₁."""
    between = []
    for i in (0, 1):
        total = sum(w for *_, w in weights(i))
        at = Q(5, 2) + MEAN * i / 2 - THIRD / (6 * VARIANCE) - total
        between.append([2 / (2 - MEAN) * (at + side) for side in (-REST, REST)])
    return between


@cache
def weights(parity):
    """Yield x, y, k and u_k·(V(x, y) − Q(x, y)), the terms of K_i except for large armies."""
    win, laws = thin(CUT - 1), powers(CUT // 2 + 1)
    return [
        (x, y, k, u * (win[x, y] - stays(laws[(x + y + 1) // 2], x)))
        for x, y, k, u in exits(CUT - 1, parity)
    ]


def least_square():
    """Return the least value of A² for 0 ≤ t ≤ π, in which it is a polynomial in z = 1 − cos t."""
    p, q = U[1] * (U[0] + U[2]), U[0] * U[2]
    for z in map(Q, range(3)):  # a quadratic polynomial is given by three values
        cos, double = 1 - z, 2 * (1 - z) ** 2 - 1
        square = sum(u**2 for u in U) + 2 * p * cos + 2 * q * double
        need(square == 1 - z * (2 * p + 4 * q * (2 - z)), "29: the polynomial of A²")
    at = 1 + p / (4 * q)
    least = 1 - at * (2 * p + 4 * q * (2 - at))
    need(0 <= at <= 2 and q > 0, "29: where A² is least")
    need(least == 1 - VARIANCE**2 / (4 * q), "29: the least value of A²")
    return least


def errors(parity, off):
    """Bounds C⁻ and C⁺ of (c) where |a − ρd − κ| is at most `off`."""
    p, q, skew, t = U[1] * (U[0] + U[2]), U[0] * U[2], 1 - MEAN, Q(1, 4)
    v, terms = 1 - U[1], [w for *_, w in weights(parity)]
    need(min(terms) > 0, "29 (c): signs")
    # A = |g|: −log A − σ²t²/2 is between 0 and b₄·t⁴
    need(p + 4 * q == VARIANCE, "29 (c): variance")
    need((VARIANCE - (p + 16 * q) * t**2 / 12) ** 2 / 2 >= (p + 16 * q) / 12, "29 (c): A")
    most = VARIANCE**3 / (3 * (1 - VARIANCE * t**2)) + (p + 64 * q) / 360
    b4 = (VARIANCE**2 / 2 - (p + 16 * q) / 12 + t**2 * most) / 2
    # φ − b·t³ is between −b₅·t⁵ and b₅·t⁵
    b, b5 = skew * (v / 2 - Q(1, 6) - skew**2 / 3), skew / 10
    need(b == THIRD / 6, "29 (c): the third moment")
    rise = (Q(1, 120) + v / 2 * (v / 2 - Q(1, 6))) / (1 - v * t**2 / 2)
    slope = v / 2 - Q(1, 6) + rise * t**2
    need(v / 2 - Q(1, 6) > v * t**2 / 8 and (1 + slope * t**2) ** 5 < 2, "29 (c): tangent")
    need(v / 8 + 2 * slope * skew**2 <= Q(1, 10) >= rise + 2 * skew**4 / 5, "29 (c): phase")
    need(b >= b5 * t**2, "29 (c): φ is not below 0")
    b3, b2, V = b + b5 * t**2, 1 / (24 - t**2), 1 / VARIANCE
    beta = VARIANCE / 2 + b4 * t**2
    sides = []
    for side in (-off, off):
        xi = (2 - MEAN) / 2 * side - THIRD / (6 * VARIANCE) - sum(terms)
        need(-4 < xi - REST < xi + REST < 0, "29 (c): xi")
        x = abs(xi) + REST
        cube = (x**3 * V + 9 * x**2 * b3 * V**2 + 45 * x * b3**2 * V**3 + 105 * b3**3 * V**4) / 6
        up = 3 * V**2 * (b5 + b2 * b3 + b4 * x) + cube
        down = 3 * V**2 * b5 + 105 * b3**3 * V**4 / 6 + b2 * (x * V + 3 * b3 * V**2)
        down += 15 * b4 * b3 * V**3
        for m, y, k, w in weights(parity):
            c = (m + y + 1) // 2 + 1
            h, e = (1 - beta * t**2) ** -c, abs(xi + Q(5, 2) - m - k + MEAN * c) + REST
            up += w * c * beta * h * V
            square = e**2 * V + 6 * e * b3 * V**2 + 15 * b3**2 * V**3
            down += w * (3 * b4 * h * V**2 + h / 2 * square - Q(c, 2))
        sides.append((down, up))
    return [max(side) for side in zip(*sides, strict=True)]


def left_open():
    """Yield a and d close to the line whose side (c) does not determine."""
    middle = [round(2797 * (low + high) * 10**12 / 2) for low, high in kappas()]
    for i, at in enumerate(middle):
        gaps = LEAST[i] * 10**12 - at, at - (LEAST[i] - 2) * 10**12
        for gap, most in zip(gaps, ERRORS[i], strict=True):
            need((2 - MEAN) / 2 * gap * FAR * Q(37, 20) > 5594 * most * 10**12, "29 (d): far")
    rate = (2 - MEAN) / (4 * 2797 * 10**12)
    up, down = rate.numerator, rate.denominator
    for d, i in product(range(SMALL + 1, FAR), (0, 1)):
        a = -((2387 * d + LEAST[i]) // -2797)
        a += (a + d + i) % 2
        for x, most in zip((a, a - 2), ERRORS[i], strict=True):
            off = abs((2797 * x - 2387 * d) * 10**12 - middle[i])
            if d <= ALL or off * (x + d) * up <= most * down:
                yield x, d, x == a


def at_least_half(a, d):
    """Return whether V(a, d) ≥ 1/2, or None if the bounds do not determine it."""
    low, _, unit = bounds(SMALL)
    few = STEADY + (a + d) % 2
    rounds = (a + d - few) // 2
    zero, one, two = (int(c * 6**5) for c in U)
    # The chances that they cost 0, 1, … attackers, all times the same, and rounded down
    before, now, total, bits = 0, 1 << 60, 1 << 60, 60
    up, upper = one * (rounds + 1), two * (2 * rounds + 2)
    for lost in range(1, a - 2):
        up, upper = up - one, upper - two
        before, now = now, (up * now + upper * before) // (zero * lost)
        left = a - lost
        total += now if left >= few - 1 else now * low[left][few - left] // unit
        if now >> 90:
            before, now, total, bits = before >> 30, now >> 30, total >> 30, bits - 30
    chance = total * Decimal(2) ** -bits * (Decimal(zero) / 6**5) ** rounds  # 28 digits
    return None if abs(chance - Decimal("0.5")) < Decimal("1e-9") else chance > Decimal("0.5")


def even_line():
    """Theorem 29."""
    need(U[0] / 16 + U[1] / 4 + U[2] <= Q(2, 5), "29 (a): 2/5")
    # √(2/5) is below 16/25, and r below 2/5
    need(Q(16, 25) ** 2 > Q(2, 5) > ROUNDS[3, 1][1], "29 (a): roots")
    need(256 / Q(9, 25) + Q(5, 2) ** 2 / Q(3, 5) <= 730 and Q(7, 4) * Q(7, 3) <= 5, "29 (a): sums")
    need(730 * Q(16, 25) ** CUT + 5 * Q(4, 7) ** CUT < REST, "29 (a): the other terms")
    for (low, high), digits in zip(kappas(), (730902923336, 691638187033), strict=True):
        need(digits <= low * 10**12 and high * 10**12 < digits + 1, "29 (a): digits")
    for least, (low, high) in zip(LEAST, kappas(), strict=True):
        need(least - 2 < 2797 * low < 2797 * high < least, "29 (d): the lines")
    for i, most in enumerate(ERRORS):
        sides = zip(errors(i, NEAR), most, strict=True)
        need(all(c + Q(1, 50) <= side for c, side in sides), "29 (c): the error at the line")
        need(max(errors(i, 2)) + Q(1, 50) <= ERROR, "29 (c): the error")
    need(46 <= 10**4 * least_square() < 47, "29: A is above 0")
    away = [4 * U[1] * (U[0] + U[2])]  # with z = 2, and z ≥ 31/1000 where t = 1/4
    away.append(Q(31, 1000) * (away[0] / 2 + 4 * U[0] * U[2] * (2 - Q(31, 1000))))
    need(min(away) > Q(1, 25) and Q(2, 3) > VARIANCE, "29 (c): away from 0")
    need(all(sum(w for *_, w in weights(i)) < Q(13, 5) for i in (0, 1)), "29 (c): terms")
    last = max((x + y + 1) // 2 + 1 for i in (0, 1) for x, y, *_ in weights(i))
    need(last == 52 and Q(17, 6) ** 25 > Q(2719, 1000) ** 26, "29 (c): 17/6 is above e^(52/50)")
    need(Q(22, 7) * (Q(41, 10) + Q(13, 5) * Q(17, 6)) < 40, "29 (c): what is added")
    M = 926 * VARIANCE / 4
    rest = (926 * THIRD / 6 + 26 * VARIANCE * Q(13, 5)) * (Q(1, 16) + 1 / (2 * M) + 2 / M**2)
    need(Q(16, 25) < VARIANCE and 4 + Q(13, 5) + rest < M, "29 (c): what E adds")
    # e^18 > (271/100)^18, and 31² > 926
    need(Q(2, 3) * 41 * 50 * 926 * 31 < Q(271, 100) ** 18, "29 (c): away from 0 with m = 926")
    need((2 - MEAN) / 2 * NEAR * Q(37, 40) * ALL > ERROR, "29 (d): away from the line")
    low, high, unit = bounds(SMALL)
    for a, d in product(range(1, SMALL + 1), repeat=2):
        above = 2797 * a - 2387 * d >= LEAST[(a + d) % 2]
        sure = 2 * low[a][d] >= unit if above else 2 * high[a][d] < unit
        need(sure != ((a, d) == (168, 196)), "29 (d): small armies")
    need(2 * low[168][196] >= unit, "29 (d): the exception")
    need(all(at_least_half(a, d) is above for a, d, above in left_open()), "29 (d): armies left")
    win, laws = won(12), powers(12)
    for a, d in product(range(3, 13), range(2, 13)):
        parity, total = (a + d) % 2, Q(0)
        for x, y, k, u in exits(12, parity):
            n, cost = (a + d - x - y) // 2 - 1, a - x - k
            if n >= 0 and 0 <= cost <= 2 * n:
                after = win[x, y] - stays(laws[(x + y + 1) // 2], x)
                total += u * laws[n][cost] * after
        need(total == win[a, d] - stays(laws[(a + d + 1) // 2], a), "29 (b): the sum")
    return "the line: κ to 12 digits, and what it leaves open for all armies"
