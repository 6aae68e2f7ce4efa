"""What an expression over dice is read into: nodes, each with its law.

A node writes itself as it is read, with parentheses only where they are needed; its text says all
of it, so that nodes are told apart by their texts, and dataclasses need not make more than how one
is made: that is most of what a command would wait for here.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, neg, sub
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, fair
from exactdice.dice.notation import ExpressionError, TooLargePartError
from exactdice.dice.pools import highest, lowest, pool
from exactdice.errors import TooLargeError
from exactdice.run import Run

if TYPE_CHECKING:
    from exactdice.dice.endless import Endless

#: The most dice that one mention rolls, and the most faces of a die.
MAX_DICE = 100_000
MAX_FACES = 100_000
_RARE = 10**12  # of so many dice that explode without an end less than one is not followed on

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
COMPARISONS |= {"=": eq, "!=": ne}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "//": floordiv}
ARITHMETIC["%"] = mod
SUMS, PRODUCTS, SIGNED = 1, 2, 3
BINDS = dict.fromkeys(COMPARISONS, 0) | {"+": SUMS, "-": SUMS}
BINDS |= {"*": PRODUCTS, "//": PRODUCTS, "%": PRODUCTS}


class Node:
    """A part of an expression; `binds` says how tightly, for the parentheses around it."""

    binds = SIGNED + 1

    def law(self, run: Run) -> Distribution[Any]:
        """Distribution of what it shows; what is too large is said of the innermost part."""
        try:
            return self._law(run)
        except TooLargePartError:
            raise
        except TooLargeError as problem:
            raise TooLargePartError(problem, str(self)) from None

    def _law(self, run: Run) -> Distribution[Any]:
        raise NotImplementedError

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        """The dice that it rolls, each with how many of it there are."""
        return [(1, numbers(self.law(run)))]

    def missed(self, run: Run) -> mpq:
        """Chance, or more than that, that a die exploded past the place where its law ends."""
        inner = (v if isinstance(v, tuple) else (v,) for v in vars(self).values())
        return sum((n.missed(run) for v in inner for n in v if isinstance(n, Node)), mpq(0))

    def endless(self, run: Run) -> "Endless | None":
        """Law without the end at which `law` cuts it off; None where that is not a sum."""
        from exactdice.dice.endless import endless  # few dice explode

        return None if self.missed(run) else endless(numbers(self.law(run)))

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        """Mean and variance, not those of a law that is cut off; None where they are not known."""
        law = self.endless(run) if self.missed(run) else numbers(self.law(run))
        return None if law is None else (law.mean(), law.variance())

    @property
    def number_of_dice(self) -> int | None:
        """How many dice are before a change; None where there is nothing that can be changed."""
        return None


@dataclass(frozen=True, eq=False, repr=False)
class Number(Node):
    """A number that is written."""

    value: int

    def _law(self, run: Run) -> Distribution[Any]:
        return Distribution({self.value: 1})

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, eq=False, repr=False)
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
        """The faces of a die in order, before a change; none where it stands for a roll."""
        if isinstance(self.faces, Node):
            return ()
        return range(1, self.faces + 1) if isinstance(self.faces, int) else sorted({*self.faces})

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

    @property
    def explodes(self) -> bool:
        return any(change.verb == "explode" for change in self.changes)

    @property
    def number_added(self) -> int | None:
        """How many dice are added; None if a roll decides it."""
        return self.number_of_dice

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [(self.number, self.die(run))]

    @property
    def number_of_dice(self) -> int | None:
        return self.number if self.rolled_by is None else None

    def _law(self, run: Run) -> Distribution[Any]:
        if self.rolled_by is None:
            return self.die(run).sum_of(self.number, run)
        counts = numbers(self.rolled_by.law(run))
        if min(counts) < 0 or max(counts) > MAX_DICE:
            raise ExpressionError(f"({self.rolled_by})d", f"from 0 to {MAX_DICE} dice before a d")
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
    """What is rolled again: ``explode`` adds the new roll, ``reroll`` takes its place.

    Explosions without an end are followed until fewer than one die in 10¹² goes on.
    """

    verb: str
    on: tuple[int, ...]
    times: int | None

    @property
    def is_endless(self) -> bool:
        return self.verb == "explode" and self.times is None

    def followed(self, die: Distribution[Any]) -> tuple[int, mpq]:
        """How many explosions are followed, and the chance that a die goes on after them."""
        on = self.on or (max(die),)
        again = die.probability_that(lambda face: face in on)
        if again == 1:
            raise ExpressionError(str(self), "faces that leave some to end on")
        times, beyond = 0, again
        while beyond * _RARE >= 1:
            times, beyond = times + 1, beyond * again
        return times, beyond

    def applied(self, die: Distribution[Any], run: Run) -> Distribution[Any]:
        if self.verb == "explode":
            times = self.followed(die)[0] if self.times is None else self.times
            return die.explode(times, self.on or None, run)
        if self.times is None and not set(die) - set(self.on):
            raise ExpressionError(str(self), "faces that leave some to end on")
        return die.reroll(self.on, self.times)

    def __str__(self) -> str:
        faces = _ranges(self.on)
        if self.verb == "explode" and faces:
            faces = f"on {faces}"
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


@dataclass(frozen=True, eq=False, repr=False)
class Several(Node):
    """A list: unlike dice that are rolled together, or rolls of which each counts as one die."""

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
    """Some of the dice, by their order."""

    of: Node
    verb: str
    side: str
    number: int

    @property
    def explodes(self) -> bool:
        return isinstance(self.of, Dice) and self.of.explodes

    @property
    def number_added(self) -> int:
        """How many dice are added."""
        return self.number if self.verb == "keep" else (self.of.number_of_dice or 0) - self.number

    def _law(self, run: Run) -> Distribution[Any]:
        together = pool(*(part for many_of_one in self.of.dice(run) for part in many_of_one))
        number, side = self.number, self.side
        if self.verb == "drop":
            number = len(together) - number
            side = "lowest" if side == "highest" else "highest"
        law: Distribution[Any] = getattr(together, f"keep_{side}")(number, run)
        return law

    def __str__(self) -> str:
        number = "" if self.number == 1 else f" {self.number}"
        return f"{self.of} {self.verb} {self.side}{number}"


@dataclass(frozen=True, eq=False, repr=False)
class Counted(Node):
    """How many dice show what is counted."""

    of: Node
    comparison: str  # none where faces are listed, of which each counts as often as it is
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
    """The highest or lowest of several rolls, or the size of one."""

    name: str
    parts: tuple[Node, ...]

    def _law(self, run: Run) -> Distribution[Any]:
        laws = [numbers(part.law(run)) for part in self.parts]
        if self.name == "abs":
            return laws[0].map(abs)
        return (highest if self.name == "max" else lowest)(*laws)

    def __str__(self) -> str:
        return f"{self.name}({_listed(self.parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Negated(Node):
    """A roll with the other sign."""

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
    """Two rolls and a sign between."""

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
        """Chance that it holds of a sum without an end and a number near it; None of all else."""
        if not isinstance(self.right, Number) or (total := self.left.endless(run)) is None:
            return None
        bound = self.right.value
        from exactdice.dice.endless import FARTHEST

        if bound - total.lowest > FARTHEST:
            return None
        below, equal = total.cdf(bound - 1), total.probability(bound)
        holds = COMPARISONS[self.sign]
        chances = ((-1, below), (0, equal), (1, 1 - below - equal))
        return sum((chance for side, chance in chances if holds(side, 0)), mpq(0))

    def _law(self, run: Run) -> Distribution[Any]:
        left, right = numbers(self.left.law(run)), numbers(self.right.law(run))
        if self.sign in ("//", "%") and 0 in right:
            raise ExpressionError(str(self), f"what is not 0 behind {self.sign}")
        if self.sign in ARITHMETIC:
            return left.with_other(right, ARITHMETIC[self.sign], run)
        holds = COMPARISONS[self.sign]
        gap = left.with_other(right, sub, run)
        return gap.map(lambda difference: holds(difference, 0))

    def __str__(self) -> str:
        left = _within(self.left, self.binds if self.binds else 1)
        return f"{left} {self.sign} {_within(self.right, self.binds + 1)}"


def _ranges(faces: tuple[int, ...]) -> str:
    """Write faces with commas between, three or more that follow each other by their ends.

    >>> _ranges((-1, 0, 1, 5, 5, 6))
    '-1..1,5,5,6'
    """
    groups = groupby(enumerate(faces), lambda placed: placed[1] - placed[0])
    runs = [[face for _, face in group] for _, group in groups]
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
