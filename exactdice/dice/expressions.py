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

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from flint import fmpz_poly

from exactdice.dice.distribution import Distribution, fair
from exactdice.dice.pools import pool
from exactdice.errors import InputError, Unquoted
from exactdice.memory import stored_bytes
from exactdice.question.domains import Domain
from exactdice.run import DEFAULT, Run

__all__ = ["MAX_DICE", "MAX_FACES", "MAX_LENGTH", "Expression", "law", "read_expression"]

#: The longest expression, in characters.
MAX_LENGTH = 400
#: The most dice that one mention rolls, and the most faces of a die.
MAX_DICE = 100_000
MAX_FACES = 100_000

_DEEPEST = 30  # lists within lists
_LARGEST = 10**15  # of a number that is written

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_SUMS, _PRODUCTS, _SIGNED = 1, 2, 3
_BINDS = dict.fromkeys(_COMPARISONS, 0) | {"+": _SUMS, "-": _SUMS}
_BINDS |= {"*": _PRODUCTS, "//": _PRODUCTS, "%": _PRODUCTS}

_TOKEN = re.compile(r"\s*(?:([0-9]+)|(d%|[<>!=]=|//|[-+*%<>=(){},])|([a-z]+))", re.ASCII)
_SAME = {"==": "=", "kh": "keep highest", "kl": "keep lowest", "dh": "drop highest"}
_SAME |= {"dl": "drop lowest", "time": "times"}
_ALIKE = str.maketrans({"×": "*", "·": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="})


class _Node:
    """A part of an expression; `binds` says how tightly, for the parentheses around it."""

    binds = _SIGNED + 1

    def law(self, run: Run) -> Distribution[Any]:
        """Distribution of what it shows."""
        raise NotImplementedError

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        """The dice that it rolls, each with how many of it there are."""
        return [(1, self.law(run))]

    @property
    def number_of_dice(self) -> int | None:
        """How many dice are before a change; None where there is nothing that can be changed."""
        return None


@dataclass(frozen=True)
class _Number(_Node):
    value: int

    def law(self, run: Run) -> Distribution[Any]:
        return Distribution({self.value: 1})

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class _Dice(_Node):
    """Equal dice, each changed by itself before they are added."""

    number: int
    faces: int | tuple[int, ...]
    rolled_by: _Node | None = None
    changes: tuple["_Again", ...] = ()

    def die(self) -> Distribution[Any]:
        one: Distribution[Any]
        one = (
            fair(self.faces) if isinstance(self.faces, int) else Distribution.from_faces(self.faces)
        )
        for change in self.changes:
            one = change.applied(one)
        return one

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [(self.number, self.die())]

    @property
    def number_of_dice(self) -> int | None:
        return self.number if self.rolled_by is None else None

    def law(self, run: Run) -> Distribution[Any]:
        if self.rolled_by is None:
            return self.die().sum_of(self.number)
        counts = _numbers(self.rolled_by.law(run))
        if min(counts) < 0 or max(counts) > MAX_DICE:
            raise _wrong(f"({self.rolled_by})d", f"from 0 to {MAX_DICE} dice before a d")
        return counts @ self.die()

    def __str__(self) -> str:
        many = "" if self.number == 1 else str(self.number)
        many = many if self.rolled_by is None else f"({self.rolled_by})"
        faces = str(self.faces)
        if isinstance(self.faces, tuple):
            faces = f"{{{','.join(map(str, self.faces))}}}"
        return " ".join([f"{many}d{faces}", *map(str, self.changes)])


@dataclass(frozen=True)
class _Again:
    """What is rolled again: ``explode`` adds the new roll, ``reroll`` takes its place."""

    verb: str
    on: tuple[int, ...]
    times: int | None

    def applied(self, die: Distribution[Any]) -> Distribution[Any]:
        if self.verb == "explode":
            return die.explode(self.times or 0, self.on or None)
        if self.times is None and not set(die) - set(self.on):
            raise _wrong(str(self), "faces that leave some to end on")
        return die.reroll(self.on, self.times)

    def __str__(self) -> str:
        faces = ",".join(map(str, self.on))
        if self.verb == "explode" and faces:
            faces = f"on {faces}"
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


@dataclass(frozen=True)
class _Several(_Node):
    """A list: unlike dice that are rolled together."""

    parts: tuple[_Node, ...]

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [
            found
            for part in self.parts
            for found in (part.dice(run) if part.number_of_dice else [(1, _numbers(part.law(run)))])
        ]

    @property
    def number_of_dice(self) -> int | None:
        return sum(part.number_of_dice or 1 for part in self.parts)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class _Kept(_Node):
    of: _Node
    verb: str
    side: str
    number: int

    def law(self, run: Run) -> Distribution[Any]:
        dice = self.of.dice(run)
        together = pool(*(part for many, die in dice for part in (many, die)))
        number, side = self.number, self.side
        if self.verb == "drop":
            number, side = len(together) - number, {"highest": "lowest", "lowest": "highest"}[side]
        # Each state is a count of every kind of die with a sum of those that are kept.
        faces = {face for _, die in dice for face in die}
        sums = (max(faces) - min(faces) + 1) * number
        states = reduce(operator.mul, ((many + 1) for many, _ in dice), sums)
        run.require(stored_bytes(2 * states, 64 * len(together)), f"the law of {self}")
        keep = {
            "highest": together.keep_highest,
            "lowest": together.keep_lowest,
            "middle": together.keep_middle,
        }
        return keep[side](number)

    def __str__(self) -> str:
        number = "" if self.number == 1 else f" {self.number}"
        return f"{self.of} {self.verb} {self.side}{number}"


@dataclass(frozen=True)
class _Counted(_Node):
    of: _Node
    comparison: str
    bound: int

    def law(self, run: Run) -> Distribution[Any]:
        holds = _COMPARISONS[self.comparison]
        counts = [
            die.map(lambda face: int(holds(face, self.bound))).sum_of(many)
            for many, die in self.of.dice(run)
        ]
        return reduce(operator.add, counts)

    def __str__(self) -> str:
        return f"{self.of} count {self.comparison} {self.bound}"


@dataclass(frozen=True)
class _Extreme(_Node):
    name: str
    parts: tuple[_Node, ...]

    def law(self, run: Run) -> Distribution[Any]:
        choose = max if self.name == "max" else min
        laws = [_numbers(part.law(run)) for part in self.parts]
        return reduce(lambda a, b: _combined(self, a, b, choose, run), laws)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class _Negated(_Node):
    of: _Node
    binds = _SIGNED

    def law(self, run: Run) -> Distribution[Any]:
        return _numbers(self.of.law(run)).map(operator.neg)

    def __str__(self) -> str:
        return f"-{_within(self.of, _SIGNED + 1)}"


@dataclass(frozen=True)
class _Binary(_Node):
    sign: str
    left: _Node
    right: _Node

    @property
    def binds(self) -> int:  # type: ignore[override] # it follows from the sign
        return _BINDS[self.sign]

    def law(self, run: Run) -> Distribution[Any]:
        left, right = _numbers(self.left.law(run)), _numbers(self.right.law(run))
        if self.sign in ("//", "%") and 0 in right:
            raise _wrong(str(self), f"what is not 0 behind {self.sign}")
        combine = _ARITHMETIC.get(self.sign) or _COMPARISONS[self.sign]
        return _combined(self, left, right, combine, run)

    def __str__(self) -> str:
        left = _within(self.left, self.binds if self.binds else 1)
        return f"{left} {self.sign} {_within(self.right, self.binds + 1)}"


def _within(node: _Node, binds: int) -> str:
    return str(node) if node.binds >= binds else f"({node})"


def _numbers(found: Distribution[Any]) -> Distribution[Any]:
    """Let yes and no count as 1 and 0."""
    return found.map(int) if any(isinstance(outcome, bool) for outcome in found) else found


def _combined(
    node: _Node,
    left: Distribution[Any],
    right: Distribution[Any],
    combine: Callable[[Any, Any], Any],
    run: Run,
) -> Distribution[Any]:
    pairs = len(left) * len(right)
    spread = max(left) - min(left) + max(right) - min(right) + 1
    most = min(pairs, spread) if combine in (operator.add, operator.sub, max, min) else pairs
    bits = left.denominator.bit_length() + right.denominator.bit_length()
    run.require(stored_bytes(most, bits), f"the law of {node}")
    if combine is operator.sub:
        right = right.map(operator.neg)
    if combine in (operator.add, operator.sub) and spread < pairs:
        return _added(left, right)
    return left.with_other(right, operator.add if combine is operator.sub else combine)


def _added(left: Distribution[int], right: Distribution[int]) -> Distribution[int]:
    """Add two rolls by multiplying their generating polynomials."""
    first, second = (
        fmpz_poly([law.get(x, 0) for x in range(min(law), max(law) + 1)]) for law in (left, right)
    )
    low = min(left) + min(right)
    return Distribution({low + i: int(w) for i, w in enumerate((first * second).coeffs())})


def _wrong(got: str, wanted: str) -> InputError:
    return InputError("expression", Unquoted(got), wanted)


class _Reader:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._depth = 0

    def read(self) -> _Node:
        node = self._comparison()
        if self._tokens:
            raise self._unexpected("an operator such as + or >, or the end")
        if isinstance(node, _Several):
            raise _wrong(str(node), "what to keep of a list, as (2d6, d8) keep highest")
        return node

    def _unexpected(self, wanted: str) -> InputError:
        got = repr(self._tokens[0]) if self._tokens else "its end"
        return _wrong(got, wanted)

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
            raise _wrong(digits, f"{wanted}, from {least} to {most}")
        return number

    def _comparison(self) -> _Node:
        left = self._operations(_SUMS)
        if not self._next_is(*_COMPARISONS):
            return left
        sign = self._take(*_COMPARISONS)
        return _Binary(sign, _plain(left), _plain(self._operations(_SUMS)))

    def _operations(self, level: int) -> _Node:
        if level == _SIGNED:
            if not self._next_is("-"):
                return self._changed()
            self._take("-")
            return _Negated(_plain(self._changed()))
        left = self._operations(level + 1)
        signs = [sign for sign, binds in _BINDS.items() if binds == level]
        while self._next_is(*signs):
            sign = self._take(*signs)
            left = _Binary(sign, _plain(left), _plain(self._operations(level + 1)))
        return left

    def _changed(self) -> _Node:
        node = self._rolled()
        while self._next_is("keep", "drop", "explode", "reroll", "count"):
            verb = self._take("keep", "drop", "explode", "reroll", "count")
            if verb in ("explode", "reroll"):
                if not isinstance(node, _Dice) or node.rolled_by is not None:
                    raise _wrong(f"{node} {verb}", f"equal dice before {verb}, as 2d6 {verb}")
                node = replace(node, changes=(*node.changes, self._again(verb)))
                continue
            number = node.number_of_dice
            if not number:
                raise _wrong(f"{node} {verb}", f"dice before {verb}, as 4d6 or (2d6, d8)")
            node = self._counted(node) if verb == "count" else self._kept(node, verb, number)
        return node

    def _kept(self, node: _Node, verb: str, most: int) -> _Node:
        sides = ("highest", "lowest", "middle") if verb == "keep" else ("highest", "lowest")
        side = self._take(*sides)
        number = 1
        if self._tokens and self._tokens[0].isdigit():
            least, most = (1, most) if verb == "keep" else (0, most - 1)
            number = self._number(least, most, f"how many dice to {verb}")
        elif verb == "drop" and most == 1:
            raise _wrong(f"{node} drop", "more than one die to drop from")
        if side == "middle" and (most - number) % 2:
            raise _wrong(
                f"{node} keep middle {number}", f"a number that leaves an even rest of {most}"
            )
        return _Kept(node, verb, side, number)

    def _counted(self, node: _Node) -> _Node:
        sign = self._take(*_COMPARISONS)
        return _Counted(node, sign, self._number(0, _LARGEST - 1, "a number to compare with"))

    def _again(self, verb: str) -> _Again:
        on: tuple[int, ...] = ()
        if verb == "reroll":
            on = self._faces(signed=False)
        elif self._next_is("on"):
            self._take("on")
            on = self._faces(signed=False)
        if self._next_is("once"):
            self._take("once")
            return _Again(verb, on, 1)
        if self._tokens and self._tokens[0].isdigit():
            times = self._number(1, 1000, "how often at most")
            self._take("times")
            return _Again(verb, on, times)
        if verb == "explode":
            raise self._unexpected("how often at most, as explode 3 times")
        return _Again(verb, on, None)

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

    def _rolled(self) -> _Node:
        if self._next_is("max", "min"):
            name = self._take("max", "min")
            return _Extreme(name, tuple(map(_plain, self._list())))
        if self._next_is("("):
            parts = self._list()
            if self._next_is("d", "d%") and len(parts) == 1:
                return _Dice(1, self._die(), rolled_by=_plain(parts[0]))
            return parts[0] if len(parts) == 1 else _Several(tuple(map(_plain, parts)))
        if self._next_is("d", "d%"):
            return _Dice(1, self._die())
        wanted = "dice such as 3d6, a number, or ("
        number = self._number(0, _LARGEST - 1, wanted)
        if not self._next_is("d", "d%"):
            return _Number(number)
        if number > MAX_DICE:
            raise _wrong(f"{number}d", f"at most {MAX_DICE} dice")
        return _Dice(number, self._die())

    def _die(self) -> int | tuple[int, ...]:
        if self._take("d", "d%") == "d%":
            return 100
        if not self._next_is("{"):
            return self._number(1, MAX_FACES, "how many faces a die has")
        self._take("{")
        faces = self._faces(signed=True)
        self._take("}")
        return faces

    def _list(self) -> list[_Node]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _wrong(f"more than {_DEEPEST} parentheses", "fewer within each other")
        self._take("(")
        parts = [self._comparison()]
        while self._next_is(","):
            self._take(",")
            parts.append(self._comparison())
        self._take(")")
        self._depth -= 1
        return parts


def _plain(node: _Node) -> _Node:
    """Refuse a list where one number is wanted."""
    if isinstance(node, _Several):
        raise _wrong(str(node), "what to keep of a list, as (2d6, d8) keep highest")
    return node


def _tokens(text: str) -> Iterator[str]:
    text = text.translate(_ALIKE).lower().strip()
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            left = text[place:].strip()
            if left.startswith("/"):
                raise _wrong("'/'", "// for a quotient that is rounded down")
            raise _wrong(repr(left[:1]), "dice such as 3d6, numbers, + - * // % and comparisons")
        place = found.end()
        token = _SAME.get(found[found.lastindex or 0], found[found.lastindex or 0])
        yield from token.split()


def read_expression(text: str) -> str:
    """Read an expression and write it in its one form.

    Raises
    ------
    InputError
        If it is none; the text says where reading stopped.

    Examples
    --------
    >>> read_expression("4D6kh3+ 2"), read_expression("((d6)) - (1 - d4)")
    ('4d6 keep highest 3 + 2', 'd6 - (1 - d4)')
    >>> read_expression("4d6 keep")
    Traceback (most recent call last):
    exactdice.errors.InputError: expression: got its end; give highest or lowest or middle
    """
    return str(_read(text))


def _read(text: str) -> _Node:
    if len(text) > MAX_LENGTH:
        raise _wrong(f"{len(text)} characters", f"at most {MAX_LENGTH}")
    return _Reader(text).read()


def law(text: str, run: Run = DEFAULT) -> Distribution[Any]:
    """Distribution of what an expression shows.

    Parameters
    ----------
    text
        An expression, as the module says.
    run
        The memory that the law may take.

    Raises
    ------
    InputError
        If it is no expression, or divides by 0.
    TooLargeError
        If the law would take more memory than `run` allows.

    Examples
    --------
    >>> law("4d6 keep highest 3") == fair(6).keep_highest(4, 3)
    True
    >>> law("d8 > d6").probability(True)
    mpq(9,16)

    Notes
    -----
    Sums of equal dice cost what `Distribution.sum_of` does, kept ones what `Pool.keep` does, and
    everything else the product of the numbers of outcomes.
    """
    return _read(text).law(run)


class Expression(Domain[str]):
    """Expressions over dice, in their one form."""

    metavar = "EXPRESSION"

    def read(self, given: Any, name: str) -> str:
        """Read an expression; what is wrong with it is said of the field."""
        if not isinstance(given, str):
            raise InputError(name, given, "dice such as 3d6 + 2")
        return read_expression(given)
