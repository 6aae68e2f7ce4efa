"""Expressions over dice, as they are written at a table: ``4d6 keep highest 3 + 2``.

The grammar, in which ``[…]`` may be left out and ``{…}`` repeats::

    comparison = sum [("<" | "<=" | ">" | ">=" | "=" | "!=") sum]
    sum        = product {("+" | "-") product}
    product    = signed {("*" | "//" | "%") signed}
    signed     = ["-"] changed
    changed    = rolled {change}
    rolled     = [NUMBER] die | NUMBER | ("max" | "min") list | list [die]
    list       = "(" comparison {"," comparison} ")"
    die        = "d" NUMBER | "d%" | "d{" [-]NUMBER {"," [-]NUMBER} "}"
    change     = ("keep" | "drop") ("highest" | "lowest" | "middle") [NUMBER]
               | "explode" ["on" NUMBER {"," NUMBER}] ("once" | NUMBER "times")
               | "reroll" NUMBER {"," NUMBER} ["once" | NUMBER "times"]
               | "count" ("<" | "<=" | ">" | ">=" | "=" | "!=") NUMBER

Every mention of dice is a roll of its own. A change is of the dice right before it: ``explode``
and ``reroll`` are of each die by itself, ``keep``, ``drop`` and ``count`` are of all of them
together; a list of unlike dice, such as ``(2d6, d8) keep highest``, is one pool. ``explode`` says
how often at most, for without an end the outcomes have none. ``//`` rounds down, ``%`` is the rest
of that, and a comparison has the outcomes yes and no, which count as 1 and 0 in arithmetic.
``(d4)d6`` is as many dice as the first roll shows.

Nothing is evaluated by Python: the text is read into nodes, and each node has its law from
`exactdice.dice`.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from exactdice.dice.distribution import Distribution
from exactdice.dice.nodes import (
    BINDS,
    COMPARISONS,
    MAX_DICE,
    MAX_FACES,
    SIGNED,
    SUMS,
    Again,
    Binary,
    Counted,
    Dice,
    Extreme,
    Kept,
    Negated,
    Node,
    Number,
    Several,
    wrong,
)
from exactdice.errors import InputError
from exactdice.question.domains import Domain
from exactdice.run import DEFAULT, Run

#: The longest expression, in characters.
MAX_LENGTH = 400
_DEEPEST = 30  # lists within lists
_LARGEST = 10**15  # of a number that is written

_TOKEN = re.compile(r"\s*(?:([0-9]+)|(d%|[<>!=]=|//|[-+*%<>=(){},])|([a-z]+))", re.ASCII)
_SAME = {"==": "=", "kh": "keep highest", "kl": "keep lowest", "dh": "drop highest"}
_SAME |= {"dl": "drop lowest", "time": "times"}
_ALIKE = str.maketrans({"×": "*", "·": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="})


class _Reader:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._depth = 0

    def read(self) -> Node:
        node = self._comparison()
        if self._tokens:
            raise self._unexpected("an operator such as + or >, or the end")
        if isinstance(node, Several):
            raise wrong(str(node), "what to keep of a list, as (2d6, d8) keep highest")
        return node

    def _unexpected(self, wanted: str) -> InputError:
        got = repr(self._tokens[0]) if self._tokens else "its end"
        return wrong(got, wanted)

    def _next_is(self, *tokens: str) -> bool:
        return bool(self._tokens) and self._tokens[0] in tokens

    def _take(self, *tokens: str) -> str:
        if not self._next_is(*tokens):
            raise self._unexpected(" or ".join(tokens))
        return self._tokens.pop(0)

    def _number(self, least: int, most: int, wanted: str) -> int:
        if not self._tokens or not self._tokens[0].isdigit():
            raise self._unexpected(wanted)
        digits = self._tokens.pop(0)
        number = int(digits)  # which are few, as the text is short
        if not least <= number <= most:
            raise wrong(digits, f"{wanted}, from {least} to {most}")
        return number

    def _comparison(self) -> Node:
        left = self._operations(SUMS)
        if not self._next_is(*COMPARISONS):
            return left
        sign = self._take(*COMPARISONS)
        return Binary(sign, _plain(left), _plain(self._operations(SUMS)))

    def _operations(self, level: int) -> Node:
        if level == SIGNED:
            if not self._next_is("-"):
                return self._changed()
            self._take("-")
            return Negated(_plain(self._changed()))
        left = self._operations(level + 1)
        signs = [sign for sign, binds in BINDS.items() if binds == level]
        while self._next_is(*signs):
            sign = self._take(*signs)
            left = Binary(sign, _plain(left), _plain(self._operations(level + 1)))
        return left

    def _changed(self) -> Node:
        node = self._rolled()
        while self._next_is("keep", "drop", "explode", "reroll", "count"):
            verb = self._take("keep", "drop", "explode", "reroll", "count")
            if verb in ("explode", "reroll"):
                if not isinstance(node, Dice) or node.rolled_by is not None:
                    raise wrong(f"{node} {verb}", f"equal dice before {verb}, as 2d6 {verb}")
                node = replace(node, changes=(*node.changes, self._again(verb)))
                continue
            number = node.number_of_dice
            if not number:
                raise wrong(f"{node} {verb}", f"dice before {verb}, as 4d6 or (2d6, d8)")
            node = self._counted(node) if verb == "count" else self._kept(node, verb, number)
        return node

    def _kept(self, node: Node, verb: str, most: int) -> Node:
        sides = ("highest", "lowest", "middle") if verb == "keep" else ("highest", "lowest")
        side = self._take(*sides)
        number = 1
        if self._tokens and self._tokens[0].isdigit():
            least, most = (1, most) if verb == "keep" else (0, most - 1)
            number = self._number(least, most, f"how many dice to {verb}")
        elif verb == "drop" and most == 1:
            raise wrong(f"{node} drop", "more than one die to drop from")
        if side == "middle" and (most - number) % 2:
            raise wrong(
                f"{node} keep middle {number}", f"a number that leaves an even rest of {most}"
            )
        return Kept(node, verb, side, number)

    def _counted(self, node: Node) -> Node:
        sign = self._take(*COMPARISONS)
        return Counted(node, sign, self._number(0, _LARGEST - 1, "a number to compare with"))

    def _again(self, verb: str) -> Again:
        on: tuple[int, ...] = ()
        if verb == "reroll":
            on = self._faces(signed=False)
        elif self._next_is("on"):
            self._take("on")
            on = self._faces(signed=False)
        if self._next_is("once"):
            self._take("once")
            return Again(verb, on, 1)
        if self._tokens and self._tokens[0].isdigit():
            times = self._number(1, 1000, "how often at most")
            self._take("times")
            return Again(verb, on, times)
        if verb == "explode":
            raise self._unexpected("how often at most, as explode 3 times")
        return Again(verb, on, None)

    def _faces(self, *, signed: bool) -> tuple[int, ...]:
        faces: list[int] = []
        while not faces or self._next_is(","):
            if faces:
                self._take(",")
            sign = 1
            if signed and self._next_is("-"):
                self._take("-")
                sign = -1
            faces.append(sign * self._number(0, MAX_FACES, "a face"))
        return tuple(faces)

    def _rolled(self) -> Node:
        if self._next_is("max", "min"):
            name = self._take("max", "min")
            return Extreme(name, tuple(map(_plain, self._list())))
        if self._next_is("("):
            parts = self._list()
            if self._next_is("d", "d%") and len(parts) == 1:
                return Dice(1, self._die(), rolled_by=_plain(parts[0]))
            return parts[0] if len(parts) == 1 else Several(tuple(map(_plain, parts)))
        if self._next_is("d", "d%"):
            return Dice(1, self._die())
        wanted = "dice such as 3d6, a number, or ("
        number = self._number(0, _LARGEST - 1, wanted)
        if not self._next_is("d", "d%"):
            return Number(number)
        if number > MAX_DICE:
            raise wrong(f"{number}d", f"at most {MAX_DICE} dice")
        return Dice(number, self._die())

    def _die(self) -> int | tuple[int, ...]:
        if self._take("d", "d%") == "d%":
            return 100
        if not self._next_is("{"):
            return self._number(1, MAX_FACES, "how many faces a die has")
        self._take("{")
        faces = self._faces(signed=True)
        self._take("}")
        return faces

    def _list(self) -> list[Node]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise wrong(f"more than {_DEEPEST} parentheses", "fewer within each other")
        self._take("(")
        parts = [self._comparison()]
        while self._next_is(","):
            self._take(",")
            parts.append(self._comparison())
        self._take(")")
        self._depth -= 1
        return parts


def _plain(node: Node) -> Node:
    """Refuse a list where one number is wanted."""
    if isinstance(node, Several):
        raise wrong(str(node), "what to keep of a list, as (2d6, d8) keep highest")
    return node


def _tokens(text: str) -> Iterator[str]:
    text = text.translate(_ALIKE).lower().strip()
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if not match:
            left = text[place:].strip()
            if left.startswith("/"):
                raise wrong("'/'", "// for a quotient that is rounded down")
            raise wrong(repr(left[:1]), "dice such as 3d6, numbers, + - * // % and comparisons")
        place = match.end()
        token = _SAME.get(match[match.lastindex or 0], match[match.lastindex or 0])
        yield from token.split()


def read_expression(text: str) -> str:
    """Read an expression and write it in its one form.

    >>> read_expression("4D6kh3+ 2"), read_expression("((d6)) - (1 - d4)")
    ('4d6 keep highest 3 + 2', 'd6 - (1 - d4)')
    >>> read_expression("4d6 keep")
    Traceback (most recent call last):
    exactdice.errors.InputError: expression: got its end; give highest or lowest or middle
    """
    return str(_read(text))


def _read(text: str) -> Node:
    if len(text) > MAX_LENGTH:
        raise wrong(f"{len(text)} characters", f"at most {MAX_LENGTH}")
    return _Reader(text).read()


def law(text: str, run: Run = DEFAULT) -> Distribution[Any]:
    """Distribution of what an expression shows.

    Raises TooLargeError if the law would take more memory than `run` allows.

    >>> from exactdice.dice import fair
    >>> law("4d6 keep highest 3") == fair(6).keep_highest(4, 3)
    True
    >>> law("d8 > d6").probability(True)
    mpq(9,16)

    Sums of equal dice cost what `Distribution.sum_of` does, kept ones what `Pool.keep` does, and
    everything else the product of the numbers of outcomes.
    """
    return _read(text).law(run)


class Expression(Domain[str]):
    """Expressions over dice, in their one form."""

    metavar = "EXPRESSION"

    def read(self, value: Any, name: str) -> str:
        """Read an expression; what is wrong with it is said of the field."""
        if not isinstance(value, str):
            raise InputError(name, value, "dice such as 3d6 + 2")
        return read_expression(value)
