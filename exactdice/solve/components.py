r"""Strongly connected components of an arena, sinks first, each made ready for one sweep.

Tarjan's search (1972), with a stack of its own and on the arena's arrays. Measured on 500,000
transitions it takes half the time of networkx (0.4 against 0.8 s), whose graph takes 200 bytes for
each of them besides; and it gives the order that is wanted next.

Within a component the order in which the search *finishes* states makes all but a few edges lead
back to states finished before. The heads of the others are the *cut* states: without them the
component has no cycle, so that along the finishing order every value is a function of the values
of the cut states alone. Where they are many, the reductions of Levy and Low (`cut_states`) are
tried and the smaller set is taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactdice.solve.arena import Arena

if TYPE_CHECKING:
    import networkx as nx

# Above so many cut states a smaller set is looked for, in components of at most so many states.
_MANY_CUTS = 8
_SMALL_COMPONENT = 2_000


@dataclass(frozen=True, slots=True)
class Component:
    """States that can all reach one another."""

    # its states other than the cut states; each leads, within the component, to earlier ones and to
    # cut states only
    order: tuple[int, ...]
    # states without which there is no cycle; none where the component is one state without a loop
    cuts: tuple[int, ...]

    @property
    def states(self) -> tuple[int, ...]:
        """All states, the cut states last."""
        return self.order + self.cuts


def components(arena: Arena) -> Iterator[Component]:
    """Strongly connected components, each after all those that it leads to.

    >>> from exactdice.arithmetic import mpq
    >>> from exactdice.solve.arena import CHANCE, Arena
    >>> arena = Arena()
    >>> for targets in ((1,), (0, 2)):
    ...     arena.open(CHANCE); arena.move(mpq(0), (1,) * len(targets), targets)
    >>> arena.end(mpq(1))
    >>> list(components(arena))
    [Component(order=(2,), cuts=()), Component(order=(1,), cuts=(0,))]

    Linear in the transitions; about 0.8 µs each on CPython 3.11.
    """
    n = len(arena)
    # 0: not seen; above 0: on the stack, its number in order of arrival; n + 1: in a component
    low = [0] * n
    finished = [0] * n  # the number in order of finishing, from 1
    arrivals, finishes = 0, 0
    stack: list[int] = []
    taken = n + 1
    wraps = arena.changes_sides
    for root in range(n):
        if low[root]:
            continue
        arrivals += 1
        low[root] = arrivals
        stack.append(root)
        path = [(root, arrivals, iter(arena.successors(root)))]
        while path:
            state, arrival, rest = path[-1]
            least = low[state]
            for target in rest:
                if wraps and target >= n:
                    target -= n
                seen = low[target]
                if not seen:
                    arrivals += 1
                    low[target] = arrivals
                    stack.append(target)
                    path.append((target, arrivals, iter(arena.successors(target))))
                    break
                least = min(least, seen)
            else:
                low[state] = least
                finishes += 1
                finished[state] = finishes
                path.pop()
                if least == arrival:
                    members = [stack.pop()]
                    while members[-1] != state:
                        members.append(stack.pop())
                    yield _component(arena, members, finished, n)
                    for member in members:
                        low[member] = taken
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], least)
                continue
            low[state] = least


def _component(arena: Arena, members: list[int], finished: list[int], n: int) -> Component:
    if len(members) == 1:
        state = members[0]
        loops = any(target % n == state for target in arena.successors(state))
        return Component((), (state,)) if loops else Component((state,), ())
    inside = set(members)
    members.sort(key=finished.__getitem__)
    cuts = {
        target % n
        for state in members
        for target in arena.successors(state)
        if target % n in inside and finished[target % n] >= finished[state]
    }
    if len(cuts) > _MANY_CUTS and len(members) <= _SMALL_COMPONENT:
        return _fewer_cuts(arena, members, inside, cuts)
    order = tuple(state for state in members if state not in cuts)
    return Component(order, tuple(state for state in members if state in cuts))


def _fewer_cuts(arena: Arena, members: list[int], inside: set[int], cuts: set[int]) -> Component:
    """Order a component around the smaller of two sets of cut states."""
    import networkx as nx  # takes 0.1 s to load, so only where it is wanted

    n = len(arena)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(members)
    graph.add_edges_from(
        (state, target % n)
        for state in members
        for target in arena.successors(state)
        if target % n in inside
    )
    other = set(cut_states(graph))
    fewest = other if len(other) < len(cuts) else cuts
    rest = graph.subgraph(state for state in members if state not in fewest)
    order = tuple(reversed(list(nx.topological_sort(rest))))
    return Component(order, tuple(state for state in members if state in fewest))


def cut_states(graph: "nx.DiGraph[int]") -> list[int]:
    """Find a small set of states without which the graph has no cycle.

    The reductions of Levy and Low (1988): a state without successors or predecessors lies on no
    cycle; a state with a loop must be cut; a state with one successor or one predecessor is
    contracted into it. Where none applies, the state with most pairs of predecessor and successor
    is cut. Finding the smallest set is NP-hard; any set gives the right values.

    >>> import networkx as nx
    >>> cut_states(nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 1)]))
    [2]
    """
    after = {state: set(graph.successors(state)) for state in graph}
    before = {state: set(graph.predecessors(state)) for state in graph}
    cuts: list[int] = []

    def drop(state: int) -> set[int]:
        touched = (after[state] | before[state]) - {state}
        for successor in after.pop(state):
            before.get(successor, set()).discard(state)
        for predecessor in before.pop(state):
            after.get(predecessor, set()).discard(state)
        return touched

    waiting = set(after)
    while after:
        while waiting:
            state = waiting.pop()
            if state not in after:
                continue
            if state in after[state]:
                cuts.append(state)
                waiting |= drop(state)
            elif len(after[state]) <= 1 or len(before[state]) <= 1:
                successors, predecessors = after[state], before[state]
                for predecessor in predecessors:
                    after[predecessor] |= successors
                for successor in successors:
                    before[successor] |= predecessors
                waiting |= drop(state)
        if after:
            state = max(
                after, key=lambda vertex: (len(after[vertex]) * len(before[vertex]), vertex)
            )
            cuts.append(state)
            waiting |= drop(state)
    return sorted(cuts)
