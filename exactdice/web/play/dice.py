"""The dice calculator: the distribution of an expression as a chart and a table, while you type.

A second expression is compared with the first; the chart shows both distributions.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import mpq
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.report.model import number as number_in
from exactdice.web.forms import canonical, rolls_in
from exactdice.web.pieces import MOST_ROWS, bars, exactly, law_in, percent, plain, points, reading
from exactdice.web.play.model import Headline, PlayPage, asked, played, value_in

#: Examples of expressions.
EXAMPLES = ("3d6", "4d6 keep highest 3", "4d6kh3", "2d20 keep highest + 5 >= 15", "d8 > d6",
            "5d10 count >= 8", "2d6 explode 3 times", "d6 reroll 1 once", "max(d12, 2d6) - d4",
            "(d4)d6")  # fmt: skip
#: Quantities of the bars, with their columns.
_SHOWN = {"exactly": "probability", "at least": "at_least", "at most": "at_most"}


async def _show(request: Request) -> Response:
    expression, other = value_in(request, "expression", EXAMPLES[1]), value_in(request, "other")
    if not other:  # both in one field, as in the search box
        expression, *others = rolls_in(expression)
        other = " vs ".join(others)
    chosen = value_in(request, "show", "exactly")
    chosen = chosen if chosen in _SHOWN else "exactly"

    def ask() -> list[Question]:
        both = [asked("dice distribution", expression=one) for one in (expression, other) if one]
        if other:
            both.append(asked("dice compare", expressions=f"{expression} vs {other}"))
        return both

    def show(*reports: Report) -> dict[str, Any]:
        laws, names = list(reports[:2]), [expression, other][: len(reports[:2])]
        both = reports[2:]
        number = None
        if both and "above" in {
            quantity.column.name for quantity in both[0].quantities
        }:  # a plain number is drawn as a line
            target = next(place for place, law in enumerate(laws) if len(_drawn(law)) == 1)
            [number] = _drawn(laws.pop(target))
            del names[target]
        headline = _compared(laws, number, *both) if both else _alone(laws[0])
        csv = canonical(asked("dice distribution", expression=names[0]), suffix=".csv")
        return {"headline": headline, "facts": [_facts(one) for one in laws], "names": names,
                "chart": _chart(laws, chosen, names, number), "rows": _rows(laws[0]),
                "left": max(0, len(list(laws[0].tables[0].rows)) - MOST_ROWS),
                "csv": f"{csv}&table=outcomes"}  # fmt: skip

    return await played(request, "calculator.html", ask, show, {"expression": "Dice"},
                        expression=expression, other=other, shown=chosen, ways=list(_SHOWN),
                        examples=EXAMPLES)  # fmt: skip


def _title(law: Report) -> str:
    return law.title.removeprefix("Dice: ")


def _alone(law: Report) -> Headline:
    value = law.value("value")
    if _is_comparison(law):
        return Headline(percent(value), f"probability of {_title(law)}", exactly(value))
    return Headline(points(value), f"on average with {_title(law)}", exactly(value))


def _compared(laws: list[Report], number: Any, both: Report) -> Headline:
    value, tie = both.value("value"), both.value("tie")
    if number is not None:
        sentence = f"{_title(laws[0])} meets or beats {number}; {percent(both.value('above'))} "
        return Headline(percent(value), f"{sentence}it is above {number}", exactly(value))
    names = f"{_title(laws[0])} is higher than {_title(laws[1])}"
    return Headline(percent(value), f"{names}; {percent(tie)} they are equal", exactly(value))


def _is_comparison(law: Report) -> bool:
    return "variance" not in {quantity.column.name for quantity in law.quantities}


def _facts(law: Report) -> list[tuple[str, str]]:
    if _is_comparison(law):
        return [("probability", percent(law.value("value")))]
    shown = [("mean", "value"), ("variance", "variance")]
    spread = str(law.value("standard_deviation")).rpartition("≈ ")[2]
    return [
        *((name, points(law.value(key), 5)) for name, key in shown),
        ("standard deviation", spread[:8]),
        ("median", str(law.value("median"))),
    ]


def _drawn(law: Report, chosen: str = "exactly") -> dict[Any, mpq]:
    table, column = law.tables[0], _SHOWN[chosen]
    is_there = column in {c.name for c in table.columns}
    return law_in(table, column if is_there else "probability")


def _chart(
    laws: list[Report], chosen: str, names: list[str], number: Any = None
) -> dict[str, Any] | None:
    drawn = [_drawn(law, chosen) for law in laws]
    how = "" if chosen == "exactly" else f"{chosen} "

    def says(kind: int, outcome: Any) -> str:
        of = f"{names[kind]}: " if len(laws) > 1 else ""
        return f"{of}{how}{reading(outcome, drawn[kind])}"

    label = f"Chances of {' and '.join(filter(None, names))}, {chosen}; arrow keys select bars"
    label += "" if number is None else f"; a line marks {number}"
    return bars(drawn, says, label, line=number)


def _rows(law: Report) -> list[tuple[str, list[str], str]]:
    table = law.tables[0]
    chances = [at for at, column in enumerate(table.columns) if column.name in _SHOWN.values()]
    return [
        (str(plain(row[0])), [percent(number_in(row[at]), 2) for at in chances], exactly(row[1]))
        for row in table.rows[:MOST_ROWS]  # type: ignore[index] # a tuple, once it is made
    ]


CALCULATOR = PlayPage(
    "/play/dice",
    "Dice",
    "Dice calculator",
    "Enter dice such as 4d6 keep highest 3, and see the probability of each sum.",
    _show,
)
