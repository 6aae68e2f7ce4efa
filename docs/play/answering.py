"""What the page's engine runs: a question's words in, its answer as HTML, JSON and CSV out."""

import json
import time
from contextlib import redirect_stdout
from html import escape
from io import StringIO
from pathlib import Path

from arrays import stand_in

stand_in()  # before anything imports numpy

from exactdice.errors import InputError, MissingExtraError, told  # noqa: E402
from exactdice.report.writers import Format, render  # noqa: E402
from exactdice.rooms import ask  # noqa: E402
from exactdice.run import Run  # noqa: E402
from exactdice.web.pieces import Shown, ShownTable, shown  # noqa: E402

_BETWEEN = 0.2  # seconds between two signs of progress
_SHORT = 12  # rows of a table that is seen at once
_MEMORY = 1 << 30  # a page has less than a machine


def answer(words: str, tell) -> str:
    """Answer a question, one about rules of one's own, or cells of Python; or say why not."""
    last = time.monotonic()

    def progress(what, done, total):
        nonlocal last
        if time.monotonic() - last > _BETWEEN:
            last = time.monotonic()
            tell(what, done, total)

    try:
        if words.startswith("["):
            return json.dumps(_run(json.loads(words)))
        if words.startswith("{"):  # a game of one's own, with its rules
            asked = json.loads(words)
            Path("mine.py").write_text(asked["rules"], encoding="utf-8")
            words = asked["words"]
        report = ask(words.removeprefix("exactdice "), Run(memory=_MEMORY, progress=progress))
        page = shown(report, 10)
        said = {"title": page.title, "big": page.big, "meaning": page.meaning, "exact": page.exact}
        said["short"] = any(0 < len(one.rows) <= _SHORT for one in page.tables)
        written = {"html": _html(page), "chart": _chart(page.chart) if page.chart else ""}
        files = {"json": render(report, Format.JSON), "csv": _csv(report)}
        return json.dumps(said | written | files)
    except (ModuleNotFoundError, MissingExtraError) as problem:
        library = (problem.name or "a solver in C++").partition(".")[0]
        line = f"this needs {library}, which a page has not: install exactdice to ask it"
        return json.dumps({"problem": line, "missing": library})
    except Exception as problem:
        line = told(problem) or f"exactdice has a fault here: {type(problem).__name__}: {problem}"
    return json.dumps({"problem": line})


def _run(cells):
    """Run cells of Python, and give what the last one prints and its value."""
    from pyodide.code import eval_code

    space = {}
    for cell in cells:
        with redirect_stdout(StringIO()) as printed:
            value = eval_code(cell, space)
    shown = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    text = "" if value is None or shown else repr(value)
    return {"html": f"<pre>{escape(printed.getvalue() + text)}</pre>{shown}"}


def _html(page: Shown) -> str:
    """Write the tables and where they come from, as the server's pages have them."""
    facts = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(fact)}</dd></div>"
                    for name, fact in page.facts)  # fmt: skip
    return f'{"".join(map(_table, page.tables))}<dl class="same">{facts}</dl>'


def _table(one: ShownTable) -> str:
    def cells(row):
        for (cell, _), heading, side in zip(row, one.headings, one.sides, strict=True):
            yield f'<td class="{side}" data-l="{escape(heading)}">{escape(cell)}</td>'

    head = "".join(f'<th class="{side}" scope="col">{escape(heading)}</th>'
                   for heading, side in zip(one.headings, one.sides, strict=True))  # fmt: skip
    rows = "".join(f"<tr>{''.join(cells(row))}</tr>" for row in one.rows)
    kind = "cards" if len(one.headings) > 2 and one.name else ""
    left = f"<p>… and {one.left} more rows: all are in the files below.</p>" if one.left else ""
    legend = "".join(f"<li>{escape(line)}</li>" for line in one.legend)
    return (
        f'<h3>{escape(one.title)}</h3><div class="wide" tabindex="0" role="region" '
        f'aria-label="{escape(one.title)}"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{left}{f'<ul>{legend}</ul>' if legend else ''}"
    )


def _chart(of) -> str:
    """Write bars as the server's pages have them."""
    marks = "".join(
        f'<line class="mark" x1="0" x2="{of["width"]}" y1="{y}" y2="{y}"/>'
        f'<text class="left" x="0" y="{below}">{mark}</text>'
        for y, below, mark in of["marks"]
    )
    bars = "".join(
        f'<rect class="bar k{bar.kind}" x="{bar.x}" y="{bar.y}" width="{bar.width}" '
        f'height="{bar.height}" data-is="{escape(bar.says)}"/>'
        for bar in of["bars"]
    )
    words = "".join(
        f'<text x="{x}" y="{of["height"] - 4}">{escape(word)}</text>' for x, word in of["words"]
    )
    return (
        f'<figure class="chart" data-chart><svg viewBox="0 0 {of["width"]} {of["height"]}" '
        f'role="img" aria-label="{escape(of["label"])}" tabindex="0">{marks}{bars}{words}</svg>'
        f"<figcaption data-reads>{of['caption']}</figcaption></figure>"
    )


def _csv(report):
    """Write the first table as CSV, or the quantities."""
    tables = report.tables
    try:
        return render(report.only(tables[0].name) if tables else report, Format.CSV)
    except InputError:
        return ""
