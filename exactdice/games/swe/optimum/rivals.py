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

Cost: with n_t states that one player can have after t rounds, a game of at most 2 Σ n_t² states,
ten times as many for each round; `exactdice.models` solves it. For longer games there is the best
response to a player who plays apart (`exactdice.games.swe.optimum.objectives`), which does not
solve this one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import ClassVar, TypeAlias

from exactdice.arithmetic import RationalLike, mpq, natural, probability
from exactdice.dice import Distribution, mixture
from exactdice.enclosure import point_of
from exactdice.games.swe.optimum.exact import solve
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
from exactdice.solve.game import Game
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import exact_optimum
from exactdice.solve.turns import Choice, End, Turn, point_mass

_A_PAIR = 500  # bytes of a moment, with its moves; measured: 490 for 6 rounds

Moment: TypeAlias = tuple[int, State, State]
"""The moves that are left to both together, and what lies before the first and the second."""


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

    A second of processor time for 5 rounds, 10 s for 6.
    """
    length, worth = natural(rounds, "rounds", least=1), probability(tie, "tie")
    layers = _layers(length, ladder, run)
    alone = solve(length, ladder)

    @cache
    def for_points(state: State, left: int) -> tuple[Action, ...]:
        return alone.candidates(state, left).optimal(state.score)

    table = point_mass(empty_table(ladder))
    for left in range(length, 0, -1):
        chances = table.probabilities().items()
        table = mixture((p, outcomes(s, for_points(s, left)[0], ladder)) for s, p in chances)
    # Both play alike and apart for points, so that each is ahead as often as the other.
    even = sum((p**2 for p in table.map(lambda s: s.score).probabilities().values()), mpq(0))
    best = exact_optimum(as_game_of_two(length, worth, ladder), run)
    return Rivals(
        length,
        worth,
        ladder,
        point_of(best.value),
        (1 - even) / 2 + worth * even,
        tuple(_differences(layers, best, for_points, run)),
        sum(len(layer) ** 2 for layer in layers),
    )


def as_game_of_two(rounds: int, tie: mpq, ladder: Ladder) -> Game[Moment]:
    """State the game on the moves that both have left together, and the states of the players."""

    @cache
    def moved(state: State) -> list[tuple[Action, Distribution[State]]]:
        return [(action, outcomes(state, action, ladder)) for action in legal_actions(state)]

    def moves(moment: Moment) -> End | Turn[Moment]:
        left, first, second = moment
        if not left:
            return End(int(first.score > second.score) + tie * (first.score == second.score))
        after, player = left - 1, 1 + left % 2
        if player == 2:
            laws = ((action, law.map(lambda s: (after, first, s))) for action, law in moved(second))
        else:
            laws = ((action, law.map(lambda s: (after, s, second))) for action, law in moved(first))
        return Turn(player, [Choice(action, 0, law) for action, law in laws])

    return Game((2 * rounds, empty_table(ladder), empty_table(ladder)), moves)


def _layers(rounds: int, ladder: Ladder, run: Run) -> list[list[State]]:
    """The states that one player can have, by rounds done."""
    layers = [[empty_table(ladder)]]
    for _ in range(rounds):
        laws = (outcomes(s, action, ladder) for s in layers[-1] for action in legal_actions(s))
        layers.append(list(dict.fromkeys(chain.from_iterable(laws))))
        run.require(_A_PAIR * 2 * len(layers[-1]) ** 2, f"{rounds} rounds of two players")
    return layers


def _differences(
    layers: Sequence[Sequence[State]],
    best: Optimum[Moment],
    for_points: Callable[[State, int], Sequence[Action]],
    run: Run,
) -> Iterator[Difference]:
    """Compare the best moves with those for points wherever play can come."""
    rounds = len(layers) - 1
    for done in range(rounds):
        run.tell("rounds", done, rounds)
        for player in (1, 2):
            for first, second in product(layers[done + player - 1], layers[done]):
                own, other = (first, second) if player == 1 else (second, first)
                moment = 2 * (rounds - done) - player + 1, first, second
                points = for_points(own, rounds - done)
                if best.action(moment) not in points:  # one of them may still be as good
                    regrets = best.regret(moment)
                    if loss := min(regrets[action].lower for action in points):
                        to_win = best.optimal_actions(moment)[0]
                        yield Difference(done + 1, player, own, other, to_win, points[0], loss)
