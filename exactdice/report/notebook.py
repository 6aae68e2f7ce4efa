"""Results in a notebook: shown as their reports, and rationals as fractions.

A notebook calls ``_repr_html_`` and ``_repr_latex_`` of the last value of a cell. A class whose
results are worth a look inherits both from `Reported` and says by `report` what its result is; the
writers do the rest. Rationals themselves, which belong to gmpy2, show as fractions after
``%load_ext exactdice.report.notebook``.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

if TYPE_CHECKING:
    from exactdice.report.model import Report

__all__ = ["Reported", "load_ipython_extension"]


class Reported(ABC):
    """A result that has a report, as which a notebook shows it."""

    __slots__ = ()

    @abstractmethod
    def report(self) -> "Report":
        """Return the report of the result."""

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.report()._repr_latex_()


def load_ipython_extension(shell: Any) -> None:
    """Show rationals as fractions: what ``%load_ext`` of this module in a notebook calls."""
    formatter = shell.display_formatter.formatters["text/latex"]
    formatter.for_type(mpq, _fraction)


def _fraction(number: mpq) -> str:
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return f"${number.numerator}$"
    return f"${sign}\\frac{{{abs(number.numerator)}}}{{{number.denominator}}}$"
