r"""A game written down: a first state, and rules that say what can happen in each.

`Game` holds the two. `Game.explored` follows the rules from the first state, breadth first, asks
for each state once, and gives a `Model`: the same game in flat arrays, which the questions of
`exactdice.solve.questions` are put to. Rules must always say the same of the same state.
"""

import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.dice import Distribution
from exactdice.errors import ExactDiceError, InputError, TooLargeError
from exactdice.memory import ALLOW_MORE, size
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena
from exactdice.solve.turns import Both, Chance, Choice, End, Moves, Other, Stopped, Turn, alike

State = TypeVar("State", bound=Hashable)

_OFTEN = 4096  # states explored between two looks at the memory
_SELDOM = 10**9  # nanoseconds between two lines of progress where rules take long
_ZERO = mpq(0)


class ModelError(ExactDiceError, ValueError):
    """The rules of a game make no sense; the text names the state in which they do not."""


@dataclass(frozen=True)
class Game(Generic[State]):
    """A first state and the rules.

    Parameters
    ----------
    initial
        The state in which play begins; any hashable.
    moves
        What can happen in a state; see `exactdice.solve.turns`.

    Examples
    --------
    Throw a die at 1 point a throw until you like what you see:

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Choice, Game, point_mass, optimum
    >>> def moves(face):
    ...     if face == "kept":
    ...         return None
    ...     throw = Choice("throw", -1, fair(6))
    ...     return [throw] if face == 0 else [Choice("keep", face, point_mass("kept")), throw]
    >>> model = Game(0, moves).explored()
    >>> model
    Model(8 states, 13 moves, 48 transitions)
    >>> optimum(model).value
    mpq(3,1)
    """

    initial: State
    moves: Callable[[State], Moves]

    def __post_init__(self) -> None:
        if not callable(self.moves):
            raise InputError("moves", self.moves, "a function that says what can happen in a state")

    def explored(self, run: Run = DEFAULT, also: Iterable[State] = ()) -> "Model[State]":
        """Follow the rules to every state that can come up.

        Parameters
        ----------
        run
            Limits the memory that the model takes, 2 GiB unless said otherwise, and hears every
            second or so how many states are explored.
        also
            States that are numbered first after the initial one, whether or not play comes to them.

        Raises
        ------
        ModelError
            If the rules say something that makes no sense; the text names the state.
        TooLargeError
            If the states known take more memory than the limit, as where there is no end of them.

        Notes
        -----
        Besides the time that the rules take, about 1 µs a transition.
        """
        return _Exploration(self, run).model(also)


class _Exploration(Generic[State]):
    """One walk through the states of a game."""

    def __init__(self, game: Game[State], run: Run) -> None:
        self.game, self.run = game, run
        self.arena = Arena()
        self.states: list[Any] = []
        self.index: dict[Any, int] = {}
        self.actions: list[Any] = []
        self.action_sets: dict[Any, Any] = {}
        self.swaps: list[int] = []  # places in the targets of successors seen by the other side
        self.bytes = 0

    def model(self, also: Iterable[State]) -> "Model[State]":
        try:
            self._number(self.game.initial)
        except TypeError:
            raise InputError("initial", self.game.initial, "a state that can be hashed") from None
        for state in also:
            self._number(state)
        done, heard = 0, time.monotonic_ns()
        while done < len(self.states):
            self._explore(self.states[done])
            done += 1
            if done % _OFTEN == 0 or time.monotonic_ns() - heard > _SELDOM:
                self._look_round(done)
                heard = time.monotonic_ns()
        self._look_round(done)
        self._settle_sides()
        return Model(self.game, tuple(self.states), self.index, self.actions, self.arena)

    def _settle_sides(self) -> None:
        """Move successors of the other side up by the number of states, known only now."""
        n, targets = len(self.states), self.arena.targets
        for place in self.swaps:
            targets[place] += n
        self.arena.changes_sides = bool(self.swaps)

    def _number(self, state: Any) -> int:
        number = self.index.get(state)
        if number is None:
            number = self.index[state] = len(self.states)
            self.states.append(state)
            self.bytes += sys.getsizeof(state) + 128  # with its places in dictionary and lists
        return number

    def _look_round(self, done: int) -> None:
        arena = self.arena
        used = self.bytes + 8 * (len(arena.targets) + 4 * len(arena.law) + 3 * len(self.states))
        limit = self.run.memory
        if limit is not None and used > limit:
            raise TooLargeError(
                f"model: needs more than {size(limit)}; {done} states are explored "
                f"and {len(self.states)} known, such as {_short(self.states[-1])}; give rules with "
                f"fewer states, {ALLOW_MORE}"
            )
        self.run.tell("states explored", done)

    def _explore(self, state: Any) -> None:
        try:
            self._add(state if type(state) is Stopped else self.game.moves(state))
        except ModelError as wrong:
            raise ModelError(f"moves({_short(state)}): {wrong}") from None
        except InputError as wrong:
            raise ModelError(f"moves({_short(state)}): {wrong}") from wrong
        except TypeError as wrong:
            if "unhashable" not in str(wrong):
                wrong.add_note(f"in moves({_short(state)})")
                raise
            raise ModelError(
                f"moves({_short(state)}): a successor or action is not hashable ({wrong}); give "
                "tuples, numbers, text or frozen dataclasses"
            ) from wrong
        except Exception as wrong:  # the rules' own
            wrong.add_note(f"in moves({_short(state)})")
            raise

    def _add(self, turn: Moves) -> None:
        arena = self.arena
        kind = type(turn)
        if kind is list or kind is tuple:
            self._add_choices(MAX, turn)  # type: ignore[arg-type]
        elif kind is Distribution:
            self._add_names(None)
            arena.open(CHANCE)
            self._add_move(_ZERO, turn)  # type: ignore[arg-type]
        elif isinstance(turn, End):
            self._add_end(turn.payoff)
        elif isinstance(turn, Chance):
            self._add_names(None)
            arena.open(CHANCE)
            self._add_move(turn.reward, turn.successors)
        elif isinstance(turn, Turn):
            self._add_choices(MAX if turn.player == 1 else MIN, turn.choices)
        elif isinstance(turn, Both):
            self._add_both(turn)
        elif turn is None:
            self._add_end(_ZERO)
        else:
            raise ModelError(
                f"got {_short(turn)}; give End, a Distribution, Chance, a list of Choice, Turn "
                "or Both"
            )

    def _add_names(self, names: Any) -> None:
        """Note the names of a state's actions; equal ones are kept once."""
        self.actions.append(self.action_sets.setdefault(names, names))

    def _add_end(self, payoff: RationalLike) -> None:
        self._add_names(None)
        self.arena.end(rational(payoff))

    def _add_choices(self, owner: int, choices: Sequence[Choice[Any]]) -> None:
        if not isinstance(choices, Sequence):
            raise ModelError(f"got {_short(choices)} as choices; give a list of Choice")
        if not choices:
            raise ModelError("got no choice; give one, or End(0) where play has ended")
        try:
            names = tuple([choice.action for choice in choices])
        except AttributeError:
            odd = next(choice for choice in choices if not isinstance(choice, Choice))
            raise ModelError(f"got {_short(odd)} in a list; give Choice") from None
        if len(names) > 1 and len(set(names)) < len(names):
            raise ModelError(f"got one action twice among {_short(names)}; give each once")
        self._add_names(names)
        self.arena.open(owner)
        for choice in choices:
            self._add_move(choice.reward, choice.successors)

    def _add_both(self, turn: Both[Any]) -> None:
        rows, columns = turn.rows, turn.columns
        self._add_names((rows, columns))
        self.arena.open(BOTH, len(columns))
        for row in rows:
            for column in columns:
                outcome = turn.outcomes[row, column]
                if isinstance(outcome, Distribution):
                    self._add_move(_ZERO, outcome)
                elif isinstance(outcome, Chance):
                    self._add_move(outcome.reward, outcome.successors)
                elif isinstance(outcome, End):
                    self._add_move(_ZERO, Distribution({Stopped(outcome.payoff): 1}))
                else:
                    raise ModelError(
                        f"got {_short(outcome)} for {row!r} and {column!r}; give a Distribution, "
                        "Chance or End"
                    )

    def _add_move(self, reward: Any, successors: Distribution[Any]) -> None:
        arena, states, get = self.arena, self.states, self.index.get
        first = len(arena.targets)
        for place, successor in enumerate(successors, first):
            if type(successor) is Other:
                self.swaps.append(place)
                successor = successor.state
            number = get(successor)
            if number is None:
                number = self._number(successor)
            elif successor is not states[number] and not alike(successor, states[number]):
                raise ModelError(
                    f"got {_short(successor)}, and before {_short(states[number])}; they are "
                    "equal, but of unlike types; write one of them throughout"
                )
            arena.targets.append(number)
        arena.close(reward, tuple(successors.values()))


def _short(what: object) -> str:
    shown = repr(what).replace("\n", " ")
    return shown if len(shown) <= 80 else f"{shown[:70]}… ({len(shown)} characters)"


@dataclass(frozen=True, eq=False)
class Model(Generic[State]):
    """A game with all its states, ready for questions.

    Parameters
    ----------
    game
        What was explored.
    states
        All states, in the order in which they were found; the first is the initial one.
    index
        The number of each state.
    actions
        For each state the names of its actions, None where nobody chooses; for `Both` the pair of
        the players' lists.
    arena
        The game in flat arrays, moves in the order of the actions.
    """

    game: Game[State] = field(repr=False)
    states: tuple[State, ...] = field(repr=False)
    index: Mapping[State, int] = field(repr=False)
    actions: Sequence[Any] = field(repr=False)
    arena: Arena = field(repr=False)

    def number(self, state: State) -> int:
        """The number of a state.

        Raises
        ------
        InputError
            If play cannot come to it.
        """
        try:
            return self.index[state]
        except (KeyError, TypeError):
            raise InputError("state", state, "a state that play can come to") from None

    def deciding(self) -> Iterator[tuple[int, State]]:
        """States in which one player chooses, with their numbers."""
        owners = self.arena.owners
        for number, state in enumerate(self.states):
            if owners[number] in (MAX, MIN):
                yield number, state

    @property
    def players(self) -> int:
        """How many players there are: 0 for a chain, 1 or 2."""
        arena = self.arena
        if arena.changes_sides or arena.is_owned(MIN) or arena.is_owned(BOTH):
            return 2
        return 1 if arena.is_owned(MAX) else 0

    def ended(self) -> Iterator[tuple[int, State]]:
        """States in which play has ended, with their numbers."""
        owners = self.arena.owners
        return ((i, state) for i, state in enumerate(self.states) if owners[i] == END)

    def __repr__(self) -> str:
        arena = self.arena
        return (
            f"Model({len(self.states)} states, {len(arena.law)} moves, "
            f"{arena.transitions} transitions)"
        )


def as_model(game: Model[State] | Game[State], run: Run = DEFAULT) -> Model[State]:
    """A model as it is, and a game explored."""
    if not isinstance(run, Run):
        raise InputError("run", run, "a Run, as Run(memory=…)")
    if isinstance(game, Game):
        return game.explored(run)
    if not isinstance(game, Model):
        raise InputError("model", game, "a Model or a Game")
    return game
