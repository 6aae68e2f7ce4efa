"""Parts of a dice expression, each with its distribution.

A node writes itself in the form in which it is read, with only the parentheses that are needed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import reduce
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, neg, not_, sub
from typing import Any, Self, dataclass_transform

from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, fair, mixture
from exactdice.dice.pools import highest, lowest, pool
from exactdice.dice.tokens import ExpressionError, TooLargePartError, ranges
from exactdice.errors import InputError, TooLargeError
from exactdice.run import Run

MAX_DICE = MAX_FACES = 100_000
_RARE = 10**12  # explosions are followed until fewer than one in so many dice explodes again
_ENDLESS = "at least one face on which the die stops"

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
COMPARISONS |= {"=": eq, "!=": ne}
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul, "//": floordiv}
_OPERATIONS |= {"%": mod, "or": lambda x, y: bool(x or y), "and": lambda x, y: bool(x and y)}
SUMS, PRODUCTS, SIGNED = 1, 2, 3
BINDS = {"or": -2, "and": -1} | dict.fromkeys(COMPARISONS, 0) | {"+": SUMS, "-": SUMS}
BINDS |= {"*": PRODUCTS, "//": PRODUCTS, "%": PRODUCTS}


class Unlimited(Run):
    """A run in which dice explode without limit; operations that cannot raise InputError."""

    @classmethod
    def like(cls, run: Run) -> "Unlimited":
        return cls(**{each.name: getattr(run, each.name) for each in fields(Run)})


@dataclass_transform(frozen_default=True, eq_default=False)
class Record:
    """A dataclass without generated methods: creating those would take most of the start-up time.

    Type checkers read its annotations as those of a dataclass.
    """

    def __init__(self, *values: Any, **named: Any) -> None:
        vars(self).update(zip(type(self).__annotations__, values, strict=False), **named)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(name)

    def but(self, **changed: Any) -> Self:
        return type(self)(**vars(self) | changed)


class Node(Record):
    """A part of an expression; `binds` is its precedence, for the parentheses around it."""

    binds = SIGNED + 1

    def law(self, run: Run) -> Any:
        """Return the distribution; errors of memory name the innermost part."""
        try:
            return self._law(run)
        except TooLargePartError:
            raise
        except TooLargeError as problem:
            raise TooLargePartError(problem, str(self)) from None

    def _law(self, run: Run) -> Any:
        raise NotImplementedError

    def dice(self, run: Run) -> list[tuple[int, Any]]:
        """Return the dice that it rolls, each with its number."""
        return [(1, numbers(self.law(run)))]

    def missed(self, run: Run) -> mpq:
        """Return a bound on the probability of more explosions than `law` follows."""
        inner = (v if isinstance(v, tuple) else (v,) for v in vars(self).values())
        return sum((n.missed(run) for v in inner for n in v if isinstance(n, Node)), mpq(0))

    def exactly(self, run: Run) -> Any:
        """Return the distribution with unlimited explosions; None if it is not known."""
        try:
            return numbers(self.law(Unlimited.like(run) if self.missed(run) else run))
        except ExpressionError:
            raise
        except InputError:
            return None

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        """Return mean and variance with unlimited explosions; None if unknown."""
        total = self.exactly(run)
        return None if total is None else (total.mean(), total.variance())

    @property
    def is_event(self) -> bool:
        """Whether the outcomes are yes and no."""
        return self.binds < SUMS

    @property
    def number_of_dice(self) -> int | None:
        """Return the number of dice to which a modifier applies; None if there are none."""
        return None

    @property
    def places(self) -> Sequence[int]:
        """Return the places of its dice in the sorted roll; the highest has 0."""
        return range(self.number_of_dice or 0)

    def pool(self, run: Run) -> Any:
        return pool(*(part for pair in self.dice(run) for part in pair))


class Number(Node):
    value: int

    def _law(self, run: Run) -> Distribution[Any]:
        return Distribution({self.value: 1})

    def __str__(self) -> str:
        return str(self.value)


class Dice(Node):
    """Equal dice, each with its own modifiers, added up."""

    number: int
    faces: int | tuple[int, ...] | Node  # their number, a list, or the roll that replaces each die
    rolled_by: Node | None = None
    changes: tuple["Again", ...] = ()

    def missed(self, run: Run) -> mpq:
        within = self.faces.missed(run) if isinstance(self.faces, Node) else mpq(0)
        if self.changes and self.changes[-1].is_endless:
            before = self.but(changes=self.changes[:-1]).die(run)
            within += self.changes[-1].followed(before)[1]
        if self.rolled_by is None:
            return self.number * within
        most = max(numbers(self.rolled_by.law(run))) if within else 0
        return most * within + self.rolled_by.missed(run)

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        of = self.rolled_by
        if of and not (isinstance(of, Dice) and min(of.die(run)) >= 0):
            return super().moments(run)
        counts = of.moments(run) if of else (self.number, 0)
        if isinstance(self.faces, Node) and not self.changes:
            one = self.faces.moments(run)
        else:
            die = self.die(Unlimited.like(run))
            one = die.mean(), die.variance()
        if not counts or not one:
            return None
        return counts[0] * one[0], counts[0] * one[1] + counts[1] * one[0] ** 2

    def shown(self) -> Sequence[int]:
        """Return the faces of a die in order, before modifiers; none if a roll replaces the die."""
        if isinstance(self.faces, Node):
            return ()
        return range(1, self.faces + 1) if isinstance(self.faces, int) else sorted({*self.faces})

    def die(self, run: Run) -> Any:
        die: Any
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
        return any(change.verb != "reroll" for change in self.changes)

    def dice(self, run: Run) -> list[tuple[int, Any]]:
        return [(self.number, self.die(run))] if self.number_of_dice else super().dice(run)

    @property
    def number_of_dice(self) -> int | None:
        return self.number if self.rolled_by is None else None

    def _law(self, run: Run) -> Any:
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
            faces = f"{{{ranges(self.faces)}}}"
        return " ".join([f"{many}d{faces}", *map(str, self.changes)])


class Again(Record):
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

    def applied(self, die: Distribution[Any], run: Run) -> Any:
        if self.verb == "reroll":
            if self.times is None and not set(die) - set(self.on):
                raise ExpressionError(str(self), _ENDLESS)
            return die.reroll(self.on, self.times)
        on, times = self.on or (max(die),), self.times
        if times is None:
            times = self.followed(die)[0]
            if isinstance(run, Unlimited):
                times = -1
        if self.verb == "explode":
            return die.exploding(on) if times < 0 else die.explode(times, on, run)
        less, lower = die - 1, [face - 1 for face in on]
        more = less.exploding(lower) if times < 0 else less.explode(times - 1, lower, run)
        return _after(die, on, more, int)

    def counting(self, die: Distribution[Any], worth: Callable[[int], int]) -> Any:
        """Return the sum of the worths of a roll and of all that follow it."""
        on = self.on or (max(die),)
        if self.times is None:
            self.followed(die)
            return die.exploding(on, worth)
        total = die.map(worth)
        for _ in range(self.times):
            total = _after(die, on, total, worth)
        return total

    def __str__(self) -> str:
        faces = f"on {ranges(self.on)}" if self.on and self.verb != "reroll" else ranges(self.on)
        times = {None: "", 1: "once"}.get(self.times, f"{self.times} times")
        return " ".join(filter(None, (self.verb, faces, times)))


class Several(Node):
    """A list in parentheses (of dice), or in braces (of rolls that count as one die each)."""

    parts: tuple[Node, ...]
    is_apart: bool = False

    def dice(self, run: Run) -> list[tuple[int, Any]]:
        if self.is_apart:
            return [pair for part in self.parts for pair in Node.dice(part, run)]
        return [pair for part in self.parts if part.number_of_dice != 0 for pair in part.dice(run)]

    @property
    def number_of_dice(self) -> int | None:
        many = (None if self.is_apart else part.number_of_dice for part in self.parts)
        return sum(1 if number is None else number for number in many)

    def __str__(self) -> str:
        return f"{{{_listed(self.parts)}}}" if self.is_apart else f"({_listed(self.parts)})"


class Kept(Node):
    of: Node
    verb: str  # "@" keeps positions, counted from the highest
    side: str | tuple[int, ...]
    number: int

    @property
    def explodes(self) -> bool:
        return isinstance(self.of, Dice) and self.of.explodes

    @property
    def places(self) -> Sequence[int]:
        before = self.of.places
        if not isinstance(self.side, str):
            return [before[place - 1] for place in self.side]
        size = len(before)
        number = size - self.number if self.verb == "drop" else self.number
        is_low = (self.side == "lowest") != (self.verb == "drop")
        first = (size - number) // 2 if self.side == "middle" else (size - number) * is_low
        return before[first : first + number]

    def pool(self, run: Run) -> Any:
        return self.of.pool(run)

    def _law(self, run: Run) -> Any:
        return self.pool(run).keep(self.places, run)

    def __str__(self) -> str:
        if isinstance(self.side, tuple):
            places = ranges(self.side)
            return f"{places}@{self.of}" if self.number == 1 else f"{{{places}}}@{self.of}"
        number = "" if self.number == 1 else f" {self.number}"
        return f"{_before(self.of)}{self.verb} {self.side}{number}"


class Counted(Node):
    of: Node
    comparison: str  # empty for a list of faces, which may repeat
    bound: int | tuple[int, ...]
    again: Again | None = None

    def counted(self, face: int) -> int:
        if isinstance(self.bound, tuple):
            return self.bound.count(face)
        return int(COMPARISONS[self.comparison](face, self.bound))

    def _shown(self, die: Any, counted: Callable[[int], int]) -> Any:
        if not isinstance(die, Distribution):  # all outcomes above the bound count alike
            top = max(self.bound) if isinstance(self.bound, tuple) else self.bound
            die = lowest(die, top + 1)
        return die.map(counted)

    def missed(self, run: Run) -> mpq:
        return super().missed(run) + (self._counts(run)[1] if self.again else 0)

    def _counts(self, run: Run) -> tuple[Any, mpq]:
        """Return the counts, and the probability of higher ones, which are cut off."""
        of = self.again.counting if self.again else self._shown
        counts = [of(die, self.counted).sum_of(many, run) for many, die in self.of.dice(run)]
        total = reduce(add, counts)
        if isinstance(total, Distribution) or isinstance(run, Unlimited):
            return total, mpq(0)
        cut = total.cut(mpq(1, _RARE))
        chances = cut.chances | {max(cut.chances) + 1: cut.remainder}
        return Distribution.from_probabilities(chances), cut.remainder

    def _law(self, run: Run) -> Any:
        return self._counts(run)[0]

    def __str__(self) -> str:
        which = f"{self.comparison} {self.bound}"
        if isinstance(self.bound, tuple):
            which = f"{{{ranges(self.bound)}}}"
        return f"{_before(self.of)}count {which}" + (f" {self.again}" if self.again else "")


class Extreme(Node):
    name: str
    parts: tuple[Node, ...]

    def _law(self, run: Run) -> Any:
        return self.of([numbers(part.law(run)) for part in self.parts])

    def of(self, rolls: Sequence[Any]) -> Any:
        if self.name == "abs":
            return abs(rolls[0])
        return (highest if self.name == "max" else lowest)(*rolls)

    def __str__(self) -> str:
        return f"{self.name}({_listed(self.parts)})"


class Unary(Node):
    sign: str  # "-" or "not "
    of: Node

    @property
    def binds(self) -> int:  # type: ignore[override] # it follows from the sign
        return SIGNED if self.sign == "-" else BINDS["and"]

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        moments = self.of.moments(run)
        return moments and (int(self.sign != "-") - moments[0], moments[1])

    def _law(self, run: Run) -> Any:
        return numbers(self.of.law(run)).map(neg if self.sign == "-" else not_)

    def __str__(self) -> str:
        return f"{self.sign}{within(self.of, self.binds + 1)}"


class Binary(Node):
    sign: str
    left: Node
    right: Node

    @property
    def binds(self) -> int:  # type: ignore[override] # it follows from the sign
        return BINDS[self.sign]

    def moments(self, run: Run) -> tuple[mpq, mpq] | None:
        left, right = self.left.moments(run), self.right.moments(run)
        if self.sign not in ("+", "-", "*") or left is None or right is None:
            return super().moments(run)
        (a, u), (b, v) = left, right
        if self.sign == "*":
            return a * b, u * v + u * b**2 + v * a**2
        return a + b if self.sign == "+" else a - b, u + v

    def _law(self, run: Run) -> Any:
        holds = COMPARISONS.get(self.sign)
        if holds and isinstance(run, Unlimited):
            return self._unlimited(run)
        left, right = numbers(self.left.law(run)), numbers(self.right.law(run))
        if self.sign in ("//", "%") and 0 in right:
            raise ExpressionError(str(self), f"a divisor that is never 0 after {self.sign}")
        if holds:
            return left.with_other(right, sub, run).map(lambda difference: holds(difference, 0))
        if isinstance(left, Distribution) and isinstance(right, Distribution):
            return left.with_other(right, _OPERATIONS[self.sign], run)
        return _OPERATIONS[self.sign](left, right)

    def _unlimited(self, run: Run) -> Distribution[bool]:
        """Compare unlimited sums, with subtracted terms on the other side."""
        from exactdice.dice.endless import exceeds, unbounded

        if isinstance(self.left, Number) and isinstance(self.right, Extreme):
            mirrored = self.sign.translate(str.maketrans("<>", "><"))
            return Binary(mirrored, self.right, self.left)._unlimited(run)
        if isinstance(self.left, Extreme) and isinstance(self.right, Number):
            bound = self.right.value  # all outcomes above it compare alike
            ends = [lowest(numbers(part.law(run)), bound + 1) for part in self.left.parts]
            found = self.left.of(ends)
            return found.map(lambda x: COMPARISONS[self.sign](x, bound))  # type: ignore[no-any-return]
        sides = [unbounded(0), unbounded(0)]
        for is_right, term in (*_terms(self.left), *_terms(Unary("-", self.right))):
            sides[is_right] += numbers(term.law(run))
        above, below = exceeds(*sides), exceeds(*reversed(sides))
        signs = {1: above, 0: 1 - above - below, -1: below}
        return Distribution.from_probabilities(signs).map(lambda x: COMPARISONS[self.sign](x, 0))

    def __str__(self) -> str:
        left = within(self.left, self.binds if self.binds else 1)
        return f"{left} {self.sign} {within(self.right, self.binds + 1)}"


def _after(
    die: Distribution[Any], on: Sequence[int], more: Any, worth: Callable[[int], int]
) -> Any:
    """Return the worth of a roll, with another roll added if its face is in `on`."""
    chances = die.probabilities().items()
    parts = ((chance, worth(x), more if x in on else 0) for x, chance in chances)
    return mixture([(chance, Distribution({one: 1}) + rest) for chance, one, rest in parts])


def _terms(node: Node, *, is_minus: bool = False) -> Iterator[tuple[bool, Node]]:
    # Whether each term is subtracted, and the term.
    if isinstance(node, Unary) and node.sign == "-":
        yield from _terms(node.of, is_minus=not is_minus)
    elif isinstance(node, Binary) and node.sign in ("+", "-"):
        yield from _terms(node.left, is_minus=is_minus)
        yield from _terms(node.right, is_minus=is_minus != (node.sign == "-"))
    else:
        yield is_minus, node


def _before(node: Node) -> str:
    return "" if str(node) == "total" else f"{node} "


def _listed(parts: tuple[Node, ...]) -> str:
    """Write a list; parentheses keep a last number, as in reroll 1, apart from the next item."""
    *others, last = map(str, parts)
    closed = [f"({t})" if re.search(r" (on|reroll) [-.,0-9]+$", t) else t for t in others]
    return ", ".join([*closed, last])


def within(node: Node, binds: int) -> str:
    return str(node) if node.binds >= binds else f"({node})"


def numbers(roll: Any) -> Any:
    is_finite = isinstance(roll, Distribution)
    return roll.map(int) if is_finite and any(isinstance(x, bool) for x in roll) else roll
