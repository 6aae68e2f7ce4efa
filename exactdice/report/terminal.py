"""A report on a terminal: a sentence with its number first, then other numbers and tables.

Probabilities are percentages, with bars if there is room. A long fraction is only counted, and rule
variants are cut to one line; all is shown with ``--full``, and in files and pipes.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure, percent
from exactdice.report import eyes
from exactdice.report.model import Cell, CellKind, Column, Quantity, Report, Table, number

_BAR = 24  # characters of the longest bar
_LONGEST = 24  # characters of a fraction
_CERTAIN = 8  # most digits of a number between bounds, in a table
_MORE = " … (--full)"


def for_terminal(report: Report, digits: int, width: int, *, is_styled: bool = False) -> str:
    bold, dim, end = ("\033[1m", "\033[2m", "\033[0m") if is_styled else ("", "", "")
    (big, sentence, whole), lines = eyes.first_lines(report, width)
    lines[0] = f"{bold}{lines[0][: len(big)]}{end}{lines[0][len(big) :]}"
    margin = " " * (len(big) + 2) * bool(sentence)
    known = [each for each in report.quantities if each.value is not None]
    if (main := next(filter(eyes.is_number, known), None)) and whole:
        known.remove(main)
        value = _near(main, digits, is_main=True)
        lines += eyes.indented(value, margin, margin, width) * (value != big)
    near = [(each.column, _near(each, digits)) for each in known]
    names = max((len(column.shown) for column, _ in near), default=0)
    room = max((len(value) for _, value in near if len(value) <= _BAR), default=0)
    lines += [""] * bool(known)
    for column, value in near:
        head = f"{column.shown:{names}}  "
        if len(value) <= room:
            head, value = f"{head}{value:{room}}  ", eyes.meaning_of(column)
        lines += eyes.indented(value, head, " " * len(head), width)
    for table in report.tables:
        if table.grid and len(tuple(table.columns)) == 3:
            table = replace(table, grid=replace(table.grid, is_alone=True))  # one table, not two
        cells, fitted = partial(_drawn, table, digits, width), partial(eyes.aligned, width=width)
        lines += ["", eyes.one_line(table.title), "", *eyes.table_lines(table, cells, fitted)]
        meanings = [line for line in eyes.legend(table.columns) if len({*line.split(": ")}) > 1]
        lines += [f"{dim}{line}{end}" for line in eyes.folded(" · ".join(meanings), width) if line]
    rules, *more = eyes.folded(eyes.rules_of(report), width - len(_MORE))
    below = [rules.rstrip(" ·") + _MORE] if more else [rules] * bool(rules)
    origin = [report.provenance.command, report.provenance.producer]
    below += eyes.folded(eyes.one_line(" · ".join(filter(None, origin))), width)
    return "\n".join([*lines, "", *(f"{dim}{line}{end}" for line in below)]) + "\n"


def _near(quantity: Quantity, digits: int, *, is_main: bool = False) -> str:
    """Write a number as people read it; the main one as a decimal and exactly."""
    value, column = quantity.value, quantity.column
    if isinstance(value, Enclosure) and value.point is None:
        return eyes.within(value, digits)
    if not eyes.is_number(quantity):
        return eyes.shown(value)
    known, whole = number(value), arithmetic.text(number(value))
    if not is_main and eyes.are_chances(column, [known]):
        return _percentage(known)
    if not is_main or known.denominator == 1:
        return eyes.decimal(known, digits)
    if len(whole) > _LONGEST:
        sizes = "/".join(str(len(part.lstrip("-"))) for part in whole.split("/"))
        whole = f"a fraction of {sizes} digits (--full)"
    return f"{eyes.decimal(known, digits)} = {whole}"


def _percentage(chance: mpq) -> str:
    is_small = 0 < chance < mpq(1, 10_000)
    return f"{arithmetic.significant(100 * chance, 2)} %" if is_small else percent(chance, 2)


def _rounded(column: Column, cells: Sequence[Cell], digits: int) -> list[str]:
    """Write numbers between bounds: percentages if they are certain, otherwise certain digits."""
    known = [cell for cell in cells if isinstance(cell, Enclosure)]
    bounds = [bound for x in known for bound in (x.lower, x.upper)]
    is_certain = all(_percentage(x.lower) == _percentage(x.upper) for x in known)
    if is_certain and eyes.are_chances(column, bounds):
        shown = (_percentage(x.lower) for x in known)
    else:
        shown = ("0" if x.point == 0 else x.certain(min(digits, _CERTAIN)) for x in known)
    return [next(shown) if isinstance(cell, Enclosure) else "" for cell in cells]


def _drawn(table: Table, digits: int, width: int) -> eyes.DrawnTable:
    """Draw decimals or percentages; bars and one column of fractions if they fit."""
    columns: list[tuple[str, list[str], str]] = []
    bars: list[mpq] = []
    fraction: tuple[str, list[str], str] | None = None
    for column in table.columns:
        cells = table.cells(column.name)
        if column.kind is CellKind.EXACT:
            numbers = [None if cell is None else number(cell) for cell in cells]
            known = [x for x in numbers if x is not None]
            is_chance = eyes.are_chances(column, known)
            written = _percentage if is_chance else partial(eyes.decimal, digits=digits)
            near = ["" if x is None else written(x) for x in numbers]
            if not fraction and any(x.denominator != 1 for x in known):
                exactly = ["" if x is None else eyes.shortened(x, _LONGEST) for x in numbers]
                fraction = f"exact {column.shown}", exactly, "r"
            if column.name == "probability" and len(known) == len(cells) > 1 and any(known):
                bars = [x / max(known) for x in known]
                place = len(columns) + 1
        elif column.kind is CellKind.ENCLOSURE:
            near = _rounded(column, cells, digits)
        else:
            near = [row[0] for row in eyes.eye_rows([column], [[cell] for cell in cells], digits)]
        columns.append((column.shown, near, eyes.alignment([column])[-1]))

    def room() -> int:
        wide = (max(map(len, [name, *cells])) for name, cells, _ in columns)
        return width - sum(eyes.BETWEEN + each for each in wide)

    beside = max(map(len, [fraction[0], *fraction[1]])) if fraction else 0
    if bars and room() >= _BAR // 2:
        bar = room() - beside - eyes.BETWEEN
        bar = min(bar if bar >= _BAR // 2 else room(), _BAR)
        columns.insert(place, ("", ["█" * int(x * bar) for x in bars], "l"))
    if fraction and room() >= beside:
        columns.append(fraction)
    headings, drawn, sides = zip(*columns, strict=True)
    return [*headings], list(map(list, zip(*drawn, strict=True))), "".join(sides)
