"""AnyDice programs, compiled to Python functions and run exactly.

**Cost.** Statements run about as fast as the same statements in Python. A call whose arguments are
expanded runs its body once for each outcome of a die, or for each sorted roll of a pool. Faces that
a body only compares with fixed values, or counts, are merged before, as far as it cannot tell them
apart: 30 dice of which it counts successes and ones are 496 rolls, not 10⁸. A call is remembered by
its arguments and by the variables that it reads, because nothing else changes its result.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from types import TracebackType
from typing import Any

from exactdice.anydice import values
from exactdice.anydice.library import LIBRARY, Built, Settings
from exactdice.anydice.scopes import Definition, Scopes, Shape, _names_in
from exactdice.anydice.syntax import Part, parsed
from exactdice.anydice.translation import Translator
from exactdice.anydice.values import EMPTY, TOO_DEEP, Pool, Value
from exactdice.arithmetic import mpq, text
from exactdice.dice.distribution import Distribution
from exactdice.errors import ExactDiceError, InputError, Unquoted, one_named
from exactdice.run import DEFAULT, Run

_FILE = "<AnyDice program>"
_REMEMBERED = 100_000  # calls of one function
_BYTES = 40  # of an element of a sequence
_FRAMES = 6_000  # of Python, about four for each nested call; more would need a larger stack


@dataclass(frozen=True)
class ProgramOutput:
    """One output of a program: its name and its distribution, None if it has no outcomes.

    `cut` is the probability that a call that was too deep to be made took part: AnyDice's setting
    ``"maximum function depth"`` is 10 unless the program changes it.
    """

    name: str
    distribution: "Distribution[int] | None"
    cut: mpq


def run(program: str, run: Run = DEFAULT) -> list[ProgramOutput]:
    """Run an AnyDice program and return its outputs in order, exactly.

    Raises InputError with the line (and the column, if the program cannot be read), TimeLimitError
    and TooLargeError at the limits of `run`.

    >>> [best] = run('output [highest 3 of 4d6] named "an ability"')
    >>> best.name, best.distribution.probability(18)
    ('an ability', mpq(7,432))
    """
    frames = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(frames, _FRAMES))
        return _Machine(program, run).outputs_made()
    except (RecursionError, SyntaxError):  # SyntaxError: of Python, which limits nesting
        wanted = "a lower maximum function depth, shorter sums, or fewer loops within each other"
        raise InputError("program", Unquoted("too deep nesting"), wanted) from None
    finally:
        sys.setrecursionlimit(frames)


class _Variables(dict[str, Value]):
    def __missing__(self, name: str) -> Value:
        raise InputError("variable", name, "one that has a value here")


class _Machine:
    """A program while it runs."""

    def __init__(self, program: str, run: Run) -> None:
        self.statements = parsed(program)
        self.scopes = Scopes(self.statements)
        self.settings = Settings(run)
        self.variables = _Variables()
        self.stopped: TracebackType | None = None  # where the program was stopped from outside
        self.depth = self.deepest = self.cuts = 0
        self.outputs: list[ProgramOutput] = []
        self.remembered: list[dict[Any, Any]] = []
        self.functions: dict[Shape, Callable[..., Value]] = {}
        for shape, built in LIBRARY.items():
            self.functions[shape] = _LibraryFunction(self, built).call

    def outputs_made(self) -> list[ProgramOutput]:
        try:
            with self.settings.run.within_limits():
                self.call(self.compiled(None, lambda writer: writer.block(self.statements, 1)))
        except ExactDiceError as problem:
            raise _with_line(problem, self.stopped) from None
        return self.outputs

    def call(self, program: Callable[[], Any]) -> None:
        try:
            program()
        except KeyboardInterrupt as stop:
            self.stopped = stop.__traceback__
            raise

    def compiled(
        self, within: Definition | None, write: Callable[[Translator], None]
    ) -> Callable[..., Any]:
        """Compile statements, as lines of the program, to a function of the parameters."""
        writer = Translator(self.scopes, within)
        parameters: dict[str, str] = {}
        for place, parameter in enumerate(within.parameters if within else ()):
            visible = within is not None and parameter.name in within.visible
            name = f"v{parameter.name}"
            if name in parameters or visible:
                name = f"p{place}"
            if visible and parameter.name not in parameters.values():
                writer.write(1, f"G[{parameter.name!r}] = {name}", 1)
            parameters[name] = parameter.name
        write(writer)
        lines = [(f"def made({', '.join(parameters)}):", 1), *writer.lines, (" return EMPTY", 1)]
        tree = ast.parse("\n".join(line for line, _ in lines))
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt | ast.expr):
                node.lineno = node.end_lineno = lines[node.lineno - 1][1]
        space = {**_NAMES, "G": self.variables, "M": self, "at": self.at, **writer.parts}
        space |= {name: self.caller(shape) for name, shape in writer.calls.items()}
        exec(compile(tree, _FILE, "exec"), space)  # noqa: S102 - the lines are written below
        return space["made"]  # type: ignore[no-any-return]

    # What compiled statements call.

    def output(self, value: Value, name: str | None) -> None:
        shown = f"output {len(self.outputs) + 1}"
        if name is not None:
            shown = re.sub(r"\[([A-Z_]+)\]", lambda found: _shown(self.variables[found[1]]), name)
        pool = values.die((value,) if type(value) is int else value)
        law = None if pool.face is None else pool.total
        self.outputs.append(ProgramOutput(shown, law, pool.cut))

    def set(self, key: str, value: Value) -> None:
        """Change a setting; what was remembered of calls may depend on it."""
        settings = {
            "position order": "",
            "maximum function depth": "depth",
            "explode depth": "explode_depth",
        }
        attribute = one_named(settings, key, "set")
        if not attribute:
            orders = {"highest first": True, "lowest first": False}
            self.settings.highest_first = one_named(orders, value, key)
        elif type(value) is not int or value < 1:
            raise InputError(key, _shown(value), "a whole number of at least 1")
        else:
            setattr(self.settings, attribute, value)
        for remembered in self.remembered:
            remembered.clear()

    def define(self, part: Part) -> None:
        definition = self.scopes.definitions[id(part)]
        self.functions[definition.shape] = _Function(self, definition).call

    def at(self, places: Value, value: Value) -> Value:
        return values.at(
            places, value, self.settings.run, highest_first=self.settings.highest_first
        )

    def caller(self, shape: Shape) -> Callable[..., Value]:
        """Return what calls the function that has this shape at the time of the call."""
        functions = self.functions

        def call(*arguments: Value) -> Value:
            if shape not in functions:
                raise InputError("function", f"[{' '.join(shape)}]", "one that is defined before")
            return functions[shape](*arguments)

        return functions[shape] if shape not in self.scopes.free and shape in functions else call


def _shown(value: Value) -> str:
    if type(value) is tuple:
        return "{?}" if value else "{}"
    return text(value) if type(value) is int else str(value)


def _with_line(problem: ExactDiceError, stopped: TracebackType | None) -> ExactDiceError:
    """Add the line of the program to an error."""
    line = 0
    for first in (problem.__traceback__, stopped):
        trace = first
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == _FILE:
                line = trace.tb_lineno
            trace = trace.tb_next
    if isinstance(problem, InputError):
        return problem.at(f"line {line}")
    return type(problem)(f"line {line}: {problem}")


class _LibraryFunction:
    """A function of the library in a program."""

    def __init__(self, machine: _Machine, built: Built) -> None:
        self.machine, self.built = machine, built

    def call(self, *arguments: Value) -> Value:
        machine, built = self.machine, self.built
        if machine.depth >= machine.settings.depth:
            machine.cuts += 1
            return TOO_DEEP
        machine.deepest = max(machine.deepest, machine.depth + 1)
        takes, function = built.takes, built.function
        kinds = zip(arguments, built.takes_whole, strict=False)
        if built.whole and all(isinstance(a, Pool) for a, kind in kinds if kind == "d"):
            if any(isinstance(a, Pool) and a.face is None for a in arguments):
                return values.empty(*arguments)
            takes, function = built.takes_whole, built.whole

        def body(*bound: Value) -> Value:
            return function(machine.settings, *bound)

        return _expanded(body, takes, arguments, machine)


def _expanded(
    body: Callable[..., Value],
    takes: Iterable[str],
    arguments: tuple[Value, ...],
    machine: _Machine,
    merged: Callable[[int, Pool, list[Value], list[int]], Pool] | None = None,
) -> Value:
    """Call a function with arguments of the kinds that it takes.

    If dice are given for numbers or sequences, the result is the mixture over their outcomes, the
    first argument changing fastest; results without outcomes take no part in it.
    """
    bound, spans, kinds = list(arguments), [], tuple(takes)
    for place, (kind, value) in enumerate(zip(kinds, arguments, strict=True)):
        if isinstance(value, Pool):
            if kind in ("n", "s"):
                if value.face is None:
                    return values.empty(value)
                spans.append(place)
        elif kind == "d":
            bound[place] = values.sure(values.number(value))
        elif kind == "s":
            bound[place] = values.elements(value)
        elif kind == "n" and type(value) is tuple:
            bound[place] = sum(value)
            spans.append(place)
    if not spans:
        return body(*bound)

    def outcomes(place: int) -> Iterable[tuple[Value, int]]:
        value = arguments[place]
        if not isinstance(value, Pool):
            return [(sum(value), 1)]
        if kinds[place] == "n":
            return list(value.total.items())
        pool = merged(place, value, bound, spans) if merged else value
        return values.rolls(pool, highest_first=machine.settings.highest_first)

    inner, outer = spans[0], spans[:0:-1]
    first = outcomes(inner) if not outer else list(outcomes(inner))
    numbers: dict[int, int] = {}
    pools: dict[Pool, int] = {}
    check, done = machine.settings.run.check, 0
    for choice in product(*map(outcomes, outer)):
        weight = 1
        for place, (value, ways) in zip(outer, choice, strict=True):
            bound[place] = value
            weight *= ways
        for bound[inner], ways in first:
            result = body(*bound)
            if isinstance(result, Pool):
                pools[result] = pools.get(result, 0) + weight * ways
            else:
                result = result if type(result) is int else sum(result)
                numbers[result] = numbers.get(result, 0) + weight * ways
            done += 1
            if not done & 1023:
                check()
    every = sum(numbers.values()) + sum(pools.values())
    cuts = sum((weight * pool.cut for pool, weight in pools.items() if pool.cut), mpq(0)) / every
    cut = values.either(cuts, *(arguments[p].cut for p in spans if isinstance(arguments[p], Pool)))
    parts = [(w, pool.total) for pool, w in pools.items() if pool.face is not None]
    if numbers:
        parts.append((sum(numbers.values()), Distribution(numbers)))
    return Pool(values.mixed(parts), 1, cut) if parts else Pool(None, 0, cut)


class _Function:
    """A function of a program, once its definition was reached."""

    def __init__(self, machine: _Machine, definition: Definition) -> None:
        self.machine, self.definition = machine, definition
        self.takes = tuple(parameter.kind for parameter in definition.parameters)
        self.free = sorted(machine.scopes.free[definition.shape])
        self.body: Callable[..., Value] | None = None
        self.tests: dict[str, Callable[..., Any]] = {}
        self.remembered: dict[Any, tuple[Value, int]] = {}
        self.remembered_cut: dict[Any, Value] = {}
        machine.remembered += [self.remembered, self.remembered_cut]

    def call(self, *arguments: Value) -> Value:
        """Return the result, which is computed again only if another depth could change it."""
        machine, variables = self.machine, self.machine.variables
        depth, limit = machine.depth, machine.settings.depth
        if depth >= limit:
            machine.cuts += 1
            return TOO_DEEP
        key: Any = arguments
        if self.free:
            key = arguments, tuple([variables.get(name) for name in self.free])
        value, below = self.remembered.get(key, (None, limit))
        if depth + below <= limit and value is not None:
            machine.deepest = max(machine.deepest, depth + below)
            return value
        cut = self.remembered_cut.get((key, limit - depth)) if self.remembered_cut else None
        if cut is not None:
            machine.cuts += 1
            return cut
        before, cuts = machine.deepest, machine.cuts
        machine.depth = machine.deepest = depth + 1
        visible = self.definition.visible
        kept = {name: variables[name] for name in visible if name in variables}
        if self.body is None:
            block = self.definition.block
            self.body = machine.compiled(self.definition, lambda writer: writer.block(block, 1))
        merged = None if self.definition.remembers else self.merged
        value = _expanded(self.body, self.takes, arguments, machine, merged)
        for name in visible:
            variables.pop(name, None)
        variables.update(kept)
        machine.depth, below = depth, machine.deepest - depth
        machine.deepest = max(before, machine.deepest)
        if len(self.remembered) + len(self.remembered_cut) > _REMEMBERED:
            self.remembered.clear()
            self.remembered_cut.clear()
        if machine.cuts == cuts:
            self.remembered[key] = value, below
        else:
            self.remembered_cut[key, limit - depth] = value
        return value

    def merged(self, place: int, pool: Pool, bound: list[Value], spans: list[int]) -> Pool:
        """Return a pool without the differences between faces that the body cannot see."""
        parameters = self.definition.parameters
        name = parameters[place].name
        tested = self.definition.tests.get(name)
        changing = {parameters[span].name for span in spans}
        if tested is None or pool.number == 1 or _names_in(tuple(tested)) & changing:
            return pool
        if name not in self.tests:

            def write(writer: Translator) -> None:
                shown = "".join(f"{writer.value(part)}, " for part, _ in tested)
                writer.write(1, f"return ({shown})", 1)

            self.tests[name] = self.machine.compiled(self.definition, write)
        tests = self.tests[name](*bound)
        for test, (_, may_be_sequence) in zip(tests, tested, strict=True):
            if isinstance(test, Pool) or (type(test) is tuple and not may_be_sequence):
                return pool
        alike: dict[Any, tuple[int, int]] = {}
        for face, weight in pool.face.items():
            seen = tuple(
                [t.count(face) if type(t) is tuple else (face > t) - (face < t) for t in tests]
            )
            first, ways = alike.get(seen, (face, 0))
            alike[seen] = first, ways + weight
        return Pool(Distribution(dict(alike.values())), pool.number, pool.cut)


def _truth(value: Value) -> bool:
    if type(value) is not int:
        raise InputError(
            "if", _shown(value), "a number; give dice to a function that takes a number"
        )
    return value != 0


def _over(value: Value) -> Value:
    if type(value) is not tuple:
        raise InputError("loop", _shown(value), "a sequence, such as {1..6}")
    return value


def _span(first: Value, last: Value) -> range:
    low, high = values.whole(first, "range"), values.whole(last, "range")
    DEFAULT.require(_BYTES * max(high - low, 0), "a range of this length")
    return range(low, high + 1)


def _repeated(items: tuple[int, ...], times: Value) -> tuple[int, ...]:
    count = values.whole(times, "repetitions")
    DEFAULT.require(8 * len(items) * max(count, 0), "a sequence of this length")
    return items * count


_NAMES: dict[str, Any] = {
    "EMPTY": EMPTY, "binary": values.binary, "dice": values.dice, "die": values.die,
    "minus": values.minus, "negation": values.negation, "length": values.length,
    "elements": values.elements, "quotient": values.quotient, "power": values.power,
    "truth": _truth, "over": _over, "repeated": _repeated, "span": _span,
}  # fmt: skip
