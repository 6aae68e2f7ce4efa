"""FateStones: a duel of dice chosen in secret, and which die beats which, exactly.

>>> from exactdice.games import fatestones
>>> duel = fatestones.solve("111666,123456", "114456,333336")
>>> duel.value, duel.row
(mpq(0,1), (mpq(1,7), mpq(6,7)))
>>> print(fatestones.FatestonesBeats(faces=6))
fatestones beats
"""

from typing import TYPE_CHECKING

from exactdice.games.record import GameRecord
from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.games.fatestones.exact import solve as solve
    from exactdice.games.fatestones.players import simulate as simulate
    from exactdice.games.fatestones.questions import FatestonesBeats as FatestonesBeats
    from exactdice.games.fatestones.questions import FatestonesDuel as FatestonesDuel
    from exactdice.games.fatestones.questions import FatestonesPlay as FatestonesPlay
    from exactdice.games.fatestones.questions import FatestonesSimulate as FatestonesSimulate
    from exactdice.games.fatestones.responses import best_response as best_response
    from exactdice.games.fatestones.rules import bag as bag

GAME = GameRecord(
    home=__name__,
    title="FateStones",
    description="FateStones: a duel of dice chosen in secret, and which die beats which.",
    studies=("questions",),
    page="exactdice.web.play.advice:FATESTONES",
)

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
