"""Farkle: best turns and turns to a target, against the definition over Fractions.

The rival is the recurrence of the KCD Farkle README as one writes it first: every sorted roll of
fair dice with its number of orders, every subset of it, a cache over points and dice left, and
Fractions. It knows that dice are equal and fair; the package does not use the latter.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from benchmarks.bench import Bench, command, fastest
from exactdice.arithmetic import to_fraction
from exactdice.games import farkle
from exactdice.games.farkle import layout, menus, rules
from exactdice.games.farkle.chances import BestChance
from exactdice.games.farkle.turns import turns_to_target

THREE_KINDS = "fair*3,368:105:105:105:105:212*2,odd"
SIX_KINDS = "odd,lucky,aranka,king,heavenly-kingdom,368:105:105:105:105:212"


def plain_value(target: int) -> Fraction:
    """Optimal(0, D) for six fair dice by the recurrence, memoised."""

    def rolls(size: int) -> list[tuple[int, set[tuple[int, int]]]]:
        found = []
        for roll in combinations_with_replacement(range(1, 7), size):
            orders = factorial(size) // prod(factorial(n) for n in Counter(roll).values())
            kept = {part for n in range(1, size + 1) for part in combinations(roll, n)}
            options = {(farkle.KCD.score(part), size - len(part)) for part in kept}
            found.append((orders, {option for option in options if option[0]}))
        return found

    listed = {size: rolls(size) for size in range(1, 7)}

    @cache
    def final(points: int, size: int) -> Fraction:
        total = Fraction(0)
        for orders, options in listed[size]:
            best = Fraction(0)
            for score, left in options:
                reached = points + score
                best = max(best, Fraction(reached))
                if reached < target:
                    best = max(best, final(reached, left or 6))
            total += orders * best
        return total / 6**size

    for points in range(target - 50, -50, -50):  # in this order the recursion stays shallow
        for size in range(1, 7):
            final(points, size)
    return final(0, 6)


def forget() -> None:
    """Empty every cache, so that a solve starts from nothing."""
    menus.menus_of.cache_clear()
    menus.face_multisets.cache_clear()
    layout.layout_of.cache_clear()
    rules.selection_scores.cache_clear()
    rules.scoring_selections.cache_clear()


def solved(dice: str = "fair*6", target: int | None = 6000) -> Fraction:
    """Optimal(0, D), from nothing."""
    forget()
    return to_fraction(farkle.solve(dice, farkle.KCD.varied(target=target)).value)


def all_states(dice: str) -> int:
    """Exact values of every number of points with every set of dice left."""
    forget()
    turn = farkle.solve(dice)
    return sum(
        1
        for points in range(0, 6000, 50)
        for state in turn.dice.proper_states()
        if turn.rolling_worth(points, state)
    )


def measure(bench: Bench) -> None:
    bench.add(
        "six fair dice to 6000",
        fastest(solved, 5),
        "0.15",
        "the recurrence",
        fastest(lambda: plain_value(6000), 1),
    )
    bench.add("…, all 720 states", fastest(lambda: all_states("fair*6")))
    bench.add("…, without a target", fastest(lambda: solved(target=None)))
    bench.add("three kinds of dice to 6000", fastest(lambda: solved(THREE_KINDS)))
    bench.add("six different dice to 6000", fastest(lambda: solved(SIX_KINDS)), "5")
    bench.add("…, all 7560 states", fastest(lambda: all_states(SIX_KINDS), 1))
    to_4000 = farkle.KCD.varied(target=4000)
    bench.add(
        "turns to 4000, three kinds, 20 turns, exact",
        fastest(lambda: turns_to_target(THREE_KINDS, 20, to_4000), 2),
        "30",
    )
    bench.add("race to 4000", fastest(lambda: farkle.race(THREE_KINDS, "fair*6", to_4000), 1))
    bench.add(
        "best chance of 4000 in 3 turns",
        fastest(lambda: BestChance("fair*6", to_4000).chance(3), 1),
    )
    for words, limit in (
        (("value", "--dice", SIX_KINDS), "5; 500 MiB"),
        (("turns", "--dice", THREE_KINDS, "--target", "4000", "--turns", "20"), "30"),
    ):
        seconds, mebibytes = command("farkle", *words)
        bench.add(f"farkle {words[0]}, whole command, {mebibytes:.0f} MiB", seconds, limit)
