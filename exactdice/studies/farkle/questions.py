"""The question about the figures that the Farkle README prints."""

from dataclasses import dataclass

from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.studies.farkle import reports
from exactdice.studies.farkle.readme import statements


@dataclass(frozen=True)
class FarklePrinted(Question, command="farkle printed", example="farkle printed", takes="a moment"):
    """Check the figures of the KCD Farkle README."""

    def report(self, run: Run) -> Report:
        return reports.readme_report(statements())


#: What this module asks, for `exactdice.rooms`.
QUESTIONS = (FarklePrinted,)
