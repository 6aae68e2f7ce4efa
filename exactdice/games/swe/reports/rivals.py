"""Report of the game of two players in turn order."""

from exactdice.arithmetic import text
from exactdice.games.swe.optimum.rivals import Rivals
from exactdice.games.swe.reports.common import provenance, rounds_text, state_text
from exactdice.report.model import Quantity, Report, Table, exact, text_column, whole

#: Moments that are listed; all are counted.
MOST_LISTED = 100


def rivals_report(game: Rivals) -> Report:
    """Report what the first player gets, and where playing to win is not playing for points."""
    meaning = f"chance that the first player wins, plus {text(game.tie)} that of a tie"
    quantities = [
        Quantity(exact("value", f"{meaning}, both playing to win"), game.value),
        Quantity(exact("for_points", f"{meaning}, both playing for points"), game.points_value),
        Quantity(whole("pairs", "pairs of states of both players", "states"), game.pairs),
        Quantity(
            whole("differences", "moments at which no move for points is a best one"),
            len(game.differences),
        ),
    ]
    listed = Table(
        "moments",
        f"Where no move for points is a best one, the first {MOST_LISTED}",
        [
            whole("round", "round that is being played", "rounds"),
            whole("player", "who moves"),
            text_column("own", "dice and score of the one who moves"),
            text_column("other", "dice and score of the other"),
            text_column("to_win", "the first best move"),
            text_column("for_points", "the first move for points"),
            exact("loss", "what the best move for points loses"),
        ],
        [
            (
                moment.round,
                moment.player,
                state_text(moment.own, game.ladder),
                state_text(moment.other, game.ladder),
                moment.to_win.describe(game.ladder),
                moment.for_points.describe(game.ladder),
                moment.loss,
            )
            for moment in game.differences[:MOST_LISTED]
        ],
    )
    conventions = {
        "turns": "in every round the first player plays, then the second; each sees everything",
        "tie": f"worth {text(game.tie)} to the first player",
        "for points": "a move that makes the expected score of its player largest",
    }
    title = f"SWE: {rounds_text(game.rounds)} of two players in turn order"
    return Report(title, quantities, [listed], provenance(game.ladder, **conventions))
