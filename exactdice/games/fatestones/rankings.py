r"""Rankings of dice, and which of them put the die of ones last and the die of sixes first.

The FateStones README looked for a ranking of all 462 dice with 111111 at the bottom and 666666 at
the top, and found none. Five are offered here, each an exact score, higher meaning better:

* ``mean roll``: the mean of the faces;
* ``chance``: the mean chance to roll higher than another die of the set;
* ``margin``: the mean chance to win minus the mean chance to lose against another die of the set;
* ``dominance``: the number of dice that it dominates stochastically minus the number that dominate
  it;
* ``stationary``: the share of time for which it is on the table when a die is challenged by one of
  the others, drawn at random, both are rolled, and the challenger stays if it rolls higher. The
  shares solve :math:`\pi P = \pi`, :math:`\sum \pi = 1`.

A ranking has the wanted ends when one die alone has the lowest score and one die alone the highest,
and they are the expected ones. A die that never loses is never replaced: it has all of the
stationary share, every other die has none, and no die is alone at the bottom.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import networkx as nx
import numpy as np
from flint import fmpq, fmpq_mat

from exactdice.arithmetic import from_flint, mpq
from exactdice.errors import InputError
from exactdice.games.fatestones.beats import PairTable, dominance_graph, pair_table
from exactdice.games.fatestones.rules import Die


@dataclass(frozen=True)
class Ranking:
    """Dice with their scores, best first; equal scores in the order of the faces."""

    name: str  # which ranking it is
    scores: tuple[tuple[Die, mpq], ...]  # pairs of die and exact score

    @property
    def first(self) -> tuple[Die, ...]:
        """All dice that have the highest score."""
        return tuple(die for die, score in self.scores if score == self.scores[0][1])

    @property
    def last(self) -> tuple[Die, ...]:
        """All dice that have the lowest score."""
        return tuple(die for die, score in self.scores if score == self.scores[-1][1])

    def has_ends(self, lowest: Die, highest: Die) -> bool:
        """Whether `lowest` alone is last and `highest` alone is first."""
        return self.last == (lowest,) and self.first == (highest,)


def rank_dice(dice: Iterable[Die], name: str = "margin") -> Ranking:
    """Rank dice of equally many faces by one of `RANKINGS`.

    >>> ranking = rank_dice([(1, 1, 1), (1, 2, 3), (3, 3, 3)], "chance")
    >>> ranking.scores[0]
    ((3, 3, 3), mpq(5,6))
    >>> ranking.has_ends((1, 1, 1), (3, 3, 3))
    True
    """
    if name not in RANKINGS:
        raise InputError("ranking", name, "one of " + ", ".join(RANKINGS))
    table = pair_table(dice)
    if len(set(table.dice)) < max(2, len(table.dice)):
        raise InputError("dice", len(table.dice), "at least two dice, each listed once")
    scored = zip(table.dice, RANKINGS[name](table), strict=True)
    return Ranking(name, tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0]))))


def _mean_roll(table: PairTable) -> list[mpq]:
    return [mpq(sum(die), len(die)) for die in table.dice]


def _chance(table: PairTable) -> list[mpq]:
    comparisons = table.rolls * (len(table.dice) - 1)
    return [mpq(int(ways), comparisons) for ways in table.wins.sum(axis=1) - table.wins.diagonal()]


def _margin(table: PairTable) -> list[mpq]:
    comparisons = table.rolls * (len(table.dice) - 1)
    return [mpq(int(ways), comparisons) for ways in table.margins.sum(axis=1)]


def _dominance(table: PairTable) -> list[mpq]:
    graph = dominance_graph(table.dice)
    return [mpq(graph.out_degree(die) - graph.in_degree(die)) for die in table.dice]


def _stationary(table: PairTable) -> list[mpq]:
    """Shares of the dice in the long run; nonzero only where the challenges end up."""
    challenge: nx.DiGraph[int] = nx.DiGraph()
    challenge.add_nodes_from(range(len(table.dice)))
    challenge.add_edges_from((i, j) for j, i in np.argwhere(table.wins > 0).tolist())
    # One component only: of two dice one can lose to the other, or both are the same constant.
    (recurrent,) = nx.attracting_components(challenge)
    states = sorted(recurrent)
    shares = [mpq(0)] * len(table.dice)
    # Balance: for each state, what flows out is what flows in; the last equation: shares sum to 1.
    size = len(states)
    balance = fmpq_mat(size, size)
    for a, i in enumerate(states[:-1]):
        for b, j in enumerate(states):
            if i != j:
                balance[a, b] = fmpq(int(table.wins[i, j]))
                balance[a, a] -= fmpq(int(table.wins[j, i]))
    for b in range(size):
        balance[size - 1, b] = fmpq(1)
    right = fmpq_mat(size, 1)
    right[size - 1, 0] = fmpq(1)
    solved = balance.solve(right)
    for a, i in enumerate(states):
        shares[i] = from_flint(solved[a, 0])
    return shares


RANKINGS: dict[str, Callable[[PairTable], list[mpq]]] = {
    "mean roll": _mean_roll,
    "chance": _chance,
    "margin": _margin,
    "dominance": _dominance,
    "stationary": _stationary,
}
