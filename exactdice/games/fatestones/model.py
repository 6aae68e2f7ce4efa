"""A FateStones duel as a model: the rules as a program.

The states are the hands left and the outcomes of a duel. The tests compare the solution of this
model with `exactdice.games.fatestones.exact`.
"""

from collections import Counter
from itertools import product
from typing import Any, TypeAlias

from exactdice.arithmetic import RationalLike
from exactdice.dice import Distribution
from exactdice.formats.certified import Stated
from exactdice.games.fatestones.questions import FatestonesDuel
from exactdice.games.fatestones.rules import Hand, outcome, without
from exactdice.models import Both, End, Game
from exactdice.run import Run

State: TypeAlias = "tuple[Hand, Hand] | str"


def as_game(row: Hand, column: Hand, scratch: RationalLike = 0) -> Game[State]:
    """Return the duel of two hands, with simultaneous moves."""
    over = End(scratch, mean=scratch != 0)  # the expected value of the play after it
    payoffs: dict[State, End] = {"won": End(1), "lost": End(-1), ((), ()): over}

    def moves(state: Any) -> End | Both[State]:
        if state in payoffs:
            return payoffs[state]
        row, column = state
        places = product(range(len(row)), range(len(column)))
        return Both({(i, j): _rolled(row, column, i, j) for i, j in places})

    return Game((row, column), moves)


def _rolled(row: Hand, column: Hand, i: int, j: int) -> Distribution[State]:
    after: dict[int, State] = {1: "won", -1: "lost", 0: (without(row, i), without(column, j))}
    return Distribution(Counter(after[outcome(*faces)] for faces in product(row[i], column[j])))


def game_of_duel(asked: FatestonesDuel, run: Run) -> Stated:
    return Stated(as_game(asked.row, asked.column, asked.scratch), "FateStones: a duel")
