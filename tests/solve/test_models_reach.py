"""Chances to reach a goal that one of two players wants and the other avoids, in circles.

Both have best policies without memory (Condon 1992), so that all pairs of them are tried.
"""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from model_oracles import chain_values, fraction, ways

from exactdice.dice import Distribution
from exactdice.models import Chance, Choice, End, Game, Turn, point_mass, probability

GOAL = 1


def chances(table: dict[Any, Any], way: dict[Any, Any]) -> dict[Any, Fraction]:
    """Chances to reach the goal under chosen ways; 0 where no way leads there."""
    states = [state for state in table if state not in ("end", GOAL)]
    near = {GOAL}
    while more := {s for s in states if s not in near and near & set(way[s].successors)}:
        near |= more
    paid: dict[Any, Any] = {
        s: Chance(0, way[s].successors if s in near else point_mass("end")) for s in states
    } | {GOAL: Chance(1, point_mass("end"))}
    values = chain_values({**paid, "end": End(0)}, paid)
    assert values is not None
    return values


def best_chances(table: dict[Any, Any]) -> dict[Any, Fraction]:
    """Greatest over policies of the first player, of the least over those of the second."""
    states = [state for state in table if state not in ("end", GOAL)]
    second = [s for s in states if isinstance(table[s], Turn)]
    first = [s for s in states if s not in second]
    best: dict[Any, Fraction] = {}
    for mine in product(*(ways(table[s]) for s in first)):
        worst: dict[Any, Fraction] = {}
        for theirs in product(*(ways(table[s]) for s in second)):
            way = dict(zip((*first, *second), (*mine, *theirs), strict=True))
            values = chances(table, way)
            worst = {s: min(v, worst.get(s, v)) for s, v in values.items()}
        best = {s: max(v, best.get(s, v)) for s, v in worst.items()}
    return best


def held(table: dict[Any, Any], width: str | None) -> None:
    game = Game(0, table.__getitem__)
    model = game.explored()
    answer = probability(model, lambda state: state == GOAL, width=width)
    expected = best_chances(table)
    for state in model.states:
        assert fraction(answer.enclosure(state).lower) <= expected[state]
        assert expected[state] <= fraction(answer.enclosure(state).upper)
        if width is None:
            assert fraction(answer.value_of(state)) == expected[state]
    answer.certificate().check(game)


def circling(random: Random) -> dict[Any, Any]:
    """A game of two in which most moves are sure, so that play can go round in many circles."""
    size = random.randint(2, 5)
    table: dict[Any, Any] = {"end": End(0)}
    for state in range(size):
        choices = []
        for action in range(random.randint(1, 3)):
            heads = random.sample([*range(size), "end"], random.choice([1, 1, 2]))
            choices.append(Choice(action, 0, Distribution(dict.fromkeys(heads, 1))))
        kind = random.randrange(5)
        table[state] = Turn(2, choices) if kind > 2 else choices if kind else choices[0].successors
    return {s: Chance(0, t) if isinstance(t, Distribution) else t for s, t in table.items()}


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_two_players_in_circles_have_the_chance_over_all_policies(start: int) -> None:
    """One of every twenty was refused once."""
    for drawn in range(start, start + 100):
        table = circling(Random(drawn))  # noqa: S311
        held(table, None)
        held(table, "1e-9")


#: By hand: "wait" is as good as "try" by the values, and never comes to the goal; trying does.
PATIENCE: dict[Any, Any] = {
    0: Turn(1, [Choice("wait", 0, point_mass(2)), Choice("try", 0, Distribution({0: 1, 1: 1}))]),
    1: End(0),
    2: Turn(2, [Choice("back", 0, point_mass(0))]),
}


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_waiting_which_is_as_good_is_not_chosen_for_ever(width: str | None) -> None:
    game = Game(0, PATIENCE.__getitem__)
    answer = probability(game.explored(), lambda state: state == GOAL, width=width)
    assert answer.value == 1
    assert answer.action(0) == "try"
    answer.certificate().check(game)
