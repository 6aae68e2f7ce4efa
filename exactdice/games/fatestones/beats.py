r"""Which die beats which: probabilities of every pair, the beats graph and its cycles, rankings.

One die beats another if it wins more often than it loses; ties do not count. The relation is not
transitive. The *beats graph* of some dice has an edge from each die to every die that it beats;
dice without an edge between them are even. A die *dominates* a different die stochastically if it
is at least as likely to reach each threshold; for dice with equally many faces, if its sorted faces
are each at least as high. Dominance implies beating and is transitive.

A longest cycle is in a strongly connected component. In dense graphs it is found by covering the
component with disjoint cycles, a perfect matching of the nodes with their successors (Hopcroft and
Karp 1973), and joining two of them, with edges u→u' and w→w', if u→w' and w→u' are edges too. If
this does not give a cycle through the whole component, all simple paths are searched, within a
given number of steps. So the result is proved to be longest.

The FateStones README looked for a ranking of all 462 dice with 111111 at the bottom and 666666 at
the top, and found none. There are five rankings here, each by an exact score:

* ``mean roll``: the mean of the faces;
* ``chance``: the mean probability to roll higher than another die of the set;
* ``margin``: the same minus the mean probability to roll lower;
* ``dominance``: the number of dice that it dominates minus the number that dominate it;
* ``stationary``: the long-run share of rounds with this die on the table, if a random other die
  challenges the present one and replaces it by rolling higher. The shares solve
  :math:`\pi P = \pi`, :math:`\sum \pi = 1`. A die that never loses has the whole share, and the
  others are tied at the bottom.

A ranking has the wanted ends if the expected dice, and no others, have the lowest and the highest
score.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import networkx as nx
import numpy as np
import numpy.typing as npt
from flint import fmpq_mat

from exactdice.arithmetic import from_flint, mpq
from exactdice.errors import InputError, TooLargeError, Unquoted, one_named
from exactdice.games.fatestones.rules import Die, encode_die

BeatsGraph: TypeAlias = "nx.DiGraph[Die]"
Counts: TypeAlias = npt.NDArray[np.int64]
Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class RollComparison:
    """Exact probabilities that the first of two independent rolls is higher, equal, lower."""

    win: mpq
    tie: mpq
    loss: mpq


@dataclass(frozen=True, eq=False)
class PairTable:
    dice: tuple[Die, ...]  # in the order of the rows and columns
    wins: Counts  # wins[i, j]: the number of `rolls` in which die i is higher than die j
    ties: Counts  # ties[i, j]: the number of rolls in which they are equal
    rolls: int  # the square of the number of faces

    @property
    def margins(self) -> Counts:
        """Ways to win minus ways to lose; antisymmetric."""
        return self.wins - self.wins.T

    def comparison(self, i: int, j: int) -> RollComparison:
        ways = (self.wins[i, j], self.ties[i, j], self.wins[j, i])
        return RollComparison(*(mpq(int(count), self.rolls) for count in ways))


def pair_table(dice: Iterable[Die]) -> PairTable:
    """Count the outcomes of every ordered pair, by a product of integer matrices."""
    listed = tuple(dice)
    showing, below = _faces(listed)
    return PairTable(listed, showing @ below.T, showing @ showing.T, len(listed[0]) ** 2)


def _faces(dice: tuple[Die, ...]) -> tuple[Counts, Counts]:
    if not dice:
        raise InputError("dice", Unquoted("none"), "at least one die")
    faces = len(dice[0])
    for die in dice:
        if len(die) != faces:
            raise InputError("dice", encode_die(die), f"dice with {faces} faces, like the first")
    showing: Counts = np.zeros((len(dice), max(map(max, dice)) + 1), dtype=np.int64)
    for i, die in enumerate(dice):
        for face in die:
            showing[i, face] += 1
    return showing, np.cumsum(showing, axis=1) - showing


def beats_graph(dice: Iterable[Die]) -> BeatsGraph:
    table = pair_table(dice)
    graph: BeatsGraph = nx.DiGraph()
    graph.add_nodes_from(table.dice)
    won = np.argwhere(table.margins > 0).tolist()
    graph.add_edges_from((table.dice[i], table.dice[j]) for i, j in won)
    return graph


def even_pairs(dice: Iterable[Die]) -> list[tuple[Die, Die]]:
    """Return the pairs of different dice that are even, in order."""
    table = pair_table(dice)
    level = np.argwhere(np.triu(table.margins == 0, 1)).tolist()
    return [(table.dice[i], table.dice[j]) for i, j in level]


def three_cycles(dice: Iterable[Die]) -> int:
    """Count the unordered triples in which each die beats the next, cyclically.

    A third of the trace of the cube of the adjacency matrix. Products of doubles are fast by BLAS,
    and exact: entries are at most the number of dice times the number of rolls, far below 2⁵³.
    Memory: 9 bytes a pair of dice.
    """
    showing, below = _faces(tuple(dice))
    each, lower = showing.astype(np.float64), below.astype(np.float64)
    beats = np.concatenate([each[at] @ lower.T > lower[at] @ each.T for at in _blocks(len(each))])
    adjacency = beats.astype(np.float64)
    paths = ((adjacency[at] @ adjacency)[beats.T[at]].sum() for at in _blocks(len(each)))
    return sum(map(int, paths)) // 3


def _blocks(count: int) -> list[slice]:
    return [slice(start, start + 500) for start in range(0, count, 500)]


def dominates(first: Die, second: Die) -> bool:
    """Whether `first` stochastically dominates `second`, a die with as many faces."""
    if len(first) != len(second):
        raise InputError("second", encode_die(second), f"a die of {len(first)} faces")
    return first != second and all(a >= b for a, b in zip(first, second, strict=True))


def dominance_graph(dice: Iterable[Die]) -> BeatsGraph:
    listed = tuple(dice)
    graph: BeatsGraph = nx.DiGraph()
    graph.add_nodes_from(listed)
    graph.add_edges_from((a, b) for a in listed for b in listed if dominates(a, b))
    return graph


@dataclass(frozen=True, eq=False)
class Beats:
    table: PairTable
    graph: BeatsGraph
    even: int  # number of unordered even pairs
    dominance: int  # number of ordered pairs in which the first die dominates
    three_cycles: int  # triples in which each die beats the next
    components: tuple[int, ...]  # sizes of the strongly connected components, descending
    cycle: tuple[Die, ...]  # a longest cycle


def who_beats_whom(dice: Iterable[Die]) -> Beats:
    """Return which die beats which, with cycles and dominance; 2 s for all 462 six-face dice."""
    listed = tuple(dice)
    graph = beats_graph(listed)
    parts = sorted(map(len, nx.strongly_connected_components(graph)), reverse=True)
    cycles, cycle = three_cycles(listed), tuple(longest_cycle(graph))
    pairs = len(even_pairs(listed)), dominance_graph(listed).number_of_edges()
    return Beats(pair_table(listed), graph, *pairs, cycles, tuple(parts), cycle)


def longest_cycle(graph: "nx.DiGraph[Node]", steps: int = 2_000_000) -> list[Node]:
    """Return a longest simple cycle, from its earliest node on; 1 s for all 462 dice."""
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
    cycles: dict[int, list[int]] = {}  # the cycle of each node
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
    """Search all cycles, depth first from their least node; return the longest and steps left."""
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
                    f"longest cycle: step limit reached, with {len(best)} of at most {len(nodes)} "
                    "nodes; allow more steps or give fewer nodes"
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
    name: str
    scores: tuple[tuple[Die, mpq], ...]

    @property
    def first(self) -> tuple[Die, ...]:
        return tuple(die for die, score in self.scores if score == self.scores[0][1])

    @property
    def last(self) -> tuple[Die, ...]:
        return tuple(die for die, score in self.scores if score == self.scores[-1][1])

    def has_ends(self, lowest: Die, highest: Die) -> bool:
        return self.last == (lowest,) and self.first == (highest,)


def rank_dice(dice: Iterable[Die], name: str = "margin") -> Ranking:
    scores = one_named(RANKINGS, name, "ranking")
    table = pair_table(dice)
    if len(set(table.dice)) < max(2, len(table.dice)):
        raise InputError("dice", len(table.dice), "at least two dice, each listed once")
    scored = zip(table.dice, scores(table), strict=True)
    return Ranking(name, tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0]))))


def _mean_chances(table: PairTable, ways: Counts) -> list[mpq]:
    comparisons = table.rolls * (len(table.dice) - 1)
    return [mpq(int(count), comparisons) for count in ways]


def _dominance(table: PairTable) -> list[mpq]:
    graph = dominance_graph(table.dice)
    return [mpq(graph.out_degree(die) - graph.in_degree(die)) for die in table.dice]


def _stationary(table: PairTable) -> list[mpq]:
    challenge: nx.DiGraph[int] = nx.DiGraph()
    challenge.add_nodes_from(range(len(table.dice)))
    challenge.add_edges_from((i, j) for j, i in np.argwhere(table.wins > 0).tolist())
    # There is one component: of two dice one can lose to the other, or both are equal constants.
    (recurrent,) = nx.attracting_components(challenge)
    states = sorted(recurrent)
    shares = [mpq(0)] * len(table.dice)
    # Balance equations for all states except the last; the last equation: shares sum to 1.
    wins, size = table.wins[np.ix_(states, states)], len(states)
    balance = wins - np.diag(wins.sum(axis=0))
    balance[-1] = 1
    right = fmpq_mat(size, 1, [*[0] * (size - 1), 1])
    solved = fmpq_mat(size, size, balance.ravel().tolist()).solve(right)
    for place, state in enumerate(states):
        shares[state] = from_flint(solved[place, 0])
    return shares


RANKINGS: dict[str, Callable[[PairTable], list[mpq]]] = {
    "mean roll": lambda table: [mpq(sum(die), len(die)) for die in table.dice],
    "chance": lambda table: _mean_chances(table, table.wins.sum(axis=1) - table.wins.diagonal()),
    "margin": lambda table: _mean_chances(table, table.margins.sum(axis=1)),
    "dominance": _dominance,
    "stationary": _stationary,
}
