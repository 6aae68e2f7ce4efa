"""The reroll game: hold and reroll dice at a price, turn over duplicates, and stick.

Examples
--------
>>> from exactdice.games import reroll
>>> reroll.solve().value
mpq(103369,7744)
>>> print(reroll.Theta(dice=2))
reroll theta --dice 2
"""

from exactdice.games.reroll.breakpoints import penalty_intervals
from exactdice.games.reroll.dice_game import DiceGame
from exactdice.games.reroll.exact import best_score, solve
from exactdice.games.reroll.questions import Breakpoints, Play, Policy, Theta, Value
from exactdice.games.reroll.rules import Rules
from exactdice.games.reroll.tolerances import tolerances

__all__ = [
    "Breakpoints",
    "DiceGame",
    "Play",
    "Policy",
    "Rules",
    "Theta",
    "Value",
    "best_score",
    "penalty_intervals",
    "solve",
    "tolerances",
]
