"""FateStones: a duel of dice chosen in secret, and which die beats which, exactly.

Examples
--------
>>> from exactdice.games import fatestones
>>> duel = fatestones.solve("111666,123456", "114456,333336")
>>> duel.value, duel.row
(mpq(0,1), (mpq(1,7), mpq(6,7)))
>>> print(fatestones.Count(6, 7, convention="majority"))
fatestones count 6 7 --convention majority
"""

from exactdice.games.fatestones.best_response import best_response
from exactdice.games.fatestones.census import census, sample_census
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.questions import Beats, Census, Count, Duel, Play, Simulate
from exactdice.games.fatestones.rules import bag
from exactdice.games.fatestones.simulation import simulate

__all__ = [
    "Beats",
    "Census",
    "Count",
    "Duel",
    "Play",
    "Simulate",
    "bag",
    "best_response",
    "census",
    "sample_census",
    "simulate",
    "solve",
]
