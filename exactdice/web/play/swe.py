"""Advice in the software-engineering game: what each action is worth on a table of dice."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import natural, text
from exactdice.errors import InputError
from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.numbers import exactly, points
from exactdice.web.play.model import Game, Headline, asked, played, value_in

_FACES = (4, 6, 8, 12, 20)
_MOST_ROUNDS = 30
_DIGITS = 8


async def _show(request: Request) -> Response:
    numbers = {
        name: value_in(request, name, default)
        for name, default in (("rounds", "10"), ("round", "6"), ("score", "8"))
    }
    # The example of the question: one d6 and one d8.
    first = {"r6": "1", "r8": "1"} if not request.url.query else {}
    dice = {
        kind: [(faces, value_in(request, f"{kind[0]}{faces}", first.get(f"{kind[0]}{faces}", "0")))
               for faces in _FACES]
        for kind in ("revenue", "legacy")
    }  # fmt: skip

    def ask() -> list[Question]:
        tables = {
            kind: ",".join(
                text(natural(number, f"{kind[0]}{faces}", most=_MOST_ROUNDS))
                for faces, number in counted
            )
            for kind, counted in dice.items()
        }
        rounds = natural(numbers["rounds"], "rounds", least=1, most=_MOST_ROUNDS)
        before = natural(numbers["round"], "round", least=1, most=rounds) - 1
        made = sum(rung * int(table.split(",")[rung - 1])
                   for table in tables.values() for rung in range(1, len(_FACES) + 1))  # fmt: skip
        if before and not made:
            raise InputError("round", numbers["round"], "1 while there are no dice on the table")
        if made > before:
            wanted = f"at least {made + 1}: so many dice take {made} rounds to make"
            raise InputError("round", numbers["round"], wanted)
        return [asked("swe advise", **numbers | {"rounds": rounds}, **tables)]

    def show(advice: Report) -> dict[str, Any]:
        best, value, *_ = advice.table("actions").rows[0]  # type: ignore[index] # a tuple by now
        sentence = f"points on average in the end: {best}"
        return {
            "headline": Headline(points(value), sentence, exactly(value)),
            "rows": [
                (
                    action,
                    points(value, _DIGITS),
                    points(regret),
                    text(number(value)),
                    best,
                )
                for action, value, regret, best in advice.table("actions").rows
            ],
            "reachable": advice.value("reachable"),
        }

    labels = {f"{kind[0]}{faces}": f"{kind.capitalize()} d{faces}"
              for kind in dice for faces in _FACES}  # fmt: skip
    labels |= {"rounds": "Rounds of the game", "round": "Round that begins", "score": "Score"}
    return await played(request, "swe.html", ask, show, labels, numbers=numbers, dice=dice)


GAME = Game(
    "/play/swe",
    "SWE",
    "Software-engineering game",
    "The dice on the table and the score: what to do, and what every other action costs.",
    _show,
)
