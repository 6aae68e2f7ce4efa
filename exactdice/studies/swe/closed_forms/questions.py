"""What can be asked about the software-engineering game in closed form: one class a command."""

from dataclasses import KW_ONLY, dataclass

from exactdice.games.swe.new_only import NewOnly
from exactdice.question import Question, option
from exactdice.question.domains import Listed, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.studies.swe.closed_forms.reports import catastrophe_report

#: Most rounds of one table of catastrophes; 200 take 1 s with dice of 4 faces, 8 s with 1000.
_MAX_CATASTROPHES = 200


@dataclass(frozen=True)
class SymbolicCatastrophe(
    Question,
    command="symbolic catastrophe",
    example="symbolic catastrophe --rounds 30",
    takes="1 s for 200 rounds with dice of 4 faces",
):
    """Catastrophes of the software-engineering game under new-only play."""

    _: KW_ONLY
    sides: int = option(Whole(least=1, most=1000), "Faces of every die.", metavar="K", default=4)
    rounds: int = option(Whole(most=_MAX_CATASTROPHES), "Rounds to play.", metavar="R", default=10)
    revenue: int = option(Whole(most=1_000_000), "Revenue dice at the start.", default=0)
    score: int = option(Whole(), "Score at the start.", metavar="S", default=0)
    dice: tuple[int, ...] | None = option(
        Listed(Whole(least=1), "K,K,…"), "Faces of dice that are rolled, never replaced."
    )

    def report(self, run: Run) -> Report:
        game = NewOnly(self.sides, self.revenue, self.score)
        return catastrophe_report(game, self.rounds, self.dice or ())


QUESTIONS = (SymbolicCatastrophe,)
