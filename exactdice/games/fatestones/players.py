"""Players, the duels and games that they play, and what is known of them without playing.

A player chooses the next die from the two hands on the table. It is asked with its own hand first,
so it need not know whether it sits as row or column.

* ``random`` takes each die with the same chance;
* ``best`` plays the best response to a random player, exactly; the first of equally good dice;
* ``equilibrium`` draws a die by the exact optimal strategy, for a scratch worth 0;
* ``mcts:N`` searches with N playouts; see `exactdice.games.fatestones.tree_search`;
* ``human`` asks a person.

A roll is one choice each and the two faces that came up. A duel goes on while rolls tie and dice
are left. A game deals new hands after a scratch, as the rules say; with ``replay=False`` a scratch
ends the game without a winner, which is how the FateStones README's results table counts: there the
wins and losses of 10000 games fall short of 10000 by the scratches, and its ties are tied rolls.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from itertools import accumulate
from random import Random
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq, natural, over_common_denominator
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.responses import best_response, random_play
from exactdice.games.fatestones.rules import Die, Hand, check_hands, deal, outcome, without
from exactdice.games.fatestones.sources import README_RESULTS
from exactdice.games.fatestones.tree_search import search
from exactdice.question.domains import Domain
from exactdice.run import DEFAULT, Run

Ask: TypeAlias = Callable[[Hand, Hand], int]

_KINDS = "random, best, equilibrium, human, or mcts:N with N playouts"


@dataclass(frozen=True)
class Player:
    """A name, as on the command line, and what finds the position in `own` of the die to roll."""

    name: str
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
    """Cumulative weights of all dice but the last, and the sum of all weights."""
    weights, total = over_common_denominator(solve(own, other).row)
    return tuple(int(weight) for weight in accumulate(weights[:-1])), int(total)


_CHOICES = {"random": _at_random, "best": _best, "equilibrium": _equilibrium}


def player_name(description: str, name: str = "player") -> str:
    """Read the name of a player, who may be a person.

    >>> player_name(" mcts:050")
    'mcts:50'
    """
    if not isinstance(description, str):
        raise InputError(name, description, _KINDS)
    return player(description.strip(), lambda _own, _other: 0, name).name


def player(description: str, ask: Ask | None = None, name: str = "player") -> Player:
    """Make a player from its name."""
    kind, colon, number = description.partition(":")
    if kind == "mcts" and colon:
        playouts = natural(number, "playouts", least=1)
        return Player(f"mcts:{playouts}", partial(search, playouts))
    if description == "human":
        if ask is None:
            raise InputError(name, description, "a player that needs nobody at the keyboard")
        return Player("human", lambda own, other, _random: ask(own, other))
    if description not in _CHOICES:
        raise InputError(name, description, _KINDS)
    return Player(description, _CHOICES[description])


class TwoPlayers(Domain[tuple[str, str]]):
    """Names of player 1 and player 2."""

    metavar = "P,Q"

    def read(self, value: Any, name: str) -> tuple[str, str]:
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, tuple | list) or len(names) != 2:
            raise InputError(name, value, "two players with a comma between, as mcts:50,random")
        first, second = (player_name(player, name) for player in names)
        return first, second

    def write(self, value: tuple[str, str]) -> str:
        return ",".join(value)

    def describe(self) -> str:
        return "two of random, best, equilibrium, mcts:N, human"


@dataclass(frozen=True)
class DuelRound:
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
) -> Iterator[DuelRound]:
    """Play one duel to its end, roll by roll."""
    check_hands(row, column)
    while row:
        i = players[0].choose(row, column, random)
        j = players[1].choose(column, row, random)
        roll = DuelRound(row, column, i, j, random.choice(row[i]), random.choice(column[j]))
        yield roll
        if roll.outcome:
            return
        row, column = without(row, i), without(column, j)


class Scratch(StrEnum):
    """What happens when all dice have tied."""

    AGAIN = "again"  #: the game starts again with a new deal
    ENDS = "ends"  #: the game is over without a winner


@dataclass(frozen=True)
class Score:
    """What a number of games came to."""

    games: int  # games played to their end
    wins: int
    losses: int
    scratches: int  # duels in which all dice tied
    ties: int  # tied rolls, those of scratches included

    @property
    def edge(self) -> mpq:
        """Wins minus losses a game."""
        return mpq(self.wins - self.losses, self.games)


def score(rolls: Iterable[DuelRound], *, replay: bool = True) -> Score:
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
) -> Iterator[DuelRound]:
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
) -> Iterator[DuelRound]:
    while games:
        roll = None
        for roll in play_duel(players, *deal(random, dice), random):
            yield roll
        if roll is None or not (roll.is_scratch and replay):
            games -= 1


@dataclass(frozen=True)
class DuelProbabilities:
    """Chances of one duel, and its mean number of tied rolls; None where they are not known."""

    wins: mpq | None = None
    losses: mpq | None = None
    scratches: mpq | None = None
    ties: mpq | None = None


def known_chances(first: str, second: str) -> DuelProbabilities:
    """Return what is known of one duel of two players, by their names.

    Nobody can change the chance of a scratch against a player who chooses at random.

    >>> known_chances("mcts:10", "random").scratches == known_chances("random", "random").scratches
    True
    >>> known_chances("mcts:10", "mcts:10")
    DuelProbabilities(wins=None, losses=None, scratches=None, ties=None)
    """
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
    """Return wins minus losses a game with scratches played again; None where it is not known."""
    if first == second:
        return mpq(0)
    if {first, second} == {"best", "random"}:
        edge = best_response().edge
        return edge if first == "best" else -edge
    return None


@dataclass(frozen=True)
class SimulatedGames:
    """Simulated games of two players in which a scratch ends a game, with what is known of them."""

    players: tuple[str, str]
    score: Score
    known: DuelProbabilities


def play_again(
    games: int, seed: int, more: Sequence[tuple[str, str]] = (), run: Run = DEFAULT
) -> Iterator[SimulatedGames]:
    """Play the games of the README's results table, and further pairs of players.

    A quarter of a minute for 10000 games of the README's pairs.
    """
    pairs = (*README_RESULTS, *more)
    for number, (first, second) in enumerate(pairs):
        run.tell("pairs of players", number, len(pairs))
        rolls = simulate((player(first), player(second)), games, seed, replay=False)
        yield SimulatedGames(
            (first, second), score(rolls, replay=False), known_chances(first, second)
        )
