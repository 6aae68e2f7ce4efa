"""Rationals as fractions in notebooks, after ``%load_ext exactdice.report.notebook``."""

from typing import Any

from exactdice.arithmetic import mpq


def load_ipython_extension(shell: Any) -> None:
    """Show rationals as fractions; called by ``%load_ext``."""
    formatter = shell.display_formatter.formatters["text/latex"]
    formatter.for_type(mpq, _fraction)


def _fraction(number: mpq) -> str:
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return f"${number.numerator}$"
    return f"${sign}\\frac{{{abs(number.numerator)}}}{{{number.denominator}}}$"
