"""What an expression over dice is read into: nodes, each with its law.

A node writes itself as it is read, with parentheses only where they are needed; its text says all
of it, so that nodes are told apart by their texts, and dataclasses need not make more than how one
is made: that is most of what a command would wait for here.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from flint import fmpz_poly

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, fair
from exactdice.dice.endless import Endless, endless
from exactdice.dice.pools import kth_highest, pool
from exactdice.errors import InputError, Unquoted
from exactdice.memory import stored_bytes
from exactdice.run import Run

_SHOWN = 60  # characters of an expression around the place of an error

#: The most dice that one mention rolls, and the most faces of a die.
MAX_DICE = 100_000
MAX_FACES = 100_000
_RARE = 10**12  # of so many dice that explode without an end less than one is not followed on

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
SUMS, PRODUCTS, SIGNED = 1, 2, 3
BINDS = dict.fromkeys(COMPARISONS, 0) | {"+": SUMS, "-": SUMS}
BINDS |= {"*": PRODUCTS, "//": PRODUCTS, "%": PRODUCTS}


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
        line = super().__str__()
        if not self.text:
            return line
        first = max(0, self.place - _SHOWN // 2)
        shown = "".join(c if c.isprintable() else " " for c in self.text[first : first + _SHOWN])
        dots = "…" if first else ""
        return f"{line}\n  {dots}{shown.rstrip()}\n  {' ' * (len(dots) + self.place - first)}^"


def wrong(got: str, wanted: str, text: str = "", place: int = 0) -> ExpressionError:
    """Make the error of an expression that cannot be read."""
    return ExpressionError(got, wanted, text, place)


class Node:
    """A part of an expression; `binds` says how tightly, for the parentheses around it."""

    binds = SIGNED + 1

    def law(self, run: Run) -> Distribution[Any]:
        """Distribution of what it shows."""
        raise NotImplementedError

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        """The dice that it rolls, each with how many of it there are."""
        return [(1, self.law(run))]

    def missed(self, run: Run) -> mpq:
        """Chance, or more than that, that a die exploded past the place where its law ends."""
        inner = (v if isinstance(v, tuple) else (v,) for v in vars(self).values())
        return sum((n.missed(run) for v in inner for n in v if isinstance(n, Node)), mpq(0))

    def endless(self, run: Run) -> Endless | None:
        """Law without the end at which `law` cuts it off; None where that is not a sum."""
        return None if self.missed(run) else endless(numbers(self.law(run)))

    @property
    def number_of_dice(self) -> int | None:
        """How many dice are before a change; None where there is nothing that can be changed."""
        return None


@dataclass(eq=False, repr=False)
class Number(Node):
    """A number that is written."""

    value: int

    def law(self, run: Run) -> Distribution[Any]:
        return Distribution({self.value: 1})

    def __str__(self) -> str:
        return str(self.value)


@dataclass(eq=False, repr=False)
class Dice(Node):
    """Equal dice, each changed by itself before they are added."""

    number: int
    faces: int | tuple[int, ...] | Node  # how many, or which; or the roll that each die stands for
    rolled_by: Node | None = None
    changes: tuple["Again", ...] = ()

    def missed(self, run: Run) -> mpq:
        within = self.faces.missed(run) if isinstance(self.faces, Node) else mpq(0)
        if self.changes and self.changes[-1].is_endless:
            before = replace(self, changes=self.changes[:-1]).die(run)
            within += self.changes[-1].missed(before)
        if self.rolled_by is None:
            return self.number * within
        most = max(numbers(self.rolled_by.law(run))) if within else 0
        return most * within + self.rolled_by.missed(run)

    def endless(self, run: Run) -> Endless | None:
        if not (self.changes and self.changes[-1].is_endless and self.rolled_by is None):
            return super().endless(run)
        die = replace(self, changes=self.changes[:-1]).die(run)
        return self.number @ die.exploding(self.changes[-1].on or None)

    def die(self, run: Run) -> Distribution[Any]:
        law: Distribution[Any]
        if isinstance(self.faces, Node):
            law = numbers(self.faces.law(run))
        elif isinstance(self.faces, int):
            law = fair(self.faces)
        else:
            law = Distribution.from_faces(self.faces)
        for change in self.changes:
            law = change.applied(law, run)
        return law

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [(self.number, self.die(run))]

    @property
    def number_of_dice(self) -> int | None:
        return self.number if self.rolled_by is None else None

    def law(self, run: Run) -> Distribution[Any]:
        if self.rolled_by is None:
            return self.die(run).sum_of(self.number, run)
        counts = numbers(self.rolled_by.law(run))
        if min(counts) < 0 or max(counts) > MAX_DICE:
            raise wrong(f"({self.rolled_by})d", f"from 0 to {MAX_DICE} dice before a d")
        return self.die(run).sum_of(counts, run)

    def __str__(self) -> str:
        many = "" if self.number == 1 else str(self.number)
        many = many if self.rolled_by is None else f"({self.rolled_by})"
        faces = f"({self.faces})" if isinstance(self.faces, Node) else str(self.faces)
        if isinstance(self.faces, tuple):
            faces = f"{{{_ranges(self.faces)}}}"
        return " ".join([f"{many}d{faces}", *map(str, self.changes)])


@dataclass(eq=False, repr=False)
class Again:
    """What is rolled again: ``explode`` adds the new roll, ``reroll`` takes its place.

    Explosions without an end are followed until fewer than one die in 10¹² goes on.
    """

    verb: str
    on: tuple[int, ...]
    times: int | None

    @property
    def is_endless(self) -> bool:
        return self.verb == "explode" and self.times is None

    def _most(self, die: Distribution[Any]) -> tuple[int, mpq]:
        """How many explosions are followed, and the chance that a die goes on after them."""
        on = self.on or (max(die),)
        again = die.probability_that(lambda face: face in on)
        if again == 1:
            raise wrong(str(self), "faces that leave some to end on")
        times, beyond = 0, again
        while beyond * _RARE > 1:
            times, beyond = times + 1, beyond * again
        return times, beyond

    def missed(self, die: Distribution[Any]) -> mpq:
        return self._most(die)[1]

    def applied(self, die: Distribution[Any], run: Run) -> Distribution[Any]:
        if self.verb == "explode":
            times = self._most(die)[0] if self.times is None else self.times
            return die.explode(times, self.on or None, run)
        if self.times is None and not set(die) - set(self.on):
            raise wrong(str(self), "faces that leave some to end on")
        return die.reroll(self.on, self.times)

    def __str__(self) -> str:
        faces = _ranges(self.on)
        if self.verb == "explode" and faces:
            faces = f"on {faces}"
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


@dataclass(eq=False, repr=False)
class Several(Node):
    """A list: unlike dice that are rolled together, or rolls of which each counts as one die."""

    parts: tuple[Node, ...]
    is_apart: bool = False

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [
            group
            for part in self.parts
            for group in (
                [(1, numbers(part.law(run)))]
                if self.is_apart or not part.number_of_dice
                else part.dice(run)
            )
        ]

    @property
    def number_of_dice(self) -> int | None:
        return sum((not self.is_apart and part.number_of_dice) or 1 for part in self.parts)

    def __str__(self) -> str:
        return f"{{{_listed(self.parts)}}}" if self.is_apart else f"({_listed(self.parts)})"


@dataclass(eq=False, repr=False)
class Kept(Node):
    """Some of the dice, by their order."""

    of: Node
    verb: str
    side: str
    number: int

    def law(self, run: Run) -> Distribution[Any]:
        dice = self.of.dice(run)
        together = pool(*(part for many, die in dice for part in (many, die)))
        rest = len(together) - self.number
        first, last = 0, self.number  # ranks, from the highest
        if self.verb == "drop":
            first, last = (self.number, len(together)) if self.side == "highest" else (0, rest)
        elif self.side != "highest":
            first = rest if self.side == "lowest" else rest // 2
            last = first + self.number
        return together.keep(range(first, last), run)

    def __str__(self) -> str:
        number = "" if self.number == 1 else f" {self.number}"
        return f"{self.of} {self.verb} {self.side}{number}"


@dataclass(eq=False, repr=False)
class Counted(Node):
    """How many dice show what is counted."""

    of: Node
    comparison: str  # none where faces are listed, of which each counts as often as it is
    bound: int | tuple[int, ...]

    def counted(self, face: int) -> int:
        if isinstance(self.bound, tuple):
            return self.bound.count(face)
        return int(COMPARISONS[self.comparison](face, self.bound))

    def law(self, run: Run) -> Distribution[Any]:
        counts = [die.map(self.counted).sum_of(many, run) for many, die in self.of.dice(run)]
        return reduce(operator.add, counts)

    def __str__(self) -> str:
        if isinstance(self.bound, tuple):
            return f"{self.of} count {{{_ranges(self.bound)}}}"
        return f"{self.of} count {self.comparison} {self.bound}"


@dataclass(eq=False, repr=False)
class Extreme(Node):
    """The highest or lowest of several rolls, or the size of one."""

    name: str
    parts: tuple[Node, ...]

    def law(self, run: Run) -> Distribution[Any]:
        laws = [numbers(part.law(run)) for part in self.parts]
        if self.name == "abs":
            return laws[0].map(abs)
        return kth_highest(laws, 1 if self.name == "max" else len(laws))

    def __str__(self) -> str:
        return f"{self.name}({_listed(self.parts)})"


@dataclass(eq=False, repr=False)
class Negated(Node):
    """A roll with the other sign."""

    of: Node
    binds = SIGNED

    def law(self, run: Run) -> Distribution[Any]:
        return numbers(self.of.law(run)).map(operator.neg)

    def __str__(self) -> str:
        return f"-{_within(self.of, SIGNED + 1)}"


@dataclass(eq=False, repr=False)
class Binary(Node):
    """Two rolls and a sign between."""

    sign: str
    left: Node
    right: Node

    @property
    def binds(self) -> int:  # type: ignore[override] # it follows from the sign
        return BINDS[self.sign]

    def endless(self, run: Run) -> Endless | None:
        if self.sign not in ("+", "-"):
            return super().endless(run)
        right = (self.right if self.sign == "+" else Negated(self.right)).endless(run)
        left = self.left.endless(run)
        return None if left is None or right is None else left + right

    def chance_without_end(self, run: Run) -> mpq | None:
        """Chance that it holds of a sum without an end and a number; None where it is not that."""
        total = self.left.endless(run) if isinstance(self.right, Number) else None
        if total is None or not isinstance(self.right, Number):
            return None
        bound = self.right.value
        below, equal = total.cdf(bound - 1), total.probability(bound)
        holds = COMPARISONS[self.sign]
        chances = ((-1, below), (0, equal), (1, 1 - below - equal))
        return sum((chance for side, chance in chances if holds(side, 0)), mpq(0))

    def law(self, run: Run) -> Distribution[Any]:
        left, right = numbers(self.left.law(run)), numbers(self.right.law(run))
        if self.sign in ("//", "%") and 0 in right:
            raise wrong(str(self), f"what is not 0 behind {self.sign}")
        if self.sign in ARITHMETIC:
            return _combined(self, left, right, ARITHMETIC[self.sign], run)
        holds = COMPARISONS[self.sign]
        gap = _combined(self, left, right, operator.sub, run)
        return gap.map(lambda difference: holds(difference, 0))

    def __str__(self) -> str:
        left = _within(self.left, self.binds if self.binds else 1)
        return f"{left} {self.sign} {_within(self.right, self.binds + 1)}"


def _ranges(faces: tuple[int, ...]) -> str:
    """Write faces with commas between, three or more that follow each other by their ends.

    >>> _ranges((-1, 0, 1, 5, 5, 6))
    '-1..1,5,5,6'
    """
    runs: list[list[int]] = []
    for face in faces:
        if runs and face == runs[-1][-1] + 1:
            runs[-1].append(face)
        else:
            runs.append([face])
    return ",".join(
        f"{run[0]}..{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )


def _listed(parts: tuple[Node, ...]) -> str:
    """Write a list; what ends in faces, as reroll 1 does, would take the next number for one."""
    *others, last = map(str, parts)
    closed = [
        f"({text})" if re.search(r" (on|reroll) [-.,0-9]+$", text) else text for text in others
    ]
    return ", ".join([*closed, last])


def _within(node: Node, binds: int) -> str:
    return str(node) if node.binds >= binds else f"({node})"


def numbers(law: Distribution[Any]) -> Distribution[Any]:
    """Let yes and no count as 1 and 0."""
    return law.map(int) if any(isinstance(outcome, bool) for outcome in law) else law


def _combined(
    node: Node,
    left: Distribution[Any],
    right: Distribution[Any],
    combine: Callable[[Any, Any], Any],
    run: Run,
) -> Distribution[Any]:
    pairs = len(left) * len(right)
    spread = max(left) - min(left) + max(right) - min(right) + 1
    most = min(pairs, spread) if combine in (operator.add, operator.sub) else pairs
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
