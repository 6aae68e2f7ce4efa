"""Which variables and which kinds of values the functions of a program use.

AnyDice has dynamic scope: a function sees the variables of its caller, and what it assigns is
forgotten when it returns. A variable of a function becomes a local of the compiled function unless
a function that it calls may read it, or one roll of an expanded call may read what another left.

Kinds are ``n``, ``s``, ``d`` for number, sequence and dice, ``?`` for any of them, and None for
nothing yet; they only make the compiled program faster.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from exactdice.anydice.library import LIBRARY
from exactdice.anydice.syntax import Node, Parameter

Shape = tuple[str, ...]  # the words of a function's name, with "?" for each parameter
Names = frozenset[str]
Kind = str | None

_COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))


def shape_of(words: Iterable[object]) -> Shape:
    """Return what identifies a function.

    >>> shape_of(["twice", Parameter("N", "n")])
    ('twice', '?')
    """
    return tuple(word if isinstance(word, str) else "?" for word in words)


@dataclass(frozen=True, eq=False)
class Definition:
    """A function of a program: what identifies it, its parameters and its statements."""

    shape: Shape
    parameters: tuple[Parameter, ...]
    block: tuple[Node, ...]
    line: int

    @classmethod
    def of(cls, node: Node) -> "Definition":
        words, block = node.parts
        parameters = tuple(word for word in words if isinstance(word, Parameter))
        return cls(shape_of(words), parameters, block, node.line)

    @property
    def names(self) -> Names:
        return frozenset(parameter.name for parameter in self.parameters)


def nodes(parts: object) -> Iterator[Node]:
    """Yield all statements and expressions within parts of a program, outer ones first."""
    if isinstance(parts, Node):
        yield parts
    if isinstance(parts, tuple) and not isinstance(parts, Parameter):
        for part in parts.parts if isinstance(parts, Node) else parts:
            yield from nodes(part)


def assigned_in(block: tuple[Node, ...]) -> Names:
    return frozenset(n.parts[0] for n in nodes(block) if n.kind in ("assign", "loop"))


class Scopes:
    """The scopes of all functions of a program."""

    def __init__(self, program: tuple[Node, ...]) -> None:
        self.program = program
        every = [n for n in nodes(program) if n.kind == "function"]
        self.definitions = {id(node): Definition.of(node) for node in every}
        self.by_shape: dict[Shape, list[Definition]] = {}
        for definition in self.definitions.values():
            self.by_shape.setdefault(definition.shape, []).append(definition)
        #: By shape: variables that a call may read although it did not assign them.
        self.free: dict[Shape, Names] = dict.fromkeys(self.by_shape, frozenset())
        #: By definition: variables that must be visible outside of the compiled function.
        self.visible: dict[Definition, Names] = {}
        #: By definition: whether a roll of an expanded call may read what another roll left.
        self.remembers: dict[Definition, bool] = {}
        self._settle()
        #: By definition and parameter: the constants that faces are compared with, if nothing
        #: else is asked of the sequence.
        self.tests = {d: _tests(d, self.visible[d]) for d in self.visible}
        self._recursive = self._can_be_cut()
        self.kinds: dict[str, Kind] = {}  # of visible variables, by name
        self.locals: dict[Definition, dict[str, Kind]] = {d: {} for d in self.visible}
        self.results: dict[Shape, Kind] = {}
        self._infer()

    def _settle(self) -> None:
        while True:
            before = dict(self.free)
            for definition in self.definitions.values():
                flow = _Flow(self.free, definition)
                self.free[definition.shape] |= flow.free
                own = definition.names | assigned_in(definition.block)
                left = (assigned_in(definition.block) - definition.names) & flow.free
                self.visible[definition] = left | (own & flow.read_by_calls)
                self.remembers[definition] = bool(left)
            if before == self.free:
                return

    def _can_be_cut(self) -> bool:
        """Whether a chain of calls may become longer than the setting allows."""
        calls = {
            shape: {s for d in found for s in _called(d.block)}
            for shape, found in self.by_shape.items()
        }
        limits = [
            node.parts[1].parts[0]
            if isinstance(node.parts[1], Node) and node.parts[1].kind == "number"
            else 0
            for node in nodes(self.program)
            if node.kind == "set" and node.parts[0] == "maximum function depth"
        ]
        heights: dict[Shape, int] = {}
        waiting = [shape for shape in calls]
        while waiting:
            ready = [s for s in waiting if all(t in heights or t not in calls for t in calls[s])]
            if not ready:
                return True
            heights |= {s: 1 + max((heights.get(t, 1) for t in calls[s]), default=0) for s in ready}
            waiting = [s for s in waiting if s not in heights]
        return max(heights.values(), default=0) > min([10, *limits])

    # Kinds.

    def _infer(self) -> None:
        while True:
            before = (
                dict(self.kinds),
                {d: dict(k) for d, k in self.locals.items()},
                dict(self.results),
            )
            self._assign(self.program, None)
            for definition in self.definitions.values():
                for name in definition.names:
                    kind = next(p.kind for p in definition.parameters if p.name == name)
                    self._join_name(name, kind or "?", definition)
                self._assign(definition.block, definition)
                results = [
                    self.kind(n.parts[0], definition)
                    for n in nodes(definition.block)
                    if n.kind == "result"
                ]
                if not _always_returns(definition.block):
                    results.append("d")
                for kind in results:
                    self.results[definition.shape] = joined(
                        self.results.get(definition.shape), kind
                    )
            if before == (self.kinds, self.locals, self.results):
                return

    def _assign(self, block: tuple[Node, ...], within: Definition | None) -> None:
        for node in _statements(block):
            if node.kind == "assign":
                self._join_name(node.parts[0], self.kind(node.parts[1], within), within)
            elif node.kind == "loop":
                self._join_name(node.parts[0], "n", within)

    def _join_name(self, name: str, kind: Kind, within: Definition | None) -> None:
        if within is not None and name not in self.visible[within]:
            self.locals[within][name] = joined(self.locals[within].get(name), kind)
        else:
            self.kinds[name] = joined(self.kinds.get(name), kind)

    def is_local(self, name: str, within: Definition | None) -> bool:
        return within is not None and name in self.locals[within]

    def kind(self, node: Node, within: Definition | None) -> Kind:
        """Return the kind of an expression in a function, or in the program itself."""
        parts = node.parts
        if node.kind == "number":
            return "n"
        if node.kind == "sequence":
            return "s"
        if node.kind == "name":
            if self.is_local(parts[0], within):
                return self.locals[within][parts[0]]  # type: ignore[index]
            return self.kinds.get(parts[0])
        if node.kind == "call":
            return self._kind_of_call(node, within)
        if node.kind == "unary":
            sign, of = parts[0], self.kind(parts[1], within)
            if sign in ("#", "d"):
                return {"#": "n", "d": "d"}[sign]
            return of if sign == "+" or of in ("d", "?", None) else "n"
        sign, left, right = parts[0], self.kind(parts[1], within), self.kind(parts[2], within)
        if sign == "d":
            return "d"
        if sign == "@":
            return "n" if right in ("n", "s") else right
        if left is None or right is None:
            return None
        if "d" in (left, right):
            return "d"
        return "?" if "?" in (left, right) else "n"

    def _kind_of_call(self, node: Node, within: Definition | None) -> Kind:
        shape = shape_of(node.parts)
        arguments = [self.kind(part, within) for part in node.parts if isinstance(part, Node)]
        if None in arguments:
            return None
        if shape in self.by_shape:
            takes = [[p.kind for p in d.parameters] for d in self.by_shape[shape]]
            result = self.results.get(shape)
            if shape in LIBRARY:
                result = joined(result, "?")
        elif shape in LIBRARY:
            takes, result = [list(LIBRARY[shape].takes)], LIBRARY[shape].gives
        else:
            return "?"
        expands = [
            _expands(kind, of) for kinds in takes for kind, of in zip(kinds, arguments, strict=True)
        ]
        if True in expands and len(takes) == 1:
            return "d"
        if None in expands or True in expands or (within is not None and self._recursive):
            result = joined(result, "d")
        return result


def _expands(takes: str, given: Kind) -> bool | None:
    """Whether an argument is expanded into its outcomes; None if that depends on its value."""
    if takes not in ("n", "s"):
        return False
    if given == "?":
        return None
    return given == "d" or (takes == "n" and given == "s")


def joined(a: Kind, b: Kind) -> Kind:
    return a or b if a is None or b is None or a == b else "?"


def _called(parts: object) -> set[Shape]:
    return {shape_of(node.parts) for node in nodes(parts) if node.kind == "call"}


def _statements(block: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the statements of a block and of blocks within it, but not of functions."""
    for node in block:
        yield node
        if node.kind == "loop":
            yield from _statements(node.parts[2])
        elif node.kind == "if":
            for _, inner in node.parts[0]:
                yield from _statements(inner)
            yield from _statements(node.parts[1])


def _always_returns(block: tuple[Node, ...]) -> bool:
    if not block:
        return False
    last = block[-1]
    if last.kind == "result":
        return True
    if last.kind == "if":
        return all(_always_returns(b) for b in (*(b for _, b in last.parts[0]), last.parts[1]))
    return False


def _tests(definition: Definition, visible: Names) -> dict[str, tuple[Node, ...]]:
    """Find the sequences of which a function only asks how many elements pass some tests.

    Returns by parameter the values that elements are compared with, which are the same in each
    run of the body. Faces that compare alike with all of them need not be told apart.
    """
    changing = visible | assigned_in(definition.block)
    found = {}
    for name in {p.name for p in definition.parameters if p.kind == "s"} - changing:
        uses = sum(n.kind == "name" and n.parts[0] == name for n in nodes(definition.block))
        constants = []
        for node in nodes(definition.block):
            of = _tested(node, name)
            if of is not None:
                uses -= 1
                constants += of
        fixed = not any(
            n.kind == "call" or (n.kind == "name" and n.parts[0] in changing | {name})
            for n in nodes(tuple(constants))
        )
        if not uses and fixed:
            found[name] = tuple(constants)
    return found


def _tested(node: Node, name: str) -> list[Node] | None:
    """Return the values that elements of a sequence are compared with, if a node compares them."""
    parts = node.parts
    if node.kind == "unary" and parts[0] == "#" and _is_name(parts[1], name):
        return []
    if node.kind == "binary" and parts[0] in _COMPARISONS:
        for sequence, other in (parts[1:], parts[:0:-1]):
            if _is_name(sequence, name) and other.kind != "sequence":
                return [other]
    if (
        node.kind == "call"
        and shape_of(parts) == ("count", "?", "in", "?")
        and _is_name(parts[3], name)
    ):
        return [parts[1]]
    if (
        node.kind == "call"
        and shape_of(parts) == ("?", "contains", "?")
        and _is_name(parts[0], name)
    ):
        return [parts[2]]
    return None


def _is_name(node: Node, name: str) -> bool:
    return node.kind == "name" and node.parts[0] == name


class _Flow:
    """Variables that a function may read before it assigned them; `free` are all of these."""

    def __init__(self, free: dict[Shape, Names], definition: Definition) -> None:
        self._of_calls = free
        self.free: set[str] = set()
        self.read_by_calls: set[str] = set()
        self._block(definition.block, definition.names)

    def _block(self, block: tuple[Node, ...], known: Names) -> Names | None:
        """Return the variables that are assigned after a block; None if it always returns."""
        after: Names | None = known
        for node in block:
            if after is None:
                break
            after = self._statement(node, after)
        return after

    def _statement(self, node: Node, known: Names) -> Names | None:
        parts = node.parts
        if node.kind == "assign":
            self._reads(parts[1], known)
            return known | {parts[0]}
        if node.kind == "result":
            self._reads(parts[0], known)
            return None
        if node.kind == "loop":
            self._reads(parts[1], known)
            self._block(parts[2], known | {parts[0]})
            return known
        ends = []
        for condition, block in parts[0]:
            self._reads(condition, known)
            ends.append(self._block(block, known))
        ends.append(self._block(parts[1], known))
        left = [end for end in ends if end is not None]
        return frozenset.intersection(*left) if left else None

    def _reads(self, value: Node, known: Names) -> None:
        for node in nodes(value):
            if node.kind == "name" and node.parts[0] not in known:
                self.free.add(node.parts[0])
            elif node.kind == "call":
                free = self._of_calls.get(shape_of(node.parts), frozenset())
                self.read_by_calls |= free
                self.free |= free - known
