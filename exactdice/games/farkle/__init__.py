"""Farkle: exact best turns with any dice, races to a target, and what players ask.

`rules` says what scores, `rule_files` reads rules that a user writes, `dice_sets` says which dice
are rolled, `exact` finds the best turn, `horizon` the best turn of at most n rolls, `forward`
follows a policy to the distribution of its points, `players` advises, `turns` counts the turns to a
target and runs races, and `chances` maximises the chance of reaching it. `two_players` is the race
of two players who look at both scores; `two_players_exact` solves it, `two_players_enclosed`
encloses it, `race_advice` and `race_play` advise and judge a player who plays to win. `best_dice`
ranks the sets of dice that one can take from those owned. `process` hands a turn to the general
solvers, and `readme` checks what the KCD Farkle README states.

Examples
--------
>>> from exactdice.games import farkle
>>> turn = farkle.solve("fair*3,368:105:105:105:105:212*2,odd")
>>> farkle.advise(turn, "1,1,5,3,4,6", 300)[0].keep
(1,)
>>> print(farkle.Value(points=450, left=2))
farkle value --points 450 --left 2
"""

from exactdice.games.farkle.advice import advise
from exactdice.games.farkle.contenders import contender
from exactdice.games.farkle.dice_sets import parse_dice
from exactdice.games.farkle.exact import solve
from exactdice.games.farkle.players import thresholds
from exactdice.games.farkle.questions import Advise, Race, Value
from exactdice.games.farkle.rule_tables import KCD, PATCH
from exactdice.games.farkle.turns import race
from exactdice.games.farkle.two_players_solved import win_chances

__all__ = [
    "KCD",
    "PATCH",
    "Advise",
    "Race",
    "Value",
    "advise",
    "contender",
    "parse_dice",
    "race",
    "solve",
    "thresholds",
    "win_chances",
]
