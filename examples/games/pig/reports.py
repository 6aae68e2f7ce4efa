"""What the answers say."""

from exactdice.report.model import Report, exact, listing
from exactdice.solve.optimum import Optimum


def turn_report(points: int, solved: Optimum[int]) -> Report:
    """Report what a turn is worth from some points on, and what to do there."""
    return Report.of(
        f"Pig: a turn that has brought {points} points",
        {},
        exact("value", "expected points of the turn, played best", "points")(solved.value),
        listing("best", "what to do; several where they are as good")(
            solved.optimal_actions(points)
        ),
    )
