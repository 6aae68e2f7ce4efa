"""Explicit models: numbered states with lists of moves, as in the formats of model checkers.

The formats hold chains and one player, some also two players who move alternately. They have no
terminal states: play never stops, and a terminal state leads only to itself, without reward. A
payoff is paid on a last move to such a state. `explicit` converts a model to this form,
`ExplicitModel.game` and `ExplicitModel.model` convert it back.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any

from exactdice.arithmetic import lcm, mpq
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena
from exactdice.solve.game import Game, Model
from exactdice.solve.stopping import endless, ranked
from exactdice.solve.turns import Chance, Choice, Paid, Turn, named


@dataclass(frozen=True)
class Row:
    """One move: its name, its expected reward, and the probability of each successor.

    `paid` is the reward with each successor, if they differ.
    """

    action: str
    reward: mpq
    chances: Mapping[int, mpq]
    paid: Mapping[int, mpq] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, action: str, chances: Mapping[int, mpq], paid: Mapping[int, mpq]) -> "Row":
        """Return the move with these rewards by successor."""
        mean = sum((chance * paid[target] for target, chance in chances.items()), mpq(0))
        return cls(action, mean, chances, paid if len(set(paid.values())) > 1 else None)

    def parts(self) -> tuple[mpq, Distribution[Any]]:
        if self.paid is None:
            return self.reward, Distribution.from_probabilities(self.chances)
        outcomes = {Paid(self.paid[to], to): chance for to, chance in self.chances.items()}
        return mpq(0), Distribution.from_probabilities(outcomes)


@dataclass(frozen=True, eq=False)
class ExplicitModel:
    """States 0, 1, … with their moves."""

    # states in flat arrays, with at least one move each; terminal ones move to themselves for 0
    arena: Arena = field(repr=False)
    names: Sequence[str] = field(repr=False)  # of all moves
    initial: int
    labels: Mapping[str, frozenset[int]]  # sets of states by name
    players: int  # 0 for a chain, 1 for a decision process, 2 for alternating moves
    # for moves whose reward depends on the successor: the reward with each
    paid: Mapping[int, Mapping[int, mpq]] = field(default_factory=dict, repr=False)

    @classmethod
    def of_rows(
        cls,
        rows: Iterable[Sequence[Row]],
        initial: int,
        labels: Mapping[str, frozenset[int]],
        *,
        players: int,
        owners: Sequence[int] = (),
        ends: Container[int] | None = None,
    ) -> "ExplicitModel":
        """Put the moves of each state into flat arrays; `owners` is true where player 2 moves.

        `ends` are the terminal states, by default all without moves, and all that only lead to
        themselves for nothing.
        """
        arena, names, paid = Arena(), list[str](), dict[int, Mapping[int, mpq]]()
        for state, offered in enumerate(rows):
            listed = offered or [Row("end", mpq(0), {state: mpq(1)})]
            stays = all(set(row.chances) == {state} and not row.reward for row in listed)
            if stays if ends is None else state in ends:
                arena.end(mpq(0))
            else:
                second = players == 2 and owners[state]
                arena.open(CHANCE if not players else MIN if second else MAX)
            for row in listed:
                if row.paid is not None:
                    paid[len(names)] = row.paid
                common = lcm(1, *(chance.denominator for chance in row.chances.values()))
                held = {to: int(chance * common) for to, chance in row.chances.items() if chance}
                arena.move(row.reward, tuple(held.values()), held)
                names.append(row.action)
        return cls(arena, names, initial, labels, players, paid)

    @cached_property
    def rows(self) -> tuple[tuple[Row, ...], ...]:
        moves = map(self.arena.moves, range(len(self.arena)))
        return tuple(tuple(map(self._row, of_state)) for of_state in moves)

    def _row(self, move: int) -> Row:
        arena = self.arena
        denominator = arena.denominators[arena.law[move]]
        chances = {target: mpq(weight, denominator) for target, weight in arena.leads(move)}
        reward = arena.rewards[arena.reward[move]]
        return Row(self.names[move], reward, chances, self.paid.get(move))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExplicitModel) and self._content() == other._content()

    def _content(self) -> tuple[object, ...]:
        return self.rows, self.arena.owners, self.initial, self.labels, self.players

    def game(self) -> Game[int]:
        """Return the game whose states are the numbers; moves of equal names are numbered."""
        return Game(self.initial, self._moves)

    def _moves(self, state: int) -> Any:
        arena = self.arena
        if arena.owners[state] == END:
            return None
        rows = self.rows[state]
        names = told_apart([row.action for row in rows])
        choices = [Choice(name, *row.parts()) for name, row in zip(names, rows, strict=True)]
        if self.players == 2:
            return Turn(1 if arena.owners[state] == MAX else 2, choices)
        return choices if self.players else Chance(*rows[0].parts())

    def model(self) -> Model[int]:
        arena, order = self.arena, self._reached()
        if order != list(range(len(arena))):
            arena = arena.restricted(order)
        states = tuple(order)
        index = dict(zip(states, range(len(states)), strict=True))
        return Model(self.game(), states, index, _Actions(self, states), arena)

    def ending(self, ends: frozenset[int], *, surely: bool = False) -> "ExplicitModel":
        """Return the model that ends in these states and in no others.

        If `surely`, a single player only has moves after which some policy ends play with
        probability 1; raises NoValueError if there is none at the initial state.
        """
        arena, before = self.arena, None
        kept = [list(arena.moves(state)) for state in range(len(arena))]
        while surely and self.players < 2 and kept != before:
            before = kept
            heads = [[t for move in moves for t in arena.heads(move)] for moves in kept]
            ranks = ranked(len(arena), ends, list(zip(heads, strict=True)).__getitem__)
            if ranks[self.initial] < 0:
                raise endless(range(len(arena)), [self.initial])
            lasting = [
                min(map(ranks.__getitem__, arena.heads(m))) >= 0 for m in range(len(arena.law))
            ]
            kept = [[move for move in moves if lasting[move]] for moves in kept]
        for state in ends:
            kept[state] = []
        rows = [[self._row(move) for move in moves] for moves in kept]
        owners = [owner == MIN for owner in self.arena.owners]
        return self.of_rows(
            rows, self.initial, self.labels, players=self.players, owners=owners, ends=ends
        )

    def reached(self) -> "ExplicitModel":
        """Return the model without its unreachable states."""
        order = self._reached()
        number = {state: place for place, state in enumerate(order)}
        moves = [move for state in order for move in self.arena.moves(state)]
        return ExplicitModel(
            self.arena.restricted(order),
            [self.names[move] for move in moves],
            0,
            {
                name: frozenset(number[state] for state in states if state in number)
                for name, states in self.labels.items()
            },
            self.players,
            {
                place: {number[to]: reward for to, reward in self.paid[move].items()}
                for place, move in enumerate(moves)
                if move in self.paid
            },
        )

    def _reached(self) -> list[int]:
        """Return the initial state, and then all other reachable ones in order."""
        seen, pending = bytearray(len(self.arena)), [self.initial]
        while pending:
            state = pending.pop()
            if not seen[state]:
                seen[state] = True
                pending.extend(self.arena.successors(state))
        seen[self.initial] = False
        return [self.initial, *compress(range(len(self.arena)), seen)]


class _Actions(Sequence[Any]):
    """Names of the actions of each state of a model; None if no player moves there."""

    def __init__(self, table: ExplicitModel, states: Sequence[int]) -> None:
        self._table, self._states = table, states

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, number: Any) -> Any:
        table, state = self._table, self._states[number]
        if table.arena.owners[state] not in (MAX, MIN):
            return None
        return tuple(told_apart([table.names[move] for move in table.arena.moves(state)]))


def explicit(
    model: Model[Any] | ExplicitModel,
    labels: Mapping[str, Callable[[Any], bool]] | None = None,
    *,
    most_players: int = 1,
) -> ExplicitModel:
    """Convert a model of chance and players who move alternately to an explicit one.

    Payoffs are paid on a move to one more state, the last, which is labelled ``done`` and is the
    only terminal one. If players see a game from their own side (`Other`), states are listed once
    for each side that can be at them.
    """
    if model.players > most_players:
        raise InputError("model", Unquoted("two players"), "a model with chance and one player")
    if isinstance(model, ExplicitModel):
        return model
    if model.arena.is_owned(BOTH):
        raise InputError("model", Unquoted("simultaneous moves"), "alternating moves")
    arena, known = model.arena.unfolded(), len(model.states)
    done, names = len(arena), list[str]()
    written = Arena()
    for state in range(done):
        if arena.owners[state] == END:
            written.open(MAX if model.players else CHANCE)
            written.move(arena.payoffs[state], (1,), (done,))
            names.append("end")
            continue
        chance = arena.owners[state] == CHANCE
        if _stays(arena, state):
            written.end(mpq(0))
        else:
            written.open(MAX if chance and model.players else arena.owners[state])
        names.extend(("chance",) if chance else map(named, model.actions[state % known]))
        for move in arena.moves(state):
            weights = arena.weights[arena.law[move]]
            written.move(arena.rewards[arena.reward[move]], weights, arena.heads(move))
    written.end(mpq(0))
    written.move(mpq(0), (1,), (done,))
    names.append("end")
    held = {
        name: frozenset(state for state in range(done) if has_it(model.states[state % known]))
        for name, has_it in (labels or {}).items()
    }
    held |= {"init": frozenset([0]), "done": frozenset([done])}
    table = ExplicitModel(written, names, 0, held, model.players)
    return table.reached() if model.arena.changes_sides else table


def _stays(arena: Arena, state: int) -> bool:
    return set(arena.successors(state)) == {state} and not any(
        arena.rewards[arena.reward[move]] for move in arena.moves(state)
    )


def told_apart(names: Sequence[str]) -> list[str]:
    """Return the names, followed by their positions if two are equal."""
    if len(set(names)) == len(names):
        return list(names)
    return [f"{name}_{place}" for place, name in enumerate(names)]
