"""Turns of dice, against all ordered throws and against the same rules written as moves."""

import random
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from exactdice.arithmetic import mpq, mpz, to_fraction
from exactdice.dice import Distribution, fair
from exactdice.errors import InputError
from exactdice.solve.keeping import FreeRerolls


def oracle(turns: FreeRerolls[int], worth: Any) -> Any:
    """Value of a roll, and of a keep, by going through ordered throws in fractions."""
    chances = {f: to_fraction(p) for f, p in turns.face.probabilities().items()}

    @cache
    def of_roll(roll: tuple[int, ...], left: int) -> Fraction:
        if not left:
            return Fraction(worth(roll))
        kept = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
        return max(of_keep(keep, left) for keep in kept)

    @cache
    def of_keep(keep: tuple[int, ...], left: int) -> Fraction:
        total = Fraction(0)
        for more in product(chances, repeat=turns.dice - len(keep)):
            chance = Fraction(1)
            for face in more:
                chance *= chances[face]
            total += chance * of_roll(tuple(sorted((*keep, *more))), left - 1)
        return total

    return of_roll, of_keep


def random_turns(dice: random.Random) -> FreeRerolls[int]:
    faces = dice.randint(1, 4)
    law = Distribution({face: dice.randint(1, 3) for face in range(1, faces + 1)})
    return FreeRerolls(dice.randint(1, 3), law, dice.randint(1, 3))


@pytest.mark.parametrize("number", range(60))
def test_values_and_keeps_are_those_of_all_throws(number: int) -> None:
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_turns(dice)
    worths = {roll: Fraction(dice.randint(-4, 4), dice.randint(1, 3)) for roll in turns.results}
    best = turns.solve(worths.__getitem__)
    of_roll, of_keep = oracle(turns, worths.__getitem__)
    assert best.value == of_keep((), turns.rolls)
    for left in range(turns.rolls):
        for roll in turns.results:
            assert best.value_of(roll, left) == of_roll(roll, left)
            if left:
                parts = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
                ties = {keep for keep in parts if of_keep(keep, left) == of_roll(roll, left)}
                assert set(best.keeps(roll, left)) == ties
    # the law of the last roll has the value as the mean of its worths
    law = best.law().probabilities()
    assert sum(mpq(worths[roll]) * chance for roll, chance in law.items()) == best.value


@pytest.mark.parametrize("number", range(20))
def test_many_turns_at_once_and_their_floors(number: int) -> None:
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_turns(dice)
    rows = [[dice.randint(-(10**6), 10**6) for _ in range(4)] for _ in turns.results]
    exact = turns.values(np.array([[mpz(n) for n in row] for row in rows], dtype=object))
    floors = turns.floors(np.array(rows))
    for column in range(4):
        worths = dict(zip(turns.results, (row[column] for row in rows), strict=True))
        value = turns.solve(worths.__getitem__).value
        assert mpq(exact[column], turns.per_roll**turns.rolls) == value
        assert 0 <= value - int(floors[column]) < turns.rolls


def test_five_alike_come_up_as_often_as_is_known() -> None:
    # 347897/7558272, for instance in Wikipedia's article on Yahtzee
    best = FreeRerolls(5, fair(6), 3).solve(lambda roll: int(len(set(roll)) == 1))
    assert best.value == mpq(347897, 7558272)
    assert sum(best.law().probability((f,) * 5) for f in range(1, 7)) == best.value


def test_the_sum_is_kept_die_by_die() -> None:
    # each die by itself: keep 4 to 6 with one roll to go, 5 and 6 with two
    best = FreeRerolls(5, fair(6), 3).solve(sum)
    one = mpq(7, 2)
    for _ in range(2):
        one = sum((max(mpq(face), one) for face in range(1, 7)), mpq(0)) / 6
    assert best.value == 5 * one
    assert best.keeps((1, 3, 4, 5, 6), 2) == ((5, 6),)


def test_what_makes_no_turn_is_refused() -> None:
    with pytest.raises(InputError, match="dice: got 0"):
        FreeRerolls(0, fair(6), 3)
    with pytest.raises(InputError, match="face: got 6"):
        FreeRerolls(5, 6, 3)  # type: ignore[arg-type]
    turns = FreeRerolls(2, fair(6), 2)
    with pytest.raises(InputError, match="roll"):
        turns.solve(sum).value_of((4, 3), 1)
    with pytest.raises(InputError, match="left"):
        turns.solve(sum).keeps((3, 4), 0)
    with pytest.raises(InputError, match="64 bits"):
        turns.floors(np.full((21, 1), 1 << 60))


@pytest.mark.parametrize("number", range(20))
def test_ties_are_rolls_of_which_several_keeps_are_best(number: int) -> None:
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_turns(dice)
    rows = [[mpz(dice.randint(0, 2)) for _ in range(4)] for _ in turns.results]
    ties = np.zeros(4, np.int64)
    values = turns.values(np.array(rows, dtype=object), ties=ties)
    for column in range(4):
        worths = dict(zip(turns.results, (int(row[column]) for row in rows), strict=True))
        of_roll, of_keep = oracle(turns, worths.__getitem__)
        several = 0
        for left in range(1, turns.rolls):
            for roll in turns.results:
                parts = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
                several += sum(of_keep(keep, left) == of_roll(roll, left) for keep in parts) > 1
        assert ties[column] == several
        assert mpq(values[column], turns.per_roll**turns.rolls) == mpq(of_keep((), turns.rolls))


def test_a_law_of_more_than_63_bits_is_exact() -> None:
    # One die of three sides, rolled until it shows a 3 or 40 times: it shows none in 2⁴⁰ of 3⁴⁰.
    worths = np.array([[0], [0], [1]])
    *_, threes = FreeRerolls(1, fair(3), 40).laws(worths)[:, 0].tolist()
    assert threes == 3**40 - 2**40 >= 2**63
