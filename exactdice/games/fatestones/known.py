"""What is known exactly of two players, without simulation, and the README's results beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactdice.arithmetic import mpq
from exactdice.games.fatestones.players import player
from exactdice.games.fatestones.responses import best_response, random_play
from exactdice.games.fatestones.simulation import Score, score, simulate
from exactdice.games.fatestones.sources import README_RESULTS
from exactdice.run import DEFAULT, Run


@dataclass(frozen=True)
class Chances:
    """Chances of one duel, and its mean number of tied rolls; None where they are not known."""

    wins: mpq | None = None
    losses: mpq | None = None
    scratches: mpq | None = None
    ties: mpq | None = None


def known_chances(first: str, second: str) -> Chances:
    """Return what is known of one duel of two players, by their names.

    Nobody can change the chance of a scratch against a player who chooses at random.

    >>> known_chances("mcts:10", "random").scratches == known_chances("random", "random").scratches
    True
    >>> known_chances("mcts:10", "mcts:10")
    Chances(wins=None, losses=None, scratches=None, ties=None)
    """
    if "random" not in (first, second):
        return Chances()
    play = random_play()
    if first == second:
        return Chances(play.win, play.win, play.scratch, play.ties)
    if "best" not in (first, second):
        return Chances(scratches=play.scratch)
    decided, value = 1 - play.scratch, best_response().duel_value
    gain = value if first == "best" else -value
    return Chances((decided + gain) / 2, (decided - gain) / 2, play.scratch)


def known_edge(first: str, second: str) -> mpq | None:
    """Return wins minus losses a game with scratches played again; None where it is not known."""
    if first == second:
        return mpq(0)
    if {first, second} == {"best", "random"}:
        edge = best_response().edge
        return edge if first == "best" else -edge
    return None


@dataclass(frozen=True)
class Played:
    """Simulated games of two players in which a scratch ends a game, with what is known of them."""

    players: tuple[str, str]
    score: Score
    known: Chances


def play_again(
    games: int, seed: int, more: Sequence[tuple[str, str]] = (), run: Run = DEFAULT
) -> Iterator[Played]:
    """Play the games of the README's results table, and further pairs of players.

    A quarter of a minute for 10000 games of the README's pairs.
    """
    pairs = (*README_RESULTS, *more)
    for number, (first, second) in enumerate(pairs):
        run.tell("pairs of players", number, len(pairs))
        rolls = simulate((player(first), player(second)), games, seed, replay=False)
        yield Played((first, second), score(rolls, replay=False), known_chances(first, second))
