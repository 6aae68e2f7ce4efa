"""Steps of the theorem on the most dice with any number of sides s, in polynomials in 1/s."""

from fractions import Fraction as Q
from itertools import pairwise, product
from math import comb

from stepping.risk_play import lost_units
from stepping.step import need


class Polynomial:
    """A polynomial, in 1/s unless stated otherwise: rational coefficients, constant first."""

    def __init__(self, *coefficients):
        self.of = list(map(Q, coefficients))

    def __add__(self, other):
        other = other if isinstance(other, Polynomial) else Polynomial(other)
        size = max(len(self.of), len(other.of))
        rows = [row.of + [0] * (size - len(row.of)) for row in (self, other)]
        return Polynomial(*map(sum, zip(*rows, strict=True)))

    def __mul__(self, other):
        other = other if isinstance(other, Polynomial) else Polynomial(other)
        product_of = [Q(0)] * (len(self.of) + len(other.of) - 1)
        for (i, x), (j, y) in product(enumerate(self.of), enumerate(other.of)):
            product_of[i + j] += x * y
        return Polynomial(*product_of)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return -1 * self + other

    def at(self, sides):
        """The value of a polynomial in 1/s for a number of sides."""
        return sum(c / Q(sides) ** i for i, c in enumerate(self.of))

    def from_two(self):
        """Coefficients in s − 2, constant first, of the numerator over the least power of s."""
        rows = list(self.of)
        while rows and rows[-1] == 0:
            rows.pop()
        rows.reverse()  # by powers of s
        return [
            sum(c * comb(i, j) * 2 ** (i - j) for i, c in enumerate(rows) if i >= j)
            for j in range(len(rows))
        ]


def round_of(a, d):
    """Return the probabilities of losses 0, 1, … from a + d + 1 numbers of sides (theorem 11)."""
    degree = a + d
    rows = [lost_units(a, d, sides) for sides in range(degree + 1)]
    chances = []
    for values in zip(*rows, strict=True):
        count, basis = Polynomial(*[0] * (degree + 1)), Polynomial(1)  # of powers of s here
        for k in range(degree + 1):  # Newton's formula: the basis is C(s, k)
            count = count + basis * values[0]
            values = [after - before for before, after in pairwise(values)]
            basis = basis * Polynomial(Q(-k, k + 1), Q(1, k + 1))
        chances.append(Polynomial(*count.of[degree::-1]))
    return chances


def after(win, rounds, a, d, i, j):
    """Return the win probability if the next round is i dice against j."""
    stake = min(i, j)
    return sum(c * win[a - k, d - stake + k] for k, c in enumerate(rounds[i, j]))


def all_won(rounds, most, one):
    """Return the win probabilities with the most dice, for all armies up to a size."""
    win = {(a, 0): one for a in range(most + 1)} | {(0, d): 0 * one for d in range(1, most + 1)}
    for a, d in product(range(1, most + 1), repeat=2):
        win[a, d] = after(win, rounds, a, d, min(a, 3), min(d, 2))
    return win


ROUNDS = {(a, d): round_of(a, d) for a in (1, 2, 3) for d in (1, 2)}
THETA, MU = Polynomial(Q(1, 2), Q(-5, 8)), Q(1, 12)
LARGE = 7


def any_sides():
    """Theorem 27."""
    p, w, u = (ROUNDS[a, 2] for a in (1, 2, 3))
    p, q2, q3 = p[0], ROUNDS[2, 1][0], ROUNDS[3, 1][0]
    win, r, rise, rest = all_won(ROUNDS, LARGE, Polynomial(1)), 1 - q3, u[0] - w[0], 1 - THETA
    need((u[1] - w[1]).at(8) >= 0 > (u[1] - w[1]).at(9), "27: u₁ and w₁")
    x, y = ([win[a, d] for d in range(LARGE + 1)] for a in (2, 1))
    v = [1 - win[a, 1] for a in range(LARGE + 1)]

    def upper(a, d):
        return q3 * win[a, d - 1] + r * win[a - 1, d] - win[a, d]

    def lower(a, d):
        return win[a, d] - THETA * win[a, d - 1] - rest * win[a - 1, d]

    def over(d):
        return upper(3, d) - MU * x[d]

    g2 = q3 * w[1] + r * (p * p - w[0]) - w[1] * p
    h2 = w[1] * p - THETA * w[1] - rest * (p * p - w[0])
    alpha, beta = q3 * u[1] - (r - MU) * rise, r * w[1] + u[2] * (q3 - p) - MU * w[1]
    gamma, e = (THETA - p) * u[2] + rest * (w[1] - u[1]), u[2] - r * r
    signs = {
        "theorem 7": [w[1] - p, rise, rise + u[1] - w[1], q2 - w[0], q3 - u[0]],
        "the corner": [of(a, d) for of in (upper, lower) for a in (2, 3) for d in (1, 2)],
        "a = 2": [g2, h2],
        "κ": [x[5] * x[3] - x[4] * x[4], x[5] - p * x[4]],
        "a = 3, G": [over(2), over(3), over(4), alpha * x[4] - u[1] * x[5], beta],
        "a = 3, H": [rest * rise - gamma],
        "d = 1": [q3 - THETA],
        "d = 2": [e, (rest - r) * u[1] - THETA * e],
        "both sides": [THETA * q2 - w[0], w[2] - (1 - q2), THETA - p],
    }
    for name, several in signs.items():
        need(all(min(of.from_two(), default=0) >= 0 for of in several), f"27: {name}")

    def same(left, right, step):
        need(not (left - right).from_two(), f"27: {step}")

    for d in range(3, LARGE + 1):
        same(upper(2, d) - w[0] * upper(2, d - 2), g2 * y[d - 2], "G(2, d)")
        same(lower(2, d) - w[0] * lower(2, d - 2), h2 * y[d - 2], "H(2, d)")
        # H(3, d) − u₀·H(3, d − 2), less what H(2, d − 1) ≥ 0 gives
        left = lower(3, d) - u[0] * lower(3, d - 2) - u[1] * lower(2, d - 1)
        same(left, rest * rise * x[d - 2] - gamma * y[d - 1], "H(3, d)")
    for d in range(5, LARGE + 1):
        step = alpha * x[d - 2] - u[1] * x[d - 1] + beta * y[d - 1]
        same(over(d) - u[0] * over(d - 2), step, "F(d)")
    for d in range(6, LARGE + 1):  # times x₄
        first, second = (x[5] * x[i - 1] - x[4] * x[i] for i in (d, d - 2))
        same(first - w[0] * second, w[1] * (x[5] - p * x[4]) * y[d - 2], "D(d)")
    for a in range(4, LARGE + 1):
        same(upper(a, 1), 0, "G(a, 1)")
        same(lower(a, 1), (q3 - THETA) * v[a - 1], "H(a, 1)")
        same(upper(a, 2) - u[2] * upper(a - 2, 2), q3 * e * v[a - 2], "G(a, 2)")
        right = ((rest - r) * u[1] - THETA * e) * v[a - 2]
        same(lower(a, 2) - u[2] * lower(a - 2, 2), right, "H(a, 2)")
    for sides in (*range(1, 13), 100):
        small_armies(sides)
    return "any sides: the polynomials, the strips up to 7 units; 13 numbers of sides up to 9 units"


def small_armies(sides, most=9):
    """Check theorems 7 and 10 for all armies up to a size and one number of sides."""
    rounds = {dice: [chance.at(sides) for chance in of] for dice, of in ROUNDS.items()}
    win = all_won(rounds, most + 1, Q(1))
    for a, d in product(range(1, most + 1), repeat=2):
        need(win[a + 1, d] >= win[a, d] >= win[a, d + 1], f"27: theorem 7, s = {sides}")
        rows = [
            [after(win, rounds, a, d, i, j) for j in range(1, min(d, 2) + 1)]
            for i in range(1, min(a, 3) + 1)
        ]
        need(all(row[-1] == min(row) for row in rows), f"27: fewer dice defend, s = {sides}")
        need(rows[-1][-1] == max(row[-1] for row in rows), f"27: fewer dice attack, s = {sides}")
