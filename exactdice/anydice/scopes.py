"""Which variables the functions of a program share, and which kinds of values they hold.

AnyDice has dynamic scope: a function sees the variables of its caller, and what it assigns is
forgotten when it returns. A variable of a function becomes a local of the compiled function unless
a function that it calls may read it, or one run of an expanded call may read what another left.

Kinds are ``n``, ``s`` and ``d`` for numbers, sequences and dice, ``?`` for any of them, and nothing
for a value that was not seen yet. They only make compiled programs faster.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from exactdice.anydice.syntax import COMPARISONS, FunctionParameter, Part

Shape = tuple[str, ...]  # the words of a function's name, with "?" for each parameter
Names = frozenset[str]
Kinds = dict[str, str]

_NONE: Names = frozenset()


def shape_of(words: Iterable[object]) -> Shape:
    """Return what identifies a function in its definition and in calls."""
    return tuple(word if isinstance(word, str) else "?" for word in words)


def parts_in(tree: object) -> Iterator[Part]:
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Part):
            yield part
            part = part.parts
        if isinstance(part, tuple) and not isinstance(part, FunctionParameter):
            waiting.extend(part)


def _assignments(tree: object) -> Iterator[Part]:
    return (part for part in parts_in(tree) if part.kind in ("assign", "loop"))


def _names_in(tree: object) -> Names:
    return frozenset(part.parts[0] for part in parts_in(tree) if part.kind == "name")


class Definition:
    """A function of a program, and what is known of its variables.

    `visible` variables are not locals; `remembers` tells whether one run of an expanded call may
    read what another left; `tests` has the values with which the elements of a sequence are
    compared or counted, if the function asks nothing else of it and these values do not change.
    """

    def __init__(self, words: tuple[Any, ...], block: tuple[Part, ...]) -> None:
        self.shape, self.block = shape_of(words), block
        self.parameters = [word for word in words if isinstance(word, FunctionParameter)]
        self.kinds: Kinds = {each.name: each.kind or "?" for each in reversed(self.parameters)}
        self.names = frozenset(self.kinds)
        self.assigned = frozenset(part.parts[0] for part in _assignments(block))
        self.free = self.visible = _NONE
        self.remembers = False

    def settle(self, free: dict[Shape, Names]) -> None:
        """Follow the variables through the statements, given what calls may read."""
        flow = _Flow(free, set(), set())
        flow.block(self.block, self.names)
        self.free = frozenset(flow.free)
        left = self.free & self.assigned - self.names
        self.remembers = bool(left)
        self.visible = left | ((self.names | self.assigned) & flow.read_by_calls)
        changing = self.visible | self.assigned
        self.tests = {}
        for name in {p.name for p in self.parameters if p.kind == "s"} - changing:
            values = _tests(self.block, name)
            if values is not None and not _names_in(tuple(values)) & (changing | {name}):
                self.tests[name] = values


class Scopes:
    """All functions of a program; `free` are the variables that a call may read unassigned."""

    def __init__(self, program: tuple[Part, ...]) -> None:
        self.definitions = {
            id(part): Definition(*part.parts)
            for part in parts_in(program)
            if part.kind == "function"
        }
        self.free: dict[Shape, Names] = {}
        self._until_settled(self._share, self.free)
        self.kinds: Kinds = {}  # of variables that are not locals
        self._known: dict[int, str] = {}  # kinds of expressions by identity
        every = self.definitions.values()
        within = {id(part): of for of in every for part in _assignments(of.block)}
        self._assignments = [(part, within.get(id(part))) for part in _assignments(program)]
        for definition in every:
            for name in definition.visible & definition.names:
                self._join(self.kinds, name, definition.kinds[name])
        self._until_settled(self._infer, self.kinds, *(of.kinds for of in every))

    def _until_settled(self, step: Any, *changing: dict[Any, Any]) -> None:
        before: Any = None
        while before != (before := [dict(known) for known in changing]):
            step()

    def _share(self) -> None:
        for definition in self.definitions.values():
            definition.settle(self.free)
            shape = definition.shape
            self.free[shape] = self.free.get(shape, _NONE) | definition.free

    def _infer(self) -> None:
        self._known.clear()
        for part, within in self._assignments:
            kind = "n" if part.kind == "loop" else self.kind(part.parts[1], within)
            self._join(self.kinds_of(part.parts[0], within), part.parts[0], kind)

    def _join(self, kinds: Kinds, name: str, kind: str) -> None:
        known = kinds.get(name, "")
        kinds[name] = known or kind if not known or not kind or known == kind else "?"

    def kinds_of(self, name: str, within: Definition | None) -> Kinds:
        """Return where the kind of a variable is kept: that of a local with its function."""
        if within is None or name in within.visible or name not in within.names | within.assigned:
            return self.kinds
        return within.kinds

    def kind(self, part: Part, within: Definition | None) -> str:
        if id(part) not in self._known:
            self._known[id(part)] = self._kind(part, within)
        return self._known[id(part)]

    def _kind(self, part: Part, within: Definition | None) -> str:
        if part.kind in ("number", "sequence", "call"):
            return {"number": "n", "sequence": "s", "call": "?"}[part.kind]
        if part.kind == "name":
            return self.kinds_of(part.parts[0], within).get(part.parts[0], "")
        sign, *sides = part.parts
        kinds = [self.kind(side, within) for side in sides]
        if sign in "#d" or (part.kind == "unary" and sign == "+"):
            return {"#": "n", "d": "d", "+": kinds[0]}[sign]
        if sign == "@":
            return "n" if kinds[1] in ("n", "s") else kinds[1]
        return next((kind for kind in ("", "d", "?") if kind in kinds), "n")


def _tests(block: tuple[Part, ...], name: str) -> list[tuple[Part | None, str]] | None:
    """Return what a block asks of a sequence; None if that is not listed here.

    It may be compared or counted with values, asked for the elements at places, or added.
    """
    uses, found = 0, []
    for part in parts_in(block):
        parts = part.parts
        uses += part.kind == "name" and parts[0] == name
        asked: list[Any] = []
        if part.kind == "unary" and parts[0] in "#-!":
            asked = [(parts[1], None, "length" if parts[0] == "#" else "sum")]
        elif part.kind == "binary" and parts[0] in COMPARISONS:
            asked = [(*parts[1:], "compared"), (*parts[:0:-1], "compared")]
        elif part.kind == "binary" and parts[0] == "@":
            asked = [(parts[2], parts[1], "place")]
        elif part.kind == "binary" and parts[0] != "d":
            asked = [(of, None, "sum") for of in parts[1:]]
        elif part.kind == "call" and shape_of(parts) == ("count", "?", "in", "?"):
            asked = [(parts[3], parts[1], "counted")]
        elif part.kind == "call" and shape_of(parts) == ("?", "contains", "?"):
            asked = [(parts[0], parts[2], "counted")]
        for of, value, how in asked:
            if of.kind == "name" and of.parts[0] == name:
                uses -= 1
                found += [] if how == "length" else [(value, how)]
    is_fixed = all(part.kind != "call" for part in parts_in(tuple(found)))
    return None if uses or not is_fixed else found


class _Flow(NamedTuple):
    """Variables that statements may read before they assigned them (`free`)."""

    of_calls: dict[Shape, Names]
    free: set[str]
    read_by_calls: set[str]

    def block(self, block: tuple[Part, ...], known: Names) -> Names | None:
        """Return the variables that are assigned after a block; None if it always returns."""
        for part in block:
            if (after := self._statement(part, known)) is None:
                return None
            known = after
        return known

    def _statement(self, part: Part, known: Names) -> Names | None:
        parts = part.parts
        if part.kind == "assign":
            self._reads(parts[1], known)
            return known | {parts[0]}
        if part.kind == "result":
            self._reads(parts[0], known)
            return None
        if part.kind == "loop":
            self._reads(parts[1], known)
            self.block(parts[2], known | {parts[0]})
            return known
        ends = []
        for condition, block in (*parts[0], ((), parts[1])):
            self._reads(condition, known)
            ends.append(self.block(block, known))
        left = [end for end in ends if end is not None]
        return frozenset.intersection(*left) if left else None

    def _reads(self, value: object, known: Names) -> None:
        self.free.update(_names_in(value) - known)
        for part in parts_in(value):
            if part.kind == "call":
                free = self.of_calls.get(shape_of(part.parts), _NONE)
                self.read_by_calls.update(free)
                self.free.update(free - known)
