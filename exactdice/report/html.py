"""A report as HTML: a page that stands alone, and the fragment of it that a notebook shows.

The page asks nothing of the network: its style and the few lines that sort a table when its heading
is activated, and search it, are inside. Without scripts every table is there all the same. A
fragment is cut after `MAX_ROWS` rows of a table and says how many are left. A server of pages with
a frame of their own takes `STYLE` and `SCRIPT`.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from exactdice.report.csv_cells import one_line
from exactdice.report.eyes import (
    alignment,
    eye_columns,
    eye_rows,
    facts,
    grid_rows,
    legend,
    quantity_rows,
)
from exactdice.report.model import Report, Table

#: Rows after which a notebook cuts a table.
MAX_ROWS = 12

_LONGEST = 48
_SHORTEST_CUT = 24
_NOTEBOOK_DIGITS = 8

#: How a page looks.
STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid #8884; }
th { border-bottom: 2px solid; } .r { text-align: right; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid; }
th[aria-sort=ascending] button::after { content: " \\25b2"; }
th[aria-sort=descending] button::after { content: " \\25bc"; }
dt { font-weight: 600; } footer { margin-top: 3rem; font-size: .85rem; opacity: .8; }
"""

#: Sorts the rows of a table by a column, numbers by their value and words as words; and shows of a
#: table that is too long to be seen at once the rows that hold the words that are typed.
SCRIPT = """
function sortTables(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    if (table.tBodies[0].rows.length > 12) {
      const search = document.createElement("input");
      search.type = "search"; search.placeholder = "search"; search.ariaLabel = "search";
      search.addEventListener("input", () => {
        const words = search.value.toLowerCase().split(" ");
        for (const row of table.tBodies[0].rows) {
          const cells = row.textContent.toLowerCase();
          row.hidden = !words.every(word => cells.includes(word));
        }
      });
      table.before(search);
    }
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const label = heading.textContent;
      const button = document.createElement("button");
      button.type = "button"; button.textContent = label;
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = heading.ariaSort === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = row => row.cells[column].dataset.sort ?? row.cells[column].textContent;
        const number = text => text.split("/").reduce((p, q) => p / q);
        const order = (a, b) => {
          const [x, y] = [key(a), key(b)], [m, n] = [Number(number(x)), Number(number(y))];
          const by = x !== "" && y !== "" && !isNaN(m) && !isNaN(n) ? m - n : x.localeCompare(y);
          return down ? -by : by;
        };
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
      });
    });
  }
}
sortTables(document);
"""


def as_html(report: Report, digits: int) -> str:
    """Write a report as a page that stands alone."""
    title = escape(one_line(report.title))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n{body(report, digits)}\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def body(report: Report, digits: int) -> str:
    """Write a report without the frame of a page: quantities, tables, where it came from."""
    footer = "".join(
        f"<div><dt>{escape(one_line(name))}</dt><dd>{escape(one_line(value))}</dd></div>"
        for name, value in facts(report)
    )
    return "\n".join([*_body(report, digits), f"<footer><dl>{footer}</dl></footer>"])


def _body(report: Report, digits: int) -> Iterator[str]:
    if report.quantities:
        yield _wide(_quantities(report, digits, _LONGEST), "Quantities")
    for table in report.tables:
        yield f"<h2>{escape(one_line(table.title))}</h2>"
        if table.grid:
            headings, rows = grid_rows(table)
            yield _wide(_table(headings, rows, "r" * len(headings)), f"{table.title}, two ways")
        rows = eye_rows(table.columns, table.rows, digits, _LONGEST)
        headings = eye_columns(table.columns)
        made = _table(headings, rows, alignment(table.columns), kind="sortable")
        yield _wide(made, table.title)
        meanings = "".join(f"<li>{escape(one_line(line))}</li>" for line in legend(table.columns))
        yield f"<ul>{meanings}</ul>"


def _wide(made: str, name: str) -> str:
    """Let what is wider than the page be moved, by the keyboard too."""
    label = escape(one_line(name))
    return f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{made}</div>'


def _quantities(report: Report, digits: int, longest: int) -> str:
    headings, rows = quantity_rows(report, digits, longest)
    return _table(headings, rows, "lrr"[: len(headings)])


def _table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    sides: str,
    *,
    kind: str = "",
    caption: str = "",
) -> str:
    right = ' class="r"'

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{right if side == 'r' else ''}{_sort_key(cell, follows)}>"
            f"{escape(one_line(cell))}</{tag}>"
            for cell, side, follows in zip(row, sides, [*row[1:], ""], strict=True)
        )

    named = f"<caption>{escape(one_line(caption))}</caption>" if caption else ""
    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    shown_kind = f' class="{kind}"' if kind else ""
    return (
        f"<table{shown_kind}>{named}<thead><tr>{cells('th', headings)}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table>"
    )


def _sort_key(cell: str, follows: str) -> str:
    """Let a fraction that was cut be sorted by the decimal that follows it, and one ± by itself."""
    key = follows if "…" in cell else cell.partition(" ± ")[0]
    return f' data-sort="{escape(key)}"' if key != cell else ""


def fragment(report: Report) -> str:
    """Write a report for a notebook, long tables cut.

    >>> from exactdice.report.model import whole
    >>> report = Report.of("A die", {}, whole("sides", "sides")(6))
    >>> "<td>sides</td>" in fragment(report)
    True
    """
    parts = [f"<p><strong>{escape(one_line(report.title))}</strong></p>"]
    if report.quantities:
        parts.append(_quantities(report, _NOTEBOOK_DIGITS, _SHORTEST_CUT))
    parts += map(table_fragment, report.tables)
    return "\n".join(parts)


def table_fragment(table: Table) -> str:
    """Write one table for a notebook, cut after `MAX_ROWS` rows."""
    rows = list(table.rows)
    shown = eye_rows(table.columns, rows[:MAX_ROWS], _NOTEBOOK_DIGITS, _SHORTEST_CUT)
    headings, sides = eye_columns(table.columns), alignment(table.columns)
    left = len(rows) - len(shown)
    rest = f"<p>… and {left} more rows</p>" if left else ""
    return _table(headings, shown, sides, caption=table.title) + rest
