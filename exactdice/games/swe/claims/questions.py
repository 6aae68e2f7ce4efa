"""What can be asked about claims on optimal play: one class, one command."""

from dataclasses import dataclass

from exactdice.games.swe.claims.judging import settle
from exactdice.games.swe.fields import OnLadder
from exactdice.games.swe.reports.maxims import maxims_report
from exactdice.question import argument
from exactdice.question.domains import Whole
from exactdice.report.model import Report
from exactdice.run import Run


@dataclass(frozen=True)
class Claims(
    OnLadder, command="swe claims", example="swe claims 10", takes="half a minute for 22 rounds"
):
    """Verdicts on the claims about optimal play, for all games of at most R rounds."""

    rounds: int = argument(Whole(least=1), "Rounds of the longest game.", metavar="R")

    def report(self, run: Run) -> Report:
        """Check the claims in all states that play can reach."""
        return maxims_report(self.rounds, self.ladder, settle(self.rounds, self.ladder, run=run))


#: The question about claims.
QUESTIONS = (Claims,)
