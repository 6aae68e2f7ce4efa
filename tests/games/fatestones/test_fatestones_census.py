"""The census and the beats graph, against all duels of small bags and plain enumeration."""

import json
from itertools import combinations, permutations, product
from math import comb

import networkx as nx
import pytest
from fatestones_oracle import deals, reverse
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
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.responses import BagTables
from exactdice.games.fatestones.rules import all_dice, bag, decode_die, decode_hand
from exactdice.run import Run
from exactdice.studies.fatestones.censuses import (
    RESOLUTION,
    PairValues,
    Tally,
    _sum,
    census,
    sample_census,
    start_worker,
    tally,
    work,
)

LOPSIDED = [*decode_hand("111666,123366,133446"), *decode_hand("144444,222366,224445")]
LOPSIDED.append(decode_die("333336"))
REVERSIBLE = sorted({*LOPSIDED[3:6], *map(reverse, LOPSIDED[3:6])})


@pytest.mark.parametrize("dice", [REVERSIBLE, LOPSIDED, list(bag()[3:11])])
def test_census_adds_up_all_duels(dice):
    found = census(dice)
    solved = [solve(*deal) for deal in deals(dice)]
    values = [solution.value for solution in solved]
    exact_mean = sum(map(abs, values), mpq(0)) / len(values)
    assert found.pairs == len(solved)
    assert found.mixed == sum(solution.method != "saddle point" for solution in solved)
    assert found.even == values.count(0)
    assert found.mean_absolute_value <= exact_mean < found.mean_absolute_value + RESOLUTION
    assert found.largest == max(values)
    # Of the hands in their order the first that has it, the better one named first.
    row, column = next(
        deal for deal, value in zip(deals(dice), values, strict=True) if abs(value) == max(values)
    )
    ahead = values[deals(dice).index((row, column))] > 0
    assert found.largest_deal == ((row, column) if ahead else (column, row))
    assert found.equilibrium == sum(values, mpq(0)) == 0
    assert str(found).startswith("all deals, worth ")
    assert found.is_complete


def test_single_values_of_the_whole_bag():
    tables = BagTables(bag())
    values = PairValues(tables)
    for hand in range(0, 4960, 709):
        others = tables.disjoint(hand)
        for other in others[:: len(others) // 5].tolist():
            row, column = (
                tuple(bag()[die] for die in tables.triples[h].tolist()) for h in (hand, other)
            )
            numerator, denominator, is_mixed = values.value(hand, other)
            solution = solve(row, column)
            assert mpq(numerator, denominator) == solution.value
            assert is_mixed == (solution.method != "saddle point")


def test_census_resumes_and_agrees_with_its_workers():
    states = []
    told = []
    whole = census(LOPSIDED, save=states.append, run=Run(progress=lambda *news: told.append(news)))
    assert len(states) == 5  # 35 hands, eight at a time
    assert told[-1] == ("hands", 35, 35)
    for state in states:
        assert census(LOPSIDED, state=state) == whole
    values = PairValues(BagTables(LOPSIDED))
    start_worker(tuple(LOPSIDED))
    oracle = Tally()
    for hand in range(3):
        oracle.add(tally(values, [hand]))
    assert work(range(3)) == oracle


@pytest.mark.slow
def test_two_processes_agree_with_one():
    assert census(LOPSIDED, run=Run(workers=2)) == census(LOPSIDED)


def test_limits_of_64_bits_and_symmetry():
    # 4·(197²)⁴ is below 2⁶³, and 4·(198²)⁴ is not.
    for faces in (197, 198):
        large = [tuple(sorted((a, *[5] * (faces - 1)))) for a in range(1, 9)]
        assert (4 * faces**8 < 2**63) == (faces == 197)
        if faces == 197:
            PairValues(BagTables(large))
        else:
            with pytest.raises(TooLargeError, match="198 faces need integers of more than 64 bits"):
                census(large)
    # Each face 49 times: the same dice, with numbers near the limit.
    small = [(1, 1, 4, 4), (1, 2, 3, 4), (2, 2, 3, 3), (1, 1, 3, 5), (1, 1, 1, 4), (2, 3, 3, 3)]
    large = [tuple(sorted(die * 49)) for die in small]
    one, other = (PairValues(BagTables(dice)) for dice in (small, large))
    for row in range(20):
        for column in range(20):
            (top, bottom, mixed), (high, low, also) = (of.value(row, column) for of in (one, other))
            assert (mpq(top, bottom), mixed) == (mpq(high, low), also)
    tables = BagTables(LOPSIDED)
    tables.table.ties[0, 1] += 1
    with pytest.raises(AssertionError, match="swapping hands must change the sign"):
        PairValues(tables)


@pytest.mark.parametrize(
    "change",
    [{"hands": 99999}, {"tally": {}}, {"tally": {"deals": -5}}, {"hands": "x"}, {"sha256": ""}],
)
def test_changed_checkpoints_are_rejected(change):
    states = []
    census(LOPSIDED, save=states.append)
    changed = json.dumps(json.loads(states[0]) | change)
    with pytest.raises(InputError, match="checkpoint: got a changed state of a census"):
        census(LOPSIDED, state=changed)


# The first hands hold the first die: those of dice 1 and 2, of 1 and 3, 4 and 5. Each meets
# C(4, 3) hands of the other dice, all of them later, and each deal is counted with its swap.
ALL_DEALS = 2 * 8 * comb(4, 3)


@pytest.mark.parametrize("change", [
    {"hands": 36},  # seven dice have C(7, 3) = 35 hands
    {"hands": 10**30}, {"hands": -8}, {"hands": True}, {"hands": "35"},
    {"hands": 35},  # with the deals of eight
    {"tally": {}}, {"tally": {"deals": 0}}, {"tally": {"largest": [1, 0]}},
    {"tally": {"largest": 3}}, {"tally": {"largest_deal": [0, 1, 2, 3, 4, 99]}},
    {"tally": {"mixed": 10**9}}, {"tally": {"largest": [1, 1, 1]}}, {"tally": {"largest": [1, -1]}},
    {"tally": {"largest_deal": [0, 1, 2, 3, 4]}},
    {"tally": {"largest_deal": [0, 1, 2, 3, 4, 7]}},  # the seventh die is 6
    {"tally": {"largest_deal": "012345"}}, {"tally": {"mixed": ALL_DEALS + 1}},
    {"tally": {"even": ALL_DEALS + 1}}, {"tally": {"deals": ALL_DEALS + 1}},
    {"tally": {"units": ALL_DEALS * 10**30 + 1}},
])  # fmt: skip
def test_impossible_checkpoints_are_rejected(change):
    with pytest.raises(InputError, match=r"checkpoint: got (impossible sums|another kind of file)"):
        census(LOPSIDED, state=changed_state(change))


def changed_state(change):
    states = []
    census(LOPSIDED, save=states.append)
    content = json.loads(states[0])
    del content["sha256"]
    sums = content["tally"] | change["tally"] if change.get("tally") else change.get("tally")
    content |= change | ({} if sums is None else {"tally": sums})
    content["sha256"] = _sum(content)
    return json.dumps(content)


@pytest.mark.parametrize("change", [
    {"tally": {"mixed": ALL_DEALS, "even": ALL_DEALS, "units": ALL_DEALS * 10**30}},
    {"tally": {"largest": [0, 1], "largest_deal": []}},
    {"tally": {"largest": [1, 1], "largest_deal": [0, 1, 2, 3, 4, 6]}},
])  # fmt: skip
def test_extreme_checkpoints_are_accepted(change):
    assert census(LOPSIDED, state=changed_state(change)).is_complete


def test_a_sample_is_a_mean_over_its_deals():
    found = sample_census(300, seed=7, dice=LOPSIDED)
    assert found.pairs == 300
    assert not found.is_complete
    assert found == sample_census(300, seed=7, dice=LOPSIDED)
    # 140 deals, drawn 300 times: the mean is within Hoeffding's bound at one in a million.
    whole = census(LOPSIDED)
    assert abs(found.mean_absolute_value - whole.mean_absolute_value) < whole.largest * mpq(16, 100)
    assert found.largest <= whole.largest


@pytest.mark.long
def test_census_of_all_deals():
    found = census(run=Run(workers=2))
    assert found.pairs == 18_123_840
    sample = sample_census(20_000, seed=3)
    # Hoeffding for 20000 draws from [0, 41/144] at one chance in a million: 0.0054.
    assert abs(found.mean_absolute_value - sample.mean_absolute_value) < mpq(54, 10_000)
    assert solve(*found.largest_deal).value == found.largest


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


def test_beats_and_dominance_of_known_dice():
    # Project Euler 376 states 7/12, 7/12 and 25/36 for these three dice.
    a, b, c = decode_die("144444"), decode_die("222555"), decode_die("333336")
    graph = beats_graph([a, b, c])
    assert set(graph.edges) == {(b, a), (c, b), (a, c)}
    table = pair_table([a, b, c])
    chances = [table.comparison(i, j).win for i, j in ((1, 0), (2, 1), (0, 2))]
    assert chances == [mpq(7, 12), mpq(7, 12), mpq(25, 36)]
    assert longest_cycle(graph) == [a, c, b]
    graph = dominance_graph(all_dice(3, 3))
    assert nx.is_directed_acyclic_graph(graph)
    assert [die for die in graph if graph.out_degree(die) == 0] == [(1, 1, 1)]
    assert [die for die in graph if graph.in_degree(die) == 0] == [(3, 3, 3)]
    # The ordinary die is even with every balanced die; the other 31 are strongly connected.
    graph = beats_graph(bag())
    cycle = longest_cycle(graph)
    assert set(cycle) == set(bag()) - {decode_die("123456")}
    assert all(beats(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


@given(some_dice)
@settings(max_examples=60)
def test_edges_even_pairs_and_three_cycles_by_enumeration(dice):
    graph = beats_graph(dice)
    assert set(graph.edges) == {(a, b) for a, b in permutations(dice, 2) if beats(a, b)}
    even = [(a, b) for a, b in combinations(dice, 2) if not beats(a, b) and not beats(b, a)]
    assert even_pairs(dice) == even
    cycles = sum(beats(a, b) and beats(b, c) and beats(c, a) for a, b, c in permutations(dice, 3))
    assert three_cycles(dice) == cycles // 3


def test_invalid_dice_rankings_samples_and_checkpoints_are_rejected():
    states = []
    census(LOPSIDED, save=states.append)
    with pytest.raises(InputError, match="checkpoint: got the state of another census"):
        census(REVERSIBLE, state=states[0])


@given(dice_of_four, dice_of_four)
def test_dominance_is_a_higher_chance_to_reach_every_threshold(first, second):
    reach = [(sum(f >= t for f in first), sum(f >= t for f in second)) for t in range(1, 6)]
    assert dominates(first, second) == (first != second and all(a >= b for a, b in reach))
    if dominates(first, second):
        assert beats(first, second)


def longest_by_enumeration(graph):
    return max(map(len, nx.simple_cycles(graph)), default=0)


@given(st.integers(1, 7).flatmap(lambda n: st.sets(st.tuples(
    st.integers(0, n - 1), st.integers(0, n - 1),
))))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_longest_cycle_by_enumeration_of_all_cycles(edges):
    graph = nx.DiGraph([edge for edge in sorted(edges) if edge[0] != edge[1]])
    cycle = longest_cycle(graph)
    assert len(cycle) == len(set(cycle)) == longest_by_enumeration(graph)
    assert all(graph.has_edge(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def test_searches_for_cycles_by_hand():
    # Two triangles joined by one edge each way: the longest cycle is found by search.
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (3, 1)]
    graph = nx.DiGraph(edges)
    assert len(longest_cycle(graph)) == longest_by_enumeration(graph)
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4), (4, 3)])
    with pytest.raises(TooLargeError, match="step limit reached"):
        longest_cycle(graph, steps=2)
    graph = nx.DiGraph([(n, (n + 1) % 5) for n in range(5)])
    graph.add_edges_from([(5, 6), (6, 7), (7, 5), (7, 8), (8, 7), (8, 9), (9, 8)])
    assert longest_cycle(graph, steps=0) == [0, 1, 2, 3, 4]
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)])
    assert longest_cycle(graph) == [0, 1, 2]
    # From 0 a step along each of the seven edges, from 1 along six; from 2 three nodes are left.
    # The cycle of 0, 1 and 2 is found with the third step.
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4), (4, 3)])
    assert longest_cycle(graph, steps=13) == [0, 1, 2]
    for steps, found in ((12, 3), (3, 3), (2, 0)):
        with pytest.raises(TooLargeError, match=f"with {found} of at most 5 nodes;"):
            longest_cycle(graph, steps=steps)


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
