"""A FateStones duel as a model: the rules as a program.

The states are the hands that are left, and the ways in which a duel ends. Solved as a model this is
an independent way to the values of `exactdice.games.fatestones.exact`.
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


def game_of_duel(asked: FatestonesDuel, run: Run) -> Stated:
    """State the game that a question about a duel is about."""
    return Stated(as_game(asked.row, asked.column, asked.scratch), "FateStones: a duel")
