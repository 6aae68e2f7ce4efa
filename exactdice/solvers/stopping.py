r"""Who can make play end: rankings of an arena.

Fix one move in every state. Play ends with probability 1 if every state can be given a rank, 0 at
the ends, such that each fixed move has a successor of lower rank: then within as many steps as the
greatest rank play ends with a probability bounded away from 0. If a player is left *free*, it ends
whatever that player does if in that player's states every move has a successor of lower rank.

Both free players are treated at once: node s is state s with MAX free and MIN fixed, node n + s
state s with MIN free and MAX fixed. Where an arena changes sides, so does the free player. Ranks
are found by a search backwards from the ends, whole layers at a time with numpy's integers.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from exactdice.solvers.arena import BOTH, END, MAX, MIN, Arena, Mixed

__all__ = [
    "avoiding_moves",
    "closing_moves",
    "ranks_against_free",
    "ranks_of_policy",
]

Obliged = Callable[[int], Iterable[Sequence[int]]]  # the sets of successors that must hold a lower


def ranks_of_policy(arena: Arena, chosen: Sequence[int]) -> list[int]:
    """Rank every state under fixed moves; −1 where play does not surely end.

    Examples
    --------
    >>> from gmpy2 import mpq
    >>> arena = Arena()
    >>> arena.open(MAX); arena.move(mpq(0), (1,), (0,)); arena.move(mpq(0), (1, 1), (0, 1))
    >>> arena.end(mpq(0))
    >>> ranks_of_policy(arena, [1, -1]), ranks_of_policy(arena, [0, -1])
    ([1, 0], [-1, 0])
    """
    n = len(arena)
    mirror = n if arena.changes_sides else 0

    def obliged(node: int) -> Iterable[Sequence[int]]:
        heads = _heads(arena, chosen[node])
        return ([t - n if t >= n else t for t in heads] if mirror else heads,)

    return _ranks(arena, n, obliged)


def ranks_against_free(
    arena: Arena, chosen: Sequence[int], mixed: Mapping[int, Mixed] | None = None
) -> tuple[list[int], list[int]]:
    """Rank every state with MAX free and the rest fixed, and with MIN free; −1 where none is.

    Parameters
    ----------
    arena
        Any arena.
    chosen
        The number of the fixed move of each state of chance or of one owner.
    mixed
        The fixed strategies in the states of `BOTH`: whatever the free player chooses there, some
        choice of positive probability must be able to bring the end nearer.
    """
    n = len(arena)
    fixed = mixed or {}

    def obliged(node: int) -> Iterable[Sequence[int]]:
        state = node % n
        owner = arena.owners[state]
        if owner == BOTH:
            sets = _matrix_sets(arena, state, fixed[state], row_is_free=node < n)
        else:
            free = owner == (MAX if node < n else MIN)
            sets = [_heads(arena, m) for m in (arena.moves(state) if free else (chosen[state],))]
        for heads in sets:
            yield heads if node < n else [(t + n) % (2 * n) for t in heads]

    ranks = _ranks(arena, 2 * n, obliged)
    return ranks[:n], ranks[n:]


def _matrix_sets(
    arena: Arena, state: int, strategies: Mixed, *, row_is_free: bool
) -> list[Sequence[int]]:
    """For each choice of the free player all successors that the other's strategy can lead to."""
    width, first = arena.columns[state], arena.first_move[state]
    row, column = strategies
    if row_is_free:
        pairs = [[(i, j) for j, q in enumerate(column) if q] for i in range(len(row))]
    else:
        pairs = [[(i, j) for i, p in enumerate(row) if p] for j in range(width)]
    return [
        [target for i, j in listed for target in _heads(arena, first + i * width + j)]
        for listed in pairs
    ]


def closing_moves(arena: Arena, offers: Callable[[int], Iterable[int]]) -> list[int]:
    """Choose in every state the first move offered that can bring the end nearer; −1 for none."""
    n = len(arena)
    before: list[list[int]] = [[] for _ in range(n)]
    for state in range(n):
        for target in {t % n for move in offers(state) for t in _heads(arena, move)}:
            before[target].append(state)
    distance = [0 if owner == END else -1 for owner in arena.owners]
    layer = [state for state in range(n) if not distance[state]]
    for state in layer:  # grows: a search breadth first
        for earlier in before[state]:
            if distance[earlier] < 0:
                distance[earlier] = distance[state] + 1
                layer.append(earlier)
    chosen = [-1] * n
    for state in range(n):
        if distance[state] > 0:
            chosen[state] = next(
                move
                for move in offers(state)
                if any(distance[t % n] == distance[state] - 1 for t in _heads(arena, move))
            )
    return chosen


def _heads(arena: Arena, move: int) -> Sequence[int]:
    return arena.targets[arena.first_target[move] : arena.first_target[move + 1]]


def _ranks(arena: Arena, nodes: int, obliged: Obliged) -> list[int]:
    """Rank nodes, each when the last of its obliged sets of successors has a ranked one."""
    import numpy as np

    n = len(arena)
    heads, sizes, owners_of_sets = _sets(arena, nodes, obliged)
    sets = len(owners_of_sets)
    set_of_head = np.repeat(np.arange(sets), sizes)
    by_head = np.argsort(heads, kind="stable")
    first = np.searchsorted(heads[by_head], np.arange(nodes + 1))
    sets_by_head = set_of_head[by_head]
    del heads, by_head, set_of_head
    waiting = np.bincount(owners_of_sets, minlength=nodes)
    hit = np.zeros(sets, dtype=bool)
    ranks = np.full(nodes, -1)
    layer = np.array([node for node in range(nodes) if arena.owners[node % n] == END], dtype=int)
    rank = 0
    while len(layer):
        ranks[layer] = rank
        rank += 1
        lengths = first[layer + 1] - first[layer]
        starts = np.repeat(first[layer] - np.cumsum(lengths) + lengths, lengths)
        reached = np.unique(sets_by_head[starts + np.arange(len(starts))])
        reached = reached[~hit[reached]]
        hit[reached] = True
        owners, times = np.unique(owners_of_sets[reached], return_counts=True)
        waiting[owners] -= times
        layer = owners[waiting[owners] == 0]
    return list(map(int, ranks))


def _sets(arena: Arena, nodes: int, obliged: Obliged) -> tuple[Any, Any, Any]:
    """All obliged sets: their members one after another, their sizes, the nodes that they bind."""
    import numpy as np

    members, sizes, bound = array("q"), array("q"), array("q")
    n = len(arena)
    for node in range(nodes):
        if arena.owners[node % n] != END:
            for heads in obliged(node):
                members.extend(heads)
                sizes.append(len(heads))
                bound.append(node)
    return np.array(members, dtype=int), np.array(sizes, dtype=int), np.array(bound, dtype=int)


def avoiding_moves(arena: Arena, goal: Collection[int]) -> dict[int, int]:
    """States from which MIN can surely avoid a goal for ever, each with a move.

    The largest set of states outside the goal in which every state of MIN has a move that stays in
    the set or ends play, and every other state has no move that does not.
    """
    n = len(arena)
    before: list[list[int]] = [[] for _ in range(n)]  # moves by successor
    owner_of_move = [0] * len(arena.law)
    good = [0] * n  # moves that stay in the set
    for state in range(n):
        if arena.owners[state] != END:
            good[state] = len(arena.moves(state))
            for move in arena.moves(state):
                owner_of_move[move] = state
                for target in set(_heads(arena, move)):
                    before[target % n].append(move)
    spoilt = set()
    out = [state in goal for state in range(n)]
    waiting = list(goal)
    while waiting:
        for move in before[waiting.pop()]:
            if move not in spoilt:
                spoilt.add(move)
                state = owner_of_move[move]
                good[state] -= 1
                lost = not good[state] or arena.owners[state] != MIN
                if lost and not out[state]:
                    out[state] = True
                    waiting.append(state)
    return {
        state: next(move for move in arena.moves(state) if move not in spoilt)
        for state in range(n)
        if not out[state] and arena.owners[state] != END
    }
