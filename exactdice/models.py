"""Games that a user writes down, and the questions that can be put to them.

A game is a first state and rules that say what can happen in a state (`Game`, `turns`). Explored,
it is a `Model`, to which questions are put: `optimum`, `reach`, `policy_value` and others. Every
answer is exact or a proved enclosure, says which, and has a certificate that is checked against the
rules without solving anything. Where a player does not see all it is a `HiddenGame`, or a
`DealtGame`, whose question is its `equilibrium`.
"""

from exactdice.hidden.dealt import DealtGame, Shown
from exactdice.hidden.equilibrium import Assured, Bracket, assured, bracket, equilibrium
from exactdice.hidden.faces import complete, dimension
from exactdice.hidden.game import HiddenGame
from exactdice.solve.algebraic import as_algebraic
from exactdice.solve.asking import chance, expect, mistakes
from exactdice.solve.certificate import Certificate
from exactdice.solve.endless import EndlessOptimum, optimum_with_draws
from exactdice.solve.game import Game, Model, ModelError
from exactdice.solve.keeping import BestTurn, Turns
from exactdice.solve.laws import Law, WinDrawLoss, reward_law, time_law, win_draw_loss
from exactdice.solve.locked import LockedTurns
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import optimum, policy_value, reach
from exactdice.solve.race import Race
from exactdice.solve.sensitivity import Sensitivity, sensitivity, stays_best
from exactdice.solve.simulation import Simulation, simulate
from exactdice.solve.turns import Both, Chance, Choice, End, Moves, Other, Paid, Turn, point_mass
from exactdice.solve.variants import best_play

__all__ = [
    "Assured",
    "BestTurn",
    "Both",
    "Bracket",
    "Certificate",
    "Chance",
    "Choice",
    "DealtGame",
    "End",
    "EndlessOptimum",
    "Game",
    "HiddenGame",
    "Law",
    "LockedTurns",
    "Model",
    "ModelError",
    "Moves",
    "Optimum",
    "Other",
    "Paid",
    "Race",
    "Sensitivity",
    "Shown",
    "Simulation",
    "Turn",
    "Turns",
    "WinDrawLoss",
    "as_algebraic",
    "assured",
    "best_play",
    "bracket",
    "chance",
    "complete",
    "dimension",
    "equilibrium",
    "expect",
    "mistakes",
    "optimum",
    "optimum_with_draws",
    "point_mass",
    "policy_value",
    "reach",
    "reward_law",
    "sensitivity",
    "simulate",
    "stays_best",
    "time_law",
    "win_draw_loss",
]
