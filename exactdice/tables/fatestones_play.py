"""Reports of FateStones as it is played: simulated games, the README's results, single duels."""

from collections.abc import Sequence
from typing import NamedTuple

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike
from exactdice.games import fatestones
from exactdice.games.fatestones import Player, Roll, Score
from exactdice.report.model import (
    Cell,
    Column,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables.fatestones import BAG, DEAL

__all__ = ["README_RESULTS", "play_report", "results_report", "simulation_report"]


class _Exact(NamedTuple):
    """What is known exactly of two players: chances in one duel; None where it is not."""

    wins: mpq | None
    losses: mpq | None
    scratches: mpq | None
    ties: mpq | None


def _exact_chances(first: str, second: str) -> _Exact:
    """Exact chances of one duel, as far as they are known without simulation."""
    if "random" not in (first, second):
        return _Exact(None, None, None, None)
    play = fatestones.random_play()
    if first == second:
        return _Exact(play.win, play.win, play.scratch, play.ties)
    if "best" not in (first, second):
        return _Exact(None, None, play.scratch, None)
    decided, value = 1 - play.scratch, fatestones.best_response().duel_value
    gain = value if first == "best" else -value
    return _Exact((decided + gain) / 2, (decided - gain) / 2, play.scratch, None)


def _exact_edge(first: str, second: str) -> mpq | None:
    """Wins minus losses a game with scratches played again, where it is known."""
    if first == second:
        return mpq(0)
    if {first, second} == {"best", "random"}:
        edge = fatestones.best_response().edge
        return edge if first == "best" else -edge
    return None


def simulation_report(
    players: Sequence[Player],
    found: Score,
    seed: int,
    *,
    replay: bool = True,
    confidence: RationalLike = "0.95",
) -> Report:
    """Report what simulated games came to, with what is known exactly beside it."""
    names = [player.name for player in players]
    low, high = fatestones.chance_interval(found.wins, found.wins + found.losses, confidence)
    edge = _exact_edge(*names) if replay else None
    quantities = [
        Quantity(listing("players", "player 1 and player 2"), tuple(names)),
        *(Quantity(column, cell) for column, cell in zip(_COUNTS, _counts(found), strict=True)),
        Quantity(exact("edge", "wins minus losses a game, simulated"), found.edge),
        Quantity(exact("win_low", "lower end for the chance to win a decided game"), low),
        Quantity(exact("win_high", "upper end for the chance to win a decided game"), high),
        Quantity(exact("exact_edge", "wins minus losses a game, where it is known"), edge),
    ]
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "scratch": "starts the game again" if replay else "ends the game without a winner",
        "interval": f"Clopper and Pearson, confidence {confidence}",
        "seed": str(seed),
    }
    title = f"FateStones: {found.games} games of {names[0]} against {names[1]}"
    return Report(title, quantities, provenance=Provenance(conventions=conventions))


_COUNTS = (
    whole("games", "games played", "games"),
    whole("wins", "games that player 1 won", "games"),
    whole("losses", "games that player 2 won", "games"),
    whole("scratches", "duels in which all dice tied", "duels"),
    whole("ties", "tied rolls, those of scratches included", "rolls"),
)


def _counts(found: Score) -> tuple[int, ...]:
    return found.games, found.wins, found.losses, found.scratches, found.ties


#: The results table of the FateStones README: players, wins, losses, ties, in 10000 games each.
README_RESULTS = (
    ("random", "random", 4913, 5031, 2033),
    ("mcts:10", "random", 4951, 5006, 2025),
    ("mcts:50", "random", 4910, 5061, 1959),
    ("mcts:10", "mcts:10", 5025, 4940, 1969),
)


def results_report(
    games: int, seed: int, more: Sequence[tuple[str, str]] = (), confidence: RationalLike = "0.95"
) -> Report:
    """Report the README's results table, played again, beside its own and the exact values.

    Parameters
    ----------
    games
        Games a configuration.
    seed
        Of each configuration.
    more
        Further pairs of players.
    confidence
        Of the intervals.
    """
    stated = {
        (first, second): (wins, losses, 10_000 - wins - losses, ties)
        for first, second, wins, losses, ties in README_RESULTS
    }
    rows: list[list[Cell]] = []
    for first, second in (*stated, *more):
        players = fatestones.player(first), fatestones.player(second)
        rolls = fatestones.simulate(players, games, seed, replay=False)
        found = fatestones.score(rolls, replay=False)
        known = _exact_chances(first, second)
        counts = _counts(found)[1:]
        named = zip(("wins", "losses", "scratches", "ties"), counts, known, strict=True)
        for k, (what, count, chance) in enumerate(named):
            readme = stated[first, second][k] if (first, second) in stated else None
            bounds: tuple[mpq | None, mpq | None] = (None, None)
            if what != "ties":  # several in one game: no binomial count
                bounds = fatestones.chance_interval(count, games, confidence)
            expected = None if chance is None else chance * games
            rows.append([first, second, what, readme, count, *bounds, expected])
    columns: list[Column] = [
        text_column("player_1", "player 1"),
        text_column("player_2", "player 2"),
        text_column("what", "what is counted; ties are tied rolls, scratches included"),
        whole(
            "readme",
            "figure of the FateStones README for 10000 games; scratches: the games left over",
            heading="README",
        ),
        whole("simulated", "the figure of this simulation"),
        exact("low", "lower end for the chance of it in a game"),
        exact("high", "upper end for the chance of it in a game"),
        exact("expected", "its exact expectation, where that is known"),
    ]
    table = Table("results", "Results of simulated games", columns, rows)
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "games": f"{games} of each pair of players; a scratch ends a game without a winner",
        "readme": "its wins and losses fall short of 10000 games by the scratches",
        "interval": f"Clopper and Pearson, confidence {confidence}",
        "seed": str(seed),
    }
    title = "FateStones: the results of its README, played again"
    return Report(title, (), [table], Provenance(conventions=conventions))


def play_report(names: Sequence[str], rolls: Sequence[Roll], seed: int) -> Report:
    """Report the rolls of one duel, as they are logged.

    `seed` is what the random generator that dealt and rolled was started with.
    """
    columns = [
        *(listing(f"hand_{side}", f"dice of player {side}") for side in (1, 2)),
        *(text_column(f"die_{side}", f"die that player {side} rolled") for side in (1, 2)),
        *(whole(f"face_{side}", f"face that player {side} rolled") for side in (1, 2)),
        whole("outcome", "1: player 1 wins; −1: player 2 wins; 0: a tie"),
    ]
    rows = [
        (
            tuple(map(fatestones.encode_die, roll.row_hand)),
            tuple(map(fatestones.encode_die, roll.column_hand)),
            fatestones.encode_die(roll.row_hand[roll.row_choice]),
            fatestones.encode_die(roll.column_hand[roll.column_choice]),
            roll.row_face,
            roll.column_face,
            roll.outcome,
        )
        for roll in rolls
    ]
    last = rolls[-1]
    quantities = [
        Quantity(listing("players", "player 1 and player 2"), tuple(names)),
        Quantity(whole("outcome", "1: player 1 wins; −1: player 2 wins; 0: scratch"), last.outcome),
        Quantity(flag("scratch", "whether all dice tied"), last.is_scratch),
    ]
    return Report(
        f"FateStones: a duel of {names[0]} against {names[1]}",
        quantities,
        [Table("rolls", "Rolls", columns, rows)],
        Provenance(conventions={"seed": str(seed)}),
    )
