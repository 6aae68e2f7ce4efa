"""AnyDice programs as Python for this package: see `python_of`.

An expression is written with the kinds of values that it may have: ``n`` numbers, ``s`` sequences,
``d`` dice, ``e`` no result, and ``P`` if they may be several dice, which become a `DicePool` where
one is needed. Statements are written again until the kinds of variables, parameters and results
settle. Then the Python is run and compared. If it differs, it is written again carefully, with
functions for what plain Python leaves out, such as places beyond the end of a sequence.
"""

import ast
import builtins
import json
import keyword
import re
from collections import defaultdict
from importlib.resources import files
from typing import Any

from exactdice.anydice.programs import ProgramOutput, run
from exactdice.anydice.scopes import Scopes, parts_in, shape_of
from exactdice.anydice.syntax import Part, parsed
from exactdice.errors import ConflictError, TimeLimitError
from exactdice.run import DEFAULT, Run

_TEXT = files("exactdice.anydice").joinpath("python.txt").read_text("utf-8")
_FORMS, *_LIST = _TEXT.split("\n\n\n")
_FUNCTIONS = {each[4 : each.index("(")]: f"{each.strip()}\n" for each in _LIST}
_ROWS = [row.split(" ", 2) for row in _FORMS.splitlines() if "{0}" in row]
_IMPORTS = {
    "collections": "Counter", "fractions": "Fraction", "functools": "cache",
    "itertools": "product", "math": "prod", "exactdice.anydice.values": "quotient",
    "exactdice.dice": "Distribution DicePool count d highest lowest mixture pool sorted_roll",
}  # fmt: skip
_RESERVED = {*dir(builtins), *keyword.kwlist, *" ".join(_IMPORTS.values()).split()}
_RESERVED |= {*_FUNCTIONS, "outputs", "depth", "face", "other", "place"}
_COMMENTS = re.compile(r'"[^"]*"|\\([^\\]*)\\')
_VARIABLES = re.compile(r"\[([A-Z_]+)\]")

Kinds = frozenset[str]
Term = tuple[str, Kinds]  # an expression and its kinds, none while they are not known
_UNKNOWN: Term = "None", frozenset()


def python_of(program: str, run_: Run = DEFAULT, outputs: list[ProgramOutput] | None = None) -> str:
    r"""Return Python that computes the outputs of an AnyDice program, as a dictionary by name.

    `outputs` are those of `run`, if you have them. Raises InputError with the line and the reason
    if the program cannot be written so, or if the Python, which is run, has other outputs. Cost:
    that of running the Python, which remembers less than `run`.
    """
    outputs = run(program, run_) if outputs is None else outputs
    with run_.within_limits():
        python = _Python(program, is_careful=False)
        if _problem(python, outputs):
            python = _Python(program, is_careful=True)
            if problem := _problem(python, outputs):
                raise problem
    return python.head() + python.body()


def _problem(python: "_Python", outputs: list[ProgramOutput]) -> ConflictError | None:
    space: dict[str, Any] = {}
    for line, chunk in [(1, python.head()), *python.chunks]:
        try:
            exec(chunk, space)  # noqa: S102 - the lines are written below
        except TimeLimitError:
            raise
        except Exception as problem:
            return _refused(line, f"{type(problem).__name__}: {problem}")
        for (name, law), right in zip(space["outputs"].items(), outputs, strict=False):
            is_equal = type(law) is type(right.distribution) and law == right.distribution
            if not is_equal or not name.startswith(right.name):
                return _refused(line, f"{right.name!r} would differ")
    return _refused(1, "outputs with one name") if len(space["outputs"]) < len(outputs) else None


def _refused(line: int, reason: str) -> ConflictError:
    return ConflictError(f"line {line}:", f"cannot be written as Python ({reason})")


class _Python:
    def __init__(self, program: str, *, is_careful: bool) -> None:
        self.is_careful, statements = is_careful, parsed(program)
        self.definitions = Scopes(statements).definitions
        self.defined = {of.shape: of for of in self.definitions.values()}
        calls = {
            shape: {shape_of(part.parts) for part in parts_in(of.block) if part.kind == "call"}
            for shape, of in self.defined.items()
        }
        for _ in calls:
            for called in calls.values():
                called.update(*(calls.get(near, ()) for near in [*called]))
        cycles = {shape for shape, called in calls.items() if shape in called}
        self.deep = {s for s in calls if calls[s] & cycles or any(s in calls[c] for c in cycles)}
        self.settings = {"maximum function depth": "10", "explode depth": "2"}
        self.names: dict[Any, str] = {}
        self.kinds: dict[Any, set[str]] = {}  # of variables, parameters and results
        self.pools: set[Any] = set()  # which of them are used as pools
        self.is_last = False
        comments = [
            (program.count("\n", 0, match.start()) + 1, match[1].strip().splitlines())
            for match in _COMMENTS.finditer(program)
            if match[1] and match[1].strip()
        ]
        before: Any = None
        while not self.is_last:
            self.is_last = before == (before := (self.kinds, self.pools))
            self.new_kinds: dict[Any, set[str]] = defaultdict(set)
            self.new_pools: set[Any] = set()
            self.comments = [*comments]
            self.counted: dict[Any, int] = defaultdict(int)
            self.within: Any = None
            self.chunks: list[tuple[int, str]] = []
            for part in (*statements, None):
                self.lines: list[str] = []
                self.block((part,), 0) if part else self.write("", 10**9, 0)
                self.chunks.append((part.line if part else 1, "\n".join(self.lines)))
            self.kinds, self.pools = self.new_kinds, self.new_pools

    def body(self) -> str:
        text = "\n".join(chunk for _, chunk in self.chunks)
        return "\n" * text.startswith("\n") + re.sub("\n{3,}", "\n\n\n", text).strip("\n") + "\n"

    def head(self) -> str:
        functions, text = [""], self.body()
        while functions:
            names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
            needed = [each for name, each in _FUNCTIONS.items() if name in names]
            functions = [each for each in needed if each not in text]
            text = "\n\n".join([*functions, text])
        lines = ""
        for of, each in _IMPORTS.items():
            if used := sorted(names & {*each.split()}, key=str.lower):
                lines += f"from {of} import {', '.join(used)}\n"
        lines = lines.replace("\nfrom exact", "\n\nfrom exact", 1)
        space = "\n\n" if needed else "\n"
        lines = "\n\n".join([lines, *needed])
        return f"{lines}{space}outputs = {{}}\n\n".lstrip()

    def named(self, key: Any, wanted: str) -> str:
        while key not in self.names:
            if wanted not in _RESERVED and wanted not in self.names.values():
                self.names[key] = wanted
            wanted += "_"
        return self.names[key]

    def variable(self, name: str) -> str:
        return self.named(name, name.strip("_").lower() or "value")

    def function(self, of: Any) -> str:
        return self.named(of.shape, "_".join(w for w in of.shape if w != "?") or "function")

    # Statements.

    def block(self, block: tuple[Part, ...], level: int) -> None:
        for part in block:
            getattr(self, f"_{part.kind}")(part, level, *part.parts)
        if not block:
            self.write("pass", 0, level)

    def write(self, text: str, line: int, level: int) -> None:
        """Write a line of Python after the comments before its line, and with one beside it."""
        indent = "    " * level
        while self.comments and self.comments[0][0] < line:
            comment = self.comments.pop(0)[1]
            self.lines += [f"{indent}# {each.strip()}".rstrip() for each in comment]
        if self.comments and self.comments[0][0] == line and len(self.comments[0][1]) == 1:
            text += f"  # {self.comments.pop(0)[1][0]}"
        self.lines.append(indent + text)

    def key(self, name: str) -> Any:
        of = self.within
        return (of if of and name in of.names | of.assigned else None), name

    def is_pool(self, key: Any) -> bool:
        return key in self.pools and self.kinds.get(key) == {"d", "P"}

    def stored(self, key: Any, part: Part) -> str:
        text, kinds = self.value(part, pool=self.is_pool(key))
        self.new_kinds[key] |= kinds
        return _clean(text)

    def _assign(self, part: Part, level: int, name: str, value: Part) -> None:
        text = self.stored(self.key(name), value)
        self.write(f"{self.variable(name)} = {text}", part.line, level)

    def _result(self, part: Part, level: int, value: Part) -> None:
        self.write(f"return {self.stored((self.within, ''), value)}", part.line, level)

    def _loop(self, part: Part, level: int, name: str, over: Part, block: tuple[Part, ...]) -> None:
        self.new_kinds[self.key(name)].add("n")
        text = f"for {self.variable(name)} in {_clean(self.value(over)[0])}:"
        self.write(text, part.line, level)
        self.counted["loops"] += 1
        self.block(block, level + 1)

    def _if(self, part: Part, level: int, branches: Any, rest: tuple[Part, ...]) -> None:
        for place, (condition, block) in enumerate(branches):
            text = f"{'elif' if place else 'if'} {_clean(self.value(condition)[0])}:"
            self.write(text, condition.line, level)
            self.block(block, level + 1)
        if rest:
            self.write("else:", 0, level)
            self.block(rest, level + 1)

    def _set(self, part: Part, _: int, key: str, value: Any) -> None:
        if isinstance(value, Part):
            self.settings[key] = self.value(value)[0]
        elif value != "highest first":
            raise _refused(part.line, "positions from the lowest")

    def _output(self, part: Part, level: int, value: Part, name: str | None) -> None:
        text, kinds = self.value(value)
        if kinds == {"s"}:
            text = f"Distribution.from_faces({text})" if value.parts else "None"
        elif {"n", "s"} & kinds:
            text = f"Distribution({{{text}: 1}})" if kinds == {"n"} else f"die({text})"
        self.counted["outputs"] += 1
        shown = f'"output {self.counted["outputs"]}"'
        if name is not None:
            self.counted[name] += 1
            is_again = self.is_careful and self.counted[name] > 1
            shown = json.dumps(name + f" ({self.counted[name]})" * is_again, ensure_ascii=False)
        elif self.counted["loops"]:
            shown = 'f"output {len(outputs) + 1}"'
        if variables := _VARIABLES.findall(name or ""):
            shown = "f" + shown.replace("{", "{{").replace("}", "}}")
        for variable in variables:
            kinds = frozenset(self.kinds.get(self.key(variable), ()))
            if "d" in kinds:
                raise _refused(part.line, f"{variable}, which has dice, in a name")
            form = f"{{{self.variable(variable)}{':d' * self.is_careful}}}"
            shown = shown.replace(f"[{variable}]", "{{?}}" if kinds == {"s"} else form)
        self.write(f"outputs[{shown}] = {_clean(text)}", part.line, level)

    def _function(self, part: Part, level: int, words: Any, block: tuple[Part, ...]) -> None:
        of, outer, is_deep = self.definitions[id(part)], self.within, shape_of(words) in self.deep
        call = f"[{' '.join(getattr(word, 'name', word) for word in words)}]"
        if (of, "called") not in self.kinds:
            return self.write(f"# {call} is not called.", part.line, level)
        if of.visible:
            shared = ", ".join(sorted(of.visible))
            raise _refused(part.line, f"{call} shares {shared} with other calls")
        self.within = of
        names = [self.variable(parameter.name) for parameter in of.parameters]
        names += ["depth=1"] * is_deep
        self.lines += ["", ""]
        if is_deep and not of.free:
            self.write("@cache", part.line, level)
        self.write(f"def {self.function(of)}({', '.join(names)}):", part.line, level)
        if is_deep:
            most = _clean(self.settings["maximum function depth"])
            self.write(f"if depth > {most}:", 0, level + 1)
            self.write("return None", 0, level + 2)
        self.block(block, level + 1)
        if is_deep or not _returns(block):
            self.new_kinds[of, ""].add("e")
        self.lines += ["", ""]
        self.within = outer
        return None

    # Expressions.

    def value(self, part: Part, *, pool: bool = False) -> Term:
        """Return an expression; dice are a distribution, or a `DicePool` if asked for."""
        text, kinds = getattr(self, f"_{part.kind}")(part, pool)
        if not kinds and self.is_last:
            raise _refused(part.line, "a value that is not known")
        if pool and "d" in kinds and "p" not in kinds:
            text = f"pool({text})"
        elif not pool and "p" in kinds:
            text += ".sum()"
        return text, kinds - {"p"}

    def _number(self, part: Part, _: bool) -> Term:
        return str(part.parts[0]), frozenset("n")

    def _name(self, part: Part, pool: bool) -> Term:
        key = self.key(part.parts[0])
        self.new_pools |= {key} if pool else set()
        kinds = frozenset(self.kinds.get(key, ()))
        return self.variable(key[1]), kinds | {"p"} if self.is_pool(key) else kinds

    def _sequence(self, part: Part, _: bool) -> Term:
        items = []
        for first, last, times in part.parts:
            text, kinds = self.value(first)
            item = text if kinds <= {"n"} else f"*{text}"
            if last is not None:
                item = f"*range({text}, {self.value(last)[0]} + ONE)"
            if times is None or (times.kind == "number" and times.parts[0] < 7):
                items += [item] * (times.parts[0] if times else 1)
            else:
                items.append(f"*({item},) * {self.value(times)[0]}")
        if len(items) == 1 and items[0].startswith("*range"):
            return items[0][1:], frozenset("s")
        return f"({''.join(f'{item}, ' for item in items)})", frozenset("s")

    def _binary(self, part: Part, pool: bool) -> Term:
        sign, *sides = part.parts
        if sign != "d":
            return self.applied(sign, sides, part.line)
        count, faces = sides if sides[1:] else (Part("number", part.line, (1,)), *sides)
        (number, counts), is_one = self.value(count), count.parts == (1,)
        one, kinds = self.value(faces, pool=pool and is_one)
        if faces.kind == "sequence" and not faces.parts:
            return "None", frozenset("e")
        if "d" not in kinds and kinds:
            one, kinds = self.applied("d", [faces], faces.line)
        elif pool and is_one:
            kinds |= {"p"}
        if is_one or not kinds or kinds == {"e"}:
            return one, kinds
        number = f"sum({number})" if counts == {"s"} else number
        if "d" in counts or not counts:
            return f"({number} @ {one})", frozenset("d" if counts else "")
        is_sure = not self.is_careful or (number != "0" and number.isdigit())
        if pool or not is_sure:
            return f"{'pool' if is_sure else 'dice'}({number}, {one})", frozenset("dPp")
        return f"({number} @ {one})", frozenset("dP")

    _unary = _binary

    def applied(self, name: str, parts: list[Part], line: int) -> Term:
        """Apply an operator or a function of the library by the first row that fits."""
        lacks = [self.value(part)[1] == {"e"} for part in parts]
        is_sum = name in "+-|" and len(parts) == 2
        if all(lacks) or (any(lacks) and not is_sum):
            return "None", frozenset("e")
        zero = Part("number", line, (0,))
        parts = [zero if lack else part for lack, part in zip(lacks, parts, strict=True)]
        terms = [self.value(part) for part in parts]
        if not all(kinds for _, kinds in terms):
            return _UNKNOWN
        if is_sum and self.is_careful:
            terms = [
                (f"or_zero({text})", kinds | {"n"}) if "e" in kinds else (text, kinds)
                for text, kinds in terms
            ]
        rolls = ["d" in kinds for _, kinds in terms]
        for row, takes, form in _ROWS:
            letters, _, kind = takes.partition(">")
            if row not in (name, f"!{name}" * self.is_careful) or len(letters) != len(parts):
                continue
            texts = list(map(self.fitted, letters, parts, terms))
            if "" in texts:
                continue
            form = form.replace("TIMES", self.settings["explode depth"])
            if "m" in letters and any(rolls):
                pairs, names = list(zip(texts, rolls, strict=True)), iter(("face", "other"))
                form = form.format(*(next(names) if is_roll else text for text, is_roll in pairs))
                over, *more = (text for text, is_roll in pairs if is_roll)
                method = f"with_other({more[0]}, lambda face, other" if more else "map(lambda face"
                return f"{over}.{method}: {form})", frozenset("d")
            is_either = "a" in letters and all({"n", "s"} & kinds for _, kinds in terms)
            kinds = "d" + "n" * is_either if any(rolls) else "n"
            return form.format(*texts), frozenset(kind or kinds)
        raise _refused(line, f"{name.replace('_', ' ')} for such values")

    def fitted(self, letter: str, part: Part, term: Term) -> str:
        """Return an argument as a row takes it, or nothing if it does not fit."""
        text, kinds = term[0], term[1] - {"e", "P"}
        if letter in "RQ":
            is_one = part.kind == "sequence" and len(part.parts) == 1
            first, last, times = part.parts[0] if is_one else (part, None, None)
            ends = f"{self.value(first)[0]} - ONE", self.value(last or first)[0]
            return "" if last is None or times else {"R": ":", "Q": ", "}[letter].join(ends)
        if letter in "nSs":
            wrapped = f"({text},)" if letter == "s" and kinds == {"n"} else ""
            return text if kinds == {letter.lower()} else wrapped
        if kinds == {"s"}:
            text = f"sum({text})"
        elif "s" in kinds:
            return ""
        if letter == "p" and kinds == {"d"}:
            return self.value(part, pool=True)[0]
        if letter == "a" or kinds == {"d"} or (letter == "m" and kinds <= {"n", "s"}):
            return text
        return f"pool(die({text}))" if letter == "p" else f"die({text})"

    def _call(self, part: Part, pool: bool) -> Term:
        """Call a function, over all outcomes of the dice that it takes one by one."""
        shape, arguments = shape_of(part.parts), [x for x in part.parts if isinstance(x, Part)]
        if shape not in self.defined:
            return self.applied("_".join(shape), arguments, part.line)
        of = self.defined[shape]
        self.new_kinds[of, "called"].add("n")
        pairs = [self.argument(of, *each) for each in zip(of.parameters, arguments, strict=True)]
        fixed = " ".join(text for text, is_over in pairs if not is_over)
        names = [self.variable(parameter.name) for parameter in of.parameters]
        names = [name + "_" * bool(re.search(rf"\b{name}\b", fixed)) for name in names]
        inner = [name if over else text for name, (text, over) in zip(names, pairs, strict=True)]
        rolled = [text for text, is_over in pairs if is_over]
        names = [name for name, (_, is_over) in zip(names, pairs, strict=True) if is_over]
        kinds, is_pool = frozenset(self.kinds.get((of, ""), ())), self.is_pool((of, ""))
        if not all(text for text, _ in pairs) or not kinds:
            return _UNKNOWN
        inner += ["depth=depth + 1"] * (self.within is not None and shape in self.deep)
        call = f"{self.function(of)}({', '.join(inner)})"
        if not rolled:
            self.new_pools |= {(of, "")} if pool else set()
            return call, kinds | {"p"} if is_pool else kinds
        function = self.function(of)
        if inner != names or is_pool:
            function = f"lambda {', '.join(names)}: {call}{'.sum()' * is_pool}"
        may_lack = self.is_careful or kinds == {"e"} or shape in self.deep
        lacks = kinds & {"e"} if may_lack else set()
        return f"each({function}, {', '.join(rolled)})", frozenset("d") | lacks

    def argument(self, of: Any, parameter: Any, part: Part) -> tuple[str, bool]:
        """Return an argument, and whether its outcomes are taken one by one."""
        key, kind = (of, parameter.name), parameter.kind
        text, kinds = self.value(part, pool=kind == "s" or self.is_pool(key))
        if not kinds:
            return "", False
        is_over = kind in ("n", "s") and ("d" in kinds or (kind == "n" and "s" in kinds))
        several = kinds & {"P"} if kind == "d" else set()
        self.new_kinds[key] |= ({kind} if kind else kinds) | several
        if kind in ("n", "d") and kinds == {"s"}:
            text = f"sum({text})"
        elif kind == "s" and kinds == {"n"}:
            text = f"({text},)"
        if (kind == "d" and "d" not in kinds) or (is_over and not kinds <= {"d", "P"}):
            text = f"pool(die({text}))" if self.is_pool(key) else f"die({text})"
        return text, is_over


def _clean(text: str) -> str:
    """Return an expression without parentheses that it does not need, and with ONE added."""
    text = text.replace(" - 1) + ONE", ")").replace(" + 1) - ONE", ")")
    text = re.sub(r"\b(\d+) ([+-]) ONE", lambda m: str(int(m[1]) + int(f"{m[2]}1")), text)
    text = ast.unparse(ast.parse(text.replace("ONE", "1")))
    return text.replace(".keep([0])", ".keep_highest(1)").replace("[0:", "[:")


def _returns(block: tuple[Part, ...]) -> bool:
    """Whether a block ends with a result in all cases."""
    if not block or block[-1].kind not in ("result", "if"):
        return False
    kind, _, parts = block[-1]
    return kind == "result" or all(map(_returns, [*(inner for _, inner in parts[0]), parts[1]]))
