"""AnyDice programs, compiled to Python functions and run exactly.

**Cost.** Statements run about as fast as the same statements in Python. A call whose argument is
expanded costs one run of its body for each outcome of a die, or each sorted roll of a pool; `folds`
says when it is much less. A call is remembered by its arguments and by the variables that it reads:
nothing else changes its result, since what a function assigns is forgotten when it returns.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from gmpy2 import mpq

from exactdice.anydice import values
from exactdice.anydice.library import LIBRARY, Built, Settings
from exactdice.anydice.scopes import Definition, Kind, Scopes, Shape, nodes, shape_of
from exactdice.anydice.syntax import Node, parsed
from exactdice.anydice.values import EMPTY, TOO_DEEP, Pool, Value, rolls
from exactdice.dice.distribution import Distribution
from exactdice.errors import ExactDiceError, InputError
from exactdice.run import DEFAULT, Run

__all__ = ["Machine", "Output"]

_PLACE = "<AnyDice>"
_REMEMBERED = 100_000  # calls of one function
_FRAMES = 15_000  # nested calls in Python, a few for each nested call of a program
_SETTINGS = {
    "position order": ("highest first", "lowest first"),
    "maximum function depth": (),
    "explode depth": (),
}


class Output:
    """One output: its name, its distribution or None without outcomes, and what was cut.

    `reached_limit` is the probability that a call that was too deep took part.
    """

    def __init__(self, name: str, value: Value) -> None:
        if type(value) is int:
            value = (value,)
        pool = values.die(value)
        self.name, self.reached_limit = name, pool.reached_limit
        self.distribution = pool.total if pool.face is not None else None


class Machine:
    """A program while it runs."""

    def __init__(self, program: str, run: Run = DEFAULT) -> None:
        self.statements = parsed(program)
        self.scopes = Scopes(self.statements)
        self.settings, self.run = Settings(run), run
        self.variables: dict[str, Value] = {}
        self.depth = self.deepest = self.cuts = 0
        self.outputs: list[Output] = []
        self.remembered: list[dict[Any, Any]] = []
        self.functions: dict[Shape, Callable[..., Value]] = {}

    def outputs_made(self) -> list[Output]:
        """Run the program; raises InputError with the line of the statement."""
        writer = _Writer(self.scopes, None)
        writer.block(self.statements, 0)
        program = self.compiled(writer, "", [])
        frames = sys.getrecursionlimit()
        try:
            sys.setrecursionlimit(max(frames, _FRAMES))
            with self.run.within_limits():
                program()
        except RecursionError:
            raise InputError(
                "maximum function depth",
                self.settings.depth,
                "a lower one: the calls are nested too deep",
            ) from None
        except ExactDiceError as problem:
            raise _with_line(problem) from None
        finally:
            sys.setrecursionlimit(frames)
        return self.outputs

    def compiled(self, writer: "_Writer", parameters: str, first: list[str]) -> Callable[..., Any]:
        """Compile the statements of a function, so that errors know their lines."""
        lines = [
            (f"def made({parameters}):", 1),
            *((f" {line}", 1) for line in first),
            *writer.lines,
        ]
        lines.append((" return EMPTY", 1))
        tree = ast.parse("\n".join(line for line, _ in lines))
        for node in ast.walk(tree):
            if hasattr(node, "lineno"):
                node.lineno = node.end_lineno = lines[node.lineno - 1][1]
        space = {
            **_OPERATIONS, "G": self.variables, "M": self, "EMPTY": EMPTY, "at": self.at,
            **{name: self.caller(shape) for name, shape in writer.calls.items()},
            **{f"node{i}": node for i, node in enumerate(writer.nodes)},
        }  # fmt: skip
        exec(compile(tree, _PLACE, "exec"), space)  # noqa: S102 - the source is made here
        made: Callable[..., Any] = space["made"]
        return made

    # What compiled statements call.

    def output(self, value: Value, name: str | None) -> None:
        if name is None:
            shown = f"output {len(self.outputs) + 1}"
        else:
            shown = re.sub(r"\[([A-Z_]+)\]", lambda match: _shown(self.variable(match[1])), name)
        self.outputs.append(Output(shown, value))

    def variable(self, name: str) -> Value:
        try:
            return self.variables[name]
        except KeyError:
            raise InputError("variable", name, "one that has a value here") from None

    def set(self, key: str, value: Value | str) -> None:
        """Change a setting; what was remembered of calls may depend on it."""
        if key not in _SETTINGS:
            raise InputError("set", key, f"one of {', '.join(_SETTINGS)}")
        if _SETTINGS[key]:
            if value not in _SETTINGS[key]:
                raise InputError(key, value, " or ".join(_SETTINGS[key]))
            self.settings.highest_first = value == "highest first"
        elif type(value) is not int or value < 1:
            raise InputError(key, value, "a whole number of at least 1")
        elif key == "explode depth":
            self.settings.explode_depth = value
        else:
            self.settings.depth = value
        for remembered in self.remembered:
            remembered.clear()

    def define(self, node: Node) -> None:
        definition = self.scopes.definitions[id(node)]
        self.functions[definition.shape] = Function(self, definition).call

    def at(self, places: Value, value: Value) -> Value:
        return values.at(places, value, highest_first=self.settings.highest_first, run=self.run)

    def caller(self, shape: Shape) -> Callable[..., Value]:
        """Return what calls the function of a shape that is defined at the time of the call."""
        if shape not in self.functions and shape in LIBRARY:
            self.functions[shape] = LibraryFunction(self, LIBRARY[shape]).call
        if shape not in self.scopes.by_shape:
            if shape in self.functions:
                return self.functions[shape]
        functions = self.functions

        def call(*arguments: Value) -> Value:
            function = functions.get(shape)
            if function is None:
                raise InputError("function", f"[{' '.join(shape)}]", "one that is defined before")
            return function(*arguments)

        return call


def _shown(value: Value) -> str:
    if type(value) is tuple:
        return "{?}" if value else "{}"
    return str(value)


def _with_line(problem: ExactDiceError) -> ExactDiceError:
    """Add the line of the program to an error."""
    line, trace = 0, problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _PLACE:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(problem, InputError):
        return problem.at(f"line {line}")
    return type(problem)(f"line {line}: {problem}")


class LibraryFunction:
    """A function of the library in a program."""

    def __init__(self, machine: Machine, built: Built) -> None:
        self.machine, self.built = machine, built

    def call(self, *arguments: Value) -> Value:
        machine, built = self.machine, self.built
        if machine.depth >= machine.settings.depth:
            machine.cuts += 1
            return TOO_DEEP
        if machine.deepest <= machine.depth:
            machine.deepest = machine.depth + 1
        if built.whole_pool is not None:
            whole = [a for k, a in zip(built.takes, arguments, strict=True) if isinstance(a, Pool)]
            if any(pool.face is None for pool in whole):
                return EMPTY
            others = [
                a for k, a in zip(built.takes, arguments, strict=True) if not isinstance(a, Pool)
            ]
            if (
                whole
                and (len(whole) == 1 or built.takes == "nn")
                and (built.takes != "sn" or isinstance(arguments[0], Pool))
                and (built.takes != "ss" or isinstance(arguments[1], Pool))
            ):
                bound = [
                    values.elements(a)
                    if k == "s" and not isinstance(a, Pool)
                    else values.whole(a, "argument")
                    if k == "n" and not isinstance(a, Pool)
                    else a
                    for k, a in zip(built.takes, arguments, strict=True)
                ]
                return built.whole_pool(machine.settings, *bound)
        bound, spans, reached = bind(built.takes, arguments, machine)
        if bound is None:
            return EMPTY
        if not spans:
            return built.function(machine.settings, *bound)

        def body(*arguments: Value) -> Value:
            return built.function(machine.settings, *arguments)

        return aggregated(body, bound, spans, reached, machine, built.takes)


Span = list[tuple[Any, int]]


def bind(
    takes: Any, arguments: tuple[Value, ...], machine: Machine
) -> tuple[list[Any] | None, list[tuple[int, Any]], mpq]:
    """Convert the arguments of a call to the kinds of the parameters.

    Returns the values, and by place the dice or weighted values that the call is expanded over; no
    values if a die without faces is to be expanded.
    """
    bound: list[Any] = list(arguments)
    spans: list[tuple[int, Any]] = []
    reached = mpq(0)
    for place, (kind, value) in enumerate(zip(takes, arguments, strict=True)):
        if kind == "n":
            if type(value) is tuple:
                spans.append((place, [(sum(value), 1)]))
            elif isinstance(value, Pool):
                spans.append((place, value))
        elif kind == "s":
            if type(value) is int:
                bound[place] = (value,)
            elif isinstance(value, Pool):
                spans.append((place, value))
        elif kind == "d" and not isinstance(value, Pool):
            bound[place] = Pool(Distribution({sum(value) if type(value) is tuple else value: 1}))
    for _, value in spans:
        if isinstance(value, Pool):
            if value.face is None:
                return None, spans, reached
            reached = values.either(reached, value.reached_limit)
    return bound, spans, reached


def spanned(kind: str, value: Any, machine: Machine) -> "Iterator[tuple[Any, int]] | Span":
    if not isinstance(value, Pool):
        return value  # type: ignore[no-any-return]
    if kind == "n":
        return list(value.total.items())
    return rolls(value, machine.run, highest_first=machine.settings.highest_first)


def aggregated(
    body: Callable[..., Value],
    bound: list[Any],
    spans: list[tuple[int, Any]],
    reached: mpq,
    machine: Machine,
    takes: Any,
) -> Pool:
    """Mix the results of a call over the outcomes of its arguments; the first changes fastest."""
    mixture = Mixture()
    add, check = mixture.add, machine.run.check
    if len(spans) == 1:
        [(place, over)] = spans
        done = 0
        for value, weight in spanned(takes[place], over, machine):
            bound[place] = value
            add(body(*bound), weight)
            done += 1
            if not done & 1023:
                check()
        return mixture.pool(reached)
    places = [place for place, _ in reversed(spans)]
    lists = [list(spanned(takes[place], over, machine)) for place, over in reversed(spans)]
    for done, choice in enumerate(product(*lists)):
        weight = 1
        for place, (value, ways) in zip(places, choice, strict=True):
            bound[place] = value
            weight *= ways
        add(body(*bound), weight)
        if not done & 1023:
            check()
    return mixture.pool(reached)


class Mixture:
    """Weighted results of the runs of a body, as they come."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._pools: dict[Pool, int] = {}

    def add(self, value: Value, weight: int) -> None:
        if type(value) is tuple:
            value = sum(value)
        kept: dict[Any, int] = self._numbers if type(value) is int else self._pools
        kept[value] = kept.get(value, 0) + weight

    def pool(self, reached: mpq) -> Pool:
        """Return the mixture; results without outcomes take no part in it."""
        numbers, every = self._numbers, sum(self._numbers.values())
        parts = [(every, Distribution(numbers))] if numbers else []
        limits = mpq(0)
        for pool, weight in self._pools.items():
            every += weight
            if pool.reached_limit:
                limits += weight * pool.reached_limit
            if pool.face is not None:
                parts.append((weight, pool.total))
        if limits:
            reached = values.either(reached, limits / every)
        if not parts:
            return Pool(None, 0, reached) if reached else EMPTY
        return Pool(values.mixed(parts), 1, reached)


class Function:
    """A function of a program, once its definition was reached."""

    def __init__(self, machine: Machine, definition: Definition) -> None:
        self.machine, self.definition = machine, definition
        scopes = machine.scopes
        self.visible = sorted(scopes.visible[definition])
        self.takes = tuple(parameter.kind for parameter in definition.parameters)
        self.free = sorted(scopes.free[definition.shape])
        self.remembers = scopes.remembers[definition]
        self._body: Callable[..., Value] | None = None
        self._tests: dict[str, Callable[..., Any]] = {}
        self.remembered: dict[Any, tuple[Value, int]] = {}
        self.remembered_cut: dict[Any, Value] = {}
        machine.remembered += [self.remembered, self.remembered_cut]

    def likened(self, place: int, pool: Pool, bound: list[Any], spanned: set[int]) -> Pool:
        """Return a pool without the differences of faces that the function cannot see."""
        name = self.definition.parameters[place].name
        constants = self.machine.scopes.tests[self.definition].get(name)
        if constants is None or pool.number == 1:
            return pool
        expanded = {self.definition.parameters[p].name for p in spanned}
        if any(n.kind == "name" and n.parts[0] in expanded for n in nodes(constants)):
            return pool
        if name not in self._tests:
            self._tests[name] = self._compiled(
                lambda writer: writer.write(
                    0, f"return ({''.join(f'{writer.value(c)}, ' for c in constants)})", 1
                )
            )
        tests = self._tests[name](*bound)
        if any(isinstance(test, Pool) for test in tests):
            return pool
        alike: dict[Any, list[int]] = {}
        for face, weight in pool.face.items():
            seen = tuple(
                [
                    values.elements(t).count(face) if type(t) is tuple else (face > t) - (face < t)
                    for t in tests
                ]
            )
            if seen in alike:
                alike[seen][1] += weight
            else:
                alike[seen] = [face, weight]
        return Pool(Distribution(dict(alike.values())), pool.number, pool.reached_limit)

    @property
    def body(self) -> Callable[..., Value]:
        """The compiled statements, as a function of the parameters."""
        if self._body is None:
            self._body = self._compiled(lambda writer: writer.block(self.definition.block, 0))
        return self._body

    def _compiled(self, write: "Callable[[_Writer], None]") -> Callable[..., Any]:
        definition, scopes = self.definition, self.machine.scopes
        writer = _Writer(scopes, definition)
        seen: set[str] = set()
        names, first = [], []
        for place, parameter in enumerate(definition.parameters):
            name = parameter.name
            if name in seen:
                names.append(f"unused{place}")
            elif name in scopes.visible[definition]:
                names.append(f"p{place}")
                first.append(f"G[{name!r}] = p{place}")
            else:
                names.append(f"v{name}")
            seen.add(name)
        write(writer)
        return self.machine.compiled(writer, ", ".join(names), first)

    def call(self, *arguments: Value) -> Value:
        """Return the result for these arguments, remembered if it was computed before."""
        machine, variables = self.machine, self.machine.variables
        depth, limit = machine.depth, machine.settings.depth
        if depth >= limit:
            machine.cuts += 1
            return TOO_DEEP
        key = (
            (arguments, tuple([variables.get(name) for name in self.free]))
            if self.free
            else arguments
        )
        known = self.remembered.get(key)
        if known is not None:
            value, deeper = known
            if depth + deeper <= limit:
                if depth + deeper > machine.deepest:
                    machine.deepest = depth + deeper
                return value
        elif self.remembered_cut and (key, limit - depth) in self.remembered_cut:
            machine.cuts += 1
            machine.deepest = limit
            return self.remembered_cut[key, limit - depth]
        before, cuts = machine.deepest, machine.cuts
        machine.depth = machine.deepest = depth + 1
        if self.visible:
            kept = [(name, variables[name]) for name in self.visible if name in variables]
            value = self._called(arguments)
            for name in self.visible:
                variables.pop(name, None)
            variables.update(kept)
        else:
            value = self._called(arguments)
        machine.depth = depth
        if machine.cuts == cuts:
            if len(self.remembered) >= _REMEMBERED:
                self.remembered.clear()
            self.remembered[key] = value, machine.deepest - depth
        else:
            if len(self.remembered_cut) >= _REMEMBERED:
                self.remembered_cut.clear()
            self.remembered_cut[key, limit - depth] = value
        machine.deepest = max(before, machine.deepest)
        return value

    def _called(self, arguments: tuple[Value, ...]) -> Value:
        bound, spans, reached = bind(self.takes, arguments, self.machine)
        if bound is None:
            return EMPTY
        body = self.body
        if not spans:
            return body(*bound)
        if not self.remembers:
            spans = [
                (
                    p,
                    self.likened(p, s, bound, {p for p, _ in spans})
                    if isinstance(s, Pool) and self.takes[p] == "s"
                    else s,
                )
                for p, s in spans
            ]
        return aggregated(body, bound, spans, reached, self.machine, self.takes)


def _truth(value: Value) -> bool:
    if type(value) is not int:
        raise InputError(
            "if", _shown(value), "a number; give dice to a function that takes a number"
        )
    return value != 0


def _over(value: Value) -> tuple[int, ...]:
    if type(value) is not tuple:
        raise InputError("loop", _shown(value), "a sequence, such as {1..6}")
    return value


def _times(items: tuple[int, ...], times: Value) -> tuple[int, ...]:
    return items * values.whole(times, "repetitions")


def _range(first: Value, last: Value) -> range:
    return range(values.whole(first, "range"), values.whole(last, "range") + 1)


_OPERATIONS = {
    "binary": values.binary, "dice": values.dice, "die": values.die, "minus": values.minus,
    "negation": values.negation, "length": values.length, "elements": values.elements,
    "quotient": values.quotient, "power": values.power, "truth": _truth, "over": _over,
    "times": _times, "span": _range,
}  # fmt: skip


class _Writer:
    """Writes statements as Python, each with the line of the program that it comes from."""

    def __init__(self, scopes: Scopes, within: Definition | None) -> None:
        self.scopes, self.within = scopes, within
        self.lines: list[tuple[str, int]] = []
        self.calls: dict[str, Shape] = {}
        self.nodes: list[Node] = []

    def kind(self, node: Node) -> Kind:
        return self.scopes.kind(node, self.within) or "?"

    def write(self, level: int, source: str, line: int) -> None:
        self.lines.append((" " * (level + 1) + source, line))

    def stored(self, name: str) -> str:
        return f"v{name}" if self.scopes.is_local(name, self.within) else f"G[{name!r}]"

    def block(self, block: tuple[Node, ...], level: int) -> None:
        if not block:
            self.write(level, "pass", 1)
        for node in block:
            parts, line = node.parts, node.line
            if node.kind == "assign":
                self.write(level, f"{self.stored(parts[0])} = {self.value(parts[1])}", line)
            elif node.kind == "result":
                self.write(level, f"return {self.value(parts[0])}", line)
            elif node.kind == "output":
                self.write(level, f"M.output({self.value(parts[0])}, {parts[1]!r})", line)
            elif node.kind == "set":
                value = self.value(parts[1]) if isinstance(parts[1], Node) else repr(parts[1])
                self.write(level, f"M.set({parts[0]!r}, {value})", line)
            elif node.kind == "function":
                self.nodes.append(node)
                self.write(level, f"M.define(node{len(self.nodes) - 1})", line)
            elif node.kind == "loop":
                over = self.value(parts[1])
                over = over if self.kind(parts[1]) == "s" else f"over({over})"
                self.write(level, f"for {self.stored(parts[0])} in {over}:", line)
                self.block(parts[2], level + 1)
            else:
                for place, (condition, inner) in enumerate(parts[0]):
                    word = "elif" if place else "if"
                    self.write(level, f"{word} {self.condition(condition)}:", condition.line)
                    self.block(inner, level + 1)
                if parts[1]:
                    self.write(level, "else:", line)
                    self.block(parts[1], level + 1)

    def condition(self, node: Node) -> str:
        if self.kind(node) != "n":
            return f"truth({self.value(node)})"
        parts = node.parts
        if node.kind == "binary" and {self.kind(parts[1]), self.kind(parts[2])} == {"n"}:
            sign = parts[0]
            if sign in values.COMPARISONS:
                sign = {"=": "=="}.get(sign, sign)
                return f"({self.value(parts[1])} {sign} {self.value(parts[2])})"
            if sign in "&|":
                word = {"&": "and", "|": "or"}[sign]
                return f"({self.condition(parts[1])} {word} {self.condition(parts[2])})"
        if node.kind == "unary" and parts[0] == "!" and self.kind(parts[1]) == "n":
            return f"(not {self.condition(parts[1])})"
        return self.value(node)

    def value(self, node: Node) -> str:
        """Return the source of an expression."""
        parts = node.parts
        if node.kind == "number":
            return str(parts[0])
        if node.kind == "name":
            if self.scopes.is_local(parts[0], self.within):
                return f"v{parts[0]}"
            return f"M.variable({parts[0]!r})" if self.within is None else f"G[{parts[0]!r}]"
        if node.kind == "sequence":
            return f"({''.join(f'{self.element(*element)}, ' for element in parts)})"
        if node.kind == "call":
            name = f"call{len(self.calls)}"
            self.calls[name] = shape_of(parts)
            arguments = (self.value(part) for part in parts if isinstance(part, Node))
            return f"{name}({', '.join(arguments)})"
        if node.kind == "unary":
            return self.unary(parts[0], parts[1])
        return self.binary(*parts)

    def element(self, first: Node, last: Node | None, times: Node | None) -> str:
        if last is not None:
            items = f"span({self.value(first)}, {self.value(last)})"
            if self.kind(first) == self.kind(last) == "n":
                items = f"range({self.value(first)}, {self.value(last)} + 1)"
            if times is None:
                return f"*{items}"
            items = f"(*{items},)"
        elif times is None and self.kind(first) == "n":
            return self.value(first)
        else:
            of = self.value(first)
            items = of if self.kind(first) == "s" else f"elements({of})"
            if times is None:
                return f"*{items}"
        return f"*times({items}, {self.value(times)})"

    def unary(self, sign: str, of: Node) -> str:
        value, kind = self.value(of), self.kind(of)
        if sign == "+":
            return value
        if sign == "d":
            return f"die({value})"
        if kind == "n" and sign in "-!":
            return f"(-{value})" if sign == "-" else f"(0 if {self.condition(of)} else 1)"
        if kind == "s":
            return {
                "-": f"(-sum({value}))",
                "#": f"len({value})",
                "!": f"(0 if sum({value}) else 1)",
            }[sign]
        return f"{ {'-': 'minus', '!': 'negation', '#': 'length'}[sign] }({value})"

    def binary(self, sign: str, left: Node, right: Node) -> str:
        kinds = self.kind(left), self.kind(right)
        a, b = self.value(left), self.value(right)
        if sign == "d":
            return f"dice({a}, {b})"
        if sign == "@":
            return f"at({a}, {b})"
        if kinds == ("n", "n"):
            if sign in "+-*":
                return f"({a} {sign} {b})"
            if sign in values.COMPARISONS or sign in "&|":
                return f"(1 if {self.condition(Node('binary', 0, (sign, left, right)))} else 0)"
            return f"{ {'/': 'quotient', '^': 'power'}[sign] }({a}, {b})"
        if kinds == ("s", "n") and sign == "=":
            return f"{a}.count({b})"
        if kinds == ("n", "s") and sign == "=":
            return f"{b}.count({a})"
        return f"binary({sign!r}, {a}, {b})"


def run(program: str, run: Run = DEFAULT) -> list[Output]:
    """Return the outputs of a program."""
    return Machine(program, run).outputs_made()
