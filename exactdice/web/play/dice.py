"""The dice calculator: an expression, its exact law as a chart and a table, while one types.

A second expression is compared with the first; the chart shows both laws beside each other.
"""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.chart import bars, law_in, plain, reading
from exactdice.web.forms import canonical
from exactdice.web.numbers import exactly, percent, points
from exactdice.web.pieces import MOST_ROWS
from exactdice.web.play.model import Game, Headline, asked, played, value_in

#: Expressions to begin with.
EXAMPLES = ("3d6", "4d6 keep highest 3", "4d6kh3", "2d20 keep highest + 5 >= 15", "d8 > d6",
            "5d10 count >= 8", "2d6 explode 3 times", "d6 reroll 1 once", "max(d12, 2d6) - d4",
            "(d4)d6")  # fmt: skip
#: What a bar shows: its name, and the name of the column.
_SHOWN = {"exactly": "probability", "at least": "at_least", "at most": "at_most"}


async def _show(request: Request) -> Response:
    expression, other = value_in(request, "expression", EXAMPLES[1]), value_in(request, "other")
    if not other:  # as in the box of the first page
        expression, _, other = re.sub(r"(?<!\s)\s+(v|vs|versus)\s+", "\n", expression).partition(
            "\n"
        )
    chosen = value_in(request, "show", "exactly")
    chosen = chosen if chosen in _SHOWN else "exactly"

    def ask() -> list[Question]:
        both = [asked("dice law", expression=one) for one in (expression, other) if one]
        if other:
            both.append(asked("dice compare", expressions=f"{expression} vs {other}"))
        return both

    def show(law: Report, *others: Report) -> dict[str, Any]:
        laws = [law, *others[:1]]
        csv = canonical(asked("dice law", expression=expression), suffix=".csv")
        return {"headline": _compared(law, *others) if others else _alone(law),
                "facts": [_facts(one) for one in laws], "names": [expression, other],
                "chart": _chart(laws, chosen, [expression, other]), "rows": _rows(law),
                "left": max(0, len(list(law.tables[0].rows)) - MOST_ROWS),
                "csv": f"{csv}&table=outcomes"}  # fmt: skip

    return await played(request, "calculator.html", ask, show, {"expression": "Dice"},
                        expression=expression, other=other, shown=chosen, ways=list(_SHOWN),
                        examples=EXAMPLES)  # fmt: skip


def _title(law: Report) -> str:
    return law.title.removeprefix("Dice: ")


def _alone(law: Report) -> Headline:
    value = law.value("value")
    if _is_comparison(law):
        return Headline(percent(value), f"chance of {_title(law)}", exactly(value))
    return Headline(points(value), f"on average with {_title(law)}", exactly(value))


def _compared(law: Report, other: Report, both: Report) -> Headline:
    wins, tie = both.value("value"), both.value("tie")
    sentence = f"{_title(law)} is higher than {_title(other)}; {percent(tie)} they are equal"
    return Headline(percent(wins), sentence, exactly(wins))


def _is_comparison(law: Report) -> bool:
    return "variance" not in {quantity.column.name for quantity in law.quantities}


def _facts(law: Report) -> list[tuple[str, str]]:
    if _is_comparison(law):
        return [("chance of yes", percent(law.value("value")))]
    shown = [("mean", "value"), ("variance", "variance")]
    spread = str(law.value("standard_deviation")).rpartition("≈ ")[2]
    return [
        *((name, points(law.value(key), 5)) for name, key in shown),
        ("standard deviation", spread[:8]),
        ("median", str(law.value("median"))),
    ]


def _chart(laws: list[Report], chosen: str, names: list[str]) -> dict[str, Any] | None:
    tables = [law.tables[0] for law in laws]
    columns = [
        _SHOWN[chosen] if _SHOWN[chosen] in {c.name for c in table.columns} else "probability"
        for table in tables
    ]
    drawn = [law_in(table, column) for table, column in zip(tables, columns, strict=True)]
    how = "" if chosen == "exactly" else f"{chosen} "

    def says(kind: int, outcome: Any) -> str:
        of = f"{names[kind]}: " if len(laws) > 1 else ""
        return f"{of}{how}{reading(outcome, drawn[kind])}"

    label = f"Chances of {' and '.join(filter(None, names))}, {chosen}; arrow keys read the bars"
    return bars(drawn, says, label)


def _rows(law: Report) -> list[tuple[str, list[str], str]]:
    table = law.tables[0]
    chances = [at for at, column in enumerate(table.columns) if column.name in _SHOWN.values()]
    return [
        (str(plain(row[0])), [percent(number(row[at]), 2) for at in chances], exactly(row[1]))
        for row in table.rows[:MOST_ROWS]  # type: ignore[index] # a tuple, once it is made
    ]


CALCULATOR = Game(
    "/play/dice",
    "Dice",
    "Dice calculator",
    "Write dice as at the table, such as 4d6 keep highest 3, and see the chance of each sum.",
    _show,
)
