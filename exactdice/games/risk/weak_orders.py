r"""Weak orders of the dice of two sides, counted by their levels and by who loses how many pairs.

Both sides sort their dice from the highest down and compare the highest with the highest, as far as
both have dice. Who loses how many pairs depends only on the weak order of the dice: which are equal
and which lie above which. A weak order with :math:`\ell` levels can be filled with faces of an
s-sided die in :math:`\binom{s}{\ell}` ways, so these counts give the round for every s at once.

The weak orders are counted level by level from the top. With i attackers' and j defenders' dice
placed, pairs up to max(i, j) are decided: a pair is won by the side whose die was placed first, and
is tied when both are placed at the same level.

Cost: O((a + d)·(a·d)²·min(a, d)) integer products.
"""

from functools import lru_cache
from math import comb

from exactdice.games.risk.rules import Ties, read_ties


@lru_cache(maxsize=4096)
def weak_orders(
    attacker_dice: int,
    defender_dice: int,
    ties: Ties | str = Ties.DEFENDER,
    top: tuple[int, int] = (0, 0),
) -> tuple[tuple[int, ...], ...]:
    """Count the weak orders of a round by their number of levels and the attacker's losses.

    One die each: above, below, or level.

    >>> weak_orders(1, 1)
    ((0, 0), (0, 1), (1, 1))
    """
    ties = read_ties(ties)
    a, d = attacker_dice, defender_dice
    pairs = min(a, d)
    start = [0] * (pairs + 1)
    start[min(top[1], pairs)] = 1  # dice of the defender on top win their pairs
    layer = {top: start}
    counts = [layer.get((a, d), [0] * (pairs + 1))]
    for _level in range(a + d - sum(top)):
        following: dict[tuple[int, int], list[int]] = {}
        for (i, j), ways in layer.items():
            for i2 in range(i, a + 1):
                for j2 in range(j, d + 1):
                    if (i2, j2) == (i, j):
                        continue  # a level holds at least one die
                    lost = _newly_lost(i, j, i2, j2, pairs, ties)
                    factor = comb(a - i, i2 - i) * comb(d - j, j2 - j)
                    target = following.setdefault((i2, j2), [0] * (pairs + 1))
                    for losses in range(pairs + 1 - lost):
                        target[losses + lost] += factor * ways[losses]
        layer = following
        counts.append(layer.get((a, d), [0] * (pairs + 1)))
    counts += [[0] * (pairs + 1)] * (a + d + 1 - len(counts))
    return tuple(tuple(row) for row in counts)


def _newly_lost(i: int, j: int, i2: int, j2: int, pairs: int, ties: Ties) -> int:
    """Attacker's losses in the pairs that are decided when (i, j) placed dice become (i2, j2)."""
    decided = min(max(i, j), pairs)
    tied = max(0, min(i2, j2) - decided)
    outright = max(0, min(max(i2, j2), pairs) - decided - tied)
    return (tied if ties is Ties.DEFENDER else 0) + (outright if j2 > i2 else 0)
