"""What can be asked about all games up to a length: one class a command."""

from dataclasses import dataclass

from exactdice.games.swe.fields import Game
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.reports.closed_forms import sizes_report, values_report
from exactdice.question import argument
from exactdice.question.domains import Whole
from exactdice.report.model import Report
from exactdice.run import Run

#: Rounds up to which games are counted, a line for each.
_MOST_SIZES = 10_000


@dataclass(frozen=True)
class Values(Game, command="swe values", example="swe values 22", takes="6 s for 30 rounds"):
    """Expected final score under optimal play for every game of at most R rounds."""

    def report(self, run: Run) -> Report:
        """Search all blocks of the longest game."""
        return values_report(solve(self.rounds, self.ladder, run=run))


@dataclass(frozen=True)
class Sizes(Game, command="swe sizes", example="swe sizes 100", takes="a moment"):
    """Multisets of dice and tables of every game of at most R rounds."""

    rounds: int = argument(Whole(most=_MOST_SIZES), "Rounds of the game.", metavar="R")

    def report(self, run: Run) -> Report:
        """Count lattice points."""
        return sizes_report(self.rounds, self.ladder)


#: The questions about all games up to a length.
QUESTIONS = (Values, Sizes)
