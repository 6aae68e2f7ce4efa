"""Players, simulated duels and games, their exact probabilities, and logs of rolls.

A player chooses the next die from the two hands, its own hand first:

* ``random``: each die with the same probability;
* ``best``: the exact best response to a random player; the first of tied dice;
* ``equilibrium``: the exact optimal mixed strategy, with payoff 0 for a scratch;
* ``mcts:N``: N playouts of `exactdice.games.fatestones.tree_search`;
* ``human``: a person.

A duel continues while rolls tie and dice are left. By the rules a scratch starts the game again
with a new deal. With ``replay=False`` it ends the game without a winner, as in the results table of
the FateStones README: there 10000 games minus wins and losses are the scratches, and ties are tied
rolls.

A log is a CSV file with one line per roll and the README's ten columns: the dice left of player 1
and of player 2, padded with empty cells, the positions of the chosen dice (from 0) and the faces.
"""

import csv
import io
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Self, TypeAlias

from exactdice.arithmetic import mpq, natural, over_common_denominator
from exactdice.errors import InputError, OutputError, Unquoted
from exactdice.games.fatestones import rules
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.responses import best_response, random_play
from exactdice.games.fatestones.rules import HAND_SIZE, Die, Hand
from exactdice.games.fatestones.sources import README_RESULTS
from exactdice.games.fatestones.tree_search import search
from exactdice.question.domains import Domain
from exactdice.run import DEFAULT, Run
from exactdice.storage import append, check_writable, read_text

Ask: TypeAlias = Callable[[Hand, Hand], int]

_KINDS = "random, best, equilibrium, human, or mcts:N with N playouts"


@dataclass(frozen=True)
class Player:
    """A player: `choose` returns the position in `own` of the die to roll."""

    name: str  # as on the command line
    choose: Callable[[Hand, Hand, Random], int]  # own, other, random


def _at_random(own: Hand, _other: Hand, random: Random) -> int:
    return random.randrange(len(own))


def _best(own: Hand, other: Hand, _random: Random) -> int:
    return _best_choice(own, other)


@lru_cache(maxsize=1 << 16)
def _best_choice(own: Hand, other: Hand) -> int:
    worth = answer_to_random(own, other)
    return worth.index(max(worth))


def _equilibrium(own: Hand, other: Hand, random: Random) -> int:
    thresholds, total = _strategy(own, other)
    drawn = random.randrange(total)
    return sum(drawn >= threshold for threshold in thresholds)


@lru_cache(maxsize=1 << 16)
def _strategy(own: Hand, other: Hand) -> tuple[tuple[int, ...], int]:
    """Return cumulative weights of all dice except the last, and the sum of all weights."""
    weights, total = over_common_denominator(solve(own, other).row)
    return tuple(int(weight) for weight in accumulate(weights[:-1])), int(total)


_CHOICES = {"random": _at_random, "best": _best, "equilibrium": _equilibrium}


def player_name(description: str, name: str = "player") -> str:
    if not isinstance(description, str):
        raise InputError(name, description, _KINDS)
    return player(description.strip(), lambda _own, _other: 0, name).name


def player(description: str, ask: Ask | None = None, name: str = "player") -> Player:
    kind, colon, number = description.partition(":")
    if kind == "mcts" and colon:
        playouts = natural(number, "playouts", least=1)
        return Player(f"mcts:{playouts}", partial(search, playouts))
    if description == "human":
        if ask is None:
            raise InputError(name, description, "a player other than a person")
        return Player("human", lambda own, other, _random: ask(own, other))
    if description not in _CHOICES:
        raise InputError(name, description, _KINDS)
    return Player(description, _CHOICES[description])


class TwoPlayers(Domain[tuple[str, str]]):
    metavar = "P,Q"

    def read(self, value: Any, name: str) -> tuple[str, str]:
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, tuple | list) or len(names) != 2:
            wanted = "two players separated by a comma, such as mcts:50,random"
            raise InputError(name, value, wanted)
        first, second = (player_name(player, name) for player in names)
        return first, second

    def write(self, value: tuple[str, str]) -> str:
        return ",".join(value)

    def describe(self) -> str:
        return "two of random, best, equilibrium, mcts:N, human"


@dataclass(frozen=True)
class DuelRound:
    row_hand: Hand
    column_hand: Hand
    row_choice: int
    column_choice: int
    row_face: int
    column_face: int

    @property
    def outcome(self) -> int:
        return rules.outcome(self.row_face, self.column_face)

    @property
    def is_scratch(self) -> bool:
        """Whether the last dice tied."""
        return self.outcome == 0 and len(self.row_hand) == 1


def play_duel(
    players: tuple[Player, Player], row: Hand, column: Hand, random: Random
) -> Iterator[DuelRound]:
    rules.check_hands(row, column)
    while row:
        i = players[0].choose(row, column, random)
        j = players[1].choose(column, row, random)
        roll = DuelRound(row, column, i, j, random.choice(row[i]), random.choice(column[j]))
        yield roll
        if roll.outcome:
            return
        row, column = rules.without(row, i), rules.without(column, j)


class Scratch(StrEnum):
    """Rule for a scratch, when all dice have tied."""

    AGAIN = "again"  #: the game starts again with a new deal
    ENDS = "ends"  #: the game is over without a winner


@dataclass(frozen=True)
class Score:
    games: int  # finished games
    wins: int
    losses: int
    scratches: int  # duels in which all dice tied
    ties: int  # tied rolls, including those of scratches

    @property
    def edge(self) -> mpq:
        return mpq(self.wins - self.losses, self.games)


def score(rolls: Iterable[DuelRound], *, replay: bool = True) -> Score:
    counts = {1: 0, 0: 0, -1: 0}
    scratches = 0
    for roll in rolls:
        counts[roll.outcome] += 1
        scratches += roll.is_scratch
    games = counts[1] + counts[-1] + (0 if replay else scratches)
    if games == 0:
        raise InputError("rolls", Unquoted("no finished game"), "rolls up to the end of a game")
    return Score(games, counts[1], counts[-1], scratches, counts[0])


def simulate(
    players: tuple[Player, Player],
    games: int,
    seed: int,
    *,
    dice: Sequence[Die] | None = None,
    replay: bool = True,
) -> Iterator[DuelRound]:
    """Simulate games between two players, each with a new deal out of one bag.

    * `players`: player 1 (row) and player 2 (column).
    * `seed`: random seed; the same seed gives the same rolls.
    * `dice`: the bag; the game's own by default.
    * `replay`: whether a scratch starts the same game again instead of ending it.

    >>> from exactdice.games.fatestones.players import player
    >>> rolls = list(simulate((player("best"), player("random")), 100, seed=1))
    >>> score(rolls).games
    100

    10000 games of two random players take 0.1 s, of ``mcts:50`` against ``random`` about 5 s.
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
) -> Iterator[DuelRound]:
    while games:
        roll = None
        for roll in play_duel(players, *rules.deal(random, dice), random):
            yield roll
        if roll is None or not (roll.is_scratch and replay):
            games -= 1


@dataclass(frozen=True)
class DuelProbabilities:
    """Probabilities of one duel, and its mean number of tied rolls; None if unknown."""

    wins: mpq | None = None
    losses: mpq | None = None
    scratches: mpq | None = None
    ties: mpq | None = None


def known_chances(first: str, second: str) -> DuelProbabilities:
    """Return the known probabilities of one duel of two players, by their names."""
    if "random" not in (first, second):
        return DuelProbabilities()
    play = random_play()
    if first == second:
        return DuelProbabilities(play.win, play.win, play.scratch, play.ties)
    if "best" not in (first, second):
        return DuelProbabilities(scratches=play.scratch)
    decided, value = 1 - play.scratch, best_response().duel_value
    gain = value if first == "best" else -value
    return DuelProbabilities((decided + gain) / 2, (decided - gain) / 2, play.scratch)


def known_edge(first: str, second: str) -> mpq | None:
    """Return wins minus losses per game with scratches played again; None if unknown."""
    if first == second:
        return mpq(0)
    if {first, second} == {"best", "random"}:
        edge = best_response().edge
        return edge if first == "best" else -edge
    return None


@dataclass(frozen=True)
class SimulatedGames:
    """Simulated games of two players in which a scratch ends a game, and known probabilities."""

    players: tuple[str, str]
    score: Score
    known: DuelProbabilities


def play_again(
    games: int, seed: int, more: Sequence[tuple[str, str]] = (), run: Run = DEFAULT
) -> Iterator[SimulatedGames]:
    """Simulate the README's results table (15 s for 10000 games a pair), and `more` pairs."""
    pairs = (*README_RESULTS, *more)
    for number, (first, second) in enumerate(pairs):
        run.tell("pairs of players", number, len(pairs))
        rolls = simulate((player(first), player(second)), games, seed, replay=False)
        known = known_chances(first, second)
        yield SimulatedGames((first, second), score(rolls, replay=False), known)


LOG_COLUMNS = (
    *(f"Player {side} Die {place}" for side in (1, 2) for place in (1, 2, 3)),
    *(f"Player {side} Choice" for side in (1, 2)),
    *(f"Player {side} Result" for side in (1, 2)),
)

SECONDS_BETWEEN_SAVES = 2


def seldom(write: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that writes at most every `SECONDS_BETWEEN_SAVES`."""
    last = time.monotonic()

    def save(content: str) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_SAVES:
            write(content)
            last = time.monotonic()

    return save


class LogFile:
    """A log file to which rolls are appended every few seconds; no log if `path` is None.

    Raises OutputError if the file cannot be written or is not such a log.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._waiting: list[DuelRound] = []
        self._written = time.monotonic()
        if self.path:
            check_writable(self.path)
            check_log(read_text(self.path))  # before any work

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()

    def add(self, roll: DuelRound) -> None:
        self._waiting.append(roll)
        if time.monotonic() - self._written > SECONDS_BETWEEN_SAVES:
            self._write()

    def _write(self) -> None:
        rolls, self._waiting = self._waiting, []  # a failed write is not repeated
        if self.path and rolls:
            header = log_lines([], header=True)
            append(
                self.path,
                log_lines(rolls),
                header=header,
                check=lambda line: check_log(header + line),
            )
        self._written = time.monotonic()


def _log_line(roll: DuelRound) -> list[str]:
    hands = [
        rules.encode_die(hand[place]) if place < len(hand) else ""
        for hand in (roll.row_hand, roll.column_hand)
        for place in range(HAND_SIZE)
    ]
    numbers = roll.row_choice, roll.column_choice, roll.row_face, roll.column_face
    return [*hands, *map(str, numbers)]


def log_lines(rolls: Iterable[DuelRound], *, header: bool = False) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if header:
        writer.writerow(LOG_COLUMNS)
    writer.writerows(map(_log_line, rolls))
    return stream.getvalue()


def check_log(existing: str) -> None:
    """Raise OutputError if a file's contents are not empty and cannot be continued as a log."""
    lines = existing.splitlines()
    if not lines:
        return
    if next(csv.reader(lines[:1])) != list(LOG_COLUMNS):
        raise OutputError("log: the file does not have the columns of a log; name another file")
    try:
        read_log(lines[-1])
    except InputError as problem:
        wanted = "repair it or name another file"
        raise OutputError(f"log: the last line of the file is not a roll; {wanted}") from problem


def read_log(text: str) -> list[DuelRound]:
    rolls = []
    for number, cells in enumerate(csv.reader(io.StringIO(text)), 1):
        if cells and not (number == 1 and tuple(cells) == LOG_COLUMNS):
            rolls.append(_roll(cells, f"line {number}"))
    return rolls


def _roll(cells: list[str], name: str) -> DuelRound:
    if len(cells) != len(LOG_COLUMNS):
        raise InputError(name, Unquoted(f"{len(cells)} cells"), f"{len(LOG_COLUMNS)} cells")
    hands = [
        tuple(rules.decode_die(cell) for cell in cells[start : start + HAND_SIZE] if cell)
        for start in (0, HAND_SIZE)
    ]
    rules.check_hands(hands[0], hands[1])
    most = len(hands[0]) - 1
    choices = [natural(cell, f"{name}, choice", most=most) for cell in cells[6:8]]
    faces = [natural(cell, f"{name}, result", least=1) for cell in cells[8:]]
    for hand, choice, face in zip(hands, choices, faces, strict=True):
        if face not in hand[choice]:
            raise InputError(f"{name}, result", face, f"a face of {rules.encode_die(hand[choice])}")
    return DuelRound(hands[0], hands[1], *choices, *faces)
