"""Numbers as players read them: a chance in percent, points, and what stands behind "exactly"."""

import re
from typing import Any

from exactdice.arithmetic import brief, decimal, mpq, text
from exactdice.enclosure import Enclosure
from exactdice.report.model import CellKind, Report


def percent(chance: Any, places: int = 1) -> str:
    """Write a chance, or the middle of what is known of it, in percent.

    >>> percent(mpq(1, 3)), percent(mpq(1, 5000)), percent(mpq(4999, 5000)), percent(0), percent(1)
    ('33.3 %', '< 0.1 %', '> 99.9 %', '0 %', '100 %')
    """
    exact = Enclosure.of(chance).middle
    least = mpq(1, 10**places)
    if 100 - least < exact * 100 < 100:
        return f"> {decimal(100 - least, places)} %"
    return f"{'100' if exact == 1 else amount(exact * 100, places)} %"


def amount(value: Any, places: int = 2) -> str:
    """Write a number with so many places; one that is not 0 is not written as 0.

    >>> amount(mpq(1, 3)), amount(mpq(1, 5000)), amount(0)
    ('0.33', '< 0.01', '0')
    """
    exact, least = Enclosure.of(value).middle, mpq(1, 10**places)
    is_less = 0 < exact < least
    return f"{'< ' * is_less}{decimal(least if is_less else exact, places)}" if exact else "0"


def exactly(value: Any) -> str:
    """Write a number exactly, or within which bounds it is known.

    >>> exactly(mpq(1, 3)), exactly(Enclosure(mpq(1, 4), mpq(1, 2)))
    ('1/3', '0.38 ± 0.13')
    """
    known = Enclosure.of(value)
    return known.near(10) if known.point is None else text(known.point)


def points(value: Any, digits: int = 6) -> str:
    """Write points, or the middle of what is known of them.

    >>> points(mpq(40, 3)), points(mpq(21, 5)), points(7)
    ('13.3333', '4.2', '7')
    """
    short = brief(Enclosure.of(value).middle, digits)
    return short.rstrip("0").rstrip(".") if "." in short and "e" not in short else short


def headline(report: Report) -> tuple[str, str, str]:
    """Give the first number among the quantities: in short, what it is, and exactly; else nothing.

    >>> from exactdice.rooms import ask
    >>> headline(ask("risk win 4 2"))
    ('65.6 %', 'probability that the attacker wins', '6610505/10077696')
    """
    for quantity in report.quantities:
        column, value = quantity.column, quantity.value
        if column.kind in (CellKind.EXACT, CellKind.ENCLOSURE) and value is not None:
            known = Enclosure.of(value)  # type: ignore[arg-type] # a number, by its kind
            is_chance = bool(re.search("chance|probability", column.meaning))
            is_chance = is_chance and known.lower >= 0 and known.upper <= 1
            big = percent(known) if is_chance else points(known)
            return big, f"{column.meaning}{column.unit and f', in {column.unit}'}", exactly(known)
    return "", "", ""
