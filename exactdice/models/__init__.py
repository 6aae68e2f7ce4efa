"""Games that a user writes down, and the questions that can be put to them.

A game is a first state and rules that say what can happen in a state (`Game`, `turns`). Explored,
it is a `Model`, to which questions are put: `optimum`, `reach`, `policy_value` and others. Every
answer is exact or a proved enclosure, says which, and has a certificate that is checked against the
rules without solving anything.
"""

from exactdice.models.certificate import Certificate
from exactdice.models.endless import EndlessCertificate, EndlessOptimum, optimum_with_draws
from exactdice.models.game import Game, Model, ModelError
from exactdice.models.laws import Law, WinDrawLoss, reward_law, time_law, win_draw_loss
from exactdice.models.losses import sure_of, worst_loss
from exactdice.models.optimum import Optimum
from exactdice.models.questions import optimum, policy_value, reach
from exactdice.models.roots import as_algebraic
from exactdice.models.turns import Both, Chance, Choice, End, Other, Turn, point_mass

__all__ = [
    "Both",
    "Certificate",
    "Chance",
    "Choice",
    "End",
    "EndlessCertificate",
    "EndlessOptimum",
    "Game",
    "Law",
    "Model",
    "ModelError",
    "Optimum",
    "Other",
    "Turn",
    "WinDrawLoss",
    "as_algebraic",
    "optimum",
    "optimum_with_draws",
    "point_mass",
    "policy_value",
    "reach",
    "reward_law",
    "sure_of",
    "time_law",
    "win_draw_loss",
    "worst_loss",
]
