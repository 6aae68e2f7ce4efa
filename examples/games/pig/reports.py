"""Reports of two-dice Pig."""

from exactdice.report.model import Report, exact, listing
from exactdice.solve.optimum import Optimum


def turn_report(points: int, solved: Optimum[int]) -> Report:
    """Report the value of a turn that has some points, and the optimal actions."""
    return Report.of(
        f"Pig: a turn with {points} points",
        {},
        exact("value", "expected points of the turn under optimal play", "points")(solved.value),
        listing("best", "optimal actions; several if they tie")(solved.optimal_actions(points)),
    )
