"""Questions about value iteration and about penalties at which the optimal policy changes."""

from dataclasses import KW_ONLY, dataclass

from exactdice.arithmetic import mpq
from exactdice.games.reroll.questions import RerollQuestion, _Read
from exactdice.question import option
from exactdice.question.domains import Text
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.studies.reroll import reports
from exactdice.studies.reroll.breakpoints import penalty_intervals
from exactdice.studies.reroll.value_iteration import SWEEP_ORDERS, Order, read_tolerance, tolerances


@dataclass(frozen=True)
class RerollTheta(
    RerollQuestion,
    command="reroll theta",
    example="reroll theta --order synchronous",
    takes="1 s for 4 dice",
):
    """For which tolerances value iteration finds the optimal policy."""

    _: KW_ONLY
    order: Order = option(
        Text(*SWEEP_ORDERS), "Which values a sweep reads.", default=SWEEP_ORDERS[1]
    )
    tolerance: mpq | None = option(_Read(read_tolerance), "Say also what this tolerance leads to.")

    def report(self, run: Run) -> Report:
        study = tolerances(self.rules(), self.order, run)
        return reports.tolerances_report(study, self.tolerance)


@dataclass(frozen=True)
class RerollBreakpoints(
    RerollQuestion,
    command="reroll breakpoints",
    example="reroll breakpoints --dice 2",
    takes="1 s for 3 dice, a minute for 5",
):
    """Penalties at which the optimal policy changes; --penalty plays no part."""

    def report(self, run: Run) -> Report:
        return penalty_intervals(self.rules(), run).report()


#: What this module asks, for `exactdice.rooms`.
QUESTIONS = (
    RerollTheta,
    RerollBreakpoints,
)
