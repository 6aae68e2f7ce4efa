"""Turns whose dice stay set aside, and races of them, against recursion and the rules as moves."""

import random
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from exactdice.arithmetic import mpq, mpz
from exactdice.book.pig import DIE, race
from exactdice.dice import Distribution, fair
from exactdice.errors import InputError
from exactdice.models import LockedTurns, Race, optimum
from exactdice.run import Run
from exactdice.solve.locked import _Level


def random_turns(number: int, *, stops: bool = False) -> LockedTurns[Any]:
    """States are numbers of at most 5, and lead to larger ones."""
    dice = random.Random(number)  # noqa: S311 - the same cases each time
    laws = {
        s: Distribution({f: dice.randint(1, 3) for f in range(dice.randint(2, 4))})
        for s in range(5)
    }
    kept = {
        (s, f): dice.sample(range(s + 1, 6), dice.randint(0, min(3, 5 - s)))
        for s, law in laws.items()
        for f in law
    }
    kept[0, 0] = [dice.randint(1, 5)]
    stop = {s: (stops and s > 0) or (not stops and dice.random() < 0.6) for s in range(6)}
    return LockedTurns(0, laws.get, lambda s, f: kept[s, f], stop.__getitem__)


def value(turns: LockedTurns[Any], worth: Any) -> Fraction:
    """By recursion over the rules."""

    @cache
    def of(state: Any) -> Fraction:
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
def test_many_worths_at_once_are_worth_what_recursion_and_moves_say(number: int) -> None:
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
def test_races_are_won_as_often_as_their_moves_say(number: int) -> None:
    turns, target = random_turns(number, stops=True), 1 + number % 5
    race = Race(turns, lambda end: 1 + end % 3 if end else 0, target)
    best, chances = optimum(race.game()), race.enclosed("1e-25")
    between = [state for state in best.model.states if state and state[2] == (0,)]
    assert between
    for state in between:
        chance = chances.chance(*state[:2])
        assert (1 + best.value_of(state)) / 2 in chance
        assert chance.width <= mpq(1, 10**25)


def pig(target: int) -> Race[Any]:
    turns = LockedTurns(
        0,
        lambda points: fair(6) if points < target else None,
        lambda points, face: [points + face] if face > 1 else [],
        bool,
    )
    return Race(turns, lambda points: points, target)


def test_pig_is_the_page_of_the_book() -> None:
    best = optimum(race(10, DIE))
    heard: list[Any] = []
    chances = pig(10).enclosed("1e-30", Run(progress=lambda *news: heard.append(news)))
    assert heard == [("sums of points", done, 19) for done in range(1, 20)]  # of 18 down to 0
    assert all(chances.chance(mine, theirs).point == 0 for mine in (0, 9) for theirs in (10, 19))
    for mine, theirs, points in best.model.states:
        if points == 0:
            value = (1 + best.value_of((mine, theirs, 0))) / 2
            assert value in chances.chance(mine, theirs)


@pytest.mark.long
def test_pig_to_100_is_won_as_often_as_neller_and_presser_print() -> None:
    # The UMAP Journal 25 (2004): 0.5306
    chance = pig(100).enclosed("1e-30").chance(0, 0)
    assert mpq("0.53055") < chance.lower <= chance.upper < mpq("0.53065")
    assert chance.width <= mpq(1, 10**30)


def test_what_makes_no_turn_or_race_is_refused() -> None:
    round_about = LockedTurns(0, lambda s: fair(2), lambda s, shown: [1 - s], lambda s: True)
    with pytest.raises(InputError, match="expected states that do not come again"):
        round_about.values(np.array([[1]]))
    with pytest.raises(InputError, match="target: got 0"):
        pig(0)
    with pytest.raises(InputError, match="points: got -1"):
        Race(pig(5).turns, lambda points: -1, 5).enclosed("1/10")
    for width in (-1, 0):
        with pytest.raises(InputError, match=f"width: got {width}; expected a number above 0"):
            pig(5).enclosed(width)
    # a turn that never brings anything: nobody wins, and no bound but 0 and 1 holds
    idle = Race(pig(5).turns, lambda points: 0, 5)
    with pytest.raises(InputError, match="width"):
        idle.enclosed("1/10")


def test_chances_that_are_not_narrowed_lie_between_0_and_1() -> None:
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
