"""Questions about lattice points, and their reports."""

from collections.abc import Sequence
from dataclasses import KW_ONLY

from exactdice.arithmetic import text
from exactdice.errors import TooLargeError
from exactdice.question import Question, argument, option
from exactdice.question.domains import Listed, Whole
from exactdice.report.model import Quantity, Report, Table, exact, listing, text_column, whole
from exactdice.run import DEFAULT, Run
from exactdice.symbolic.ehrhart import EhrhartPolynomial, count_points, ehrhart
from exactdice.symbolic.statements import formula, statements_table


class SymbolicEhrhart(
    Question,
    example="1,2,3,4,5 --count 100",
    takes="40 s for a quasi-polynomial with a million coefficients",
):
    """Number of lattice points x ≥ 0 with Σ w·x ≤ n, as a quasi-polynomial in n."""

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


def ehrhart_report(
    counts: EhrhartPolynomial, count_at: int | None = None, run: Run = DEFAULT
) -> Report:
    tell = run.counter("steps")
    title = _title(counts.weights)
    says = "", title
    steps = len(counts.orders) + 4
    tell(1, steps)
    summary = [
        whole("degree", "degree of the quasi-polynomial")(counts.degree),
        whole("period", "its smallest period")(counts.period),
        exact("leading_coefficient", "its leading coefficient, the same in every residue")(
            counts.leading_coefficient
        ),
    ]
    if count_at is not None:
        # The same coefficient of the generating function, without the quasi-polynomial.
        value = counts(count_at)
        if value != count_points(counts.weights, count_at):
            raise AssertionError(f"two counts differ at n = {count_at}")
        summary.append(_points(count_at, value))
        says = text(value), _title(counts.weights, text(count_at))
    written = []
    for done, (order, wave) in enumerate(counts.waves.items(), start=2):
        tell(done, steps)
        written.append((order, wave.degree, formula(wave)))
    waves = Table.of(
        "waves",
        "The count as a sum of waves; [c0, c1, …] stands for the c of n modulo its length",
        written,
        whole("order", "order of the roots of unity, and period"),
        whole("degree", "degree in n"),
        text_column("wave", "quasi-polynomial"),
    )
    tell(steps - 2, steps)
    residues = Table.of(
        "residues",
        f"Coefficients for each n modulo {counts.period}, from 0 to {counts.period - 1}",
        ((tuple(map(text, row)),) for row in counts.quasi_polynomial.residues),
        listing("coefficients", "coefficients of n^0, n^1, … of one residue"),
    )
    statements = [counts.proof()]
    tell(steps - 1, steps)
    statements.append(counts.reciprocity())
    tell(steps, steps)
    return Report.of(title, {}, *summary, waves, residues, statements_table(statements), says=says)


def points_report(weights: Sequence[int], n: int, value: int) -> Report:
    says = text(value), _title(weights, text(n))
    return Report.of(_title(weights), {}, _points(n, value), says=says)


def _title(weights: Sequence[int], n: str = "n") -> str:
    return f"Lattice points x ≥ 0 with Σ w·x ≤ {n} for w = {', '.join(map(text, weights))}"


def _points(n: int, value: int) -> Quantity:
    return whole("value", f"number of points for n = {text(n)}")(value)
