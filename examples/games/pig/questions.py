"""Questions about two-dice Pig."""

from dataclasses import KW_ONLY

from exactdice.games.pig.model import turn
from exactdice.games.pig.reports import turn_report
from exactdice.models import optimum
from exactdice.question import Question, argument, option
from exactdice.question.domains import Whole
from exactdice.report.model import Report
from exactdice.run import Run

_POINTS = Whole(most=1000)


class Value(Question, command="pig value", example="--target 30"):
    """Expected points of an optimal turn."""

    _: KW_ONLY
    target: int = option(_POINTS, "Points that end a turn.", default=100)

    def report(self, run: Run) -> Report:
        """Solve the turn from its first roll."""
        return turn_report(0, optimum(turn(self.target), run=run))


class Advise(Value, command="pig advise", example="19"):
    """Whether to hold the points of a turn or to roll."""

    points: int = argument(_POINTS, "Points that the turn has brought so far.")

    def report(self, run: Run) -> Report:
        """Solve the turn from these points."""
        return turn_report(self.points, optimum(turn(self.target, self.points), run=run))
