r"""Certified bounds of the values of an arena, found in C++ and proved in whole numbers.

They are what `exactdice.solve.bounds` describes, by the same proof, in time near linear in the
transitions: doubles give corrections, residues are taken in whole numbers of many words, and no
matrix is kept but that of the moves themselves. What C++ finds proves nothing; the comparisons do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exactdice.arithmetic import mpq, significant
from exactdice.native.process import RefusedError, Wide, shifted
from exactdice.solve.arena import MAX, MIN, Arena, Solved, Tell
from exactdice.solve.lifting import Guess, guess_of
from exactdice.solve.stopping import undecided
from exactdice.solve.words import MoveComparison, WideIntegers, words_of

_GUARD_BITS = 40
_FIRST_POWER = 4  # of 2, by which bounds are apart for each move until the end
_LENGTH_BITS = 16  # as `Process.approach` gives lengths
_MAX_TRIES = 4
_MOST_LIMBS = 15


def enclosed_values(
    arena: Arena,
    width: mpq,
    *,
    names: Sequence[Any],
    tell: Tell | None = None,
    guess: Guess | None = None,
) -> Solved | None:
    """Enclose all values of an arena within a width; None where that is for other solvers.

    Raises NoValueError if one of two players can go on for ever.

    >>> from exactdice.solve.arena import CHANCE
    >>> arena = Arena()
    >>> arena.open(CHANCE); arena.move(mpq(0), (1, 2), (1, 0)); arena.end(mpq(1, 3))
    >>> bounds = enclosed_values(arena, mpq(1, 1000), names=range(2))
    >>> bounds is None or bounds.lower[0] * 3 <= 2**bounds.bits <= bounds.upper[0] * 3
    True
    """
    guess = guess or guess_of(arena)
    if guess is None:
        return None
    process, scale, rough = guess.process, guess.scale, guess.rough
    bits = int(mpq(1) / width).bit_length() + _GUARD_BITS
    most = (2 * int(max(abs(rough).max(), 1))) // scale + 2
    comparison = MoveComparison(arena, process, scale)
    for _ in range(_MAX_TRIES):
        try:
            bounds, widest = _bounds(arena, comparison, guess, most, bits)
        except RefusedError:  # moves that hardly differ are apart by more bits
            bits += 2 * _GUARD_BITS
            continue
        if mpq(widest, 1 << bits) <= width:
            break
        bits += int(mpq(widest, 1 << bits) / width).bit_length() + 2
    else:
        return None
    if arena.changes_sides or (arena.is_owned(MAX) and arena.is_owned(MIN)):
        ranks = process.ranks_against_free(bounds.chosen)
        endless = np.unique(np.flatnonzero(ranks < 0) % len(arena))
        if len(endless):
            raise undecided(names, endless.tolist())
    if tell is not None:
        tell(len(arena), len(arena))
    return replace(bounds, method=f"enclosed within {significant(width, 1)}")


def _bounds(
    arena: Arena,
    comparison: MoveComparison,
    guess: Guess,
    most: int,
    bits: int,
) -> tuple[Solved, int]:
    """Proved bounds over 2 to the power of `bits`, and how far the widest are apart.

    `most` bounds the magnitude of values roughly.

    Raises RefusedError if none are found.
    """
    scale, greatest = comparison.scale, 2 * most << bits
    limbs = greatest.bit_length() // 64 + 1
    while limbs <= _MOST_LIMBS and comparison.limbs(greatest, 1 << bits, scale) > limbs:
        limbs += 1
    if limbs > _MOST_LIMBS:
        raise RefusedError("numbers of too many words")
    ends = {payoff: (payoff * (1 << bits)).__floor__() for payoff in set(arena.payoffs.values())}
    places = np.fromiter(arena.payoffs, np.int64, len(arena.payoffs))
    start = np.zeros((len(arena), limbs), np.uint64)
    start[places] = words_of((ends[payoff] for payoff in arena.payoffs.values()), limbs)
    chosen: Any
    chosen, middle, lengths = guess.process.approach(
        (guess.chosen, guess.rough, guess.is_sparse),
        start,
        bits,
        scale,
        _GUARD_BITS - 2,
        guess.progress,
    )
    above = [mpq(ends[payoff], 1 << bits) != payoff for payoff in arena.payoffs.values()]
    power, longest = _FIRST_POWER, int(lengths.max())
    while (longest << power).bit_length() < 63:
        steps = (lengths << power >> _LENGTH_BITS) + 1
        steps[places] = 0
        lower = shifted(middle, -steps)
        steps[places] = above
        upper = shifted(middle, steps)
        unsettled = _unsettled(comparison, chosen, lower, upper, 1 << bits)
        if unsettled is not None:
            widest = 2 * int(steps.max())
            return Solved(WideIntegers(lower), WideIntegers(upper), chosen, unsettled, bits), widest
        power += 2
    raise RefusedError("no bounds are proved")


def _unsettled(
    comparison: MoveComparison, chosen: Any, lower: Wide, upper: Wide, one: int
) -> Mapping[int, tuple[int, ...]] | None:
    """States in which other moves may be as good as the chosen one; None if a bound fails."""
    scale, side = comparison.scale, comparison.side
    least = comparison.signs(lower, lower, upper, one, scale)
    most = comparison.signs(upper, upper, lower, one, scale)
    kept = chosen[chosen >= 0]
    if (least[kept] < 0).any() or (most[kept] > 0).any():
        return None
    others = comparison.counts.copy()
    others[kept] = False
    first, second = others & (side == MAX), others & (side == MIN)
    if (most[first] > 0).any() or (least[second] < 0).any():
        return None
    if not (first.any() or second.any()):
        return {}
    first &= comparison.signs(lower, upper, lower, one, scale) >= 0
    second &= comparison.signs(upper, lower, upper, one, scale) <= 0
    return comparison.several(chosen, np.flatnonzero(first | second))
