"""The parts of a report that pages show, made in a worker: tables, charts, pictures, files.

Also numbers as players read them: probabilities in percent, points, and the exact value. The
coordinates of charts are decimals of exact numbers; the page's template writes them as SVG.
"""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from exactdice.arithmetic import decimal, mpq, text
from exactdice.report.eyes import facts
from exactdice.report.html import HtmlTable, html_tables
from exactdice.report.model import CellKind, Report, Table, number
from exactdice.report.short import headline, percent
from exactdice.report.writers import Format, rendered_files

_WIDTH, _HEIGHT, _LEFT, _BELOW, _ABOVE = 640, 240, 30, 24, 20
_MOST, _MANY = 400, 100  # bars of one distribution
_MOST_WORDS, _MOST_LETTERS = 10, 24  # of labels that fit on a phone
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
    kind: int
    says: str


def bars(
    laws: Sequence[Mapping[Any, mpq]],
    says: Callable[[int, Any], str],
    label: str,
    caption: str = "Point at a bar, or select one with the arrow keys.",
    line: Any = None,
) -> dict[str, Any] | None:
    """Draw distributions as bars, by outcomes in order; None if there are too many outcomes.

    If there are many, outcomes at the ends that are a thousandth as likely as the most likely one
    are omitted. `line` is an outcome before which a line is drawn.

    >>> coin = {"heads": mpq(1, 2), "tails": mpq(1, 2)}
    >>> drawn = bars([coin], lambda law, outcome: outcome, "A coin", "")
    >>> [(bar.x, bar.height) for bar in drawn["bars"]], drawn["marks"][-1]
    ([('30.0', '196.0'), ('335.0', '196.0')], ('20.0', '17.0', '50 %'))
    """
    outcomes = list(dict.fromkeys(outcome for law in laws for outcome in law))
    if all(isinstance(outcome, int) for outcome in outcomes):
        outcomes.sort()
    most = max(chance for law in laws for chance in law.values())
    if len(outcomes) > _MANY:
        likely = [n for n, one in enumerate(outcomes)
                  if any(law.get(one, 0) * 1_000 >= most for law in laws)]  # fmt: skip
        outcomes = outcomes[likely[0] : likely[-1] + 1]
    if len(outcomes) > _MOST:
        return None
    step = next((s for s in _STEPS if 5 * s >= most * 100), mpq(20))
    top = step * -(-(most * 100) // step)
    high = _HEIGHT - _BELOW - _ABOVE
    room = mpq(_WIDTH - _LEFT, len(outcomes))
    is_apart = len(outcomes) == sum(len(law) for law in laws)
    thick = room * mpq(9 if len(outcomes) <= 60 else 10, 10) / (1 if is_apart else len(laws))
    drawn = []
    for place, outcome in enumerate(outcomes):
        for kind, law in enumerate(laws):
            if chance := law.get(outcome):
                height = chance * 100 / top * high
                x = _LEFT + place * room + (0 if is_apart else kind) * thick
                corner = decimal(x, 1), decimal(_HEIGHT - _BELOW - height, 1)
                size = decimal(thick, 1), decimal(height, 1)
                drawn.append(Bar(*corner, *size, kind, says(kind, outcome)))
    letters = max(len(str(outcome)) for outcome in outcomes)
    every = -(-len(outcomes) // min(_MOST_WORDS, _MOST_LETTERS // letters + 1))
    words = [
        (decimal(_LEFT + place * room + room / 2, 1), str(outcome))
        for place, outcome in enumerate(outcomes)
        if place % every == 0
    ]
    shares = [n * step for n in range(int(top / step) + 1)]
    lines = [(share, _HEIGHT - _BELOW - share / top * high) for share in shares]
    marks = [
        (decimal(y, 1), decimal(y - 3, 1), f"{_short(share)} %" if share else "")
        for share, y in lines
    ]
    return {"width": _WIDTH, "height": _HEIGHT, "bars": drawn, "words": words, "marks": marks,
            "line": decimal(_LEFT + outcomes.index(line) * room, 1) if line in outcomes else "",
            "label": label, "caption": caption}  # fmt: skip


def _short(share: mpq) -> str:
    return text(share) if share.denominator == 1 else decimal(share, 6).rstrip("0")


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
    if [(column.name, column.kind) for column in table.columns[1:2]] != [_CHANCE]:
        return None
    law = law_in(table)
    return bars([law], lambda _, outcome: reading(outcome, law), table.title) if law else None


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


_INK, _PAPER, _SOFT, _ACCENT = "#1c2430", "#fdfdfc", "#55606e", "#0b5c96"


def card(_report: Report, big: str, sentence: str, foot: str) -> bytes:
    from matplotlib.figure import Figure  # as above

    drawn = Figure(figsize=(12, 63 / 10), dpi=100, facecolor=_PAPER)

    def write(down: int, words: str, size: int, colour: str, weight: str = "normal") -> None:
        drawn.text(6 / 100, down / 100, words.replace("$", r"\$"), color=colour, fontsize=size,
                   fontweight=weight, va="top", linespacing=13 / 10)  # fmt: skip

    # A bold figure is as wide as 0.7 of its height, which a point makes 100/72 of a pixel.
    write(90, big, min(90, 1080 // max(len(big), 1)), _ACCENT, "bold")
    write(60, "\n".join(wrap(sentence, 46)[:3]), 30, _INK)
    write(25, "\n".join(wrap(foot, 84)[:2]), 17, _SOFT)
    write(11, "exactdice · exact answers about dice games", 17, _SOFT)
    stream = io.BytesIO()
    drawn.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
