"""Steps of the theorems about Farkle, with the combinations of Kingdom Come: Deliverance."""

from fractions import Fraction as Q
from functools import cache
from itertools import combinations, product

from stepping.step import need

COMBOS = {(1,): 100, (5,): 50, (1, 2, 3, 4, 5): 500, (2, 3, 4, 5, 6): 750, (1, 2, 3, 4, 5, 6): 1500}
COMBOS |= {(v,) * n: 100 * (v if v > 1 else 10) << n - 3 for v in range(1, 7) for n in range(3, 7)}


@cache
def points(dice):
    """Return the most points of ascending dice that are all in combinations; 0 if impossible."""
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
    """Return the menus of rolls of n dice, {((points, dice left), …): ways}; empty means bust."""
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
    """Return Optimal and L of theorem 12, and Optimal_n, as functions of points and dice."""

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
    """Return bounds of G in fixed point, and the rolls that are needed."""
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
