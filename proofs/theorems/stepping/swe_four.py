"""Steps of theorems 31 and 32: integer bounds of the least probability of a catastrophe.

Lower bounds: tables heavier than WEIGHT are safe. Upper bounds: play keeps to four dice, or to DICE of which all but
one are d20. A
table that is not listed counts as safe (lower) or lost (upper), except the goal: to create with DICE d20 in revenue.
Dice are numbers by rung, revenue and legacy together; a split says how many of them are in revenue.
"""

from fractions import Fraction as Q
from itertools import product
from math import comb, factorial, prod

from stepping.step import need

FACES = (4, 6, 8, 12, 20)
UNIT = 10**24
WEIGHT, DICE, FIRST, FEW, ROUNDS, LIGHT = 11, 14, 19, 60, 250, 7
LESS_SAFE = (  # at these dice with so many rounds left; bounds by so many moves without legacy
    ((0, 0, 0, 9, 0), range(11, 12), 4),
    ((0, 0, 0, 8, 0), range(12, 13), 3),
    ((0, 0, 7, 0, 0), range(13, 16), 4),
    ((0, 6, 0, 0, 0), range(16, 19), 4),
)


def weight(dice):
    return sum(i * n for i, n in enumerate(dice, 1))


def changed(dice, less, more):
    """Return the dice after a promotion, or after a creation if less is −1."""
    return tuple(n - (i == less) + (i == more) for i, n in enumerate(dice))


def moved(dice):
    """Return the tables after the moves without legacy: a creation and all promotions."""
    return [changed(dice, i, i + 1) for i in range(-1, 4) if i < 0 or dice[i]]


def ups(x, over):
    return -(-x // over)


def downs(x, over):
    return x // over


def rolled(dice, worth, divide):
    """Return the values of splits before a roll, from the values after it."""
    for i, (n, f) in enumerate(zip(dice, FACES, strict=True)):
        if n:
            ways = [[comb(m, k) * (f - 1) ** k for k in range(m + 1)] for m in range(n + 1)]
            worth = {
                s: divide(
                    sum(w * worth[(*s[:i], k, *s[i + 1 :])] for k, w in enumerate(ways[s[i]])),
                    f ** s[i],
                )
                for s in worth
            }
    return worth


def by_rounds(dice, others, rounds, *, above, end):
    """List the catastrophe probabilities by rounds, `dice` rolled first; add `end` for survivors."""
    divide = ups if above else downs
    none = (0,) * len(dice)
    nexts = {}
    for split in product(*(range(n + 1) for n in dice)):
        rung = max((i for i, n in enumerate(dice) if split[i] < n), default=None)
        nexts[split] = None if rung is None else changed(split, -1, rung)
    ways = [others.get(way) for way in moved(dice)]
    after = {**dict.fromkeys(nexts, end), dice: min((way[0] for way in ways if way), default=end)}
    mine = [end]
    for r in range(1, rounds + 1):
        now = rolled(dice, {**after, none: UNIT}, divide)
        mine.append(now[dice])
        best = [way[r] if way else (UNIT if above else 0) for way in ways]
        best = min([*best, now[dice]] if above else best)
        after = {split: now[then] if then else best for split, then in nexts.items()}
    return mine


def chances(listed, rounds, *, above, goal=None):
    """Return the probabilities by rounds for all listed tables; with a goal, of missing it."""
    of = {goal: [0] * (rounds + 1)} if goal else {}
    for dice in sorted(listed, key=weight, reverse=True):
        of[dice] = by_rounds(dice, of, rounds, above=above, end=UNIT if goal else 0)
    return of


def followers(dice, moves):
    """Return the tables after at most a number of moves without legacy."""
    tables = {dice}
    for _ in range(moves):
        tables |= {then for table in tables for then in moved(table)}
    return tables


def some_table():
    for dice, lefts, moves in LESS_SAFE:
        fifth = changed(dice, -1, 0)
        created = chances(followers(fifth, moves), lefts[-1], above=False)[fifth]
        kept = chances(followers(dice, moves), lefts[-1], above=True)[dice]
        need(all(kept[r] < created[r] for r in lefts), f"31: a table with {lefts} rounds left")
    need(
        [r for _, lefts, _ in LESS_SAFE for r in lefts] == list(range(11, FIRST)), "31: from 11 on"
    )


def four_dice():
    """Theorem 31."""
    every = [dice for dice in product(*(range(WEIGHT // i + 1) for i in range(1, 6))) if any(dice)]
    below = chances([x for x in every if weight(x) <= WEIGHT], FEW, above=False)
    few_dice = {dice for dice in product(range(5), repeat=5) if 1 <= sum(dice) <= 4}
    four, five = (4, 0, 0, 0, 0), (5, 0, 0, 0, 0)
    kept = chances(few_dice, FEW, above=True)[four]
    need(
        all(x < y for x, y in zip(kept[FIRST:], below[five][FIRST:], strict=True)), "31: few rounds"
    )
    tops = {changed((0, 0, 0, 0, n - 1), -1, rung) for n in range(4, DICE + 1) for rung in range(5)}
    above = chances(few_dice | tops, ROUNDS, above=True, goal=(1, 0, 0, 0, DICE))
    need(FEW <= 5 * DICE - LIGHT and WEIGHT < DICE, "31: rounds and dice")
    settled = {dice for dice in few_dice if weight(dice) <= LIGHT}
    for dice in settled:
        fifth = changed(dice, -1, 0)
        safer, other = (dice, fifth) if sum(dice) == 4 else (fifth, dice)
        need(above[safer][ROUNDS] < below[other][FEW], f"31: many rounds at {dice}")
    some_table()
    return f"four d4: {FIRST} and more rounds left; {FEW} and more at {len(settled)} tables; 11 to 18 at one each"


def missed(all_survive, one_fails, r):
    """E of theorem 32."""
    return (
        all_survive
        * (1 + Q(4, 3) * max(0, r - 3) * all_survive)
        / ((1 - all_survive) * (1 - one_fails))
    )


def few_rounds():
    """Theorem 32."""
    part, rounds, log = 38, 11, Q(3638, 1000)
    need(sum(log**k / factorial(k) for k in range(20)) > part, "32: the logarithm")
    most = missed(Q(1, part), Q(6, 5) * log / part, rounds)
    need(
        most < Q(392, 10**4) and Q(405, 10**4) * (1 + Q(4, 3) ** rounds) < 1,
        "32: tables of many dice",
    )
    heaviest, least = 6, 1 - Q(1, 10**20)  # by which the numbers are wrong
    listed = [x for x in product(*(range(2 * heaviest // i + 1) for i in range(1, 6))) if any(x)]
    of = chances([x for x in listed if weight(x) <= 2 * heaviest], heaviest, above=False)
    small = [x for x in listed if weight(x) <= heaviest]
    for dice in small:
        fails = [Q(1, f) for n, f in zip(dice, FACES, strict=True) for _ in range(n)]
        none = prod(1 - p for p in fails)
        one = none * sum(p / (1 - p) for p in fails)
        kept, created = of[dice], of[changed(dice, -1, 0)]
        for r in range(1, heaviest + 1):
            need(kept[r] >= (1 - none) * kept[r - 1] * least, "32: a round more")
            off = missed(none, one, r) if one < 1 else 1
            bound = 1 - Q(3, 4) ** r * (1 - off) + off
            need(
                created[r] * least <= kept[r]
                and (off > 1 or created[r] * least <= bound * kept[r]),
                "32: a die more",
            )
    return f"a die more: {len(small)} tables with up to {heaviest} rounds left; many dice with up to {rounds}"
