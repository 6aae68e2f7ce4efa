r"""Two players of the SWE game in turn order, who see each other's dice and scores.

The game's README asks about this variant: in every round the first player plays a round, then the
second does; after the last one the greater score wins. Each sees everything. It is a zero-sum game
of perfect information, solved backward from its end. With t rounds done by both, s and o the states
of the two, and T what the first player gets for a tie,

.. math::
   A_t(s, o) &= \max_a \mathbb E_{s' \mid s, a}\, B_t(s', o), \qquad
   B_t(s, o) = \min_a \mathbb E_{o' \mid o, a}\, A_{t+1}(s, o'), \\
   A_R(s, o) &= [s > o] + T\,[s = o] \text{ by the scores.}

A move is one *for points* where it makes the expected score of its player largest. Where no move
for points is a best one, playing to win differs from playing for points.

Cost: with n_t states that one player can have after t rounds, O(Σ n_t²) rationals, each the best of
some moves; that is ten times as much for each round. For longer games there is the best response to
a player who plays apart (`exactdice.games.swe.optimum.objectives`), which does not solve this one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from exactdice.arithmetic import RationalLike, mpq, natural, probability
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    Ladder,
    State,
    empty_table,
    legal_actions,
    outcomes,
)
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run

_A_PAIR = 400  # bytes of a rational and its place

_Values = dict[tuple[State, State], mpq]


@dataclass(frozen=True)
class Difference:
    """A moment at which no move for points is a best one."""

    round: int  # the round that is being played, from 1
    player: int  # who moves, 1 or 2
    # own, other: states of the one who moves and of the other
    own: State
    other: State
    # to_win, for_points: the first best move, and the first move for points
    to_win: Action
    for_points: Action
    loss: mpq  # what the best move for points costs in the chance to win


@dataclass(frozen=True)
class Rivals(Reported):
    """The solved game of two."""

    reported_by: ClassVar = "exactdice.games.swe.reports.aims:rivals_report"

    rounds: int
    tie: mpq
    ladder: Ladder
    value: mpq  # what the first player gets: the chance to win, and the worth of a tie
    points_value: mpq  # the same where both play for points
    # where playing to win differs from playing for points, in order of rounds
    differences: tuple[Difference, ...]
    pairs: int

    def __str__(self) -> str:
        return f"{self.rounds} rounds of two in turn: worth {self.value} to the first"


def rivals(
    rounds: int, tie: RationalLike = "1/2", ladder: Ladder = STANDARD, run: Run = DEFAULT
) -> Rivals:
    """Solve the game of two players in turn order.

    A second of processor time for 5 rounds, 8 s for 6.
    """
    table = _Table(natural(rounds, "rounds", least=1), ladder, run)
    worth = probability(tie, "tie")
    values, points, differences = _Solver(table, worth, run).solve()
    start = empty_table(ladder)
    return Rivals(
        table.rounds,
        worth,
        ladder,
        values[start, start],
        points[start, start],
        tuple(differences),
        sum(len(layer) ** 2 for layer in table.layers),
    )


class _Table:
    """The states of one player by rounds done, with their moves and what they lead to."""

    def __init__(self, rounds: int, ladder: Ladder, run: Run) -> None:
        self.rounds, self.ladder = rounds, ladder
        self.moves: dict[State, dict[Action, Mapping[State, mpq]]] = {}
        self.layers: list[list[State]] = [[empty_table(ladder)]]
        for _ in range(rounds):
            following: dict[State, None] = {}
            for state in self.layers[-1]:
                if state not in self.moves:
                    self.moves[state] = {
                        action: outcomes(state, action, ladder).probabilities()
                        for action in legal_actions(state)
                    }
                for law in self.moves[state].values():
                    following.update(dict.fromkeys(law))
            self.layers.append(list(following))
            run.require(_A_PAIR * 2 * len(following) ** 2, f"{rounds} rounds of two players")

    @cached_property
    def expected(self) -> list[dict[State, mpq]]:
        """Expected final scores under play for points, by rounds done."""
        values: list[dict[State, mpq]] = [{state: mpq(state.score) for state in self.layers[-1]}]
        for layer in reversed(self.layers[:-1]):
            after = values[0]
            values.insert(0, {s: max(self.worths(s, after.__getitem__).values()) for s in layer})
        return values

    def worths(self, state: State, worth: Callable[[State], mpq]) -> dict[Action, mpq]:
        """Return the expected worth of every move."""
        return {
            action: sum((chance * worth(after) for after, chance in law.items()), mpq(0))
            for action, law in self.moves[state].items()
        }

    def for_points(self, done: int, state: State) -> list[Action]:
        """List the moves that make the expected score largest."""
        worths = self.worths(state, self.expected[done + 1].__getitem__)
        best = max(worths.values())
        return [action for action, worth in worths.items() if worth == best]


class _Solver:
    """Backward over rounds and players."""

    def __init__(self, table: _Table, tie: mpq, run: Run) -> None:
        self.table, self.tie, self.run = table, tie, run

    def solve(self) -> tuple[_Values, _Values, list[Difference]]:
        """Return the values of best play and of play for points at the start, and differences."""
        layers = self.table.layers
        values = {
            (s, o): mpq(s.score > o.score) + self.tie * (s.score == o.score)
            for s in layers[-1]
            for o in layers[-1]
        }
        points = values
        differences: list[Difference] = []
        for done in reversed(range(self.table.rounds)):
            self.run.tell("rounds", self.table.rounds - done - 1, self.table.rounds)
            here, after = layers[done], layers[done + 1]
            # The second player moves with the first's round done, the first before that.
            for player, firsts, seconds in ((2, after, here), (1, here, here)):
                pairs = [(s, o) for s in firsts for o in seconds]
                values, points, more = self._moved(player, done, pairs, values, points)
                differences = [*more, *differences]
        return values, points, differences

    def _moved(
        self,
        player: int,
        done: int,
        pairs: Iterable[tuple[State, State]],
        values: _Values,
        points: _Values,
    ) -> tuple[_Values, _Values, list[Difference]]:
        best_of = max if player == 1 else min
        new_values: _Values = {}
        new_points: _Values = {}
        differences = []
        chosen: dict[State, list[Action]] = {}
        for s, o in pairs:
            own, other = (s, o) if player == 1 else (o, s)

            def at(worths: _Values, after: State, *, first: State = s, second: State = o) -> mpq:
                return worths[(after, second) if player == 1 else (first, after)]

            worths = self.table.worths(own, lambda after: at(values, after))
            best = best_of(worths.values())
            new_values[s, o] = best
            if own not in chosen:
                chosen[own] = self.table.for_points(done, own)
            law = self.table.moves[own][chosen[own][0]]
            new_points[s, o] = sum((p * at(points, after) for after, p in law.items()), mpq(0))
            least_bad = best_of(worths[action] for action in chosen[own])
            if least_bad != best:
                to_win = next(action for action, worth in worths.items() if worth == best)
                loss = abs(best - least_bad)
                differences.append(
                    Difference(done + 1, player, own, other, to_win, chosen[own][0], loss)
                )
        return new_values, new_points, differences
