"""A FateStones duel as a model: the rules as a program, and the command that writes it into a file.

The states are the hands that are left, and the ways in which a duel ends. Solved as a model this is
an independent way to the values of `exactdice.games.fatestones.exact`.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from exactdice.arithmetic import RationalLike
from exactdice.dice import Distribution
from exactdice.formats.files import write_matrix, write_model
from exactdice.formats.questions import Export, written
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.questions import FatestonesDuel, Hands
from exactdice.games.fatestones.rules import Hand, outcome, without
from exactdice.models import Both, End, Game
from exactdice.question import argument
from exactdice.question.domains import File
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.storage import check_writable

State: TypeAlias = "tuple[Hand, Hand] | str"


@dataclass(frozen=True)
class ModelExportFatestones(
    Export,
    Hands,
    command="model export-fatestones",
    example="model export-fatestones 111666,123456 114456,333336 duel.nfg",
    takes="a moment",
):
    """Write a FateStones duel as a tree, or its first choices as a matrix game."""

    endings: ClassVar[tuple[str, ...]] = (".nfg", ".efg")

    file: Path = argument(
        File(), "The file to write: .nfg, with the values of what follows a tie, or .efg."
    )

    def report(self, run: Run) -> Report:
        """Write the tree, or solve the duels after every tie and write the matrix."""
        check_writable(self.file)
        if self.file.suffix == ".efg":
            game: Game[Any] = as_game(self.row, self.column, self.scratch)
            return written("FateStones: a duel as a tree", write_model(game, self.file, run), None)
        duel = solve(self.row, self.column, self.scratch)
        return written("FateStones: a duel as a matrix", write_matrix(duel.payoff, self.file), None)


def as_game(row: Hand, column: Hand, scratch: RationalLike = 0) -> Game[State]:
    """State the duel of two hands: both choose a die at once, and tied dice are out."""
    over = End(scratch, mean=scratch != 0)  # what is worth that is played after it
    payoffs: dict[State, End] = {"won": End(1), "lost": End(-1), ((), ()): over}

    def moves(state: Any) -> End | Both[State]:
        if state in payoffs:
            return payoffs[state]
        row, column = state
        places = product(range(len(row)), range(len(column)))
        return Both({(i, j): _rolled(row, column, i, j) for i, j in places})

    return Game((row, column), moves)


def _rolled(row: Hand, column: Hand, i: int, j: int) -> Distribution[State]:
    """Roll two dice: the higher face wins; after a tie both dice are out."""
    after: dict[int, State] = {1: "won", -1: "lost", 0: (without(row, i), without(column, j))}
    return Distribution(Counter(after[outcome(*faces)] for faces in product(row[i], column[j])))


def game_of_duel(asked: FatestonesDuel, run: Run) -> Game[State]:
    """The game that a question about a duel is about."""
    return as_game(asked.row, asked.column, asked.scratch)


QUESTIONS = (ModelExportFatestones,)
