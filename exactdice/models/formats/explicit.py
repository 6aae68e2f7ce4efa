r"""Explicit models: states by number, with lists of moves; what the formats of checkers hold.

These formats know chains and one player. They have no ends: play goes on for ever, and an end is a
state that leads to itself alone and is paid nothing. A payoff is paid on a last move to such a
state. `explicit` writes a model so, and `ExplicitModel.game` reads it so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from exactdice.arithmetic import rational
from exactdice.dice import Distribution
from exactdice.errors import ExactDiceError, InputError, Unquoted
from exactdice.models.game import Game, Model
from exactdice.models.turns import Chance, Choice
from exactdice.solvers.arena import CHANCE, END

__all__ = ["ExplicitModel", "FormatError", "Lines", "Row", "explicit"]


class FormatError(ExactDiceError, ValueError):
    """A file does not hold what its format asks for; the text names the file and the line."""


@dataclass(frozen=True)
class Row:
    """One move: its name, its reward, and the chance of each successor."""

    action: str
    reward: mpq
    chances: Mapping[int, mpq]


@dataclass(frozen=True)
class ExplicitModel:
    """States 0, 1, … with their moves.

    Parameters
    ----------
    rows
        The moves of each state, at least one each.
    initial
        The number of the first state.
    labels
        Sets of states by name.
    has_choices
        Whether it is a decision process, and not a chain.
    """

    rows: tuple[tuple[Row, ...], ...] = field(repr=False)
    initial: int
    labels: Mapping[str, frozenset[int]]
    has_choices: bool

    def is_end(self, state: int) -> bool:
        """Whether a state leads to itself alone and is paid nothing."""
        return all(set(row.chances) == {state} and not row.reward for row in self.rows[state])

    def game(self) -> Game[int]:
        """The model as a game whose states are the numbers.

        Raises
        ------
        InputError
            If the chances of a move do not sum to 1, when the state is explored.
        """

        def moves(state: int) -> Any:
            if self.is_end(state):
                return None
            choices = [
                Choice(row.action, row.reward, Distribution.from_probabilities(row.chances))
                for row in self.rows[state]
            ]
            if self.has_choices:
                return choices
            return Chance(choices[0].reward, choices[0].successors)

        return Game(self.initial, moves)


def explicit(model: Model[Any]) -> ExplicitModel:
    """Write a model of chance and one player explicitly.

    Payoffs are paid on a move to one more state, the last, which is labelled ``done`` and is the
    only end.

    Raises
    ------
    InputError
        If two players take part.

    Examples
    --------
    >>> from exactdice.models import End
    >>> model = Game(0, lambda s: Distribution({1: 1, 2: 1}) if s == 0 else End(s)).explored()
    >>> table = explicit(model)
    >>> table.rows[1]
    (Row(action='end', reward=mpq(1,1), chances={3: mpq(1,1)}),)
    """
    if model.players == 2:
        raise InputError("model", Unquoted("two players"), "a model of chance and one player")
    arena, n = model.arena, len(model.states)
    rows: list[tuple[Row, ...]] = []
    for state in range(n):
        if arena.owners[state] == END:
            rows.append((Row("end", arena.payoffs[state], {n: mpq(1)}),))
            continue
        names = model.actions[state] if arena.owners[state] != CHANCE else ("chance",)
        rows.append(
            tuple(
                Row(
                    str(name),
                    arena.rewards[arena.reward[move]],
                    {
                        target: mpq(weight, arena.denominators[arena.law[move]])
                        for target, weight in arena.leads(move)
                    },
                )
                for name, move in zip(names, arena.moves(state), strict=True)
            )
        )
    rows.append((Row("end", mpq(0), {n: mpq(1)}),))
    labels = {"init": frozenset([0]), "done": frozenset([n])}
    return ExplicitModel(tuple(rows), 0, labels, has_choices=model.players == 1)


class Lines:
    """The lines of a file, read one by one, with errors that name the place."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self._lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as wrong:
            raise FormatError(f"{self.path}: cannot be read as text ({wrong})") from None
        self.number = 0

    def next(self, wanted: str) -> str:
        """The next line that is neither empty nor a comment; `wanted` says what it should be."""
        line = self.after()
        if line is None:
            raise FormatError(f"{self.path}: ends after line {self.number}; give {wanted}")
        return line

    def after(self) -> str | None:
        """The next line that is neither empty nor a comment, None at the end."""
        while self.number < len(self._lines):
            self.number += 1
            line = self._lines[self.number - 1].strip()
            if line and not line.startswith(("#", "//")):
                return line
        return None

    def wrong(self, got: object, wanted: str) -> FormatError:
        """An error about the line read last."""
        return FormatError(f"{self.path}:{self.number}: got {got}; give {wanted}")

    def number_from(self, word: str, wanted: str = "an exact number") -> mpq:
        """A rational from a word of the line read last."""
        try:
            return rational(word)
        except InputError:
            raise self.wrong(repr(word), wanted) from None

    def whole_from(self, word: str, below: int | None = None) -> int:
        """A whole number from a word of the line read last, below a bound."""
        wanted = "a whole number" if below is None else f"a whole number below {below}"
        if not word.isascii() or not word.isdigit() or len(word) > 18:
            raise self.wrong(repr(word), wanted)
        whole = int(word)
        if below is not None and whole >= below:
            raise self.wrong(repr(word), wanted)
        return whole
