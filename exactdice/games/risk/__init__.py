"""Risk: rounds, battles, campaigns, and the choice of dice, exactly.

Examples
--------
>>> from exactdice.games import risk
>>> risk.win_probability(4, 2)
mpq(6610505,10077696)
>>> risk.round_losses(1, 1).probability((1, 0))
mpq(7,12)
"""

from exactdice.games.risk.campaign import Campaign, campaign
from exactdice.games.risk.dice_choice import DiceChoice, DiceGame, Order, dice_game
from exactdice.games.risk.exact import (
    Battle,
    WinTable,
    battle,
    conquest,
    win_probability,
    win_table,
)
from exactdice.games.risk.rounds import round_losses, weak_orders
from exactdice.games.risk.rules import STANDARD, Rules, Ties, Units, fighting_units

__all__ = [
    "STANDARD",
    "Battle",
    "Campaign",
    "DiceChoice",
    "DiceGame",
    "Order",
    "Rules",
    "Ties",
    "Units",
    "WinTable",
    "battle",
    "campaign",
    "conquest",
    "dice_game",
    "fighting_units",
    "round_losses",
    "weak_orders",
    "win_probability",
    "win_table",
]
