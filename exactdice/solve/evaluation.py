r"""Exact value of a proper policy.

Under a fixed policy a process is an absorbing chain, and its values solve :math:`v = r + P v`,
which has exactly one solution when the policy is proper. The system is taken apart first:

1. strongly connected components (networkx), sinks first, so that a component sees only values that
   are known already; a component of one state without a loop is a single sum;
2. in a component with a cycle, a set of *cut* states is found that meets every cycle. Along the
   other states, in topological order, every value is an affine function of the cut values, with
   python-flint's rational polynomials as vectors of coefficients;
3. the cut states alone give a dense rational system, solved by FLINT's Dixon lifting.

A component of n states and m transitions with c cut states costs O(m·c) rational operations and
one solve with c unknowns, where c is often far below n.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from flint import fmpq, fmpq_mat, fmpq_poly

from exactdice.arithmetic import from_flint, mpq, mpz, to_flint

if TYPE_CHECKING:
    import networkx as nx


class Move(NamedTuple):
    """A choice over one denominator, its successors by index.

    It pays ``reward/denominator`` and leads to ``targets[k]`` with probability
    ``weights[k]/denominator``.
    """

    reward: mpz
    denominator: mpz
    targets: tuple[int, ...]
    weights: tuple[mpz, ...]

    def expected_return(self, values: Sequence[mpq]) -> mpq:
        """Return reward plus expected value of the successor."""
        if len(self.targets) == 1:
            return mpq(self.reward, self.denominator) + values[self.targets[0]]
        total = mpq(self.reward)
        for target, weight in zip(self.targets, self.weights, strict=True):
            total += weight * values[target]
        return total / self.denominator


def evaluate(moves: Sequence[Move | None]) -> list[mpq]:
    """Solve v = r + P v for the chosen moves of a proper policy.

    A walk that pays 1 a step and ends with probability 1/3 lasts 3 steps:

    >>> evaluate([Move(mpz(3), mpz(3), (0, 1), (mpz(2), mpz(1))), None])
    [mpq(3,1), mpq(0,1)]
    """
    import networkx as nx  # takes 0.1 s to load, so only where something is solved

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(moves)))
    for state, move in enumerate(moves):
        if move is not None:
            graph.add_edges_from((state, target) for target in move.targets)
    values = [mpq(0)] * len(moves)
    condensation = nx.condensation(graph)
    for component in reversed(list(nx.topological_sort(condensation))):
        members = condensation.nodes[component]["members"]
        if len(members) == 1:
            (state,) = members
            _evaluate_single(state, moves[state], values)
        else:
            _evaluate_cyclic(graph.subgraph(members), moves, values)
    return values


def _evaluate_single(state: int, move: Move | None, values: list[mpq]) -> None:
    if move is None:
        return
    if state not in move.targets:
        values[state] = move.expected_return(values)
        return
    staying = mpq(move.weights[move.targets.index(state)], move.denominator)
    values[state] = move.expected_return(values) / (1 - staying)  # values[state] is still 0


def _evaluate_cyclic(
    component: "nx.DiGraph[int]", moves: Sequence[Move | None], values: list[mpq]
) -> None:
    import networkx as nx

    cuts = cut_states(component)
    unknown = {state: 1 + column for column, state in enumerate(cuts)}
    forms = {
        state: fmpq_poly([0] * column + [1]) for state, column in unknown.items()
    }  # column 0 holds the constant
    rest = component.subgraph(state for state in component if state not in unknown)
    order = list(reversed(list(nx.topological_sort(rest))))

    def affine(state: int) -> fmpq_poly:
        move = _chosen(moves, state)
        total, constant = fmpq_poly(), mpq(move.reward)
        for target, weight in zip(move.targets, move.weights, strict=True):
            if target in component:
                total += int(weight) * forms[target]
            else:
                constant += weight * values[target]
        return (total + to_flint(constant)) / int(move.denominator)

    for state in order:
        forms[state] = affine(state)
    size = len(cuts)
    system = fmpq_mat(size, size)
    constants = fmpq_mat(size, 1)
    for row, state in enumerate(cuts):
        coefficients = affine(state).coeffs()
        coefficients += [fmpq(0)] * (size + 1 - len(coefficients))
        constants[row, 0] = coefficients[0]
        for column in range(size):
            system[row, column] = (1 if row == column else 0) - coefficients[1 + column]
    solution = system.solve(constants, algorithm="dixon")  # type: ignore[call-arg]
    for row, state in enumerate(cuts):
        values[state] = from_flint(solution[row, 0])
    for state in order:
        values[state] = _chosen(moves, state).expected_return(values)


def _chosen(moves: Sequence[Move | None], state: int) -> Move:
    move = moves[state]
    if move is None:
        raise AssertionError("a terminal state lies on no cycle")
    return move


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
