"""Decision processes in C++: good moves in doubles, exact values of fixed moves digit by digit.

A process is nine arrays of whole numbers, described in ``process.hpp``. Results in doubles are only
guesses; digits are exact, modulo a power of `PRIME`.
"""

import sys
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from exactdice.arithmetic import mpz
from exactdice.errors import ExactDiceError, InputError, MissingExtraError, TooLargeError
from exactdice.native import Progress, call, solvers

PRIME = mpz(2) ** 61 - 1

Wholes = npt.NDArray[np.int64]

#: Whole numbers by state, each a row of words, lowest first, in two's complement.
Wide = npt.NDArray[np.uint64]


class RefusedError(ExactDiceError, ValueError):
    """Another solver is needed. Never reaches a user."""


class Process:
    """A decision process, or a game with alternating moves, in flat arrays of whole numbers.

    `arrays`: for each state its owner (1, −1, 0 for chance, or 3 for terminal states), its payoff
    and the start of its moves; for each move the start of its targets; all targets; for each move
    the numbers of its distribution and its reward; the rewards; for each distribution the start of
    its weights; all weights. Raises RefusedError if the C++ solvers are not built, or the numbers
    are too large for them.
    """

    def __init__(self, *arrays: Sequence[int] | Wholes) -> None:
        try:
            self._process = call(solvers().Process, *arrays)
        except (InputError, MissingExtraError, TooLargeError, OverflowError) as refused:
            raise RefusedError(str(refused)) from refused

    def end(self, states: Sequence[int] | Wholes) -> None:
        """Make states terminal, with payoff 0."""
        call(self._process.end, states)

    def guess(self, progress: Progress | None = None) -> tuple[Wholes, Any, bool]:
        """Return good moves (−1 at ends), values in doubles, and whether elimination gives these.

        `progress` gets the number of steps; it may raise. Raises RefusedError without convergence.
        """
        guessed: tuple[Wholes, Any, bool] | None = call(self._process.guess, progress)
        if guessed is None:
            raise RefusedError("strategy iteration in doubles does not converge")
        return guessed

    def ends(self, chosen: Sequence[int] | Wholes) -> bool:
        return bool(call(self._process.ends, chosen))

    def ranks_against_free(self, chosen: Sequence[int] | Wholes) -> Wholes:
        """Return ranks as in `exactdice.solve.stopping`, with 1 and then −1 free."""
        ranks: Wholes = call(self._process.ranks, chosen, free=True)
        return ranks

    def approach(
        self,
        guess: tuple[Wholes, Any, bool],
        ends: Wide,
        bits: int,
        scale: int,
        near: int,
        progress: Progress | None = None,
    ) -> tuple[Wholes, Wide, Wholes]:
        """Return likely optimal moves, their values times 2^bits/scale, and expected lengths.

        Values differ from those of the moves by a few units. Lengths are in 2^-16 moves, along all
        moves within 2^near of the best. `guess` is a result of `guess` with values times `scale`;
        `ends` has the payoffs of terminal states. Raises RefusedError if it does not converge.
        """
        approached: tuple[Wholes, Wide, Wholes] | None
        approached = call(self._process.approach, *guess, ends, bits, scale, near, progress)
        if approached is None:
            raise RefusedError("steps in doubles do not converge")
        return approached

    def signs(
        self, own: Wide, seen: Wide, other: Wide, *, one: Wide, scale: int
    ) -> npt.NDArray[np.int8]:
        """Return for each move the exact sign of its value under `seen` minus `own` of its state.

        If sides change, −`other` replaces `seen`; `one` is the value of a payment of 1, and all
        numbers are multiplied by `scale`. Sums must fit the words.
        """
        signs: npt.NDArray[np.int8] = call(self._process.signs, own, seen, other, one, scale)
        return signs

    def looping(self) -> int:
        """Return the number of transition targets in states on a cycle through other states."""
        return int(self._process.looping())

    def depths(self) -> Wholes:
        """Return the most strongly connected components on a path from each state."""
        depths: Wholes = call(self._process.depths)
        return depths

    def avoiding(self, marked: Sequence[int] | npt.NDArray[Any]) -> Wholes:
        """Return a move of −1 that avoids the marked states for ever, or −1 if there is none."""
        moves: Wholes = call(self._process.avoiding, marked)
        return moves

    def digits(self, chosen: Sequence[int] | Wholes, progress: Progress | None = None) -> "Digits":
        return Digits(self._process, chosen, progress)


def shifted(numbers: Wide, steps: Wholes) -> Wide:
    """Add to each number of many words a number of one word."""
    moved: Wide = call(solvers().shifted, numbers, steps)
    return moved


class Digits:
    """The values of fixed moves modulo powers of `PRIME`.

    Raises RefusedError if play may not end or, very rarely, the prime is unsuitable for them.
    """

    def __init__(
        self, process: Any, chosen: Sequence[int] | Wholes, progress: Progress | None = None
    ) -> None:
        try:
            self._digits = call(solvers().Digits, process, chosen, progress)
        except (InputError, TooLargeError) as refused:
            raise RefusedError(str(refused)) from refused

    def combined(self, count: int, spread: int) -> mpz:
        """Return a sum of multiples of all values modulo `PRIME` to the power of `count`.

        Its denominator is divisible by (almost surely) every prime that divides one of theirs;
        `spread`, from 1 to 65520, selects the multiples.
        """
        words = array("Q", call(self._digits.combined, count, spread))
        return mpz(int.from_bytes(words.tobytes(), sys.byteorder))

    def times(self, factor: mpz, count: int) -> Wide:
        """Return values times a factor modulo `PRIME`^`count`, of least magnitude; 0 at ends."""
        places = list[int]()
        while factor and len(places) < count:
            factor, place = divmod(factor, PRIME)
            places.append(int(place))
        products: Wide = call(self._digits.times, places, count, count)
        return products
