"""How large a report is when it is written, estimated before it is."""

from collections.abc import Iterable

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.report.model import Cell, Report

__all__ = ["bytes_to_write"]

_A_CELL = 40  # bytes of a cell besides its characters
_COPIES = 4  # of the characters: cells, lines, the whole, and its bytes


def bytes_to_write(report: Report, digits: int) -> int:
    """Estimate the bytes that writing a report takes, with decimals of so many digits.

    Examples
    --------
    >>> from exactdice.report.model import Quantity, exact
    >>> one = Report("A coin", [Quantity(exact("value", "chance of heads"), mpq(1, 2))])
    >>> bytes_to_write(one, 1000) - bytes_to_write(one, 10)
    3960
    """
    tables = sum(_total(row, digits) for table in report.tables for row in table.rows)
    quantities = _total((quantity.value for quantity in report.quantities), digits)
    return tables + quantities


def _total(cells: Iterable[Cell], digits: int) -> int:
    return sum(_A_CELL + _COPIES * _characters(cell, digits) for cell in cells)


def _characters(cell: Cell, digits: int) -> int:
    if isinstance(cell, str):
        return len(cell)
    if isinstance(cell, tuple):
        return sum(_characters(item, 0) + 1 for item in cell)
    if isinstance(cell, Enclosure):
        return _characters(cell.lower, digits) + _characters(cell.upper, digits)
    if isinstance(cell, mpq):
        bits = cell.numerator.bit_length() + cell.denominator.bit_length()
        return int(bits) * 31 // 100 + digits
    return int(cell).bit_length() * 31 // 100 if isinstance(cell, int) else 0
