"""Rules of thumb, against a walk through every deal and roll of small bags."""

from itertools import combinations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.games.fatestones.responses import Heuristic, best_response, rules_of_thumb
from exactdice.games.fatestones.rules import Die, Hand
from exactdice.games.fatestones.tree_search import _Node

small_bags = st.lists(
    st.lists(st.integers(1, 5), min_size=4, max_size=4).map(lambda faces: tuple(sorted(faces))),
    min_size=6,
    max_size=7,
    unique=True,
)


def margin(die: Die, other: Die) -> mpq:
    signs = [(a > b) - (a < b) for a in die for b in other]
    return mpq(sum(signs), len(signs))


def tie(die: Die, other: Die) -> mpq:
    return mpq(sum(a == b for a in die for b in other), len(die) * len(other))


def without(hand: Hand, place: int) -> Hand:
    return hand[:place] + hand[place + 1 :]


def seen(own: Hand, other: Hand) -> mpq:
    """What the duel is worth to a player whose die is seen before the other chooses."""
    return max(answered(own, other, i) for i in range(len(own))) if own else mpq(0)


def answered(own: Hand, other: Hand, i: int) -> mpq:
    return min(
        margin(own[i], die) + tie(own[i], die) * seen(without(own, i), without(other, j))
        for j, die in enumerate(other)
    )


def choice(heuristic: Heuristic, own: Hand, other: Hand, bag: list[Die]) -> int:
    scores = {
        Heuristic.FIRST: lambda i: sum(margin(own[i], die) for die in other),
        Heuristic.RANK: lambda i: sum(margin(own[i], die) for die in bag),
        Heuristic.CAUTIOUS: lambda i: min(margin(own[i], die) for die in other),
        Heuristic.SEEN: lambda i: answered(own, other, i),
        Heuristic.WIDE: lambda i: sum(face**2 for face in own[i]),
        Heuristic.NARROW: lambda i: -sum(face**2 for face in own[i]),
    }[heuristic]
    return max(range(len(own)), key=scores)  # the first of equal ones


def worth(heuristic: Heuristic, own: Hand, other: Hand, bag: list[Die], scratch: mpq) -> mpq:
    """Wins minus losses of the rule against a die at random; a scratch is worth what is said."""
    if not own:
        return scratch
    i = choice(heuristic, own, other, bag)
    left = without(own, i)
    total = sum(
        margin(own[i], die)
        + tie(own[i], die) * worth(heuristic, left, without(other, j), bag, scratch)
        for j, die in enumerate(other)
    )
    return total / len(other)


@pytest.mark.slow
@given(small_bags)
@settings(max_examples=8, deadline=None)
def test_rules_earn_what_a_walk_through_all_deals_says(bag: list[Die]) -> None:
    deals = [
        (row, column)
        for row in combinations(bag, 3)
        for column in combinations([die for die in bag if die not in row], 3)
    ]
    best = best_response(bag).edge
    found = rules_of_thumb(bag)
    assert [rule.heuristic for rule in found] == list(Heuristic)
    for rule in found:
        # A scratch starts the game again: worth what the game is worth, here to a fixed point.
        for scratch, expected in ((mpq(0), rule.duel_value), (rule.edge, rule.edge)):
            worths = [worth(rule.heuristic, *deal, bag, scratch) for deal in deals]
            assert sum(worths, mpq(0)) / len(deals) == expected
        assert rule.edge <= best


def test_a_playout_counts_once_for_each_side():
    node = _Node(2)
    for choices, reward in (((0, 1), 1), ((0, 0), -1), ((1, 1), 1)):
        node.update(choices, reward)
    assert node.visits == ([2, 1], [1, 2])
    assert node.gains == ([0, 1], [1, -2])
