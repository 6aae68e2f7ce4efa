"""The reroll game as a model, as questions state it."""

from exactdice.formats.certified import Stated
from exactdice.games.reroll.exact import as_game, foresee
from exactdice.games.reroll.questions import RerollValue
from exactdice.run import Run


def game_of_value(asked: RerollValue, run: Run) -> Stated:
    """State the game that a question about its value is about."""
    rules = asked.rules()
    foresee(rules, run)
    return Stated(as_game(rules), f"Reroll: {rules.dice} dice of {rules.sides} sides,")
