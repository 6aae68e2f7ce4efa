"""What can be asked about lattice points."""

from dataclasses import KW_ONLY, dataclass

from exactdice.errors import TooLargeError
from exactdice.question import Question, argument, option
from exactdice.question.domains import Listed, Whole
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.symbolic.ehrhart import count_points, ehrhart
from exactdice.symbolic.reports import ehrhart_report, points_report


@dataclass(frozen=True)
class SymbolicEhrhart(
    Question,
    command="symbolic ehrhart",
    example="symbolic ehrhart 1,2,3,4,5 --count 100",
    takes="40 s where the quasi-polynomial has a million coefficients",
):
    """Number of x ≥ 0 with Σ w·x ≤ n, as a quasi-polynomial in n."""

    weights: tuple[int, ...] = argument(
        Listed(Whole(least=1), "W,W,…"), "Weights, such as 1,2,3,4,5."
    )
    _: KW_ONLY
    count: int | None = option(Whole(), "Count the points for n = N.")

    def report(self, run: Run) -> Report:
        try:
            counts = ehrhart(*self.weights)
        except TooLargeError:
            if self.count is None:
                raise
            points = count_points(self.weights, self.count)
            return points_report(self.weights, self.count, points)
        return ehrhart_report(counts, self.count, run)


QUESTIONS = (SymbolicEhrhart,)
