"""Reports of FateStones as it is played: simulated games, the README's results, single duels."""

from collections.abc import Iterable, Sequence

from exactdice.arithmetic import mpq
from exactdice.games.fatestones.confidence import chance_interval
from exactdice.games.fatestones.known import Chances, Played
from exactdice.games.fatestones.reports import BAG, DEAL, in_words
from exactdice.games.fatestones.rules import encode_die
from exactdice.games.fatestones.simulation import Roll, Score
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
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


def simulation_report(
    names: tuple[str, str],
    score: Score,
    edge: mpq | None,
    seed: int,
    *,
    replay: bool,
    confidence: mpq,
    bag: str = BAG,
) -> Report:
    """Report what simulated games came to."""
    low, high = chance_interval(score.wins, score.wins + score.losses, confidence)
    quantities = [
        Quantity(listing("players", "player 1 and player 2"), names),
        *(Quantity(column, cell) for column, cell in zip(_COUNTS, _counts(score), strict=True)),
        Quantity(exact("edge", "wins minus losses a game, simulated"), score.edge),
        Quantity(exact("win_low", "lower end for the chance to win a decided game"), low),
        Quantity(exact("win_high", "upper end for the chance to win a decided game"), high),
        Quantity(exact("exact_edge", "wins minus losses a game, where it is known"), edge),
    ]
    conventions = {
        "bag": bag,
        "deal": DEAL,
        "scratch": "starts the game again" if replay else "ends the game without a winner",
        "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
        "seed": str(seed),
    }
    title = f"FateStones: {score.games} games of {names[0]} against {names[1]}"
    return Report(title, quantities, provenance=Provenance(conventions=conventions))


_COUNTS = (
    whole("games", "games played", "games"),
    whole("wins", "games that player 1 won", "games"),
    whole("losses", "games that player 2 won", "games"),
    whole("scratches", "duels in which all dice tied", "duels"),
    whole("ties", "tied rolls, those of scratches included", "rolls"),
)


def _counts(score: Score) -> tuple[int, ...]:
    return score.games, score.wins, score.losses, score.scratches, score.ties


def results_report(played: Iterable[Played], games: int, seed: int, confidence: mpq) -> Report:
    """Report the README's results table, played again, beside its own and the exact values."""
    rows: list[list[Cell]] = []
    for match in played:
        stated = _stated(*README_RESULTS[match.players]) if match.players in README_RESULTS else {}
        known, counts = vars(match.known), _counts(match.score)[1:]
        for (what, chance), count in zip(known.items(), counts, strict=True):
            bounds: tuple[mpq | None, mpq | None] = (None, None)
            if what != "ties":  # several in one game: no binomial count
                bounds = chance_interval(count, games, confidence)
            expected = None if chance is None else chance * games
            rows.append([*match.players, what, stated.get(what), count, *bounds, expected])
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
        "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
        "seed": str(seed),
    }
    title = "FateStones: the results of its README, played again"
    return Report(title, (), [table], Provenance(conventions=conventions))


def _stated(wins: int, losses: int, ties: int) -> dict[str, int]:
    """Figures of the README, with the games left over as scratches."""
    scratches = README_GAMES - wins - losses
    return {"wins": wins, "losses": losses, "scratches": scratches, "ties": ties}


def readme_report(known: Iterable[tuple[tuple[str, str], Chances]], confidence: mpq) -> Report:
    """Report the README's results table with exact intervals and expectations."""
    rows: list[list[Cell]] = []
    for players, chances in known:
        wins, losses, ties = README_RESULTS[players]
        expected = [
            None if chance is None else chance * README_GAMES
            for chance in (chances.wins, chances.scratches, chances.ties)
        ]
        interval = chance_interval(wins, wins + losses, confidence)
        rows.append([*players, *_stated(wins, losses, ties).values(), *interval, *expected])
    columns = [
        text_column("player_1", "player 1"),
        text_column("player_2", "player 2"),
        *_COUNTS[1:],
        exact("win_low", "lower end for the chance of player 1 to win a decided game"),
        exact("win_high", "upper end for it"),
        exact("expected_wins", "exact expectation of the wins, where it is known", "games"),
        exact("expected_scratches", "that of the scratches", "duels"),
        exact("expected_ties", "that of the ties", "rolls"),
    ]
    quantities = [
        Quantity(whole("games", "games of each pair of players", "games"), README_GAMES),
        Quantity(exact("confidence", "confidence of the intervals"), confidence),
    ]
    table = Table("results", "Results that the FateStones README prints", columns, rows)
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "games": "a scratch ends a game without a winner: the games left over",
        "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
    }
    title = "FateStones: the results of its README"
    return Report(title, quantities, [table], Provenance(conventions=conventions))


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
            tuple(map(encode_die, roll.row_hand)),
            tuple(map(encode_die, roll.column_hand)),
            encode_die(roll.row_hand[roll.row_choice]),
            encode_die(roll.column_hand[roll.column_choice]),
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
