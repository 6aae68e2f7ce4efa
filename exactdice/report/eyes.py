"""A report as plain text and Markdown; also the layout of cells for other formats.

An exact number is shown as p/q with its decimal, rounded half to even; a long fraction is cut in
the middle and its digits are counted. A number between bounds is one decimal ± its largest error.

If a table is too wide, its widest columns are narrowed to the largest common width that fits, and
their cells are folded at spaces. If that would break words and numbers, the table is split into
blocks, each with the first columns that identify the rows.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from operator import le
from typing import Any, NamedTuple, TypeAlias

from exactdice import arithmetic
from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure, exactly, percent, points
from exactdice.report.model import Cell, CellKind, Column, Quantity, Report, Table, number

LONGEST = 60  # characters of a fraction in text and Markdown tables
_GRID_DECIMALS = 4
_SHORT = 30  # characters of a fraction beside its decimal
CUT = " digits)"  # end of a shortened fraction
_LISTED = 400  # rows of a list after its two-way picture

_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    r"""Escape line breaks and control characters; other text stays the same object."""
    if not _UNSHOWN.search(text):
        return text
    return _UNSHOWN.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def plain(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple):
        return "(" + ", ".join(plain(item) for item in cell) + ")"
    if isinstance(cell, Enclosure):
        return f"{arithmetic.text(cell.lower)} {arithmetic.text(cell.upper)}"
    return cell if isinstance(cell, str) else arithmetic.text(cell)


def shown(cell: Cell) -> str:
    return one_line(plain(cell))


def shortened(number: mpq, longest: int) -> str:
    whole = arithmetic.text(number)
    if len(whole) <= longest:
        return whole
    parts = whole.split("/")
    cut = "/".join(p if len(p) <= 16 else f"{p[:8]}…{p[-6:]}" for p in parts)
    return f"{cut} ({' / '.join(str(len(p.lstrip('-'))) for p in parts)}{CUT}"


def eye_columns(columns: Sequence[Column]) -> list[str]:
    """Return the headings of a table: exact columns are followed by a decimal."""
    headings = []
    for column in columns:
        headings.append(column.shown)
        if column.kind is CellKind.EXACT:
            headings.append("decimal")
    return headings


def eye_rows(
    columns: Sequence[Column], rows: Iterable[Sequence[Cell]], digits: int, longest: int = LONGEST
) -> list[list[str]]:
    seen: list[list[str]] = []
    for column, cells in zip(columns, zip(*rows, strict=True), strict=False):  # none without rows
        if column.kind is CellKind.EXACT:
            numbers = [cell if cell is None else number(cell) for cell in cells]
            seen.append(["" if cell is None else shortened(cell, longest) for cell in numbers])
            seen.append(["" if cell is None else decimal(cell, digits) for cell in numbers])
        else:
            seen.append([
                cell.near(digits) if isinstance(cell, Enclosure) else shown(cell) for cell in cells
            ])  # fmt: skip
    return list(map(list, zip(*seen, strict=True)))


def decimal(number: mpq, digits: int) -> str:
    if number.denominator == 1:
        return arithmetic.text(number)
    return arithmetic.significant(number, digits)


def alignment(columns: Sequence[Column]) -> str:
    """Return "r" or "l" for each column of `eye_columns`."""
    sides = {CellKind.EXACT: "rr", CellKind.ENCLOSURE: "r", CellKind.WHOLE: "r"}
    return "".join(sides.get(column.kind, "l") for column in columns)


def quantity_rows(report: Report, digits: int, longest: int) -> tuple[list[str], list[list[str]]]:
    rows = [
        [meaning_of(column), *eye_rows([column], [[value]], digits, longest)[0], ""][:3]
        for column, value in ((quantity.column, quantity.value) for quantity in report.quantities)
    ]
    shown_columns = 3 if any(row[2] for row in rows) else 2
    headings = ["quantity", "value", "decimal"][:shown_columns]
    return headings, [row[:shown_columns] for row in rows]


def grid_rows(table: Table) -> tuple[list[str], list[list[str]]]:
    grid = table.grid
    if grid is None:
        raise TypeError(f"table {table.name} has no grid")
    down, across, cells = (table.cells(name) for name in (grid.down, grid.across, grid.cell))
    decimals = {
        (row, column): arithmetic.decimal(number(cell), _GRID_DECIMALS)
        for row, column, cell in zip(down, across, cells, strict=True)
    }
    # Whole numbers in their order, all else as it comes.
    keys: list[list[Any]] = [list(dict.fromkeys(each)) for each in (down, across)]
    for name, each in zip((grid.down, grid.across), keys, strict=True):
        if table.column_named(name).kind is CellKind.WHOLE:
            each.sort()
    corner = f"{table.column_named(grid.down).shown} \\ {table.column_named(grid.across).shown}"
    rows = [[shown(row), *(decimals.get((row, at), "") for at in keys[1])] for row in keys[0]]
    return [corner, *(shown(column) for column in keys[1])], rows


def is_listed(table: Table) -> bool:
    grid = table.grid
    return not grid or (not grid.is_alone and len(tuple(table.rows)) <= _LISTED)


def unlisted(table: Table) -> str:
    return f"{len(tuple(table.rows))} exact numbers: --table {table.name}"


def footer(report: Report) -> Iterator[str]:
    for name, value in facts(report):
        yield one_line(f"{name}: {value}")


def facts(report: Report) -> Iterator[tuple[str, str]]:
    if report.provenance.command:
        yield "command", report.provenance.command
    yield "producer", report.provenance.producer
    yield from report.provenance.conventions.items()


def legend(columns: Iterable[Column]) -> Iterator[str]:
    for column in columns:
        yield f"{column.shown}: {meaning_of(column)}"


def meaning_of(column: Column) -> str:
    return column.meaning + (f" [{column.unit}]" if column.unit else "")


_A_CELL = 40  # bytes of a cell besides its characters
_COPIES = 4  # of the characters: cells, lines, all text, and its bytes


def bytes_to_write(report: Report, digits: int) -> int:
    tables = sum(_total(row, digits) for table in report.tables for row in table.rows)
    quantities = _total((quantity.value for quantity in report.quantities), digits)
    return tables + quantities


def bytes_of_rationals(numbers: int, bits: int) -> int:
    """Estimate the memory for writing rationals with numerators and denominators of `bits` bits."""
    return numbers * (_A_CELL + _COPIES * 2 * _digits(bits))


def _total(cells: Iterable[Cell], digits: int) -> int:
    return sum(_A_CELL + _COPIES * _characters(cell, digits) for cell in cells)


def _characters(cell: Cell, digits: int) -> int:
    if isinstance(cell, mpq):
        bits = cell.numerator.bit_length() + cell.denominator.bit_length()
        return _digits(int(bits)) + digits
    if isinstance(cell, int):
        return _digits(cell.bit_length())
    if isinstance(cell, str):
        return len(cell)
    if isinstance(cell, tuple):
        return sum(_characters(item, 0) + 1 for item in cell)
    if isinstance(cell, Enclosure):
        return _characters(cell.lower, digits) + _characters(cell.upper, digits)
    return 0


def _digits(bits: int) -> int:
    return bits * 31 // 100


_LONGEST_WORD = 26  # characters of a word that is not broken
BETWEEN = 2  # spaces between columns


@dataclass(frozen=True)
class ColumnBlock:
    """Some columns of a table, by their places, with the width of each in characters."""

    places: tuple[int, ...]
    widths: tuple[int, ...]


def leading(rows: Sequence[Sequence[str]]) -> int:
    several = len({tuple(row) for row in rows})
    count = 1
    while len({tuple(row[:count]) for row in rows}) < several:
        count += 1
    return count


def blocks(
    natural: Sequence[int],
    least: Sequence[int],
    width: int,
    between: int = BETWEEN,
    repeated: int = 1,
) -> list[ColumnBlock]:
    """Divide columns into blocks that fit a width."""
    while repeated > 1 and (
        sum(least[:repeated]) + max(least[repeated:], default=0) + between * repeated > width
    ):
        repeated -= 1
    finished: list[ColumnBlock] = []
    waiting = list(range(len(natural)))
    while waiting:
        places = list(range(repeated)) if finished else []
        kept = len(places)
        while waiting:
            needed = sum(least[i] for i in [*places, waiting[0]]) + between * len(places)
            if len(places) > kept and needed > width:
                break
            places.append(waiting.pop(0))
        widths = _narrowed(places, natural, least, width, between)
        finished.append(ColumnBlock(tuple(places), widths))
    return finished


def _narrowed(
    places: Sequence[int], natural: Sequence[int], least: Sequence[int], width: int, between: int
) -> tuple[int, ...]:
    """Narrow the wider columns to one common width, but none below the width it needs."""
    available = width - between * (len(places) - 1)

    def widths(common: int) -> list[int]:
        return [max(min(natural[i], common), min(least[i], natural[i])) for i in places]

    common = max((natural[i] for i in places), default=0)
    while common > 1 and sum(widths(common)) > available:
        common -= 1
    return tuple(min(w, available) for w in widths(common))


def needed_width(cells: Sequence[str]) -> int:
    longest = max((len(word) for cell in cells for word in cell.split()), default=1)
    return min(longest, _LONGEST_WORD)


def folded(text: str, width: int) -> list[str]:
    if len(text) <= width:
        return [text]
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if len(longer) <= width:
            line = longer
            continue
        if len(word) <= width:
            lines.append(line)
            line = word
            continue
        if line and len(line) + 1 >= width:
            lines.append(line)
            longer = word
        lines += [longer[i : i + width] for i in range(0, len(longer), width)]
        line = lines.pop()
    return [*lines, line]


def aligned(
    headings: Sequence[str], rows: Sequence[Sequence[str]], sides: str, width: int
) -> Iterator[str]:
    r"""Write a table in lines of at most a width, numbers to the right."""
    columns = list(zip(headings, *rows, strict=True))
    natural = [max(map(len, cells)) for cells in columns]
    if sum(natural) + BETWEEN * (len(natural) - 1) <= width:
        set_below = [ColumnBlock(tuple(range(len(natural))), tuple(natural))]
    else:
        least = list(map(needed_width, columns))
        set_below = blocks(natural, least, width, repeated=leading(rows))
    for part, block in enumerate(set_below):
        if part:
            yield ""
        rule = ["-" * w for w in block.widths]
        places = list(zip(block.places, block.widths, strict=True))
        line = (" " * BETWEEN).join(f"{{:{'<>'[sides[place] == 'r']}{w}}}" for place, w in places)
        for row in (headings, None, *rows):
            cells = rule if row is None else [row[place] for place in block.places]
            if all(map(le, map(len, cells), block.widths)):
                yield line.format(*cells).rstrip()
                continue
            parts = (folded(cell, w) for cell, w in zip(cells, block.widths, strict=True))
            for part_of_line in zip_longest(*parts, fillvalue=""):
                yield line.format(*part_of_line).rstrip()


def is_number(quantity: Quantity) -> bool:
    kind = quantity.column.kind
    return kind in (CellKind.EXACT, CellKind.ENCLOSURE) and quantity.value is not None


def are_chances(column: Column, numbers: Sequence[mpq]) -> bool:
    named = re.search("chance|probability", column.meaning)
    return bool(named) and all(0 <= x <= 1 for x in numbers)


class Headline(NamedTuple):
    """The first line of an answer: its main number, rounded, what it means, and its exact value."""

    big: str
    sentence: str
    exact: str = ""


def first_number(report: Report) -> Headline:
    """Return the first number of the quantities: in short, its meaning, and exactly."""
    for quantity in filter(is_number, report.quantities):
        column = quantity.column
        known = Enclosure.of(quantity.value)  # type: ignore[arg-type] # a number, by its kind
        is_chance = are_chances(column, [known.lower, known.upper])
        big = percent(known) if is_chance else points(known)
        meaning = f"{column.meaning}{column.unit and f', in {column.unit}'}"
        return Headline(big, meaning, exactly(known))
    return Headline("", "")


def headline(report: Report) -> Headline:
    """Return the first line of an answer, with the report's own sentence if it has one."""
    if isinstance(report.says, tuple):
        return Headline(*report.says)
    number = first_number(report)
    return number._replace(sentence=(number.big and report.says) or number.sentence)


def first_lines(report: Report, width: int) -> tuple[Headline, list[str]]:
    """Return the headline of a text, and its lines; without a number, `big` is its title."""
    said, title = headline(report), one_line(report.title)
    sentence = one_line(said.sentence)
    if not said.big:
        said, sentence = said._replace(big=sentence or title), ""
    elif not report.says and title.lower() not in sentence.lower():
        sentence += f". {title}"
    margin = f"{said.big}  " if sentence and 2 * len(said.big) < width else ""
    text = sentence if margin else f"{said.big}  {sentence}".strip()
    lines = indented(text, margin, " " * len(margin), width)
    return said._replace(sentence=sentence), lines


WIDTH = 80  # characters of a line, except on a terminal


def as_text(report: Report, digits: int) -> str:
    """Write the number first, then other quantities, tables, rule variants and provenance."""
    (big, sentence, whole), lines = first_lines(report, WIDTH)
    if not sentence:
        lines.append("=" * min(len(big), WIDTH))
    known = [each for each in report.quantities if each.value is not None]
    if (main := next(filter(is_number, known), None)) and whole:
        known.remove(main)
        value = _value_lines(main, digits)
        for part in value if value != [big] else ():
            lines += indented(part, "  ", "    ", WIDTH)
    lines += [""] * bool(known)
    for quantity in known:
        value = _value_lines(quantity, digits)
        line = f"{quantity.column.shown}: {value[0]} ({meaning_of(quantity.column)})"
        lines += indented(line, "", "    ", WIDTH)
        for part in value[1:]:
            lines += indented(part, "    ", "      ", WIDTH)
    lines.append("")
    for table in report.tables:
        cells, fitted = partial(_cells, table, digits), partial(aligned, width=WIDTH)
        lines += [one_line(table.title), "", *table_lines(table, cells, fitted), ""]
        for line in legend(table.columns):
            lines += indented(line, "  ", "    ", WIDTH)
        lines.append("")
    named, about = report.title * bool(sentence), report.provenance
    for line in (named, rules_of(report), about.command, f"producer: {about.producer}"):
        lines += indented(one_line(line), "# ", "#   ", WIDTH) if line else []
    return "\n".join(lines) + "\n"


def rules_of(report: Report) -> str:
    rules = report.provenance.conventions.items()
    return " · ".join(one_line(f"{name}: {value}") for name, value in rules)


def indented(line: str, first: str, following: str, width: int) -> list[str]:
    if line.count(" ") == 1 and len(line) > width - len(first):  # a fraction, cut anywhere
        room = width - len(first)
        head, rest = line[:room], line[room:]
        room = width - len(following)
        return [first + head, *(following + rest[i : i + room] for i in range(0, len(rest), room))]
    head, *more = folded(line, width - len(first))
    if more:
        more = folded(" ".join(line.split())[len(head) :].lstrip(), width - len(following))
    return [first + head, *(following + part for part in more)]


def _value_lines(quantity: Quantity, digits: int) -> list[str]:
    value = quantity.value
    if isinstance(value, Enclosure):
        places = value.places(digits)
        bounds = f"≥ {value.rounded_down(places)}", f"≤ {value.rounded_up(places)}"
        return [within(value, digits), *bounds]
    if quantity.column.kind is not CellKind.EXACT or not isinstance(value, mpq):
        return [shown(value)]
    near, whole = decimal(value, digits), arithmetic.text(value)
    if value.denominator == 1:
        return [whole]
    return [f"≈ {near} = {whole}"] if len(whole) <= _SHORT else [f"≈ {near}", f"= {whole}"]


def within(value: Enclosure, digits: int) -> str:
    return f"≈ {value.certain(digits)}, known to within {value.shown_width()}"


DrawnTable: TypeAlias = tuple[list[str], list[list[str]], str]  # headings, rows and sides


def _cells(table: Table, digits: int) -> DrawnTable:
    rows = eye_rows(table.columns, table.rows, digits)
    return eye_columns(table.columns), rows, alignment(table.columns)


def table_lines(
    table: Table, cells: Callable[[], DrawnTable], written: Callable[..., Iterable[str]]
) -> Iterator[str]:
    if table.grid:
        headings, rows = grid_rows(table)
        yield from (*written(headings, rows, "r" * len(headings)), "")
    yield from written(*cells()) if is_listed(table) else [unlisted(table)]


def as_markdown(report: Report, digits: int) -> str:
    lines = [f"# {one_line(report.title)}", ""]
    for quantity in report.quantities:
        value = quantity.value
        seen = value.near(digits) if isinstance(value, Enclosure) else shown(value)
        if isinstance(value, mpq) and value.denominator != 1:
            seen = f"{arithmetic.significant(value, digits)} ≈ {seen}"
        lines.append(f"- **{quantity.column.shown}** ({quantity.column.meaning}): {seen}")
    if report.quantities:
        lines.append("")
    for table in report.tables:
        cells = partial(_cells, table, digits)
        lines += [f"## {one_line(table.title)}", "", *table_lines(table, cells, _piped), ""]
        lines += [f"- {line}" for line in legend(table.columns)]
        lines.append("")
    lines += [f"<!-- {line.replace('-->', '-- >')} -->" for line in footer(report)]
    return "\n".join(lines) + "\n"


def _piped(headings: list[str], rows: list[list[str]], alignment: str) -> Iterator[str]:
    yield "| " + " | ".join(cell.replace("|", "\\|") for cell in headings) + " |"
    yield "|" + "|".join("---:" if side == "r" else ":---" for side in alignment) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
