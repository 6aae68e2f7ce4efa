"""A report as HTML: a self-contained page, and a fragment for notebooks.

The page loads nothing: its style and the script that sorts and searches tables are inside, and it
is complete without scripts. A fragment cuts tables after `MAX_ROWS` rows and counts the rest.
`HtmlTable` writes all tables, also those of the server and of the static page, which use `STYLE`
and `SCRIPT`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from exactdice.arithmetic import mpq
from exactdice.report.eyes import (
    alignment,
    eye_rows,
    facts,
    grid_rows,
    headline,
    legend,
    one_line,
    quantity_rows,
)
from exactdice.report.interchange import QUANTITIES
from exactdice.report.model import CellKind, Report, Table

MAX_ROWS = 12  # of a table in a notebook
_LONGEST = 48
_SHORTEST_CUT = 24
_NOTEBOOK_DIGITS = 8

#: The style of a page.
STYLE = "\n" + files("exactdice.report").joinpath("page.css").read_text("utf-8")

#: Sorts rows by a column, numbers by value and words alphabetically; and filters long tables.
SCRIPT = "\n" + files("exactdice.report").joinpath("page.js").read_text("utf-8")


@dataclass(frozen=True)
class HtmlTable:
    name: str  # empty for the two-way picture of a table
    title: str
    headings: list[str]
    sides: str  # ``r`` for each column of numbers, otherwise ``l``
    # cells, each with its sort key if that differs, or in a two-way picture its class
    rows: list[list[tuple[str, str]]]
    left: int = 0  # number of omitted rows
    legend: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        kind = "map" if not self.name else "cards" if len(self.headings) > 2 else ""
        is_sortable = self.name and self.name != QUANTITIES
        return f"sortable {kind}".strip() if is_sortable else kind

    def html(self, kind: str | None = None, caption: str = "") -> str:
        headings = "".join(
            f'<th{self._class(place)} scope="col">{_text(heading)}</th>'
            for place, heading in enumerate(self.headings)
        )
        body = "\n".join(
            f"<tr>{''.join(self._cell(place, *cell, kind) for place, cell in enumerate(row))}</tr>"
            for row in self.rows
        )
        named = f"<caption>{_text(caption)}</caption>" if caption else ""
        shown_kind = f' class="{kind}"' if kind else ""
        return (
            f"<table{shown_kind}>{named}<thead><tr>{headings}</tr></thead>\n"
            f"<tbody>\n{body}\n</tbody></table>"
        )

    def _class(self, place: int, shade: str = "") -> str:
        return f' class="{f"r {shade}".strip()}"' if self.sides[place] == "r" else ""

    def _cell(self, place: int, cell: str, key: str, kind: str | None) -> str:
        more = self._class(place, "" if self.name else key)
        if self.name and kind is not None:
            more += f' data-l="{_text(self.headings[place])}"'
            if key and key != cell:
                more += f' data-sort="{_text(key)}"'
        return f"<td{more}>{_text(cell)}</td>"

    def __html__(self) -> str:
        """Write it in a region that can be scrolled, also by keyboard."""
        table, label = self.html(self.kind), _text(self.title)
        return f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def html_tables(
    report: Report, digits: int, *, most: int | None = None, most_cells: int | None = None
) -> Iterator[HtmlTable]:
    """Yield quantities and tables, cut after `most` rows, and grids of up to `most_cells` cells."""
    if report.quantities:
        yield _quantities(report, digits, _LONGEST)
    for table in report.tables:
        listed = len(tuple(table.rows))
        if table.grid and (most_cells is None or listed <= most_cells):
            headings, grid = grid_rows(table)
            cells = [
                [(cell, _shade(cell) if place else "") for place, cell in enumerate(row)]
                for row in grid
            ]
            yield HtmlTable("", f"{table.title}, as a grid", headings, "r" * len(headings), cells)
        yield _table(table, digits, _LONGEST, most)


def _quantities(report: Report, digits: int, longest: int) -> HtmlTable:
    headings, rows = quantity_rows(report, digits, longest)
    cells = [[(name, ""), *_number_first(value)] for name, *value in rows]
    headings = ["quantity", "value", "exactly"][: len(headings)]
    return HtmlTable(QUANTITIES, "In numbers", headings, "lrr"[: len(headings)], cells)


def _table(table: Table, digits: int, longest: int, most: int | None) -> HtmlTable:
    exact = [column for column in table.columns if column.kind is CellKind.EXACT]
    headings = [column.shown for column in table.columns]
    headings += ["exactly" if len(exact) == 1 else f"{column.shown} exactly" for column in exact]
    listed = list(table.rows)
    columns = [
        map(_number_first, eye_rows([column], [row[place : place + 1] for row in listed[:most]],
                                    digits, longest))
        for place, column in enumerate(table.columns)
    ]  # fmt: skip
    rows = [
        [part[0] for part in parts] + [one for part in parts for one in part[1:]]
        for parts in zip(*columns, strict=True)
    ]
    sides = "".join(alignment([column])[0] for column in table.columns) + "r" * len(exact)
    meanings = tuple(line for line in legend(table.columns) if len({*line.split(": ", 1)}) > 1)
    left = len(listed) - len(rows)
    return HtmlTable(table.name, table.title, headings, sides, rows, left, meanings)


def _shade(cell: str) -> str:
    """Return the shade of a probability in a grid, by twentieths; otherwise nothing."""
    return f"s{int(20 * mpq(cell))}" if re.fullmatch(r"0\.\d+|1(\.0+)?", cell) else ""


def _number_first(cells: list[str]) -> list[tuple[str, str]]:
    """Put the decimal before the fraction, which is omitted if they are equal."""
    if len(cells) == 2 and cells[1]:
        exact, decimal = cells
        return [(decimal, ""), ("" if exact == decimal else exact, decimal)]
    return [(cell, cell.partition(" ± ")[0] if " ± " in cell else "") for cell in cells]


def _text(words: str) -> str:
    return escape(one_line(words))


def as_html(report: Report, digits: int) -> str:
    title, (big, meaning, _) = _text(report.title), headline(report)
    lead = f'<p class="lead"><strong>{_text(big)}</strong> {_text(meaning)}</p>\n' if big else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<p class="brand">exactdice</p>\n<h1>{title}</h1>\n{lead}'
        f"{body(report, digits)}\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def body(report: Report, digits: int) -> str:
    parts = []
    for table in html_tables(report, digits):
        parts += [f"<h2>{_text(table.title)}</h2>", table.__html__()]
        if table.legend:
            parts.append(f"<ul>{''.join(f'<li>{_text(line)}</li>' for line in table.legend)}</ul>")
    known = ((_text(name), _text(value)) for name, value in facts(report))
    footer = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in known)
    return "\n".join([*parts, f"<footer><dl>{footer}</dl></footer>"])


def fragment(report: Report) -> str:
    """Write a report for a notebook, long tables cut."""
    parts = [f"<p><strong>{_text(report.title)}</strong></p>"]
    if report.quantities:
        parts.append(_quantities(report, _NOTEBOOK_DIGITS, _SHORTEST_CUT).html())
    parts += map(table_fragment, report.tables)
    return "\n".join(parts)


def table_fragment(table: Table) -> str:
    shown = _table(table, _NOTEBOOK_DIGITS, _SHORTEST_CUT, MAX_ROWS)
    rest = f"<p>… and {shown.left} more rows</p>" if shown.left else ""
    return shown.html(caption=table.title) + rest
