"""Reports of what play and the deal are worth over all deals, and of games as they are played."""

from collections.abc import Sequence

from exactdice.arithmetic import mpq
from exactdice.games.fatestones.confidence import chance_interval
from exactdice.games.fatestones.players import DuelRound, Score
from exactdice.games.fatestones.reports import BAG, DEAL, in_words
from exactdice.games.fatestones.rules import encode_die
from exactdice.report.model import (
    Provenance,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)


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
    return Report.of(
        f"FateStones: {score.games} games of {names[0]} against {names[1]}",
        {
            "bag": bag,
            "deal": DEAL,
            "scratch": "starts the game again" if replay else "ends the game without a winner",
            "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
            "seed": str(seed),
        },
        listing("players", "player 1 and player 2")(names),
        *(column(cell) for column, cell in zip(_COUNTS, _counts(score), strict=True)),
        exact("edge", "wins minus losses a game, simulated")(score.edge),
        exact("win_low", "lower end for the chance to win a decided game")(low),
        exact("win_high", "upper end for the chance to win a decided game")(high),
        exact("exact_edge", "wins minus losses a game, where it is known")(edge),
    )


_COUNTS = (
    whole("games", "games played", "games"),
    whole("wins", "games that player 1 won", "games"),
    whole("losses", "games that player 2 won", "games"),
    whole("scratches", "duels in which all dice tied", "duels"),
    whole("ties", "tied rolls, those of scratches included", "rolls"),
)


def _counts(score: Score) -> tuple[int, ...]:
    return score.games, score.wins, score.losses, score.scratches, score.ties


def play_report(names: Sequence[str], rolls: Sequence[DuelRound], seed: int) -> Report:
    """Report the rolls of one duel, as they are logged."""
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
