r"""Certified bounds of the values of an arena, for values too long to be written as fractions.

Bounds are integers over :math:`2^k`: :math:`\ell(s) \le v(s) \le u(s)`. They come from values
:math:`\tilde v` found in fixed point (`rounded_values`) and the expected number :math:`h` of moves
until play ends under the strategies found, as :math:`\tilde v \mp \delta h`: each move costs
:math:`h` one, which pays for what was rounded there. That alone proves nothing. What does are the
inequalities, checked in integers for every state and move,

.. math:: u(s) \ge r(s, a) + \sum_t p(t \mid s, a)\, u(t), \qquad
          \ell(s) \le r(s, a) + \sum_t p(t \mid s, a)\, \ell(t),

the first for every move of MAX and the chosen ones of MIN, the second for the chosen ones of MAX
and every one of MIN, and that play ends (`stopping`): step by step along any strategy of the other
player, the chosen ones are sure of :math:`\ell` and concede no more than :math:`u`.

So bounds are found where the C++ solvers are not built, or find none; else they come from
`exactdice.solve.enclosing`, in less time.

A chosen move is *proved* to be the only optimal one of its state where the bounds keep every other
move strictly apart from it. Where they do not, the moves are named as unsettled ties.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from exactdice.arithmetic import mpq, significant
from exactdice.solve.arena import CHANCE, END, MAX, Arena, NoValueError, Solved, Tell, named
from exactdice.solve.stopping import settle_policy
from exactdice.solve.turn_games import rounded_values

_GUARD_BITS = 40
_LENGTH_BITS = 16
_MAX_TRIES = 6


def certified_bounds(
    arena: Arena,
    width: mpq,
    *,
    names: Sequence[Any] | None = None,
    tell: Tell | None = None,
) -> Solved:
    """Enclose all values of an arena within a width.

    Raises NoValueError if play need not end, or no bounds can be proved, as where moves that cost
    nothing lead round in a circle; exact values may be found all the same.

    >>> from exactdice.solve.arena import CHANCE
    >>> arena = Arena()
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 2), (1, 0)); arena.end(mpq(1, 3))
    >>> bounds = certified_bounds(arena, mpq(1, 1000))
    >>> bounds.lower[0] * 3 <= 2**bounds.bits <= bounds.upper[0] * 3
    True

    A few integer products of about log₂(1/width) bits for each transition.
    """
    from exactdice.solve.enclosing import enclosed_values  # loads numpy

    names = names or range(len(arena))
    bounds = enclosed_values(arena, width, names=names, tell=tell)
    if bounds is not None:
        return bounds
    known, arena, names = len(arena), arena.unfolded(), [*names, *names]
    bits = int(mpq(1) / width).bit_length() + _GUARD_BITS
    for _ in range(_MAX_TRIES):
        values, chosen = rounded_values(arena, bits, names, tell)
        chosen = settle_policy(arena, chosen, {}, chosen, names)
        fixed = [int((v.numerator << bits) // v.denominator) for v in values]
        lengths = _lengths(arena, bits, fixed, chosen, names)
        bounds = _proved(arena, bits, fixed, chosen, lengths, names)
        widest = max(above - below for below, above in zip(bounds.lower, bounds.upper, strict=True))
        if mpq(widest, 1 << bits) <= width:
            bounds = replace(bounds, method=f"enclosed within {significant(width, 1)}")
            return bounds.of_first(known)
        bits += int(mpq(widest, 1 << bits) / width).bit_length() + 2
    raise NoValueError("model: no bounds of the width asked for are found; ask for exact values")


def _lengths(
    arena: Arena, bits: int, values: list[int], chosen: Sequence[int], names: Sequence[Any]
) -> list[int]:
    """Expected number of moves to the end, in units of 2^-16, under the chosen moves.

    Where another move is as good as the chosen one as far as can be seen, the longer way counts.
    """
    longest, near = Arena(), 1 << (bits // 2)
    for state, owner in enumerate(arena.owners):
        if owner == END:
            longest.end(mpq(0))
            continue
        moves: Sequence[int] = (chosen[state],)
        if owner != CHANCE and len(arena.moves(state)) > 1:
            returned = {m: arena.returned(m, values, 1 << bits) for m in arena.moves(state)}
            moves = [m for m, r in returned.items() if abs(r - values[state]) < near] or moves
        longest.open(MAX)
        for move in moves:
            longest.move(mpq(1), arena.weights[arena.law[move]], arena.heads(move))
    try:
        lengths, _ = rounded_values(longest, _LENGTH_BITS, names)
    except NoValueError:
        raise NoValueError(
            f"model: from {named([names[0]])} on play can go round at no loss, so that no bounds "
            "can be proved; ask for exact values"
        ) from None
    return [int(length * (1 << _LENGTH_BITS)) for length in lengths]


def _proved(
    arena: Arena,
    bits: int,
    values: list[int],
    chosen: Sequence[int],
    lengths: list[int],
    names: Sequence[Any],
) -> Solved:
    """Bounds around the values, as narrow as the inequalities allow."""
    shift = _LENGTH_BITS
    for _ in range(24):
        upper = [v + (h >> shift) + 1 for v, h in zip(values, lengths, strict=True)]
        lower = [v - (h >> shift) - 1 for v, h in zip(values, lengths, strict=True)]
        for state, payoff in arena.payoffs.items():
            lower[state] = values[state]
            upper[state] = lower[state] + (mpq(lower[state], 1 << bits) != payoff)
        unsettled = _unsettled(arena, bits, lower, upper, chosen)
        if unsettled is not None:
            return Solved(lower, upper, chosen, unsettled, bits)
        shift -= 2
        lengths = lengths if shift >= 0 else [h << 2 for h in lengths]
        shift = max(shift, 0)
    raise NoValueError(
        f"model: no bounds can be proved from {named([names[0]])} on; ask for exact values"
    )


def _unsettled(
    arena: Arena, bits: int, lower: list[int], upper: list[int], chosen: Sequence[int]
) -> dict[int, tuple[int, ...]] | None:
    """States in which other moves may be as good as the chosen one; None if a bound fails."""
    several, one = dict[int, tuple[int, ...]](), 1 << bits
    for state, owner in enumerate(arena.owners):
        if owner == END:
            continue
        move = chosen[state]
        if (
            arena.returned(move, lower, one) < lower[state]
            or arena.returned(move, upper, one) > upper[state]
        ):
            return None
        far, near = (upper, lower) if owner == MAX else (lower, upper)
        others = [move]
        for other in arena.moves(state):
            if other != move:
                bound = arena.returned(other, far, one)
                if owner * bound > owner * far[state]:
                    return None
                if owner * bound >= owner * near[state]:
                    others.append(other)
        if len(others) > 1:
            several[state] = tuple(sorted(others))
    return several
