"""Decision processes in C++: good moves in doubles, exact values of fixed moves digit by digit.

A process is nine arrays of whole numbers, as ``process.hpp`` describes them. What is found in
doubles is a guess and is used as one; digits are exact, modulo a power of `PRIME`.
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

#: The prime whose powers digits are counted in.
PRIME = mpz(2) ** 61 - 1

Wholes = npt.NDArray[np.int64]

#: Whole numbers by state, each a row of words, lowest first, negative ones as complements of 2.
Wide = npt.NDArray[np.uint64]


class RefusedError(ExactDiceError, ValueError):
    """What was asked for needs another solver. Never reaches a user."""


class Process:
    """A decision process, or a game in which players take turns, in flat arrays.

    Raises RefusedError if the C++ solvers are not built, or the numbers are too great for them.

    A fair coin is tossed for one point a time until heads:

    >>> tossed = Process([0, 3], [0, 0], [0, 1, 1], [0, 2], [0, 1], [0], [0], [1], [0, 2], [1, 1])
    >>> chosen, _, _ = tossed.guess()
    >>> chosen.tolist(), tossed.digits(chosen).times(mpz(3), 1).tolist()
    ([0, -1], [[6], [0]])

    `arrays`: of each state its owner (1, −1, 0, or 3 at ends), what an end pays, and where its
    moves begin; of each move where its targets begin; all targets; of each move the numbers of its
    law and of its reward; the rewards; of each law where its weights begin; all weights. All are
    whole numbers.
    """

    def __init__(self, *arrays: Sequence[int] | Wholes) -> None:
        try:
            self._process = call(solvers().Process, *arrays)
        except (InputError, MissingExtraError, TooLargeError, OverflowError) as refused:
            raise RefusedError(str(refused)) from refused

    def end(self, states: Sequence[int] | Wholes) -> None:
        """End play in states, where nothing is paid."""
        call(self._process.end, states)

    def guess(self, progress: Progress | None = None) -> tuple[Wholes, Any, bool]:
        """Good moves, −1 at ends, their values in doubles, and whether elimination gives these.

        `progress` hears a few times a second how many steps are made, here and below; it may raise.

        Raises RefusedError if strategy iteration does not settle.
        """
        guessed: tuple[Wholes, Any, bool] | None = call(self._process.guess, progress)
        if guessed is None:
            raise RefusedError("strategy iteration in doubles does not settle")
        return guessed

    def ends(self, chosen: Sequence[int] | Wholes) -> bool:
        """Whether play ends surely with these moves."""
        return bool(call(self._process.ends, chosen))

    def ranks_against_free(self, chosen: Sequence[int] | Wholes) -> Wholes:
        """Ranks as `exactdice.solve.stopping` has them, with 1 free and then with −1 free."""
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
        """Best moves as far as can be told, their values times 2^bits/scale, and lengths of play.

        Values differ from what the moves return by a few units; lengths are expected numbers of
        moves over 2^16, along all moves that return as much within 2^near. `guess` is such a one,
        values multiplied by `scale`; `ends` has the values of ends. It proves nothing.

        Raises RefusedError if it does not settle.
        """
        approached: tuple[Wholes, Wide, Wholes] | None
        approached = call(self._process.approach, *guess, ends, bits, scale, near, progress)
        if approached is None:
            raise RefusedError("steps in doubles do not settle")
        return approached

    def signs(
        self, own: Wide, seen: Wide, other: Wide, *, one: Wide, scale: int
    ) -> npt.NDArray[np.int8]:
        """Of each move the sign of what it returns by `seen` less `own` of its state; exact.

        Where sides change, −`other` is what is seen; `one` is what a payment of 1 is worth, and the
        numbers are multiplied by `scale`. Sums must fit the words.
        """
        signs: npt.NDArray[np.int8] = call(self._process.signs, own, seen, other, one, scale)
        return signs

    def looping(self) -> int:
        """How many targets there are in states to which play can come back by way of others."""
        return int(self._process.looping())

    def depths(self) -> Wholes:
        """Through how many sets of states that reach one another play can go from each state."""
        depths: Wholes = call(self._process.depths)
        return depths

    def avoiding(self, marked: Sequence[int] | npt.NDArray[Any]) -> Wholes:
        """For states from which −1 can keep off the marked ones for ever a move, −1 for others."""
        moves: Wholes = call(self._process.avoiding, marked)
        return moves

    def digits(self, chosen: Sequence[int] | Wholes, progress: Progress | None = None) -> "Digits":
        """Values of fixed moves digit by digit; see `Digits`."""
        return Digits(self._process, chosen, progress)


def shifted(numbers: Wide, steps: Wholes) -> Wide:
    """Numbers of many words with one of one word added to each."""
    moved: Wide = call(solvers().shifted, numbers, steps)
    return moved


class Digits:
    """The values of fixed moves modulo powers of `PRIME`.

    Raises RefusedError if play does not surely end, or, which is very rare, the prime is a wrong
    one for them.
    """

    def __init__(
        self, process: Any, chosen: Sequence[int] | Wholes, progress: Progress | None = None
    ) -> None:
        try:
            self._digits = call(solvers().Digits, process, chosen, progress)
        except (InputError, TooLargeError) as refused:
            raise RefusedError(str(refused)) from refused

    def combined(self, count: int, spread: int) -> mpz:
        """A sum of multiples of all values modulo `PRIME` to the power of `count`.

        A prime that divides some denominators divides the sum's too, but for chance; the spread,
        from 1 to 65520, makes one sum another.
        """
        words = array("Q", call(self._digits.combined, count, spread))
        return mpz(int.from_bytes(words.tobytes(), sys.byteorder))

    def times(self, factor: mpz, count: int) -> Wide:
        """The value of each state times a factor modulo `PRIME` to the power of `count`; 0 at ends.

        Of the residues that of about least magnitude; `count` is at least 1.
        """
        places = list[int]()
        while factor and len(places) < count:
            factor, place = divmod(factor, PRIME)
            places.append(int(place))
        products: Wide = call(self._digits.times, places, count, count)
        return products
