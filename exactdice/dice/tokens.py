"""Tokens of a dice expression, and errors that show their place."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from exactdice.errors import InputError, TooLargeError, Unquoted

_SHOWN = 60  # characters of an expression around the place of an error
_PATTERN = re.compile(
    r"\s*(?:([0-9]+)|(d%|!!(?==)|[<>!=]=|//|\.\.|[-+*%<>=(){}\[\],!@:]|[×·−≤≥≠])|([a-z]+))",
    re.ASCII | re.IGNORECASE,
)
_FLAVOR = re.compile(
    r"(?<=[0-9a-z)}])\[(?!\s*(?:highest|lowest|middle|count|explode|absolute)\b)[^][{}]*\]",
    re.ASCII | re.IGNORECASE,
)
_SAME = {"==": "=", "kh": "keep highest", "kl": "keep lowest", "dh": "drop highest"}
_SAME |= {"dl": "drop lowest", "k": "keep highest", "time": "times", "twice": "2 times"}
_SAME |= {"×": "*", "·": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "!!": "! !"}
_SAME |= {"advantage": "adv", "disadvantage": "dis", "xo": "x once", "rr": "reroll"}
AGAIN = ("explode", "penetrate", "reroll", "!", "x", "ro")
VERBS = (*AGAIN, "keep", "drop", "count", "adv", "dis", "cs")
SIDES = ("highest", "lowest", "middle")
DICE = ("d", "d%", "df")
WORDS = (*VERBS[:4], *VERBS[6:9], *SIDES, *["once", "times", "absolute", "total", "again", "else"])

WANTS_OPERATOR = "an operator such as + or >, or the end"
SHELL = "; put expressions with * < > ( ) ! in quotation marks for the shell"
FUNCTIONS = ("floor", "ceil", "round", "output", "best", "worst", "sum", "any", "if", *SIDES)


@lru_cache
def nearest() -> dict[str, str]:
    """Return the nearest notation to words of other programs that are not read here."""
    from importlib import resources  # only for errors

    text = resources.files("exactdice.dice").joinpath("hints.txt").read_text(encoding="utf-8")
    rows = (line.rsplit(" = ", 1) for line in text.splitlines()[2:])
    return {word: hint for words, hint in rows for word in words.split()}


class Token(NamedTuple):
    text: str
    place: int
    is_apart: bool


NOTHING = Token("", 0, is_apart=False)
END = "the end of the text"


class ExpressionError(InputError):
    """An expression cannot be read or has no distribution; a caret shows the place."""

    def __init__(self, got: str, wanted: str, text: str = "", place: int = 0) -> None:
        super().__init__("expression", Unquoted(got), wanted)
        self.part = got
        if got == END:
            self.args = (f"expression: ends too early; expected {wanted}",)
        if text:
            self.args = (pointed(str(self), text, place),)

    def within(self, text: str) -> "ExpressionError":
        place = text.find(self.part)
        return self if place < 0 else ExpressionError(self.part, self.wanted, text, place)


class TooLargePartError(TooLargeError):
    def __init__(self, problem: TooLargeError, part: str) -> None:
        super().__init__(str(problem))
        self.part = part


def pointed(line: str, text: str, place: int) -> str:
    """Write a line, an expression below it, and a caret under a place in the expression."""
    first = max(0, place - _SHOWN // 2)
    shown = "".join(c if c.isprintable() else " " for c in text[first : first + _SHOWN])
    dots = "…" if first else ""
    return f"{line}\n  {dots}{shown.rstrip()}\n  {' ' * (len(dots) + place - first)}^"


def tokens(text: str) -> Iterator[Token]:
    """Yield the words, numbers and signs of an expression; abbreviations are expanded."""
    # Text in brackets after dice is for people, as in 1d4[fire], unless it is a function.
    text = _FLAVOR.sub(lambda match: " " * len(match[0]), text)
    place = 0
    while text[place:].strip():
        match = _PATTERN.match(text, place)
        if not match:
            here = len(text) - len(text[place:].lstrip())
            others = "dice such as 3d6, numbers, + - * // % and comparisons"
            wanted = nearest().get(text[here], others)
            raise ExpressionError(repr(text[here]), wanted, text, here)
        start, place = match.start(match.lastindex or 0), match.end()
        token = text[start:place].lower()
        for word in _SAME.get(token, token).split():
            yield Token(word, start, start > match.start())


def ranges(faces: tuple[int, ...]) -> str:
    """Write faces with commas between them; three or more consecutive or equal ones are short."""
    equal = [(face, len([*group])) for face, group in groupby(faces)]
    if any(number > 2 for _, number in equal):
        return ",".join(f"{f}:{n}" if n > 2 else ",".join([str(f)] * n) for f, n in equal)
    groups = groupby(enumerate(faces), lambda placed: placed[1] - placed[0])
    runs = [[face for _, face in group] for _, group in groups]
    return ",".join(f"{r[0]}..{r[-1]}" if len(r) > 2 else ",".join(map(str, r)) for r in runs)


class Tokens:
    def __init__(self, text: str) -> None:
        self._text, self._tokens = text, list(tokens(text))

    def _place(self) -> int:
        return self._tokens[0].place if self._tokens else len(self._text.rstrip())

    def _wrong(self, got: str, wanted: str, place: int | None = None) -> ExpressionError:
        return ExpressionError(got, wanted, self._text, self._place() if place is None else place)

    def _unexpected(self, wanted: str) -> ExpressionError:
        if not self._tokens:
            return self._wrong(END, wanted)
        token = self._tokens[0].text
        hint = nearest().get(token)
        if hint and (wanted == WANTS_OPERATOR or token in FUNCTIONS):
            wanted = hint
        elif token in VERBS and not self._tokens[0].place:
            wanted = f"dice before {token}; put expressions of several words in quotation marks"
        elif token.isalpha():
            from difflib import get_close_matches  # only for errors

            near = [word for word in get_close_matches(token, WORDS, 1, 7 / 10) if word != token]
            wanted += "".join(f"; did you mean {word}?" for word in near)
        elif wanted == WANTS_OPERATOR and self._tokens[0].is_apart:
            wanted += SHELL
        return self._wrong(repr(token), wanted)

    def _next_is(self, *tokens: str) -> bool:
        return bool(self._tokens) and self._tokens[0].text in tokens

    def _next_is_number(self) -> bool:
        return bool(self._tokens) and self._tokens[0].text.isdigit()

    def _take(self, *tokens: str) -> str:
        if not self._next_is(*tokens):
            raise self._unexpected(" or ".join(", ".join(tokens).rsplit(", ", 1)))
        return self._tokens.pop(0).text

    def _takes(self, *tokens: str) -> str:
        return self._take(*tokens) if self._next_is(*tokens) else ""

    def _number(self, least: int, most: int, wanted: str) -> int:
        if not self._next_is_number():
            raise self._unexpected(wanted)
        digits = self._tokens[0].text
        number = int(digits)  # few, because the text is short
        if not least <= number <= most:
            raise self._wrong(digits, f"{wanted}, from {least} to {most}")
        self._tokens.pop(0)
        return number
