"""Risk: rounds by listing all rolls, ties to the defender; battles of fighting units by recursion."""

from fractions import Fraction as Q
from functools import cache
from itertools import product


def lost(attack, defence, attacker_wins_ties=False):
    """Return the attacker's losses."""
    pairs = zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False)
    return sum(x < y or (x == y and not attacker_wins_ties) for x, y in pairs)


def lost_units(a, d, sides):
    """Count rolls by the attacker's losses, ties to the defender."""
    counts = [0] * (min(a, d) + 1)
    for roll in product(range(sides), repeat=a + d):
        counts[lost(roll[:a], roll[a:])] += 1
    return counts


def chances(a, d):
    """Return the probabilities of the attacker's losses 0, 1, …, by enumeration."""
    counts = [0] * (min(a, d) + 1)
    for roll in product(range(6), repeat=a + d):
        counts[lost(roll[:a], roll[a:])] += 1
    return [Q(count, 6 ** (a + d)) for count in counts]


ROUNDS = {(a, d): chances(a, d) for a in (1, 2, 3) for d in (1, 2)}


def won(most):
    """Return the win probabilities with the most dice, for all armies up to a size."""
    win = {(a, 0): Q(1) for a in range(most + 1)} | {(0, d): Q(0) for d in range(1, most + 1)}
    for a, d in product(range(1, most + 1), repeat=2):
        win[a, d] = next_round(win, a, d, min(a, 3), min(d, 2))
    return win


def next_round(win, a, d, i, j):
    """Return the win probability if the next round is i dice against j."""
    return sum(c * win[a - k, d - min(i, j) + k] for k, c in enumerate(ROUNDS[i, j]))


@cache
def bounds(most, unit=10**24):
    """Return win probabilities in fixed point, rounded down and rounded up."""
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
