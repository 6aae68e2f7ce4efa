"""Farkle at the table: click what was rolled; what to keep, and whether to roll on or bank.

Both players have six fair dice and play to win, as in `farkle advise` with both scores. The page's
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
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.web.play.model import Game, asked, percent, played, value_in

__all__ = ["GAME"]

_DICE = 6


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


def _read(request: Request) -> _Turn:
    numbers = {
        name: natural(value_in(request, name, default), name)
        for name, default in (("own", "0"), ("other", "0"), ("target", "4000"), ("points", "0"))
    }
    left = natural(value_in(request, "left", str(_DICE)), "left", least=1, most=_DICE)
    faces = [face for face in re.split(r"[\s,]+", value_in(request, "roll")) if face]
    roll = [natural(face, "roll", least=1, most=6) for face in faces]
    if removed := value_in(request, "remove"):
        place = natural(removed, "remove", most=len(roll))
        roll = roll[:place] + roll[place + 1 :]
    if added := value_in(request, "add"):
        roll.append(natural(added, "add", least=1, most=6))
    if len(roll) > left:
        raise InputError("roll", ",".join(map(str, roll)), f"at most {left} dice")
    return _Turn(**numbers, left=left, roll=tuple(roll))


async def _show(request: Request) -> Response:
    turn = _Turn(0, 0, 4000, 0, _DICE, ())

    def ask() -> list[Question]:
        nonlocal turn
        turn = _read(request)
        is_over = turn.own >= turn.target
        # While nothing is rolled the race is solved already, so that advice does not wait.
        roll = turn.roll if len(turn.roll) == turn.left else (1,) * turn.left
        return [] if is_over else [_advise(turn, roll)]

    def show(advice: Report) -> dict[str, Any]:
        if len(turn.roll) < turn.left:
            return {"choices": [], "bust": False}
        return {
            "choices": [_choice(turn, row) for row in advice.table("choices").rows],
            "bust": advice.value("bust"),
            "next": replace(turn, points=0, left=_DICE, roll=()).address(),
        }

    given = {name: request.query_params.get(name, "") for name in ("own", "other", "target")}

    def state() -> dict[str, Any]:
        return {"turn": turn, "missing": turn.left - len(turn.roll), "won": turn.own >= turn.target}

    # The page is made after `ask` has read the turn.
    return await played(request, "farkle.html", ask, show, given=given, state=state)


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
    if isinstance(chance, Enclosure):
        chance = (chance.lower + chance.upper) / 2
    return percent(chance, 2)


GAME = Game(
    "/play/farkle",
    "Farkle at the table",
    "Click the dice that you rolled: what to keep, and whether to roll or bank, with both scores.",
    _show,
)
