"""Advice in the reroll game: which dice to hold."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import natural
from exactdice.errors import InputError
from exactdice.question import Question
from exactdice.report.model import Report, number
from exactdice.web.numbers import exactly, points
from exactdice.web.play.model import Game, Headline, asked, played, value_in

_MOST_DICE = 5


async def _show(request: Request) -> Response:
    entered = {name: value_in(request, name, value) for name, value in _DEFAULTS.items()}
    roll: tuple[int, ...] = ()

    def ask() -> list[Question]:
        nonlocal roll
        faces = re.findall(r"[^\s,]", entered["roll"])
        roll = tuple(sorted(natural(face, "roll", least=1, most=6) for face in faces))
        if not 1 <= len(roll) <= _MOST_DICE:
            raise InputError("roll", entered["roll"], f"1 to {_MOST_DICE} faces from 1 to 6")
        return [asked("reroll policy", dice=len(roll), penalty=entered["penalty"])]

    def show(policy: Report) -> dict[str, Any]:
        states = policy.table("states")
        value = number(states.cell("value", state=roll))
        ties = states.cell("ties", state=roll)
        assert isinstance(ties, tuple)  # noqa: S101 - a column of lists
        best = ties[0]
        kept = " and ".join(str(roll[place]) for place in best) or "nothing"
        is_over = len(best) == len(roll)
        does = "stick" if is_over else f"hold {kept} and roll the rest again"
        return {
            "headline": Headline(points(value), f"points on average: {does}", exactly(value)),
            "roll": roll,
            "actions": [
                [(face, place in held) for place, face in enumerate(roll)] for held in ties
            ],
            "game": points(policy.value("value")),
        }

    labels = {"roll": "Dice rolled", "penalty": "Each reroll costs"}
    return await played(request, "reroll.html", ask, show, labels, entered=entered)


_DEFAULTS = {"roll": "3,4,6", "penalty": "1"}

GAME = Game(
    "/play/reroll",
    "Reroll",
    "Reroll advice",
    "The faces that you rolled: which dice to hold, and what the rest of the game is worth.",
    _show,
)
