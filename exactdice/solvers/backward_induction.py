"""Backward induction: exact values of an acyclic decision process in one sweep.

If no sequence of moves can return to a state, the states have an order in which every successor
comes before the states that lead to it (networkx), and each value is a maximum over values that are
known: one product for each transition.
"""

from typing import TYPE_CHECKING

from gmpy2 import mpq

from exactdice.solvers.process import CycleError, DecisionProcess, State
from exactdice.solvers.solution import Solution, solution_from_values

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["backward_induction", "move_graph"]


def move_graph(process: DecisionProcess[State]) -> "nx.DiGraph[int]":
    """Graph of the states by index, with an edge wherever some choice may lead."""
    import networkx as nx  # takes 0.1 s to load, so only where something is solved

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(process.states)))
    for state, offered in enumerate(process.moves):
        graph.add_edges_from((state, target) for move in offered for target in move.targets)
    return graph


def backward_induction(process: DecisionProcess[State]) -> Solution[State]:
    """Solve an acyclic process exactly.

    Raises
    ------
    CycleError
        If play can return to a state; the text names the states of one cycle in order.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> from exactdice.solvers.process import Choice, DecisionProcess, point_mass
    >>> throws = {face: [Choice("keep", face, point_mass(0)), Choice("throw", 0, fair(6).map(
    ...     lambda result: -result))] for face in range(1, 7)}
    >>> last = {-face: [Choice("keep", face, point_mass(0))] for face in range(1, 7)}
    >>> solution = backward_induction(DecisionProcess(throws | last | {0: []}))
    >>> solution.values[3], solution.policy[3], solution.policy[4]
    (mpq(7,2), 'throw', 'keep')
    """
    import networkx as nx

    graph = move_graph(process)
    try:
        order = list(nx.topological_sort(graph))
    except nx.NetworkXUnfeasible:
        cycle = " → ".join(repr(process.states[a]) for a, _ in nx.find_cycle(graph))
        raise CycleError(
            f"process: has the cycle {cycle} → (again); backward induction needs an acyclic one, "
            "policy iteration does not"
        ) from None
    values = [mpq(0)] * len(process.states)
    for state in reversed(order):
        offered = process.moves[state]
        if offered:
            values[state] = max(move.expected_return(values) for move in offered)
    return solution_from_values(process, values, "backward induction", 1)
