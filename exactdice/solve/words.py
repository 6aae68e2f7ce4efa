r"""Whole numbers by state in many words, for C++ to compare what moves return by them.

A number takes a row of 64-bit words, lowest first, negative ones as complements of 2. Comparisons
are exact: `MoveComparison` refuses numbers of which a sum could outgrow its words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from exactdice.native.process import Process, RefusedError, Wide
from exactdice.solve.arena import END, Arena


class WideIntegers(Sequence[int]):
    """Whole numbers in many words, each made an int when it is asked for.

    >>> list(WideIntegers(words_of([3, -(2**70)], 2)))
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


class MovesByState(Mapping[int, tuple[int, ...]]):
    """The moves of states that have several, by the state of each, in order.

    >>> dict(MovesByState(np.array([2, 3, 7, 8, 9]), np.array([1, 1, 4, 4, 4], np.int32)))
    {1: (2, 3), 4: (7, 8, 9)}
    """

    def __init__(self, moves: Any, states: Any) -> None:
        self._moves, self._states = moves, states

    def put_first(self, chosen: Any) -> None:
        """Make the first of its moves the chosen one of each state, in an array of numpy."""
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
    """What moves of an arena return against the values of their states.

    `state`, `side`: the state of each move, and its owner. `counts`: whether anybody makes it.
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

    def several(self, chosen: Any, moves: Any) -> MovesByState:
        """The chosen moves and others, by their states, of states where there are others."""
        has_others, is_best = np.zeros(len(chosen), bool), np.zeros(len(self.state), bool)
        has_others[self.state[moves]] = is_best[moves] = True
        is_best[chosen[has_others]] = True
        best = is_best.nonzero()[0]
        return MovesByState(best, self.state[best])
