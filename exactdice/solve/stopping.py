"""Who can make play end: components and ranks of an arena, and policies under which play ends.

Fix one move in every state. Play ends with probability 1 if every state has a rank, 0 at the ends,
such that each fixed move has a successor of lower rank: then, within as many steps as the greatest
rank, play ends with a probability bounded away from 0. If a player is *free*, play ends whatever
that player does if in that player's states every move has a successor of lower rank.

Both free players are treated together: node s is state s with MAX free and MIN fixed, node n + s is
state s with MIN free and MAX fixed. If an arena changes sides, so does the free player. Ranks are
found by a search backwards from the ends.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from exactdice.solve.arena import BOTH, END, MAX, MIN, Arena, Mixed, NoValueError, named

Obliged = Callable[[int], Iterable[Sequence[int]]]  # the sets of successors that must hold a lower


def ranks_of_policy(arena: Arena, chosen: Sequence[int]) -> list[int]:
    """Rank every state under fixed moves; −1 if play may not end."""
    return ranks_along(arena, lambda state: (chosen[state],))


def ranks_along(arena: Arena, moves: Callable[[int], Iterable[int]]) -> list[int]:
    """Rank every state so that each of its given moves leads to a lower rank; −1 for none."""
    n = len(arena)

    def obliged(state: int) -> Iterable[Sequence[int]]:
        for move in moves(state):
            heads = arena.heads(move)
            yield [t - n if t >= n else t for t in heads] if arena.changes_sides else heads

    return ranked(n, arena.payoffs, obliged)


def ranks_against_free(
    arena: Arena, chosen: Sequence[int], mixed: Mapping[int, Mixed] | None = None
) -> tuple[list[int], list[int]]:
    """Rank every state with MAX free and the rest fixed, and with MIN free; −1 for none."""
    ranks = _ranks_of_views(arena, lambda state: (chosen[state],), mixed or {})
    return ranks[: len(arena)], ranks[len(arena) :]


def closing_moves(
    arena: Arena, offers: Callable[[int], Sequence[int]], mixed: Mapping[int, Mixed] | None = None
) -> list[int]:
    """Choose among offered moves those by which each side ends play against a free opponent.

    In every state this is the first one that leads to a lower rank, or the first one if none does;
    −1 at ends and at simultaneous moves, which have the strategies of `mixed`.
    """
    n = len(arena)
    ranks = _ranks_of_views(arena, offers, mixed or {})

    def chosen(state: int) -> int:
        node = state if arena.owners[state] == MIN else n + state
        for move in offers(state):
            if any(0 <= ranks[t] < ranks[node] for t in _seen_from(node, n, arena.heads(move))):
                return move
        return offers(state)[0]

    return [-1 if owner in (END, BOTH) else chosen(s) for s, owner in enumerate(arena.owners)]


def _seen_from(node: int, n: int, heads: Sequence[int]) -> Sequence[int]:
    """Successors as nodes: the same player stays free, whether sides change or not."""
    return heads if node < n else [(t + n) % (2 * n) for t in heads]


def _ranks_of_views(
    arena: Arena, offers: Callable[[int], Sequence[int]], mixed: Mapping[int, Mixed]
) -> list[int]:
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
    """For each choice of the free player, all successors under the other's strategy."""
    width, first = arena.columns[state], arena.first_move[state]
    row, column = strategies
    if row_is_free:
        pairs = [[(i, j) for j, q in enumerate(column) if q] for i in range(len(row))]
    else:
        pairs = [[(i, j) for i, p in enumerate(row) if p] for j in range(width)]
    return [[to for i, j in each for to in arena.heads(first + i * width + j)] for each in pairs]


def ranked(nodes: int, done: Collection[int], obliged: Obliged) -> list[int]:
    """Rank nodes, each when the last of its sets has a ranked successor; done nodes have rank 0."""
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
    """Return the largest set of states in which MIN can stay off a goal forever, with moves."""
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
    """Choose among tied moves so that play ends; raise NoValueError if it never does.

    The first of each tie if play then ends; otherwise those of the guess; otherwise the first of
    each that can bring the end nearer. With two players, play must end against either free player,
    or, if a goal is to be reached, against a free MIN. `process` is the arena in C++, if it is at
    hand.
    """
    two = arena.changes_sides or (arena.is_owned(MAX) and arena.is_owned(MIN))
    candidates: list[Callable[[], Sequence[int]]] = [lambda: first]
    if ties:
        candidates += [
            lambda: [
                after if after in ties.get(state, ()) else before
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
    return NoValueError(
        "model: no policy ends play with probability 1 from "
        f"{named([names[state] for state in states])}; see discount=, or long_run (--ask average)"
    )


def undecided(names: Sequence[Any], states: Sequence[int]) -> NoValueError:
    return NoValueError(
        f"model: play may never end among {named([names[state] for state in states])}, "
        "and the value of infinite play is not defined; see infinite= or --infinite"
    )


@dataclass(frozen=True, slots=True)
class Component:
    """States that can all reach one another."""

    states: tuple[int, ...]
    is_cyclic: bool  # not where it is one state without a loop


def components(arena: Arena, roots: Iterable[int] | None = None) -> Iterator[Component]:
    """Return the strongly connected components, sinks first: all, or those under the roots.

    Tarjan's search (1972) with an explicit stack: about 0.8 µs a transition on CPython 3.11, half
    the time of networkx, whose graph also takes 200 bytes for each.
    """
    n = len(arena)
    # 0: not seen; above 0: on the stack, its number in order of arrival; n + 1: in a component
    low = [0] * n
    arrivals = 0
    stack: list[int] = []
    taken = n + 1
    wraps = arena.changes_sides
    for root in range(n) if roots is None else roots:
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
                path.pop()
                if least == arrival:
                    members = [stack.pop()]
                    while members[-1] != state:
                        members.append(stack.pop())
                    loops = len(members) > 1 or any(t % n == state for t in arena.successors(state))
                    yield Component(tuple(members), loops)
                    for member in members:
                        low[member] = taken
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], least)
                continue
            low[state] = least
