"""Results in a notebook are shown as their reports, and rationals as fractions.

A notebook calls ``_repr_html_`` and ``_repr_latex_`` of the last value of a cell. Result classes
inherit both from `Reported` and name the function that makes their report. Rationals themselves,
which belong to gmpy2, are shown as fractions after ``%load_ext exactdice.report.notebook``.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from exactdice.arithmetic import mpq
from exactdice.linked import linked

if TYPE_CHECKING:
    from exactdice.report.model import Report


class Reported:
    """A result that a notebook shows as its report, made by the function named `reported_by`."""

    __slots__ = ()

    reported_by: ClassVar[str]

    def report(self) -> "Report":
        report: Report = linked(self.reported_by)(self)
        return report

    def to_json(self) -> str:
        return self.report().to_json()

    def to_pandas(self) -> Any:
        return self.report().to_pandas()

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.report()._repr_latex_()


def load_ipython_extension(shell: Any) -> None:
    """Show rationals as fractions; called by ``%load_ext``."""
    formatter = shell.display_formatter.formatters["text/latex"]
    formatter.for_type(mpq, _fraction)


def _fraction(number: mpq) -> str:
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return f"${number.numerator}$"
    return f"${sign}\\frac{{{abs(number.numerator)}}}{{{number.denominator}}}$"
