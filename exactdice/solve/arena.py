"""Arenas: finite games in flat arrays, for solvers that read millions of transitions.

An arena has states 0 to n − 1. The *owner* of a state chooses one of its moves: `MAX` maximises,
`MIN` minimises, and `CHANCE` has one move only. At `BOTH` the sides move simultaneously, and the
moves are a matrix in row-major order. An `END` is terminal and pays a payoff. A move pays a reward
and leads to successors with given weights over a denominator; all payments are to MAX, from MIN.

*Changing sides.* A successor t ≥ n is the state t − n seen by the other side: the value v of the
side that moves there is −v here. A game that looks the same to both players thus needs each state
only once, as the mover sees it. Solvers keep the numbers of such an arena in lists of length 2n,
whose second half is the negative of the first.

Rewards and distributions are stored once each and referred to by number: games have few of them.
Solvers of arenas return `Solved`, and raise `NoValueError` if there is no answer.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError, Unquoted

CHANCE: Final = 0
MAX: Final = 1
MIN: Final = -1
BOTH: Final = 2
END: Final = 3

#: Hears how many states are solved, and of how many.
Tell: TypeAlias = Callable[[int, int], None]

Mixed: TypeAlias = tuple[tuple[mpq, ...], tuple[mpq, ...]]
"""The probability of each row and of each column of a matrix."""


class NoValueError(ExactDiceError, ValueError):
    """A game has no finite value; the text names states that show why."""


class CertificateError(ExactDiceError, ValueError):
    """A certificate proves nothing; the text names the first condition that fails, and where."""

    exit_status = 1


def named(states: Collection[object]) -> Unquoted:
    shown = ", ".join(repr(state) for state in list(states)[:3])
    more = len(states) - 3
    return Unquoted(f"{shown} and {more} more states" if more > 0 else shown)


class Arena:
    """A finite game in flat arrays, filled state by state.

    `owners`: the owner of each state. `first_move`: the moves of state s are numbered
    ``first_move[s]`` to ``first_move[s + 1] - 1``. `first_target`: the successors of move m are
    ``targets[first_target[m]:first_target[m + 1]]``. `law`, `reward`: for each move the numbers of
    its distribution and of its reward. `weights`, `denominators`: for each distribution the
    weights, in the order of the successors, and their sum. `rewards`: the different rewards; the
    first is 0. `payoffs`: the payoff of each END. `columns`: the number of columns of the matrix of
    each state of `BOTH`.
    """

    def __init__(self) -> None:
        self.owners = array("b")
        self.first_move = array("i", [0])
        self.first_target = array("i", [0])
        self.law = array("i")
        self.reward = array("i")
        self.targets = array("i")
        self.weights: list[tuple[int, ...]] = []
        self.denominators: list[int] = []
        self.rewards: list[mpq] = [mpq(0)]
        self.payoffs: dict[int, mpq] = {}
        self.columns: dict[int, int] = {}
        self.changes_sides = False
        self._law_numbers: dict[tuple[int, ...], int] = {}
        self._reward_numbers: dict[mpq, int] = {}

    def open(self, owner: int, columns: int = 0) -> None:
        if columns:
            self.columns[len(self.owners)] = columns
        self.owners.append(owner)
        self.first_move.append(self.first_move[-1])

    def end(self, payoff: mpq) -> None:
        self.payoffs[len(self.owners)] = payoff
        self.open(END)

    def move(self, reward: mpq, weights: tuple[int, ...], targets: Iterable[int]) -> None:
        self.targets.extend(targets)
        self.close(reward, weights)

    def close(self, reward: mpq, weights: tuple[int, ...]) -> None:
        """Add a move whose successors are already in `targets`."""
        number = self._law_numbers.get(weights)
        if number is None:
            number = self._law_numbers[weights] = len(self.weights)
            self.weights.append(weights)
            self.denominators.append(sum(weights))
        self.law.append(number)
        if reward:
            number = self._reward_numbers.get(reward)
            if number is None:
                number = self._reward_numbers[reward] = len(self.rewards)
                self.rewards.append(reward)
        else:
            number = 0
        self.reward.append(number)
        self.first_target.append(len(self.targets))
        self.first_move[-1] += 1

    @classmethod
    def listed(
        cls,
        owners: Any,
        first_move: Any,
        first_target: Any,
        targets: Any,
        weights: Any,
        rewards: Iterable[mpq],
        reward: Iterable[int],
    ) -> "Arena":
        """Return the arena of numpy arrays; ends pay nothing, `weights` are those of all moves."""
        import numpy as np

        arena = cls()
        arena.owners = array("b", owners.astype("i1").tobytes())
        arena.first_move = _short(first_move)
        arena.first_target = _short(first_target)
        arena.targets = _short(targets)
        law = np.zeros(len(first_target) - 1, np.int32)
        numbers: dict[tuple[int, ...], int] = {(1,): 0}  # most moves have one successor
        sizes = first_target[1:] - first_target[:-1]
        for size in set(sizes.tolist()) - {1}:
            moves = (sizes == size).nonzero()[0]
            held = weights[first_target[moves][:, None] + np.arange(size)].tolist()
            for each in map(tuple, held):
                numbers.setdefault(each, len(numbers))
            law[moves] = [numbers[each] for each in map(tuple, held)]
        arena.law = _short(law)
        arena.weights, arena.denominators = list(numbers), list(map(sum, numbers))
        arena.rewards, arena.reward = list(rewards), array("i", reward)
        ends = (owners == END).nonzero()[0].tolist()
        arena.payoffs = dict.fromkeys(ends, arena.rewards[0])
        return arena

    def put(self, columns: list[Any]) -> None:
        """Take over the arrays of a walk; each is released before the next one is copied."""
        for name in ("owners", "first_move", "first_target", "law", "reward", "targets"):
            kept = getattr(self, name)[:0]
            kept.frombytes(memoryview(columns.pop(0)).cast("B"))
            setattr(self, name, kept)
        self.weights, self.rewards, self.changes_sides = columns
        self.denominators = list(map(sum, self.weights))

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def transitions(self) -> int:
        return len(self.targets)

    def moves(self, state: int) -> range:
        return range(self.first_move[state], self.first_move[state + 1])

    def heads(self, move: int) -> "array[int]":
        return self.targets[self.first_target[move] : self.first_target[move + 1]]

    def leads(self, move: int) -> Iterator[tuple[int, int]]:
        return zip(self.heads(move), self.weights[self.law[move]], strict=True)

    def returned(self, move: int, values: Any, common: Any = 1) -> mpq:
        """Return the reward of a move and the expected value of its successors, times `common`."""
        total = sum([weight * values[target] for target, weight in self.leads(move)], mpq(0))
        reward: mpq = self.rewards[self.reward[move]] * common
        return reward + total / self.denominators[self.law[move]]

    def best_return(self, state: int, values: Any, common: Any = 1) -> tuple[mpq, list[int]]:
        """Return the best return of a state and all moves with it; `values` are times `common`."""
        returned = {move: self.returned(move, values, common) for move in self.moves(state)}
        best = max(returned.values()) if self.owners[state] == MAX else min(returned.values())
        return best, [move for move, worth in returned.items() if worth == best]

    def successors(self, state: int) -> "array[int]":
        if self.owners[state] == END:
            return array("i")
        first = self.first_target[self.first_move[state]]
        return self.targets[first : self.first_target[self.first_move[state + 1]]]

    def first_choices(self) -> Iterator[int]:
        """Return the states with several moves that play reaches before any other such state."""
        known, states = {0}, [0]
        for state in states:
            after = [target % len(self) for target in self.successors(state)]
            if after and len(self.moves(state)) > 1:
                yield state
            else:
                states += (new := dict.fromkeys(s for s in after if s not in known))
                known |= new.keys()

    def is_owned(self, owner: int) -> bool:
        return owner % 256 in self.owners.tobytes()  # a tenth of the time of a search in the array

    def owned_as(self, owners: Callable[[int], int]) -> "Arena":
        """Return the same arena with other owners, by a function of the present owner."""
        other = self._sharing()
        after = bytearray(256)
        for owner in (CHANCE, MAX, MIN, BOTH, END):
            after[owner % 256] = owners(owner) % 256
        other.owners = array("b", self.owners.tobytes().translate(after))
        return other

    def with_ends(self, ends: Mapping[int, mpq]) -> "Arena":
        other = self._sharing()
        other.owners, other.payoffs = array("b", self.owners), self.payoffs | dict(ends)
        for state in ends:
            other.owners[state] = END
        return other

    def paying(self, reward: Callable[[mpq], mpq], payoff: Callable[[mpq], mpq]) -> "Arena":
        other = self._sharing()
        other.rewards = list(map(reward, self.rewards))
        other.payoffs = {state: payoff(paid) for state, paid in self.payoffs.items()}
        return other

    def with_payments(self, rewards: Sequence[mpq], payoffs: Mapping[int, mpq]) -> "Arena":
        """Return the same arena with other rewards of all moves, and other payoffs."""
        other = self._sharing()
        numbers = {paid: number for number, paid in enumerate(dict.fromkeys([mpq(0), *rewards]))}
        other.rewards, other.payoffs = list(numbers), dict(payoffs)
        other.reward = array("i", [numbers[reward] for reward in rewards])
        return other

    def forgetting_sides(self) -> "Arena":
        """Return the same arena seen by one observer, who ignores changes of side."""
        other, n = self._sharing(), len(self)
        other.changes_sides, other.targets = False, array("i", [t % n for t in self.targets])
        return other

    def unfolded(self) -> "Arena":
        """Return an arena without changes of side: state n + s is s as the other side sees it."""
        if not self.changes_sides:
            return self
        n, views = len(self), Arena()
        for sign, shift in ((1, 0), (-1, n)):
            for state in range(n):
                if self.owners[state] == END:
                    views.end(sign * self.payoffs[state])
                    continue
                owner, columns = self.owners[state], self.columns.get(state, 0)
                moves: Sequence[int] = self.moves(state)
                if columns and sign < 0:  # whose are the rows here has the columns there
                    moves = [move for column in range(columns) for move in moves[column::columns]]
                    columns = len(moves) // columns
                views.open(owner if owner == BOTH else sign * owner, columns)
                for move in moves:
                    heads = [(target + shift) % (2 * n) for target, _ in self.leads(move)]
                    reward = sign * self.rewards[self.reward[move]]
                    views.move(reward, self.weights[self.law[move]], heads)
        return views

    def moves_of_both(self, chosen: Sequence[int]) -> "array[int]":
        """Return fixed moves for `unfolded`, in which both sides make the given ones."""
        beyond = self.first_move[-1]
        seen = [move + beyond if move >= 0 else -1 for move in chosen]
        return array("q", [*chosen, *seen] if self.changes_sides else chosen)

    def restricted(self, order: Sequence[int]) -> "Arena":
        import numpy as np

        states = np.array(order, dtype=np.int64)
        number = np.full(len(self), -1)
        number[states] = np.arange(len(states))
        copy = self._sharing()
        copy.owners = array("b", np.frombuffer(self.owners, np.int8)[states].tobytes())
        places = number.tolist()
        copy.payoffs = {places[s]: p for s, p in self.payoffs.items() if places[s] >= 0}
        copy.columns = {places[s]: c for s, c in self.columns.items() if places[s] >= 0}
        copy.first_move, moves = _parts(self.first_move, states)
        parts = self.law, self.reward
        copy.law, copy.reward = (_short(np.frombuffer(part, np.int32)[moves]) for part in parts)
        copy.first_target, places = _parts(self.first_target, moves)
        copy.targets = _short(number[np.frombuffer(self.targets, np.int32)[places]])
        return copy

    def following(self, chosen: Sequence[int]) -> "Arena":
        """Return a copy in which each player has only the chosen move; moves are renumbered."""
        copy = Arena()
        copy.changes_sides = self.changes_sides
        for state, owner in enumerate(self.owners):
            if owner == END:
                copy.end(self.payoffs[state])
                continue
            move = self.first_move[state] if owner == CHANCE else chosen[state]
            copy.open(CHANCE)
            weights = self.weights[self.law[move]]
            copy.move(self.rewards[self.reward[move]], weights, self.heads(move))
        return copy

    def _sharing(self) -> "Arena":
        other = Arena.__new__(Arena)
        vars(other).update(vars(self))
        return other


def _short(numbers: Any) -> "array[int]":
    return array("i", numbers.astype("i4").tobytes())


def _parts(first: "array[int]", chosen: Any) -> "tuple[array[int], Any]":
    import numpy as np

    bounds = np.frombuffer(first, np.int32)
    sizes = bounds[chosen + 1] - bounds[chosen]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    shift = np.repeat(bounds[chosen] - starts[:-1], sizes)
    return _short(starts), np.arange(len(shift)) + shift


@dataclass(frozen=True, eq=False, repr=False)
class Solved:
    """Values or bounds of an arena, with moves that achieve them."""

    # lower, upper: bounds of the values by number of state; one list twice where they are exact
    lower: Sequence[Any]
    upper: Sequence[Any]
    # the number of a best move of each state, −1 where there is none
    chosen: Sequence[int]
    # all best moves of the states that have several, or that may have for all the bounds tell
    several: Mapping[int, tuple[int, ...]]
    # none where `lower` holds rationals that are the values; otherwise `lower` and `upper` hold
    # integers, to be divided by 2 to the power of `bits`
    bits: int | None = None
    # the strategies, one of each side, of states in which both choose at once
    mixed: Mapping[int, Mixed] = field(default_factory=dict)
    method: str = "exact"  # how it was found, and whether exactly

    @property
    def values(self) -> Sequence[mpq]:
        return self.lower

    def of_first(self, known: int) -> "Solved":
        """Restrict to the first states; the others are the same ones seen by the other side."""
        low, high = self.lower, self.upper
        if len(low) == known:
            return self
        lower = [max(low[s], -high[known + s]) for s in range(known)]
        upper = lower if low is high else [min(high[s], -low[known + s]) for s in range(known)]
        several = {state: moves for state, moves in self.several.items() if state < known}
        mixed = {state: pair for state, pair in self.mixed.items() if state < known}
        chosen = self.chosen[:known]
        return replace(self, lower=lower, upper=upper, chosen=chosen, several=several, mixed=mixed)

    def between(self, number: int) -> Enclosure:
        lower, upper = self.lower[number], self.upper[number]
        if self.bits is None:
            return Enclosure(lower, upper)
        return Enclosure(mpq(lower, 1 << self.bits), mpq(upper, 1 << self.bits))
