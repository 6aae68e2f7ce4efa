"""Battles as functions of the sides: against the solver of the game at many numbers of sides."""

from math import comb

import pytest
from gmpy2 import mpq
from sympy import Symbol, sympify

from exactdice.arithmetic import from_sympy
from exactdice.errors import InputError
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rules import RiskRules
from exactdice.studies.risk.closed_forms import WinningChance, winning_chance
from exactdice.studies.risk.sources import POSTS_WIN
from exactdice.symbolic.polynomial import Polynomial, SignRun


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 20])
def test_battles_agree_with_the_solver_of_the_game(sides):
    for a in range(1, 8):
        for d in range(1, 8):
            expected = win_probability(a, d, "fighting", RiskRules().with_sides(sides))
            assert winning_chance(a, d)(sides) == expected


@pytest.mark.parametrize(
    ("x", "y", "ties"), [(1, 1, "attacker"), (4, 3, "defender"), (2, 5, "attacker")]
)
def test_house_rules_agree_with_the_solver_of_the_game(x, y, ties):
    for sides in (2, 5, 12):
        rules = RiskRules(x, y, sides, sides, ties)
        for a, d in ((1, 5), (4, 4), (6, 3)):
            expected = win_probability(a, d, "fighting", rules)
            assert winning_chance(a, d, x, y, ties)(sides) == expected


def test_published_probability():
    assert winning_chance(3, 2)(6) == mpq(POSTS_WIN)


@pytest.mark.parametrize(("a", "d"), [(1, 1), (3, 2), (2, 4), (5, 5)])
def test_favoured_sides_agree_with_the_solver_of_the_game(a, d):
    runs = winning_chance(a, d).favoured()
    for sides in range(1, 15):
        chance = win_probability(a, d, "fighting", RiskRules().with_sides(sides))
        sign = next(
            r.sign for r in runs if r.first <= sides and (r.last is None or sides <= r.last)
        )
        assert sign == (chance > mpq(1, 2)) - (chance < mpq(1, 2))


def test_limit_is_approached():
    chance = winning_chance(5, 5)
    assert abs(chance(10**12) - chance.limit) < mpq(1, 10**11)
    # One unit a side and no ties: heads or tails.
    assert winning_chance(1, 1).limit == mpq(1, 2)


@pytest.mark.parametrize(("a", "d"), [(1, 1), (1, 4), (3, 2), (6, 6), (10, 3)])
def test_single_dice_follow_the_negative_binomial(a, d):
    for s in (1, 2, 6, 9):
        beta = mpq(s - 1, 2 * s)
        # The attacker wins the race: at least d wins among the first a + d − 1 rounds.
        race = sum(
            (
                comb(a + d - 1, wins) * beta**wins * (1 - beta) ** (a + d - 1 - wins)
                for wins in range(d, a + d)
            ),
            mpq(0),
        )
        # In other words: d wins come before a losses.
        tail = sum(
            (comb(d - 1 + j, j) * beta**d * (1 - beta) ** j for j in range(a)),
            mpq(0),
        )
        assert tail == race == winning_chance(a, d, 1, 1)(s)


def test_written_forms_agree():
    chance = winning_chance(4, 3)
    value = sympify(str(chance), rational=True).subs(Symbol("s"), 6)
    assert from_sympy(value) == chance(6)
    assert str(WinningChance(Polynomial((1,)), 0)) == "1"
    assert WinningChance(Polynomial((1,)), 0).latex() == "1"
    assert WinningChance(Polynomial(("1/3",)), 2).latex() == r"\frac{1}{3 s^{2}}"
    assert str(winning_chance(1, 1)) == "(s - 1)/2 / s"


def test_function_that_vanishes_in_the_limit():
    assert WinningChance(Polynomial((1,)), 2).limit == 0


def test_attacker_is_never_favoured_one_to_one():
    assert winning_chance(1, 1).favoured() == [SignRun(1, None, -1)]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((0, 1), "attackers"),
        ((1, 101), "defenders"),
        ((1, 1, 0), "attacker_dice"),
        ((1, 1, 1, 21), "defender_dice"),
        ((1, 1, 1, 1, "nobody"), "ties"),
    ],
)
def test_wrong_battles_are_refused(arguments, named):
    with pytest.raises(InputError, match=f"{named}: got"):
        winning_chance(*arguments)


def test_other_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="sides: got 0"):
        winning_chance(1, 1)(0)
    with pytest.raises(InputError, match="defenders: got -1"):
        winning_chance(1, -1)
