"""Expressions over dice, as they are written at a table: ``4d6 keep highest 3 + 2``.

``exactdice help dice`` holds the grammar. Much of it is short for the same in words, as ``4d6kh3``
for ``4d6 keep highest 3``: each expression has one form, which is written, and read as itself.

Every mention of dice is a roll of its own. Nothing is evaluated by Python: the text is read into
nodes, and each node has its law from `exactdice.dice`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

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
    ExpressionError,
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
#: The most expressions that are compared.
MAX_COMPARED = 20
_DEEPEST = 30  # lists within lists
_LARGEST = 10**15  # of a number that is written

_TOKEN = re.compile(
    r"\s*(?:([0-9]+)|(d%|[<>!=]=|//|\.\.|[-+*%<>=(){}\[\],!]|[×·−≤≥≠])|([a-z]+))",
    re.ASCII | re.IGNORECASE,
)
_SAME = {"==": "=", "kh": "keep highest", "kl": "keep lowest", "dh": "drop highest"}
_SAME |= {"dl": "drop lowest", "k": "keep highest", "time": "times", "twice": "2 times"}
_SAME |= {"×": "*", "·": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "cs": "count"}
_SAME |= {"advantage": "adv", "disadvantage": "dis", "xo": "x once", "rr": "reroll"}
_VERBS = ("keep", "drop", "explode", "reroll", "count", "!", "x", "ro", "adv", "dis")
_SIDES = ("highest", "lowest", "middle")
_DICE = ("d", "d%", "df")
_WORDS = ("keep", "drop", "explode", "reroll", "count", *_SIDES, "once", "times", "absolute")

# What others write and is not read here, with the nearest that is.
_WANTS_OPERATOR = "an operator such as + or >, or the end"
_SHELL = "; a shell takes * < > ( ) ! for itself where they are not in quotation marks"
_PLAIN = "a number in place of what a character sheet holds"
_NEAREST = {
    "d": f"{_WANTS_OPERATOR}; to drop the lowest die write dl1",
    "r": "ro1 to roll 1 again once (reroll 1 once), or rr1 until it is another (reroll 1)",
    "/": "// for a quotient that is rounded down",
    "^": "a product, as 2 * 2",
    "&": "* between comparisons, where yes is 1 and no is 0",
    "|": "max( , ) of comparisons, where yes is 1 and no is 0",
    "@": _PLAIN,
    "and": "* between comparisons, where yes is 1 and no is 0",
    "or": "max( , ) of comparisons, where yes is 1 and no is 0",
    "floor": "// for a quotient that is rounded down",
    "ceil": "-(-a // b) for a quotient of a and b that is rounded up",
    "p": "explode without p: penetrating dice are not read",
    "f": "count, once for what succeeds: 5d{-1,0..0,1} for dice that take away",
    "min": "max(10, d20) for a die that shows 10 at least",
    "max": "min(10, d20) for a die that shows 10 at most",
    "vs": "one expression; exactdice dice compare takes several",
}
_FUNCTIONS = ("floor", "ceil")


class _Token(NamedTuple):
    """A word, number or sign: where it stands, and whether a blank is before it."""

    text: str
    place: int
    is_apart: bool


class _Reader:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._depth = 0

    def read(self) -> Node:
        node = self._comparison()
        if self._tokens:
            raise self._unexpected(_WANTS_OPERATOR)
        return self._plain(node, 0)

    def _place(self) -> int:
        return self._tokens[0].place if self._tokens else len(self._text.rstrip())

    def _wrong(self, got: str, wanted: str, place: int | None = None) -> ExpressionError:
        return wrong(got, wanted, self._text, self._place() if place is None else place)

    def _unexpected(self, wanted: str) -> ExpressionError:
        if not self._tokens:
            return self._wrong("its end", wanted)
        token = self._tokens[0].text
        if token in _NEAREST and (wanted == _WANTS_OPERATOR or token in _FUNCTIONS):
            wanted = _NEAREST[token]
        elif token in _VERBS and not self._tokens[0].place:
            wanted = f"dice before {token}; what has several words stands in quotation marks"
        elif token.isalpha():
            from difflib import get_close_matches  # which a good expression does not wait for

            wanted += "".join(f"; perhaps {word}" for word in get_close_matches(token, _WORDS, 1))
        elif wanted == _WANTS_OPERATOR and self._tokens[0].is_apart:
            wanted += _SHELL
        return self._wrong(repr(token), wanted)

    def _next_is(self, *tokens: str) -> bool:
        return bool(self._tokens) and self._tokens[0].text in tokens

    def _next_is_number(self) -> bool:
        return bool(self._tokens) and self._tokens[0].text.isdigit()

    def _take(self, *tokens: str) -> str:
        if not self._next_is(*tokens):
            raise self._unexpected(" or ".join(tokens))
        return self._tokens.pop(0).text

    def _number(self, least: int, most: int, wanted: str) -> int:
        if not self._next_is_number():
            raise self._unexpected(wanted)
        digits = self._tokens[0].text
        number = int(digits)  # which are few, as the text is short
        if not least <= number <= most:
            raise self._wrong(digits, f"{wanted}, from {least} to {most}")
        self._tokens.pop(0)
        return number

    def _plain(self, node: Node, place: int) -> Node:
        """Refuse a list where one number is wanted."""
        if isinstance(node, Several):
            wanted = "what to keep of a list, as (2d6, d8) keep highest"
            raise self._wrong(str(node), wanted, place)
        return node

    def _comparison(self) -> Node:
        place = self._place()
        left = self._operations(SUMS)
        if not self._next_is(*COMPARISONS):
            return left
        sign, left = self._take(*COMPARISONS), self._plain(left, place)
        place = self._place()
        return Binary(sign, left, self._plain(self._operations(SUMS), place))

    def _operations(self, level: int) -> Node:
        place = self._place()
        if level == SIGNED:
            if not self._next_is("-"):
                return self._changed()
            self._take("-")
            return Negated(self._plain(self._changed(), place))
        left = self._operations(level + 1)
        signs = [sign for sign, binds in BINDS.items() if binds == level]
        while self._next_is(*signs):
            sign, left = self._take(*signs), self._plain(left, place)
            place = self._place()
            left = Binary(sign, left, self._plain(self._operations(level + 1), place))
        return left

    def _changed(self) -> Node:
        node = self._rolled()
        while self._next_is(*_VERBS):
            place = self._place()
            verb = self._take(*_VERBS)
            if verb in ("explode", "reroll", "!", "x", "ro"):
                if not isinstance(node, Dice) or node.rolled_by is not None:
                    wanted = f"equal dice before {verb}, as 2d6 {verb}"
                    raise self._wrong(f"{node} {verb}", wanted, place)
                node = replace(node, changes=(*node.changes, self._again(verb, node)))
            elif verb in ("adv", "dis"):
                if not isinstance(node, Dice) or node.number_of_dice != 1:
                    raise self._wrong(f"{node} {verb}", f"one die before {verb}, as d20", place)
                node = _twice(node, verb)
            elif not (number := node.number_of_dice):
                wanted = f"dice before {verb}, as 4d6 or (2d6, d8)"
                raise self._wrong(f"{node} {verb}", wanted, place)
            elif verb == "count":
                node = self._counted(node)
            else:
                node = self._kept(node, verb, number, place)
        return node

    def _kept(self, node: Node, verb: str, most: int, place: int) -> Node:
        side = self._take(*(_SIDES if verb == "keep" else _SIDES[:2]))
        number = 1
        if self._next_is_number():
            least, most = (1, most) if verb == "keep" else (0, most - 1)
            number = self._number(least, most, f"how many dice to {verb}")
        elif verb == "drop" and most == 1:
            raise self._wrong(f"{node} drop", "more than one die to drop from", place)
        return self._middle(Kept(node, verb, side, number), most, place)

    def _middle(self, kept: Kept, most: int, place: int) -> Kept:
        """Refuse a middle that has not as many dice on either side."""
        if kept.side == "middle" and (most - kept.number) % 2:
            got = f"{kept.of} keep middle {kept.number}"
            raise self._wrong(got, f"a number that leaves an even rest of {most}", place)
        return kept

    def _counted(self, node: Node) -> Node:
        if self._next_is("{"):
            return Counted(node, "", self._braced())
        sign = self._take(*COMPARISONS) if not self._next_is_number() else "="
        return Counted(node, sign, self._number(0, _LARGEST - 1, "a number to compare with"))

    def _again(self, verb: str, dice: Dice) -> Again:
        on: tuple[int, ...] = ()
        is_short = verb in ("!", "x")
        times = 1 if verb == "ro" else None
        if verb == "!" and self._next_is("!"):  # compounding, which each die does here anyway
            self._take("!")
        if verb == "x" and self._next_is("once"):
            times = len(self._take("once")) // 4
        if is_short and self._tokens and not self._tokens[0].is_apart:
            if self._next_is_number() or self._next_is(*COMPARISONS):
                on = self._which(dice, or_equal=verb == "!")
        elif verb in ("reroll", "ro"):
            on = self._which(dice, or_equal=verb == "ro")
        elif self._next_is("on"):
            self._take("on")
            on = self._which(dice)
        if dice.changes and dice.changes[-1].is_endless:
            raise self._wrong(f"{dice} {verb}", "explode last, or with how often at most")
        verb = "reroll" if verb in ("reroll", "ro") else "explode"
        if self._next_is("once") and times is None:
            self._take("once")
            times = 1
        elif self._next_is_number() and times is None:
            times = self._number(1, 1000, "how often at most")
            self._take("times")
        return Again(verb, on, times)

    def _which(self, dice: Dice, *, or_equal: bool = False) -> tuple[int, ...]:
        """Read faces, or a comparison that some of a die's faces meet; Roll20's are with equal."""
        if not self._next_is(*COMPARISONS):
            return self._faces(signed=False)
        place = self._place()
        sign = self._take(*COMPARISONS)
        sign = {"<": "<=", ">": ">="}.get(sign, sign) if or_equal else sign
        bound = self._number(0, MAX_FACES, "a face")
        of = dice.faces
        if isinstance(of, Node) or any(change.verb == "explode" for change in dice.changes):
            raise self._wrong(f"{sign} {bound}", f"the faces of {dice} with commas between", place)
        shown = range(1, of + 1) if isinstance(of, int) else sorted(set(of))
        faces = tuple(face for face in shown if COMPARISONS[sign](face, bound))
        if not faces or faces[0] < 0:
            wanted = f"what faces from 0 of {dice} meet; after a blank it would be about the total"
            raise self._wrong(f"{sign} {bound}", wanted, place)
        return faces

    def _faces(self, *, signed: bool) -> tuple[int, ...]:
        faces: list[int] = []
        while not faces or self._next_is(","):
            if faces:
                self._take(",")
            place = self._place()
            first = last = self._face(signed)
            if self._next_is(".."):
                self._take("..")
                last = self._face(signed)
            if not first <= last < first + MAX_FACES - len(faces):
                wanted = f"faces in ascending order, {MAX_FACES} at most"
                raise self._wrong(f"{first}..{last}", wanted, place)
            faces += range(first, last + 1)
        return tuple(faces)

    def _face(self, signed: bool) -> int:
        if signed and self._next_is("-"):
            self._take("-")
            return -self._number(0, MAX_FACES, "a face")
        return self._number(0, MAX_FACES, "a face")

    def _braced(self) -> tuple[int, ...]:
        self._take("{")
        faces = self._faces(signed=True)
        self._take("}")
        return faces

    def _rolled(self) -> Node:
        if self._next_is("max", "min", "abs"):
            name, place = self._take("max", "min", "abs"), self._place()
            parts = self._list()
            if name == "abs" and len(parts) > 1:
                raise self._wrong(f"{len(parts)} numbers", "one to abs", place)
            return Extreme(name, tuple(parts))
        if self._next_is("adv", "dis"):
            return _twice(Dice(1, 20), self._take("adv", "dis"))
        if self._next_is("["):
            return self._anydice()
        if self._next_is("{"):
            return Several(tuple(self._list("{", "}")), is_apart=True)
        if self._next_is("("):
            parts = self._list(plain=False)
            if self._next_is(*_DICE) and len(parts) == 1:
                return Dice(1, self._die(), rolled_by=parts[0])
            return parts[0] if len(parts) == 1 else Several(tuple(parts))
        if self._next_is(*_DICE):
            return Dice(1, self._die())
        place = self._place()
        number = self._number(0, _LARGEST - 1, "dice such as 3d6, a number, or (")
        if not self._next_is(*_DICE):
            return Number(number)
        if number > MAX_DICE:
            raise self._wrong(f"{number}d", f"at most {MAX_DICE} dice", place)
        return Dice(number, self._die())

    def _die(self) -> int | tuple[int, ...] | Node:
        word = self._take(*_DICE)
        if word != "d":
            return 100 if word == "d%" else (-1, 0, 1)
        if self._next_is("{"):
            return self._braced()
        if not self._next_is("(", "["):
            return self._number(1, MAX_FACES, "how many faces a die has")
        place = self._place()
        of = self._anydice() if self._next_is("[") else self._list()[0]
        if not isinstance(of, Number):
            return of
        if not 1 <= of.value <= MAX_FACES:
            wanted = f"how many faces a die has, from 1 to {MAX_FACES}"
            raise self._wrong(str(of), wanted, place)
        return of.value

    def _list(self, opening: str = "(", closing: str = ")", *, plain: bool = True) -> list[Node]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._wrong(f"more than {_DEEPEST} parentheses", "fewer within each other")
        self._take(opening)
        parts: list[Node] = []
        while not parts or self._next_is(","):
            if parts:
                self._take(",")
            place = self._place()
            parts.append(self._comparison())
            if plain or len(parts) > 1 or self._next_is(","):
                self._plain(parts[-1], place)
        self._take(closing)
        self._depth -= 1
        return parts

    def _anydice(self) -> Node:
        """Read a function of AnyDice."""
        self._take("[")
        place, word = self._place(), self._take(*_SIDES, "count", "explode", "absolute")
        node: Node
        if word == "absolute":
            if self._next_is("of"):
                self._take("of")
            here = self._place()
            node = Extreme("abs", (self._plain(self._comparison(), here),))
        elif word == "explode":
            node = Dice(1, self._die(), changes=(Again("explode", (), 2),))
        else:
            place = self._place()
            counted = self._braced() if word == "count" and self._next_is("{") else None
            number = 0 if counted else self._number(0, _LARGEST - 1, "a number, or {5,6} to count")
            self._take("in" if word == "count" else "of")
            node = self._changed()
            most = node.number_of_dice or 0
            if word == "count" and most:
                node = Counted(node, "" if counted else "=", counted or number)
            elif not 1 <= number <= most:
                got, wanted = f"{number} of {node}", "how many of dice such as 4d6, from 1"
                raise self._wrong(got, f"{wanted} to {most}" if most else wanted, place)
            else:
                node = self._middle(Kept(node, "keep", word, number), most, place)
        self._take("]")
        return node


def _twice(die: Dice, verb: str) -> Node:
    """Roll a die with advantage or with disadvantage."""
    return Kept(replace(die, number=2), "keep", "highest" if verb == "adv" else "lowest", 1)


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if not match:
            here = len(text) - len(text[place:].lstrip())
            wanted = _NEAREST.get(
                text[here], "dice such as 3d6, numbers, + - * // % and comparisons"
            )
            raise wrong(repr(text[here]), wanted, text, here)
        start, place = match.start(match.lastindex or 0), match.end()
        token = text[start:place].lower()
        for word in _SAME.get(token, token).split():
            yield _Token(word, start, start > match.start())


def read_expression(text: str) -> str:
    """Read an expression and write it in its one form.

    >>> read_expression("4D6kh3+ 2"), read_expression("((d6)) - (1 - d4)")
    ('4d6 keep highest 3 + 2', 'd6 - (1 - d4)')
    >>> read_expression("4d6 keep")
    Traceback (most recent call last):
    exactdice.dice.nodes.ExpressionError: expression: got its end; give highest or lowest or middle
      4d6 keep
              ^
    """
    written = str(parsed(text))
    if len(written) > MAX_LENGTH:
        raise wrong(f"{len(written)} characters when written out", f"at most {MAX_LENGTH}")
    return written


def parsed(text: str) -> Node:
    """Read an expression into its nodes."""
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
    node = parsed(text)
    try:
        return node.law(run)
    except ExpressionError as problem:
        raise problem.within(str(node)) from None


class Expression(Domain[str]):
    """Expressions over dice, in their one form."""

    metavar = "EXPRESSION"
    takes_words = True

    def read(self, value: Any, name: str) -> str:
        """Read an expression; what is wrong with it is said of the field."""
        if not isinstance(value, str):
            raise InputError(name, value, "dice such as 3d6 + 2")
        return read_expression(value)


class Expressions(Domain[tuple[str, ...]]):
    """Two or more expressions, with ``vs`` between.

    >>> Expressions().read("4d6kh3 vs 3d6", "expressions")
    ('4d6 keep highest 3', '3d6')
    """

    metavar = "EXPRESSION vs EXPRESSION"
    takes_words = True
    _VERSUS = re.compile(r"\s+(?:vs\.?|versus)\s+|;", re.IGNORECASE)

    def read(self, value: Any, name: str) -> tuple[str, ...]:
        """Read them, from one text or from a sequence."""
        texts = self._VERSUS.split(value) if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not 2 <= len(texts) <= MAX_COMPARED:
            wanted = f"from 2 to {MAX_COMPARED} expressions, as 4d6kh3 vs 3d6"
            raise InputError(name, value, wanted)
        return tuple(Expression().read(text, name) for text in texts)

    def write(self, value: tuple[str, ...]) -> str:
        """Write them with ``vs`` between."""
        return " vs ".join(value)

    def joined(self, words: Sequence[str]) -> str:
        """Put words together; without ``vs`` each is an expression."""
        text = " ".join(words)
        return text if self._VERSUS.search(text) else " vs ".join(words)
