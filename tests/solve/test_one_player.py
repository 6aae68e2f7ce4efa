"""One player, and the probability to reach a goal, against all policies."""

from fractions import Fraction
from itertools import product
from operator import mul
from random import Random
from unittest.mock import patch

import pytest
from gmpy2 import mpq
from hypothesis import example, given
from hypothesis import strategies as st
from model_oracles import GOAL, fraction, go, goal_chances, solved, tables, ways

from exactdice.dice import Distribution
from exactdice.models import Chance, Choice, End, Game, Turn, optimum, probability
from exactdice.solve import lifting
from exactdice.solve.arena import NoValueError


def chance(way, state):
    return Fraction(way.successors.get(state, 0), way.successors.denominator)


def can_reach(policy, start):
    reached, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for successor in policy[state].successors if state in policy else ():
            if successor not in reached:
                reached.add(successor)
                waiting.append(successor)
    return reached


def gain(policy, members):
    """Average reward in a recurrent class, from its stationary law."""
    n = len(members)
    balance = [[chance(policy[s], t) - (s == t) for s in members] for t in members]
    balance[-1] = [Fraction(1)] * n  # one balance equation follows from the others
    law = solved(balance, [Fraction(0)] * (n - 1) + [Fraction(1)])
    assert law is not None
    rewards = [fraction(policy[s].reward) for s in members]
    return sum(map(mul, law, rewards), Fraction(0))


def enumerated(table, reachable):
    """The definition of the greatest value, over every policy there is."""
    states = [state for state in table if state in reachable and state != "end"]
    best = {}
    unbounded = False
    for chosen in product(*(ways(table[state]) for state in states)):
        policy = dict(zip(states, chosen, strict=True))
        reach = {state: can_reach(policy, state) for state in states}
        if all("end" in reached for reached in reach.values()):
            matrix = [[(s == t) - chance(policy[s], t) for t in states] for s in states]
            values = solved(matrix, [fraction(policy[s].reward) for s in states])
            assert values is not None
            for state, value in zip(states, values, strict=True):
                best[state] = max(best.get(state, value), value)
        for state in states:
            members = sorted(reach[state], key=str)
            closed = "end" not in reach[state] and all(reach[m] == reach[state] for m in members)
            unbounded = unbounded or (closed and gain(policy, members) > 0)
    if not best:
        return "nothing ends"
    return "unbounded" if unbounded else best


def negated(turn):
    if isinstance(turn, list):
        return [Choice(c.action, -mpq(c.reward), c.successors) for c in turn]
    return Chance(-mpq(turn.reward), turn.successors) if isinstance(turn, Chance) else turn


#: A cycle that gains nothing on average, with rewards of both signs.
EVEN = {
    0: [go("there", 1, 1), go("stop", "end")],
    1: [go("back", 0, -1), go("stop", "end", -3)],
    "end": End(0),
}


@pytest.mark.slow
@given(tables(players=1, ends=False), st.booleans(), st.booleans())
@example(EVEN, False, False)
def test_the_best_proper_policy_is_found_from_any_start(table, least, is_lifted):
    """From moves found in doubles, or from any that lead to the end."""
    game = Game(0, table.__getitem__)
    model = game.explored()
    mine = {s: negated(turn) for s, turn in table.items()} if least else table
    expected = enumerated(mine, set(model.states))
    lifted = lifting.lifted_values if is_lifted else lambda *_, **__: None
    with patch.object(lifting, "lifted_values", lifted):
        if isinstance(expected, str):
            with pytest.raises(NoValueError):
                optimum(model, least=least)
            return
        best = optimum(model, least=least)
    sign = -1 if least else 1
    expected["end"] = Fraction(0)
    assert best.is_exact
    assert {s: sign * fraction(best.value_of(s)) for s in model.states} == {
        s: expected[s] for s in model.states
    }
    best.certificate().check(game)
    for state in model.states:
        if isinstance(table[state], list):
            returns = {
                c.action: fraction(c.reward) + sum(chance(c, t) * expected[t] for t in c.successors)
                for c in mine[state]
            }
            tied = tuple(a for a, r in returns.items() if r == max(returns.values()))
            chosen = best.action(state)
            assert chosen in tied
            assert best.optimal_actions(state) == (chosen, *(a for a in tied if a != chosen))


def test_states_from_which_nothing_surely_ends_are_named():
    """State 0 may end by luck, but then may also fall into 1, from where nothing ends."""
    table = {
        0: [Choice("try", 5, Distribution({1: 1, "end": 1}))],
        1: [go("wait", 1, -1)],
        "end": End(0),
    }
    with pytest.raises(NoValueError, match=r"no policy ends play with probability 1 from 1$"):
        optimum(Game(0, table.__getitem__))


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_a_free_cycle_is_left_even_if_leaving_costs(width):
    """Play must end: waiting forever at no cost does not count, so the value is -1."""
    table = {0: [go("wait", 1), go("leave", "end", -1)], 1: [go("wait", 0)], "end": End(0)}
    best = optimum(Game(0, table.__getitem__), width=width)
    assert -1 in best.enclosure(0)
    assert -1 in best.enclosure(1)
    assert best.is_exact is (width is None)
    assert best.policy == {0: "leave", 1: "wait"}
    assert best.optimal_actions(0) == ("leave", "wait")


def test_rewards_beyond_doubles_are_solved():
    huge = mpq(10) ** 400
    choices = [go("a", 1, huge), go("b", 1, huge + 1)]
    assert optimum(Game(0, lambda state: None if state else choices)).policy == {0: "b"}


def best_chances(table):
    """Greatest over policies of the first player, of the least over those of the second."""
    states = [state for state in table if state not in ("end", GOAL)]
    second = [s for s in states if isinstance(table[s], Turn)]
    first = [s for s in states if s not in second]
    best = {}
    for mine in product(*(ways(table[s]) for s in first)):
        worst = {}
        for theirs in product(*(ways(table[s]) for s in second)):
            way = dict(zip((*first, *second), (*mine, *theirs), strict=True))
            values = goal_chances(table, way)
            worst = {s: min(v, worst.get(s, v)) for s, v in values.items()}
        best = {s: max(v, best.get(s, v)) for s, v in worst.items()}
    return best


def held(table, width):
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


def circling(random):
    """A game of two in which most moves are sure, so that play can go round in many circles."""
    size = random.randint(2, 5)
    table = {"end": End(0)}
    for state in range(size):
        choices = []
        for action in range(random.randint(1, 3)):
            heads = random.sample([*range(size), "end"], random.choice([1, 1, 2]))
            choices.append(Choice(action, 0, Distribution(dict.fromkeys(heads, 1))))
        kind = random.randrange(5)
        table[state] = Turn(2, choices) if kind > 2 else choices if kind else choices[0].successors
    return {s: Chance(0, t) if isinstance(t, Distribution) else t for s, t in table.items()}


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_two_players_in_cycles_have_the_probability_over_all_policies(start):
    """One of every twenty was refused once."""
    for drawn in range(start, start + 100):
        table = circling(Random(drawn))  # noqa: S311
        held(table, None)
        held(table, "1e-9")


#: By hand: "wait" is as good as "try" by the values, and never comes to the goal; trying does.
PATIENCE = {
    0: Turn(1, [go("wait", 2), Choice("try", 0, Distribution({0: 1, 1: 1}))]),
    1: End(0),
    2: Turn(2, [go("back", 0)]),
}


@pytest.mark.parametrize("width", [None, "1e-9"])
def test_equally_good_waiting_is_not_chosen_forever(width):
    game = Game(0, PATIENCE.__getitem__)
    answer = probability(game.explored(), lambda state: state == GOAL, width=width)
    assert answer.value == 1
    assert answer.action(0) == "try"
    answer.certificate().check(game)
