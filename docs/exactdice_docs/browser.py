"""Tables that can be sorted and searched in the browser, without requests to other hosts.

The script is that of the package's HTML reports.
"""

from collections.abc import Iterable, Sequence
from html import escape

from exactdice.report.html import SCRIPT

__all__ = ["SCRIPT", "table"]


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table. Headings are plain text, cells are HTML.

    Examples
    --------
    >>> "<td>1</td>" in table(["n"], [["1"]])
    True
    """
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<table class="sortable table"><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n'
        "</tbody></table>"
    )
