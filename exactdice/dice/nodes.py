"""Parts of a dice expression, each with its distribution; tokens of its text, and errors.

A node writes itself in the form in which it is read, with only the parentheses that are needed.
Nodes are compared by this text, so their dataclasses have no other methods: creating those would
take most of the start-up time.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, neg, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, fair
from exactdice.dice.pools import highest, lowest, pool
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import Run

if TYPE_CHECKING:
    from exactdice.dice.endless import Endless


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

# Notation of other programs that is not read here, with the nearest that is.
_ALONE = "only the expression, without output and named"
WANTS_OPERATOR = "an operator such as + or >, or the end"
_ONCE = "one comparison only; dice distribution shows the probability of each outcome"
SHELL = "; put expressions with * < > ( ) ! in quotation marks for the shell"
_PLAIN = "a number instead of a reference to a character sheet"
_BOTH = "(d6 > 2) * (d8 > 3) for both; dice written twice are rolled twice"
_EITHER = "max(d6 > 2, d8 > 3) for either; dice written twice are rolled twice"
_FAILURES = "count for successes; 5d{-1,0..0,1} for dice that subtract"
_SIDE = "dice before it (4d6 keep highest 3), or brackets ([highest 3 of 4d6])"
NEAREST = {
    "d": f"{WANTS_OPERATOR}; dl1 drops the lowest die, (d4)d6 rolls a random number of dice",
    "r": "ro1 to reroll 1 once (Foundry), or rr1 until another face shows (Roll20)",
    "cs": "count >= 8 to count dice (Foundry); Roll20 marks them and adds all dice",
    "even": "count {2,4,6} to count even faces of a d6",
    "odd": "count {1,3,5} to count odd faces of a d6",
    "ms": "- 12 for the amount above 12",
    "/": "// to divide and round down",
    "^": "a product, such as 2 * 2",
    "&": _BOTH,
    "|": _EITHER,
    "@": _PLAIN,
    "and": _BOTH,
    "or": _EITHER,
    "best": "keep highest",
    "worst": "keep lowest",
    **dict.fromkeys(("highest", "lowest", "middle"), _SIDE),
    "floor": "// to divide and round down",
    "ceil": "-(-a // b) to divide a by b and round up",
    "p": "explode without p; penetrating dice are not supported",
    **dict.fromkeys(("f", "cf", "df", "sf"), _FAILURES),
    "min": "max(10, d20) for at least 10",
    "max": "min(10, d20) for at most 10",
    **dict.fromkeys(("<", "<=", ">", ">=", "=", "!="), _ONCE),
    **dict.fromkeys(("v", "vs"), "one expression; use exactdice dice compare for several"),
    "output": _ALONE,
    "named": _ALONE,
    "e": "3d6! for explosions, or dice such as 3d6",
    '"': "an expression without quotation marks inside",
}
FUNCTIONS = ("floor", "ceil", "output", "highest", "lowest", "middle")


class Token(NamedTuple):
    text: str
    place: int
    is_apart: bool


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
        """Return the same error, with its place in a larger expression."""
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
    place = 0
    while text[place:].strip():
        match = _PATTERN.match(text, place)
        if not match:
            here = len(text) - len(text[place:].lstrip())
            others = "dice such as 3d6, numbers, + - * // % and comparisons"
            wanted = NEAREST.get(text[here], others)
            raise ExpressionError(repr(text[here]), wanted, text, here)
        start, place = match.start(match.lastindex or 0), match.end()
        token = text[start:place].lower()
        for word in _SAME.get(token, token).split():
            yield Token(word, start, start > match.start())


MAX_DICE = MAX_FACES = 100_000
_RARE = 10**12  # explosions are followed until fewer than one in so many dice explodes again
_ENDLESS = "at least one face on which the die stops"

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
COMPARISONS |= {"=": eq, "!=": ne}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "//": floordiv}
ARITHMETIC["%"] = mod
SUMS, PRODUCTS, SIGNED = 1, 2, 3
BINDS = dict.fromkeys(COMPARISONS, 0) | {"+": SUMS, "-": SUMS}
BINDS |= {"*": PRODUCTS, "//": PRODUCTS, "%": PRODUCTS}


class Node:
    """A part of an expression; `binds` is its precedence, for the parentheses around it."""

    binds = SIGNED + 1

    def law(self, run: Run) -> Distribution[Any]:
        """Return the distribution; errors of memory name the innermost part."""
        try:
            return self._law(run)
        except TooLargePartError:
            raise
        except TooLargeError as problem:
            raise TooLargePartError(problem, str(self)) from None

    def _law(self, run: Run) -> Distribution[Any]:
        raise NotImplementedError

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        """Return the dice that it rolls, each with its number."""
        return [(1, numbers(self.law(run)))]

    def missed(self, run: Run) -> mpq:
        """Return a bound on the probability of more explosions than `law` follows."""
        inner = (v if isinstance(v, tuple) else (v,) for v in vars(self).values())
        return sum((n.missed(run) for v in inner for n in v if isinstance(n, Node)), mpq(0))

    def endless(self, run: Run) -> "Endless | None":
        """Return the distribution with unlimited explosions; None if it is not a sum."""
        from exactdice.dice.endless import endless  # few dice explode

        return None if self.missed(run) else endless(numbers(self.law(run)))

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        """Return mean and variance with unlimited explosions; None if unknown."""
        total = self.endless(run) if self.missed(run) else numbers(self.law(run))
        return None if total is None else (total.mean(), total.variance())

    @property
    def number_of_dice(self) -> int | None:
        """Return the number of dice to which a modifier applies; None if there are none."""
        return None


@dataclass(frozen=True, eq=False, repr=False)
class Number(Node):
    value: int

    def _law(self, run: Run) -> Distribution[Any]:
        return Distribution({self.value: 1})

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class Dice(Node):
    """Equal dice, each with its own modifiers, added up."""

    number: int
    faces: int | tuple[int, ...] | Node  # their number, a list, or the roll that replaces each die
    rolled_by: Node | None = None
    changes: tuple["Again", ...] = ()

    def missed(self, run: Run) -> mpq:
        within = self.faces.missed(run) if isinstance(self.faces, Node) else mpq(0)
        if self.changes and self.changes[-1].is_endless:
            before = replace(self, changes=self.changes[:-1]).die(run)
            within += self.changes[-1].followed(before)[1]
        if self.rolled_by is None:
            return self.number * within
        most = max(numbers(self.rolled_by.law(run))) if within else 0
        return most * within + self.rolled_by.missed(run)

    def endless(self, run: Run) -> "Endless | None":
        if not (self.changes and self.changes[-1].is_endless and self.rolled_by is None):
            return super().endless(run)
        die = replace(self, changes=self.changes[:-1]).die(run)
        return self.number @ die.exploding(self.changes[-1].on or None)

    def shown(self) -> Sequence[int]:
        """Return the faces of a die in order, before modifiers; none if a roll replaces the die."""
        if isinstance(self.faces, Node):
            return ()
        return range(1, self.faces + 1) if isinstance(self.faces, int) else sorted({*self.faces})

    def die(self, run: Run) -> Distribution[Any]:
        die: Distribution[Any]
        if isinstance(self.faces, Node):
            die = numbers(self.faces.law(run))
        elif isinstance(self.faces, int):
            die = fair(self.faces)
        else:
            die = Distribution.from_faces(self.faces)
        for change in self.changes:
            die = change.applied(die, run)
        return die

    @property
    def explodes(self) -> bool:
        return any(change.verb == "explode" for change in self.changes)

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [(self.number, self.die(run))]

    @property
    def number_of_dice(self) -> int | None:
        return self.number if self.rolled_by is None else None

    number_added = number_of_dice

    def _law(self, run: Run) -> Distribution[Any]:
        if self.rolled_by is None:
            return self.die(run).sum_of(self.number, run)
        counts = numbers(self.rolled_by.law(run))
        if min(counts) < 0 or max(counts) > MAX_DICE:
            raise ExpressionError(f"({self.rolled_by})d", f"0 to {MAX_DICE} dice before d")
        return self.die(run).sum_of(counts, run)

    def __str__(self) -> str:
        many = "" if self.number == 1 else str(self.number)
        many = many if self.rolled_by is None else f"({self.rolled_by})"
        faces = f"({self.faces})" if isinstance(self.faces, Node) else str(self.faces)
        if isinstance(self.faces, tuple):
            faces = f"{{{_ranges(self.faces)}}}"
        return " ".join([f"{many}d{faces}", *map(str, self.changes)])


@dataclass(frozen=True, eq=False, repr=False)
class Again:
    """A modifier that rolls again: ``explode`` adds the new roll, ``reroll`` replaces the old."""

    verb: str
    on: tuple[int, ...]
    times: int | None

    @property
    def is_endless(self) -> bool:
        return self.verb == "explode" and self.times is None

    def followed(self, die: Distribution[Any]) -> tuple[int, mpq]:
        """Return how many explosions are followed, and the probability of more."""
        on = self.on or (max(die),)
        again = die.probability_that(lambda face: face in on)
        if again == 1:
            raise ExpressionError(str(self), _ENDLESS)
        times, beyond = 0, again
        while beyond * _RARE >= 1:
            times, beyond = times + 1, beyond * again
        return times, beyond

    def applied(self, die: Distribution[Any], run: Run) -> Distribution[Any]:
        if self.verb == "explode":
            times = self.followed(die)[0] if self.times is None else self.times
            return die.explode(times, self.on or None, run)
        if self.times is None and not set(die) - set(self.on):
            raise ExpressionError(str(self), _ENDLESS)
        return die.reroll(self.on, self.times)

    def __str__(self) -> str:
        faces = _ranges(self.on)
        if self.verb == "explode" and faces:
            faces = f"on {faces}"
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


@dataclass(frozen=True, eq=False, repr=False)
class Several(Node):
    """A list in parentheses (of dice), or in braces (of rolls that count as one die each)."""

    parts: tuple[Node, ...]
    is_apart: bool = False

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        dice = []
        for part in self.parts:
            is_one = self.is_apart or not part.number_of_dice
            dice += Node.dice(part, run) if is_one else part.dice(run)
        return dice

    @property
    def number_of_dice(self) -> int | None:
        return sum((not self.is_apart and part.number_of_dice) or 1 for part in self.parts)

    def __str__(self) -> str:
        return f"{{{_listed(self.parts)}}}" if self.is_apart else f"({_listed(self.parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Kept(Node):
    of: Node
    verb: str
    side: str
    number: int

    @property
    def explodes(self) -> bool:
        return isinstance(self.of, Dice) and self.of.explodes

    @property
    def number_added(self) -> int:
        return self.number if self.verb == "keep" else (self.of.number_of_dice or 0) - self.number

    def _law(self, run: Run) -> Distribution[Any]:
        together = pool(*(part for many_of_one in self.of.dice(run) for part in many_of_one))
        number, side = self.number, self.side
        if self.verb == "drop":
            number = len(together) - number
            side = "lowest" if side == "highest" else "highest"
        kept: Distribution[Any] = getattr(together, f"keep_{side}")(number, run)
        return kept

    def __str__(self) -> str:
        number = "" if self.number == 1 else f" {self.number}"
        return f"{self.of} {self.verb} {self.side}{number}"


@dataclass(frozen=True, eq=False, repr=False)
class Counted(Node):
    of: Node
    comparison: str  # empty for a list of faces, which may repeat
    bound: int | tuple[int, ...]

    def counted(self, face: int) -> int:
        if isinstance(self.bound, tuple):
            return self.bound.count(face)
        return int(COMPARISONS[self.comparison](face, self.bound))

    def _law(self, run: Run) -> Distribution[Any]:
        counts = [die.map(self.counted).sum_of(many, run) for many, die in self.of.dice(run)]
        return reduce(add, counts)

    def __str__(self) -> str:
        if isinstance(self.bound, tuple):
            return f"{self.of} count {{{_ranges(self.bound)}}}"
        return f"{self.of} count {self.comparison} {self.bound}"


@dataclass(frozen=True, eq=False, repr=False)
class Extreme(Node):
    name: str
    parts: tuple[Node, ...]

    def _law(self, run: Run) -> Distribution[Any]:
        rolls = [numbers(part.law(run)) for part in self.parts]
        if self.name == "abs":
            return rolls[0].map(abs)
        return (highest if self.name == "max" else lowest)(*rolls)

    def __str__(self) -> str:
        return f"{self.name}({_listed(self.parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Negated(Node):
    of: Node
    binds = SIGNED

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        moments = self.of.moments(run)
        return moments and (-moments[0], moments[1])

    def _law(self, run: Run) -> Distribution[Any]:
        return numbers(self.of.law(run)).map(neg)

    def __str__(self) -> str:
        return f"-{_within(self.of, SIGNED + 1)}"


@dataclass(frozen=True, eq=False, repr=False)
class Binary(Node):
    sign: str
    left: Node
    right: Node

    @property
    def binds(self) -> int:  # type: ignore[override] # it follows from the sign
        return BINDS[self.sign]

    def endless(self, run: Run) -> "Endless | None":
        if self.sign not in ("+", "-"):
            return super().endless(run)
        right = (self.right if self.sign == "+" else Negated(self.right)).endless(run)
        left = self.left.endless(run)
        return None if left is None or right is None else left + right

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        left, right = self.left.moments(run), self.right.moments(run)
        if self.sign not in ("+", "-", "*") or left is None or right is None:
            return super().moments(run)
        (a, u), (b, v) = left, right
        if self.sign == "*":
            return a * b, u * v + u * b**2 + v * a**2
        return a + b if self.sign == "+" else a - b, u + v

    def chance_without_end(self, run: Run) -> mpq | None:
        """Return the exact probability for an unlimited sum and a nearby number, else None."""
        if not isinstance(self.right, Number) or (total := self.left.endless(run)) is None:
            return None
        from exactdice.dice.endless import FARTHEST

        bound, holds = self.right.value, COMPARISONS[self.sign]
        if bound - total.lowest > FARTHEST:
            return None
        below, equal = total.cdf(bound - 1), total.probability(bound)
        chances = ((-1, below), (0, equal), (1, 1 - below - equal))
        return sum((chance for side, chance in chances if holds(side, 0)), mpq(0))

    def _law(self, run: Run) -> Distribution[Any]:
        left, right = numbers(self.left.law(run)), numbers(self.right.law(run))
        if self.sign in ("//", "%") and 0 in right:
            raise ExpressionError(str(self), f"a divisor that is never 0 after {self.sign}")
        if self.sign in ARITHMETIC:
            return left.with_other(right, ARITHMETIC[self.sign], run)
        holds = COMPARISONS[self.sign]
        return left.with_other(right, sub, run).map(lambda difference: holds(difference, 0))

    def __str__(self) -> str:
        left = _within(self.left, self.binds if self.binds else 1)
        return f"{left} {self.sign} {_within(self.right, self.binds + 1)}"


def _ranges(faces: tuple[int, ...]) -> str:
    """Write faces with commas between them, three or more consecutive ones as a range.

    >>> _ranges((-1, 0, 1, 5, 5, 6))
    '-1..1,5,5,6'
    """
    groups = groupby(enumerate(faces), lambda placed: placed[1] - placed[0])
    runs = [[face for _, face in group] for _, group in groups]
    return ",".join(f"{r[0]}..{r[-1]}" if len(r) > 2 else ",".join(map(str, r)) for r in runs)


def _listed(parts: tuple[Node, ...]) -> str:
    """Write a list; parentheses keep a last number, as in reroll 1, apart from the next item."""
    *others, last = map(str, parts)
    closed = [f"({t})" if re.search(r" (on|reroll) [-.,0-9]+$", t) else t for t in others]
    return ", ".join([*closed, last])


def _within(node: Node, binds: int) -> str:
    return str(node) if node.binds >= binds else f"({node})"


def numbers(roll: Distribution[Any]) -> Distribution[Any]:
    return roll.map(int) if any(isinstance(outcome, bool) for outcome in roll) else roll
