r"""Exact policy iteration for undiscounted processes with cycles.

Howard's iteration: evaluate a proper policy exactly, then switch each state whose value some move
strictly exceeds to the best such move; stop when there is none. Undiscounted, two things have to be
made sure of that a discount would give for nothing.

* *The policy stays proper.* Switching only on strict improvement, either the new policy is proper
  and nowhere worse, or it has a recurrent class in which some move was switched. Averaged over that
  class by its stationary law, :math:`r + P v - v` is positive, so the average reward is, and play
  may stay there as long as it likes before it ends: no finite value exists, and `NoValueError`
  names the class. Which of the two holds is established for every policy that is evaluated, by a
  search of the graph (`termination`).
* *The fixed point is the value.* When no move improves, :math:`v \ge r_\pi + P_\pi v` for every
  policy; iterate it along any proper one and :math:`v \ge v_\pi` follows. Cycles that gain nothing
  are harmless: they give ties, and ties are never switched.

Policies strictly improve and are finite in number, so the iteration ends. In practice it takes a
handful of evaluations; it starts from a policy found by sweeps in floating point.

References
----------
Howard, *Dynamic Programming and Markov Processes* (1960). Bertsekas and Tsitsiklis, "An analysis of
stochastic shortest path problems", *Mathematics of Operations Research* 16 (1991).
"""

from collections.abc import Mapping, Sequence

from gmpy2 import mpq

from exactdice.errors import InputError
from exactdice.solvers.evaluation import evaluate
from exactdice.solvers.floating import greedy_guess
from exactdice.solvers.process import Action, DecisionProcess, Move, NoValueError, State
from exactdice.solvers.solution import Solution, best_moves, solution_from_values
from exactdice.solvers.termination import named, proper_policy, ranking

__all__ = ["is_proper", "policy_iteration", "policy_values"]


def policy_iteration(
    process: DecisionProcess[State], start: Mapping[State, Action] | None = None
) -> Solution[State]:
    """Solve a process exactly, cycles or not.

    Parameters
    ----------
    process
        Any finite process.
    start
        A proper policy to start from; found by sweeps in floating point where None.

    Raises
    ------
    NoValueError
        If no policy is proper, or the value is infinite.
    InputError
        If `start` misses a state, names an action that is not there, or can go on for ever.

    Examples
    --------
    Throw a die at 1 point a throw until you like what you see:

    >>> from exactdice.dice import fair
    >>> from exactdice.solvers.process import Choice, point_mass
    >>> process = DecisionProcess(
    ...     {
    ...         face: [Choice("keep", face, point_mass("end")), Choice("throw", -1, fair(6))]
    ...         for face in range(1, 7)
    ...     }
    ...     | {"end": []}
    ... )
    >>> solution = policy_iteration(process)
    >>> [str(solution.values[face]) for face in range(1, 7)]
    ['3', '3', '3', '4', '5', '6']
    >>> solution.policy[3], solution.optimal_actions[3]
    ('keep', ('keep', 'throw'))
    """
    if start is None:
        places = _starting_policy(process)
    else:
        places = _read_policy(process, start)
        _check_proper(process, places)
    iterations = 0
    while True:
        moves = _moves(process, places)
        values = evaluate(moves)
        iterations += 1
        improved = [
            best[0] if best and returned > value else place
            for (returned, best), value, place in zip(
                best_moves(process, values), values, places, strict=True
            )
        ]
        if improved == places:
            return solution_from_values(process, values, "policy iteration", iterations)
        places = improved
        _check_bounded(process, places)


def policy_values(
    process: DecisionProcess[State], policy: Mapping[State, Action]
) -> dict[State, mpq]:
    """Expected total reward of one proper policy from every state.

    Raises
    ------
    InputError
        If the policy misses a state, names an action that is not there, or can go on for ever.

    Examples
    --------
    >>> from exactdice.dice import Distribution
    >>> from exactdice.solvers.process import Choice
    >>> walk = Choice("walk", 1, Distribution({0: 1, "end": 1}))
    >>> policy_values(DecisionProcess({0: [walk], "end": []}), {0: "walk"})
    {0: mpq(2,1), 'end': mpq(0,1)}
    """
    places = _read_policy(process, policy)
    _check_proper(process, places)
    return dict(zip(process.states, evaluate(_moves(process, places)), strict=True))


def is_proper(process: DecisionProcess[State], policy: Mapping[State, Action]) -> bool:
    """Tell whether a policy ends play with probability 1 from every state.

    Examples
    --------
    >>> from exactdice.solvers.process import Choice, point_mass
    >>> loop = [Choice("wait", 0, point_mass(0)), Choice("stop", 0, point_mass("end"))]
    >>> process = DecisionProcess({0: loop, "end": []})
    >>> is_proper(process, {0: "wait"}), is_proper(process, {0: "stop"})
    (False, True)
    """
    return None not in ranking(_moves(process, _read_policy(process, policy)))


def _moves(process: DecisionProcess[State], places: Sequence[int | None]) -> list[Move | None]:
    return [
        None if place is None else offered[place]
        for place, offered in zip(places, process.moves, strict=True)
    ]


def _read_policy(
    process: DecisionProcess[State], policy: Mapping[State, Action]
) -> list[int | None]:
    places: list[int | None] = []
    for state, offered in zip(process.states, process.moves, strict=True):
        if offered and state not in policy:
            raise InputError(
                "policy", named([state]), "an action for every state but terminal ones"
            )
        places.append(process.position(state, policy[state]) if offered else None)
    return places


def _check_proper(process: DecisionProcess[State], places: Sequence[int | None]) -> None:
    ranks = ranking(_moves(process, places))
    endless = [state for state, rank in zip(process.states, ranks, strict=True) if rank is None]
    if endless:
        raise InputError(
            "policy", named(endless), "a policy that ends play with probability 1 from every state"
        )


def _starting_policy(process: DecisionProcess[State]) -> list[int | None]:
    """Follow the guess wherever it can end play, and elsewhere a policy that is known to."""
    safe = proper_policy(process)
    guess = greedy_guess(process)
    if guess is None:
        return safe
    ranks = ranking(_moves(process, guess))
    return [
        careful if rank is None else guessed
        for careful, guessed, rank in zip(safe, guess, ranks, strict=True)
    ]


def _check_bounded(process: DecisionProcess[State], places: Sequence[int | None]) -> None:
    """Raise unless an improved policy is proper; see the module's first point."""
    moves = _moves(process, places)
    if None not in ranking(moves):
        return
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    for state, move in enumerate(moves):
        graph.add_edges_from((state, target) for target in (move.targets if move else ()))
    for component in nx.attracting_components(graph):
        if all(moves[state] is not None for state in component):
            states = [process.states[state] for state in sorted(component)]
            raise NoValueError(
                f"process: has no finite value; play can gain without bound among {named(states)}"
            )
    raise AssertionError("a policy that cannot end has a recurrent class")
