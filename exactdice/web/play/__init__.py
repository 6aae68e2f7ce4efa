"""Pages where people play: the questions that a table asks, put as the table puts them.

Each page is a form in one address, so it can be shared and works without scripts; what it shows are
the answers to questions that the command line knows, too, and it leads to them. The dice calculator
belongs to no game: an expression, its exact law as a chart and a table, while one types.
"""

from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from exactdice.games import GAMES
from exactdice.games.record import listed
from exactdice.question import Question
from exactdice.report.html import body
from exactdice.report.model import Report
from exactdice.web.forms import canonical
from exactdice.web.pieces import MOST_ROWS
from exactdice.web.play.model import Game, asked, played, value_in

__all__ = ["PLAY"]

#: Expressions to begin with.
EXAMPLES = (
    "3d6",
    "4d6 keep highest 3",
    "2d20 keep highest + 5 >= 15",
    "d8 > d6",
    "5d10 count >= 8",
    "2d6 explode 3 times",
    "d6 reroll 1 once",
    "max(d12, 2d6) - d4",
    "(d4)d6",
)


async def _show(request: Request) -> Response:
    expression = value_in(request, "expression", EXAMPLES[1])

    def ask() -> list[Question]:
        return [asked("dice law", expression=expression)]

    def show(law: Report) -> dict[str, Any]:
        return {
            "title": law.title,
            "figure": canonical(asked("dice law", expression=expression), suffix=".svg"),
            "html": Markup(body(law, 10, MOST_ROWS)),  # noqa: S704 - escaped by the writer
        }

    return await played(
        request, "calculator.html", ask, show, expression=expression, examples=EXAMPLES
    )


CALCULATOR = Game(
    "/play/dice",
    "Dice",
    "Dice calculator",
    "Write dice as at the table, such as 4d6 keep highest 3, and see their exact law.",
    _show,
)

#: The pages, in the order in which the first page lists them.
PLAY: tuple[Game, ...] = (CALCULATOR, *listed(GAMES, "page"))
