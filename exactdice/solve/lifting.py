r"""Exact values by moves found in doubles, and digits of their values.

Moves are guessed by strategy iteration in doubles. The values of these moves solve a system of
whole numbers, so that they are fractions :math:`y_s / d` over one denominator. Modulo a power P of
a prime they come digit by digit from solutions modulo the prime (`exactdice.native.process`); d is
found from a few of them by the extended Euclidean algorithm, and then every :math:`y_s` is the
residue of least magnitude of d times the value.

What is found so is proved by what follows, in whole numbers: the return of each state's move is its
value, and that of no other move is better. Moves that are better are taken, and all is done again.
Where play surely ends with the moves, the values are those of the model.

Where whole numbers grow too long for this, small arenas are left to the solvers that go from
component to component (`exactdice.solve.turn_games`), and large ones are enclosed
(`exactdice.solve.enclosing`).
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np

from exactdice.arithmetic import isqrt, lcm, mpq, mpz
from exactdice.native import Progress
from exactdice.native.process import PRIME, Digits, Process, RefusedError, Wide
from exactdice.solve.arena import MAX, MIN, Arena, NoValueError, Solved, Tell
from exactdice.solve.stopping import avoiding_moves, settle_policy
from exactdice.solve.words import MoveComparison, MovesByState, WideIntegers, words_of

_MAX_ROUNDS = 30
_SPREADS = (40_503, 30_011, 9_973)  # sums from which the common denominator is found
_MAX_FACTORS = 10  # of the common denominator that are found one after another
_DIGIT = 60  # bits that a digit has at least
_SURE = 30  # bits by which a fraction must be shorter than the modulus to be believed
_TOLD = 16  # bits by which a modulus exceeds numerators, to tell them from other numbers
# Measured: with so many transitions, times digits, components one by one take less time. Large
# arenas have values of a few digits, or such long ones that nobody reads them.
_MOST_WORK = 5_000_000
_FEW_DIGITS = 8
_LITTLE_WORK = 20_000  # with less to be done, more digits take less than one more search
_MOST_FILLED = 150_000  # transitions of an arena that is eliminated though many entries come in


class Fractions(Sequence[mpq]):
    """Fractions over one denominator, each reduced when it is asked for.

    >>> list(Fractions([2, 3], 6))
    [mpq(1,3), mpq(1,2)]
    """

    def __init__(self, numerators: Sequence[Any], common: Any) -> None:
        self._numerators, self._common = numerators, common

    def __getitem__(self, place: Any) -> Any:
        return mpq(self._numerators[place], self._common)

    def __len__(self) -> int:
        return len(self._numerators)


class Guess(NamedTuple):
    """Good moves of an arena and their values, multiplied by `scale`, as C++ guesses them."""

    process: Process
    scale: int
    chosen: Any
    rough: Any
    is_sparse: bool
    progress: Progress | None = None


def guess_of(
    arena: Arena,
    progress: Progress | None = None,
    process_and_scale: "tuple[Process, mpz] | None" = None,
) -> Guess | None:
    """A guess; None where C++ makes none. `progress` hears of steps, here and where it is used.

    The process is made where it is not at hand.
    """
    try:
        process, scale = process_and_scale or process_of(arena)
        return Guess(process, int(scale), *process.guess(progress), progress)
    except RefusedError:
        return None


def avoided(
    arena: Arena, goal: Collection[int]
) -> "tuple[dict[int, int], tuple[Process, mpz] | None]":
    """As `avoiding_moves`; and where C++ is at hand the process in which play ends there."""
    try:
        process, scale = process_of(arena)
    except RefusedError:
        return avoiding_moves(arena, goal), None
    marked = np.zeros(len(arena), np.int8)
    marked[list(goal)] = 1
    moves = process.avoiding(marked)
    states = np.flatnonzero(moves >= 0)
    process.end(states)
    return dict(zip(states.tolist(), moves[states].tolist(), strict=True)), (process, scale)


def process_of(arena: Arena, *, is_paid: bool = True) -> tuple[Process, mpz]:
    """The arrays of an arena for the C++ solvers, and what all its payments are multiplied by.

    What ends pay is left out where it is not asked for.

    Raises RefusedError if its numbers are too great for them.
    """
    paid = _paid(arena) if is_paid else {}
    scale = lcm(1, *{x.denominator for x in (*arena.rewards, *paid.values())})
    try:
        rewards = array("q", [int(reward * scale) for reward in arena.rewards])
        ends = array("q", bytes(8 * len(arena)))
        worth = {key: int(payoff * scale) for key, payoff in paid.items()}
        for state, payoff in arena.payoffs.items() if is_paid else ():
            ends[state] = worth[id(payoff)]
        weights = array("q", chain.from_iterable(arena.weights))
    except OverflowError:
        raise RefusedError("numbers of more than 63 bits") from None
    process = Process(
        np.frombuffer(arena.owners, np.int8),
        ends,
        arena.first_move,
        arena.first_target,
        arena.targets,
        arena.law,
        arena.reward,
        rewards,
        array("q", accumulate(map(len, arena.weights), initial=0)),
        weights,
    )
    return process, scale


def _paid(arena: Arena) -> dict[int, mpq]:
    """What ends pay, by identity: most pay one of a few numbers, kept once."""
    payoffs = arena.payoffs.values()
    return dict(zip(map(id, payoffs), payoffs, strict=True))


def lifted_values(
    arena: Arena,
    *,
    names: Sequence[Any],
    most_bits: int | None = None,
    tell: Tell | None = None,
    to_goal: bool = False,
    guess: Guess | None = None,
) -> Solved | None:
    """Solve an arena exactly, as `exact_values` does, from a guess if there is one.

    >>> from exactdice.solve.arena import CHANCE
    >>> arena = Arena()
    >>> arena.open(CHANCE); arena.move(mpq(1), (1, 1), (0, 1)); arena.end(mpq(0))
    >>> solved = lifted_values(arena, names=range(2))
    >>> solved is None or solved.values[0] == 2
    True
    """
    guess = guess or guess_of(arena)
    if guess is None or (not guess.is_sparse and arena.transitions > _MOST_FILLED):
        return None
    process, scale, chosen, rough, _, progress = guess
    try:
        comparison = MoveComparison(arena, process, scale)
        most = 2 * int(max(abs(rough).max(), 1)) + 2
        for _ in range(_MAX_ROUNDS):
            numerators, common = _fractions(
                process.digits(chosen, progress), most, arena, scale, most_bits
            )
            better, ties = _compared(comparison, numerators, common, chosen)
            if not len(better):
                break
            chosen[comparison.state[better]] = better
        else:
            return None
    except RefusedError:
        return None
    ending: Sequence[int] = array("q", chosen.tobytes())
    ties.put_first(chosen)
    first = array("q", chosen.tobytes())
    if arena.changes_sides or (arena.is_owned(MAX) and arena.is_owned(MIN)):
        try:
            ending = settle_policy(
                arena, first, ties, ending, names, to_goal=to_goal, process=process
            )
        except NoValueError:
            return None
    elif first != ending and process.ends(first):  # it ends with the guess, whose system is regular
        ending = first
    if tell is not None:
        tell(len(arena), len(arena))
    values = Fractions(WideIntegers(numerators), common * scale)
    return Solved(values, values, ending, ties)


def _fractions(
    digits: Digits, most: int, arena: Arena, scale: int, most_bits: int | None
) -> tuple[Wide, mpz]:
    """Values times `scale` of fixed moves as numerators over one denominator; not proved yet.

    `most` bounds their magnitude roughly.

    Raises RefusedError if they are too long.
    """
    for count in _counts(arena.transitions, most_bits):
        fractions = _over_common(digits, count, most)
        if fractions is not None:
            numerators, common = fractions
            if most_bits is not None and common.bit_length() > most_bits:
                break
            limbs = numerators.shape[1]
            worth = {key: mpz(payoff * scale) * common for key, payoff in _paid(arena).items()}
            words = dict(zip(worth, words_of(worth.values(), limbs), strict=True))
            for state, payoff in arena.payoffs.items():
                numerators[state] = words[id(payoff)]
            return numerators, common
    raise RefusedError("fractions are too long")


def _counts(transitions: int, most_bits: int | None) -> Iterator[int]:
    """Numbers of digits to be tried."""
    count = 2
    while count <= _FEW_DIGITS or count * transitions <= _MOST_WORK:
        yield count
        if most_bits is not None and 61 * count > 3 * most_bits:
            return
        count = 4 * count if count * transitions < _LITTLE_WORK else count + (count + 1) // 2


def _over_common(digits: Digits, count: int, most: int) -> tuple[Wide, mpz] | None:
    """Fractions from so many digits at most; None where more are needed."""
    modulus, common = PRIME**count, mpz(1)
    for spread in _SPREADS:
        factor = _denominator(digits.combined(count, spread) * common, modulus)
        if factor is None:
            return None
        common *= factor
    for _ in range(_MAX_FACTORS):
        bits = int((common * most).bit_length())
        numerators = digits.times(common, (bits + _TOLD) // _DIGIT + 1)
        above = numerators.view(np.int64)[:, bits // 64 :].copy()
        above[:, 0] >>= bits % 64
        wrong = np.flatnonzero((above != above[:, -1:] >> 63).any(axis=1))
        if not len(wrong):
            return numerators, common
        # A factor that cancels in the sum of multiples.
        factor = _denominator(
            mpz(WideIntegers(digits.times(common, count))[int(wrong[0])]), modulus
        )
        if factor is None:
            return None
        common *= factor
    return None


def _denominator(value: mpz, modulus: mpz) -> mpz | None:
    """Denominator of the one short fraction that is a value modulo a number; None if there is none.

    >>> _denominator(mpz(2) * pow(7, -1, 10**30) % 10**30, mpz(10) ** 30)
    mpz(7)
    """
    before, rest = modulus, value % modulus
    last, factor, root = mpz(0), mpz(1), isqrt(modulus)
    while rest > root:
        quotient, remainder = divmod(before, rest)
        before, rest = rest, remainder
        last, factor = factor, last - quotient * factor
    short = rest.bit_length() + factor.bit_length() + _SURE < modulus.bit_length()
    return abs(factor) if short else None


def _compared(
    comparison: MoveComparison, numerators: Wide, common: mpz, chosen: Any
) -> tuple[Any, MovesByState]:
    """Moves that are better than the chosen ones, and all best moves where there are several.

    Raises RefusedError if the values are not those of the chosen moves.
    """
    limbs = comparison.limbs(1 << 64 * numerators.shape[1], int(common), 1) + 1
    signs = (numerators.view(np.int64)[:, -1:] >> 63).view(np.uint64)
    wide = np.hstack((numerators, signs.repeat(limbs - numerators.shape[1], axis=1)))
    ahead = comparison.signs(wide, wide, wide, int(common), 1)
    kept = chosen[chosen >= 0]
    if ahead[kept].any():
        raise RefusedError("these are not the values of the moves")
    others = comparison.counts.copy()
    others[kept] = False
    better = np.flatnonzero(others & (ahead * comparison.side > 0))
    return better, comparison.several(chosen, np.flatnonzero(others & (ahead == 0)))
