"""The software-engineering game: revenue dice fail, legacy dice wait to be fixed.

`solve` finds the optimum by the best method for its size. The rest is in rooms: `optimum`, `laws`
of the score under policies, `claims` with their verdicts, `closed_forms`, and `reports`.

Examples
--------
>>> from exactdice.games import swe
>>> print(swe.solve(10))
optimum of 10 rounds ≈ 20.4836019572432, by exact search over all blocks
>>> print(swe.Value(10))
swe value 10
"""

from exactdice.games.swe.optimum.chooser import Optimum, solve
from exactdice.games.swe.questions import Advise, Claims, Enclose, Policies, Target, Value
from exactdice.games.swe.rules import STANDARD, WITH_D10, Ladder, State

__all__ = [
    "STANDARD",
    "WITH_D10",
    "Advise",
    "Claims",
    "Enclose",
    "Ladder",
    "Optimum",
    "Policies",
    "State",
    "Target",
    "Value",
    "solve",
]
