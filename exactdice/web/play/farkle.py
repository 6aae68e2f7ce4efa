"""Farkle at the table: enter a roll, and see which dice to keep, and whether to roll or bank.

Both players play to win, the opponent with six fair dice, as in `farkle advise` with both scores.
Penalties for busts in a row are ignored, because solving them takes minutes. The page's address
contains the state of the turn and the cost of its choices so far, rounded to eight places; each
choice is a link to the next state, until the turn is banked or bust.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from exactdice.arithmetic import decimal, mpq, natural, rational
from exactdice.enclosure import Enclosure, exactly, percent
from exactdice.errors import ExactDiceError, InputError, Unquoted, one_named
from exactdice.games.farkle.reports import next_step
from exactdice.games.farkle.rules.dice_sets import named_dice, parse_dice
from exactdice.games.farkle.rules.rule_set import JOKER
from exactdice.games.farkle.rules.tables import KCD, RULE_SETS
from exactdice.games.farkle.turn.advice import parse_roll, roll_text
from exactdice.question import Question
from exactdice.report.eyes import Headline, headline
from exactdice.report.model import Report
from exactdice.web.play.model import PlayPage, asked, played, value_in
from exactdice.web.views import given_in

_FAIR = "fair*6"
_NAMES = {"kcd": "Kingdom Come: Deliverance", "patch": "the boxed game, 500 to bank",
          "facebook": "Facebook Farkle, 300 to bank", "zilch": "Zilch, 300 to bank",
          "ten-thousand": "Ten Thousand: ones, fives and triples"}  # fmt: skip
_LABELS = {"own": "Your score", "other": "Their score", "target": "Target",
           "points": "Points this turn", "left": "Dice in hand", "roll": "Roll",
           "dice": "Your dice", "die": "Your dice", "scores": "Scores"}  # fmt: skip
_FACE = re.compile("(?<= )[1-6](?= )")
_NOTHING = mpq(0)
_WIDTH = 96  # of the longest bar of a cost


@dataclass(frozen=True)
class _Turn:
    """The state: scores, rules, dice, points of the turn, dice in hand, roll."""

    own: int = 0
    other: int = 0
    rules: str = "kcd"
    target: int = KCD.target or 0
    dice: str = _FAIR
    points: int = 0
    left: str = _FAIR
    roll: tuple[int, ...] = ()
    lost: mpq = _NOTHING  # cost of the choices of this turn
    ended: str = ""  # how the previous turn ended; then `lost` is its cost

    @property
    def hand(self) -> tuple[Any, ...]:
        return parse_dice(self.left, "left").dice

    def address(self) -> str:
        kept = {name: value for name, value in vars(self).items()
                if value != vars(_Turn())[name] or name in ("own", "other")}  # fmt: skip
        kept |= {"roll": roll_text(self.roll)} if self.roll else {}
        kept |= {"lost": decimal(self.lost, 8)} if self.lost else {}
        return f"/play/farkle?{urlencode(kept)}"

    def over(self, own: int, ended: str) -> "_Turn":
        return replace(self, own=own, points=0, left=self.dice, roll=(), ended=ended)


def _rolled(request: Request, roll: tuple[int, ...]) -> tuple[int, ...]:
    faces = list(roll)
    if removed := value_in(request, "remove"):
        place = natural(removed, "remove", most=max(0, len(faces) - 1))
        faces[place : place + 1] = []
    if added := value_in(request, "add"):
        faces += parse_roll(added, "add")
    return tuple(faces)


def _roll_in(request: Request) -> tuple[int, ...]:
    words = value_in(request, "roll")
    return parse_roll(",".join(re.findall(r"[^\s,]", words)), "roll") if words else ()


def _read(request: Request, roll: tuple[int, ...]) -> _Turn:
    rules = value_in(request, "rules", "kcd")
    target = one_named(RULE_SETS, rules, "rules").target
    usual = {"own": "0", "other": "0", "target": str(target), "points": "0"}
    numbers = {name: natural(value_in(request, name, default), name)
               for name, default in usual.items()}  # fmt: skip
    was = RULE_SETS.get(value_in(request, "old_rules"))
    if was and numbers["target"] == was.target:  # the user has not changed it
        numbers["target"] = target or 0
    dice, left = value_in(request, "dice", _FAIR), value_in(request, "left")
    if picked := given_in(request).get("die"):  # from the lists of the page
        held = given_in(request).get("hand", [])
        dice = ",".join(picked)
        left = ",".join(die for place, die in enumerate(picked) if str(place) in held)
        if not left:
            raise InputError("left", Unquoted("no dice"), "at least one die")
    dice = str(parse_dice(dice))
    left = left or dice
    if left.isdecimal():  # a number of them, the first ones
        every = parse_dice(dice).dice
        left = ",".join(map(str, every[: natural(left, "left", least=1, most=len(every))]))
    left = str(parse_dice(left, "left"))
    ended = value_in(request, "ended") if not roll else ""
    turn = _Turn(**numbers, rules=rules, dice=dice, left=left, roll=roll, ended=ended,
                 lost=rational(value_in(request, "lost", "0"), "lost"))  # fmt: skip
    if len(roll) > len(turn.hand):
        raise InputError("roll", roll_text(roll), f"at most {len(turn.hand)} dice")
    is_new = value_in(request, "ended") and not (ended or turn.points)
    return replace(turn, lost=mpq(0)) if is_new else turn


async def _show(request: Request) -> Response:
    turn = _Turn()
    if value_in(request, "throw"):
        try:
            thrown = _read(request, ())
        except ExactDiceError:
            pass  # the page shows the error
        else:
            draw = SystemRandom()
            roll = [draw.choices(die.faces, die.weights)[0] for die in thrown.hand]
            lost = mpq(0) if value_in(request, "ended") else thrown.lost
            thrown = replace(thrown, roll=tuple(roll), ended="", lost=lost)
            return RedirectResponse(thrown.address(), 303)

    def ask() -> list[Question]:
        nonlocal turn
        turn = replace(turn, roll=(roll := _roll_in(request)))  # in case of an error
        turn = _read(request, _rolled(request, roll))
        if turn.own >= turn.target:
            return []
        # Solve the race before the roll is entered, so that advice is fast.
        rolled = turn.roll if len(turn.roll) == len(turn.hand) else tuple(
            next(face for face, weight in zip(die.faces, die.weights, strict=True) if weight)
            for die in turn.hand
        )  # fmt: skip
        return [_advise(turn, rolled)]

    def show(*advised: Report) -> dict[str, Any]:
        if turn.own >= turn.target:
            sentence = f"you win with {turn.own} points"
            return {"headline": Headline("Won", sentence), "choices": []}
        if len(turn.roll) < len(turn.hand):
            return {"choices": [], "headline": None}
        choices = list(_choices(turn, advised[0]))
        if not choices:
            chance, after = advised[0].value("value"), turn.over(turn.own, "bust")
            sentence = f"nothing scores; you still win with probability {percent(chance)}"
            bust = Headline("Bust", sentence, exactly(chance))
            return {"choices": [], "headline": bust, "next": after.address()}
        said = headline(advised[0])
        with_signs = _FACE.sub(lambda face: chr(0x267F + int(face[0])), said.sentence)  # ⚀ to ⚅
        return {"choices": choices, "headline": said._replace(sentence=with_signs)}

    names = ("own", "other", "target", "points", "rules", "old_rules")
    entered = {name: request.query_params.get(name, "") for name in names}

    def state() -> dict[str, Any]:
        missing = len(turn.hand) - len(turn.roll)
        shown = roll_text(turn.roll).split(",") if turn.roll else []
        hand, given = list(map(str, turn.hand)), given_in(request)
        dice, held = given.get("die", []), given.get("hand", [])
        picked = [(die, str(place) in held) for place, die in enumerate(dice)]
        in_hand = Counter(hand)
        for die in () if picked else map(str, parse_dice(turn.dice).dice):
            in_hand[die] -= 1
            picked.append((die, in_hand[die] >= 0))
        return {"turn": turn, "missing": missing, "faces": shown, "hand": hand, "picked": picked,
                "lost": percent(turn.lost, 2), "is_won": turn.own >= turn.target,
                "is_streak": bool(RULE_SETS[turn.rules].streak_penalty),
                "is_joker": any(JOKER in die.faces for die in turn.hand)}  # fmt: skip

    # The page is made after `ask` has read the turn.
    return await played(request, "farkle.html", ask, show, _LABELS, entered=entered, state=state,
                        rule_sets=list(_NAMES.items()), named=_chances())  # fmt: skip


@cache
def _chances() -> dict[str, str]:
    """Return the named dice, each with the chances of its faces."""
    return {name: ", ".join(f"{face}: {percent(mpq(weight, die.denominator), 0)}"
                            for face, weight in zip(die.faces, die.weights, strict=True) if weight)
            for name, die in named_dice().items()}  # fmt: skip


def _advise(turn: _Turn, roll: tuple[int, ...]) -> Question:
    same = {name: getattr(turn, name) for name in ("points", "left", "dice", "rules", "target")}
    streak = {"streak_penalty": 0} if RULE_SETS[turn.rules].streak_penalty else {}
    scores = f"{turn.own},{turn.other}"
    return asked("farkle advise", roll=roll_text(roll), scores=scores, **same, **streak)


def _choices(turn: _Turn, advice: Report) -> Iterator[dict[str, Any]]:
    rows: list[Any] = list(advice.table("choices").rows)
    worst = max([mpq(0), *(Enclosure.of(row[6]).middle for row in rows)])
    for keep, kept, then, left, score, chance, regret, best in rows:
        points, cost = turn.points + int(score), Enclosure.of(regret).middle
        lost = turn.lost + cost
        rest, is_hot = len(parse_dice(left).dice), len(keep.split(",")) == len(turn.hand)
        does = next_step(then, points, rest, is_hot=is_hot)
        after = replace(turn, points=points, left=left, roll=(), lost=lost)
        if then == "bank":
            after = replace(turn, lost=lost).over(turn.own + points, f"banked {points}")
        yield {"keep": [*zip(keep.split(","), kept.split(","), strict=True)], "then": then,
               "does": does, "score": score,
               "value": chance, "chance": percent(chance, 2), "regret": percent(regret, 2),
               "bar": decimal(cost / worst * _WIDTH, 1) if worst else "0", "best": best,
               "address": after.address()}  # fmt: skip


GAME = PlayPage("/play/farkle", "Farkle", "Farkle at the table",
                "Enter your roll: which dice to keep, and whether to bank, given both scores.",
                _show)  # fmt: skip
