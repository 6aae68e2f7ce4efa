"""Reports of closed forms: formulas and statements as cells, and lattice points."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from exactdice.arithmetic import text
from exactdice.report.model import (
    Formula,
    Quantity,
    Report,
    Table,
    exact,
    listing,
    text_column,
    whole,
)
from exactdice.run import DEFAULT, Run
from exactdice.symbolic.ehrhart import EhrhartPolynomial, count_points
from exactdice.symbolic.statements import Statement


class ClosedForm(Protocol):
    """What has a plain text and a LaTeX form."""

    def latex(self) -> str:
        """Write it for mathematics mode."""


def formula(closed_form: ClosedForm) -> Formula:
    """Make a cell of a closed form."""
    return Formula(str(closed_form), closed_form.latex())


def statements_table(statements: Iterable[Statement]) -> Table:
    """Tabulate statements with what they rest on."""
    return Table.of(
        "statements",
        "Statements and what they rest on",
        ((s.name, s.text, str(s.status), s.grounds, Formula(s.latex, s.latex)) for s in statements),
        text_column("name", "a few words"),
        text_column("statement", "the statement"),
        text_column("status", "proved, verified up to a bound, or guessed"),
        text_column("grounds", "the proof, or the bound"),
        text_column("latex", "the formula as LaTeX", heading="LaTeX"),
    )


def ehrhart_report(
    counts: EhrhartPolynomial, count_at: int | None = None, run: Run = DEFAULT
) -> Report:
    """Report the number of x ≥ 0 with Σ weight·x ≤ n as a quasi-polynomial in n."""
    tell = run.counter("steps")
    title = _title(counts.weights)
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
    return Report.of(title, {}, *summary, waves, residues, statements_table(statements))


def points_report(weights: Sequence[int], n: int, value: int) -> Report:
    """Report the number of points for one n, where the quasi-polynomial is too long to write."""
    return Report.of(_title(weights), {}, _points(n, value))


def _title(weights: Sequence[int]) -> str:
    return f"Lattice points x ≥ 0 with Σ w·x ≤ n for w = {', '.join(map(text, weights))}"


def _points(n: int, value: int) -> Quantity:
    return whole("value", f"number of points for n = {text(n)}")(value)
