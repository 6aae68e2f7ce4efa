"""Longest cycles of directed graphs that are nearly tournaments, such as beats graphs.

A simple cycle visits no node twice. None leaves a strongly connected component, so a cycle through
the whole of the largest component is longest. Finding one is hard in general and easy in beats
graphs, where most pairs are joined:

1. cover the component by disjoint cycles, a perfect matching of the nodes with their successors
   (Hopcroft and Karp 1973);
2. patch cycles together: two of them, with edges u→u' and w→w', become one when u→w' and w→u' are
   edges too.

Where a component has no cover, or patching stops early, all its simple paths are searched, within
a stated number of steps. What is returned is always proved to be longest.
"""

from collections.abc import Hashable
from typing import TypeVar

import networkx as nx

from exactdice.errors import TooLargeError

Node = TypeVar("Node", bound=Hashable)

_STEPS = 2_000_000


def longest_cycle(graph: "nx.DiGraph[Node]", steps: int = _STEPS) -> list[Node]:
    """A longest simple cycle, from its earliest node on; empty if there is none.

    Raises TooLargeError if the steps were used up before a cycle was proved to be longest.

    >>> longest_cycle(nx.DiGraph([(1, 2), (2, 3), (3, 1), (3, 4), (4, 3)]))
    [1, 2, 3]

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
