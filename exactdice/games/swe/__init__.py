"""The software-engineering game: revenue dice fail, legacy dice wait to be fixed.

`solve` finds the optimum by the best method for its size. The rest is in rooms: `optimum`, `laws`
of the score under policies, and `reports`.

>>> from exactdice.games import swe
>>> print(swe.solve(10))
optimum of 10 rounds ≈ 20.4836019572432, by exact search over all blocks
>>> print(swe.SweValue(10))
swe value 10
"""

from typing import TYPE_CHECKING

from exactdice.games.record import GameRecord
from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.games.swe.optimum.chooser import SweOptimum as SweOptimum
    from exactdice.games.swe.optimum.chooser import solve as solve
    from exactdice.games.swe.optimum.questions import SweAdvise as SweAdvise
    from exactdice.games.swe.optimum.questions import SweEnclosure as SweEnclosure
    from exactdice.games.swe.optimum.questions import SweValue as SweValue
    from exactdice.games.swe.questions import SweTarget as SweTarget
    from exactdice.games.swe.rules import STANDARD as STANDARD
    from exactdice.games.swe.rules import WITH_D10 as WITH_D10
    from exactdice.games.swe.rules import Ladder as Ladder
    from exactdice.games.swe.rules import State as State

GAME = GameRecord(
    home=__name__,
    title="the software-engineering game",
    description="The software-engineering game: exact optimum, advice, policies and claims.",
    questions=("optimum.questions", "questions"),
    studies=("questions",),
    symbolic=("exactdice.studies.swe.closed_forms",),
    crosscheck="exactdice.jobs.crosscheck:swe_ladder",
    page="exactdice.web.play.advice:SWE",
)

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
