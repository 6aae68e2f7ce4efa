"""Players: how to choose the next die from the two hands on the table.

A player is asked with its own hand first, so it need not know whether it sits as row or column.

* ``random`` takes each die with the same chance;
* ``best`` plays the best response to a random player, exactly; the first of equally good dice;
* ``equilibrium`` draws a die by the exact optimal strategy, for a scratch worth 0;
* ``mcts:N`` searches with N playouts; see `exactdice.games.fatestones.tree_search`;
* ``human`` asks a person.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import Protocol, TypeAlias

from exactdice.arithmetic import natural, over_common_denominator
from exactdice.errors import InputError
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.rules import Hand
from exactdice.games.fatestones.tree_search import TreeSearchPlayer

Ask: TypeAlias = Callable[[Hand, Hand], int]

_KINDS = "random, best, equilibrium, human, or mcts:N with N playouts"


class Player(Protocol):
    """Anything that can choose a die."""

    @property
    def name(self) -> str:
        """How the player is called on the command line."""

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position in `own` of the die to roll."""


@dataclass(frozen=True)
class RandomPlayer:
    """Takes each die with the same chance."""

    name: str = "random"

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position of a die, each as likely."""
        return random.randrange(len(own))


@dataclass(frozen=True)
class BestResponsePlayer:
    """Plays the best response to a random player."""

    name: str = "best"

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position of the first die that is best."""
        return _best_choice(own, other)


@lru_cache(maxsize=1 << 16)
def _best_choice(own: Hand, other: Hand) -> int:
    return answer_to_random(own, other).choice


@dataclass(frozen=True)
class EquilibriumPlayer:
    """Draws a die by the exact optimal strategy, for a scratch worth 0."""

    name: str = "equilibrium"

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position of a die, with the probabilities of the equilibrium, drawn exactly."""
        thresholds, total = _strategy(own, other)
        drawn = random.randrange(total)
        return sum(drawn >= threshold for threshold in thresholds)


@lru_cache(maxsize=1 << 16)
def _strategy(own: Hand, other: Hand) -> tuple[tuple[int, ...], int]:
    """Cumulative weights of all dice but the last, and the sum of all weights."""
    weights, total = over_common_denominator(solve(own, other).row)
    return tuple(int(weight) for weight in accumulate(weights[:-1])), int(total)


@dataclass(frozen=True)
class HumanPlayer:
    """Asks a person; `ask` is given both hands and returns the position of a die."""

    ask: Ask
    name: str = "human"

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position of the die that the person named."""
        return self.ask(own, other)


def player_name(description: str, name: str = "player") -> str:
    """Read the name of a player, who may be a person.

    >>> player_name(" mcts:050")
    'mcts:50'
    """
    if not isinstance(description, str):
        raise InputError(name, description, _KINDS)
    return player(description.strip(), lambda _own, _other: 0, name).name


def player(description: str, ask: Ask | None = None, name: str = "player") -> Player:
    """Make a player from its name.

    >>> player("mcts:50")
    TreeSearchPlayer(playouts=50, name='mcts:50')
    >>> player("greedy")
    Traceback (most recent call last):
    exactdice.errors.InputError: player: got 'greedy'; give random, best, equilibrium, human, or \
mcts:N with N playouts
    """
    kind, colon, number = description.partition(":")
    if kind == "mcts" and colon:
        return TreeSearchPlayer(natural(number, "playouts", least=1))
    if description == "human":
        if ask is None:
            raise InputError(name, description, "a player that needs nobody at the keyboard")
        return HumanPlayer(ask)
    made: dict[str, Callable[[], Player]] = {
        "random": RandomPlayer,
        "best": BestResponsePlayer,
        "equilibrium": EquilibriumPlayer,
    }
    if description not in made:
        raise InputError(name, description, _KINDS)
    return made[description]()
