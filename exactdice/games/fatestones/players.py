r"""Players: how to choose the next die from the two hands on the table.

A player is asked with its own hand first, so it need not know whether it sits as row or column.

* ``random`` takes each die with the same chance;
* ``best`` plays the best response to a random player, exactly; the first of equally good dice;
* ``equilibrium`` draws a die by the exact optimal strategy, for a scratch worth 0;
* ``mcts:N`` searches with N playouts;
* ``human`` asks a person.

The search is decoupled UCT (Auger 2011; Lanctot, Lisý and Winands 2013), the form of Monte Carlo
tree search for simultaneous moves: at every pair of hands each side keeps its own statistics of its
own dice and picks by UCB1 (Auer, Cesa-Bianchi and Fischer 2002),

.. math:: \bar r_i + 2 \sqrt{2 \ln n / n_i}

for rewards from −1 to 1. Equal bounds are decided by lot: otherwise the two sides fall into step,
and each sees the same pairs of dice again and again. The dice are rolled; a tie leads to the pair
of hands that are left. A pair met for the first time in a playout joins the tree, and the playout
is finished at random. The die taken most often is played. It need not converge to an equilibrium:
that is part of what the document asks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import log, sqrt
from random import Random
from typing import Protocol, TypeAlias

from exactdice.arithmetic import natural, over_common_denominator
from exactdice.errors import InputError
from exactdice.games.fatestones.exact import answer_to_random, solve_duel
from exactdice.games.fatestones.rules import Hand, outcome, without

__all__ = [
    "BestResponsePlayer",
    "EquilibriumPlayer",
    "HumanPlayer",
    "Player",
    "RandomPlayer",
    "TreeSearchPlayer",
    "player",
]

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
    weights, total = over_common_denominator(solve_duel(own, other).row)
    return tuple(int(weight) for weight in accumulate(weights[:-1])), int(total)


@dataclass(frozen=True)
class HumanPlayer:
    """Asks a person; `ask` is given both hands and returns the position of a die."""

    ask: Ask
    name: str = "human"

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position of the die that the person named."""
        return self.ask(own, other)


class _Node:
    """Statistics of one pair of hands: visits and total rewards of each side's dice."""

    __slots__ = ("gains", "visits")

    def __init__(self, size: int) -> None:
        self.visits = ([0] * size, [0] * size)
        self.gains = ([0] * size, [0] * size)

    def select(self, side: int, random: Random) -> int:
        """A die not tried yet, else one with the highest upper confidence bound."""
        visits, gains = self.visits[side], self.gains[side]
        if 0 in visits:
            return random.choice([i for i, n in enumerate(visits) if n == 0])
        width = 8 * log(sum(visits))
        bounds = [gain / n + sqrt(width / n) for gain, n in zip(gains, visits, strict=True)]
        highest = max(bounds)
        best = [i for i, bound in enumerate(bounds) if bound == highest]
        return best[0] if len(best) == 1 else random.choice(best)

    def update(self, choices: tuple[int, int], reward: int) -> None:
        """Count a playout; the column side's reward is minus the row side's."""
        for side, choice in enumerate(choices):
            self.visits[side][choice] += 1
            self.gains[side][choice] += -reward if side else reward


@dataclass(frozen=True)
class TreeSearchPlayer:
    """Searches with a fixed number of playouts; every decision starts with an empty tree.

    Parameters
    ----------
    playouts
        At least 1.
    """

    playouts: int
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "playouts", natural(self.playouts, "playouts", least=1))
        object.__setattr__(self, "name", f"mcts:{self.playouts}")

    def choose(self, own: Hand, other: Hand, random: Random) -> int:
        """Position of the die that the playouts took most often, the first of equals."""
        if len(own) == 1:
            return 0
        root = _Node(len(own))
        tree = {(own, other): root}
        for _ in range(self.playouts):
            _play_out(tree, own, other, random)
        visits = root.visits[0]
        return visits.index(max(visits))


def _play_out(tree: dict[tuple[Hand, Hand], _Node], own: Hand, other: Hand, random: Random) -> None:
    """Play one duel down the tree, add at most one pair of hands to it, and credit the result."""
    path: list[tuple[_Node, tuple[int, int]]] = []
    growing, reward = True, 0
    while own and not reward:
        node = tree.get((own, other))
        if node is None and growing:
            node = tree[own, other] = _Node(len(own))
            growing = False
            choices = (random.randrange(len(own)), random.randrange(len(other)))
        elif node is None:
            choices = (random.randrange(len(own)), random.randrange(len(other)))
        else:
            choices = (node.select(0, random), node.select(1, random))
        if node is not None:
            path.append((node, choices))
        faces = own[choices[0]], other[choices[1]]
        reward = outcome(random.choice(faces[0]), random.choice(faces[1]))
        own, other = without(own, choices[0]), without(other, choices[1])
    for node, choices in path:
        node.update(choices, reward)


def player(description: str, ask: Ask | None = None) -> Player:
    """Make a player from its name.

    Parameters
    ----------
    description
        ``random``, ``best``, ``equilibrium``, ``human`` or ``mcts:N``.
    ask
        How a human is asked; without it there are no human players.

    Raises
    ------
    InputError
        If there is no such player.

    Examples
    --------
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
            raise InputError("player", description, "a player that needs nobody at the keyboard")
        return HumanPlayer(ask)
    made: dict[str, Callable[[], Player]] = {
        "random": RandomPlayer,
        "best": BestResponsePlayer,
        "equilibrium": EquilibriumPlayer,
    }
    if description not in made:
        raise InputError("player", description, _KINDS)
    return made[description]()
