r"""Monte Carlo tree search for a duel, with simultaneous moves.

Decoupled UCT (Auger 2011; Lanctot, Lisý and Winands 2013): for every pair of hands each side has
its own statistics of its own dice and picks by UCB1 (Auer, Cesa-Bianchi and Fischer 2002),

.. math:: \bar r_i + 2 \sqrt{2 \ln n / n_i}

for rewards from −1 to 1. Ties between bounds are broken at random; otherwise the two sides would
synchronise on the same pairs of dice. The dice are rolled; a tie leads to the hands left. The first
new pair of a playout is added to the tree, and the playout is finished at random. The die chosen
most often is played. It need not converge to an equilibrium.

This is the only module of the game with floats: they decide which dice are tried, and no result is
computed from them.
"""

from math import log, sqrt
from random import Random

from exactdice.games.fatestones.rules import Hand, outcome, without


class _Node:
    """Visits and total rewards of each side's dice, for one pair of hands."""

    __slots__ = ("gains", "visits")

    def __init__(self, size: int) -> None:
        self.visits = ([0] * size, [0] * size)
        self.gains = ([0] * size, [0] * size)

    def select(self, side: int, random: Random) -> int:
        """Return a die not tried yet, or one with the highest upper confidence bound."""
        visits, gains = self.visits[side], self.gains[side]
        if 0 in visits:
            return random.choice([i for i, n in enumerate(visits) if n == 0])
        width = 8 * log(sum(visits))
        bounds = [gain / n + sqrt(width / n) for gain, n in zip(gains, visits, strict=True)]
        highest = max(bounds)
        best = [i for i, bound in enumerate(bounds) if bound == highest]
        return best[0] if len(best) == 1 else random.choice(best)

    def update(self, choices: tuple[int, int], reward: int) -> None:
        for side, choice in enumerate(choices):
            self.visits[side][choice] += 1
            self.gains[side][choice] += -reward if side else reward


def search(playouts: int, own: Hand, other: Hand, random: Random) -> int:
    """Return the position of the die chosen most often, starting with an empty tree."""
    if len(own) == 1:
        return 0
    root = _Node(len(own))
    tree = {(own, other): root}
    for _ in range(playouts):
        _play_out(tree, own, other, random)
    visits = root.visits[0]
    return visits.index(max(visits))


def _play_out(tree: dict[tuple[Hand, Hand], _Node], own: Hand, other: Hand, random: Random) -> None:
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
