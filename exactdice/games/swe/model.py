"""The software-engineering game as a model: the rules as a program.

The states are those of the game with the rounds that are left; the score is paid at the end. Solved
as a model this is an independent way to the values of `exactdice.games.swe.optimum`, with a
certificate that a stranger can check. It tells all scores apart: it is meant for few rounds.
"""

from typing import TypeAlias

from exactdice.formats.certified import Stated
from exactdice.games.swe.optimum.questions import SweValue
from exactdice.games.swe.rules import STANDARD, Ladder, State, empty_table, legal_actions, outcomes
from exactdice.models import Choice, End, Game
from exactdice.run import Run

Moment: TypeAlias = tuple[State, int]


def as_game(rounds: int, ladder: Ladder = STANDARD, start: State | None = None) -> Game[Moment]:
    """State the game on what lies on the table and the rounds that are left."""

    def moves(moment: Moment) -> End | list[Choice[Moment]]:
        state, left = moment
        if not left:
            return End(state.score)
        return [
            Choice(str(action), 0, outcomes(state, action, ladder).map(lambda on: (on, left - 1)))
            for action in legal_actions(state)
        ]

    return Game((start or empty_table(ladder), rounds), moves)


def game_of_value(asked: SweValue, run: Run) -> Stated:
    """State the game that a question about its value is about."""
    game = as_game(asked.rounds, asked.ladder, asked.state() if asked.is_given else None)
    return Stated(game, f"Software-engineering game: {asked.rounds} rounds,")
