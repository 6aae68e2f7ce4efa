"""The five games of `examples/small_games.py`, each a second way."""

import importlib.util
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from exactdice.models import optimum, probability, reward_distribution, simulate

_PATH = Path(__file__).parents[2] / "examples" / "small_games.py"
_SPEC = importlib.util.spec_from_file_location("small_games", _PATH)
assert _SPEC is not None
games = importlib.util.module_from_spec(_SPEC)
assert _SPEC.loader is not None
_SPEC.loader.exec_module(games)


def point(page: int, variant: str) -> Any:
    return games.PAGES[page].variants[variant].answer().value.point


def test_a_beetle_takes_as_long_as_its_table_says() -> None:
    # blog.ylett.com, 4 January 2012: 31.498 spins, and those left from (body, head, legs, eyes,
    # antennae)
    best = optimum(games.beetle(games.SPINNER))
    (printed,) = games.PAGES[0].variants["spinner"].numbers
    assert printed.verdict(best.enclosure()) == "confirmed"
    left = {(1, 1, 5, 2, 2): 3, (1, 1, 4, 2, 2): 6, (1, 1, 5, 1, 2): 7, (1, 1, 5, 1, 1): mpq(19, 2)}
    for state, spins in left.items():
        assert best.value_of(state) == spins


def test_a_beetle_with_a_tail_waits_for_one_more() -> None:
    @cache
    def rolls(body: int, head: int, leg: int, eye: int, antenna: int, tail: int) -> Fraction:
        if not body:
            return 6 + rolls(1, 0, 6, 2, 2, 1)
        after = [(1, head, leg - 1, eye, antenna, tail)] if leg else []
        after += [(1, head, leg, eye, antenna, 0)] if tail else []
        after += [] if head else [(1, 1, leg, eye, antenna, tail)]
        after += [(1, 1, leg, eye - 1, antenna, tail)] if head and eye else []
        after += [(1, 1, leg, eye, antenna - 1, tail)] if head and antenna else []
        return (
            (6 + sum(rolls(*state) for state in after)) / Fraction(len(after))
            if after
            else Fraction(0)
        )

    assert point(0, "die") == mpq(rolls(0, 0, 6, 2, 2, 1))


def test_dice_drop_dead_as_a_sum_over_their_number_says() -> None:
    @cache
    def points(n: int) -> Fraction:
        if n == 0:
            return Fraction(0)
        alive = Fraction(2, 3) ** n
        later = sum(
            comb(n, k) * Fraction(1, 3) ** k * Fraction(2, 3) ** (n - k) * points(n - k)
            for k in range(1, n + 1)
        )
        return (alive * n * Fraction(7, 2) + later) / (1 - alive)

    assert point(1, "five") == mpq(points(5))


def test_drop_dead_varies_as_all_rolls_say() -> None:
    """With q the chance of a roll without dead dice: E X² = q E(s + X)² + the other rolls."""

    @cache
    def moments(n: int) -> tuple[Fraction, Fraction]:
        first = second = q = scored = squared = Fraction(0)
        for roll in product(range(1, 7), repeat=n):
            if dead := sum(face in (2, 5) for face in roll):
                mean, square = moments(n - dead)
                first, second = first + mean / 6**n, second + square / 6**n
            else:
                q, scored = q + Fraction(1, 6**n), scored + Fraction(sum(roll), 6**n)
                squared += Fraction(sum(roll) ** 2, 6**n)
        if not n:
            return Fraction(0), Fraction(0)
        mean = (scored + first) / (1 - q)
        return mean, (squared + 2 * scored * mean + second) / (1 - q)

    mean, square = moments(5)
    best = optimum(games.drop_dead())
    law = reward_distribution(best.model)
    assert (law.mean, law.variance) == (mpq(mean), mpq(square - mean**2))
    # Within six standard errors of a variance, as its fourth moment is below 20 of its squares.
    sample = simulate(best, 2000)
    assert abs(sample.variance / law.variance - 1) < 6 * mpq(1, 10)


def test_going_to_boston_is_drawn_as_often_as_all_rolls_say() -> None:
    law = Counter(
        max(roll[:3]) + max(roll[3:5]) + roll[5] for roll in product(range(1, 7), repeat=6)
    )
    drawn = sum(ways**2 for ways in law.values())
    assert probability(games.boston(), "drawn").value == mpq(drawn, 6**12)
    assert point(2, "two") == 0


def test_mexico_is_what_thresholds_say() -> None:
    # 21 is one throw above all; other unlike pairs have two ways, doubles one
    order = [tuple(sorted(pair)) for pair in product(range(1, 7), repeat=2)]
    ranks = [(p == (1, 2), p[0] == p[1], p[1], p[0]) for p in order]
    assert all(
        (games.rank(p) > games.rank(q)) == (a > b)
        for p, a in zip(order, ranks, strict=True)
        for q, b in zip(order, ranks, strict=True)
    )

    @cache
    def second(target: Any, left: int) -> Fraction:
        """The mean result of who still throws, and stops or not."""
        total = Fraction(0)
        for shown in ranks:
            stop = Fraction((shown > target) - (shown < target))
            total += max(stop, second(target, left - 1)) if left > 1 else stop
        return total / 36

    @cache
    def first(left: int) -> Fraction:
        total = Fraction(0)
        for shown in ranks:
            stop = -second(shown, 4 - left)
            total += max(stop, first(left - 1)) if left > 1 else stop
        return total / 36

    assert point(3, "three") == mpq((1 + first(3)) / 2)


def test_knock_out_is_a_geometric_series() -> None:
    ways = {n: Fraction(6 - abs(7 - n), 36) for n in range(6, 10)}

    def survives(mine: int, theirs: int) -> Fraction:
        p, q = ways[mine], ways[theirs]
        return (1 - p) * q / (1 - (1 - p) * (1 - q))

    best = max(min(survives(m, t) for t in ways if t != m) for m in ways)
    assert point(4, "two") == mpq(best)
