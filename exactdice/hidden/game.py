"""Games with hidden information: rules, and the knowledge of the player to move.

`HiddenGame` is a `Game` with a second function: ``knows(state)`` returns everything that the player
to move knows. States with the same value form one information set. For simultaneous moves (`Both`)
it returns a pair, the knowledge of each player.

Play must end, and both players must have *perfect recall*: what a player knows includes everything
that the player knew and did before. Otherwise an error names two histories.

If dice are rolled only once, each player sees some of them, and all moves are public,
`exactdice.hidden.dealt.DealtGame` is faster.
"""

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from exactdice.arithmetic import mpq, over_common_denominator, rational
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.sequences import Array, SequenceForm, Side, integers
from exactdice.memory import ALLOW_MORE, size
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import ModelError
from exactdice.solve.turns import Both, Chance, Choice, End, Moves, Paid, Turn

State = TypeVar("State", bound=Hashable)

_ONE, _ZERO = mpq(1), mpq(0)
_LONGEST = 10_000  # moves and rolls of one play
_OFTEN = 4096  # nodes between two checks of the memory
_PLAYS = 100  # for the estimate of the number of nodes
_TIME = 20_000  # nanoseconds a node, if the rules are fast
_BYTES_OF_A_SEQUENCE, _BYTES_OF_A_PAYOFF = 600, 260  # during the traversal; measured


@dataclass(frozen=True)
class HiddenGame(Generic[State]):
    """An initial state, the rules, and the knowledge of the player to move.

    `initial` is any hashable; ``moves(state)`` returns what can happen, as in
    `exactdice.solve.turns` (without `Other`: states do not depend on a player's view).
    ``knows(state)`` is the knowledge of the player who moves: any hashable, including everything
    that this player knew and did before; a pair for simultaneous moves.

    Kuhn poker: three cards, an ante of 1 and one bet of 1 (Kuhn 1950):

    >>> from exactdice.models import Choice, End, Turn, equilibrium, point_mass
    >>> deals = Distribution.from_faces([(a, b, "") for a in "JQK" for b in "JQK" if a != b])
    >>> def moves(state):
    ...     if state is None:
    ...         return deals
    ...     one, two, said = state
    ...     if said.endswith("bf"):
    ...         return End(1 if said == "bf" else -1)
    ...     if said in ("pp", "bc", "pbc"):
    ...         won = 1 if "JQK".index(one) > "JQK".index(two) else -1
    ...         return End(won if said == "pp" else 2 * won)
    ...     after = [(one, two, said + a) for a in ("cf" if said.endswith("b") else "pb")]
    ...     return Turn(1 + len(said) % 2, [Choice(s[2][-1], 0, point_mass(s)) for s in after])
    >>> game = HiddenGame(None, moves, lambda state: (state[len(state[2]) % 2], state[2]))
    >>> equilibrium(game).value
    Enclosure(mpq(-1,18))
    """

    initial: State
    moves: Callable[[State], Moves]
    knows: Callable[[State], Any]

    def sequence_form(self, run: Run = DEFAULT) -> SequenceForm:
        """Build the sequence form by traversing every history once.

        `run` limits the memory and reports progress. About 20 µs a node if the rules are fast; the
        time is estimated and announced beyond 4096 nodes. Raises `ModelError` for invalid rules or
        imperfect recall, with the node, and `TooLargeError` above the memory limit.
        """
        return _Walk(self, run).form()


def expected(game: HiddenGame[Any]) -> int:
    """Estimate the number of nodes: the mean over random plays of the product of the widths.

    Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975).
    """
    chance, total = random.Random(0), 0  # noqa: S311 - the same plays each time
    for _ in range(_PLAYS):
        walk, width = _Walk(game, DEFAULT), 1
        after = walk.after(game.initial, 0, 0, _ONE, _ZERO, None, 0)
        while after:
            width *= len(after)
            total += width
            after = walk.after(*chance.choice(after))
    return total // _PLAYS


class _Sets:
    """The information sets of one player, in the order of discovery."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.index: dict[Any, int] = {}
        self.known: list[Any] = []
        self.actions: list[tuple[Any, ...]] = []
        self.parent: list[int] = []
        self.first = [1]
        self.histories: list[Any] = []  # that of the first visit, for errors

    def visit(self, known: Any, actions: tuple[Any, ...], parent: int, history: Any) -> int:
        try:
            place = self.index.setdefault(known, len(self.known))
            distinct = len(set(actions))
        except TypeError:
            problem = f"knows: got {known!r}, with actions {actions}; expected hashable values"
            raise ModelError(problem) from None
        if place == len(self.known):
            if distinct < len(actions):
                raise ModelError(f"got one action twice among {actions}; expected each once")
            self.known.append(known)
            self.actions.append(actions)
            self.parent.append(parent)
            self.histories.append(history)
            self.first.append(self.first[-1] + len(actions))
            return self.first[-2]
        if self.parent[place] != parent:
            self._differ(place, history, "knew or did different things before: no perfect recall")
        if self.actions[place] != actions:
            self._differ(place, history, f"can do {actions} or {self.actions[place]}")
        return self.first[place]

    def _differ(self, place: int, history: Any, how: str) -> None:
        raise ModelError(
            f"player {self.player} knows {self.known[place]!r} after {_written(history)} and after "
            f"{_written(self.histories[place])}, but {how}; tell them apart in knows"
        )

    def side(self) -> tuple[Side, Array]:
        first, depths, at = np.array(self.first), [0] * len(self.parent), [0] * self.first[-1]
        for place, before in enumerate(self.parent):
            depths[place] = at[before]
            for sequence in range(self.first[place], self.first[place + 1]):
                at[sequence] = depths[place] + 1
        order = np.argsort(depths, kind="stable")
        widths = np.diff(first)[order]
        begins = np.concatenate(([1], 1 + np.cumsum(widths))).astype(np.int64)
        number = np.zeros(self.first[-1], dtype=np.int64)
        inside = np.arange(widths.sum()) - np.repeat(begins[:-1] - 1, widths)
        number[np.repeat(first[order], widths) + inside] = np.arange(1, self.first[-1])
        levels = np.concatenate(([0], np.cumsum(np.bincount(depths)))) if depths else [0]
        side = Side(
            [self.known[place] for place in order],
            [self.actions[place] for place in order],
            number[np.array(self.parent, dtype=np.int64)[order]],
            begins,
            np.array(levels, dtype=np.int64),
        )
        return side, number


class _Walk:
    """One traversal of the histories of a game."""

    def __init__(self, game: HiddenGame[Any], run: Run) -> None:
        self.game, self.run = game, run
        self.sets = (_Sets(1), _Sets(2))
        self.paid: dict[tuple[int, int], mpq] = {}
        self.largest, self.ends = _ZERO, 0

    def form(self) -> SequenceForm:
        # State, sequences, probability, rewards so far, history as (before, step), its length.
        waiting: list[Any] = [(self.game.initial, 0, 0, _ONE, _ZERO, None, 0)]
        done = 0
        while waiting:
            state, *place = waiting.pop()
            done += 1
            if done == _OFTEN:
                places = expected(self.game)
                self.run.expect(_TIME * places, f"a tree of about {places} nodes")
            if done % _OFTEN == 0:
                self._look_round(done, len(waiting))
            waiting.extend(reversed(self.after(state, *place)))
        self._look_round(done, 0)
        return self._flat()

    def after(self, state: Any, *place: Any) -> list[Any]:
        try:
            return list(self._after(state, *place))
        except (InputError, ModelError) as wrong:
            raise ModelError(f"{_written(place[4])}: {wrong}") from None

    def _look_round(self, done: int, waiting: int) -> None:
        sequences = sum(sets.first[-1] for sets in self.sets)
        used = _BYTES_OF_A_SEQUENCE * (sequences + waiting) + _BYTES_OF_A_PAYOFF * len(self.paid)
        if self.run.memory is not None and used > self.run.memory:
            raise TooLargeError(
                f"game: needs more than {size(self.run.memory)} after {done} nodes of its tree; "
                f"give a smaller game, {ALLOW_MORE}"
            )
        self.run.tell("places", done)

    def _after(
        self, state: Any, one: int, two: int, chance: mpq, paid: mpq, history: Any, length: int
    ) -> Iterator[Any]:
        if length > _LONGEST:
            raise ModelError(f"got more than {_LONGEST} steps; expected a game that ends")
        turn = None if isinstance(state, Paid) else self.game.moves(state)
        if turn is None and isinstance(state, Paid | End):
            problem = f"got {state!r} as a state; expected Chance(0, …) around Paid, End from moves"
            raise ModelError(problem)

        def led(outcome: Any, one: int, two: int, step: Any) -> Iterator[Any]:
            if isinstance(outcome, End):
                self._end(one, two, chance, paid + rational(outcome.payoff))
                return
            reward, drawn = _ZERO, outcome
            if isinstance(outcome, Chance | Choice):
                reward, drawn = rational(outcome.reward), outcome.successors
            if not isinstance(drawn, Distribution):
                raise ModelError(
                    f"got {drawn!r}; expected End, a Distribution, Chance, a list of Choice, Turn "
                    "or Both"
                )
            longer = (history, step) if step is not None else history
            for successor, weight in drawn.items():
                after = longer if len(drawn) == 1 else (longer, successor)
                reached = chance if len(drawn) == 1 else chance * mpq(weight, drawn.denominator)
                yield successor, one, two, reached, paid + reward, after, length + 1

        if turn is None:
            self._end(one, two, chance, paid)
        elif isinstance(turn, Both):
            known = self.game.knows(state)
            if not isinstance(known, tuple) or len(known) != 2:
                raise ModelError(f"knows: got {known!r} for simultaneous moves; expected a pair")
            row = self.sets[0].visit(known[0], turn.rows, one, history)
            column = self.sets[1].visit(known[1], turn.columns, two, history)
            for i, a in enumerate(turn.rows):
                for j, b in enumerate(turn.columns):
                    yield from led(turn.outcomes[a, b], row + i, column + j, (a, b))
        elif isinstance(turn, list | tuple | Turn):
            player, choices = choices_of(turn)
            actions = tuple([choice.action for choice in choices])
            before = one if player == 1 else two
            first = self.sets[player - 1].visit(self.game.knows(state), actions, before, history)
            for sequence, choice in enumerate(choices, first):
                pair = (sequence, two) if player == 1 else (one, sequence)
                yield from led(choice, *pair, choice.action)
        else:
            yield from led(turn, one, two, None)

    def _end(self, one: int, two: int, chance: mpq, payoff: mpq) -> None:
        self.ends += 1
        self.largest = max(self.largest, abs(payoff))
        if payoff:
            self.paid[one, two] = self.paid.get((one, two), _ZERO) + chance * payoff

    def _flat(self) -> SequenceForm:
        (one, rows), (two, columns) = self.sets[0].side(), self.sets[1].side()
        pairs = np.array(list(self.paid), dtype=np.int64).reshape(-1, 2)
        whole, denominator = over_common_denominator(self.paid.values())
        at = rows[pairs[:, 0]], columns[pairs[:, 1]]
        order = np.lexsort((at[1], at[0]))
        bound = int(-(-self.largest * denominator // 1))
        payoffs = integers(whole)[order]
        return SequenceForm(
            (one, two), at[0][order], at[1][order], payoffs, denominator, max(bound, 1), self.ends
        )


def choices_of(turn: Any) -> tuple[int, Sequence[Choice[Any]]]:
    player, choices = (turn.player, turn.choices) if isinstance(turn, Turn) else (1, turn)
    if not isinstance(choices, list | tuple) or not choices:
        raise ModelError(f"got {turn!r}; expected a list of Choice, or a Turn")
    if not all(isinstance(choice, Choice) for choice in choices):
        raise ModelError(f"got {choices!r}; expected a list of Choice")
    return player, choices


def _written(history: Any) -> str:
    steps: list[str] = []
    while history is not None:
        history, step = history
        steps.append(repr(step))
    if not steps:
        return "the beginning"
    shown = ", ".join(reversed(steps[:8]))
    return f"{'…, ' if len(steps) > 8 else ''}{shown}"
