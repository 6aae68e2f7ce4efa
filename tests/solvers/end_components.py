"""End components: sets of states that some policy never has to leave.

An end component is a set of states with a set of moves for each such that every move stays inside
and all states can reach one another by them. The maximal ones are disjoint; play that goes on for
ever stays in one of them from some time on.
"""

from collections.abc import Callable, Sequence

from exactdice.solvers.process import Choice, DecisionProcess, Move, State

__all__ = ["collapse", "end_components"]


def end_components(
    process: DecisionProcess[State], counts: Callable[[Move], bool] = lambda _: True
) -> list[frozenset[int]]:
    """Maximal end components, by index, that use only moves that count.

    Strongly connected components (networkx), with the moves that leave them struck out, until none
    does; each pass is linear in the transitions, and there are at most as many as states.

    Examples
    --------
    >>> from exactdice.solvers.process import point_mass
    >>> process = DecisionProcess(
    ...     {0: [Choice("go", 0, point_mass(1))], 1: [Choice("back", 0, point_mass(0)),
    ...      Choice("stop", 1, point_mass(2))], 2: []})
    >>> end_components(process)
    [frozenset({0, 1})]
    """
    import networkx as nx  # takes 0.1 s to load, so only where something is solved

    inside = [[move for move in offered if counts(move)] for offered in process.moves]
    while True:
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(inside)))
        for state, offered in enumerate(inside):
            graph.add_edges_from((state, target) for move in offered for target in move.targets)
        components = list(nx.strongly_connected_components(graph))
        label = {state: i for i, component in enumerate(components) for state in component}
        staying = [
            [move for move in offered if all(label[t] == label[state] for t in move.targets)]
            for state, offered in enumerate(inside)
        ]
        if staying == inside:
            return [
                frozenset(component)
                for component in components
                if all(inside[state] for state in component)
            ]
        inside = staying


def collapse(
    process: DecisionProcess[State],
    components: Sequence[frozenset[int]],
    drops: Callable[[Move], bool] = lambda _: True,
) -> tuple[DecisionProcess[int], list[int]]:
    """Merge each component into one state.

    Parameters
    ----------
    process
        The process.
    components
        Disjoint sets of states, by index.
    drops
        Which moves to leave out, of those that stay within one component.

    Returns
    -------
    quotient
        The process on representatives; an action is a pair (state index, place of its move).
    representative
        The state of the quotient that stands for each state.
    """
    representative = list(range(len(process.states)))
    within: dict[int, frozenset[int]] = {}
    for component in components:
        for state in component:
            representative[state] = min(component)
            within[state] = component
    choices: dict[int, list[Choice[int]]] = {state: [] for state in sorted(set(representative))}
    for state, name in enumerate(process.states):
        component = within.get(state, frozenset())
        for place, (move, choice) in enumerate(
            zip(process.moves[state], process.choices(name), strict=True)
        ):
            if not (drops(move) and component.issuperset(move.targets)):
                successors = choice.successors.map(lambda t: representative[process.index[t]])
                choices[representative[state]].append(
                    Choice((state, place), choice.reward, successors)
                )
    return DecisionProcess(choices), representative
