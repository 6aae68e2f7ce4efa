"""States numbered as they are met, and where their moves lead, in arrays that grow.

The C++ module has the same class, which takes a tenth of the time and half of the memory. It needs
numpy, which takes longer to load than a small game to explore: `continued` goes on with that class
once a walk is long, where it is built.
"""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.native import are_built, solvers
from exactdice.solve.arena import END, Arena
from exactdice.solve.turns import Other, alike

#: States, and four times as many successors, up to which a walk is short.
FEW = 1000


class Walk:
    """States met so far, and the moves of those that are explored."""

    def __init__(self) -> None:
        self._states: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._arena, self._swaps, self._bytes = Arena(), list[int](), 0
        self._arena.open(END)  # each state is opened before its owner is known
        self.few = FEW

    def __len__(self) -> int:
        return len(self._states)

    def find(self, state: Any) -> int:
        """The number of a state, −1 where it was not met."""
        return self._numbers.get(state, -1)

    def number(self, state: Any) -> int:
        """The number of a state; a new one where it was not met before."""
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            self._bytes += sys.getsizeof(state) + 128  # with its places in dictionary and lists
        return number

    def move(self, reward: mpq, successors: Collection[tuple[Any, int]]) -> tuple[Any, Any] | None:
        """Add a move by what it pays and by its successors with their weights.

        What comes back is None, or a successor and the state met before that it equals though it is
        of another type.
        """
        targets, weights = self._arena.targets, []
        for successor, weight in successors:
            if type(successor) is Other:
                self._swaps.append(len(targets))
                successor = successor.state
            number = self.number(successor)
            before = self._states[number]
            if successor is not before and not alike(successor, before):
                return successor, before
            targets.append(number)
            weights.append(weight)
        self._arena.close(reward, tuple(weights))
        return None

    def moves(self, choices: Sequence[Any]) -> tuple[Any, Any] | None:
        """Add the moves of choices that have a reward and successors each; comes back as `move`."""
        moves = (self.move(choice.reward, choice.successors.items()) for choice in choices)
        return next(filter(None, moves), None)

    def close(self, owner: int) -> None:
        """Say who owns the state whose moves were added last."""
        self._arena.owners[-1] = owner
        self._arena.open(END)

    def states(self) -> list[Any]:
        """All states, by number; those to be met later are added to it."""
        return self._states

    def bytes(self) -> int:
        """Bytes taken by states, as they tell, and by what is kept of them and of moves."""
        arena = self._arena
        return self._bytes + 4 * len(arena.targets) + 12 * len(arena.law) + 5 * len(arena.owners)

    def arrays(self) -> tuple[Any, ...]:
        """All that was added, for `Arena.put`; to be asked for once, at the end."""
        arena = self._arena
        for place in self._swaps:
            arena.targets[place] += len(self)
        return (
            arena.owners[:-1],
            arena.first_move[:-1],
            arena.first_target,
            arena.law,
            arena.reward,
            arena.targets,
            arena.weights,
            arena.rewards,
            bool(self._swaps),
        )

    @property
    def is_long(self) -> bool:
        """Whether the same in C++ is worth its start."""
        return len(self._states) > self.few or len(self._arena.targets) > 4 * self.few

    def in_cpp(self) -> Any:
        """The same walk in C++."""
        other, arena, swaps = _in_cpp(), self._arena, set(self._swaps)
        for state in self._states:
            other.number(state)
        for number, owner in enumerate(arena.owners[:-1]):
            for move in arena.moves(number):
                first, last = arena.first_target[move : move + 2]
                heads = (self._states[target] for target in arena.targets[first:last])
                seen = [Other(s) if first + i in swaps else s for i, s in enumerate(heads)]
                weights = arena.weights[arena.law[move]]
                other.move(arena.rewards[arena.reward[move]], [*zip(seen, weights, strict=True)])
            other.close(owner)
        return other


def _in_cpp() -> Any:
    return solvers().Walk(Other, sys.getsizeof, mpq(0))


def continued(walk: Any) -> Any:
    """A walk to go on with: in C++ once it is long, where that is built."""
    if type(walk) is not Walk or not walk.is_long:
        return walk
    if are_built():
        return walk.in_cpp()
    walk.few = sys.maxsize  # not to ask again
    return walk


class Numbers(Mapping[Any, int]):
    """The number of each state that a walk has met."""

    def __init__(self, walk: Any) -> None:
        self._walk = walk

    def __reduce__(self) -> tuple[Any, ...]:
        return _numbered, (self._walk.states(),)  # hashes may differ where it is read

    def __getitem__(self, state: Any) -> int:
        number: int = self._walk.find(state)
        if number < 0:
            raise KeyError(state)
        return number

    def __iter__(self) -> Iterator[Any]:
        return iter(self._walk.states())

    def __len__(self) -> int:
        return len(self._walk)


def _numbered(states: Sequence[Any]) -> Numbers:
    """Number states in their order, as where a model is unpickled."""
    numbers = _in_cpp() if len(states) > FEW and are_built() else Walk()
    for state in states:
        numbers.number(state)
    return Numbers(numbers)
