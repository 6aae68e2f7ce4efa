"""How large a report is when it is written, estimated before it is."""

from collections.abc import Iterable

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.report.model import Cell, Report

_A_CELL = 40  # bytes of a cell besides its characters
_COPIES = 4  # of the characters: cells, lines, the whole, and its bytes


def bytes_to_write(report: Report, digits: int) -> int:
    """Estimate the bytes that writing a report takes, with decimals of so many digits.

    >>> from exactdice.report.model import Quantity, exact
    >>> coin = Report("A coin", [Quantity(exact("value", "chance of heads"), mpq(1, 2))])
    >>> bytes_to_write(coin, 1000) - bytes_to_write(coin, 10)
    3960
    """
    tables = sum(_total(row, digits) for table in report.tables for row in table.rows)
    quantities = _total((quantity.value for quantity in report.quantities), digits)
    return tables + quantities


def bytes_of_rationals(numbers: int, bits: int) -> int:
    """Estimate the bytes that writing rationals takes, of so many bits above and below the line.

    >>> bytes_of_rationals(2, 1000)
    5040
    """
    return numbers * (_A_CELL + _COPIES * 2 * _digits(bits))


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
        return _digits(int(bits)) + digits
    return _digits(int(cell).bit_length()) if isinstance(cell, int) else 0


def _digits(bits: int) -> int:
    return bits * 31 // 100
