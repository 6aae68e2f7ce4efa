"""What an expression over dice is read into: nodes, each with its law.

A node writes itself as it is read, with parentheses only where they are needed.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from flint import fmpz_poly

from exactdice.dice.distribution import Distribution, fair
from exactdice.dice.pools import kth_highest, pool
from exactdice.errors import InputError, Unquoted
from exactdice.memory import stored_bytes
from exactdice.run import Run

#: The most dice that one mention rolls, and the most faces of a die.
MAX_DICE = 100_000
MAX_FACES = 100_000

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


def wrong(got: str, wanted: str) -> InputError:
    """Make the error of an expression that cannot be read."""
    return InputError("expression", Unquoted(got), wanted)


class Node:
    """A part of an expression; `binds` says how tightly, for the parentheses around it."""

    binds = SIGNED + 1

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
class Number(Node):
    value: int

    def law(self, run: Run) -> Distribution[Any]:
        return Distribution({self.value: 1})

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Dice(Node):
    """Equal dice, each changed by itself before they are added."""

    number: int
    faces: int | tuple[int, ...]
    rolled_by: Node | None = None
    changes: tuple["Again", ...] = ()

    def die(self, run: Run) -> Distribution[Any]:
        law: Distribution[Any]
        law = (
            fair(self.faces) if isinstance(self.faces, int) else Distribution.from_faces(self.faces)
        )
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
        counts = _numbers(self.rolled_by.law(run))
        if min(counts) < 0 or max(counts) > MAX_DICE:
            raise wrong(f"({self.rolled_by})d", f"from 0 to {MAX_DICE} dice before a d")
        return self.die(run).sum_of(counts, run)

    def __str__(self) -> str:
        many = "" if self.number == 1 else str(self.number)
        many = many if self.rolled_by is None else f"({self.rolled_by})"
        faces = str(self.faces)
        if isinstance(self.faces, tuple):
            faces = f"{{{','.join(map(str, self.faces))}}}"
        return " ".join([f"{many}d{faces}", *map(str, self.changes)])


@dataclass(frozen=True)
class Again:
    """What is rolled again: ``explode`` adds the new roll, ``reroll`` takes its place."""

    verb: str
    on: tuple[int, ...]
    times: int | None

    def applied(self, die: Distribution[Any], run: Run) -> Distribution[Any]:
        if self.verb == "explode":
            return die.explode(self.times or 0, self.on or None, run)
        if self.times is None and not set(die) - set(self.on):
            raise wrong(str(self), "faces that leave some to end on")
        return die.reroll(self.on, self.times)

    def __str__(self) -> str:
        faces = ",".join(map(str, self.on))
        if self.verb == "explode" and faces:
            faces = f"on {faces}"
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


@dataclass(frozen=True)
class Several(Node):
    """A list: unlike dice that are rolled together."""

    parts: tuple[Node, ...]

    def dice(self, run: Run) -> list[tuple[int, Distribution[Any]]]:
        return [
            group
            for part in self.parts
            for group in (part.dice(run) if part.number_of_dice else [(1, _numbers(part.law(run)))])
        ]

    @property
    def number_of_dice(self) -> int | None:
        return sum(part.number_of_dice or 1 for part in self.parts)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Kept(Node):
    of: Node
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
class Counted(Node):
    of: Node
    comparison: str
    bound: int

    def law(self, run: Run) -> Distribution[Any]:
        holds = COMPARISONS[self.comparison]
        counts = [
            die.map(lambda face: int(holds(face, self.bound))).sum_of(many)
            for many, die in self.of.dice(run)
        ]
        return reduce(operator.add, counts)

    def __str__(self) -> str:
        return f"{self.of} count {self.comparison} {self.bound}"


@dataclass(frozen=True)
class Extreme(Node):
    name: str
    parts: tuple[Node, ...]

    def law(self, run: Run) -> Distribution[Any]:
        laws = [_numbers(part.law(run)) for part in self.parts]
        return kth_highest(laws, 1 if self.name == "max" else len(laws))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Negated(Node):
    of: Node
    binds = SIGNED

    def law(self, run: Run) -> Distribution[Any]:
        return _numbers(self.of.law(run)).map(operator.neg)

    def __str__(self) -> str:
        return f"-{_within(self.of, SIGNED + 1)}"


@dataclass(frozen=True)
class Binary(Node):
    sign: str
    left: Node
    right: Node

    @property
    def binds(self) -> int:  # type: ignore[override] # it follows from the sign
        return BINDS[self.sign]

    def law(self, run: Run) -> Distribution[Any]:
        left, right = _numbers(self.left.law(run)), _numbers(self.right.law(run))
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


def _within(node: Node, binds: int) -> str:
    return str(node) if node.binds >= binds else f"({node})"


def _numbers(law: Distribution[Any]) -> Distribution[Any]:
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
