"""Farkle: exact best turns with any dice, races to a target, and advice.

`rules` defines dice and scores. `turn` finds the best turn, the distribution of its points, and
advice. `chase` counts turns to a target, and maximises the probability of reaching it. `races` is
the game of two players who look at both scores. `sets` ranks the sets of dice that you can take.

>>> from exactdice.games import farkle
>>> turn = farkle.solve("fair*3,368:105:105:105:105:212*2,odd")
>>> farkle.advise(turn, "1,1,5,3,4,6", 300)[0].keep
(1,)
>>> print(farkle.FarkleValue(points=450, left=2))
farkle value --points 450 --left 2
"""

from typing import TYPE_CHECKING

from exactdice.games.record import GameRecord
from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.games.farkle.chase import race as race
    from exactdice.games.farkle.questions import FarkleAdvise as FarkleAdvise
    from exactdice.games.farkle.questions import FarkleRace as FarkleRace
    from exactdice.games.farkle.questions import FarkleValue as FarkleValue
    from exactdice.games.farkle.races.chances import contender as contender
    from exactdice.games.farkle.races.solve import win_chances as win_chances
    from exactdice.games.farkle.rules.dice_sets import parse_dice as parse_dice
    from exactdice.games.farkle.rules.tables import KCD as KCD
    from exactdice.games.farkle.rules.tables import PATCH as PATCH
    from exactdice.games.farkle.turn.advice import advise as advise
    from exactdice.games.farkle.turn.exact import solve as solve
    from exactdice.games.farkle.turn.forward import thresholds as thresholds

GAME = GameRecord(
    home=__name__,
    title="Farkle",
    description="Farkle: best turns with any dice, advice, turns to a target, races.",
    studies=("readme",),
    crosscheck="exactdice.jobs.crosscheck:farkle_ladder",
    page="exactdice.web.play.farkle:GAME",
)

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
