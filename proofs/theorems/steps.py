#!/usr/bin/env python3
"""Check the computational steps of THEOREMS.md with the standard library alone.

    python3 proofs/theorems/steps.py

Prints a line a theorem; exit status 1 if a step fails.
"""

import sys
from fractions import Fraction as Q
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import comb, prod


class StepError(Exception):
    """A step of a proof does not hold."""


def need(condition, step):
    if not condition:
        raise StepError(step)


# The software-engineering game, table by table ------------------------------------------------


def plus(pool, rung, by):
    return (*pool[:rung], pool[rung] + by, *pool[rung + 1 :])


def moves(up, down):
    """Tables after each legal move, before the roll."""
    rungs = range(len(up))
    if any(down):
        return [(plus(up, i, 1), plus(down, i, -1)) for i in rungs if down[i]]
    lifted = [(plus(plus(up, i, -1), i + 1, 1), down) for i in rungs[:-1] if up[i]]
    return [(plus(up, 0, 1), down), *lifted]


def rolls(up, down, faces):
    """List (chance, table) after a roll."""
    found = []
    for kept in product(*(range(n + 1) for n in up)):
        chance = prod(
            (Q(comb(n, k) * (f - 1) ** k, f**n) for n, k, f in zip(up, kept, faces, strict=True)),
            start=Q(1),
        )
        legacy = tuple(o + n - k for o, n, k in zip(down, up, kept, strict=True))
        found.append((chance, (kept, legacy)))
    return found


def tables(rungs, most):
    """List tables (revenue, legacy) of weight 1 to `most`."""
    pools = list(product(*(range(most // i + 1) for i in range(1, rungs + 1))))
    return [
        (up, down)
        for up, down in product(pools, repeat=2)
        if 1 <= sum(i * (u + d) for i, (u, d) in enumerate(zip(up, down, strict=True), 1)) <= most
    ]


def telescoping():
    """Theorem 1."""
    step = all((1 - q) + q * (1 - u) == 1 - q * u for q, u in product((0, 1), repeat=2))
    need(step, "1: the step")
    for t, q in product(range(1, 9), (Q(1, 2), Q(3, 4), Q(5, 6))):
        total, chance = Q(1), Q(1)
        for _ in range(t - 1):
            total = 1 + q * total
        for _ in range(t):
            chance *= q  # survives one more roll
        need((1 - q) * total == 1 - chance, "1: the sum")
    return "telescoping: the step, and the sum for t up to 8"


def lines_of_plans(left, table, faces):
    """Lines (A, B) of all plans."""
    if left == 0:
        return {(Q(0), Q(1))}
    found = set()
    for after in moves(*table):
        sums = {(Q(0), Q(0))}
        for chance, (kept, legacy) in rolls(*after, faces):
            gained, plans = sum(kept), lines_of_plans(left - 1, (kept, legacy), faces)
            if gained:
                then = {(a + gained * b, b) for a, b in plans}
            else:  # the score is 0, whatever it was
                then = {(a, Q(0)) for a, _ in plans}
            sums = {(a + chance * x, b + chance * y) for a, b in sums for x, y in then}
        found |= sums
    return found


def value(left, table, score, faces):
    """Value by backward induction over scores."""
    if left == 0:
        return Q(score)
    return max(
        sum(
            chance * value(left - 1, then, score + sum(then[0]) if any(then[0]) else 0, faces)
            for chance, then in rolls(*after, faces)
        )
        for after in moves(*table)
    )


def convexity():
    """Theorem 2."""
    for faces, table, left in (
        ((4, 6), ((1, 1), (0, 0)), 2),
        ((2, 9), ((1, 0), (0, 1)), 2),
        ((2, 9), ((0, 0), (0, 0)), 3),
    ):
        lines = lines_of_plans(left, table, faces)
        need(all(a >= 0 and 0 <= b <= 1 for a, b in lines), "2: signs")
        for score in range(12):
            best = max(a + b * score for a, b in lines)
            need(best == value(left, table, score, faces), "2: the maximum of all plans")
    return "convexity: the lines of all plans against backward induction, at scores 0 to 11"


def blocks():
    """Theorem 3."""

    def suffixes(dice):
        return [sum(dice[i:]) for i in range(len(dice))]

    for rungs in range(1, 5):
        every = [up for up, down in tables(rungs, 8) if not any(down)] + [(0,) * rungs]
        for start in every:
            followed, waiting = {start}, [start]
            while waiting:
                dice = waiting.pop()
                for after, _ in moves(dice, (0,) * rungs):
                    rise = [y - x for x, y in zip(suffixes(dice), suffixes(after), strict=True)]
                    need(sorted(rise) == [0] * (rungs - 1) + [1], "3: one suffix sum rises by 1")
                    if after in every and after not in followed:
                        followed.add(after)
                        waiting.append(after)
            dominating = {
                dice
                for dice in every
                if all(y >= x for x, y in zip(suffixes(start), suffixes(dice), strict=True))
            }
            need(followed == dominating, "3: what follows is what dominates")
    return "blocks: what follows is what dominates, for all dice of weight up to 8, 1 to 4 rungs"


def reachable():
    """Theorem 6."""
    for rungs in (1, 2, 3):
        reached = {((0,) * rungs, (0,) * rungs)}
        for t in range(1, 6):
            reached = {
                then
                for table in reached
                for after in moves(*table)
                for _, then in rolls(*after, (2,) * rungs)
            }
            need(reached == set(tables(rungs, t)), f"6: {rungs} rungs, {t} rounds")
    return "reachable tables: all plays of up to 5 rounds, 1 to 3 rungs"


def worth(faces, skips):
    """Values by backward induction, with or without skips: of a state, and of rolling it."""

    @cache
    def best(left, table, score):
        if left == 0:
            return Q(score)
        after = [*moves(*table), *([table] if skips else [])]
        return max(rolled(left, then, score) for then in after)

    @cache
    def rolled(left, table, score):
        return sum(
            chance * best(left - 1, then, score + sum(then[0]) if any(then[0]) else 0)
            for chance, then in rolls(*table, faces)
        )

    return best, rolled


def ahead(table, other):
    """Whether `other` has what can be paired with the dice of `table`, each as good or better."""
    first, second = (
        [(i, kind) for kind in (0, 1) for i, n in enumerate(of[1 - kind]) for _ in range(n)]
        for of in (table, other)
    )
    return len(first) == len(second) and any(
        all(j >= i and more >= kind for (i, kind), (j, more) in zip(first, order, strict=True))
        for order in permutations(second)
    )


def skipping():
    """Theorem 9."""
    faces, scores = (4, 6, 8), (0, 1, 3, 10, 100)
    (legal, rolled), (relaxed, _) = (worth(faces, skips) for skips in (False, True))
    every = [((0,) * 3, (0,) * 3), *tables(3, 4)]
    pairs = [pair for pair in product(every, repeat=2) if ahead(*pair)]
    for left, score in product((1, 2, 3), scores):
        of = {table: legal(left, table, score) for table in every}
        for table, value_of_it in of.items():
            up, down = table
            need(relaxed(left, table, score) == value_of_it, "9 (a): a skip is better")
            fixed = [i for i in range(3) if down[i]]
            ways = [rolled(left, (plus(up, i, 1), plus(down, i, -1)), score) for i in fixed]
            need(ways == sorted(ways), "9 (c): a less robust die is fixed first")
            need(legal(left, (up, plus(down, 0, 1)), score) <= value_of_it, "9 (d): a legacy die")
        need(all(of[x] <= of[y] for x, y in pairs), "9 (b): what is ahead is worth less")
    starts = [legal(left, every[0], 0) for left in range(4)]
    need(starts == sorted(starts), "9 (e): a round more")
    return f"skipping: {len(every)} tables, up to 3 rounds; {len(pairs)} pairs, one ahead"


# Risk -----------------------------------------------------------------------------------------


def lost(attack, defence, attacker_wins_ties=False):
    """Units that the attacker loses."""
    pairs = zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False)
    return sum(x < y or (x == y and not attacker_wins_ties) for x, y in pairs)


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


def chances(a, d):
    """Chances that the attacker loses 0, 1, … units, by enumeration."""
    counts = [0] * (min(a, d) + 1)
    for roll in product(range(6), repeat=a + d):
        counts[lost(roll[:a], roll[a:])] += 1
    return [Q(count, 6 ** (a + d)) for count in counts]


ROUNDS = {(a, d): chances(a, d) for a in (1, 2, 3) for d in (1, 2)}


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
    return "limit: the three inequalities"


def won(most):
    """Chances to win with the most dice, for all armies up to a size."""
    win = {(a, 0): Q(1) for a in range(most + 1)} | {(0, d): Q(0) for d in range(1, most + 1)}
    for a, d in product(range(1, most + 1), repeat=2):
        win[a, d] = next_round(win, a, d, min(a, 3), min(d, 2))
    return win


def next_round(win, a, d, i, j):
    """Chance to win if the next round is i dice against j."""
    return sum(c * win[a - k, d - min(i, j) + k] for k, c in enumerate(ROUNDS[i, j]))


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


def lost_units(a, d, sides):
    """Numbers of rolls by units that the attacker loses, ties to the defender."""
    counts = [0] * (min(a, d) + 1)
    for roll in product(range(sides), repeat=a + d):
        counts[lost(roll[:a], roll[a:])] += 1
    return counts


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


# Farkle ---------------------------------------------------------------------------------------

COMBOS = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5): 500, (2, 3, 4, 5, 6): 750, (1, 2, 3, 4, 5, 6): 1500}
COMBOS |= {(v,) * n: 100 * (v if v > 1 else 10) << n - 3 for v in range(1, 7) for n in range(3, 7)}


@cache
def points(dice):
    """The most that ascending dice score, each of them in a combination; 0 if there is no way."""
    best = COMBOS.get(dice, 0)
    for part, score in COMBOS.items():
        rest = list(dice)
        if len(part) < len(dice) and all(rest.count(v) >= part.count(v) for v in part):
            for v in part:
                rest.remove(v)
            more = points(tuple(rest))
            best = max(best, score + more if more else 0)
    return best


@cache
def menus(n):
    """What rolls of n dice offer: {((points, dice left), …): ways}; an empty menu is a bust."""
    found = {}
    for roll in product(range(1, 7), repeat=n):
        found[tuple(sorted(roll))] = found.get(tuple(sorted(roll)), 0) + 1
    offers = {}
    for roll, ways in found.items():
        kept = {part for k in range(1, n + 1) for part in combinations(roll, k) if points(part)}
        offer = tuple(sorted({(points(part), n - len(part) or 6) for part in kept}))
        offers[offer] = offers.get(offer, 0) + ways
    return offers


def turns(target):
    """Optimal and L of theorem 12, and Optimal_n, as functions of points and dice."""

    @cache
    def optimal(turn, n, most):
        gain, longest = Q(0), 0
        for menu, ways in menus(n).items():
            options = [(score, 0) for score, _ in menu] or [(-turn, 0)]
            for score, left in menu if most != 1 else ():
                if turn + score < target:
                    more, length = optimal(turn + score, left, most and most - 1)
                    options.append((score + more, length))
            best = max(worth for worth, _ in options)
            gain += ways * best
            longest = max(longest, min(length for worth, length in options if worth == best))
        return gain / 6**n, longest + 1

    return optimal


def horizon():
    """Theorem 12."""
    lengths = []
    for target in range(50, 650, 50):
        optimal = turns(target)
        best, length = optimal(0, 6, None)
        gains = [optimal(0, 6, n)[0] for n in range(1, length + 3)]
        need([gain == best for gain in gains] == [n >= length for n in range(1, length + 3)], "12")
        lengths.append(length)
    need(lengths[0] == 1 < lengths[-1], "12: nothing to look ahead for")
    return f"horizon: targets up to 600, L up to {max(lengths)}"


UNIT, CERTAIN = 10**60, 12950  # of fixed point; and points from which banking is certain


@cache
def gain_of_rolling(turn, n):
    """Bounds of G in fixed point, and rolls that are needed."""
    low, high, longest = 0, 0, 1
    for menu, ways in menus(n).items():
        options = [(score * UNIT, score * UNIT, 0) for score, _ in menu]
        options += [] if menu else [(-turn * UNIT, -turn * UNIT, 0)]
        for score, left in menu:
            if turn + score < CERTAIN:
                least, most, length = gain_of_rolling(turn + score, left)
                options.append((score * UNIT + least, score * UNIT + most, length))
        best = max(options)
        need(all(x[1] < best[0] or x[:2] == best[:2] for x in options), "13: too close to tell")
        low, high = low + ways * best[0], high + ways * best[1]
        needed = min(x[2] for x in options if x[:2] == best[:2])
        need(needed == best[2] or best[0] == best[1], "13: a tie that is none for sure")
        longest = max(longest, needed + 1)
    return low // 6**n, -(-high // 6**n), longest


def thresholds():
    """Theorem 13."""
    for n in range(1, 7):
        mean = Q(sum(ways * menu[-1][0] for menu, ways in menus(n).items() if menu), 6**n)
        bust = Q(menus(n)[()], 6**n)
        need(mean <= CERTAIN * bust, "13: the bound")
    found = []
    for n in range(1, 7):
        signs = []
        for turn in range(0, CERTAIN + 50, 50):
            low, high, _ = gain_of_rolling(turn, n)
            need(low > 0 or high < 0, "13: a sign that is not clear")
            signs.append(low > 0)
        need(signs == sorted(signs, reverse=True), "13: no threshold")
        found.append(50 * sum(signs))
    need(found == [300, 250, 450, 1050, 3400, 12950], f"13: {found}")
    need(gain_of_rolling(0, 6)[2] == 50, f"13: {gain_of_rolling(0, 6)[2]} rolls")
    return f"thresholds: {', '.join(map(str, found))} points; 50 rolls"


# The reroll game ------------------------------------------------------------------------------

ROLLS = list(combinations_with_replacement(range(1, 7), 3))
STICK = {roll: sum(7 - v if roll.count(v) > 1 else v for v in roll) for roll in ROLLS}
KEPT = {roll: {k for n in range(3) for k in combinations(roll, n)} for roll in ROLLS}


def after_keeping(kept):
    """Rolls after a reroll of all but the kept dice, and their chances."""
    found = {}
    for more in product(range(1, 7), repeat=3 - len(kept)):
        roll = tuple(sorted(kept + more))
        found[roll] = found.get(roll, 0) + Q(1, 6 ** (3 - len(kept)))
    return found


AGAIN = {kept: after_keeping(kept) for roll in ROLLS for kept in KEPT[roll]}


def again(values):
    """What each reroll is worth if a roll is worth what `values` say."""
    return {k: sum(c * values[x] for x, c in law.items()) - 1 for k, law in AGAIN.items()}


def swept(values):
    """The values after one synchronous sweep."""
    of = again(values)
    return {roll: max([Q(STICK[roll]), *(of[k] for k in KEPT[roll])]) for roll in ROLLS}


def scores_so_far():
    """Theorem 14."""
    need(len(AGAIN) == 28, "14: other holds")
    need(all(sum(law.values()) == 1 for law in AGAIN.values()), "14: chances")
    plain = [dict(STICK)]
    for _ in range(3):
        plain.append(swept(plain[-1]))  # with a sweep more, one may reroll once more

    @cache
    def best(rerolls, roll, score):
        if rerolls == 0:
            return Q(score + STICK[roll])
        return max(score + STICK[roll], *(worth_of(rerolls, k, score) for k in KEPT[roll]))

    @cache
    def worth_of(rerolls, kept, score):
        return sum(c * best(rerolls - 1, x, score - 1) for x, c in AGAIN[kept].items())

    for rerolls, score in product(range(1, 4), (-5, 7, 100)):
        of = again(plain[rerolls - 1])
        for roll in ROLLS:
            need(best(rerolls, roll, score) == score + plain[rerolls][roll], "14: the value")
            apart = {worth_of(rerolls, k, score) - of[k] for k in KEPT[roll]}
            need(apart == {score}, "14: the worth of a hold")
    return "scores so far: 28 laws; all rolls, up to 3 rerolls, three scores"


def solved_exactly(keep):
    """Values of the policy that keeps keep[roll], or sticks where that is None."""
    held = sorted({k for k in keep.values() if k is not None})
    rows = []  # the worth of each reroll: w = −1 + Σ chance·(w of what is kept, or the stick)
    for k in held:
        row = [Q(k == other) for other in held] + [Q(-1)]
        for roll, chance in AGAIN[k].items():
            if keep[roll] is None:
                row[-1] += chance * STICK[roll]
            else:
                row[held.index(keep[roll])] -= chance
        rows.append(row)
    for i in range(len(held)):  # Gauss and Jordan
        pivot = next(j for j in range(i, len(held)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(len(held)):
            if j != i and rows[j][i]:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    worths = dict(zip(held, (row[-1] for row in rows), strict=True))
    return {r: Q(STICK[r]) if k is None else worths[k] for r, k in keep.items()}


def sweeps():
    """Theorem 15."""
    values = dict.fromkeys(ROLLS, Q(0))
    history = [values]
    for _ in range(30):
        history.append(swept(history[-1]))
    of, keep = again(history[-1]), {}
    for roll in ROLLS:
        k = max(KEPT[roll], key=of.__getitem__)
        keep[roll] = k if of[k] > STICK[roll] else None
    exact = solved_exactly(keep)
    need(swept(exact) == exact, "15: Bellman's equation")
    of, losses = again(exact), []
    for roll in ROLLS:
        actions = [Q(STICK[roll]), *(of[k] for k in KEPT[roll])]
        need(actions.count(max(actions)) == 1, "15: optimal actions are not unique")
        losses += [exact[roll] - worth_of_it for worth_of_it in actions]
    gap = min(loss for loss in losses if loss)
    order = [(), (2,), (1,), (2, 2), (1, 1)]
    need({k for k in keep.values() if k is not None} == set(order), "15: other sets are kept")
    matrix = [
        [sum(c for x, c in AGAIN[k].items() if keep[x] == other) for other in order] for k in order
    ]
    rows = ("5/27 7/36 1/3 1/36 1/36", "0 7/18 2/9 1/9 1/36", "0 0 2/3 1/36 1/9")
    rows += ("0 0 0 1/3 0", "0 0 0 0 1/3")
    need(matrix == [[*map(Q, row.split())] for row in rows], "15: the matrix")
    # v with 1 at "a 1": from below upwards.
    v = [Q(0), Q(2, 9) / (Q(2, 3) - Q(7, 18)), Q(1), Q(0), Q(0)]
    v[0] = (Q(7, 36) * v[1] + Q(1, 3)) / (Q(2, 3) - Q(5, 27))
    image = [sum(x * y for x, y in zip(row, v, strict=True)) for row in matrix]
    need(image == [Q(2, 3) * x for x in v] and min(v) >= 0, "15: the vector")
    errors = [{roll: exact[roll] - of_it[roll] for roll in ROLLS} for of_it in history]
    need(min(min(e.values()) for e in errors) >= 0, "15: an error below 0")
    start = next(t for t, e in enumerate(errors) if 2 * max(e.values()) < gap)
    means = [[sum(c * e[x] for x, c in AGAIN[k].items()) for k in order] for e in errors]
    need(start < 30 and means[start][2] > 0, "15: no sweep is near enough")
    for now, then in pairwise(means[start:]):
        step = [sum(x * y for x, y in zip(row, now, strict=True)) for row in matrix]
        need(then == step, "15: a step")
    return f"sweeps: the matrix, and sweeps {start} to 30, from which on errors follow it"


# FateStones -----------------------------------------------------------------------------------


def margin(die, other):
    """Chance of a win less that of a loss."""
    beaten = sum((x > y) - (x < y) for x in die for y in other)
    return Q(beaten, len(die) * len(other))


def tie(die, other):
    return Q(sum(x == y for x in die for y in other), len(die) * len(other))


def without(hand, i):
    return hand[:i] + hand[i + 1 :]


def plays(hand, others):
    """Margin and chance of a scratch, (α, β), of every play against random choice."""
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
    """Matrix of a duel of two dice a side, a scratch worth 0."""
    return [
        [
            margin(die, other) + tie(die, other) * margin(hand[1 - i], others[1 - j])
            for j, other in enumerate(others)
        ]
        for i, die in enumerate(hand)
    ]


def value_of(matrix):
    """Value of a 2 × 2 game."""
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


def is_own_opposite(die):
    return die == tuple(sorted(7 - x for x in die))


def always_creating(q, most):
    """W(R), and the chance that no die is in revenue, after R = 0, …, `most` rounds."""
    law, found = {(0, 0): Q(1)}, []  # chances of (revenue, score)
    for _ in range(most + 1):
        empty = sum(c for (dice, _), c in law.items() if dice == 0)
        found.append((sum(c * score for (_, score), c in law.items()), empty))
        after = {}
        for (dice, score), chance in law.items():
            n = dice + 1
            for k in range(n + 1):
                ways = chance * comb(n, k) * q**k * (1 - q) ** (n - k)
                then = (k, score + k if k else 0)
                after[then] = after.get(then, 0) + ways
        law = after
    return found


def bounded():
    """Theorem 18."""
    for faces in ((2, 3), (4, 6, 8), (4, 20)):
        best, _ = worth(faces, skips=False)
        q, empty = Q(faces[-1] - 1, faces[-1]), ((0,) * len(faces),) * 2
        e, worths = q / (1 - q), always_creating(q, 4)
        for rounds in range(5):
            bound = e * rounds - e * e * (1 - q**rounds)
            need(best(rounds, empty, 0) <= worths[rounds][0] <= bound, "18 (a)")
    for q in (Q(1, 2), Q(3, 4), Q(9, 10)):
        u = [prod((1 - q**j for j in range(1, t + 1)), start=Q(1)) for t in range(13)]
        f = [Q(0)]
        for t in range(1, 13):
            f.append(u[t] - sum(f[i] * u[t - i] for i in range(1, t)))
        need(min(f) >= 0, "18: chances of renewals")
        longer = [1 - sum(f[: k + 1]) for k in range(13)]
        for rounds, (score, empty) in enumerate(always_creating(q, 12)):
            need(empty == u[rounds], "18: the chance of a renewal")
            bound = [Q(k * (k + 1), 2) * longer[k] for k in range(rounds + 1)]
            ago = [x * u[rounds - k] for k, x in enumerate(bound)]
            need(score <= sum(ago) <= sum(bound), "18 (b)")
    return "bounded: three ladders up to 4 rounds, always creating up to 12"


def repairs():
    """Theorem 19."""

    def tally(left, table, faces, choose):
        """Means of survivals by rung, promotions and revenue at the end."""
        if left == 0:
            return [Q(0)] * (len(faces) + 1) + [Q(sum(table[0]))]
        ways = moves(*table)
        after = ways[choose(left, table) % len(ways)]
        total = [Q(0)] * (len(faces) + 2)
        lifts = sum(map(sum, after)) == sum(map(sum, table)) and not any(table[1])
        for chance, then in rolls(*after, faces):
            later = tally(left - 1, then, faces, choose)
            now = [*then[0], int(lifts), 0]
            for i, x in enumerate(later):
                total[i] += chance * (x + now[i])
        return total

    count = 0
    for faces, salt in product(((2, 3), (4, 6, 8)), range(12)):
        for rounds in range(1, 5):
            *survived, promoted, revenue = tally(
                rounds,
                ((0,) * len(faces),) * 2,
                faces,
                lambda left, table, salt=salt: hash((salt, left, table)) >> 4,
            )
            failed = sum(s / (f - 1) for s, f in zip(survived, faces, strict=True))
            need(failed == rounds - promoted - revenue, "19: the budget")
            count += promoted > 0
    need(count, "19: no policy promotes")
    return "repairs: 96 games by policies drawn at random, some with promotions"


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


def bounds(most, unit=10**24):
    """Chances to win in fixed point, rounded down and rounded up."""
    found = []
    for up in (0, 1):
        win = [[unit] + [0] * most] + [[unit] for _ in range(most)]
        for a, d in product(range(1, most + 1), repeat=2):
            i, j = min(a, 3), min(d, 2)
            dice, stake = 6 ** (i + j), min(i, j)
            total = sum(
                int(c * dice) * win[a - k][d - stake + k] for k, c in enumerate(ROUNDS[i, j])
            )
            win[a].append(-(-total // dice) if up else total // dice)
        found.append(win)
    return *found, unit


def even_chances():
    """Theorem 21."""
    alpha, beta = Q(47, 50), Q(18, 17)
    u, r = ROUNDS[3, 2], ROUNDS[3, 1][1]
    need(sum(c * alpha**-k * beta ** (k - 2) for k, c in enumerate(u)) <= 1, "21: two defenders")
    need(r <= alpha and alpha * beta < 1, "21: one defender")
    need(alpha**197 * beta**200 < Q(1, 2), "21: from 200 on")
    most = 400
    low, high, unit = bounds(most)
    for n, (short, least) in product(range(1, 201), ((0, 5), (1, 12))):
        above, below = 2 * low[n - short][n] > unit, 2 * high[n - short][n] < unit
        need(above if n >= least else below, f"21 (a): {n - short} against {n}")
    for a, d in ((5, 5), (99, 114), (127, 148)):
        need(2 * low[a][d] > unit > 2 * high[a - 1][d], "21 (b): another army")
    need(5 + Q(122 * 109, 143) < 98, "21 (b)")
    # The conjectures.
    need(all(low[n + 1][n + 1] > high[n][n] for n in range(2, most)), "21: V(n, n) falls")
    wins, losses = ([], []), ([], [])
    for d in range(1, most + 1):
        for a in range(1, most + 1):
            need(2 * low[a][d] > unit or 2 * high[a][d] < unit, "21: too close to 1/2")
            over = 2797 * a - 2387 * d
            (wins if 2 * low[a][d] > unit else losses)[(a + d) % 2].append(over)
    need([*map(max, losses)] == [2038, 1915], "21: other constants")
    need([*map(min, wins)] == [2044, 1937], "21: other constants")
    return "even chances: armies below 200, the three armies, and the conjectures up to 400"


THEOREMS = (
    telescoping,
    convexity,
    blocks,
    power_sums,
    reciprocity,
    reachable,
    monotone,
    limit,
    skipping,
    most_dice,
    polynomials,
    horizon,
    thresholds,
    scores_so_far,
    sweeps,
    scratches,
    opposites,
    bounded,
    repairs,
    equal_armies,
    even_chances,
)


def main():
    failures = 0
    for number, theorem in enumerate(THEOREMS, 1):
        try:
            print(f"theorem {number}: {theorem()}")
        except StepError as problem:
            failures += 1
            print(f"FAILED: theorem {number}: step {problem}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
