r"""Games in which play may go on for ever, and endless play is a draw that pays nothing.

Payoffs are paid at the ends alone. If play surely ended the value would be the one solution of
:math:`v(s) = \max, \min` or mean of :math:`v` after the moves of :math:`s`; where it need not,
there are many. What is sought is the value in fixed moves of both, which exists:

* *Found* by a game that ends with a draw after each move with a chance of :math:`2^{-k}`. Its best
  moves are best in the game itself once :math:`k` is large enough: with fixed moves of both, its
  values tend to those of the game, and there are finitely many fixed moves.
* *Proved* without looking at :math:`k`. Let :math:`v` be what the moves found are worth, which
  solves the equations above. Hold MAX to these moves, and let MIN do anything: :math:`v` never
  falls on average. Play that ends is paid what :math:`v` has become. In endless play MIN makes
  moves that let :math:`v` rise on average finitely often, as it is bounded, and then keeps play for
  ever, for certain, in states in which :math:`v` is the same. If MIN cannot do so where
  :math:`v > 0`, endless play pays no less than :math:`v`, and MAX is sure of it. So is MIN, the
  other way round.

Where the proof fails, :math:`k` is doubled.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena
from exactdice.solve.stopping import ranks_along
from exactdice.solve.turn_games import Tell, exact_values

_MOST_BITS = 1 << 12  # of the chance that a move ends the game that is solved instead


@dataclass(frozen=True)
class EndlessValues:
    """Values where endless play is a draw, and fixed moves that are sure of them."""

    values: Sequence[mpq]  # the value of each state
    chosen: Sequence[int]  # the number of a best move of each state, −1 at the ends
    endless: frozenset[int]  # states from which play never ends when both make these moves


def endless_values(
    arena: Arena,
    *,
    names: Sequence[Any] | None = None,
    most_bits: int | None = None,
    tell: Tell | None = None,
) -> EndlessValues:
    """Solve an arena in which endless play pays nothing.

    Raises TooLargeError if a denominator grows longer than `most_bits`, or payoffs are so close
    that moves that are best with a chance of 1/2^4096 to stop at each are not best without.

    Both can go on for ever, and whoever stops loses 1:

    >>> arena = Arena()
    >>> arena.open(MAX); arena.move(mpq(0), (1,), (1,)); arena.move(mpq(0), (1,), (2,))
    >>> arena.open(MIN); arena.move(mpq(0), (1,), (0,)); arena.move(mpq(0), (1,), (3,))
    >>> arena.end(mpq(-1)); arena.end(mpq(1))
    >>> solved = endless_values(arena)
    >>> solved.values, sorted(solved.endless)
    ([mpq(0,1), mpq(0,1), mpq(-1,1), mpq(1,1)], [0, 1])

    A few games that surely end, of the same size; the proof takes at most one pass over all moves
    for each state.
    """
    if arena.is_owned(BOTH):
        raise InputError("arena", Unquoted("choices at once"), "players who choose in turn")
    if any(arena.rewards[number] for number in set(arena.reward)):
        raise InputError("arena", Unquoted("rewards on the way"), "payoffs at the ends alone")
    n, plain = len(arena), unfolded(arena)
    named = None if names is None else [*names, *names][: len(plain)]
    bits = 8
    while bits <= _MOST_BITS:
        moves = exact_values(_ending(plain, bits), most_bits=most_bits, tell=tell).chosen
        chosen = moves_of_both(arena, moves[:n])
        ends = {state: mpq(0) for state in _never_ending(plain, chosen)}
        chain = plain.following(chosen).with_ends(ends)
        values = exact_values(chain, names=named, most_bits=most_bits, tell=tell).values
        if holds_endlessly(plain, values, chosen):
            return EndlessValues(values[:n], chosen[:n], frozenset(s for s in ends if s < n))
        bits *= 2
    raise TooLargeError(
        f"endless play: no moves are proved to be best with chances of 1/2^{_MOST_BITS} to stop; "
        "give a game with fewer states"
    )


def moves_of_both(arena: Arena, chosen: Sequence[int]) -> "array[int]":
    """Fixed moves in `unfolded` where both sides make the same ones in what they see."""
    beyond = arena.first_move[-1]
    seen = [move + beyond if move >= 0 else -1 for move in chosen]
    return array("q", [*chosen, *seen] if arena.changes_sides else chosen)


def unfolded(arena: Arena) -> Arena:
    """Give an arena that does not change sides: state n + s is s as the other side sees it."""
    if not arena.changes_sides:
        return arena
    n, views = len(arena), Arena()
    for sign, shift in ((1, 0), (-1, n)):
        for state in range(n):
            if arena.owners[state] == END:
                views.end(sign * arena.payoffs[state])
                continue
            views.open(sign * arena.owners[state])
            for move in arena.moves(state):
                heads = [(target + shift) % (2 * n) for target, _ in arena.leads(move)]
                reward = sign * arena.rewards[arena.reward[move]]
                views.move(reward, arena.weights[arena.law[move]], heads)
    return views


def _ending(arena: Arena, bits: int) -> Arena:
    """Give the arena in which each move ends play with a chance of 2 to the power of −bits."""
    other, whole = Arena(), 1 << bits
    for state, owner in enumerate(arena.owners):
        if owner == END:
            other.end(arena.payoffs[state])
            continue
        other.open(owner)
        for move in arena.moves(state):
            law = arena.law[move]
            weights = [weight * (whole - 1) for weight in arena.weights[law]]
            heads = [target for target, _ in arena.leads(move)]
            stopping = arena.denominators[law]
            other.move(mpq(0), (*weights, stopping), [*heads, len(arena)])
    other.end(mpq(0))
    return other


def _never_ending(arena: Arena, chosen: Sequence[int]) -> set[int]:
    """States from which no end is reached with the chosen moves."""
    before: list[list[int]] = [[] for _ in range(len(arena))]
    for state, owner in enumerate(arena.owners):
        if owner != END:
            for target, _ in arena.leads(_fixed(arena, state, chosen)):
                before[target].append(state)
    reaching = {state for state, owner in enumerate(arena.owners) if owner == END}
    pending = list(reaching)
    while pending:
        for state in before[pending.pop()]:
            if state not in reaching:
                reaching.add(state)
                pending.append(state)
    return set(range(len(arena))) - reaching


def _fixed(arena: Arena, state: int, chosen: Sequence[int]) -> int:
    return arena.first_move[state] if arena.owners[state] == CHANCE else chosen[state]


def holds_endlessly(arena: Arena, values: Sequence[mpq], chosen: Sequence[int]) -> bool:
    """Whether values are proved by fixed moves, as the module says; the arena keeps its sides."""
    kept = _keeping(arena, values, chosen)
    if kept is None:
        return False
    return all(-1 not in leaving_ranks(arena, values, chosen, free) for free in (MAX, MIN))


def _keeping(
    arena: Arena, values: Sequence[mpq], chosen: Sequence[int]
) -> dict[int, list[int]] | None:
    """Moves that keep the value, of each state; None where values and moves do not fit."""
    kept: dict[int, list[int]] = {}
    for state, owner in enumerate(arena.owners):
        if owner == END:
            if values[state] != arena.payoffs[state]:
                return None
            continue
        kept[state] = []
        for move in arena.moves(state):
            gain = arena.returned(move, values) - values[state]
            if (gain > 0 and owner != MIN) or (gain < 0 and owner != MAX):
                return None
            if not gain:
                kept[state].append(move)
        if _fixed(arena, state, chosen) not in kept[state]:
            return None
    return kept


def leaving_ranks(
    arena: Arena, values: Sequence[mpq], chosen: Sequence[int], free: int
) -> list[int]:
    """Ranks that prove that a free side cannot keep play for ever where that would be a gain."""
    kept = _keeping(arena, values, chosen) or {}
    ends = {
        state: value for state, value in enumerate(values) if state not in kept or value * free >= 0
    }
    return ranks_along(
        arena.with_ends(ends),
        lambda s: kept[s] if arena.owners[s] == free else (_fixed(arena, s, chosen),),
    )
