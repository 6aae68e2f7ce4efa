"""Numbers in short, for sentences and headlines."""

import re
from typing import Any

from exactdice.arithmetic import brief, decimal, mpq, text
from exactdice.enclosure import Enclosure
from exactdice.report.model import CellKind, Quantity, Report


def percent(chance: Any, places: int = 1) -> str:
    """Write a probability, or the middle of its bounds, in percent.

    >>> percent(mpq(1, 3)), percent(mpq(1, 5000)), percent(mpq(4999, 5000)), percent(0), percent(1)
    ('33.3 %', '< 0.1 %', '> 99.9 %', '0 %', '100 %')
    """
    exact = Enclosure.of(chance).middle
    least = mpq(1, 10**places)
    if 100 - least < exact * 100 < 100:
        return f"> {decimal(100 - least, places)} %"
    return f"{'100' if exact == 1 else amount(exact * 100, places)} %"


def amount(value: Any, places: int = 2) -> str:
    """Write a number with fixed places; a nonzero number is not written as 0.

    >>> amount(mpq(1, 3)), amount(mpq(1, 5000)), amount(0)
    ('0.33', '< 0.01', '0')
    """
    exact, least = Enclosure.of(value).middle, mpq(1, 10**places)
    is_less = 0 < exact < least
    return f"{'< ' * is_less}{decimal(least if is_less else exact, places)}" if exact else "0"


def exactly(value: Any) -> str:
    """Write a number exactly, or its bounds.

    >>> exactly(mpq(1, 3)), exactly(Enclosure(mpq(1, 4), mpq(1, 2)))
    ('1/3', '0.38 ± 0.13')
    """
    known = Enclosure.of(value)
    return known.near(10) if known.point is None else text(known.point)


def points(value: Any, digits: int = 6) -> str:
    """Write points, or the middle of their bounds.

    >>> points(mpq(40, 3)), points(mpq(21, 5)), points(7)
    ('13.3333', '4.2', '7')
    """
    short = brief(Enclosure.of(value).middle, digits)
    return short.rstrip("0").rstrip(".") if "." in short and "e" not in short else short


def is_number(quantity: Quantity) -> bool:
    """Whether a quantity is an exact or enclosed number."""
    kind = quantity.column.kind
    return kind in (CellKind.EXACT, CellKind.ENCLOSURE) and quantity.value is not None


def headline(report: Report) -> tuple[str, str, str]:
    """Return the first number of the quantities: in short, its meaning, and exactly.

    >>> from exactdice.rooms import ask
    >>> headline(ask("risk win 4 2"))
    ('65.6 %', 'probability that the attacker wins', '6610505/10077696')
    """
    for quantity in filter(is_number, report.quantities):
        column = quantity.column
        known = Enclosure.of(quantity.value)  # type: ignore[arg-type] # a number, by its kind
        is_chance = bool(re.search("chance|probability", column.meaning))
        is_chance = is_chance and known.lower >= 0 and known.upper <= 1
        big = percent(known) if is_chance else points(known)
        return big, f"{column.meaning}{column.unit and f', in {column.unit}'}", exactly(known)
    return "", "", ""
