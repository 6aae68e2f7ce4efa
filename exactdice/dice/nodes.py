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
from operator import add, and_, eq, floordiv, ge, gt, le, lt, mod, mul, ne, neg, or_, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, fair, mixture
from exactdice.dice.pools import DicePool, highest, lowest, pool
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import Run

if TYPE_CHECKING:
    from exactdice.dice.endless import Cut, Endless


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
WORDS: tuple[str, ...] = (
    "keep",
    "drop",
    "explode",
    "penetrate",
    "reroll",
    "count",
    *SIDES,
    "once",
    "times",
)
WORDS += ("absolute", "total", "again", "else")

# Notation of other programs that is not read here, with the nearest that is.
_ALONE = "only the expression, without output and named"
WANTS_OPERATOR = "an operator such as + or >, or the end"
SHELL = "; put expressions with * < > ( ) ! in quotation marks for the shell"
_PLAIN = "a number instead of a reference to a character sheet"
_BOTH = "and, such as d6 > 2 and d8 > 3; dice written twice are rolled twice"
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
    "|": _BOTH.replace("and", "or", 2),
    "@": _PLAIN,
    "best": "keep highest",
    "worst": "keep lowest",
    **dict.fromkeys(("highest", "lowest", "middle"), _SIDE),
    "floor": "// to divide and round down",
    "ceil": "-(-a // b) to divide a by b and round up",
    **dict.fromkeys(("f", "cf", "df", "sf"), _FAILURES),
    "min": "max(10, d20) for at least 10",
    "max": "min(10, d20) for at most 10",
    "mi": "max(10, d20) for at least 10",
    "ma": "min(10, d20) for at most 10",
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
    # Text in brackets after dice is for people, as in 1d4[fire], unless it is a function.
    text = _FLAVOR.sub(lambda match: " " * len(match[0]), text)
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
LOGIC: dict[str, Callable[[Any, Any], Any]] = {"or": or_, "and": and_}
SUMS, PRODUCTS, SIGNED = 1, 2, 3
BINDS = {"or": -2, "and": -1} | dict.fromkeys(COMPARISONS, 0) | {"+": SUMS, "-": SUMS}
BINDS |= {"*": PRODUCTS, "//": PRODUCTS, "%": PRODUCTS}


class Node:
    """A part of an expression; `binds` is its precedence, for the parentheses around it."""

    binds = SIGNED + 1
    is_event = False

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

    def dice(self, run: Run, *, exact: bool = False) -> list[tuple[int, Any]]:
        """Return the dice that it rolls, each with its number; `exact` ones explode on."""
        return [(1, self.endless(run) if exact else numbers(self.law(run)))]

    def missed(self, run: Run) -> mpq:
        """Return a bound on the probability of more explosions than `law` follows."""
        inner = (v if isinstance(v, tuple) else (v,) for v in vars(self).values())
        return sum((n.missed(run) for v in inner for n in v if isinstance(n, Node)), mpq(0))

    def endless(self, run: Run) -> "Endless | None":
        """Return the distribution with unlimited explosions; None if it is not known."""
        from exactdice.dice.endless import endless  # few dice explode

        return None if self.missed(run) else endless(numbers(self.law(run)))

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        """Return mean and variance with unlimited explosions; None if unknown."""
        total = self.endless(run) if self.missed(run) else numbers(self.law(run))
        return None if total is None else (total.mean(), total.variance())

    def chance_without_end(self, run: Run) -> mpq | None:
        """Return the exact probability that an event occurs; None if it is not known."""
        return None if self.missed(run) else self.law(run).probability_that(bool)

    def least(self, run: Run) -> Any:
        """Return a lower bound of the outcomes."""
        return min(self.law(run), default=0)

    def size(self, run: Run) -> tuple[int, int] | None:
        """Return the number of outcomes of a sum and the bits of each weight; None if unknown."""
        return None

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
        total: Endless = self.number @ self.die(run, exact=True)
        return total

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        if isinstance(self.faces, Node) and not self.changes:
            one = self.faces.moments(run)
        else:
            die = self.die(run, exact=True)
            one = die.mean(), die.variance()
        if self.rolled_by is None or one is None:
            return one and (self.number * one[0], self.number * one[1])
        if self.rolled_by.least(run) < 0:
            raise ExpressionError(f"({self.rolled_by})d", "at least 0 dice before d")
        counts = self.rolled_by.moments(run)
        return counts and (counts[0] * one[0], counts[0] * one[1] + counts[1] * one[0] ** 2)

    def least(self, run: Run) -> Any:
        least = min(self.die(run))
        several = self.number if self.rolled_by is None else self.rolled_by.least(run)
        return several * least if least >= 0 and several >= 0 else min(self.law(run))

    def size(self, run: Run) -> tuple[int, int] | None:
        if self.rolled_by is not None:
            return None
        die = self.die(run)
        bits = self.number * die.denominator.bit_length()
        return int(self.number * (max(die) - min(die))) + 1, bits

    def shown(self) -> Sequence[int]:
        """Return the faces of a die in order, before modifiers; none if a roll replaces the die."""
        if isinstance(self.faces, Node):
            return ()
        return range(1, self.faces + 1) if isinstance(self.faces, int) else sorted({*self.faces})

    def die(self, run: Run, *, exact: bool = False) -> Any:
        die: Distribution[Any]
        if isinstance(self.faces, Node):
            die = numbers(self.faces.law(run))
        elif isinstance(self.faces, int):
            die = fair(self.faces)
        else:
            die = Distribution.from_faces(self.faces)
        for change in self.changes:
            die = change.applied(die, run, exact=exact)
        return die

    @property
    def explodes(self) -> bool:
        return any(change.verb != "reroll" for change in self.changes)

    def dice(self, run: Run, *, exact: bool = False) -> list[tuple[int, Any]]:
        return [(self.number, self.die(run, exact=exact))]

    @property
    def number_of_dice(self) -> int | None:
        return self.number if self.rolled_by is None else None

    number_added = number_of_dice

    def _law(self, run: Run) -> Distribution[Any]:
        if self.rolled_by is None:
            return self.die(run).sum_of(self.number, run)  # type: ignore[no-any-return]
        counts = numbers(self.rolled_by.law(run))
        if min(counts) < 0 or max(counts) > MAX_DICE:
            raise ExpressionError(f"({self.rolled_by})d", f"0 to {MAX_DICE} dice before d")
        return self.die(run).sum_of(counts, run)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        many = "" if self.number == 1 else str(self.number)
        many = many if self.rolled_by is None else f"({self.rolled_by})"
        faces = f"({self.faces})" if isinstance(self.faces, Node) else str(self.faces)
        if isinstance(self.faces, tuple):
            faces = f"{{{_repeated(self.faces)}}}"
        return " ".join([f"{many}d{faces}", *map(str, self.changes)])


@dataclass(frozen=True, eq=False, repr=False)
class Again:
    """A modifier: ``explode`` adds the new roll, ``penetrate`` adds it less 1, ``reroll`` replaces.

    After a count, ``again`` counts the new roll too.
    """

    verb: str
    on: tuple[int, ...]
    times: int | None

    @property
    def is_endless(self) -> bool:
        return self.verb != "reroll" and self.times is None

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

    def applied(self, die: Distribution[Any], run: Run, *, exact: bool = False) -> Any:
        if self.verb == "reroll":
            if self.times is None and not set(die) - set(self.on):
                raise ExpressionError(str(self), _ENDLESS)
            return die.reroll(self.on, self.times)
        on, is_endless = self.on or (max(die),), exact and self.is_endless
        times = self.followed(die)[0] if self.times is None else self.times
        if self.verb == "explode":
            return die.exploding(on) if is_endless else die.explode(times, on, run)
        if not times:
            return die
        less, lower = die - 1, [face - 1 for face in on]
        more = less.exploding(lower) if is_endless else less.explode(times - 1, lower, run)
        faces = die.probabilities().items()
        return _mixed([(p, more + x if x in on else Distribution({x: 1})) for x, p in faces])

    def counting(self, die: Distribution[Any], worth: Callable[[int], int]) -> Any:
        """Return the sum of the worths of a roll and of all that follow it."""
        on = self.on or (max(die),)
        if self.times is None:
            self.followed(die)
            return die.exploding(on, worth)
        total = die.map(worth)
        for _ in range(self.times):
            more = [(chance, total + worth(x) if x in on else Distribution({worth(x): 1}))
                    for x, chance in die.probabilities().items()]  # fmt: skip
            total = mixture(more)
        return total

    def __str__(self) -> str:
        faces = _ranges(self.on)
        if self.verb != "reroll" and faces:
            faces = f"on {faces}"
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


@dataclass(frozen=True, eq=False, repr=False)
class Several(Node):
    """A list in parentheses (of dice), or in braces (of rolls that count as one die each)."""

    parts: tuple[Node, ...]
    is_apart: bool = False

    def dice(self, run: Run, *, exact: bool = False) -> list[tuple[int, Any]]:
        dice = []
        for part in self.parts:
            is_one = self.is_apart or not part.number_of_dice
            dice += Node.dice(part, run, exact=exact) if is_one else part.dice(run, exact=exact)
        return dice

    @property
    def number_of_dice(self) -> int | None:
        return sum((not self.is_apart and part.number_of_dice) or 1 for part in self.parts)

    def __str__(self) -> str:
        return f"{{{_listed(self.parts)}}}" if self.is_apart else f"({_listed(self.parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Kept(Node):
    of: Node
    verb: str  # "@" keeps positions, counted from the highest
    side: str | tuple[int, ...]
    number: int

    @property
    def explodes(self) -> bool:
        return isinstance(self.of, Dice) and self.of.explodes

    @property
    def number_added(self) -> int:
        before = self.of.number_added if isinstance(self.of, Kept) else self.of.number_of_dice or 0
        return before - self.number if self.verb == "drop" else self.number

    def ranks(self, dice: int) -> Sequence[int]:
        """Return which of some sorted dice are kept; the highest has rank 0."""
        before = self.of.ranks(dice) if isinstance(self.of, Kept) else range(dice)
        if not isinstance(self.side, str):
            return [before[place - 1] for place in self.side]
        size = len(before)
        number = size - self.number if self.verb == "drop" else self.number
        is_low = (self.side == "lowest") != (self.verb == "drop")
        first = (size - number) // 2 if self.side == "middle" else (size - number) * is_low
        return before[first : first + number]

    def _sum(self, run: Run, *, exact: bool) -> Any:
        rolled = self.of
        while isinstance(rolled, Kept):
            rolled = rolled.of
        dice = [part for pair in rolled.dice(run, exact=exact) for part in pair]
        together = None if None in dice else pool(*dice)
        return together and together.keep(self.ranks(len(together)), run)

    def _law(self, run: Run) -> Any:
        return self._sum(run, exact=False)

    def endless(self, run: Run) -> "Endless | None":
        if not self.missed(run):
            return super().endless(run)
        from exactdice.dice.endless import unbounded

        try:
            total = self._sum(run, exact=True)
        except InputError:  # the sum of these ranks is not known
            return None
        return total and unbounded(total)

    def __str__(self) -> str:
        if isinstance(self.side, tuple):
            places = _ranges(self.side)
            return f"{places}@{self.of}" if self.number == 1 else f"{{{places}}}@{self.of}"
        number = "" if self.number == 1 else f" {self.number}"
        return f"{_before(self.of)}{self.verb} {self.side}{number}"


@dataclass(frozen=True, eq=False, repr=False)
class Counted(Node):
    of: Node
    comparison: str  # empty for a list of faces, which may repeat
    bound: int | tuple[int, ...]
    again: Again | None = None

    def counted(self, face: int) -> int:
        if isinstance(self.bound, tuple):
            return self.bound.count(face)
        return int(COMPARISONS[self.comparison](face, self.bound))

    def endless(self, run: Run) -> "Endless | None":
        if not (self.again and self.again.is_endless) or self.of.missed(run):
            return super().endless(run)
        counting, dice = self.again.counting, self.of.dice(run)
        total: Endless = reduce(add, (many @ counting(die, self.counted) for many, die in dice))
        return total

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        if self.again or self.missed(run):
            return super().moments(run)
        dice = [(many, die.map(self.counted)) for many, die in self.of.dice(run)]
        mean, variance = (mpq(sum(many * getattr(die, name)() for many, die in dice))
                          for name in ("mean", "variance"))  # fmt: skip
        return mean, variance

    def missed(self, run: Run) -> mpq:
        cut = self._cut(run)
        return super().missed(run) + (cut.remainder if cut else 0)

    def _cut(self, run: Run) -> "Cut | None":
        total = self.endless(run) if self.again and self.again.is_endless else None
        return total.cut(mpq(1, _RARE)) if total else None

    def _law(self, run: Run) -> Distribution[Any]:
        if cut := self._cut(run):
            chances = cut.chances | {max(cut.chances) + 1: cut.remainder}
            return Distribution.from_probabilities(chances)
        of = self.again.counting if self.again else Distribution.map
        counts = [of(die, self.counted).sum_of(many, run) for many, die in self.of.dice(run)]
        return reduce(add, counts)

    def __str__(self) -> str:
        which = f"{self.comparison} {self.bound}"
        if isinstance(self.bound, tuple):
            which = f"{{{_ranges(self.bound)}}}"
        return f"{_before(self.of)}count {which}" + (f" {self.again}" if self.again else "")


@dataclass(frozen=True, eq=False, repr=False)
class Extreme(Node):
    name: str
    parts: tuple[Node, ...]

    def _law(self, run: Run) -> Distribution[Any]:
        rolls = [numbers(part.law(run)) for part in self.parts]
        if self.name == "abs":
            return rolls[0].map(abs)
        return (highest if self.name == "max" else lowest)(*rolls)

    def endless(self, run: Run) -> "Endless | None":
        parts = [part.endless(run) for part in self.parts]
        if self.name == "abs" or None in parts or not self.missed(run):
            return super().endless(run)
        from exactdice.dice.endless import unbounded

        return unbounded((highest if self.name == "max" else lowest)(*parts))  # type: ignore[arg-type]

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

    @property
    def is_event(self) -> bool:  # type: ignore[override]
        return self.sign in COMPARISONS or self.sign in LOGIC

    def endless(self, run: Run) -> "Endless | None":
        if self.sign == "*":
            one, two = (self.left, self.right)[:: -1 if isinstance(self.left, Number) else 1]
            of = one.endless(run) if isinstance(two, Number) and two.value > 0 else None
            return of and of * two.value  # type: ignore[attr-defined] # a number then
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

    def size(self, run: Run) -> tuple[int, int] | None:
        left, right = self.left.size(run), self.right.size(run)
        both = left and right and (left[0] + right[0] - 1, left[1] + right[1])
        return both if self.sign in ("+", "-") else None

    def chance_without_end(self, run: Run) -> mpq | None:
        if self.sign in LOGIC:
            one, two = self.left.chance_without_end(run), self.right.chance_without_end(run)
            if one is None or two is None:
                return None
            return one * two if self.sign == "and" else one + two - one * two
        from exactdice.dice.endless import FARTHEST, exceeds, unbounded

        sides = [unbounded(0), unbounded(0)]
        for is_right, term in (*_terms(self.left), *_terms(Negated(self.right))):
            if (total := term.endless(run)) is None:
                return None
            sides[is_right] += total
        left, right = sides

        if abs(left.lowest - right.lowest) > FARTHEST:
            return None
        above, below, holds = exceeds(left, right), exceeds(right, left), COMPARISONS[self.sign]
        chances = ((-1, below), (0, 1 - above - below), (1, above))
        return sum((chance for side, chance in chances if holds(side, 0)), mpq(0))

    def _law(self, run: Run) -> Distribution[Any]:
        left, right = numbers(self.left.law(run)), numbers(self.right.law(run))
        if self.sign in ("//", "%") and 0 in right:
            raise ExpressionError(str(self), f"a divisor that is never 0 after {self.sign}")
        if self.sign in ARITHMETIC:
            return left.with_other(right, ARITHMETIC[self.sign], run)
        if self.sign in LOGIC:
            return left.with_other(right, LOGIC[self.sign], run).map(bool)
        holds = COMPARISONS[self.sign]
        return left.with_other(right, sub, run).map(lambda difference: holds(difference, 0))

    def __str__(self) -> str:
        left = _within(self.left, self.binds if self.binds else 1)
        return f"{left} {self.sign} {_within(self.right, self.binds + 1)}"


@dataclass(frozen=True, eq=False, repr=False)
class Not(Node):
    of: Node
    binds, is_event = -1, True

    def chance_without_end(self, run: Run) -> mpq | None:
        chance = self.of.chance_without_end(run)
        return None if chance is None else 1 - chance

    def _law(self, run: Run) -> Distribution[Any]:
        return self.of.law(run).map(lambda holds: not holds)

    def __str__(self) -> str:
        return f"not {_within(self.of, 0)}"


class Branch(Node):
    """One of several expressions, chosen at random."""

    def parts(self, run: Run, *, exact: bool = False) -> list[tuple[mpq, Node]] | None:
        """Return the parts with their probabilities; None if the `exact` ones are not known."""
        raise NotImplementedError

    def _law(self, run: Run) -> Any:
        return _mixed([(chance, part.law(run)) for chance, part in self.parts(run) or ()])

    def endless(self, run: Run) -> "Endless | None":
        if not self.missed(run):
            return super().endless(run)
        from exactdice.dice.endless import unbounded

        parts = [(chance, part.endless(run)) for chance, part in self.parts(run, exact=True) or ()]
        is_known = parts and all(law for _, law in parts)
        return unbounded(_mixed(parts)) if is_known else None

    def chance_without_end(self, run: Run) -> mpq | None:
        parts = self.parts(run, exact=True) or ()
        chances = [(chance, part.chance_without_end(run)) for chance, part in parts]
        total = sum((chance * inner for chance, inner in chances if inner is not None), mpq(0))
        return total if chances and all(inner is not None for _, inner in chances) else None


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Branch):
    """``yes if condition else no``."""

    yes: Node
    condition: Node
    no: Node
    binds = -3

    @property
    def is_event(self) -> bool:  # type: ignore[override]
        return self.yes.is_event and self.no.is_event

    def parts(self, run: Run, *, exact: bool = False) -> list[tuple[mpq, Node]] | None:
        chance = self.condition.chance_without_end(run) if exact else None
        if not exact:
            chance = self.condition.law(run).probability_that(bool)
        parts = [] if chance is None else [(chance, self.yes), (1 - chance, self.no)]
        return [(chance, part) for chance, part in parts if chance]

    def __str__(self) -> str:
        return f"{_within(self.yes, -2)} if {_within(self.condition, -2)} else {self.no}"


@dataclass(frozen=True, eq=False, repr=False)
class Total(Node):
    """The roll before the colon: its total, or its dice for a change."""

    dice_before: int

    @property
    def number_of_dice(self) -> int:
        return self.dice_before

    def counted(self, face: int) -> int:
        return face

    def __str__(self) -> str:
        return "total"


@dataclass(frozen=True, eq=False, repr=False)
class Given(Branch):
    """An expression after a colon, about the roll before it."""

    roll: Node
    body: Node
    binds = -4

    @property
    def is_event(self) -> bool:  # type: ignore[override]
        return self.body.is_event

    def parts(self, run: Run, *, exact: bool = False) -> list[tuple[mpq, Node]] | None:
        facts = {str(fact): fact for fact in _facts(self.body)}
        if not facts:
            return [(mpq(1), self.body)]
        if exact and self.roll.missed(run):
            return None
        of = type(self.roll) if self.roll.number_of_dice else Node  # otherwise its total is one die
        dice = pool(*(part for pair in of.dice(self.roll, run) for part in pair))
        shown = _joint(dice, [*facts.values()], run).probabilities()
        known = (_known(self.body, dict(zip(facts, row, strict=True))) for row in shown)
        return [*zip(shown.values(), known, strict=True)]

    def __str__(self) -> str:
        return f"{_within(self.roll, -3)}: {_within(self.body, -3)}"


def _is_fact(node: Node) -> bool:
    while isinstance(node, Kept | Counted):
        node = node.of
    return isinstance(node, Total)


def _inner(node: Node) -> dict[str, Any]:
    return {name: part for name, part in vars(node).items()
            if not (isinstance(node, Given) and name == "body")}  # fmt: skip


def _facts(node: Node) -> Iterator[Node]:
    """Yield the parts that depend on the roll before the colon."""
    if _is_fact(node):
        yield node
        return
    for part in _inner(node).values():
        for one in part if isinstance(part, tuple) else (part,):
            if isinstance(one, Node):
                yield from _facts(one)


def _known(part: Any, values: dict[str, int]) -> Any:
    """Return an expression with these values of facts."""
    if isinstance(part, tuple):
        return tuple(_known(one, values) for one in part)
    if not isinstance(part, Node) or _is_fact(part):
        return Number(values[str(part)]) if isinstance(part, Node) else part
    inner: Any = part
    return replace(inner, **{name: _known(one, values) for name, one in _inner(part).items()})


def _joint(dice: DicePool, facts: Sequence[Any], run: Run) -> Distribution[Any]:
    """Return the joint distribution of totals, counts and kept sums of one roll."""
    if not any(isinstance(fact, Kept) for fact in facts):
        return dice.facts(run, **{f"fact{i}": fact.counted for i, fact in enumerate(facts)})
    kept = [{*fact.ranks(len(dice))} if isinstance(fact, Kept) else None for fact in facts]

    def step(state: tuple[int, ...], face: int, shown: int) -> tuple[int, ...]:
        placed, *values = state
        here = {*range(placed, placed + shown)}
        for i, (fact, ranks) in enumerate(zip(facts, kept, strict=True)):
            values[i] += fact.counted(face) * shown if ranks is None else face * len(ranks & here)
        return placed + shown, *values

    return dice.fold((0,) * (len(facts) + 1), step, run=run).map(lambda state: state[1:])


def _mixed(parts: Sequence[tuple[mpq, Any]]) -> Any:
    """Return a mixture; truth values count as numbers beside numbers."""
    kinds = {
        isinstance(next(iter(law), 0), bool) for _, law in parts if isinstance(law, Distribution)
    }
    return mixture([(chance, numbers(law) if len(kinds) > 1 else law) for chance, law in parts])


def _terms(node: Node, *, is_minus: bool = False) -> Iterator[tuple[bool, Node]]:
    """Yield the terms of a sum, and whether each is subtracted."""
    if isinstance(node, Negated):
        yield from _terms(node.of, is_minus=not is_minus)
    elif isinstance(node, Binary) and node.sign in ("+", "-"):
        yield from _terms(node.left, is_minus=is_minus)
        yield from _terms(node.right, is_minus=is_minus != (node.sign == "-"))
    else:
        yield is_minus, node


def _before(node: Node) -> str:
    return "" if isinstance(node, Total) else f"{node} "


def _repeated(faces: tuple[int, ...]) -> str:
    """Write the faces of a die; three or more equal ones as ``face:number``.

    >>> _repeated((-1, 0, 0, 0, 1, 2, 3, 3))
    '-1,0:3,1,2,3,3'
    """
    runs = [(face, sum(1 for _ in group)) for face, group in groupby(faces)]
    if max(number for _, number in runs) < 3:
        return _ranges(faces)
    return ",".join(f"{f}:{n}" if n > 2 else ",".join([str(f)] * n) for f, n in runs)


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
