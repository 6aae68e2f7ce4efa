r"""Finite decision processes with undiscounted total reward.

A process has finitely many states. In each state one of finitely many choices is taken: it pays a
reward at once and moves to a successor drawn from an exact distribution. A state without choices is
terminal: play has ended and nothing more is paid. The value of a state is the greatest expected
total reward,

.. math:: V(s) = \sup_\pi \mathrm{E}_\pi\Bigl[\sum_t r(s_t, a_t) \Bigm| s_0 = s\Bigr],

over the *proper* policies: those under which play ends with probability 1 from every state. Play
must end is the convention; a policy that stays away from the end for ever, however little that
costs it, does not count. Rewards may have any sign and the graph of moves may have cycles. The
value exists exactly when some policy is proper and no cycle that a policy can keep to gains on
average; the solvers establish both and raise `NoValueError` where one fails.

Choices are kept in the order given. That order is the tie rule of every solver: of equally good
actions the first is taken.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import mul
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from gmpy2 import lcm, mpq, mpz

from exactdice.arithmetic import RationalLike, rational
from exactdice.dice import Distribution
from exactdice.errors import ExactDiceError, InputError, Unquoted

__all__ = [
    "Action",
    "Choice",
    "CycleError",
    "DecisionProcess",
    "Move",
    "NoValueError",
    "point_mass",
]

State = TypeVar("State", bound=Hashable)
Action: TypeAlias = Any  # any hashable; each process has its own kind


class NoValueError(ExactDiceError, ValueError):
    """The process has no finite value; the text names states that show why."""


class CycleError(ExactDiceError, ValueError):
    """The process has a cycle where an acyclic one is needed; the text names the cycle."""


@dataclass(frozen=True)
class Choice(Generic[State]):
    """One way to act in a state.

    Parameters
    ----------
    action
        What the choice is called; any hashable, once in each state.
    reward
        What it pays at once, in expectation; an exact number.
    successors
        Where it leads.

    Examples
    --------
    >>> Choice("stop", 3, point_mass("end"))
    Choice(action='stop', reward=mpq(3,1), successors=Distribution({'end': 1}))
    """

    action: Action
    reward: RationalLike
    successors: Distribution[State]

    def __post_init__(self) -> None:
        if not isinstance(self.reward, mpq):
            object.__setattr__(self, "reward", rational(self.reward, "reward"))
        if not isinstance(self.successors, Distribution):
            raise InputError("successors", self.successors, "a Distribution over states")


def point_mass(state: State) -> Distribution[State]:
    """Return the distribution that always leads to one state."""
    return Distribution({state: 1})


class Move(NamedTuple):
    """A choice over one denominator, its successors by index.

    It pays ``reward/denominator`` and leads to ``targets[k]`` with probability
    ``weights[k]/denominator``.
    """

    reward: mpz
    denominator: mpz
    targets: tuple[int, ...]
    weights: tuple[mpz, ...]

    def scaled_return(self, numerators: Sequence[mpz], common: mpz) -> mpz:
        """Return reward plus expected value, times ``denominator * common``.

        `numerators` are the values of all states over the common denominator.
        """
        successors = map(numerators.__getitem__, self.targets)
        return sum(map(mul, self.weights, successors), self.reward * common)

    def expected_return(self, values: Sequence[mpq]) -> mpq:
        """Return reward plus expected value of the successor."""
        if len(self.targets) == 1:
            return mpq(self.reward, self.denominator) + values[self.targets[0]]
        total = mpq(self.reward)
        for target, weight in zip(self.targets, self.weights, strict=True):
            total += weight * values[target]
        return total / self.denominator


class DecisionProcess(Generic[State]):
    """A finite decision process.

    Parameters
    ----------
    choices
        Every state with its choices, in the order that breaks ties. Terminal states have none, and
        must be listed too.

    Raises
    ------
    InputError
        If there is no state, a successor is no state, or a state has one action twice.

    Notes
    -----
    Building costs time and memory in proportion to the number of (choice, successor) pairs.

    Examples
    --------
    Toss a fair coin for one point a time until you stop, at most once heads has come up:

    >>> coin = Distribution({"tails": 1, "heads": 1})
    >>> process = DecisionProcess(
    ...     {
    ...         "tails": [Choice("toss", -1, coin)],
    ...         "heads": [Choice("stop", 3, point_mass("end")), Choice("toss", -1, coin)],
    ...         "end": [],
    ...     }
    ... )
    >>> process
    DecisionProcess(3 states, 3 choices, 5 transitions)
    """

    __slots__ = ("_choices", "_moves", "index", "states")

    def __init__(self, choices: Mapping[State, Iterable[Choice[State]]]) -> None:
        self._choices = {state: tuple(offered) for state, offered in choices.items()}
        if not self._choices:
            raise InputError("choices", Unquoted("no state"), "at least one state")
        self.states: tuple[State, ...] = tuple(self._choices)
        self.index: dict[State, int] = {state: i for i, state in enumerate(self.states)}
        self._moves = tuple(self._compiled(state) for state in self.states)

    def _compiled(self, state: State) -> tuple[Move, ...]:
        offered = self._choices[state]
        if len({choice.action for choice in offered}) < len(offered):
            raise InputError("choices", state, "a state in which no action comes twice")
        return tuple(self._move(state, choice) for choice in offered)

    def _move(self, state: State, choice: Choice[State]) -> Move:
        reward = rational(choice.reward)
        successors = choice.successors
        common = lcm(reward.denominator, successors.denominator)
        scale = common // successors.denominator
        try:
            targets = tuple(self.index[successor] for successor in successors)
        except KeyError as missing:
            raise InputError(
                f"successors of {choice.action!r} in {state!r}",
                missing.args[0],
                "one of the states of the process",
            ) from None
        return Move(
            reward.numerator * (common // reward.denominator),
            common,
            targets,
            tuple(scale * weight for weight in successors.values()),
        )

    @property
    def moves(self) -> tuple[tuple[Move, ...], ...]:
        """Every state's choices in index form, in the order of `states`."""
        return self._moves

    def choices(self, state: State) -> tuple[Choice[State], ...]:
        """Choices of a state, in the order that breaks ties; none where play has ended."""
        return self._choices[state]

    def actions(self, state: State) -> tuple[Action, ...]:
        """Actions of a state, in the order that breaks ties."""
        return tuple(choice.action for choice in self._choices[state])

    def position(self, state: State, action: Action) -> int:
        """Place of an action among the choices of a state.

        Raises
        ------
        InputError
            If the state does not have it.
        """
        for place, choice in enumerate(self._choices[state]):
            if choice.action == action:
                return place
        raise InputError("action", action, f"one of the actions of state {state!r}")

    def restricted(
        self,
        keep: Callable[[State, Choice[State]], bool],
        reward: Callable[[State, Choice[State]], RationalLike] | None = None,
    ) -> "DecisionProcess[State]":
        """Process on the same states with only some of the choices, and perhaps other rewards.

        Examples
        --------
        >>> end = point_mass(0)
        >>> process = DecisionProcess({1: [Choice("a", 1, end), Choice("b", 2, end)], 0: []})
        >>> process.restricted(lambda _, choice: choice.action == "b").actions(1)
        ('b',)
        """
        return DecisionProcess(
            {
                state: [
                    choice if reward is None else replace(choice, reward=reward(state, choice))
                    for choice in offered
                    if keep(state, choice)
                ]
                for state, offered in self._choices.items()
            }
        )

    def __repr__(self) -> str:
        moves = [move for offered in self._moves for move in offered]
        transitions = sum(len(move.targets) for move in moves)
        return (
            f"DecisionProcess({len(self.states)} states, {len(moves)} choices, "
            f"{transitions} transitions)"
        )
