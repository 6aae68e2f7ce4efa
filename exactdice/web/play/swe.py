"""Advice in the software-engineering game: what each action is worth on a table of dice."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import natural, significant, text
from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.play.model import Game, asked, played, value_in

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
        return [asked("swe advise", **numbers | {"rounds": rounds}, **tables)]

    def show(advice: Report) -> dict[str, Any]:
        return {
            "rows": [
                (
                    action,
                    significant(number(value), _DIGITS),
                    significant(number(regret), _DIGITS),
                    text(number(value)),
                    best,
                )
                for action, value, regret, best in advice.table("actions").rows
            ],
            "reachable": advice.value("reachable"),
        }

    return await played(request, "swe.html", ask, show, numbers=numbers, dice=dice)


GAME = Game(
    "/play/swe",
    "SWE",
    "Software-engineering game",
    "The dice on the table and the score: what to do, and what every other action costs.",
    _show,
)
