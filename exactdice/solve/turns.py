"""What can happen in a state: the vocabulary in which a game is written.

The rules of a game are a function from a state, any hashable, to one of these:

=============================  ==============================================================
`End(payoff)` or None          play ends, and the payoff (or nothing) is paid
a `Distribution` over states   no player chooses: the next state is drawn
`Chance(reward, successors)`   the same, and a reward is paid, whatever is drawn
a list of `Choice`             the player chooses; with two players, the first
`Turn(player, choices)`        that player chooses: 1, 2, …
`Both(outcomes)`               both players move simultaneously
=============================  ==============================================================

A successor may be `Paid(reward, state)` if the reward depends on what is drawn, for example if a
roll scores what it shows. If you know only the expected value of a reward, say so by ``mean=True``:
values and policies need no more, but the distribution of a total does, and rejects it.

With two players all payments are to the first player, from the second. If a game looks the same to
both players, a state can be written as the mover sees it; `Other(state)` is a successor in which
the other player moves and sees that state. A value v of the other player is −v for this one. Such a
game needs only half of the states.

With more players, or two with interests of their own, write `Game(initial, moves, players=n)`. All
payments are then tuples, one number for each player in their order, or 0. The number of a player in
`Turn`, and the order of payments, are those that the mover sees: the mover is player 1, then come
the players in turn. `Other(state)` passes the move to the next player, ``Other(Other(state))`` to
the one after. Without `Other`, these are simply the players' numbers.

All numbers are exact: floats are rejected, also in states; True and False pay 1 and 0. Equal states
are one state, so write one of True and 1 throughout: a model with both is rejected.
"""

import sys
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, TypeAlias, TypeVar

from exactdice.arithmetic import amount, is_foreign, mpq, natural, rational
from exactdice.dice import Distribution
from exactdice.dice.weighted import Weighted
from exactdice.errors import InputError
from exactdice.solve.arena import END, Arena

State = TypeVar("State", bound=Hashable)


#: An exact number, or a tuple of one for each player.
Payment: TypeAlias = Any


def _payment(paid: Any, name: str) -> Any:
    return tuple(amount(one, name) for one in paid) if type(paid) is tuple else amount(paid, name)


@dataclass(frozen=True)
class Paid(Generic[State]):
    """A successor with an additional reward that is paid if it is drawn.

    A die that pays what it shows:

    >>> from exactdice.dice import fair
    >>> Chance(0, fair(6).map(lambda face: Paid(face, "end")))
    Chance(reward=mpq(7,2), successors=Distribution({'end': 1}))
    """

    reward: Payment
    state: State

    def __post_init__(self) -> None:
        object.__setattr__(self, "reward", _payment(self.reward, "reward"))


class _Paying(Generic[State]):
    reward: Payment
    successors: Distribution[State]
    mean: bool
    paid: Distribution[Paid[State]] | None

    def __post_init__(self) -> None:
        if not isinstance(self.reward, mpq):
            object.__setattr__(self, "reward", _payment(self.reward, "reward"))
        successors: Any = self.successors
        if not isinstance(successors, Distribution):
            wanted = "a Distribution over states: point_mass(state), fair(6).map(…) or "
            wanted += "Distribution.from_probabilities({state: '1/2', …})"
            raise InputError("successors", successors, wanted)
        paying = [each for each in successors if type(each) is Paid]
        if paying and tuple not in map(type, (self.reward, *(each.reward for each in paying))):
            paid = self.outcomes  # the mean and the successors apart, and together
            total = sum((weight * rational(each.reward) for each, weight in paid.items()), mpq(0))
            object.__setattr__(self, "paid", paid)
            object.__setattr__(self, "reward", total / paid.denominator)
            object.__setattr__(self, "successors", paid.map(lambda each: each.state))

    @property
    def outcomes(self) -> Distribution[Paid[State]]:
        reward = rational(self.reward)

        def whole(to: Any) -> Paid[State]:
            more = rational(to.reward) if type(to) is Paid else 0
            return Paid(reward + more, to.state if type(to) is Paid else to)

        return self.successors.map(whole) if self.paid is None else self.paid

    @property
    def may_be_mean(self) -> bool:
        return self.mean or (self.paid is None and rational(self.reward).denominator != 1)


@dataclass(frozen=True, init=False)
class Choice(_Paying[State]):
    """One action of a player in a state.

    * `action`: the name of the action: any hashable, unique in the state.
    * `reward`: the immediate reward, whatever is drawn; an exact number.
    * `successors`: the distribution of the next state, or of `Paid` with its own reward.
    * `mean`: whether the reward is only the expected value of what is paid.

    >>> Choice("stop", 3, point_mass("end"))
    Choice(action='stop', reward=mpq(3,1), successors=Distribution({'end': 1}))
    """

    action: Any
    reward: Payment
    successors: Distribution[State]
    mean: bool = field(default=False, kw_only=True, repr=False)
    paid: Distribution[Paid[State]] | None = field(default=None, init=False, repr=False)

    def __init__(
        self, action: Any, reward: Payment, successors: Distribution[State], *, mean: bool = False
    ) -> None:
        kept = self.__dict__  # rules make millions: this takes half the time of dataclasses
        kept["action"], kept["successors"] = action, successors
        kept["reward"] = mpq(reward) if type(reward) is int else reward
        if mean:
            kept["mean"] = mean
        if (
            type(reward) is not int
            or type(successors) is not Distribution
            or Paid in map(type, successors)
        ):
            self.__post_init__()


def point_mass(state: State) -> Distribution[State]:
    """Return the distribution that always leads to one state."""
    return Distribution({state: 1})


@dataclass(frozen=True)
class End:
    """The end of play with a payoff, or with its mean if ``mean=True``.

    >>> End("1/2")
    End(payoff=mpq(1,2))
    """

    payoff: Payment = 0
    mean: bool = field(default=False, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "payoff", _payment(self.payoff, "payoff"))


class Stopped(End):
    """The state to which an `End` among the outcomes of `Both` leads."""


@dataclass(frozen=True)
class Chance(_Paying[State]):
    """A draw of the next state with a reward, without a choice; see `Choice`.

    >>> Chance(1, point_mass("next"))
    Chance(reward=mpq(1,1), successors=Distribution({'next': 1}))
    """

    reward: Payment
    successors: Distribution[State]
    mean: bool = field(default=False, kw_only=True, repr=False)
    paid: Distribution[Paid[State]] | None = field(default=None, init=False, repr=False)


@dataclass(frozen=True)
class Turn(Generic[State]):
    """A choice by a player, 1, 2, ….

    The order of the choices breaks ties; of two players, their rewards are paid to the first.
    """

    player: int
    choices: Sequence[Choice[State]]

    def __post_init__(self) -> None:
        natural(self.player, "player", least=1)
        if not self.choices:
            raise InputError("choices", self.choices, "at least one choice, or End()")


@dataclass(frozen=True)
class Both(Generic[State]):
    """Simultaneous moves of both players.

    * `outcomes`: for each pair (choice of the first player, choice of the second) what happens: a
      `Distribution` over states, a `Chance` with a reward, or an `End`. All pairs must be present.

    >>> pennies = Both({(a, b): End(1 if a == b else -1) for a in "ht" for b in "ht"})
    >>> pennies.rows, pennies.columns
    (('h', 't'), ('h', 't'))
    """

    outcomes: Mapping[tuple[Any, Any], Distribution[State] | Chance[State] | End]

    def __post_init__(self) -> None:
        pairs = self.outcomes if isinstance(self.outcomes, Mapping) else [None]
        if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
            raise InputError("outcomes", self.outcomes, "a mapping from pairs of choices")
        if len(self.outcomes) != len(self.rows) * len(self.columns) or not self.outcomes:
            wanted = "an outcome for every pair of choices"
            raise InputError("outcomes", dict(self.outcomes), wanted)

    @property
    def rows(self) -> tuple[Any, ...]:
        """The choices of the first player, in order of appearance."""
        return tuple(dict.fromkeys(row for row, _ in self.outcomes))

    @property
    def columns(self) -> tuple[Any, ...]:
        """The choices of the second player, in order of appearance."""
        return tuple(dict.fromkeys(column for _, column in self.outcomes))


class Other(Generic[State]):
    """A successor in which the other player moves, as that player sees it.

    >>> Other((10, 0)) == Other((10, 0)), Other((10, 0)) == (10, 0)
    (True, False)
    """

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state

    def __hash__(self) -> int:
        return ~hash(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Other) and bool(self.state == other.state)

    def __repr__(self) -> str:
        return f"Other({self.state!r})"


def alike(one: object, other: object) -> bool:
    """Whether two equal states have the same type, unlike True and 1, also within tuples."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        for part, twin in zip(one, other, strict=True):  # all() would take twice the time
            if part is not twin and not alike(part, twin):
                return False
    return True


class _Ordered(frozenset[Any]):
    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(sorted(map(repr, self)))}}})" if self else "frozenset()"

    def __str__(self) -> str:
        return f"{{{', '.join(sorted(map(str, self)))}}}"


def ordered(state: Any) -> Any:
    """Return an equal state in which sets are written in the same order in all runs."""
    if isinstance(state, frozenset):
        return _Ordered(map(ordered, state))
    if isinstance(state, tuple):
        return tuple.__new__(type(state), map(ordered, state))
    return state


def named(state: Any) -> str:
    """Return the text of a state, an action or a player's information, with sets in order."""
    return str(ordered(state))


Moves: TypeAlias = (
    "End | Distribution[Any] | Chance[Any] | Turn[Any] | Both[Any] | Sequence[Choice[Any]] | None"
)
"""What a function of rules gives for a state."""


def choosing(turn: Any) -> tuple[int, Any]:
    """Return the player who chooses, 1 or 2, and the choices; player 0 for chance and for both."""
    if isinstance(turn, Turn):
        return turn.player, turn.choices
    return (1, turn) if isinstance(turn, list | tuple) else (0, ())


#: Methods that most of exploring calls. From the first long walk on C++ does their common cases.
IN_PYTHON: tuple[tuple[type, str, Callable[..., Any]], ...] = (
    (Weighted, "__init__", Weighted.__init__),
    (Distribution, "map", Distribution.map),
    (Choice, "__init__", Choice.__init__),
)

#: States, and four times as many successors, up to which a walk is short.
FEW = 1000


class Walk:
    """The states found so far, and the moves of those that are explored.

    The C++ class takes a tenth of the time and half of the memory, but needs numpy, which takes
    longer to load than a small game to explore: only long walks are `continued` in it.
    """

    def __init__(self) -> None:
        self._states: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._arena, self._swaps, self._bytes = Arena(), list[int](), 0
        self._arena.open(END)  # each state is opened before its owner is known
        self.few = FEW

    def __len__(self) -> int:
        return len(self._states)

    def find(self, state: Any) -> int:
        return self._numbers.get(state, -1)

    def number(self, state: Any) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            self._bytes += sys.getsizeof(state) + 128  # with its places in dictionary and lists
        return number

    def move(self, reward: mpq, successors: Collection[tuple[Any, int]]) -> tuple[Any, Any] | None:
        """Add a move; return None, or a successor and the equal known state of another type."""
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
        moves = (self.move(choice.reward, choice.successors.items()) for choice in choices)
        return next(filter(None, moves), None)

    def close(self, owner: int) -> None:
        self._arena.owners[-1] = owner
        self._arena.open(END)

    def states(self) -> list[Any]:
        return self._states

    def bytes(self) -> int:
        arena = self._arena
        return self._bytes + 4 * len(arena.targets) + 12 * len(arena.law) + 5 * len(arena.owners)

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays for `Arena.put`; to be called once, at the end."""
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

    def continued(self) -> Any:
        """Return the same walk in C++ if it is long and C++ is built, otherwise this one."""
        if len(self._states) <= self.few and len(self._arena.targets) <= 4 * self.few:
            return self
        from exactdice.native import are_built  # only for long walks

        if not are_built():
            self.few = sys.maxsize  # not to ask again
            return self
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
    from exactdice.native import solvers

    module, arguments = solvers(), chain.from_iterable((own[0], own[2]) for own in IN_PYTHON)
    methods = module.methods(*arguments, Other, Paid, is_foreign)
    for (kind, name, _), method in zip(IN_PYTHON, methods, strict=True):
        setattr(kind, name, method)
    return module.Walk(Other, sys.getsizeof, mpq(0))


class Numbers(Mapping[Any, int]):
    """The number of each state of a walk."""

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
    from exactdice.native import are_built

    numbers = _in_cpp() if len(states) > FEW and are_built() else Walk()
    for state in states:
        numbers.number(state)
    return Numbers(numbers)
