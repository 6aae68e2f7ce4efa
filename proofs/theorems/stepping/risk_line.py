"""Steps of the theorem on the line of even chances."""

from fractions import Fraction as Q
from itertools import product

from stepping.risk_play import ROUNDS, won
from stepping.step import need

U = ROUNDS[3, 2]
CUT = 100  # terms with larger armies are bounded
REST = Q(1, 10**16)


def powers(rounds):
    """By rounds, the chances that the attacker has lost 0, 1, … after so many of 3 against 2."""
    of = [[Q(1)]]
    for _ in range(rounds):
        last = [Q(0), Q(0), *of[-1], Q(0), Q(0)]
        of.append([sum(U[k] * last[i + 2 - k] for k in range(3)) for i in range(len(last) - 2)])
    return of


def thin(most):
    """V(x, y) with x ≤ 2 or y ≤ 1, both up to a size."""
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
    """Chance that at least 3 of x attackers are left."""
    return sum(law[: max(0, x - 2)], Q(0))


def kappas():
    """Bounds of κ₀ and of κ₁."""
    mean = U[1] + 2 * U[2]
    variance, third = (sum(c * (k - mean) ** n for k, c in enumerate(U)) for n in (2, 3))
    win, laws = thin(CUT - 1), powers(CUT // 2 + 1)
    bounds = []
    for i in (0, 1):
        total = sum(
            u * (win[x, y] - stays(laws[(x + y + 1) // 2], x)) for x, y, _, u in exits(CUT - 1, i)
        )
        at = Q(5, 2) + mean * i / 2 - third / (6 * variance) - total
        bounds.append([2 / (2 - mean) * (at + side) for side in (-REST, REST)])
    return bounds


def even_line():
    """Theorem 29."""
    need(U[0] / 16 + U[1] / 4 + U[2] <= Q(2, 5), "29 (a): 2/5")
    # √(2/5) is below 16/25, and r below 2/5
    need(Q(16, 25) ** 2 > Q(2, 5) > ROUNDS[3, 1][1], "29 (a): roots")
    rest = 256 * Q(16, 25) ** CUT / (1 - Q(16, 25)) + Q(2, 5) ** (CUT - 2) / (1 - Q(2, 5))
    need(rest + Q(4, 7) ** (CUT - 1) * Q(7, 3) < REST, "29 (a): the other terms")
    for (low, high), digits in zip(kappas(), (730902923336, 691638187033), strict=True):
        need(digits <= low * 10**12 and high * 10**12 < digits + 1, "29 (a): digits")
    (_, high), (low, _) = kappas()
    need(2797 * Q(730902923336, 10**12) > 2044 and 2797 * high < 2046, "29 (c): even")
    need(1933 < 2797 * low < 1935, "29 (c): odd")
    win, laws = won(12), powers(12)
    for a, d in product(range(3, 13), range(2, 13)):
        parity, total = (a + d) % 2, Q(0)
        for x, y, k, u in exits(12, parity):
            n, cost = (a + d - x - y) // 2 - 1, a - x - k
            if n >= 0 and 0 <= cost <= 2 * n:
                after = win[x, y] - stays(laws[(x + y + 1) // 2], x)
                total += u * laws[n][cost] * after
        need(total == win[a, d] - stays(laws[(a + d + 1) // 2], a), "29 (b): the sum")
    return "the line: κ to 12 digits, and the sum over first arrivals for all armies up to 12"
