"""Laws as bars of a picture in a page: where they stand, and what each says when it is pointed at.

Coordinates are decimals of exact numbers; the template of the page writes them as SVG.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactdice.arithmetic import decimal, mpq, text
from exactdice.report.model import Table, number
from exactdice.web.numbers import percent

_WIDTH, _HEIGHT, _LEFT, _BELOW, _ABOVE = 640, 240, 30, 24, 20
_MOST, _MANY = 400, 100  # bars of one law
_MOST_WORDS, _MOST_LETTERS = 10, 24  # below them, so that a phone shows them apart
_STEPS = tuple(mpq(n) * mpq(10) ** e for e in range(-6, 3) for n in (1, 2, 5))  # percent


def law_in(table: Table, column: str = "probability") -> dict[Any, mpq]:
    """Take a law from a table: chances, or sums of them, of the outcomes in its first column."""
    outcomes = table.cells(table.columns[0].name)
    return {plain(o): number(p) for o, p in zip(outcomes, table.cells(column), strict=True)}


def plain(outcome: Any) -> Any:
    """An outcome as a bar is named by it."""
    if isinstance(outcome, bool):
        return "yes" if outcome else "no"
    is_whole = not isinstance(outcome, str | tuple) and mpq(outcome).denominator == 1
    return int(outcome) if is_whole else str(outcome)


def reading(outcome: Any, law: Mapping[Any, mpq]) -> str:
    """What the bar of an outcome says."""
    return f"{outcome}: {percent(law[outcome], 2)}"


@dataclass(frozen=True)
class Bar:
    """One bar: its corner and size, which law it belongs to, what it says."""

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
    caption: str = "Point at a bar, or go through them with the arrow keys.",
    line: Any = None,
) -> dict[str, Any] | None:
    """Draw laws beside each other, by outcomes in order; None where there are too many outcomes.

    Where there are many, ends are left out that are a thousandth as likely as the likeliest. A line
    goes up before the bar of one outcome, if it is there.

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
