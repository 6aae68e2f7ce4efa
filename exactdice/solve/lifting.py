"""Exact values and certified bounds, found by C++ in doubles and digits, and proved in integers.

Strategy iteration in doubles guesses moves. Their values solve a linear system of integers, so they
are fractions :math:`y_s / d` over one denominator. Modulo a power P of a prime they come digit by
digit from solutions modulo the prime (`exactdice.native.process`); d is found from a few of them by
the extended Euclidean algorithm, and every :math:`y_s` is the residue of least magnitude of d times
the value. The result is proved in integers: the return of each state's move is its value, and no
other move is better. Better moves are taken, and all is done again. If play surely ends under the
moves, the values are those of the model.

If integers grow too long for this, small arenas are left to the solver by components
(`exactdice.solve.turn_games`), and large ones are enclosed: with the bounds and proof described
there, in time nearly linear in the transitions, as doubles give corrections and residues are taken
in integers of many words.

Such an integer takes a row of 64-bit words, lowest first, negative ones as complements of 2.
Comparisons are exact: `MoveComparison` rejects numbers whose sums could exceed their words.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np

from exactdice.arithmetic import isqrt, lcm, mpq, mpz, significant
from exactdice.native import Progress
from exactdice.native.process import PRIME, Digits, Process, RefusedError, Wide, shifted
from exactdice.solve.arena import END, MAX, MIN, Arena, NoValueError, Solved, Tell
from exactdice.solve.stopping import avoiding_moves, settle_policy, undecided


class WideIntegers(Sequence[int]):
    """Integers of many words, each converted to int when it is read."""

    def __init__(self, words: Wide) -> None:
        self._bytes = words.astype("<u8", copy=False).view(np.uint8)

    def __getitem__(self, place: Any) -> Any:
        return int.from_bytes(self._bytes[place].tobytes(), "little", signed=True)

    def __len__(self) -> int:
        return len(self._bytes)


def words_of(numbers: Iterable[Any], limbs: int) -> Wide:
    """Return rows of `limbs` words that hold the numbers; OverflowError if they are too short."""
    size = 8 * limbs
    flat = b"".join([number.to_bytes(size, "little", signed=True) for number in numbers])
    return np.frombuffer(flat, "<u8").astype(np.uint64).reshape(-1, limbs)


class MovesByState(Mapping[int, tuple[int, ...]]):
    """The moves of states that have several, by state, in order."""

    def __init__(self, moves: Any, states: Any) -> None:
        self._moves, self._states = moves, states

    def put_first(self, chosen: Any) -> None:
        chosen[self._states[::-1]] = self._moves[::-1]  # of those of one state the last one stays

    def __getitem__(self, state: int) -> tuple[int, ...]:
        first, last = self._states.searchsorted((state, state + 1))
        if first == last:
            raise KeyError(state)
        return tuple(self._moves[first:last].tolist())

    def __iter__(self) -> Iterator[int]:
        return iter(np.unique(self._states).tolist())

    def __len__(self) -> int:
        return len(np.unique(self._states))


class MoveComparison:
    """Comparisons of what the moves of an arena return with the values of their states.

    `state`, `side`: the state of each move, and its owner. `counts`: whether a player or chance
    makes it.
    """

    def __init__(self, arena: Arena, process: Process, scale: int) -> None:
        self.process, self.scale = process, scale
        owners = np.frombuffer(arena.owners, np.int8)
        first = np.frombuffer(arena.first_move, np.int32)
        self.state = np.arange(len(arena), dtype=np.int32).repeat(first[1:] - first[:-1])
        self.side = owners[self.state]
        self.counts = self.side != END
        self._denominator = max(arena.denominators, default=1)
        self._reward = max((abs(int(reward * scale)) for reward in arena.rewards), default=0)

    def limbs(self, greatest: int, one: int, scale: int) -> int:
        """Return the words for all sums of numbers of this magnitude; a reward of 1 is `one`."""
        most = self._denominator * (self._reward * one + 2 * scale * greatest)
        return most.bit_length() // 64 + 1

    def signs(self, own: Wide, seen: Wide, other: Wide, one: int, scale: int) -> Any:
        """Return as `Process.signs`; raise RefusedError if sums could exceed the words."""
        limbs = own.shape[1]
        asked = {id(words): words for words in (own, seen, other)}.values()  # often the same
        tops = [words[:, -1].view(np.int64) for words in asked]
        top = max(int(max(high.max(), -1 - high.min())) + 1 for high in tops)
        if self.limbs(top << 64 * (limbs - 1), one, scale) > limbs:
            raise RefusedError("sums of more words")
        return self.process.signs(own, seen, other, one=words_of([one], limbs)[0], scale=scale)

    def several(self, chosen: Any, moves: Any) -> MovesByState:
        has_others, is_best = np.zeros(len(chosen), bool), np.zeros(len(self.state), bool)
        has_others[self.state[moves]] = is_best[moves] = True
        is_best[chosen[has_others]] = True
        best = is_best.nonzero()[0]
        return MovesByState(best, self.state[best])


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
    """Fractions over one denominator, each reduced when it is read."""

    def __init__(self, numerators: Sequence[Any], common: Any) -> None:
        self._numerators, self._common = numerators, common

    def __getitem__(self, place: Any) -> Any:
        return mpq(self._numerators[place], self._common)

    def __len__(self) -> int:
        return len(self._numerators)


class Guess(NamedTuple):
    """Good moves of an arena and their values times `scale`, as guessed in C++."""

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
    """Return a guess; None if C++ makes none. `progress` receives the steps, here and later."""
    try:
        process, scale = process_and_scale or process_of(arena)
        return Guess(process, int(scale), *process.guess(progress), progress)
    except RefusedError:
        return None


def avoided(
    arena: Arena, goal: Collection[int]
) -> "tuple[dict[int, int], tuple[Process, mpz] | None]":
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
    """Return an arena's arrays for C++, and the scale of payments; payoffs only if `is_paid`."""
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


def _paid(arena: Arena) -> dict[int, mpq]:  # by identity: ends pay few numbers, stored once
    return {id(payoff): payoff for payoff in arena.payoffs.values()}


def lifted_values(
    arena: Arena,
    *,
    names: Sequence[Any],
    most_bits: int | None = None,
    tell: Tell | None = None,
    to_goal: bool = False,
    guess: Guess | None = None,
) -> Solved | None:
    """Solve an arena exactly, as `exact_values` does, from a guess if there is one."""
    guess = guess or guess_of(arena)
    if guess is None or (not guess.is_sparse and arena.transitions > _MOST_FILLED):
        return None
    process, scale, chosen, rough, _, progress = guess
    try:
        comparison = MoveComparison(arena, process, scale)
        most = 2 * int(max(abs(rough).max(), 1)) + 2
        for _ in range(_MAX_ROUNDS):
            digits = process.digits(chosen, progress)
            numerators, common = _fractions(digits, most, arena, scale, most_bits)
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
    count = 2
    while count <= _FEW_DIGITS or count * transitions <= _MOST_WORK:
        yield count
        if most_bits is not None and 61 * count > 3 * most_bits:
            return
        count = 4 * count if count * transitions < _LITTLE_WORK else count + (count + 1) // 2


def _over_common(digits: Digits, count: int, most: int) -> tuple[Wide, mpz] | None:
    """Fractions from at most `count` digits; None if more are needed."""
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
        wide = WideIntegers(digits.times(common, count))
        factor = _denominator(mpz(wide[int(wrong[0])]), modulus)
        if factor is None:
            return None
        common *= factor
    return None


def _denominator(value: mpz, modulus: mpz) -> mpz | None:
    """Denominator of the one short fraction that equals a value modulo a number, if any."""
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
    """Moves better than the chosen ones, and all optimal moves of states with several."""
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
    """Enclose all values of an arena within a width; None if other solvers should."""
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
    arena: Arena, comparison: MoveComparison, guess: Guess, most: int, bits: int
) -> tuple[Solved, int]:
    """Proved bounds over 2 to the power of `bits`, and the greatest distance between two."""
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
