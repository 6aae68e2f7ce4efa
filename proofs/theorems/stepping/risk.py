"""Steps of the theorems about Risk."""

from fractions import Fraction as Q
from itertools import pairwise, permutations, product
from math import comb, isqrt, prod

from stepping.risk_play import ROUNDS, bounds, lost, lost_units, next_round, won
from stepping.step import need


def is_positive(steps):
    """Whether all partial sums are positive."""
    total = 0
    for step in steps:
        total += step
        if total <= 0:
            return False
    return True


def power_sums():
    """Theorem 4."""
    for d, s in ((1, 1), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4)):
        count = 0
        for roll in product(range(s), repeat=2 * d + 1):
            attack, defence = roll[: d + 1], roll[d + 1 :]
            g = [attack.count(v) - defence.count(v) for v in range(s)]
            good = is_positive(g[min(roll) :])
            need(good == (lost(attack, defence) == d), "4: the condition")
            need(sum(is_positive(g[i:] + g[:i]) for i in range(s)) == 1, "4: one good rotation")
            count += good
        need(count == sum(v ** (2 * d) for v in range(1, s + 1)), "4: the sum")
    return "power sums: the condition and the rotations of all rolls, d up to 2, s up to 4"


def binomial(x, n):
    """C(x, n) as a polynomial in x."""
    return prod((Q(x - i, i + 1) for i in range(n)), start=Q(1))


def reciprocity():
    """Theorem 5."""
    for n in range(2, 5):
        for fall, s in product(range(n), range(n + 1)):
            left = binomial(-s + n - 1 - fall, n)
            need(left == (-1) ** n * binomial(s + fall, n), "5: binomials")
    for a, d, s in product((1, 2), (1, 2), range(1, 5)):
        n = a + d
        orders, others = {}, {}
        for roll in product(range(s), repeat=n):  # numbers 0 … d − 1 are the defender's
            order = tuple(sorted(range(n), key=lambda i: (-roll[i], i)))
            other = tuple(sorted(range(n), key=lambda i: (-roll[i], -i)))
            orders[order] = orders.get(order, 0) + 1
            others[other] = others.get(other, 0) + 1
            for listed, ties in ((order, False), (other, True)):
                first, second = [i for i in listed if i >= d], [i for i in listed if i < d]
                pairs = zip(first, second, strict=False)
                beaten = sum(listed.index(x) > listed.index(y) for x, y in pairs)
                need(beaten == lost(roll[d:], roll[:d], ties), "5: the order decides")
        for order in permutations(range(n)):
            fall = sum(x > y for x, y in pairwise(order))
            need(orders.get(order, 0) == comb(s + n - 1 - fall, n), "5: the count of an order")
            need(others.get(order, 0) == comb(s + fall, n), "5: the count with ties reversed")
    return "reciprocity: the count of each order, a and d up to 2, s up to 4"


def monotone():
    """Theorem 7."""
    p, w, u = (ROUNDS[a, 2] for a in (1, 2, 3))
    q2, q3 = ROUNDS[2, 1][0], ROUNDS[3, 1][0]
    comparisons = [w[1] >= p[0], u[0] >= w[0], u[1] >= w[1], q2 >= w[0], q3 >= u[0]]
    need(all(comparisons), "7: a comparison")
    win = {(a, 0): Q(1) for a in range(14)} | {(0, d): Q(0) for d in range(1, 14)}
    for a, d in product(range(1, 14), repeat=2):
        i, j = min(a, 3), min(d, 2)
        stake = min(i, j)
        win[a, d] = sum(c * win[a - k, d - stake + k] for k, c in enumerate(ROUNDS[i, j]))
    for a, d in product(range(13), repeat=2):
        need(win[a + 1, d] >= win[a, d] >= win[a, d + 1], "7: small armies")
    return "monotone: the five comparisons, and all armies up to 12"


def limit():
    """Theorem 8."""
    alpha, beta = Q(47, 48), Q(51, 50)
    u, q3 = ROUNDS[3, 2], ROUNDS[3, 1][0]
    need(sum(c * alpha**-k * beta ** (k - 2) for k, c in enumerate(u)) <= 1, "8: two defenders")
    need((1 - q3) / alpha <= 1, "8: one defender")
    need(alpha * beta < 1, "8: the bound tends to 0")
    win = won(12)
    for a, d in product(range(13), range(1, 13)):
        need(1 - win[a, d] <= alpha ** (a - 2) * beta**d, "8: small armies")
    return "limit: the three inequalities, and all armies up to 12"


def most_dice():
    """Theorem 10."""
    p, w, u = (ROUNDS[a, 2] for a in (1, 2, 3))
    p, q2, q3 = p[0], ROUNDS[2, 1][0], ROUNDS[3, 1][0]
    low, high, r = Q(13, 33), Q(20, 33), 1 - q3
    win = won(13)
    x, y, z, v, t = (
        [win[2, d] for d in range(13)],
        [win[1, d] for d in range(13)],
        [win[3, d] for d in range(13)],
        [1 - win[a, 1] for a in range(13)],
        [1 - win[a, 2] for a in range(13)],
    )

    def upper(a, d):
        return q3 * win[a, d - 1] + r * win[a - 1, d] - win[a, d]

    def lower(a, d):
        return win[a, d] - low * win[a, d - 1] - high * win[a - 1, d]

    both = (upper, lower)
    # Two attackers.
    g2 = q3 * w[1] + r * (p * p - w[0]) - w[1] * p
    h2 = w[1] * p - low * w[1] - high * (p * p - w[0])
    need(min(g2, h2) > 0 and min(of(2, d) for of in both for d in (1, 2)) >= 0, "10: a = 2")
    need(4 * x[1] >= 7 * x[2] and 4 * x[2] >= 7 * x[3] and 7 * p < 4, "10: x falls by 4/7")
    # Three attackers.
    gap = u[0] - w[0]
    alpha, beta = q3 * u[1] - r * gap + gap / 7, r * w[1] + u[2] * (q3 - p) - w[1] / 7
    need(min(alpha - Q(4, 7) * u[1], beta) > 0 and upper(3, 1) == 0, "10: a = 3, G")
    need(all(upper(3, d) >= x[d] / 7 for d in (2, 3)), "10: a = 3, G, the first cases")
    down, less = low * u[1] - high * gap, low * u[2] - p * u[2] + high * w[1]
    rest = low * u[1] - down
    need(min(rest, rest - (less - high * u[1])) > 0, "10: a = 3, H")
    need(min(lower(3, d) for d in (1, 2)) >= 0, "10: a = 3, H, the first cases")
    # One and two defenders.
    g = q3 * (u[2] - r * r)
    h = high * u[1] - r * u[1] - low * (u[2] - r * r)
    need(min(g, h) > 0 and q3 > low and min(of(3, 2) for of in both) >= 0, "10: d = 1, 2")
    for d in range(3, 13):
        need(upper(2, d) - w[0] * upper(2, d - 2) == g2 * y[d - 2], "10: G(2, d)")
        need(lower(2, d) - w[0] * lower(2, d - 2) == h2 * y[d - 2], "10: H(2, d)")
        step = u[1] * x[d - 1] - down * x[d - 2] - less * y[d - 1]
        need(lower(3, d) - u[0] * lower(3, d - 2) == step, "10: H(3, d)")
    for d in range(4, 13):
        first, second = (Q(4, 7) * x[i - 1] - x[i] for i in (d, d - 2))
        need(first - w[0] * second == w[1] * (Q(4, 7) - p) * y[d - 2], "10: x(d)")
        first, second = (upper(3, i) - x[i] / 7 for i in (d, d - 2))
        step = alpha * x[d - 2] - u[1] * x[d - 1] + beta * y[d - 1]
        need(first - u[0] * second == step, "10: G(3, d)")
    for a in range(4, 13):
        need(upper(a, 1) == 0 and lower(a, 1) == (q3 - low) * v[a - 1], "10: d = 1")
        need(upper(a, 2) - u[2] * upper(a - 2, 2) == g * v[a - 2], "10: G(a, 2)")
        need(lower(a, 2) - u[2] * lower(a - 2, 2) == h * v[a - 2], "10: H(a, 2)")
        need(t[a] == u[1] * v[a - 1] + u[2] * t[a - 2], "10: t")
    need(z[2] == u[0] + u[1] * x[1] + u[2] * y[2], "10: z")
    # The comparisons of rounds at the end.
    need(low * q2 > w[0] and w[2] > 1 - q2 and p <= low, "10: two dice")
    need(ROUNDS[1, 1][0] >= p and q3 >= q2 >= ROUNDS[1, 1][0], "10: one die")
    need(u[0] >= w[0] and u[0] + u[1] >= w[0] + w[1], "10: three dice and two")
    for a, d in product(range(1, 13), repeat=2):
        rows = [
            [next_round(win, a, d, i, j) for j in range(1, min(d, 2) + 1)]
            for i in range(1, min(a, 3) + 1)
        ]
        need(all(row[-1] == min(row) for row in rows), "10: fewer dice defend better")
        need(rows[-1][-1] == max(row[-1] for row in rows), "10: fewer dice attack better")
    return "the most dice: the signs, the strips, and all armies up to 12"


def through(values, x):
    """Value at x of the polynomial that takes the given values at 0, 1, …: Newton's formula."""
    total, row = Q(0), list(values)
    for k in range(len(values)):
        total += row[0] * binomial(x, k)
        row = [after - before for before, after in pairwise(row)]
    return total


def polynomials():
    """Theorem 11."""
    for a, d in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)):
        n = a + d
        rows = [lost_units(a, d, sides) for sides in range(n + 3)]
        for column in zip(*rows, strict=True):
            for sides in (n + 1, n + 2):
                need(through(column[: n + 1], sides) == column[sides], "11: another degree")
    advantage = [2 * counts[0] - 2 * counts[2] for counts in rows[:6]]  # of 3 dice against 2
    need(max(advantage[1:5]) < 0, "11: fewer than 5 sides")
    values = [through(advantage, 5 + x) for x in range(6)]
    # Coefficients of A(5 + x) by powers of x, from the values at x = 0, …, 5.
    basis, coefficients = [Q(1)], [Q(0)] * 6
    for k in range(6):
        for power, c in enumerate(basis):
            coefficients[power] += values[0] * c
        values = [after - before for before, after in pairwise(values)]
        shift = [Q(0), *basis]
        basis = [(s - k * b) / (k + 1) for s, b in zip(shift, [*basis, Q(0)], strict=True)]
    need(min(coefficients) >= 0 and coefficients[0] > 0, "11: from 5 sides on")
    return "polynomials: two more numbers of sides, a up to 3, d up to 2; the sign of 3 v 2"


def equal_armies():
    """Theorem 20."""
    u, r = ROUNDS[3, 2], ROUNDS[3, 1][1]
    need(4 * 7776**2 * u[0] * u[2] == 170**2 * 910, "20: the root")
    need(170**2 * 910 < (7776 - 2611) ** 2, "20: λ < 1")
    # λx = u₁x + 2u₀ and x/λ = x²/(λx), where x² = u₀/u₂ and x > 1.
    need(u[0] > u[2] and u[1] + 2 * u[0] > 1, "20: λx > 1")
    need(u[0] / u[2] * r * r < 1, "20: (x/λ)(1 − q₃)² < 1")
    win, powers = won(14), [[Q(1)]]
    for m in range(13):
        last = [*powers[m], Q(0), Q(0)]
        powers.append(
            [sum(u[k] * last[i - k] for k in range(3) if i >= k) for i in range(len(last))]
        )
    for n in range(3, 15):
        total = Q(0)
        for a, d, k in product(range(n + 1), range(n + 1), range(3)):
            inside = a + k >= 3 and d + 2 - k >= 2
            m, cost = n - (a + d) // 2 - 1, n - a - k
            if (a + d) % 2 == 0 and (a in (1, 2) or d in (0, 1)) and inside and 0 <= cost <= 2 * m:
                total += u[k] * powers[m][cost] * (1 - win[a, d])
        need(total == 1 - win[n, n], f"20: the sum for {n}")
    return "equal armies: the sum over first arrivals for n = 3 to 14, and the inequalities"


def even_chances():
    """Theorem 21."""
    alpha, beta = Q(47, 50), Q(18, 17)
    u, r = ROUNDS[3, 2], ROUNDS[3, 1][1]
    need(sum(c * alpha**-k * beta ** (k - 2) for k, c in enumerate(u)) <= 1, "21: two defenders")
    need(r <= alpha and alpha * beta < 1, "21: one defender")
    need(alpha**197 * beta**200 < Q(1, 2), "21: from 200 on")
    low, high, unit = bounds(200)
    for n, (short, least) in product(range(1, 201), ((0, 5), (1, 12))):
        above, below = 2 * low[n - short][n] > unit, 2 * high[n - short][n] < unit
        need(above if n >= least else below, f"21 (a): {n - short} against {n}")
    for a, d in ((5, 5), (99, 114), (127, 148)):
        need(2 * low[a][d] > unit > 2 * high[a - 1][d], "21 (b): another army")
    need(5 + Q(122 * 109, 143) < 98, "21 (b)")
    return "even chances: armies below 200, and the three armies"


def weights(c, epsilon, x, lam):
    """Tuples (j, W without 1 − V, army) of theorem 23 with 2c = a + d + ε; x, λ between bounds."""
    u, total = ROUNDS[3, 2], 2 * c - epsilon
    armies = {(1, total - 1), (2, total - 2), (total - 1, 1)}
    found = []
    for (a, d), k in product(sorted(armies), range(3)):
        if a > 0 < d and a + k >= 3 and d + 2 - k >= 2:
            j = (d - a - epsilon) // 2 + 1 - k
            low, high = (
                u[k] * x[side if j < 0 else 1 - side] ** -j * lam[1 - side] ** (-c - 1)
                for side in (0, 1)
            )
            found.append((j, low, high, (a, d)))
    return found


def rising():
    """Theorem 23."""
    u, r3 = ROUNDS[3, 2], ROUNDS[3, 1][1]
    unit = 10**15
    root = isqrt(910 * unit**2)
    roots = [Q(root, unit), Q(root + 1, unit)]
    lam = [(2611 + 170 * y) / 7776 for y in roots]  # u₁ + 2·√(u₀u₂)
    x = [170 * y / 2 / 7776 / u[2] for y in roots]  # √(u₀u₂)/u₂
    s = [170 * y / 2 / 7776 / z for y, z in zip(roots, lam[::-1], strict=True)]
    need(lam[1] < 1 and s[0] > Q(1, 4) and u[1] / lam[1] > s[1], "23: s and r")
    for side in (Q(1, 3), Q(3, 10)):  # the recursion is an identity in s
        mid, law = 1 - 2 * side, [[Q(1)]]
        for m in range(13):
            last = [Q(0), Q(0), *law[m], Q(0), Q(0)]
            law.append(
                [side * (last[i] + last[i + 2]) + mid * last[i + 1] for i in range(2 * m + 3)]
            )
        center = [row[m] for m, row in enumerate(law)]
        for m in range(1, 13):
            now = (2 * m + 1) * mid * center[m] + m * (4 * side - 1) * center[m - 1]
            need((m + 1) * center[m + 1] == now, "23: the recursion")
    most, split = 400, 60
    low, high, one = bounds(most)
    half = most // 2
    mu = 1 / (lam[0] * x[0])
    need(x[1] / lam[0] * r3**2 < mu < 1, "23: geometric")
    need(mu * (2 * most + 7) < 2 * most + 3, "23: later n")
    for epsilon in (0, 1):
        total = Q(0)
        for c in range(2, split + 1):
            n = most - c - 1
            for j, least, greatest, (a, d) in weights(c, epsilon, x, lam):
                gain = (1 - lam[1]) * max(Q(0), 1 - Q(j * j, n - 1))
                cost = 2 * lam[1] * s[1] * Q(most, n * (n - 1))
                total += least * Q(one - high[a][d], one) * gain
                total -= greatest * Q(one - low[a][d], one) * cost
        beyond = [
            sum(
                greatest * (Q(one - low[a][d], one) if d == 1 else 1)
                for _, _, greatest, (a, d) in weights(c, epsilon, x, lam)
            )
            * (mu / (1 - mu))
            for c in (split, half)
        ]
        total -= beyond[0] * 2 * lam[1] * s[1] * Q(most, (half - 1) * (half - 2))
        total -= beyond[1] * (2 * most + 3)
        need(total > 0, f"23: the sum, ε = {epsilon}")
        for n in range(2 - epsilon, most):
            need(low[n + 1 - epsilon][n + 1] > high[n - epsilon][n], f"23: {n - epsilon} v {n}")
    return "rising: the sums at n = 400, and all n up to 400"


def least_army():
    """Theorem 24."""
    u, r = ROUNDS[3, 2], ROUNDS[3, 1][1]
    mean = u[1] + 2 * u[2]
    need(mean / (2 - mean) == Q(2387, 2797), "24: the ratio")
    win, powers = won(12), [[Q(1)]]
    for m in range(12):
        last = [*powers[m], Q(0), Q(0)]
        powers.append(
            [sum(u[k] * last[i - k] for k in range(3) if i >= k) for i in range(len(last))]
        )
    for a, d in product(range(3, 13), range(2, 13)):
        law = powers[(a + d + 1) // 2]
        wins = sum(c for lost_by, c in enumerate(law) if a - lost_by >= 3)
        error = Q(0)
        for lost_by, chance in enumerate(law):
            j = a - lost_by
            error += chance * (r ** (j - 2) if j >= 3 else Q(4, 7) ** max(0, -2 - j))
        need(abs(win[a, d] - wins) <= error, "24: the walk")
    return "the least army: the ratio, and the walk for all armies up to 12"
