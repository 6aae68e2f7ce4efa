"""Pair tables, beats graphs, cycles and rankings against plain enumeration."""

from itertools import combinations, permutations, product

import networkx as nx
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError
from exactdice.games.fatestones.beats import (
    RANKINGS,
    RollComparison,
    beats_graph,
    dominance_graph,
    dominates,
    even_pairs,
    longest_cycle,
    pair_table,
    rank_dice,
    three_cycles,
)
from exactdice.games.fatestones.rules import all_dice, bag, decode_die

dice_of_four = st.lists(st.integers(1, 5), min_size=4, max_size=4).map(lambda f: tuple(sorted(f)))
some_dice = st.lists(dice_of_four, min_size=2, max_size=7, unique=True)


def beats(first, second):
    return sum((a > b) - (a < b) for a, b in product(first, second)) > 0


@given(some_dice)
def test_pair_table_is_the_comparison_of_every_pair(dice):
    table = pair_table(dice)
    for i, first in enumerate(dice):
        for j, second in enumerate(dice):
            one, two = Distribution.from_faces(first), Distribution.from_faces(second)
            wins, losses = ((one > two).probability(True), (one < two).probability(True))
            assert table.comparison(i, j) == RollComparison(wins, 1 - wins - losses, losses)


def test_the_classic_dice_beat_each_other_in_a_circle():
    # Project Euler 376 states 7/12, 7/12 and 25/36 for these three dice.
    a, b, c = decode_die("144444"), decode_die("222555"), decode_die("333336")
    graph = beats_graph([a, b, c])
    assert set(graph.edges) == {(b, a), (c, b), (a, c)}
    table = pair_table([a, b, c])
    chances = [table.comparison(i, j).win for i, j in ((1, 0), (2, 1), (0, 2))]
    assert chances == [mpq(7, 12), mpq(7, 12), mpq(25, 36)]
    assert longest_cycle(graph) == [a, c, b]


@given(some_dice)
@settings(max_examples=60)
def test_edges_even_pairs_and_three_cycles_by_enumeration(dice):
    graph = beats_graph(dice)
    assert set(graph.edges) == {(a, b) for a, b in permutations(dice, 2) if beats(a, b)}
    even = [(a, b) for a, b in combinations(dice, 2) if not beats(a, b) and not beats(b, a)]
    assert even_pairs(dice) == even
    cycles = sum(beats(a, b) and beats(b, c) and beats(c, a) for a, b, c in permutations(dice, 3))
    assert three_cycles(dice) == cycles // 3


def test_invalid_dice_are_rejected():
    with pytest.raises(
        InputError, match="dice: got '12'; expected dice with 3 faces, like the first"
    ):
        pair_table([(1, 2, 3), (1, 2)])
    with pytest.raises(InputError, match="dice: got none; expected at least one die"):
        pair_table([])
    with pytest.raises(InputError, match="second: got '12'; expected a die of 3 faces"):
        dominates((1, 2, 3), (1, 2))


@given(dice_of_four, dice_of_four)
def test_dominance_is_a_higher_chance_to_reach_every_threshold(first, second):
    reach = [(sum(f >= t for f in first), sum(f >= t for f in second)) for t in range(1, 6)]
    assert dominates(first, second) == (first != second and all(a >= b for a, b in reach))
    if dominates(first, second):
        assert beats(first, second)


def test_dominance_is_an_order_with_the_expected_ends():
    graph = dominance_graph(all_dice(3, 3))
    assert nx.is_directed_acyclic_graph(graph)
    assert [die for die in graph if graph.out_degree(die) == 0] == [(1, 1, 1)]
    assert [die for die in graph if graph.in_degree(die) == 0] == [(3, 3, 3)]


def longest_by_enumeration(graph):
    return max(map(len, nx.simple_cycles(graph)), default=0)


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))
    )
)
@settings(max_examples=200, deadline=None)
def test_longest_cycle_by_enumeration_of_all_cycles(edges):
    graph = nx.DiGraph([edge for edge in sorted(edges) if edge[0] != edge[1]])
    cycle = longest_cycle(graph)
    assert len(cycle) == len(set(cycle)) == longest_by_enumeration(graph)
    assert all(graph.has_edge(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def test_a_covered_graph_that_cannot_be_patched_is_searched():
    """Two triangles joined by one edge each way: the longest cycle is found by search."""
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (3, 1)]
    graph = nx.DiGraph(edges)
    assert len(longest_cycle(graph)) == longest_by_enumeration(graph)


def test_search_stops_at_the_step_limit():
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4), (4, 3)])
    with pytest.raises(TooLargeError, match="step limit reached"):
        longest_cycle(graph, steps=2)


def test_steps_of_the_search_by_hand():
    """From 0 a step along each of the seven edges, from 1 along six; from 2 three nodes are left.

    The cycle of 0, 1 and 2 is found with the third step.
    """
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4), (4, 3)])
    assert longest_cycle(graph, steps=13) == [0, 1, 2]
    for steps, found in ((12, 3), (3, 3), (2, 0)):
        with pytest.raises(TooLargeError, match=f"with {found} of at most 5 nodes;"):
            longest_cycle(graph, steps=steps)


def test_small_components_are_not_searched():
    graph = nx.DiGraph([(n, (n + 1) % 5) for n in range(5)])
    graph.add_edges_from([(5, 6), (6, 7), (7, 5), (7, 8), (8, 7), (8, 9), (9, 8)])
    assert longest_cycle(graph, steps=0) == [0, 1, 2, 3, 4]


def test_first_of_tied_cycles_is_returned():
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)])
    assert longest_cycle(graph) == [0, 1, 2]


def test_all_dice_of_the_bag_but_the_ordinary_one_lie_on_one_cycle():
    """The ordinary die is even with every balanced die; the other 31 are strongly connected."""
    graph = beats_graph(bag())
    cycle = longest_cycle(graph)
    assert set(cycle) == set(bag()) - {decode_die("123456")}
    assert all(beats(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


@given(some_dice)
@settings(max_examples=40)
def test_scores_by_their_definitions(dice):
    others = len(dice) - 1

    def chance(a, b):
        return mpq(sum(x > y for x, y in product(a, b)), 16)

    oracles = {
        "mean roll": lambda a: mpq(sum(a), 4),
        "chance": lambda a: sum((chance(a, b) for b in dice if b != a), mpq(0)) / others,
        "margin": lambda a: sum((chance(a, b) - chance(b, a) for b in dice), mpq(0)) / others,
        "dominance": lambda a: sum(dominates(a, b) - dominates(b, a) for b in dice),
    }
    for name, oracle in oracles.items():
        ranking = rank_dice(dice, name)
        assert dict(ranking.scores) == {die: oracle(die) for die in dice}
        scores = [score for _, score in ranking.scores]
        assert scores == sorted(scores, reverse=True)


@given(some_dice)
@settings(max_examples=60, deadline=None)
def test_stationary_shares_are_kept_by_a_challenge(dice):
    share = dict(rank_dice(dice, "stationary").scores)
    assert sum(share.values()) == 1
    assert min(share.values()) >= 0
    for die in dice:
        ways_in = sum(
            (share[b] * sum(x > y for x, y in product(die, b)) for b in dice if b != die), mpq(0)
        )
        ways_out = share[die] * sum(x > y for b in dice if b != die for x, y in product(b, die))
        assert ways_in == ways_out


@pytest.mark.slow
def test_which_rankings_put_ones_last_and_sixes_first():
    """The README found none; each die lies between the two, so any monotone score will do."""
    ones, sixes = decode_die("111111"), decode_die("666666")
    found = {name: rank_dice(all_dice(), name).has_ends(ones, sixes) for name in RANKINGS}
    # 111111 never wins and 666666 never loses. So 666666 keeps the table for good, all other
    # dice share the stationary score 0, and only that ranking has no single last die.
    assert found == {
        "mean roll": True, "chance": True, "margin": True, "dominance": True, "stationary": False,
    }  # fmt: skip
    stationary = rank_dice(all_dice(), "stationary")
    assert stationary.first == (sixes,)
    assert len(stationary.last) == 461


def test_invalid_rankings_are_rejected():
    with pytest.raises(InputError, match="ranking: got 'best'; expected one of mean roll, chance"):
        rank_dice([(1, 2), (2, 2)], "best")
    for dice in ([(1, 2)], [(1, 2), (1, 2)]):
        with pytest.raises(InputError, match="expected at least two dice, each listed once"):
            rank_dice(dice, "margin")
