"""Steps of the theorem on a defender who sees the attacker's dice."""

from collections import Counter
from fractions import Fraction as Q
from functools import cache
from itertools import product

from stepping.risk_play import lost, won
from stepping.step import need

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


def who_sees():
    """Theorem 28."""
    for sides in range(2, 13):
        most_dice(sides, 6 if sides == 6 else 4)
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
    return "the defender sees the dice: 2 to 12 sides, the bound, all armies up to 4, and with six sides up to 9"
