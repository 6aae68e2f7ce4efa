"""The reroll game: hold and reroll dice at a price, turn over duplicates, and stick."""

from exactdice.games.reroll.dice_game import DiceGame
from exactdice.games.reroll.exact import Solved, best_score, solve
from exactdice.games.reroll.rules import Rules

__all__ = ["DiceGame", "Rules", "Solved", "best_score", "solve"]
