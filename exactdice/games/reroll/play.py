"""Games of the reroll game, turn by turn, judged against exact optimal play.

A player is a function from the dice to the positions held. `optimal_player` follows the exact
policy; the command line asks a person. Every turn is recorded with its regret: the exact difference
between the value of the dice and what the action can expect.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from exactdice.arithmetic import mpq
from exactdice.games.reroll.dice_game import DiceGame
from exactdice.games.reroll.exact import Solved
from exactdice.games.reroll.rules import Number, Positions, Roll
from exactdice.report.notebook import Reported

if TYPE_CHECKING:
    import numpy as np

Player: TypeAlias = Callable[[Roll], Positions]


@dataclass(frozen=True)
class Turn:
    """One decision of a game."""

    roll: Roll  # the dice that were lying
    held: Positions  # the positions held
    reward: Number  # what the action paid: minus the penalty, or the total on sticking
    best: Positions  # the first optimal action
    regret: mpq  # how much less the action can expect than the best one; 0 where it is optimal


@dataclass(frozen=True)
class PlayedGame(Reported):
    """A game from its first roll to its end; the last of its turns sticks."""

    reported_by: ClassVar = "exactdice.games.reroll.reports:play_report"

    solved: Solved = field(repr=False)
    turns: tuple[Turn, ...]

    @property
    def score(self) -> mpq:
        """Sum of the rewards."""
        return sum((mpq(turn.reward) for turn in self.turns), mpq(0))

    @property
    def regret(self) -> mpq:
        """How much less than optimal play all turns together could expect."""
        return sum((turn.regret for turn in self.turns), mpq(0))


def optimal_player(solved: Solved) -> Player:
    """Player that follows the exact policy."""
    return lambda roll: solved.policy[roll]


def play(solved: Solved, player: Player, rng: "np.random.Generator | None" = None) -> PlayedGame:
    """Play one game to its end.

    >>> import numpy as np
    >>> from exactdice.games.reroll import solve
    >>> solved = solve()
    >>> game = play(solved, optimal_player(solved), np.random.default_rng(1))
    >>> game.turns[-1].held, game.regret
    ((0, 1, 2), mpq(0,1))
    """
    game = DiceGame.of(solved.rules, exact=True, rng=rng)
    turns: list[Turn] = []
    over = False
    while not over:
        roll = game.get_dice_state()
        held = tuple(sorted(player(roll)))
        reward, _, over = game.roll(held)
        expected = reward if over else reward + solved.hold_value(roll, held)
        turns.append(Turn(roll, held, reward, solved.policy[roll], solved.values[roll] - expected))
    return PlayedGame(solved, tuple(turns))
