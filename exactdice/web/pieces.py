"""The parts of a report that pages show, made in a worker: tables, charts, files.

Also numbers as players read them: probabilities in percent, points, and the exact value. The
coordinates of charts are decimals of exact numbers; the page's template writes them as SVG.
"""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactdice.arithmetic import decimal, mpq
from exactdice.enclosure import percent
from exactdice.errors import shortened
from exactdice.report.eyes import facts, headline
from exactdice.report.html import HtmlTable, html_tables
from exactdice.report.model import CellKind, Report, Table, number
from exactdice.report.writers import Format, rendered_files

_WIDTH, _HEIGHT, _LEFT, _BELOW, _ABOVE = 640, 256, 30, 40, 20
_HIGH = _HEIGHT - _BELOW - _ABOVE
_MOST, _MANY = 400, 100  # bars of one distribution
_MOST_NAMED = 8  # distributions of which a chart tells the probability of an outcome
_MOST_WORDS, _MOST_LETTERS = 10, 24  # of labels that fit on a phone
_ROUND = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
_CAPTION = "Point at a bar, tap it, or use the arrow keys."
_STEPS = tuple(mpq(n) * mpq(10) ** e for e in range(-6, 3) for n in (1, 2, 5))  # percent


def law_in(table: Table, column: str = "probability") -> dict[Any, mpq]:
    outcomes = table.cells(table.columns[0].name)
    return {plain(o): number(p) for o, p in zip(outcomes, table.cells(column), strict=True)}


def plain(outcome: Any) -> Any:
    if isinstance(outcome, bool):
        return "yes" if outcome else "no"
    is_whole = not isinstance(outcome, str | tuple) and mpq(outcome).denominator == 1
    return int(outcome) if is_whole else str(outcome)


def reading(outcome: Any, law: Mapping[Any, mpq]) -> str:
    return f"{outcome}: {percent(law[outcome], 2)}"


@dataclass(frozen=True)
class Bar:
    x: str
    y: str
    width: str
    height: str
    kind: int  # -1 is transparent
    says: str


def bars(laws: Sequence[Mapping[Any, mpq]], says: Callable[[int, Any], str], label: str,
         caption: str = _CAPTION, line: Any = None,
         axes: tuple[str, str] = ("result", "probability")) -> dict[str, Any] | None:  # fmt: skip
    """Draw distributions as bars, by outcomes in order; None if there are too many outcomes.

    If there are many, outcomes at the ends that are a thousandth as likely as the most likely one
    are omitted. `line` is an outcome before which a line is drawn.
    """
    outcomes = _outcomes(laws)
    if len(outcomes) > _MOST:
        return None
    chart, top = _axes(outcomes, laws)
    room = mpq(_WIDTH - _LEFT, len(outcomes))
    is_apart = len(outcomes) == sum(len(law) for law in laws)
    thick = room * mpq(9 if len(outcomes) <= 60 else 10, 10) / (1 if is_apart else len(laws))
    drawn = []
    for place, outcome in enumerate(outcomes):
        for kind, law in enumerate(laws):
            if chance := law.get(outcome):
                height = chance * 100 / top * _HIGH
                x = _LEFT + place * room + (0 if is_apart else kind) * thick
                corner = decimal(x, 1), decimal(_HEIGHT - _BELOW - height, 1)
                size = decimal(thick, 1), decimal(height, 1)
                drawn.append(Bar(*corner, *size, kind, says(kind, outcome)))
    at = decimal(_LEFT + outcomes.index(line) * room, 1) if line in outcomes else ""
    chart |= {"bars": drawn, "line": at, "label": label, "caption": caption}
    return chart | dict(zip(("across", "up"), axes, strict=True))


def lines(laws: Mapping[Any, Mapping[Any, mpq]], label: str) -> dict[str, Any] | None:
    """Draw distributions by name as lines, one alone as bars; None if there are too many outcomes.

    A single outcome is a vertical line, cut at the top. Transparent bars tell all values.
    """
    if len(laws) < 2:
        law = next(iter(laws.values()), {})
        return bars([law], lambda _, outcome: reading(outcome, law), label) if law else None
    outcomes = _outcomes(list(laws.values()))
    if all(isinstance(one, int) for one in outcomes) and outcomes[-1] - outcomes[0] < _MOST:
        outcomes = list(range(outcomes[0], outcomes[-1] + 1))
    if len(outcomes) > _MOST:
        return None
    chart, top = _axes(outcomes, [law for law in laws.values() if len(law) > 1] or [*laws.values()])
    room, below = mpq(_WIDTH - _LEFT, len(outcomes)), _HEIGHT - _BELOW
    drawn, columns = [], []
    for kind, (name, law) in enumerate(laws.items()):
        points = [(decimal(_LEFT + (n + mpq(1, 2)) * room, 1), min(law[one] * 100 / top, mpq(1)))
                  for n, one in enumerate(outcomes) if one in law]  # fmt: skip
        points = [(points[0][0], mpq(0)), *points] if len(points) == 1 else points
        path = " ".join(f"{x},{decimal(below - share * _HIGH, 1)}" for x, share in points)
        drawn.append((kind, str(name), path))
    for place, outcome in enumerate(outcomes):
        here = [f"{of} {percent(law[outcome], 2)}" for of, law in laws.items() if outcome in law]
        said = [*here[:_MOST_NAMED], "…"][: len(here)] or ["0 %"]
        corner = decimal(_LEFT + place * room, 1), f"{_ABOVE}.0", decimal(room, 1), f"{_HIGH}.0"
        columns.append(Bar(*corner, -1, f"{outcome}: {', '.join(said)}"))
    return chart | {"bars": columns, "lines": drawn, "label": label}


def _outcomes(laws: Sequence[Mapping[Any, mpq]]) -> list[Any]:
    outcomes = list(dict.fromkeys(outcome for law in laws for outcome in law))
    if all(isinstance(outcome, int) for outcome in outcomes):
        outcomes.sort()
    if len(outcomes) <= _MANY:
        return outcomes
    least = max(chance for law in laws for chance in law.values()) / 1_000
    likely = [n for n, x in enumerate(outcomes) if any(law.get(x, 0) >= least for law in laws)]
    return outcomes[likely[0] : likely[-1] + 1]


def _axes(outcomes: Sequence[Any], laws: Sequence[Mapping[Any, mpq]]) -> tuple[dict[str, Any], mpq]:
    """Return the labels of a chart, and the share at its top in percent."""
    most = max(chance for law in laws for chance in law.values())
    step = next((s for s in _STEPS if 5 * s >= most * 100), mpq(20))
    top = step * -(-(most * 100) // step)
    room = mpq(_WIDTH - _LEFT, len(outcomes))
    names = [shortened(str(outcome), _MOST_LETTERS + 1) for outcome in outcomes]
    every = -(-len(names) // min(_MOST_WORDS, _MOST_LETTERS // max(map(len, names)) + 1))
    is_whole = every > 1 and all(isinstance(outcome, int) for outcome in outcomes)
    every = next(n for n in _ROUND if n >= every) if is_whole else every  # round numbers
    marked = [n for n, one in enumerate(outcomes) if (one if is_whole else n) % every == 0]
    words = [(decimal(_LEFT + place * room + room / 2, 1), names[place]) for place in marked]
    shares = [n * step for n in range(int(top / step) + 1)]
    heights = [_HEIGHT - _BELOW - share / top * _HIGH for share in shares]
    written = [f"{decimal(one, 6).rstrip('0').rstrip('.')} %" if one else "" for one in shares]
    marks = [(decimal(y, 1), decimal(y - 3, 1), share)
             for y, share in zip(heights, written, strict=True)]  # fmt: skip
    return {"width": _WIDTH, "height": _HEIGHT, "words": words, "marks": marks, "lines": [],
            "line": "", "caption": _CAPTION, "across": "result",
            "up": "probability"}, top  # fmt: skip


MOST_ROWS = 100  # of a table on a page; downloads have all

_MOST_CELLS = 1000  # of a table shown as a grid

_CHANCE = ("probability", CellKind.EXACT)
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # fixed, so that equal answers are equal files


@dataclass(frozen=True)
class ReportView:
    title: str
    big: str  # the main number, if there is one, its meaning and exact value
    meaning: str
    exact: str
    tables: list[HtmlTable]  # the quantities first
    chart: dict[str, Any] | None  # the first distribution, as bars
    facts: list[tuple[str, str]]  # provenance
    failure: str  # the error of a check that failed


def shown(report: Report, digits: int) -> ReportView:
    big, meaning, exact = headline(report)
    tables = list(html_tables(report, digits, most=MOST_ROWS, most_cells=_MOST_CELLS))
    where = [(name, fact) for name, fact in facts(report) if name != "command"]
    chart = next(filter(None, map(_chart, report.tables)), None)
    return ReportView(report.title, big, meaning, exact, tables, chart, where, report.failure)


def _chart(table: Table) -> dict[str, Any] | None:
    if (grid := table.grid) and CellKind.TEXT in {c.kind for c in table.columns}:
        laws: dict[Any, dict[Any, mpq]] = {}
        for down, name, chance in table.select(grid.down, grid.across, grid.cell):
            laws.setdefault(name, {})[plain(down)] = number(chance)
        return lines(laws, table.title)
    if [(column.name, column.kind) for column in table.columns[1:2]] != [_CHANCE]:
        return None
    law, axes = law_in(table), (table.columns[0].shown, "probability")
    return bars([law], lambda _, of: reading(of, law), table.title, axes=axes) if law else None


def as_file(
    report: Report, output_format: Format, name: str, digits: int, table: str = ""
) -> tuple[str, bytes]:
    report = report.only(table) if table else report
    files = rendered_files(report, output_format, name, digits=digits)
    content = {file: written if isinstance(written, bytes) else written.encode()
               for file, written in files.items()}  # fmt: skip
    return next(iter(content.items())) if len(content) == 1 else (f"{name}.zip", _zip(content))


def _zip(content: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, written in content.items():
            archive.writestr(zipfile.ZipInfo(name, _BEGINNING), written, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def report_itself(report: Report) -> Report:
    """Return the report, for pages that lay it out themselves."""
    return report
