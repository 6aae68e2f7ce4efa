"""Farkle: exact best turns with any dice, races to a target, and what players ask.

`rules` says what scores, `dice_sets` which dice are rolled, `exact` finds the best turn, `horizon`
the best turn of at most n rolls, `forward` follows a policy to the distribution of its points,
`players` advises, `turns` counts the turns to a target and runs races, and `chances` maximises the
chance of reaching it. `two_players` is the race of two players who look at both scores,
`two_players_exact` solves it, `race_advice` and `race_play` advise and judge a player who plays to
win. `process` hands a turn to the general solvers, and `readme` checks what the
KCD Farkle README states.

Examples
--------
>>> from exactdice.games import farkle
>>> turn = farkle.solve("fair*3,368:105:105:105:105:212*2,odd")
>>> farkle.advise(turn, "1,1,5,3,4,6", 300)[0].keep
(1,)
"""

from exactdice.games.farkle.chances import BestChance
from exactdice.games.farkle.dice_sets import FAIR, DiceSet, Die, named_dice, parse_dice
from exactdice.games.farkle.exact import (
    SIX_FAIR,
    BestTurn,
    Overshoot,
    Tie,
    certain_banking_bound,
    solve,
)
from exactdice.games.farkle.forward import TurnEnd, ends_of_turn
from exactdice.games.farkle.horizon import fixed_point, horizon
from exactdice.games.farkle.players import (
    Choice,
    Threshold,
    ThresholdPlayer,
    advise,
    parse_roll,
    points_distribution,
    selection_score,
    thresholds,
    turn_end,
)
from exactdice.games.farkle.process import turn_process
from exactdice.games.farkle.race_advice import (
    ChoiceToWin,
    ThresholdToWin,
    Way,
    advise_to_win,
    win_thresholds,
)
from exactdice.games.farkle.race_play import (
    RaceDecision,
    RaceGame,
    RaceSituation,
    play_race,
    race_optimally,
)
from exactdice.games.farkle.readme import Statement, statements
from exactdice.games.farkle.rules import (
    FACEBOOK,
    JOKER,
    KCD,
    PATCH,
    RULE_SETS,
    TEN_THOUSAND,
    ZILCH,
    Combination,
    RuleSet,
    rule_set,
)
from exactdice.games.farkle.turns import Chaser, race, turns_to_target
from exactdice.games.farkle.two_players import (
    Contender,
    TurnToWin,
    WinChances,
    contender,
    worth_of_looking,
)
from exactdice.games.farkle.two_players_exact import win_exactly

__all__ = [
    "FACEBOOK",
    "FAIR",
    "JOKER",
    "KCD",
    "PATCH",
    "RULE_SETS",
    "SIX_FAIR",
    "TEN_THOUSAND",
    "ZILCH",
    "BestChance",
    "BestTurn",
    "Chaser",
    "Choice",
    "ChoiceToWin",
    "Combination",
    "Contender",
    "DiceSet",
    "Die",
    "Overshoot",
    "RaceDecision",
    "RaceGame",
    "RaceSituation",
    "RuleSet",
    "Statement",
    "Threshold",
    "ThresholdPlayer",
    "ThresholdToWin",
    "Tie",
    "TurnEnd",
    "TurnToWin",
    "Way",
    "WinChances",
    "advise",
    "advise_to_win",
    "certain_banking_bound",
    "contender",
    "ends_of_turn",
    "fixed_point",
    "horizon",
    "named_dice",
    "parse_dice",
    "parse_roll",
    "play_race",
    "points_distribution",
    "race",
    "race_optimally",
    "rule_set",
    "selection_score",
    "solve",
    "statements",
    "thresholds",
    "turn_end",
    "turn_process",
    "turns_to_target",
    "win_exactly",
    "win_thresholds",
    "worth_of_looking",
]
