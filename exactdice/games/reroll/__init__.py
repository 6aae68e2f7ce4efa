"""The reroll game: hold and reroll dice at a price, turn over duplicates, and stick."""

from exactdice.games.reroll.breakpoints import Interval, penalty_intervals
from exactdice.games.reroll.dice_game import DiceGame
from exactdice.games.reroll.exact import Solved, best_score, solve
from exactdice.games.reroll.rules import Rules
from exactdice.games.reroll.theta import Stop, ThetaStudy, study_theta

__all__ = ["DiceGame", "Interval", "Rules", "Solved", "Stop", "ThetaStudy", "best_score"]
__all__ += ["penalty_intervals", "solve", "study_theta"]
