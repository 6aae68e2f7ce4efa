"""The software-engineering game, table by table.

A table is (revenue, legacy), numbers of dice by rung; `faces` names the dice of the rungs.
"""

from fractions import Fraction as Q
from functools import cache
from itertools import product
from math import comb, prod


def plus(pool, rung, by):
    return (*pool[:rung], pool[rung] + by, *pool[rung + 1 :])


def moves(up, down):
    """Return the tables after each legal move, before the roll."""
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


def worth(faces, skips):
    """Return values by backward induction, with or without skips: of a state, and before a roll."""

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
