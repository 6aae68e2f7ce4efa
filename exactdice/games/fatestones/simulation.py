"""The simulator: rolls, duels and games between two players.

A roll is one choice each and the two faces that came up. A duel goes on while rolls tie and dice
are left. A game deals new hands after a scratch, as the rules say; with ``replay=False`` a scratch
ends the game without a winner, which is how the FateStones README's results table counts: there the
wins and losses of 10000 games fall short of 10000 by the scratches, and its ties are tied rolls.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from exactdice.arithmetic import mpq, natural
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones.players import Player
from exactdice.games.fatestones.rules import Die, Hand, check_hands, deal, outcome, without


@dataclass(frozen=True)
class Roll:
    """One round of a duel: what was on the table, what was chosen, what came up."""

    row_hand: Hand
    column_hand: Hand
    row_choice: int
    column_choice: int
    row_face: int
    column_face: int

    @property
    def outcome(self) -> int:
        """+1 when row wins, −1 when column wins, 0 for a tie."""
        return outcome(self.row_face, self.column_face)

    @property
    def is_scratch(self) -> bool:
        """Whether the last dice tied."""
        return self.outcome == 0 and len(self.row_hand) == 1


def play_duel(
    players: tuple[Player, Player], row: Hand, column: Hand, random: Random
) -> Iterator[Roll]:
    """Play one duel to its end, roll by roll.

    >>> from exactdice.games.fatestones.players import RandomPlayer
    >>> hands = ((1, 1), (3, 3)), ((1, 1), (1, 1))
    >>> [roll.outcome for roll in play_duel((RandomPlayer(), RandomPlayer()), *hands, Random(4))]
    [0, 1]
    """
    check_hands(row, column)
    while row:
        i = players[0].choose(row, column, random)
        j = players[1].choose(column, row, random)
        roll = Roll(row, column, i, j, random.choice(row[i]), random.choice(column[j]))
        yield roll
        if roll.outcome:
            return
        row, column = without(row, i), without(column, j)


@dataclass(frozen=True)
class Score:
    """What a number of games came to."""

    games: int  # games played to their end
    # wins, losses: of player 1
    wins: int
    losses: int
    scratches: int  # duels in which all dice tied
    ties: int  # tied rolls, those of scratches included

    @property
    def edge(self) -> mpq:
        """Wins minus losses a game."""
        return mpq(self.wins - self.losses, self.games)


def score(rolls: Iterable[Roll], *, replay: bool = True) -> Score:
    """Count games, wins, losses, scratches and ties."""
    counts = {1: 0, 0: 0, -1: 0}
    scratches = 0
    for roll in rolls:
        counts[roll.outcome] += 1
        scratches += roll.is_scratch
    games = counts[1] + counts[-1] + (0 if replay else scratches)
    if games == 0:
        raise InputError("rolls", Unquoted("no game that ended"), "rolls up to the end of a game")
    return Score(games, counts[1], counts[-1], scratches, counts[0])


def simulate(
    players: tuple[Player, Player],
    games: int,
    seed: int,
    *,
    dice: Sequence[Die] | None = None,
    replay: bool = True,
) -> Iterator[Roll]:
    """Play games between two players, each from a fresh deal out of one bag.

    Parameters
    ----------
    players
        Player 1 (row) and player 2 (column).
    games
        How many.
    seed
        Of everything random; the same seed gives the same rolls.
    dice
        The bag; the game's own where it is None.
    replay
        Whether a scratch starts the same game again; if not, it ends it.

    Examples
    --------
    >>> from exactdice.games.fatestones.players import player
    >>> rolls = list(simulate((player("best"), player("random")), 100, seed=1))
    >>> score(rolls).games
    100

    Notes
    -----
    Ten thousand games of two random players take 0.1 s, of ``mcts:50`` against one some 5 s.
    """
    games = natural(games, "games", least=1)
    random = Random(natural(seed, "seed"))  # noqa: S311 - a reproducible simulation, no secret
    return _games(players, games, random, dice, replay)


def _games(
    players: tuple[Player, Player],
    games: int,
    random: Random,
    dice: Sequence[Die] | None,
    replay: bool,
) -> Iterator[Roll]:
    while games:
        roll = None
        for roll in play_duel(players, *deal(random, dice), random):
            yield roll
        if roll is None or not (roll.is_scratch and replay):
            games -= 1
