"""Turns of dice and races of them, against recursion and the rules as a game."""

import random
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from model_oracles import refuses

from exactdice.arithmetic import mpq, mpz, to_fraction
from exactdice.book.pig import DIE, race
from exactdice.dice import Distribution, fair
from exactdice.errors import InputError
from exactdice.models import LockedTurns, Race, optimum
from exactdice.run import Run
from exactdice.solve.keeping import FreeRerolls
from exactdice.solve.locked import _Level


def random_turns(number, *, stops=False):
    """States are numbers of at most 5, and lead to larger ones."""
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    roll = dice.randint
    laws = {s: Distribution({f: roll(1, 3) for f in range(roll(2, 4))}) for s in range(5)}
    kept = {
        (s, f): dice.sample(range(s + 1, 6), dice.randint(0, min(3, 5 - s)))
        for s, law in laws.items()
        for f in law
    }
    kept[0, 0] = [dice.randint(1, 5)]
    stop = {s: (stops and s > 0) or (not stops and dice.random() < 0.6) for s in range(6)}
    return LockedTurns(0, laws.get, lambda s, f: kept[s, f], stop.__getitem__)


def value(turns, worth):
    """By recursion over the rules."""

    @cache
    def of(state):
        law = turns.roll(state)
        if law is None:
            return Fraction(worth(state))
        rolled = Fraction(0)
        for shown, weight in law.items():
            kept = [of(after) for after in turns.keep(state, shown)]
            rolled += Fraction(weight) * (max(kept) if kept else Fraction(worth(None)))
        rolled /= sum(law.values())
        return max(rolled, Fraction(worth(state))) if turns.may_stop(state) else rolled

    return of(turns.start)


@pytest.mark.parametrize("number", range(40))
def test_many_turns_have_the_values_of_recursion_and_of_their_games(number):
    turns, dice = random_turns(number), random.Random(number)  # noqa: S311
    worths = [{end: dice.randint(-50, 50) for end in turns.ends} for _ in range(4)]
    rows = np.array([[mpz(column[end]) for column in worths] for end in turns.ends], dtype=object)
    found = turns.values(rows)
    unit = 1 << 30
    below, above = (turns.rounded(rows * unit, up=up) for up in (False, True))
    for place, column in enumerate(worths):
        exact = value(turns, column.__getitem__)
        assert mpq(found[place], turns.denominator) == mpq(exact)
        assert optimum(turns.game(column.__getitem__)).value == mpq(exact)
        assert below[place] <= exact * unit <= above[place] <= below[place] + 2 * 6


@pytest.mark.parametrize("number", range(30))
def test_races_have_the_win_probabilities_of_their_games(number):
    turns, target = random_turns(number, stops=True), 1 + number % 5
    race = Race(turns, lambda end: 1 + end % 3 if end else 0, target)
    best, chances = optimum(race.game()), race.enclosed("1e-25")
    between = [state for state in best.model.states if state and state[2] == (0,)]
    assert between
    for state in between:
        chance = chances.chance(*state[:2])
        assert (1 + best.value_of(state)) / 2 in chance
        assert chance.width <= mpq(1, 10**25)


def pig(target):
    turns = LockedTurns(
        0,
        lambda points: fair(6) if points < target else None,
        lambda points, face: [points + face] if face > 1 else [],
        bool,
    )
    return Race(turns, lambda points: points, target)


def test_pig_is_the_page_of_the_book():
    best = optimum(race(10, DIE))
    heard = []
    chances = pig(10).enclosed("1e-30", Run(progress=lambda *news: heard.append(news)))
    assert heard == [("sums of points", done, 19) for done in range(1, 20)]  # of 18 down to 0
    assert all(chances.chance(mine, theirs).point == 0 for mine in (0, 9) for theirs in (10, 19))
    for mine, theirs, points in best.model.states:
        if points == 0:
            value = (1 + best.value_of((mine, theirs, 0))) / 2
            assert value in chances.chance(mine, theirs)


@pytest.mark.long
def test_pig_to_100_is_won_as_often_as_neller_and_presser_print():
    # The UMAP Journal 25 (2004): 0.5306
    chance = pig(100).enclosed("1e-30").chance(0, 0)
    assert mpq("0.53055") < chance.lower <= chance.upper < mpq("0.53065")
    assert chance.width <= mpq(1, 10**30)


def test_invalid_turns_and_races_are_rejected():
    round_about = LockedTurns(0, lambda s: fair(2), lambda s, shown: [1 - s], lambda s: True)
    with pytest.raises(InputError, match="expected states that do not come again"):
        round_about.values(np.array([[1]]))
    refuses(InputError, "target: got 0", pig, 0)
    refuses(InputError, "points: got -1", Race(pig(5).turns, lambda points: -1, 5).enclosed, "1/10")
    for width in (-1, 0):
        with pytest.raises(InputError, match=f"width: got {width}; expected a number above 0"):
            pig(5).enclosed(width)
    # a turn that never brings anything: nobody wins, and no bound but 0 and 1 holds
    idle = Race(pig(5).turns, lambda points: 0, 5)
    refuses(InputError, "width", idle.enclosed, "1/10")


def test_chances_that_are_not_narrowed_lie_between_0_and_1():
    """Bounds about the guess are tried from 2¹⁰ units on; where none may be, nothing is said."""
    turns = LockedTurns(
        0,
        lambda heads: fair(2) if heads < 2 else None,
        lambda heads, shown: [heads + 1] if shown == 1 else [],
        bool,
    )
    race, one = Race(turns, lambda heads: heads, 2), mpz(1) << 60
    worst = np.full((2, 4), mpz(0), dtype=object)
    level = _Level(race, one, worst, worst, np.array([1]), 2)
    lower, upper = level.solve(mpq(1 << 10))
    assert (list(lower), list(upper)) == ([0], [one])
    lower, upper = level.solve(mpq((1 << 10) + 1))
    # By hand: who has 1 of 2 wins with a toss of heads, so that x = 1/2 + (1 − x)/2 = 2/3.
    assert lower[0] * 3 <= 2 * one <= upper[0] * 3
    assert upper[0] - lower[0] <= 2 << 10


def oracle(turns, worth):
    """Value of a roll, and of a keep, by going through ordered throws in fractions."""
    chances = {f: to_fraction(p) for f, p in turns.face.probabilities().items()}

    @cache
    def of_roll(roll, left):
        if not left:
            return Fraction(worth(roll))
        kept = {k for size in range(len(roll) + 1) for k in combinations(roll, size)}
        return max(of_keep(keep, left) for keep in kept)

    @cache
    def of_keep(keep, left):
        total = Fraction(0)
        for more in product(chances, repeat=turns.dice - len(keep)):
            chance = Fraction(1)
            for face in more:
                chance *= chances[face]
            total += chance * of_roll(tuple(sorted((*keep, *more))), left - 1)
        return total

    return of_roll, of_keep


def random_rerolls(dice):
    faces = dice.randint(1, 4)
    law = Distribution({face: dice.randint(1, 3) for face in range(1, faces + 1)})
    return FreeRerolls(dice.randint(1, 3), law, dice.randint(1, 3))


@pytest.mark.parametrize("number", range(60))
def test_values_and_keeps_are_those_of_all_throws(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_rerolls(dice)
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
def test_many_turns_and_their_floors(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_rerolls(dice)
    rows = [[dice.randint(-(10**6), 10**6) for _ in range(4)] for _ in turns.results]
    exact = turns.values(np.array([[mpz(n) for n in row] for row in rows], dtype=object))
    floors = turns.floors(np.array(rows))
    for column in range(4):
        worths = dict(zip(turns.results, (row[column] for row in rows), strict=True))
        value = turns.solve(worths.__getitem__).value
        assert mpq(exact[column], turns.per_roll**turns.rolls) == value
        assert 0 <= value - int(floors[column]) < turns.rolls


def test_the_probability_of_five_equal_dice_is_the_known_one():
    # 347897/7558272, for instance in Wikipedia's article on Yahtzee
    best = FreeRerolls(5, fair(6), 3).solve(lambda roll: int(len(set(roll)) == 1))
    assert best.value == mpq(347897, 7558272)
    assert sum(best.law().probability((f,) * 5) for f in range(1, 7)) == best.value


def test_the_sum_is_kept_die_by_die():
    # each die by itself: keep 4 to 6 with one roll to go, 5 and 6 with two
    best = FreeRerolls(5, fair(6), 3).solve(sum)
    one = mpq(7, 2)
    for _ in range(2):
        one = sum((max(mpq(face), one) for face in range(1, 7)), mpq(0)) / 6
    assert best.value == 5 * one
    assert best.keeps((1, 3, 4, 5, 6), 2) == ((5, 6),)


def test_invalid_rerolls_are_rejected():
    refuses(InputError, "dice: got 0", FreeRerolls, 0, fair(6), 3)
    refuses(InputError, "face: got 6", FreeRerolls, 5, 6, 3)
    turns = FreeRerolls(2, fair(6), 2)
    refuses(InputError, "roll", turns.solve(sum).value_of, (4, 3), 1)
    refuses(InputError, "left", turns.solve(sum).keeps, (3, 4), 0)
    refuses(InputError, "64 bits", turns.floors, np.full((21, 1), 1 << 60))


@pytest.mark.parametrize("number", range(20))
def test_ties_are_rolls_of_which_several_keeps_are_best(number):
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    turns = random_rerolls(dice)
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


def test_a_distribution_of_more_than_63_bits_is_exact():
    # One die of three sides, rolled until it shows a 3 or 40 times: it shows none in 2⁴⁰ of 3⁴⁰.
    worths = np.array([[0], [0], [1]])
    *_, threes = FreeRerolls(1, fair(3), 40).laws(worths)[:, 0].tolist()
    assert threes == 3**40 - 2**40 >= 2**63
