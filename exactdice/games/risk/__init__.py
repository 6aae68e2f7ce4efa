"""Risk: rounds, battles, campaigns, and the choice of dice, exactly.

Examples
--------
>>> from exactdice.games import risk
>>> risk.solve(4, 2).value
mpq(6610505,10077696)
>>> risk.round_losses(1, 1).probability((1, 0))
mpq(7,12)
>>> print(risk.Win(4, 2))
risk win 4 2
"""

from exactdice.games.risk.balanced_blitz import blitz
from exactdice.games.risk.campaign import campaign
from exactdice.games.risk.dice_choice import dice_game
from exactdice.games.risk.exact import solve, win_table
from exactdice.games.risk.questions import (
    Blitz,
    Campaign,
    Dice,
    Plan,
    Round,
    Survivors,
    Table,
    Win,
)
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import Rules
from exactdice.games.risk.stopping import Worth, plan

__all__ = [
    "Blitz",
    "Campaign",
    "Dice",
    "Plan",
    "Round",
    "Rules",
    "Survivors",
    "Table",
    "Win",
    "Worth",
    "blitz",
    "campaign",
    "dice_game",
    "plan",
    "round_losses",
    "solve",
    "win_table",
]
