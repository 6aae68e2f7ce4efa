"""Risk: tables and probabilities, against a plain memoised recursion and icepool.

The rival recursion is what one writes first: the definition over fractions.Fraction with a cache.
icepool is the dice library that a user would pick: its dice, mapped by a memoised recursion. (Its
own absorbing chain, ``map(…, repeat='inf')``, takes 1 s for 20 v 20 and 87 s for 50 v 50.)
"""

import sys
from fractions import Fraction
from functools import cache

from benchmarks.bench import Bench, Measured, command, fastest
from exactdice.arithmetic import to_fraction
from exactdice.games import risk
from exactdice.games.risk.exact import win_probability


def plain_win(attackers: int, defenders: int) -> Fraction:
    """Chance to win in fighting units, by memoised recursion over Fractions."""
    rounds = {
        (a, d): [
            (lost, to_fraction(p)) for lost, p in risk.round_losses(a, d).probabilities().items()
        ]
        for a in (1, 2, 3)
        for d in (1, 2)
    }

    @cache
    def win(a: int, d: int) -> Fraction:
        if d == 0:
            return Fraction(1)
        if a == 0:
            return Fraction(0)
        return sum(
            (p * win(a - i, d - j) for (i, j), p in rounds[min(a, 3), min(d, 2)]), Fraction(0)
        )

    for total in range(attackers + defenders):  # in this order the recursion stays shallow
        for a in range(max(0, total - defenders), min(attackers, total) + 1):
            win(a, total - a)
    return win(attackers, defenders)


def plain_table(size: int) -> dict[tuple[int, int], Fraction]:
    """All chances up to a size, in fighting units, over Fractions."""
    table: dict[tuple[int, int], Fraction] = {}
    rounds = {
        (a, d): [
            (lost, to_fraction(p)) for lost, p in risk.round_losses(a, d).probabilities().items()
        ]
        for a in (1, 2, 3)
        for d in (1, 2)
    }
    for a in range(size + 1):
        for d in range(size + 1):
            if d == 0 or a == 0:
                table[a, d] = Fraction(d == 0)
            else:
                table[a, d] = sum(
                    (p * table[a - i, d - j] for (i, j), p in rounds[min(a, 3), min(d, 2)]),
                    Fraction(0),
                )
    return {armies: p for armies, p in table.items() if 0 not in armies}


def icepool_win(attackers: int, defenders: int) -> Fraction | None:
    """One cell by icepool, or None if it is not installed."""
    try:
        import icepool
    except ImportError:
        print("risk: icepool is not installed; pip install icepool", file=sys.stderr)
        return None

    @cache
    def attacker_losses(a: int, d: int) -> object:
        stake = min(a, d)
        attack = icepool.d6.pool(a).highest(stake)
        return attack.sort_pair("<=", icepool.d6.pool(d).highest(stake)).size()

    @cache
    def wins(a: int, d: int) -> object:
        if a == 0 or d == 0:
            return icepool.Die([d == 0])
        i, j = min(a, 3), min(d, 2)
        return attacker_losses(i, j).map(lambda k: wins(a - k, d - min(i, j) + k))

    for total in range(attackers + defenders):
        for a in range(max(0, total - defenders), min(attackers, total) + 1):
            wins(a, total - a)
    return Fraction(wins(attackers, defenders).probability(True))


def measure(bench: Bench) -> None:
    size = 100
    ours = fastest(lambda: dict(risk.win_table(size, size, "fighting")))
    theirs = fastest(lambda: plain_table(size), runs=1)
    bench.add("100×100 table of reduced fractions", ours, "0.15", "plain recursion", theirs)

    cell = fastest(lambda: win_probability(size, size, "fighting"))
    bench.add(
        "100 v 100", cell, "", "plain recursion", fastest(lambda: plain_win(size, size), runs=1)
    )
    rival: Measured = fastest(lambda: icepool_win(size, size), runs=1)
    if rival.result is not None:
        bench.add("100 v 100", cell, "", "icepool, memoised", rival)
    bench.add("500 v 500", fastest(lambda: win_probability(500, 500, "fighting")), "1")
    bench.add("1000 v 1000", fastest(lambda: win_probability(1000, 1000, "fighting"), 1), "6")
    bench.add(
        "one round, 6 v 6, 100 sides",
        fastest(lambda: risk.round_losses(6, 6, risk.RiskRules(6, 6, 100, 100)), runs=1),
    )
    seconds, mebibytes = command("risk", "win", "1000", "1000", "--units", "fighting")
    bench.add(f"risk win 1000 1000, whole command, {mebibytes:.0f} MiB", seconds, "6; 1024 MiB")
