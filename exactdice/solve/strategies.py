r"""Policies under which play ends: found where strategies do not settle, and chosen among ties.

Which policies count. For a player alone the value is the greatest expected total reward over the
*proper* policies, those under which play ends with probability 1 from every state; one that stays
away from the end for ever, however little that costs it, does not count. The value exists exactly
when some policy is proper and no cycle that a policy can keep to gains on average.

A component in which one side chooses is solved by Howard's policy iteration from a policy that
leaves it: evaluate, switch each state in which some move returns strictly more, until there is
none. Then either the new policy leaves too and is nowhere worse, or it has a recurrent class in
which a move was switched; averaged over that class by its stationary law the reward is positive,
play may stay as long as it likes, and no finite value exists.

A component in which both choose is solved by strategy iteration (Hoffman and Karp 1966): moves of
MAX that make play leave the component whatever MIN does are held fixed, MIN's best reply is found,
and MAX's moves are switched only where another one returns more. Where rewards are 0, as in the
chance to reach a goal, such moves of MAX keep play ending: in a circle that can be kept to for ever
the values are all equal, so that nothing was switched there.

References
----------
Howard, *Dynamic Programming and Markov Processes* (1960). Bertsekas and Tsitsiklis, "An analysis of
stochastic shortest path problems", *Mathematics of Operations Research* 16 (1991).
"""

from collections.abc import Callable, Sequence
from typing import Any

from exactdice.solve.arena import MAX, MIN, Arena
from exactdice.solve.cycles import Cycle
from exactdice.solve.errors import NoValueError, named
from exactdice.solve.newton import one_side
from exactdice.solve.stopping import closing_moves, ranks_against_free, ranks_of_policy

_MAX_IMPROVEMENTS = 200


def policy_of_component(cycle: Cycle, names: Sequence[Any]) -> dict[int, int]:
    """Solve a component by moves that make play leave it.

    Raises NoValueError if there are none, or play can gain without bound.
    """
    states = cycle.states
    side = one_side(cycle.arena, states)
    if side is None:
        return _by_strategies(cycle, names)
    chosen = _leaving_moves(cycle, against=None)
    if chosen is None:
        raise _endless(names, states)
    try:
        return _improved(cycle, side, chosen)
    except ZeroDivisionError:
        raise NoValueError(
            "model: has no finite value; play can gain without bound among "
            f"{named([names[state] for state in states])}"
        ) from None


def _improved(cycle: Cycle, side: int, chosen: dict[int, int]) -> dict[int, int]:
    """Switch the moves of one side where others return more, until none does."""
    while True:
        cycle.evaluate(chosen)
        better = cycle.better(side)
        if not better:
            return chosen
        chosen = chosen | better


def _by_strategies(cycle: Cycle, names: Sequence[Any]) -> dict[int, int]:
    """Improve MAX's moves against MIN's best replies until nothing improves."""
    chosen = None if cycle.arena.changes_sides else _leaving_moves(cycle, against=MIN)
    try:
        for _ in range(_MAX_IMPROVEMENTS if chosen else 0):
            chosen = _improved(cycle, MIN, chosen or {})
            better = cycle.better(MAX)
            if not better:
                return chosen
            chosen = chosen | better
    except ZeroDivisionError:
        pass
    raise undecided(names, cycle.states)


def _leaving_moves(cycle: Cycle, against: int | None) -> dict[int, int] | None:
    """Moves by which play leaves a component, whatever one side does; None where there are none.

    A search backwards from what lies outside: a state is done when one of its moves, or each where
    it belongs to the side played against, leads outside or to a state done before.
    """
    arena = cycle.arena
    place = set(cycle.states)
    before: dict[int, list[tuple[int, int]]] = {state: [] for state in place}
    missing, waiting = {}, []
    for state in cycle.states:
        moves = arena.moves(state)
        missing[state] = len(moves) if arena.owners[state] == against else 1
        for move in moves:
            heads = {target % len(arena) for target, _ in arena.leads(move)}
            if heads <= place:
                for head in heads:
                    before[head].append((state, move))
            else:
                waiting.append((state, move))
    chosen: dict[int, int] = {}
    near = set()
    for state, move in waiting:  # grows: a search breadth first
        if move not in near and missing[state]:
            near.add(move)
            chosen.setdefault(state, move)
            missing[state] -= 1
            if not missing[state]:
                waiting += before[state]
    return None if any(missing.values()) else chosen


def _endless(names: Sequence[Any], states: Sequence[int]) -> NoValueError:
    """Say of states that nobody can surely end play there."""
    return NoValueError(
        "model: no policy ends play with probability 1 from "
        f"{named([names[state] for state in states])}"
    )


def undecided(names: Sequence[Any], states: Sequence[int]) -> NoValueError:
    """Say of states that what endless play among them is worth is not said."""
    return NoValueError(
        f"model: play can go on for ever among {named([names[state] for state in states])}, "
        "and what that is worth is not said"
    )


def settle_policy(
    arena: Arena,
    first: Sequence[int],
    ties: dict[int, tuple[int, ...]],
    guess: Sequence[int],
    names: Sequence[Any],
    *,
    to_goal: bool = False,
) -> Sequence[int]:
    """Choose among tied moves so that play ends.

    The first of each tie where that makes play end; else those of the guess; else the first of
    each that can bring the end nearer. With two players, play has to end against either free one;
    where a goal is to be reached, against a free MIN.

    Raises NoValueError if none of the three does.
    """
    two = arena.changes_sides or (arena.is_owned(MAX) and arena.is_owned(MIN))
    candidates: list[Callable[[], Sequence[int]]] = [lambda: first]
    if ties:
        candidates += [
            lambda: [
                after if before >= 0 and after in ties.get(state, ()) else before
                for state, (before, after) in enumerate(zip(first, guess, strict=True))
            ],
            lambda: closing_moves(
                arena, lambda state: ties.get(state, () if first[state] < 0 else (first[state],))
            ),
        ]
    for candidate in candidates:
        chosen = candidate()
        if two:
            max_free, min_free = ranks_against_free(arena, chosen)
            ranks = min_free if to_goal else list(map(min, max_free, min_free))
        else:
            ranks = ranks_of_policy(arena, chosen)
        if -1 not in ranks:
            return chosen
    endless = [state for state, rank in enumerate(ranks) if rank < 0]
    if two:
        raise undecided(names, endless)
    raise _endless(names, endless)
