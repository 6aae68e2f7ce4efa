"""What the answers say."""

from exactdice.report.model import Quantity, Report, exact, listing
from exactdice.solve.optimum import Optimum


def turn_report(points: int, solved: Optimum[int]) -> Report:
    """Report what a turn is worth from some points on, and what to do there."""
    value = exact("value", "expected points of the turn, played best", "points")
    best = listing("best", "what to do; several where they are as good")
    quantities = [Quantity(value, solved.value), Quantity(best, solved.optimal_actions(points))]
    return Report(f"Pig: a turn that has brought {points} points", quantities)
