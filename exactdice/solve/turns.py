r"""What can happen in a state: the words in which a game is written down.

The rules of a game are a function from a state, any hashable, to what happens there:

=============================  ==============================================================
`End(payoff)` or None          play has ended, and the payoff (or nothing) is paid
a `Distribution` over states   nobody chooses: the next state is drawn
`Chance(reward, successors)`   the same, and a reward is paid, whatever is drawn
a list of `Choice`             the player chooses; with two players, the first
`Turn(player, choices)`        player 1 or 2 chooses
`Both(outcomes)`               both players choose at once
=============================  ==============================================================

A successor may be `Paid(reward, state)`: then the reward depends on what is drawn, as where a roll
scores what it shows. If only the expected value of a reward is known, say so by ``mean=True``:
values and policies need no more, but the distribution of a total does, and is refused.

With two players everything is counted for the first, who receives what the second pays. In a game
that looks the same to both, a state can be written as the player to move sees it, and a successor
as `Other(state)` where the other player is to move and sees that state: what is worth v to the
other player is worth −v to this one. Such a game needs only half of the states.

All numbers are exact: a float is refused, in a state, too, and True and False are paid as 1 and 0.
States that are equal are one state, so that one of True and 1 has to be written throughout: where
both are met, they are refused.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from exactdice.arithmetic import RationalLike, amount, mpq, rational
from exactdice.dice import Distribution
from exactdice.errors import InputError

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class Paid(Generic[State]):
    """A successor with the reward that is paid if it is drawn, on top of that of the move.

    Examples
    --------
    A die is rolled for what it shows:

    >>> from exactdice.dice import fair
    >>> Chance(0, fair(6).map(lambda face: Paid(face, "end")))
    Chance(reward=mpq(7,2), successors=Distribution({'end': 1}))
    """

    reward: RationalLike
    state: State

    def __post_init__(self) -> None:
        object.__setattr__(self, "reward", amount(self.reward, "reward"))


class _Paying(Generic[State]):
    """What `Choice` and `Chance` have in common: a reward, and successors that are drawn."""

    reward: RationalLike
    successors: Distribution[State]
    mean: bool
    paid: Distribution[Paid[State]] | None

    def __post_init__(self) -> None:
        if not isinstance(self.reward, mpq):
            object.__setattr__(self, "reward", amount(self.reward, "reward"))
        _check_law(self.successors)
        if Paid in map(type, self.successors):
            self._split()

    def _split(self) -> None:
        """Keep the expected reward and the successors apart, and both together in `paid`."""
        paid = self.outcomes
        total = sum((weight * rational(each.reward) for each, weight in paid.items()), mpq(0))
        object.__setattr__(self, "paid", paid)
        object.__setattr__(self, "reward", total / paid.denominator)
        object.__setattr__(self, "successors", paid.map(lambda each: each.state))

    @property
    def outcomes(self) -> Distribution[Paid[State]]:
        """The successors, each with all that is paid if it is drawn."""
        reward = rational(self.reward)

        def whole(to: Any) -> Paid[State]:
            more = rational(to.reward) if type(to) is Paid else 0
            return Paid(reward + more, to.state if type(to) is Paid else to)

        return self.successors.map(whole) if self.paid is None else self.paid

    @property
    def may_be_mean(self) -> bool:
        """Whether the reward is a mean, or a fraction of which nothing says that it is none."""
        return self.mean or (self.paid is None and rational(self.reward).denominator != 1)


def _check_law(successors: object) -> None:
    if not isinstance(successors, Distribution):
        wanted = "a Distribution over states: point_mass(state), fair(6).map(…) or "
        wanted += "Distribution.from_probabilities({state: '1/2', …})"
        raise InputError("successors", successors, wanted)


@dataclass(frozen=True)
class Choice(_Paying[State]):
    """One way to act in a state.

    Parameters
    ----------
    action
        What the choice is called; any hashable, once in each state.
    reward
        What it pays at once, whatever is drawn; an exact number.
    successors
        Where it leads, a state or `Paid` with a reward of its own.
    mean
        Whether the reward is only the expected value of what is paid.

    Examples
    --------
    >>> Choice("stop", 3, point_mass("end"))
    Choice(action='stop', reward=mpq(3,1), successors=Distribution({'end': 1}))
    """

    action: Any
    reward: RationalLike
    successors: Distribution[State]
    mean: bool = field(default=False, kw_only=True, repr=False)
    paid: Distribution[Paid[State]] | None = field(default=None, init=False, repr=False)


def point_mass(state: State) -> Distribution[State]:
    """Return the distribution that always leads to one state."""
    return Distribution({state: 1})


@dataclass(frozen=True)
class End:
    """Play has ended, and a payoff is paid; or what it is on average, with ``mean=True``.

    Examples
    --------
    >>> End("1/2")
    End(payoff=mpq(1,2))
    """

    payoff: RationalLike = 0
    mean: bool = field(default=False, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "payoff", amount(self.payoff, "payoff"))


class Stopped(End):
    """The state that an `End` among the outcomes of `Both` leads to."""


@dataclass(frozen=True)
class Chance(_Paying[State]):
    """Nobody chooses: a reward is paid and the next state is drawn; see `Choice`.

    Examples
    --------
    >>> Chance(1, point_mass("next"))
    Chance(reward=mpq(1,1), successors=Distribution({'next': 1}))
    """

    reward: RationalLike
    successors: Distribution[State]
    mean: bool = field(default=False, kw_only=True, repr=False)
    paid: Distribution[Paid[State]] | None = field(default=None, init=False, repr=False)


@dataclass(frozen=True)
class Turn(Generic[State]):
    """One of two players chooses.

    Parameters
    ----------
    player
        1 or 2.
    choices
        What can be done, in the order that breaks ties; rewards are paid to the first player.
    """

    player: int
    choices: Sequence[Choice[State]]

    def __post_init__(self) -> None:
        if self.player not in (1, 2):
            raise InputError("player", self.player, "1 or 2")
        if not self.choices:
            raise InputError("choices", self.choices, "at least one choice, or End()")


@dataclass(frozen=True)
class Both(Generic[State]):
    """Both players choose at once.

    Parameters
    ----------
    outcomes
        For each pair (choice of the first player, choice of the second) what happens: a
        `Distribution` over states, a `Chance` with a reward, or an `End`. Every choice of the one
        meets every choice of the other.

    Examples
    --------
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
            raise InputError(
                "outcomes", dict(self.outcomes), "an outcome for every pair of choices"
            )

    @property
    def rows(self) -> tuple[Any, ...]:
        """The choices of the first player, in the order in which they first appear."""
        return tuple(dict.fromkeys(row for row, _ in self.outcomes))

    @property
    def columns(self) -> tuple[Any, ...]:
        """The choices of the second player, in the order in which they first appear."""
        return tuple(dict.fromkeys(column for _, column in self.outcomes))


class Other(Generic[State]):
    """A successor in which the other player is to move, as that player sees it.

    Examples
    --------
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
    """Whether two equal states are of one type too, as True and 1 are not; tuples throughout.

    >>> alike((0, 1), (0, 1)), alike((0, 1), (0, True))
    (True, False)
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        for part, twin in zip(one, other, strict=True):  # all() would take twice the time
            if part is not twin and not alike(part, twin):
                return False
    return True


class _Ordered(frozenset[Any]):
    """A set that is written in the order of its elements' texts; by itself, as {a, b}."""

    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(sorted(map(repr, self)))}}})" if self else "frozenset()"

    def __str__(self) -> str:
        return f"{{{', '.join(sorted(map(str, self)))}}}"


def ordered(state: Any) -> Any:
    """A state equal to the one given; it, or a set in its tuples, is written alike in all runs."""
    if isinstance(state, frozenset):
        return _Ordered(map(ordered, state))
    if isinstance(state, tuple):
        return tuple.__new__(type(state), map(ordered, state))
    return state


def named(state: Any) -> str:
    """The text of a state, an action or of what a player knows; of sets as `ordered` has it.

    >>> print(named(frozenset(["b", "a"])), named((2, frozenset(["b", "a"]))))
    {a, b} (2, frozenset({'a', 'b'}))
    """
    return str(ordered(state))


Moves: TypeAlias = (
    "End | Distribution[Any] | Chance[Any] | Turn[Any] | Both[Any] | Sequence[Choice[Any]] | None"
)
"""What a function of rules gives for a state."""
