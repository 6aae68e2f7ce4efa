"""The whole game against a random player, by recursion over small bags."""

from itertools import combinations

import pytest
from fatestones_oracle import random_by_orders
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.errors import InputError, TooLargeError
from exactdice.games.fatestones.exact import answer_to_random
from exactdice.games.fatestones.responses import (
    BagTables,
    Heuristic,
    best_response,
    random_play,
    rules_of_thumb,
)
from exactdice.games.fatestones.rules import bag
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.games.fatestones.tree_search import _Node

small_bags = st.lists(
    st.lists(st.integers(1, 5), min_size=4, max_size=4).map(lambda faces: tuple(sorted(faces))),
    min_size=6, max_size=7, unique=True,
)  # fmt: skip


def deals(dice):
    for row in combinations(dice, 3):
        for column in combinations([die for die in dice if die not in row], 3):
            yield row, column


def mean(values):
    return sum(values, mpq(0)) / len(values)


def scratch_chance(row, column):
    """Probability that the duel of two random players is a scratch."""
    return random_by_orders(row, column, mpq(1)) - random_by_orders(row, column, mpq(0))


@pytest.mark.slow
@given(small_bags)
@settings(max_examples=12, deadline=None)
def test_edge_is_the_fixed_point(dice):
    """The fixed point itself: with a scratch worth the edge, the mean best value is the edge."""
    found = best_response(dice)
    assert found.edge == mean([max(answer_to_random(*d, found.edge)) for d in deals(dice)])
    assert found.duel_value == mean([max(answer_to_random(*d)) for d in deals(dice)])
    assert found.scratch == mean([scratch_chance(*d) for d in deals(dice)])
    assert found.deals == len(list(deals(dice)))


def tied_rolls(row, column):
    """Mean number of tied rolls of two random players."""
    count = len(row)
    total = mpq(0)
    for i, die in enumerate(row):
        for j, against in enumerate(column):
            tie = mpq(sum(a == b for a in die for b in against), len(die) * len(against))
            left = row[:i] + row[i + 1 :], column[:j] + column[j + 1 :]
            total += tie * (1 + (tied_rolls(*left) if count > 1 else 0))
    return total / count**2


@pytest.mark.slow
@given(small_bags)
@settings(max_examples=8, deadline=None)
def test_random_play_by_recursion_over_all_deals(dice):
    play = random_play(dice)
    assert play.scratch == mean([scratch_chance(*d) for d in deals(dice)])
    assert play.ties == mean([tied_rolls(*d) for d in deals(dice)])
    assert mean([random_by_orders(*d, mpq(0)) for d in deals(dice)]) == 0  # so wins are losses
    assert 2 * play.win + play.scratch == 1


def test_random_play_explains_the_table_of_the_readme():
    """Its wins, losses and scratches are 10000 games, and its ties are tied rolls.

    The four columns: wins, losses and ties of random against random, MCTS(10) and MCTS(50)
    against random, MCTS(10) against MCTS(10).
    """
    play = random_play()
    for wins, losses, ties in README_RESULTS.values():
        scratches = README_GAMES - wins - losses
        # Within four standard deviations, of at most √46.3 < 7 scratches and √2900 < 54 ties.
        assert abs(scratches - 10_000 * play.scratch) < 28
        assert abs(ties - 10_000 * play.ties) < 216


def test_every_deal_of_the_bag_counts_once():
    # 4960 hands of three of 32 dice, each against 3654 of the 29 left.
    tables = BagTables(bag())
    assert tables.deals == 4960 * 3654 == 18_123_840
    assert len(tables.disjoint(17)) == 3654


def test_invalid_bags_are_rejected():
    for dice in (bag()[:5], [*bag(), bag()[0]]):
        with pytest.raises(InputError, match="expected a bag of at least six different dice"):
            best_response(dice)
    # A sum of 20 deals is at most 6 · 20 · (700²)³, which takes 64 bits, and a sixth of it 62.
    large = [tuple(sorted((a, *[5] * 699))) for a in range(1, 7)]
    with pytest.raises(
        TooLargeError, match="6 dice of 700 faces need integers of more than 64 bit"
    ):
        best_response(large)


def test_results_near_the_limit_of_64_bits():
    """Each face 163 times: the same dice, and 20 · 6 · (652²)³ is the last below 2⁶³."""
    assert 120 * 652**6 < 2**63 <= 120 * 653**6
    small = [(1, 1, 4, 4), (1, 2, 3, 4), (2, 2, 3, 3), (1, 1, 3, 5), (1, 1, 1, 4), (2, 3, 3, 3)]
    large = [tuple(sorted(die * 163)) for die in small]
    assert best_response(large) == best_response(small)
    assert random_play(large) == random_play(small)
    assert rules_of_thumb(large) == rules_of_thumb(small)
    with pytest.raises(TooLargeError, match="6 dice of 653 faces"):
        best_response([(1, *die) for die in large])


def margin(die, other):
    signs = [(a > b) - (a < b) for a in die for b in other]
    return mpq(sum(signs), len(signs))


def tie(die, other):
    return mpq(sum(a == b for a in die for b in other), len(die) * len(other))


def without(hand, place):
    return hand[:place] + hand[place + 1 :]


def seen(own, other):
    """Value of the duel for a player whose die is seen before the other chooses."""
    return max(answered(own, other, i) for i in range(len(own))) if own else mpq(0)


def answered(own, other, i):
    return min(
        margin(own[i], die) + tie(own[i], die) * seen(without(own, i), without(other, j))
        for j, die in enumerate(other)
    )


def choice(heuristic, own, other, bag):
    scores = {
        Heuristic.FIRST: lambda i: sum(margin(own[i], die) for die in other),
        Heuristic.RANK: lambda i: sum(margin(own[i], die) for die in bag),
        Heuristic.CAUTIOUS: lambda i: min(margin(own[i], die) for die in other),
        Heuristic.SEEN: lambda i: answered(own, other, i),
        Heuristic.WIDE: lambda i: sum(face**2 for face in own[i]),
        Heuristic.NARROW: lambda i: -sum(face**2 for face in own[i]),
    }[heuristic]
    return max(range(len(own)), key=scores)  # the first of equal ones


def worth(heuristic, own, other, bag, scratch):
    """Wins minus losses of the rule against a random player, plus the payoff of a scratch."""
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
def test_rules_of_thumb_agree_with_recursion_over_all_deals(bag):
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
