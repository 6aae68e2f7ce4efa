"""Farkle at the table: click what was rolled; what to keep, and whether to roll on or bank.

Both players have six fair dice and play to win, as in `farkle advise` with both scores, whose rules
and target are the page's where none is given. The page's
address holds the state of the turn; a link leads on to the state after each choice.
"""

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import natural
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games.farkle.rules.tables import KCD
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.web.play.model import Game, asked, percent, played, value_in

_DICE = 6
_TARGET = str(KCD.target)


@dataclass(frozen=True)
class _Turn:
    """What stands on the table: the scores, the points of the turn, the dice in hand and rolled."""

    own: int
    other: int
    target: int
    points: int
    left: int
    roll: tuple[int, ...]

    def address(self) -> str:
        fields = {name: str(getattr(self, name)) for name in ("own", "other", "target", "points")}
        fields |= {"left": str(self.left), "roll": ",".join(map(str, self.roll))}
        return f"/play/farkle?{urlencode(fields)}"

    def after(self, then: str, score: int, left: int) -> "_Turn":
        points = self.points + score
        if then == "bank":
            return replace(self, own=self.own + points, points=0, left=_DICE, roll=())
        return replace(self, points=points, left=left, roll=())


def _rolled(request: Request) -> tuple[int, ...]:
    """The dice that lie there, after the click that sent them."""
    faces = [face for face in re.split(r"[\s,]+", value_in(request, "roll")) if face]
    roll = [natural(face, "roll", least=1, most=6) for face in faces]
    if removed := value_in(request, "remove"):
        place = natural(removed, "remove", most=len(roll))
        roll = roll[:place] + roll[place + 1 :]
    if added := value_in(request, "add"):
        roll.append(natural(added, "add", least=1, most=6))
    return tuple(roll)


def _read(request: Request, roll: tuple[int, ...]) -> _Turn:
    numbers = {
        name: natural(value_in(request, name, default), name)
        for name, default in (("own", "0"), ("other", "0"), ("target", _TARGET), ("points", "0"))
    }
    left = natural(value_in(request, "left", str(_DICE)), "left", least=1, most=_DICE)
    if len(roll) > left:
        raise InputError("roll", ",".join(map(str, roll)), f"at most {left} dice")
    return _Turn(**numbers, left=left, roll=roll)


async def _show(request: Request) -> Response:
    turn = _Turn(0, 0, int(_TARGET), 0, _DICE, ())

    def ask() -> list[Question]:
        nonlocal turn
        roll = _rolled(request)
        turn = replace(turn, roll=roll[:_DICE])  # what lies there, should a number be wrong
        turn = _read(request, roll)
        is_over = turn.own >= turn.target
        # While nothing is rolled the race is solved already, so that advice does not wait.
        rolled = turn.roll if len(turn.roll) == turn.left else (1,) * turn.left
        return [] if is_over else [_advise(turn, rolled)]

    def show(advice: Report) -> dict[str, Any]:
        if len(turn.roll) < turn.left:
            return {"choices": [], "bust": False}
        return {
            "choices": [_choice(turn, row) for row in advice.table("choices").rows],
            "bust": advice.value("bust"),
            "next": replace(turn, points=0, left=_DICE, roll=()).address(),
        }

    fields = ("own", "other", "target", "points", "left")
    entered = {name: request.query_params.get(name, "") for name in fields}

    def state() -> dict[str, Any]:
        return {"turn": turn, "missing": turn.left - len(turn.roll), "won": turn.own >= turn.target}

    # The page is made after `ask` has read the turn.
    return await played(request, "farkle.html", ask, show, entered=entered, state=state)


def _advise(turn: _Turn, roll: tuple[int, ...]) -> Question:
    return asked(
        "farkle advise",
        roll=",".join(map(str, roll)),
        points=turn.points,
        left=turn.left,
        target=turn.target,
        scores=f"{turn.own},{turn.other}",
    )


def _choice(turn: _Turn, row: Any) -> dict[str, Any]:
    keep, _, then, left, score, chance, regret, best = row
    rest = 0 if left == "-" else int(left.partition("*")[2] or 1)
    return {
        "keep": [int(face) for face in keep.split(",")],
        "then": then,
        "rest": rest,
        "score": score,
        "chance": _shown(chance),
        "regret": _shown(regret),
        "best": best,
        "address": turn.after(then, score, rest).address(),
    }


def _shown(chance: Any) -> str:
    """A chance in percent; the middle of what is known of it."""
    return percent(Enclosure.of(chance).middle, 2)


GAME = Game(
    "/play/farkle",
    "Farkle",
    "Farkle at the table",
    "Click the dice that you rolled: what to keep, and whether to roll or bank, with both scores.",
    _show,
)
