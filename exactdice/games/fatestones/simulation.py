"""The simulator: rolls, duels and games between two players, and their log.

A roll is one choice each and the two faces that came up. A duel goes on while rolls tie and dice
are left. A game deals new hands after a scratch, as the rules say; with ``replay=False`` a scratch
ends the game without a winner, which is how the FateStones README's results table counts: there the
wins and losses of 10000 games fall short of 10000 by the scratches, and its ties are tied rolls.

The log has the README's ten columns: the dice of player 1 and of player 2 that are left, with empty
cells after them, the positions of the dice chosen (from 0, among those left) and the faces. One
line a roll, as CSV; a file begins with the names of the columns.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from gmpy2 import mpq

from exactdice.arithmetic import natural
from exactdice.errors import InputError, OutputError, Unquoted
from exactdice.games.fatestones.players import Player
from exactdice.games.fatestones.rules import (
    HAND_SIZE,
    Die,
    Hand,
    check_hands,
    deal,
    decode_die,
    encode_die,
    outcome,
    without,
)

__all__ = [
    "LOG_COLUMNS",
    "Roll",
    "Score",
    "play_duel",
    "read_log",
    "score",
    "simulate",
]

LOG_COLUMNS = (
    *(f"Player {side} Die {place}" for side in (1, 2) for place in (1, 2, 3)),
    *(f"Player {side} Choice" for side in (1, 2)),
    *(f"Player {side} Result" for side in (1, 2)),
)


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

    Raises
    ------
    InputError
        If the hands are empty, too large or of different sizes.

    Examples
    --------
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
    """What a number of games came to.

    Parameters
    ----------
    games
        Games played to their end.
    wins, losses
        Of player 1.
    scratches
        Duels in which all dice tied.
    ties
        Tied rolls, those of scratches included.
    """

    games: int
    wins: int
    losses: int
    scratches: int
    ties: int

    @property
    def edge(self) -> mpq:
        """Wins minus losses a game."""
        return mpq(self.wins - self.losses, self.games)


def score(rolls: Iterable[Roll], *, replay: bool = True) -> Score:
    """Count games, wins, losses, scratches and ties.

    Parameters
    ----------
    rolls
        In the order in which they were played.
    replay
        Whether a game goes on after a scratch; if not, a scratch is a game without a winner.

    Raises
    ------
    InputError
        If no game came to an end.
    """
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


def _log_line(roll: Roll) -> list[str]:
    hands = [
        encode_die(hand[place]) if place < len(hand) else ""
        for hand in (roll.row_hand, roll.column_hand)
        for place in range(HAND_SIZE)
    ]
    return [
        *hands,
        *map(str, (roll.row_choice, roll.column_choice, roll.row_face, roll.column_face)),
    ]


def log_lines(rolls: Iterable[Roll], *, header: bool = False) -> str:
    """Write rolls as lines of a log, after the line of column names where it is asked for.

    Examples
    --------
    >>> roll = Roll(((1, 2, 3, 4, 5, 6),), ((1, 1, 1, 6, 6, 6),), 0, 0, 4, 6)
    >>> print(log_lines([roll]), end="")
    123456,,,111666,,,0,0,4,6
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if header:
        writer.writerow(LOG_COLUMNS)
    writer.writerows(map(_log_line, rolls))
    return stream.getvalue()


def check_log(existing: str) -> None:
    """Refuse contents of a file that cannot be continued as a log; an empty file can.

    Raises
    ------
    OutputError
        If the first line does not hold the ten columns' names, or the last one no roll.
    """
    lines = existing.splitlines()
    if not lines:
        return
    if next(csv.reader(lines[:1])) != list(LOG_COLUMNS):
        raise OutputError("log: the file holds other columns than the ten of a log; name another")
    try:
        read_log(lines[-1])
    except InputError as problem:
        wanted = "mend it or name another file"
        raise OutputError(f"log: the last line of the file holds no roll; {wanted}") from problem


def read_log(text: str) -> list[Roll]:
    """Read a log, with or without the line of column names.

    Raises
    ------
    InputError
        If a line does not hold a roll; the message names the line.
    """
    rolls = []
    for number, cells in enumerate(csv.reader(io.StringIO(text)), 1):
        if cells and not (number == 1 and tuple(cells) == LOG_COLUMNS):
            rolls.append(_roll(cells, f"line {number}"))
    return rolls


def _roll(cells: list[str], name: str) -> Roll:
    if len(cells) != len(LOG_COLUMNS):
        raise InputError(name, Unquoted(f"{len(cells)} cells"), f"{len(LOG_COLUMNS)} cells")
    hands = [
        tuple(decode_die(cell) for cell in cells[start : start + HAND_SIZE] if cell)
        for start in (0, HAND_SIZE)
    ]
    check_hands(hands[0], hands[1])
    most = len(hands[0]) - 1
    choices = [natural(cell, f"{name}, choice", most=most) for cell in cells[6:8]]
    faces = [natural(cell, f"{name}, result", least=1) for cell in cells[8:]]
    for hand, choice, face in zip(hands, choices, faces, strict=True):
        if face not in hand[choice]:
            raise InputError(f"{name}, result", face, f"a face of {encode_die(hand[choice])}")
    return Roll(hands[0], hands[1], *choices, *faces)
