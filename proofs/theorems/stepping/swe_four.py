"""Steps of the theorem about four d4: bounds of the least chance of a catastrophe, in whole numbers.

Below, what is heavier than WEIGHT is safe; above, play keeps to four dice, or to DICE that are d20 but for one.
Dice are numbers by rung, revenue and legacy together; a split says how many of them are in revenue.
"""

from itertools import product
from math import comb

from stepping.step import need

FACES = (4, 6, 8, 12, 20)
UNIT = 10**24
WEIGHT, DICE, FIRST, FEW, ROUNDS, LAST = 11, 14, 19, 60, 250, 10**10


def weight(dice):
    return sum(i * n for i, n in enumerate(dice, 1))


def changed(dice, less, more):
    """The dice after a promotion, or after a creation where less is −1."""
    return tuple(n - (i == less) + (i == more) for i, n in enumerate(dice))


def ups(x, over):
    return -(-x // over)


def downs(x, over):
    return x // over


def rolled(dice, worth, divide):
    """What splits are worth that are rolled, by what the splits after it are worth."""
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


def by_rounds(dice, after, others, rounds, *, above):
    """List the chances of a catastrophe by rounds, `dice` rolled first, and what splits are worth in the end."""
    divide = ups if above else downs
    none = (0,) * len(dice)
    nexts = {}
    for split in after:
        rung = max((i for i, n in enumerate(dice) if split[i] < n), default=None)
        nexts[split] = None if rung is None else changed(split, -1, rung)
    ways = [others.get(changed(dice, i, i + 1)) for i in range(-1, 4) if i < 0 or dice[i]]
    mine = [0]
    for r in range(1, rounds + 1):
        now = rolled(dice, {**after, none: UNIT}, divide)
        mine.append(now[dice])
        moved = [way[r] if way else (UNIT if above else 0) for way in ways]
        best = min([*moved, now[dice]] if above else moved)
        after = {split: now[then] if then else best for split, then in nexts.items()}
    return mine, {**after, none: UNIT}


def chances(listed, rounds, *, above, ends=None):
    """The chances by rounds, of all tables listed; with `ends` those not in it are lost in the end."""
    of = {}
    for dice in sorted(listed, key=weight, reverse=True):
        splits = product(*(range(n + 1) for n in dice))
        after = dict.fromkeys(splits, 0 if ends is None else UNIT)
        of[dice], _ = by_rounds(dice, (ends or {}).get(dice, after), of, rounds, above=above)
    return of


def four_dice():
    """Theorem 31."""
    every = [dice for dice in product(*(range(WEIGHT // i + 1) for i in range(1, 6))) if any(dice)]
    created = chances([x for x in every if weight(x) <= WEIGHT], FEW, above=False)[5, 0, 0, 0, 0]
    listed = {dice for dice in product(range(5), repeat=5) if 1 <= sum(dice) <= 4}
    four = (4, 0, 0, 0, 0)
    kept = chances(listed, FEW, above=True)[four]
    need(all(x < y for x, y in zip(kept[FIRST:], created[FIRST:], strict=True)), "31: few rounds")
    for n in range(4, DICE + 1):
        listed |= {changed((0, 0, 0, 0, n - 1), -1, rung) for rung in range(5)}
    top = (0, 0, 0, 0, DICE)
    splits = [(0, 0, 0, 0, k) for k in range(DICE + 1)]
    _, hit = by_rounds(top, dict.fromkeys(splits, 0), {}, ROUNDS, above=True)
    again = rolled(top, hit, ups)
    rise = max(again[splits[min(k + 1, DICE)]] - hit[splits[k]] for k in range(1, DICE + 1))
    last = chances(listed, ROUNDS, above=True, ends={top: hit})[four][ROUNDS] + LAST * rise
    need(last < created[FEW], "31: many rounds")
    return f"four d4: {FIRST} to {FEW} rounds left, and up to {LAST} by a chain of {DICE} d20"
