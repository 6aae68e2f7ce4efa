"""Games: an initial state, and rules that say what can happen in each state.

`Game.explored` follows the rules breadth first, calls them once for each state, and returns a
`Model`: the game in flat arrays, for the questions of `exactdice.solve.questions`. Rules must
always return the same for the same state.
"""

import re
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from numbers import Integral
from typing import Any, Generic, NamedTuple, TypeVar

from exactdice.arithmetic import RationalLike, ground, is_foreign, mpq, natural, rational
from exactdice.dice import Distribution
from exactdice.errors import ExactDiceError, InputError, TooLargeError, Unquoted
from exactdice.memory import ALLOW_MORE, MEMORY_LIMIT, memory_taken, size
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena
from exactdice.solve.stopping import components
from exactdice.solve.turns import (
    FEW,
    Both,
    Chance,
    Choice,
    End,
    Moves,
    Numbers,
    Paid,
    Stopped,
    Turn,
    Walk,
)

State = TypeVar("State", bound=Hashable)

_OFTEN = 4096  # states explored between two looks at the memory
_MANY = 10**6  # states from which on exploring is announced as possibly infinite
_PROBED = 100_000  # states from which on rules are probed for numbers that grow without limit
_NEAR = 60  # states after one that are considered then
_TIMES = (10**9, *range(1, 1000))  # of repeating what leads to such a state
_MARGIN = 16  # part of the memory left to report where exploring stopped
_SELDOM = 10**9  # nanoseconds between two lines of progress of slow rules
_ZERO = mpq(0)


def _stepped(state: Any, later: Any, times: int) -> Any:
    if isinstance(state, tuple) and isinstance(later, tuple):
        return tuple(_stepped(*pair, times) for pair in zip(state, later, strict=False))
    return state + times * (later - state) if type(state) is type(later) is int else state


#: Questions about the total, such as ``total >= 50``.
TOTAL = re.compile(r"\s*total\s*([<>]=?|==)\s*(\S+)\s*")


class ModelError(ExactDiceError, ValueError):
    """The rules of a game are inconsistent; the text names the state."""


@dataclass(frozen=True)
class Game(Generic[State]):
    """An initial state and the rules.

    * `initial`: the state in which play begins; any hashable.
    * `moves`: what can happen in a state; see `exactdice.solve.turns`.
    * `players`: the number of players, if each has payments of its own: all rewards and payoffs are
      then tuples. By default the payments are those of the first of at most two players.

    Roll a die for 1 point a roll, as often as you like, and keep the last face:

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
    Enclosure(mpq(3,1))
    """

    initial: State
    moves: Callable[[State], Moves]
    players: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.players is not None:
            natural(self.players, "players", least=1)
        object.__setattr__(self, "initial", ground(self.initial, "initial"))
        if not callable(self.moves):
            raise InputError("moves", self.moves, "a function that says what can happen in a state")

    def explored(self, run: Run = DEFAULT, also: Iterable[State] = ()) -> "Model[State]":
        """Follow the rules to all reachable states; about 1 µs a transition besides your rules.

        * `run`: limits the memory of the model (by default 2 GiB) and the time, and receives the
          number of states about once a second.
        * `also`: states that are numbered right after the initial one, even if they are not
          reachable.

        Raises ModelError if the rules are inconsistent; the text names the state. Raises
        TooLargeError, TimeLimitError if exploring exceeds the limits of the run, for example with
        infinitely many states, InputError if each player has payments of its own.
        """
        if self.players is not None:
            got = Unquoted(f"a game of {self.players} players with payments of their own")
            wanted = "one player's view: expect(game, player=1), or perfect_equilibrium(game)"
            raise InputError("game", got, wanted)
        return _Exploration(self, as_run(run)).model(also)


class _Exploration(Generic[State]):
    def __init__(self, game: Game[State], run: Run) -> None:
        self.game, self.run = game, run
        self.walk: Any = Walk()
        self.arena = Arena()
        self.before, self.many, self.probed = memory_taken() or 0, _MANY, _PROBED
        self.actions: list[Any] = []
        self.action_sets: dict[Any, Any] = {}

    def model(self, also: Iterable[State]) -> "Model[State]":
        try:
            self.walk.number(self.game.initial)
        except TypeError:
            raise InputError("initial", self.game.initial, "a state that can be hashed") from None
        for state in also:
            self.walk.number(state)
        states, heard = self.walk.states(), time.monotonic_ns()
        while (done := len(self.actions)) < len(states):  # grows
            self._explore(states[done])
            if type(self.walk) is Walk:
                self.walk = self.walk.continued()
                states = self.walk.states()
            if done % _OFTEN == _OFTEN - 1 or time.monotonic_ns() - heard > _SELDOM:
                self._look_round(done + 1)
                heard = time.monotonic_ns()
        self._look_round(len(states))
        _require_exact(states)
        self.arena.put([*self.walk.arrays()])
        return Model(self.game, states, Numbers(self.walk), self.actions, self.arena)

    def _look_round(self, done: int) -> None:
        states, limit = self.walk.states(), self.run.memory
        known = f"{done} states explored, {len(states)} known, such as {_short(states[-1])}; "
        taken = max(self.walk.bytes() + 8 * done, (memory_taken() or 0) - self.before)
        if limit is not None and taken > limit - limit // _MARGIN:
            raise TooLargeError(
                f"model: needs more than {size(limit)}; {known}give rules with fewer states, "
                f"{ALLOW_MORE}"
            )
        if done >= self.many:
            self.many = 4 * done
            if self.run.announce:
                self.run.announce(f"{known}infinite rules continue to the limit")
        if done >= self.probed and limit == MEMORY_LIMIT:
            self.probed = 2 * done
            if (later := self._repeated(states[done - 1])) is not None:
                raise TooLargeError(
                    f"model: states have no limit: play can get from {_short(states[done - 1])} to "
                    f"{_short(later)}, and so on; end play at some number, {ALLOW_MORE}"
                )
        self.run.tell("states explored", done)

    def _repeated(self, state: Any) -> Any:
        """Find a state to which play can get from one, and which it can pass by the same step.

        The step changes numbers, and works at once and far away. Thus states are infinitely many,
        unless the rules test a distant number for equality.
        """
        for later in self._after(state)[1:]:
            if _stepped(state, later, 1) == later and all(
                self._after(_stepped(state, later, n), _stepped(state, later, n + 1))
                for n in _TIMES
            ):
                return later
        return None

    def _after(self, state: Any, wanted: Any = None) -> list[Any]:
        """Return some states that follow; none unless a wanted one is among them."""
        probe = _Exploration(Game(state, self.game.moves), self.run)
        states = probe.walk.states()
        probe.walk.number(state)
        with suppress(Exception):  # rules need not know states that play does not reach
            while len(probe.actions) < min(_NEAR, len(states)) and probe.walk.find(wanted) < 1:
                probe._explore(states[len(probe.actions)])
        return states if wanted is None or probe.walk.find(wanted) > 0 else []

    def _explore(self, state: Any) -> None:
        try:
            self._add(state if type(state) in (Stopped, Paid) else self.game.moves(state))
        except ModelError as wrong:
            raise ModelError(f"moves({_short(state)}): {wrong}") from None
        except InputError as wrong:
            raise ModelError(f"moves({_short(state)}): {wrong}") from wrong
        except TypeError as wrong:
            if "unhashable" not in str(wrong):
                wrong.add_note(f"in moves({_short(state)})")
                raise
            raise ModelError(
                f"moves({_short(state)}): a successor or action is not hashable ({wrong}); use "
                "tuples, numbers, text or frozen dataclasses"
            ) from wrong
        except Exception as wrong:  # the rules' own
            wrong.add_note(f"in moves({_short(state)})")
            raise
        if type(state) is End and self.game.moves(state) is None:  # type: ignore[arg-type] # worth 0
            raise ModelError(f"got {_short(state)} as a next state; return it from moves instead")

    def _add(self, turn: Any) -> None:
        kind = type(turn)
        if kind is list or kind is tuple:
            self._add_choices(MAX, turn)
        elif kind is Distribution:
            self._add_move(_ZERO, turn)
            self._close(CHANCE, None)
        elif isinstance(turn, Chance):
            self._add_move(turn.reward, turn.successors)
            self._close(CHANCE, None)
        elif turn is None or isinstance(turn, End):
            self._add_end(_ZERO if turn is None else turn.payoff)
        elif isinstance(turn, Turn):
            if turn.player > 2:
                raise ModelError(f"got a turn of player {turn.player}; write Game(…, players=…)")
            self._add_choices(MAX if turn.player == 1 else MIN, turn.choices)
        elif isinstance(turn, Both):
            self._add_both(turn)
        elif isinstance(turn, Paid):
            raise ModelError("got Paid as a state; expected Chance(0, …) around it, Other in it")
        else:
            raise ModelError(
                f"got {_short(turn)}; expected End, a Distribution, Chance, a list of Choice, Turn "
                "or Both"
            )

    def _close(self, owner: int, names: Any) -> None:
        self.walk.close(owner)
        self.actions.append(self.action_sets.setdefault(names, names))

    def _add_end(self, payoff: Any) -> None:
        if type(payoff) is tuple:
            raise ModelError(f"got the payoffs {_short(payoff)}; write Game(…, players=…)")
        self.arena.payoffs[len(self.actions)] = rational(payoff)
        self._close(END, None)

    def _add_choices(self, owner: int, choices: Sequence[Choice[Any]]) -> None:
        if not isinstance(choices, Sequence):
            raise ModelError(f"got {_short(choices)} as choices; expected a list of Choice")
        if not choices:
            raise ModelError("got no choice; expected one, or End(0) if play has ended")
        try:
            names = tuple([choice.action for choice in choices])
        except AttributeError:
            odd = next(choice for choice in choices if not isinstance(choice, Choice))
            raise ModelError(f"got {_short(odd)} in a list; expected Choice") from None
        if names not in self.action_sets and len({None, *names}) <= len(names):
            raise ModelError(f"got actions {_short(names)}; expected each once, and none is None")
        self._require_alike(self.walk.moves(choices))
        self._close(owner, names)

    def _add_both(self, turn: Both[Any]) -> None:
        rows, columns = turn.rows, turn.columns
        self.arena.columns[len(self.actions)] = len(columns)
        for row, column in product(rows, columns):
            outcome = turn.outcomes[row, column]
            if isinstance(outcome, Distribution):
                self._add_move(_ZERO, outcome)
            elif isinstance(outcome, Chance):
                self._add_move(outcome.reward, outcome.successors)
            elif isinstance(outcome, End):
                self._add_move(_ZERO, Distribution({Stopped(outcome.payoff): 1}))
            else:
                raise ModelError(
                    f"got {_short(outcome)} for {row!r} and {column!r}; expected a Distribution, "
                    "Chance or End"
                )
        self._close(BOTH, (rows, columns))

    def _add_move(self, reward: RationalLike, successors: Distribution[Any]) -> None:
        self._require_alike(self.walk.move(reward, successors.items()))

    def _require_alike(self, unlike: tuple[Any, Any] | None) -> None:
        if unlike is not None:
            raise ModelError(
                f"got {_short(unlike[0])}, and before {_short(unlike[1])}; they are equal, but of "
                "different types; write one of them throughout"
            )


def _require_exact(states: Sequence[Any]) -> None:
    tuples = [state for state in states if type(state) is tuple]
    kinds = {*map(type, states), *map(type, chain.from_iterable(tuples))}
    refused = {
        kind
        for kind in filter(is_foreign, kinds)
        if kind.__module__ == "numpy" or not issubclass(kind, Integral)
    }
    if refused:
        parts = ((s, {type(s), *map(type, s if type(s) is tuple else ())}) for s in states)
        odd = next(state for state, kinds in parts if kinds & refused)
        raise ModelError(f"got {_short(odd)} as a state; write its numbers as int or Fraction")


def _short(what: object) -> str:
    shown = repr(what).replace("\n", " ")
    return shown if len(shown) <= 80 else f"{shown[:70]}… ({len(shown)} characters)"


class Cost(NamedTuple):
    nanoseconds: int
    memory: int


@dataclass(frozen=True, eq=False)
class Model(Reported, Generic[State], by="exactdice.solve.reports:model_report"):
    """A game with all its reachable states, ready for questions.

    `game` was explored; `states` are all states in the order in which they were found, the initial
    one first, and `index` their numbers. `actions` has the names of the actions of each state, None
    if no player chooses, and for `Both` the pair of the players' lists. `arena` is the game in flat
    arrays, moves in the order of the actions.

    A model and its answers can be pickled if the rules can be: `moves` must be a function of a
    module, not one defined in a function.
    """

    game: Game[State]
    states: Sequence[State]
    index: Mapping[State, int]
    actions: Sequence[Any]
    arena: Arena

    def __len__(self) -> int:
        return len(self.states)

    def number(self, state: State) -> int:
        """Return the number of a state; raise InputError if it is not reachable."""
        try:
            return self.index[state]
        except (KeyError, TypeError):
            raise InputError("state", state, "a reachable state") from None

    def deciding(self) -> Iterator[tuple[int, State]]:
        """Return the states in which one player chooses, with their numbers."""
        owners = self.arena.owners
        return ((i, state) for i, state in self.unended() if owners[i] in (MAX, MIN))

    def unended(self) -> Iterator[tuple[int, State]]:
        """Return the states that are not terminal, with their numbers."""
        owners = self.arena.owners
        return ((i, state) for i, state in enumerate(self.states) if owners[i] != END)

    @property
    def players(self) -> int:
        """The number of players: 0 for a chain, 1 or 2."""
        arena = self.arena
        if arena.changes_sides or arena.is_owned(MIN) or arena.is_owned(BOTH):
            return 2
        return 1 if arena.is_owned(MAX) else 0

    def ended(self) -> Iterator[tuple[int, State]]:
        """Return the terminal states with their numbers."""
        owners = self.arena.owners
        return ((i, state) for i, state in enumerate(self.states) if owners[i] == END)

    def cost(self) -> "Cost":
        """Estimate the time and memory to solve the model.

        For the models of the benchmarks with alternating moves, the time was right within a factor
        of four without cycles and of seven with cycles, where it depends on the lengths of
        fractions.

        >>> from exactdice.models import point_mass
        >>> Game(0, lambda n: point_mass(n + 1) if n < 9999 else None).explored().cost()
        Cost(nanoseconds=8999100, memory=1399960)
        """
        states, transitions = len(self.states), self.arena.transitions
        # Measured on 15 models of 10^3 to 10^6 states: 0.3 to 2.0 µs, and where states lead to one
        # another 0.5 to 12 µs. A pair of choices at once takes some 100 µs in Hog.
        pairs = sum(len(self.arena.moves(state)) for state in self.arena.columns)
        nanoseconds = 900 * (transitions - self._looping) + 3500 * self._looping + 60_000 * pairs
        return Cost(nanoseconds, 100 * states + 40 * transitions)

    @cached_property
    def _looping(self) -> int:
        if len(self) > FEW:
            from exactdice.native.process import RefusedError  # these load numpy
            from exactdice.solve.lifting import process_of

            with suppress(RefusedError):
                return process_of(self.arena, is_paid=False)[0].looping()
        loops = (part.states for part in components(self.arena) if len(part.states) > 1)
        return sum(len(self.arena.successors(s)) for states in loops for s in states)

    def __repr__(self) -> str:
        arena = self.arena
        return (
            f"Model({len(self.states)} states, {len(arena.law)} moves, "
            f"{arena.transitions} transitions)"
        )


def turn_of(game: Game[Any], state: Any) -> Any:
    return state if isinstance(state, End) else game.moves(state)


def as_run(run: Run) -> Run:
    if not isinstance(run, Run):
        raise InputError("run", run, "a Run, for example Run(memory=…)")
    return run


def as_model(game: Model[State] | Game[State], run: Run = DEFAULT) -> Model[State]:
    as_run(run)
    if isinstance(game, Game):
        return game.explored(run)
    if not isinstance(game, Model):
        raise InputError("model", game, "a Model or a Game")
    return game
