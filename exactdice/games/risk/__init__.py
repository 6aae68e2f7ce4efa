"""Risk: rounds, battles, campaigns, and the choice of dice, exactly.

>>> from exactdice.games import risk
>>> risk.solve(4, 2).value
mpq(6610505,10077696)
>>> risk.round_losses(1, 1).probability((1, 0))
mpq(7,12)
>>> print(risk.RiskWin(4, 2))
risk win 4 2
"""

from typing import TYPE_CHECKING

from exactdice.games.record import GameRecord
from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.games.risk.balanced_blitz import blitz as blitz
    from exactdice.games.risk.campaigns import Worth as Worth
    from exactdice.games.risk.campaigns import campaign as campaign
    from exactdice.games.risk.campaigns import plan as plan
    from exactdice.games.risk.dice_choice import dice_game as dice_game
    from exactdice.games.risk.exact import solve as solve
    from exactdice.games.risk.exact import win_table as win_table
    from exactdice.games.risk.questions import RiskBlitz as RiskBlitz
    from exactdice.games.risk.questions import RiskCampaign as RiskCampaign
    from exactdice.games.risk.questions import RiskDice as RiskDice
    from exactdice.games.risk.questions import RiskLeast as RiskLeast
    from exactdice.games.risk.questions import RiskPlan as RiskPlan
    from exactdice.games.risk.questions import RiskRound as RiskRound
    from exactdice.games.risk.questions import RiskSurvivors as RiskSurvivors
    from exactdice.games.risk.questions import RiskTable as RiskTable
    from exactdice.games.risk.questions import RiskWin as RiskWin
    from exactdice.games.risk.rounds import round_losses as round_losses
    from exactdice.games.risk.rules import RiskRules as RiskRules

GAME = GameRecord(
    home=__name__,
    title="Risk",
    description="Risk: rounds, battles, campaigns, and how many dice to roll.",
    symbolic=("exactdice.studies.risk.closed_forms",),
    page="exactdice.web.play.advice:RISK",
)

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
