"""Define your own games, and query their models.

A game is an initial state and rules that give the moves of a state (`Game`, `turns`). Explored, it
is a `Model` for `optimum`, `probability`, `policy_value` and other queries. Every answer is exact
or a proved interval, and has a certificate that is checked against the rules without solving. A
game with hidden information is a `HiddenGame` or a `DealtGame`; `equilibrium` solves it.
"""

from typing import TYPE_CHECKING

from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.hidden.dealt import DealtGame as DealtGame
    from exactdice.hidden.dealt import Showdown as Showdown
    from exactdice.hidden.equilibrium import GuaranteedValue as GuaranteedValue
    from exactdice.hidden.equilibrium import ValueBounds as ValueBounds
    from exactdice.hidden.equilibrium import all_equilibria as all_equilibria
    from exactdice.hidden.equilibrium import equilibrium as equilibrium
    from exactdice.hidden.equilibrium import equilibrium_dimension as equilibrium_dimension
    from exactdice.hidden.equilibrium import guarantee as guarantee
    from exactdice.hidden.equilibrium import value_bounds as value_bounds
    from exactdice.hidden.game import HiddenGame as HiddenGame
    from exactdice.solve.algebraic import as_algebraic as as_algebraic
    from exactdice.solve.asking import Derivatives as Derivatives
    from exactdice.solve.asking import best_quantile as best_quantile
    from exactdice.solve.asking import expect as expect
    from exactdice.solve.asking import mistakes as mistakes
    from exactdice.solve.asking import probability as probability
    from exactdice.solve.asking import sensitivity as sensitivity
    from exactdice.solve.asking import stays_best as stays_best
    from exactdice.solve.certificate import Certificate as Certificate
    from exactdice.solve.endless import EndlessOptimum as EndlessOptimum
    from exactdice.solve.game import Game as Game
    from exactdice.solve.game import Model as Model
    from exactdice.solve.game import ModelError as ModelError
    from exactdice.solve.keeping import BestTurn as BestTurn
    from exactdice.solve.keeping import FreeRerolls as FreeRerolls
    from exactdice.solve.laws import TotalDistribution as TotalDistribution
    from exactdice.solve.laws import WinDrawLoss as WinDrawLoss
    from exactdice.solve.laws import reward_distribution as reward_distribution
    from exactdice.solve.laws import time_distribution as time_distribution
    from exactdice.solve.laws import win_draw_loss as win_draw_loss
    from exactdice.solve.locked import LockedTurns as LockedTurns
    from exactdice.solve.locked import Race as Race
    from exactdice.solve.long_run import AverageCertificate as AverageCertificate
    from exactdice.solve.long_run import LongRunAverage as LongRunAverage
    from exactdice.solve.long_run import long_run as long_run
    from exactdice.solve.optimum import Optimum as Optimum
    from exactdice.solve.play import Simulation as Simulation
    from exactdice.solve.play import simulate as simulate
    from exactdice.solve.players import PerfectEquilibrium as PerfectEquilibrium
    from exactdice.solve.players import perfect_equilibrium as perfect_equilibrium
    from exactdice.solve.questions import optimum as optimum
    from exactdice.solve.questions import policy_value as policy_value
    from exactdice.solve.turns import Both as Both
    from exactdice.solve.turns import Chance as Chance
    from exactdice.solve.turns import Choice as Choice
    from exactdice.solve.turns import End as End
    from exactdice.solve.turns import Moves as Moves
    from exactdice.solve.turns import Other as Other
    from exactdice.solve.turns import Paid as Paid
    from exactdice.solve.turns import Turn as Turn
    from exactdice.solve.turns import point_mass as point_mass
    from exactdice.solve.variants import best_play as best_play

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
