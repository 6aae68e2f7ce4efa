r"""Whole numbers by state in many words, for C++ to compare what moves return by them.

A number takes a row of 64-bit words, lowest first, negative ones as complements of 2. Comparisons
are exact: `Comparison` refuses numbers of which a sum could outgrow its words.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from exactdice.native.process import Process, RefusedError, Wide
from exactdice.solve.arena import END, Arena


class Words(Sequence[int]):
    """Whole numbers in many words, each made an int when it is asked for.

    >>> list(Words(words_of([3, -(2**70)], 2)))
    [3, -1180591620717411303424]
    """

    def __init__(self, words: Wide) -> None:
        self._bytes = words.astype("<u8", copy=False).view(np.uint8)

    def __getitem__(self, place: Any) -> Any:
        return int.from_bytes(self._bytes[place].tobytes(), "little", signed=True)

    def __len__(self) -> int:
        return len(self._bytes)


def words_of(numbers: Iterable[Any], limbs: int) -> Wide:
    """Rows of so many words that hold the numbers; OverflowError where they are too short."""
    size = 8 * limbs
    flat = b"".join([number.to_bytes(size, "little", signed=True) for number in numbers])
    return np.frombuffer(flat, "<u8").astype(np.uint64).reshape(-1, limbs)


class Comparison:
    """What moves of an arena return against the values of their states.

    `state`, `side`: the state of each move, and its owner. `counts`: whether anybody makes it.
    """

    def __init__(self, arena: Arena, process: Process, scale: int) -> None:
        self.process, self.scale = process, scale
        owners = np.frombuffer(arena.owners, np.int8)
        first = np.frombuffer(arena.first_move, np.int32)
        self.state = np.arange(len(arena)).repeat(first[1:] - first[:-1])
        self.side = owners[self.state]
        self.counts = self.side != END
        self._denominator = max(arena.denominators, default=1)
        self._reward = max((abs(int(reward * scale)) for reward in arena.rewards), default=0)

    def limbs(self, greatest: int, one: int, scale: int) -> int:
        """Words that hold all sums of numbers of this magnitude; a reward of 1 is worth `one`."""
        most = self._denominator * (self._reward * one + 2 * scale * greatest)
        return most.bit_length() // 64 + 1

    def signs(self, own: Wide, seen: Wide, other: Wide, one: int, scale: int) -> Any:
        """As `Process.signs`.

        Raises RefusedError if sums could outgrow the words.
        """
        limbs = own.shape[1]
        asked = {id(words): words for words in (own, seen, other)}.values()  # often the same
        tops = [words[:, -1].view(np.int64) for words in asked]
        top = max(int(max(high.max(), -1 - high.min())) + 1 for high in tops)
        if self.limbs(top << 64 * (limbs - 1), one, scale) > limbs:
            raise RefusedError("sums of more words")
        return self.process.signs(own, seen, other, one=words_of([one], limbs)[0], scale=scale)

    def several(self, chosen: Any, moves: Any) -> dict[int, tuple[int, ...]]:
        """The chosen moves and others, by their states, of states where there are others."""
        best: dict[int, tuple[int, ...]] = {}
        for move in moves.tolist():
            state = int(self.state[move])
            best[state] = (*best.get(state, (int(chosen[state]),)), move)
        return {state: tuple(sorted(tied)) for state, tied in best.items()}
