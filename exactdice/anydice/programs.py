"""AnyDice programs, compiled to Python functions and run exactly.

**Cost.** Statements run about as fast as the same statements in Python. A call whose arguments are
expanded runs its body once for each outcome of a die, or for each sorted roll of a pool. Faces that
a body only compares with fixed values, or counts, are merged before, as far as it cannot tell them
apart: 30 dice of which it counts successes and ones are 496 rolls, not 10⁸. If it only adds the
dice, there is one run for each sum; if it only asks for certain places, one for each possible
beginning (or end) of a roll up to the last of them. A call is remembered by its arguments and by
the variables that it reads, because nothing else changes its result.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import product
from traceback import walk_tb
from typing import Any

from exactdice.anydice import values
from exactdice.anydice.library import LIBRARY, Built, Settings
from exactdice.anydice.scopes import Definition, Scopes, Shape, _names_in
from exactdice.anydice.syntax import Part, parsed
from exactdice.anydice.translation import Translator
from exactdice.anydice.values import TOO_DEEP, Pool, Value
from exactdice.arithmetic import mpq
from exactdice.dice.distribution import Distribution, mixed
from exactdice.errors import ExactDiceError, InputError, Unquoted, choices, one_named
from exactdice.run import DEFAULT, Run

_FILE = "<AnyDice program>"
_Rolls = Iterable[tuple[tuple[int, ...], int]]
_OF_FACES = {"compared", "counted"}  # what does not depend on the order of a roll
_REMEMBERED = 100_000  # calls of one function
_SETTINGS = {
    "position order": "highest_first",
    "maximum function depth": "depth",
    "explode depth": "explode_depth",
}
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
    def __init__(self, program: str, run: Run) -> None:
        self.statements = parsed(program)
        self.scopes = Scopes(self.statements)
        self.settings = Settings(run)
        self.variables = _Variables()
        self.depth = self.deepest = self.cuts = 0
        self.outputs: list[ProgramOutput] = []
        self.remembered: list[dict[Any, Any]] = []
        self.functions: dict[Shape, Callable[..., Value]] = {}
        for shape, built in LIBRARY.items():
            self.functions[shape] = self.of_library(built)

    def outputs_made(self) -> list[ProgramOutput]:
        try:
            with self.settings.run.within_limits():
                self.compiled(None, lambda writer: writer.block(self.statements, 1))()
        except ExactDiceError as problem:
            line = 0
            for error in (problem, problem.__context__):  # the interrupt at a limit of the run
                for frame, number in walk_tb(error.__traceback__ if error else None):
                    line = number if frame.f_code.co_filename == _FILE else line
            if isinstance(problem, InputError):
                raise problem.at(f"line {line}") from None
            raise type(problem)(f"line {line}: {problem}") from None
        return self.outputs

    def compiled(
        self, within: Definition | None, write: Callable[[Translator], None]
    ) -> Callable[..., Any]:
        """Compile statements, as lines of the program, to a function of the parameters."""
        writer = Translator(self.scopes, within)
        parameters: dict[str, str] = {}
        for place, (name, _) in enumerate(within.parameters if within else ()):
            is_visible = within is not None and name in within.visible
            passed = f"p{place}" if is_visible or f"v{name}" in parameters else f"v{name}"
            if is_visible and name not in parameters.values():
                writer.write(1, f"G[{name!r}] = {passed}", 1)
            parameters[passed] = name
        write(writer)
        lines = [(f"def made({', '.join(parameters)}):", 1), *writer.lines, (" return EMPTY", 1)]
        tree = ast.parse("\n".join(line for line, _ in lines))
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt | ast.expr):
                node.lineno = node.end_lineno = lines[node.lineno - 1][1]
        space = {**vars(values), "G": self.variables, "M": self, "at": self.at, **writer.parts}
        space |= {name: self.caller(shape) for name, shape in writer.calls.items()}
        exec(compile(tree, _FILE, "exec"), space)  # noqa: S102 - the lines are written below
        return space["made"]  # type: ignore[no-any-return]

    # What compiled statements call.

    def output(self, value: Value, name: str | None) -> None:
        shown = f"output {len(self.outputs) + 1}"
        if name is not None:
            shown = re.sub(r"\[([A-Z_]+)\]", lambda m: values.shown(self.variables[m[1]]), name)
        pool = values.die((value,) if type(value) is int else value)
        law = None if pool.face is None else pool.total
        self.outputs.append(ProgramOutput(shown, law, pool.cut))

    def set(self, key: str, value: Value) -> None:
        """Change a setting; what was remembered of calls may depend on it."""
        attribute = one_named(_SETTINGS, key, "set")
        if attribute == "highest_first":
            value = one_named({"highest first": True, "lowest first": False}, value, key)
        elif type(value) is not int or value < 1:
            raise InputError(key, values.shown(value), "a whole number of at least 1")
        setattr(self.settings, attribute, value)
        for remembered in self.remembered:
            remembered.clear()

    def define(self, part: Part) -> None:
        definition = self.scopes.definitions[id(part)]
        self.functions[definition.shape] = _Function(self, definition).call

    def at(self, places: Value, value: Value) -> Value:
        settings = self.settings
        return values.at(places, value, settings.run, highest_first=settings.highest_first)

    def caller(self, shape: Shape) -> Callable[..., Value]:
        functions = self.functions

        def call(*arguments: Value) -> Value:
            if shape not in functions:
                wrong, *known = (f"[{' '.join(each)}]" for each in (shape, *functions))
                wanted = f"a function defined before: {choices(known, wrong)}"
                raise InputError("function", wrong, wanted)
            return functions[shape](*arguments)

        return functions[shape] if shape not in self.scopes.free and shape in functions else call

    def of_library(self, built: Built) -> Callable[..., Value]:
        def call(*arguments: Value) -> Value:
            if self.depth >= self.settings.depth:
                self.cuts += 1
                return TOO_DEEP
            self.deepest = max(self.deepest, self.depth + 1)
            takes, function = built.takes, built.function
            kinds = zip(arguments, built.takes_whole, strict=False)
            if built.whole and all(isinstance(a, Pool) for a, kind in kinds if kind == "d"):
                if any(isinstance(a, Pool) and a.face is None for a in arguments):
                    return values.empty(*arguments)
                takes, function = built.takes_whole, built.whole
            return _expanded(partial(function, self.settings), takes, arguments, self)

        return call


def _expanded(
    body: Callable[..., Value],
    takes: Iterable[str],
    arguments: tuple[Value, ...],
    machine: _Machine,
    rolls: Callable[[int, Pool, list[Value], list[int]], _Rolls] | None = None,
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
        if rolls is not None:
            return rolls(place, value, bound, spans)
        return values.rolls(value, highest_first=machine.settings.highest_first)

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
    return Pool(mixed(parts), 1, cut) if parts else Pool(None, 0, cut)


class _Function:
    def __init__(self, machine: _Machine, definition: Definition) -> None:
        self.machine, self.definition = machine, definition
        self.takes = tuple(parameter.kind for parameter in definition.parameters)
        self.free = sorted(machine.scopes.free[definition.shape])
        self.body: Callable[..., Value] | None = None
        self.tests: dict[str, Callable[..., Any]] = {}
        self.remembered: dict[Any, tuple[Value, int, bool]] = {}
        machine.remembered.append(self.remembered)

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
        of_depth = key, limit - depth, "cut"  # of a result that would be another at other depths
        remembered = self.remembered.get(key)
        if remembered is None or depth + remembered[1] > limit:
            remembered = self.remembered.get(of_depth)
        if remembered is not None:
            value, below, is_cut = remembered
            machine.deepest = max(machine.deepest, depth + below)
            machine.cuts += is_cut
            return value
        before, cuts = machine.deepest, machine.cuts
        machine.depth = machine.deepest = depth + 1
        visible = self.definition.visible
        kept = {name: variables[name] for name in visible if name in variables}
        if self.body is None:
            block = self.definition.block
            self.body = machine.compiled(self.definition, lambda writer: writer.block(block, 1))
        rolls = None if self.definition.remembers else self.rolls
        value = _expanded(self.body, self.takes, arguments, machine, rolls)
        for name in visible:
            variables.pop(name, None)
        variables.update(kept)
        machine.depth, below = depth, machine.deepest - depth
        machine.deepest = max(before, machine.deepest)
        if len(self.remembered) > _REMEMBERED:
            self.remembered.clear()
        is_cut = machine.cuts > cuts
        self.remembered[of_depth if is_cut else key] = value, below, is_cut
        return value

    def rolls(self, place: int, pool: Pool, bound: list[Value], spans: list[int]) -> _Rolls:
        """Return rolls that stand for all that the body cannot tell apart, with their weights."""
        parameters, number = self.definition.parameters, pool.number
        name = parameters[place].name
        tested = self.definition.tests.get(name)
        changing = {parameters[span].name for span in spans}
        highest_first = self.machine.settings.highest_first
        ways = {how for _, how in tested or ()}
        if tested is None or number == 1 or _names_in(tuple(tested)) & changing:
            return values.rolls(pool, highest_first=highest_first)
        if ways == {"sum"}:
            return [((total, *[0] * (number - 1)), w) for total, w in pool.total.items()]
        if name not in self.tests:
            shown = [part for part, _ in tested if part is not None]
            self.tests[name] = self.machine.compiled(
                self.definition,
                lambda writer: writer.write(
                    1, f"return ({''.join(f'{writer.value(part)}, ' for part in shown)})", 1
                ),
            )
        tests = self.tests[name](*bound)
        if ways == {"place"} and not any(isinstance(test, Pool) for test in tests):
            places = [p for test in tests for p in values.elements(test) if 0 < p <= number]
            kept, from_end = max(places, default=1), number + 1 - min(places, default=number)
            if kept <= from_end:
                listed = values.rolls(pool, highest_first=highest_first, kept=kept)
                return ((r + r[-1:] * (number - kept), w) for r, w in listed)
            listed = values.rolls(pool, highest_first=not highest_first, kept=from_end)
            return ((r[-1:] * (number - from_end) + r[::-1], w) for r, w in listed)
        for test, (_, how) in zip(tests, tested, strict=True) if ways <= _OF_FACES else ():
            if isinstance(test, Pool) or (type(test) is tuple and how == "compared"):
                ways = {"other"}
        if not ways <= _OF_FACES:
            return values.rolls(pool, highest_first=highest_first)
        alike: dict[Any, tuple[int, int]] = {}
        for face, weight in pool.face.items():
            seen = tuple(
                [t.count(face) if type(t) is tuple else (face > t) - (face < t) for t in tests]
            )
            first, so_far = alike.get(seen, (face, 0))
            alike[seen] = first, so_far + weight
        merged = Pool(Distribution(dict(alike.values())), number)
        return values.rolls(merged, highest_first=highest_first)
