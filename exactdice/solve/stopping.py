r"""Who can make play end: rankings of an arena, and policies under which play ends.

Fix one move in every state. Play ends with probability 1 if every state can be given a rank, 0 at
the ends, such that each fixed move has a successor of lower rank: then within as many steps as the
greatest rank play ends with a probability bounded away from 0. If a player is left *free*, it ends
whatever that player does if in that player's states every move has a successor of lower rank.

Both free players are treated at once: node s is state s with MAX free and MIN fixed, node n + s
state s with MIN free and MAX fixed. Where an arena changes sides, so does the free player. Ranks
are found by a search backwards from the ends.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from exactdice.solve.arena import BOTH, END, MAX, MIN, Arena, Mixed, NoValueError, named

Obliged = Callable[[int], Iterable[Sequence[int]]]  # the sets of successors that must hold a lower


def ranks_of_policy(arena: Arena, chosen: Sequence[int]) -> list[int]:
    """Rank every state under fixed moves; −1 where play does not surely end.

    >>> from exactdice.arithmetic import mpq
    >>> arena = Arena()
    >>> arena.open(MAX); arena.move(mpq(0), (1,), (0,)); arena.move(mpq(0), (1, 1), (0, 1))
    >>> arena.end(mpq(0))
    >>> ranks_of_policy(arena, [1, -1]), ranks_of_policy(arena, [0, -1])
    ([1, 0], [-1, 0])
    """
    return ranks_along(arena, lambda state: (chosen[state],))


def ranks_along(arena: Arena, moves: Callable[[int], Iterable[int]]) -> list[int]:
    """Rank every state so that each of some moves of it leads to lower rank; −1 for none."""
    n = len(arena)

    def obliged(state: int) -> Iterable[Sequence[int]]:
        for move in moves(state):
            heads = arena.heads(move)
            yield [t - n if t >= n else t for t in heads] if arena.changes_sides else heads

    return ranked(n, arena.payoffs, obliged)


def ranks_against_free(
    arena: Arena, chosen: Sequence[int], mixed: Mapping[int, Mixed] | None = None
) -> tuple[list[int], list[int]]:
    """Rank every state with MAX free and the rest fixed, and with MIN free; −1 where none is."""
    ranks = _ranks_of_views(arena, lambda state: (chosen[state],), mixed or {})
    return ranks[: len(arena)], ranks[len(arena) :]


def closing_moves(
    arena: Arena,
    offers: Callable[[int], Sequence[int]],
    mixed: Mapping[int, Mixed] | None = None,
) -> list[int]:
    """Choose among the moves offered those by which each side ends play, any other being free.

    In every state the first one that leads to lower rank, or the first where none does; −1 at ends
    and where both choose at once, who have the strategies of `mixed`.
    """
    n = len(arena)
    ranks = _ranks_of_views(arena, offers, mixed or {})

    def chosen(state: int) -> int:
        node = state if arena.owners[state] == MIN else n + state
        for move in offers(state):
            if any(0 <= ranks[t] < ranks[node] for t in _seen_from(node, n, arena.heads(move))):
                return move
        return offers(state)[0]

    return [
        -1 if owner in (END, BOTH) else chosen(state) for state, owner in enumerate(arena.owners)
    ]


def _seen_from(node: int, n: int, heads: Sequence[int]) -> Sequence[int]:
    """Successors as nodes: the same player stays free, the sides being changed or not."""
    return heads if node < n else [(t + n) % (2 * n) for t in heads]


def _ranks_of_views(
    arena: Arena, offers: Callable[[int], Sequence[int]], mixed: Mapping[int, Mixed]
) -> list[int]:
    """Rank all nodes where who is not free makes the best of the moves offered."""
    n = len(arena)

    def obliged(node: int) -> Iterable[Sequence[int]]:
        state = node % n
        owner = arena.owners[state]
        sets: Iterable[Sequence[int]]
        if owner == BOTH:
            sets = _matrix_sets(arena, state, mixed[state], row_is_free=node < n)
        elif owner == (MAX if node < n else MIN):
            sets = [arena.heads(move) for move in arena.moves(state)]
        else:
            sets = [[target for move in offers(state) for target in arena.heads(move)]]
        for heads in sets:
            yield _seen_from(node, n, heads)

    return ranked(2 * n, [end + shift for shift in (0, n) for end in arena.payoffs], obliged)


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
        [target for i, j in listed for target in arena.heads(first + i * width + j)]
        for listed in pairs
    ]


def ranked(nodes: int, done: Collection[int], obliged: Obliged) -> list[int]:
    """Rank nodes, each when the last of its obliged sets of successors has a ranked one.

    Those that are done have rank 0; others without a set have none.
    """
    before: list[list[int]] = [[] for _ in range(nodes)]  # the sets that a node is in
    bound: list[int] = []  # the node that each set binds
    waiting, ranks = [0] * nodes, [-1] * nodes
    for node in done:
        ranks[node] = 0
    for node in range(nodes):
        if ranks[node]:
            for heads in obliged(node):
                for head in heads:
                    before[head].append(len(bound))
                bound.append(node)
                waiting[node] += 1
    hit = bytearray(len(bound))
    reached = list(done)
    for node in reached:  # grows: a search breadth first
        for number in before[node]:
            if not hit[number]:
                hit[number] = 1
                owner = bound[number]
                waiting[owner] -= 1
                if not waiting[owner]:
                    ranks[owner] = ranks[node] + 1
                    reached.append(owner)
    return ranks


def avoiding_moves(arena: Arena, goal: Collection[int]) -> dict[int, int]:
    """States from which MIN can surely avoid a goal for ever, each with a move.

    The largest set of states outside the goal in which every state of MIN has a move that stays in
    the set or ends play, and every other state has no move that does not.
    """
    n = len(arena)

    def heads(move: int) -> list[int]:
        return [target % n for target in arena.heads(move)]

    def obliged(state: int) -> Iterable[Sequence[int]]:
        owner = arena.owners[state]
        each = [] if owner == END else [heads(move) for move in arena.moves(state)]
        return each if owner in (MIN, END) else [list(chain(*each))]

    ranks = ranked(n, goal, obliged)
    return {
        state: next(m for m in arena.moves(state) if all(ranks[t] < 0 for t in heads(m)))
        for state in range(n)
        if ranks[state] < 0 and arena.owners[state] != END
    }


def settle_policy(
    arena: Arena,
    first: Sequence[int],
    ties: Mapping[int, tuple[int, ...]],
    guess: Sequence[int],
    names: Sequence[Any],
    *,
    to_goal: bool = False,
    process: Any = None,
) -> Sequence[int]:
    """Choose among tied moves so that play ends.

    The first of each tie where that makes play end; else those of the guess; else the first of
    each that can bring the end nearer. With two players, play has to end against either free one;
    where a goal is to be reached, against a free MIN. `process`: the arena in C++, where it is.

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
            if process is None:
                max_free, min_free = ranks_against_free(arena, chosen)
            else:
                max_free, min_free = process.ranks_against_free(chosen).reshape(2, -1).tolist()
            ranks = min_free if to_goal else list(map(min, max_free, min_free))
        else:
            ranks = ranks_of_policy(arena, chosen)
        if -1 not in ranks:
            return chosen
    unranked = [state for state, rank in enumerate(ranks) if rank < 0]
    raise (undecided if two else endless)(names, unranked)


def endless(names: Sequence[Any], states: Sequence[int]) -> NoValueError:
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
