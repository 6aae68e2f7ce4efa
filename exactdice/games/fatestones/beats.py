r"""Which die beats which: chances of every pair, the beats graph and its cycles, rankings.

One die beats another when it wins more often than it loses; ties count for neither. The relation
is not transitive, so the interesting objects are its cycles.

The *beats graph* of some dice has an edge from each die to every die that it beats. Dice joined by
no edge are even. A die *dominates* another stochastically when it is at least as likely to reach
each threshold, and not the same die; for dice of equally many faces, when its sorted faces are each
at least as high. Dominance implies beating, and is transitive.

A longest cycle visits no node twice and stays in a strongly connected component; one through the
whole of the largest is longest. That is hard to find in general and easy where most nodes are
joined: cover the component by disjoint cycles, a perfect matching of the nodes with their
successors (Hopcroft and Karp 1973), and patch two of them, with edges u→u' and w→w', to one when
u→w' and w→u' are edges too. Where there is no cover, or patching stops early, all simple paths are
searched, within a stated number of steps: what is returned is proved to be longest.

The FateStones README looked for a ranking of all 462 dice with 111111 at the bottom and 666666 at
the top, and found none. Five are offered here, each an exact score, higher meaning better:

* ``mean roll``: the mean of the faces;
* ``chance``: the mean chance to roll higher than another die of the set;
* ``margin``: the mean chance to win minus the mean chance to lose against another die of the set;
* ``dominance``: the number of dice that it dominates stochastically minus the number that dominate
  it;
* ``stationary``: the share of time for which it is on the table when a die is challenged by one of
  the others, drawn at random, both are rolled, and the challenger stays if it rolls higher. The
  shares solve :math:`\pi P = \pi`, :math:`\sum \pi = 1`.

A ranking has the wanted ends when one die alone has the lowest score and one die alone the highest,
and they are the expected ones. A die that never loses is never replaced: it has all of the
stationary share, every other die has none, and no die is alone at the bottom.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import networkx as nx
import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpq_mat

from exactdice.arithmetic import from_flint, mpq
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.fatestones.rules import Die, encode_die

BeatsGraph: TypeAlias = "nx.DiGraph[Die]"
Counts: TypeAlias = npt.NDArray[np.int64]
Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class RollComparison:
    """Exact chances that the first of two independent rolls is higher, equal, lower."""

    win: mpq
    tie: mpq
    loss: mpq


@dataclass(frozen=True, eq=False)
class PairTable:
    """Ways to win, tie and lose of every ordered pair of dice with equally many faces."""

    dice: tuple[Die, ...]  # the dice, in the order of the rows and columns
    # wins[i, j]: of the `rolls` equally likely rolls, those in which die i is higher than die j
    wins: Counts
    ties: Counts  # ties[i, j]: those in which they are equal
    rolls: int  # the square of the number of faces

    @property
    def margins(self) -> Counts:
        """Ways to win minus ways to lose; antisymmetric."""
        return self.wins - self.wins.T

    def comparison(self, i: int, j: int) -> RollComparison:
        """Exact chances that die i wins, ties and loses against die j."""
        ways = (self.wins[i, j], self.ties[i, j], self.wins[j, i])
        return RollComparison(*(mpq(int(count), self.rolls) for count in ways))


def pair_table(dice: Iterable[Die]) -> PairTable:
    """Count the outcomes of every ordered pair.

    One product of integer matrices: (number of dice)² × (highest value).
    """
    listed = tuple(dice)
    showing, below = _faces(listed)
    return PairTable(listed, showing @ below.T, showing @ showing.T, len(listed[0]) ** 2)


def _faces(dice: tuple[Die, ...]) -> tuple[Counts, Counts]:
    """Of each die how many faces show each value, and how many are below it."""
    if not dice:
        raise InputError("dice", Unquoted("none"), "at least one die")
    faces = len(dice[0])
    for die in dice:
        if len(die) != faces:
            raise InputError("dice", encode_die(die), f"dice of {faces} faces, as the first one")
    showing: Counts = np.zeros((len(dice), max(map(max, dice)) + 1), dtype=np.int64)
    for i, die in enumerate(dice):
        for face in die:
            showing[i, face] += 1
    return showing, np.cumsum(showing, axis=1) - showing


def beats_graph(dice: Iterable[Die]) -> BeatsGraph:
    """Graph with an edge from each die to every die that it beats."""
    table = pair_table(dice)
    graph: BeatsGraph = nx.DiGraph()
    graph.add_nodes_from(table.dice)
    won = np.argwhere(table.margins > 0).tolist()
    graph.add_edges_from((table.dice[i], table.dice[j]) for i, j in won)
    return graph


def even_pairs(dice: Iterable[Die]) -> list[tuple[Die, Die]]:
    """Pairs of different dice of which neither beats the other, in order."""
    table = pair_table(dice)
    level = np.argwhere(np.triu(table.margins == 0, 1)).tolist()
    return [(table.dice[i], table.dice[j]) for i, j in level]


def three_cycles(dice: Iterable[Die]) -> int:
    """Number of unordered triples in which each die beats the next, round the cycle.

    A third of the trace of the cube of the adjacency matrix. Products are taken in doubles, for the
    speed of BLAS, and are exact: their entries are at most the number of dice times the number of
    rolls, far below 2⁵³. Memory: 9 bytes a pair of dice.
    """
    showing, below = _faces(tuple(dice))
    each, lower = showing.astype(np.float64), below.astype(np.float64)
    beats = np.concatenate(
        [each[at] @ lower.T > lower[at] @ each.T for at in _blocks(len(each))], dtype=bool
    )
    adjacency = beats.astype(np.float64)
    paths = ((adjacency[at] @ adjacency)[beats.T[at]].sum() for at in _blocks(len(each)))
    return sum(map(int, paths)) // 3


def _blocks(count: int) -> list[slice]:
    return [slice(start, start + 500) for start in range(0, count, 500)]


def dominates(first: Die, second: Die) -> bool:
    """Whether `first` stochastically dominates `second`, a different die of as many faces."""
    if len(first) != len(second):
        raise InputError("second", encode_die(second), f"a die of {len(first)} faces")
    return first != second and all(a >= b for a, b in zip(first, second, strict=True))


def dominance_graph(dice: Iterable[Die]) -> BeatsGraph:
    """Graph with an edge from each die to every die that it dominates; an order, without cycles.

    All pairs: (number of dice)² × faces.
    """
    listed = tuple(dice)
    graph: BeatsGraph = nx.DiGraph()
    graph.add_nodes_from(listed)
    graph.add_edges_from((a, b) for a in listed for b in listed if dominates(a, b))
    return graph


@dataclass(frozen=True, eq=False)
class Beats:
    """Who beats whom among some dice."""

    # table, graph: outcomes of every pair; who beats whom
    table: PairTable
    graph: BeatsGraph
    # even, dominance: unordered pairs of which neither beats the other; ordered ones of which the
    # first dominates
    even: int
    dominance: int
    three_cycles: int  # triples in which each die beats the next
    components: tuple[int, ...]  # sizes of the strongly connected components, the largest first
    cycle: tuple[Die, ...]  # a longest cycle


def who_beats_whom(dice: Iterable[Die]) -> Beats:
    """Find who beats whom, with cycles and dominance.

    >>> relation = who_beats_whom([(1, 4, 4), (2, 2, 5), (3, 3, 3)])
    >>> relation.three_cycles, relation.components, relation.dominance
    (1, (3,), 0)

    Two seconds for all 462 dice of six faces.
    """
    listed = tuple(dice)
    graph = beats_graph(listed)
    parts = sorted(map(len, nx.strongly_connected_components(graph)), reverse=True)
    return Beats(
        pair_table(listed),
        graph,
        len(even_pairs(listed)),
        dominance_graph(listed).number_of_edges(),
        three_cycles(listed),
        tuple(parts),
        tuple(longest_cycle(graph)),
    )


def longest_cycle(graph: "nx.DiGraph[Node]", steps: int = 2_000_000) -> list[Node]:
    """A longest simple cycle, from its earliest node on; empty if there is none.

    The beats graph of the 32 balanced dice takes a millisecond, that of all 462 dice a second. The
    search is exponential.
    """
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    heads = [sorted(number[head] for head in graph[node]) for node in nodes]
    parts = (sorted(map(number.__getitem__, c)) for c in nx.strongly_connected_components(graph))
    best: list[int] = []
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(part) <= max(len(best), 1):
            break
        inside = set(part)
        successors = {i: [j for j in heads[i] if j in inside] for i in part}
        cycle = _patched_cycle(successors)
        if len(cycle) < len(part):
            cycle, steps = _search(successors, best, steps)
        best = max(best, cycle, key=len)
    first = best.index(min(best)) if best else 0
    return [nodes[i] for i in best[first:] + best[:first]]


def _patched_cycle(successors: dict[int, list[int]]) -> list[int]:
    """A cycle through all nodes, by cover and patching; empty where that does not give one."""
    choice: nx.Graph[tuple[int, int]] = nx.Graph()
    tails = [(0, i) for i in successors]
    choice.add_nodes_from(tails)
    choice.add_edges_from(((0, i), (1, j)) for i, heads in successors.items() for j in heads)
    matching = nx.bipartite.hopcroft_karp_matching(choice, tails)
    if any(tail not in matching for tail in tails):
        return []
    following = {i: matching[0, i][1] for i in successors}
    _patch(following, {i: set(heads) for i, heads in successors.items()})
    start = next(iter(following))
    cycle = _orbit(following, start)
    return cycle if len(cycle) == len(following) else []


def _orbit(following: dict[int, int], start: int) -> list[int]:
    cycle = [start]
    while following[cycle[-1]] != start:
        cycle.append(following[cycle[-1]])
    return cycle


def _patch(following: dict[int, int], successors: dict[int, set[int]]) -> None:
    """Join the cycles of a cover, in place, while two of them can be."""
    cycles: dict[int, list[int]] = {}  # of each node, the cycle that it lies on
    for i in following:
        if i not in cycles:
            orbit = _orbit(following, i)
            cycles.update(dict.fromkeys(orbit, orbit))
    joined = True
    while joined:
        joined = False
        for u in following:
            for w in following:
                if cycles[u] is cycles[w]:
                    continue
                if following[w] in successors[u] and following[u] in successors[w]:
                    following[u], following[w] = following[w], following[u]
                    united = cycles[u] + cycles[w]
                    cycles.update(dict.fromkeys(united, united))
                    joined = True


def _search(successors: dict[int, list[int]], best: list[int], steps: int) -> tuple[list[int], int]:
    """Search all cycles by their least node, depth first; the longest, and the steps left."""
    nodes = list(successors)
    for rank, start in enumerate(nodes):
        if len(nodes) - rank <= len(best):
            break
        path, on_path = [start], {start}
        choices = [iter(successors[start])]
        while choices:
            node = next(choices[-1], None)
            if node is None:
                choices.pop()
                on_path.discard(path.pop())
                continue
            steps -= 1
            if steps < 0:
                raise TooLargeError(
                    f"longest cycle: not settled within the steps allowed, {len(best)} nodes so "
                    f"far of at most {len(nodes)}; allow more steps or give fewer nodes"
                )
            if node == start and len(path) > len(best):
                best = list(path)
            elif node > start and node not in on_path:
                path.append(node)
                on_path.add(node)
                choices.append(iter(successors[node]))
    return best, steps


@dataclass(frozen=True)
class Ranking:
    """Dice with their scores, best first; equal scores in the order of the faces."""

    name: str  # which ranking it is
    scores: tuple[tuple[Die, mpq], ...]  # pairs of die and exact score

    @property
    def first(self) -> tuple[Die, ...]:
        """All dice that have the highest score."""
        return tuple(die for die, score in self.scores if score == self.scores[0][1])

    @property
    def last(self) -> tuple[Die, ...]:
        """All dice that have the lowest score."""
        return tuple(die for die, score in self.scores if score == self.scores[-1][1])

    def has_ends(self, lowest: Die, highest: Die) -> bool:
        """Whether `lowest` alone is last and `highest` alone is first."""
        return self.last == (lowest,) and self.first == (highest,)


def rank_dice(dice: Iterable[Die], name: str = "margin") -> Ranking:
    """Rank dice of equally many faces by one of `RANKINGS`."""
    if name not in RANKINGS:
        raise InputError("ranking", name, "one of " + ", ".join(RANKINGS))
    table = pair_table(dice)
    if len(set(table.dice)) < max(2, len(table.dice)):
        raise InputError("dice", len(table.dice), "at least two dice, each listed once")
    scored = zip(table.dice, RANKINGS[name](table), strict=True)
    return Ranking(name, tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0]))))


def _mean_chances(table: PairTable, ways: Counts) -> list[mpq]:
    comparisons = table.rolls * (len(table.dice) - 1)
    return [mpq(int(count), comparisons) for count in ways]


def _dominance(table: PairTable) -> list[mpq]:
    graph = dominance_graph(table.dice)
    return [mpq(graph.out_degree(die) - graph.in_degree(die)) for die in table.dice]


def _stationary(table: PairTable) -> list[mpq]:
    """Shares of the dice in the long run; nonzero only where the challenges end up."""
    challenge: nx.DiGraph[int] = nx.DiGraph()
    challenge.add_nodes_from(range(len(table.dice)))
    challenge.add_edges_from((i, j) for j, i in np.argwhere(table.wins > 0).tolist())
    # One component only: of two dice one can lose to the other, or both are the same constant.
    (recurrent,) = nx.attracting_components(challenge)
    states = sorted(recurrent)
    shares = [mpq(0)] * len(table.dice)
    # Balance: for each state, what flows out is what flows in; the last equation: shares sum to 1.
    size = len(states)
    balance = fmpq_mat(size, size)
    for a, i in enumerate(states[:-1]):
        for b, j in enumerate(states):
            if i != j:
                balance[a, b] = fmpq(int(table.wins[i, j]))
                balance[a, a] -= fmpq(int(table.wins[j, i]))
    for b in range(size):
        balance[size - 1, b] = fmpq(1)
    right = fmpq_mat(size, 1)
    right[size - 1, 0] = fmpq(1)
    solved = balance.solve(right)
    for a, i in enumerate(states):
        shares[i] = from_flint(solved[a, 0])
    return shares


RANKINGS: dict[str, Callable[[PairTable], list[mpq]]] = {
    "mean roll": lambda table: [mpq(sum(die), len(die)) for die in table.dice],
    "chance": lambda table: _mean_chances(table, table.wins.sum(axis=1) - table.wins.diagonal()),
    "margin": lambda table: _mean_chances(table, table.margins.sum(axis=1)),
    "dominance": _dominance,
    "stationary": _stationary,
}
