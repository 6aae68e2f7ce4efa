"""Report of the claims about optimal play, from their verdicts."""

from collections.abc import Iterator

from exactdice.games.swe.claims.verdicts import Counterexample, Verdict
from exactdice.games.swe.reports.common import LEGACY, REVENUE, provenance, rounds_text
from exactdice.games.swe.rules import Ladder
from exactdice.report.model import Cell, Report, Table, exact, flag, text_column, whole

__all__ = ["claims_report"]


def claims_report(rounds: int, ladder: Ladder, verdicts: list[Verdict]) -> Report:
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
        [_claim_row(verdict) for verdict in verdicts],
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
        [row for verdict in verdicts for row in _example_rows(verdict)],
    )
    title = f"SWE: claims about optimal play, games of at most {rounds_text(rounds)}"
    return Report(title, (), [claims, examples], provenance(ladder))


def _claim_row(verdict: Verdict) -> tuple[Cell, ...]:
    return (
        verdict.claim.name,
        verdict.claim.statement,
        verdict.rounds,
        verdict.complete,
        verdict.holds,
        verdict.holds_on_path,
        verdict.cases,
        verdict.exceptions,
        verdict.occurs,
    )


def _example_rows(verdict: Verdict) -> Iterator[tuple[Cell, ...]]:
    ladder = verdict.ladder
    for on_path, example in ((False, verdict.counterexample), (True, verdict.on_path)):
        if example is not None:
            yield verdict.claim.name, on_path, *_example_cells(example, ladder)


def _example_cells(example: Counterexample, ladder: Ladder) -> tuple[Cell, ...]:
    return (
        example.rounds,
        example.played + 1,
        *example.state,
        example.claimed.describe(ladder),
        example.better.describe(ladder),
        example.loss,
    )
