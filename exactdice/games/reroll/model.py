"""The model of a question about the reroll game."""

from exactdice.formats.certified import Stated
from exactdice.games.reroll.exact import as_game, foresee
from exactdice.games.reroll.questions import RerollValue
from exactdice.run import Run


def game_of_value(asked: RerollValue, run: Run) -> Stated:
    rules = asked.rules()
    foresee(rules, run)
    return Stated(as_game(rules), f"Reroll: {rules.dice} dice of {rules.sides} sides,")
