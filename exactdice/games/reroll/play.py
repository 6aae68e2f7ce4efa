"""Games of the reroll game, turn by turn, judged against exact optimal play.

A player is a function from the dice to the positions held. `optimal_player` follows the exact
policy; the command line asks a person. Every turn is recorded with what its action gives away: the
exact difference between the value of the dice and what the action can expect.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gmpy2 import mpq

from exactdice.games.reroll.dice_game import DiceGame
from exactdice.games.reroll.exact import Solved
from exactdice.games.reroll.rules import Number, Positions, Roll

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Player", "Turn", "optimal_player", "play"]

Player: TypeAlias = Callable[[Roll], Positions]


@dataclass(frozen=True)
class Turn:
    """One decision of a game.

    Parameters
    ----------
    roll
        The dice that were lying.
    held
        The positions held.
    reward
        What the action paid: minus the penalty, or the total on sticking.
    best
        The first optimal action.
    given_away
        How much less the action can expect than the best one; 0 where it is optimal.
    """

    roll: Roll
    held: Positions
    reward: Number
    best: Positions
    given_away: mpq


def optimal_player(solved: Solved) -> Player:
    """Player that follows the exact policy."""
    return lambda roll: solved.policy[roll]


def play(solved: Solved, player: Player, rng: "np.random.Generator | None" = None) -> list[Turn]:
    """Play one game to its end.

    Parameters
    ----------
    solved
        The solution of the game, for judging.
    player
        Chooses the positions to hold.
    rng
        Where the dice come from; numpy's global generator where None.

    Returns
    -------
    list of Turn
        The last one sticks. The score is the sum of the rewards.

    Raises
    ------
    InputError
        If the player holds a position that is not there.

    Examples
    --------
    >>> import numpy as np
    >>> from exactdice.games.reroll import Rules, solve
    >>> solved = solve(Rules())
    >>> turns = play(solved, optimal_player(solved), np.random.default_rng(1))
    >>> turns[-1].held, sum(turn.given_away for turn in turns)
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
    return turns
