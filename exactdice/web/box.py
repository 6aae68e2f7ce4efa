"""One box that takes a question in the words of a table, and finds the page that answers it."""

import re
from urllib.parse import urlencode

from exactdice.errors import ExactDiceError
from exactdice.rooms import question_class
from exactdice.web.forms import question_from

_BATTLE = re.compile(
    r"(?:risk )?(\d+) (?:v|vs|against|x) (\d+(?:[ ,]+\d+)*)(?: risk)?|risk (\d+) ([\d ,]+)"
)
_ROLL = re.compile(r"(farkle |reroll )?((?:[1-6][ ,]*){1,6})(farkle|reroll)?")
_DICE = re.compile(r"(?<![a-z])\d*d[\d%f{(\[]", re.IGNORECASE)
_PLAYED = re.compile(r"(?:play )?(pig|yahtzee|reroll|swe|fatestones|farkle|risk|dice)")
_AGAINST = {"pig": "pig-20", "yahtzee": "yahtzee"}


def address_for(text: str) -> str:
    """Find the page that answers a text; empty where none does.

    >>> address_for("12 v 8 risk"), address_for("Risk 30 against 3 2 1")
    ('/play/risk?attackers=12&defenders=8', '/play/risk?attackers=30&defenders=3&then=2+1')
    >>> address_for("farkle 115346"), address_for("reroll 3 4 6")
    ('/play/farkle?roll=1%2C1%2C5%2C3%2C4%2C6', '/play/reroll?roll=346')
    >>> address_for("4d6kh3"), address_for("4d6 v 3d6")
    ('/play/dice?expression=4d6kh3', '/play/dice?expression=4d6&other=3d6')
    >>> address_for("pig"), address_for("shut the box"), address_for("chess")
    ('/play/against?game=pig-20', '/ask/book?name=shut-the-box', '')
    """
    words = " ".join(text.lower().split())
    if battle := _BATTLE.fullmatch(words):
        attackers, defended = battle[1] or battle[3], battle[2] or battle[4]
        first, *later = re.findall(r"\d+", defended)
        then = {"then": " ".join(later)} if later else {}
        return _address("risk", attackers=attackers, defenders=first, **then)
    roll = _ROLL.fullmatch(words)
    if roll and (roll[1] or roll[3] or len(re.findall(r"\d", words)) > 1):
        faces = re.findall(r"\d", roll[2])
        if "reroll" in words:
            return _address("reroll", roll="".join(faces))
        left = {} if len(faces) == 6 else {"left": str(len(faces))}
        return _address("farkle", roll=",".join(faces), **left)
    if game := _PLAYED.fullmatch(words):
        match = _AGAINST.get(game[1])
        return _address("against", game=match) if match else f"/play/{game[1]}"
    if (name := words.replace(" ", "-")) in question_class("book").parameters()[0].domain.words:
        return f"/ask/book?name={name}"
    rolls = rolls_in(" ".join(text.split()).removeprefix("dice ").replace(" or ", " vs "))
    if len(rolls) <= 2 and all(map(_is_dice, rolls)):
        other = {"other": rolls[1]} if len(rolls) == 2 else {}
        return _address("dice", expression=rolls[0], **other)
    return ""


def rolls_in(text: str) -> list[str]:
    """Take apart what stands on either side of ``v``."""
    domain = question_class("dice compare").parameters()[0].domain
    return domain.apart(text)  # type: ignore[attr-defined, no-any-return] # of Expressions


def _address(path: str, **fields: str) -> str:
    return f"/play/{path}?{urlencode(fields)}"


def _is_dice(text: str) -> bool:
    """Whether a text is dice, or is meant as dice: their page shows what is wrong with it."""
    if _DICE.search(text):
        return True
    try:
        question_from(question_class("dice distribution"), {"expression": [text]})
    except ExactDiceError:
        return False
    return bool(text.strip())
