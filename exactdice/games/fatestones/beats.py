"""Which die beats which: chances of every pair, the beats graph and its cycles, dominance.

One die beats another when it wins more often than it loses; ties count for neither. The relation
is not transitive, so the interesting objects are its cycles.

The *beats graph* of some dice has an edge from each die to every die that it beats. Dice joined by
no edge are even. A die *dominates* another stochastically when it is at least as likely to reach
each threshold, and not the same die; for dice of equally many faces, when its sorted faces are each
at least as high. Dominance implies beating, and is transitive.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import networkx as nx
import numpy as np
import numpy.typing as npt

from exactdice.arithmetic import mpq
from exactdice.dice import Comparison
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones.cycles import longest_cycle
from exactdice.games.fatestones.rules import Die, encode_die

BeatsGraph: TypeAlias = "nx.DiGraph[Die]"
Counts: TypeAlias = npt.NDArray[np.int64]


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

    def comparison(self, i: int, j: int) -> Comparison:
        """Exact chances that die i wins, ties and loses against die j.

        >>> pair_table([(1, 4, 4), (2, 2, 5)]).comparison(0, 1)
        Comparison(win=mpq(4,9), tie=mpq(0,1), loss=mpq(5,9))
        """
        ways = (self.wins[i, j], self.ties[i, j], self.wins[j, i])
        return Comparison(*(mpq(int(count), self.rolls) for count in ways))


def pair_table(dice: Iterable[Die]) -> PairTable:
    """Count the outcomes of every ordered pair.

    One product of integer matrices: (number of dice)² × (highest value).
    """
    listed = tuple(dice)
    if not listed:
        raise InputError("dice", Unquoted("none"), "at least one die")
    faces = len(listed[0])
    for die in listed:
        if len(die) != faces:
            raise InputError("dice", encode_die(die), f"dice of {faces} faces, as the first one")
    showing: Counts = np.zeros((len(listed), max(map(max, listed)) + 1), dtype=np.int64)
    for i, die in enumerate(listed):
        for face in die:
            showing[i, face] += 1
    below = np.cumsum(showing, axis=1) - showing
    return PairTable(listed, showing @ below.T, showing @ showing.T, faces * faces)


def beats_graph(dice: Iterable[Die]) -> BeatsGraph:
    """Graph with an edge from each die to every die that it beats.

    Edges carry the exact chances `win`, `tie` and `loss`.

    Three of the four dice of Efron's kind that fit the bag:

    >>> graph = beats_graph([(1, 4, 4, 4, 4, 4), (2, 2, 2, 5, 5, 5), (3, 3, 3, 3, 3, 6)])
    >>> [(encode_die(a), encode_die(b)) for a, b in graph.edges]
    [('144444', '333336'), ('222555', '144444'), ('333336', '222555')]
    >>> graph[1, 4, 4, 4, 4, 4][3, 3, 3, 3, 3, 6]["win"]
    mpq(25,36)
    """
    table = pair_table(dice)
    graph: BeatsGraph = nx.DiGraph()
    graph.add_nodes_from(table.dice)
    for i, j in np.argwhere(table.margins > 0).tolist():
        chances = table.comparison(i, j)
        graph.add_edge(
            table.dice[i], table.dice[j], win=chances.win, tie=chances.tie, loss=chances.loss
        )
    return graph


def even_pairs(dice: Iterable[Die]) -> list[tuple[Die, Die]]:
    """Pairs of different dice of which neither beats the other, in order."""
    table = pair_table(dice)
    level = np.argwhere(np.triu(table.margins == 0, 1)).tolist()
    return [(table.dice[i], table.dice[j]) for i, j in level]


def three_cycles(dice: Iterable[Die]) -> int:
    """Number of unordered triples in which each die beats the next, round the cycle.

    >>> three_cycles([(1, 4, 4), (2, 2, 5), (3, 3, 3)])
    1

    A third of the trace of the cube of the adjacency matrix. The square is taken in doubles, for
    the speed of BLAS, and is exact: its entries are at most the number of dice, far below 2⁵³.
    """
    beats = pair_table(dice).margins > 0
    adjacency = beats.astype(np.float64)
    paths = (adjacency @ adjacency).astype(np.int64)
    return int(paths[beats.T].sum()) // 3


def dominates(first: Die, second: Die) -> bool:
    """Whether `first` stochastically dominates `second`, a different die of as many faces.

    >>> dominates((1, 3, 3), (1, 2, 3)), dominates((1, 4, 4), (2, 2, 5))
    (True, False)
    """
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

    >>> found = who_beats_whom([(1, 4, 4), (2, 2, 5), (3, 3, 3)])
    >>> found.three_cycles, found.components, found.dominance
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
