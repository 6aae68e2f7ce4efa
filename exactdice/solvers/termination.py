r"""Who can end play, and the ranking that proves it.

A ranking gives every state a whole number: 0 to terminal states, and to every other state one more
than the least rank among the successors of its chosen move. If a policy has one, then from every
state the next step lowers the rank with positive probability, so that within as many steps as the
greatest rank play ends with a probability bounded away from 0; repeated for ever, it ends with
probability 1. In a finite process the converse holds too: a policy is proper exactly when it has a
ranking. It is found by a search backwards from the terminal states, in time linear in the number
of transitions.
"""

from collections.abc import Collection, Sequence

from exactdice.errors import Unquoted
from exactdice.solvers.process import DecisionProcess, Move, NoValueError, State

__all__ = ["closing_policy", "named", "proper_policy", "ranking"]

Offers = Sequence[Sequence[Move]]


def ranking(moves: Sequence[Move | None]) -> list[int | None]:
    """Rank every state under a policy given in index form.

    Parameters
    ----------
    moves
        The chosen move of each state; None for terminal states.

    Returns
    -------
    list of int or None
        Least number of steps in which play can end; None where it cannot end at all.
    """
    return _search([() if move is None else (move,) for move in moves], _terminal(moves))[0]


def closing_policy(
    offers: Offers, terminal: Sequence[bool]
) -> tuple[list[int | None], list[int | None]]:
    """Choose in every state a move that can bring the end nearer, among those offered.

    Parameters
    ----------
    offers
        The moves that may be chosen in each state.
    terminal
        Whether play has ended in each state. A state that is not terminal and is offered nothing
        is a dead end.

    Returns
    -------
    ranks
        Least number of steps in which play can end if choices and dice both help.
    places
        The place of a chosen move: the first, in the order offered, with a successor of lower rank.
        None for terminal states and where the end is out of reach.
    """
    return _search(offers, terminal)


def _terminal(offers: Sequence[object]) -> list[bool]:
    return [not offered for offered in offers]


def _search(offers: Offers, terminal: Sequence[bool]) -> tuple[list[int | None], list[int | None]]:
    predecessors: list[list[int]] = [[] for _ in offers]
    for state, offered in enumerate(offers):
        for target in {target for move in offered for target in move.targets}:
            predecessors[target].append(state)
    ranks: list[int | None] = [None] * len(offers)
    layer = [state for state, ended in enumerate(terminal) if ended]
    for state in layer:
        ranks[state] = 0
    distance = 0
    while layer:
        distance += 1
        reached = []
        for target in layer:
            for state in predecessors[target]:
                if ranks[state] is None:
                    ranks[state] = distance
                    reached.append(state)
        layer = reached
    places: list[int | None] = [None] * len(offers)
    for state, offered in enumerate(offers):
        rank = ranks[state]
        if rank:
            places[state] = next(
                place
                for place, move in enumerate(offered)
                if any(ranks[target] == rank - 1 for target in move.targets)
            )
    return ranks, places


def proper_policy(process: DecisionProcess[State]) -> list[int | None]:
    """Find a policy under which play ends with probability 1 from every state.

    A choice that may lead to a state from which play cannot surely be ended is struck out, until
    nothing more is: what is left reaches the end surely from every state that still has a choice.

    Returns
    -------
    list of int or None
        The place of the chosen move of each state, None for terminal states.

    Raises
    ------
    NoValueError
        If there is none; the text names the states from which play cannot surely be ended.

    Examples
    --------
    >>> from exactdice.solvers.process import Choice, point_mass
    >>> loop = [Choice("wait", 0, point_mass(0)), Choice("stop", 0, point_mass("end"))]
    >>> proper_policy(DecisionProcess({0: loop, "end": []}))
    [1, None]

    Notes
    -----
    Each pass is linear in the number of transitions; passes are at most one more than the states.
    """
    terminal = _terminal(process.moves)
    dead = [False] * len(process.states)
    while True:
        kept = [
            [place for place, move in enumerate(offered) if not any(dead[t] for t in move.targets)]
            for offered in process.moves
        ]
        offers = [
            [offered[place] for place in places]
            for offered, places in zip(process.moves, kept, strict=True)
        ]
        ranks, chosen = _search(offers, terminal)
        lost = [rank is None for rank in ranks]
        if lost == dead:
            break
        dead = lost
    if any(dead):
        states = [process.states[state] for state, is_dead in enumerate(dead) if is_dead]
        raise NoValueError(
            f"process: has no value; no policy ends play with probability 1 from {named(states)}"
        )
    return [
        None if place is None else places[place] for place, places in zip(chosen, kept, strict=True)
    ]


def named(states: Collection[object]) -> Unquoted:
    """Name a few states in a sentence, and say how many more there are."""
    shown = ", ".join(repr(state) for state in list(states)[:3])
    more = len(states) - 3
    return Unquoted(f"{shown} and {more} more states" if more > 0 else shown)
