"""The words and signs of an expression, and its errors, which show the place.

Much is short for the same in words, and what others write and is not read here has an error that
names the nearest that is.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from exactdice.errors import InputError, TooLargeError, Unquoted

_SHOWN = 60  # characters of an expression around the place of an error
_PATTERN = re.compile(
    r"\s*(?:([0-9]+)|(d%|!!(?==)|[<>!=]=|//|\.\.|[-+*%<>=(){}\[\],!]|[×·−≤≥≠])|([a-z]+))",
    re.ASCII | re.IGNORECASE,
)
_SAME = {"==": "=", "kh": "keep highest", "kl": "keep lowest", "dh": "drop highest"}
_SAME |= {"dl": "drop lowest", "k": "keep highest", "time": "times", "twice": "2 times"}
_SAME |= {"×": "*", "·": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "!!": "! !"}
_SAME |= {"advantage": "adv", "disadvantage": "dis", "xo": "x once", "rr": "reroll"}
VERBS = ("keep", "drop", "explode", "reroll", "count", "!", "x", "ro", "adv", "dis")
SIDES = ("highest", "lowest", "middle")
DICE = ("d", "d%", "df")
WORDS = ("keep", "drop", "explode", "reroll", "count", *SIDES, "once", "times", "absolute")

# What others write and is not read here, with the nearest that is.
WANTS_OPERATOR = "an operator such as + or >, or the end"
SHELL = "; a shell takes * < > ( ) ! for itself where they are not in quotation marks"
_PLAIN = "a number in place of what a character sheet holds"
_BOTH = "(d6 > 2) * (d8 > 3) for both; what is written twice is rolled twice"
_EITHER = "max(d6 > 2, d8 > 3) for one of both; what is written twice is rolled twice"
_FAILURES = "count, once for what succeeds: 5d{-1,0..0,1} for dice that take away"
_SIDE = "the dice before it, as 4d6 keep highest 3, or brackets, as [highest 3 of 4d6]"
NEAREST = {
    "d": f"{WANTS_OPERATOR}; to drop the lowest die write dl1, for a number of dice (d4)d6",
    "r": "ro1 to roll 1 again once, as Foundry does, or rr1 until it is another, as Roll20 does",
    "cs": "count >= 8 to count dice, as Foundry does; Roll20 only marks them and adds all",
    "even": "count {2,4,6} to count the even faces of six",
    "odd": "count {1,3,5} to count the odd faces of six",
    "ms": "- 12 for what a total has above 12",
    "/": "// for a quotient that is rounded down",
    "^": "a product, as 2 * 2",
    "&": _BOTH,
    "|": _EITHER,
    "@": _PLAIN,
    "and": _BOTH,
    "or": _EITHER,
    "best": "keep highest",
    "worst": "keep lowest",
    **dict.fromkeys(("highest", "lowest", "middle"), _SIDE),
    "floor": "// for a quotient that is rounded down",
    "ceil": "-(-a // b) for a quotient of a and b that is rounded up",
    "p": "explode without p: penetrating dice are not read",
    **dict.fromkeys(("f", "cf", "df", "sf"), _FAILURES),
    "min": "max(10, d20) for a die that shows 10 at least",
    "max": "min(10, d20) for a die that shows 10 at most",
    **dict.fromkeys(("v", "vs"), "one expression; exactdice dice compare takes several"),
    "output": "the expression alone, without output and named",
    "named": "the expression alone, without output and named",
    "e": "3d6! for explosions, or dice such as 3d6",
    '"': "an expression without quotation marks within it",
}
FUNCTIONS = ("floor", "ceil", "output", "highest", "lowest", "middle")


class Token(NamedTuple):
    """A word, number or sign: where it stands, and whether a blank is before it."""

    text: str
    place: int
    is_apart: bool


class ExpressionError(InputError):
    """An expression cannot be read, or has no law; its text shows the place with a caret below."""

    def __init__(self, got: str, wanted: str, text: str = "", place: int = 0) -> None:
        super().__init__("expression", Unquoted(got), wanted)
        self.part, self.text, self.place = got, text, place

    def within(self, text: str) -> "ExpressionError":
        """Return the same error about a part of an expression, with its place there."""
        place = text.find(self.part)
        return self if place < 0 else ExpressionError(self.part, self.wanted, text, place)

    def __str__(self) -> str:
        return pointed(super().__str__(), self.text, self.place) if self.text else super().__str__()


class TooLargePartError(TooLargeError):
    """A part of an expression would take more than may be taken."""

    def __init__(self, problem: TooLargeError, part: str) -> None:
        super().__init__(str(problem))
        self.part = part


def pointed(line: str, text: str, place: int) -> str:
    """Write an expression below a line, and a caret under a place of it."""
    first = max(0, place - _SHOWN // 2)
    shown = "".join(c if c.isprintable() else " " for c in text[first : first + _SHOWN])
    dots = "…" if first else ""
    return f"{line}\n  {dots}{shown.rstrip()}\n  {' ' * (len(dots) + place - first)}^"


def tokens(text: str) -> Iterator[Token]:
    """Cut an expression into its words, numbers and signs; what is short comes in full."""
    place = 0
    while text[place:].strip():
        match = _PATTERN.match(text, place)
        if not match:
            here = len(text) - len(text[place:].lstrip())
            wanted = NEAREST.get(
                text[here], "dice such as 3d6, numbers, + - * // % and comparisons"
            )
            raise ExpressionError(repr(text[here]), wanted, text, here)
        start, place = match.start(match.lastindex or 0), match.end()
        token = text[start:place].lower()
        for word in _SAME.get(token, token).split():
            yield Token(word, start, start > match.start())
