"""Report of maxims of optimal play, from what was found of them."""

from collections.abc import Iterator

from exactdice.games.swe.claims.judging import Counterexample, Judgement
from exactdice.games.swe.reports.common import LEGACY, REVENUE, provenance, rounds_text
from exactdice.games.swe.rules import Ladder
from exactdice.report.model import Cell, Report, Table, exact, flag, text_column, whole


def maxims_report(rounds: int, ladder: Ladder, judgements: list[Judgement]) -> Report:
    """Report verdicts on the claims of the game's README, for all games up to some rounds."""
    claims = Table(
        "claims",
        "Claims about optimal play",
        [
            text_column("claim", "name"),
            text_column("statement", "what it says"),
            whole("rounds", "checked in games of at most so many rounds, or of exactly so many"),
            flag("complete", "whether it was checked in all states that play can reach"),
            flag(
                "holds",
                "whether it holds in all states checked; nothing where that is open or there is no "
                "such state",
            ),
            flag("holds_on_path", "the same for states that occur under optimal play"),
            whole("cases", "states checked, once for each game and round", "states"),
            whole("exceptions", "states in which it fails", "states"),
            flag("occurs", "whether any of the states checked occurs under optimal play"),
        ],
        [_claim_row(judgement) for judgement in judgements],
    )
    examples = Table(
        "counterexamples",
        "Smallest counterexamples among the states checked",
        [
            text_column("claim", "name"),
            flag(
                "on_path",
                "the smallest that occurs under optimal play, or else of all states checked; "
                "where that is not complete, an earlier one may exist",
            ),
            whole("rounds", "rounds of the game", "rounds"),
            whole("round", "number of the round that the state begins", "rounds"),
            REVENUE,
            LEGACY,
            whole("score", "score before the round", "points"),
            text_column("claimed", "action that the claim names"),
            text_column("better", "action that is better"),
            exact("loss", "how much less the claimed action is worth", "points"),
        ],
        [row for judgement in judgements for row in _example_rows(judgement)],
    )
    title = f"SWE: claims about optimal play, games of at most {rounds_text(rounds)}"
    return Report(title, (), [claims, examples], provenance(ladder))


def _claim_row(judgement: Judgement) -> tuple[Cell, ...]:
    return (
        judgement.maxim.name,
        judgement.maxim.statement,
        judgement.rounds,
        judgement.complete,
        judgement.holds,
        judgement.holds_on_path,
        judgement.cases,
        judgement.exceptions,
        judgement.occurs,
    )


def _example_rows(judgement: Judgement) -> Iterator[tuple[Cell, ...]]:
    ladder = judgement.ladder
    for on_path, example in ((False, judgement.counterexample), (True, judgement.on_path)):
        if example is not None:
            yield judgement.maxim.name, on_path, *_example_cells(example, ladder)


def _example_cells(example: Counterexample, ladder: Ladder) -> tuple[Cell, ...]:
    return (
        example.rounds,
        example.played + 1,
        *example.state,
        example.claimed.describe(ladder),
        example.better.describe(ladder),
        example.loss,
    )
