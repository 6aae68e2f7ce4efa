"""The reroll game: hold and reroll dice at a price, turn over duplicates, and stick.

>>> from exactdice.games import reroll
>>> reroll.solve().value
mpq(103369,7744)
>>> print(reroll.RerollValue(dice=2))
reroll value --dice 2
"""

from typing import TYPE_CHECKING

from exactdice.games.record import GameRecord
from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.games.reroll.dice_game import DiceGame as DiceGame
    from exactdice.games.reroll.exact import best_score as best_score
    from exactdice.games.reroll.exact import solve as solve
    from exactdice.games.reroll.questions import RerollPlay as RerollPlay
    from exactdice.games.reroll.questions import RerollPolicy as RerollPolicy
    from exactdice.games.reroll.questions import RerollValue as RerollValue
    from exactdice.games.reroll.rules import RerollRules as RerollRules

GAME = GameRecord(
    home=__name__,
    title="the reroll game",
    description="The reroll game: exact value, optimal play, tolerances, breakpoints.",
    studies=("questions",),
    page="exactdice.web.play.advice:REROLL",
)

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
