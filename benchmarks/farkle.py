"""Farkle: optimal turns, turns to a target and races, compared with the definition over Fractions.

The rival is a first implementation of the recurrence in the KCD Farkle README: every sorted roll of
fair dice with its number of orders, every subset of it, a cache over points and dice left, and
Fractions. It uses that dice are equal and fair; the package does not use that they are fair.

The rival for races iterates the probabilities of winning of all pairs of scores until they change
by less than 10⁻¹², in doubles and with numpy over the menus. The package's bounds must contain
them.
"""

import resource
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np

from benchmarks.bench import Bench, Measured, command, fastest
from exactdice.arithmetic import to_fraction
from exactdice.enclosure import Enclosure
from exactdice.games import farkle
from exactdice.games.farkle.chase import BestChance, TargetPlayer
from exactdice.games.farkle.races.chances import WinChances, contender
from exactdice.games.farkle.races.solve import enclose_streaks, enclose_wins, win_exactly
from exactdice.games.farkle.rules import menus
from exactdice.games.farkle.rules import rule_set as rules
from exactdice.games.farkle.rules.dice_sets import parse_dice
from exactdice.games.farkle.rules.tables import FACEBOOK
from exactdice.games.farkle.sets.best import enclose_points
from exactdice.games.farkle.turn.exact import Overshoot
from exactdice.native.farkle import turns_by_rules
from exactdice.run import Run

THREE_KINDS = "fair*3,368:105:105:105:105:212*2,odd"
SIX_OTHERS = "fair,cautious-cheater,ci-w,even,favourable,greasy"
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
    menus.layout_of.cache_clear()
    turns_by_rules.cache_clear()
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


def iterated_race(target: int) -> float:
    """Chance of the first of two equal players with six fair dice, by plain value iteration."""
    player = contender(rules=farkle.KCD.varied(target=target))
    found, levels, unit = menus.layout_of(player.menus), player.levels, player.rules.unit
    states, best = player.dice.states, found.best
    chances = np.array(
        [w / s.denominator for s in player.menus.by_state for w in s.menus.values()], dtype=float
    )
    busts = [player.menus.bust_weight(s) for s in range(states)]
    reach = levels + player.rules.highest_score // unit + 1
    wins = np.full((levels + reach, levels + reach), 0.5)
    wins[levels:, :], wins[:, levels:] = 1, 0

    def turn(own: int, other: int) -> float:
        needed = levels - own
        bank = 1 - wins[other, own : own + reach]
        bank[needed:] = 1
        rolled = np.zeros((reach, states))
        for level in reversed(range(needed)):
            worth = np.maximum(rolled, bank[:, None])
            options = worth[level + found.score, found.next_state]
            ways = np.maximum.reduceat(options, found.start)
            ways = np.maximum(ways, bank[level + best]) * chances
            for state in range(1, states):
                first, past = found.first_menu[state : state + 2]
                bust = busts[state][0] / busts[state][1]
                rolled[level, state] = ways[first:past].sum() + bust * bank[0]
        return float(rolled[0, states - 1])

    for total in reversed(range(2 * levels - 1)):
        for own in range(max(0, total - levels + 1), min(total + 1, levels)):
            other, moved = total - own, 1.0
            while moved > 1e-12:
                before = wins[own, other], wins[other, own]
                wins[own, other] = turn(own, other)
                wins[other, own] = turn(other, own)
                moved = max(abs(wins[own, other] - before[0]), abs(wins[other, own] - before[1]))
    return float(wins[0, 0])


def enclosed_race(target: int, first: str = "fair*6", second: str = "fair*6") -> WinChances:
    """Enclose the chances of two players to win, from nothing."""
    forget()
    rules = farkle.KCD.varied(target=target)
    return enclose_wins(contender(first, rules), contender(second, rules), Run(workers=2))


def races(bench: Bench) -> None:
    """Races to win; the limits are those of an enclosure."""
    small = 500
    ours, theirs = fastest(lambda: enclosed_race(small)), fastest(lambda: iterated_race(small), 1)
    off = abs(theirs.result - ours.result.value.middle)
    assert off < ours.result.value.width + 1e-9, "value iteration gives another result"
    rounded = [Measured(round(theirs.result, 9), each.seconds) for each in (ours, theirs)]
    bench.add("race to win, six fair dice, to 500", rounded[0], "", "value iteration", rounded[1])
    for target, limit in ((2000, "3"), (4000, "24")):
        bench.add(f"…, to {target}", fastest(lambda to=target: enclosed_race(to), 2), limit)
    bench.add(
        "…, to 500, exact rationals",
        fastest(lambda: win_exactly(*[contender(rules=farkle.KCD.varied(target=500))] * 2), 1),
    )
    long = fastest(lambda: enclosed_race(4000, SIX_KINDS, SIX_OTHERS), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    bench.add(f"…, two sets of six different dice, to 4000, {peak:.0f} MiB", long, "300; 2 GiB")
    streaky = contender(rules=FACEBOOK.varied(target=2000))
    bench.add(
        "…, Facebook's three busts in a row, to 2000",
        fastest(lambda: enclose_streaks(streaky, streaky), 1),
    )
    dice = parse_dice(SIX_KINDS)

    def points() -> Enclosure:
        return enclose_points(dice, farkle.KCD, Overshoot.FULL)

    def points_from_nothing() -> Enclosure:
        forget()
        return points()

    alone = fastest(points_from_nothing, 5)
    bench.add(
        "points of a turn, six different dice, enclosed",
        fastest(points, 10),
        "0.006",
        "without what sets share",
        alone,
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
        fastest(lambda: TargetPlayer(THREE_KINDS, to_4000).cdf(20), 2),
        "30",
    )
    bench.add("race to 4000", fastest(lambda: farkle.race(THREE_KINDS, "fair*6", to_4000), 1))
    bench.add(
        "best chance of 4000 in 3 turns",
        fastest(lambda: BestChance("fair*6", to_4000).chance(3), 1),
    )
    races(bench)
    for words, limit in (
        (("value", "--dice", SIX_KINDS), "5; 500 MiB"),
        (("turns", "--dice", THREE_KINDS, "--target", "4000", "--turns", "20"), "30"),
    ):
        seconds, mebibytes = command("farkle", *words)
        bench.add(f"farkle {words[0]}, whole command, {mebibytes:.0f} MiB", seconds, limit)
