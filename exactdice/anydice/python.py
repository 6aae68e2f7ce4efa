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
from typing import Any

from exactdice.anydice.programs import ProgramOutput, run
from exactdice.anydice.scopes import Scopes, parts_in, shape_of
from exactdice.anydice.syntax import Part, parsed
from exactdice.errors import ConflictError, TimeLimitError
from exactdice.run import DEFAULT, Run

_FUNCTIONS = '''
def each(function, *dice):
    """Mix the results of a function over the outcomes of dice and the sorted rolls of pools."""
    rolls = [sorted_roll(x) if isinstance(x, DicePool) else x for x in dice]
    ways = Counter()
    for choice in product(*(roll.items() for roll in rolls)):
        values, weights = zip(*choice)
        result = function(*values)
        ways[sum(result) if isinstance(result, tuple) else result] += prod(weights)
    ways.pop(None, None)  # no result
    return mixture((Fraction(n, ways.total()), die(x)) for x, n in ways.items()) if ways else None


def die(value):
    """Return dice as they are, and a number as the die that shows it."""
    return value if isinstance(value, Distribution) else Distribution({value: 1})


def dice(number, one):
    """Return a pool of dice: for 0 the die that shows 0, below 0 their negatives."""
    return pool(abs(number), -one if number < 0 else one) if number else pool(die(0))


def at(places, value):
    """Add the elements or dice at places from 1; other places add nothing."""
    places = [places] if isinstance(places, int) else places
    ranks = [place - 1 for place in places if 0 < place <= len(value)]
    if isinstance(value, DicePool):
        return value.keep(ranks) if ranks else die(0)
    return sum(value[rank] for rank in ranks)


def or_zero(value):
    """Return 0 for no result."""
    return 0 if value is None else value
'''.strip().split("\n\n\n")
#: Forms of operators and functions of the library. The letters are what they take: n a number, S a
#: sequence, s also a number as one, R and Q a range, d dice, p a pool, a sums of anything, m outcomes of
#: anything. After > is the kind of the result, if not d for dice and n for others. ! is for careful.
_FORMS = """
+ aa ({0} + {1})
- aa ({0} - {1})
* aa ({0} * {1})
!/ mm quotient({0}, {1})
/ aa ({0} // {1})
^ mm ({0} ** {1})
!& mm bool({0} and {1})
& mm ({0} and {1})
!| mm bool({0} or {1})
| mm ({0} or {1})
= SS ({0} == {1})
= Sn {0}.count({1})
= nS {1}.count({0})
= mm ({0} == {1})
!= SS ({0} != {1})
!= Sn sum([face != {1} for face in {0}])
!= nS sum([{0} != face for face in {1}])
!= mm ({0} != {1})
< SS ({0} < {1})
< Sn sum([face < {1} for face in {0}])
< nS sum([{0} < face for face in {1}])
< aa ({0} < {1})
- a (-{0})
! m (not {0})
+ S>s {0}
+ a {0}
# n len(str(abs({0})))
# S len({0})
# p>n len({0})
d S>d Distribution.from_faces({0})
d n>d d({0})
@ nn int(str({1})[{0} - ONE])
!@ ns at({0}, {1})
!@ ss at({0}, {1})
!@ sp at({0}, {1})
@ nS {1}[{0} - ONE]
@ RS sum({1}[{0}])
@ SS sum([{1}[place - 1] for place in {0}])
@ np {1}.keep([{0} - ONE])
@ Qp {1}.keep(range({0}))
@ Sp {1}.keep([place - 1 for place in {0}])
absolute_? a abs({0})
?_contains_? sn ({1} in {0})
?_contains_? sd {1}.map(lambda face: face in {0})
?_contains_? pn count({0}, lambda face: face == {1}).map(bool)
count_?_in_? ns {1}.count({0})
count_?_in_? Ss sum(map({0}.count, {1}))
count_?_in_? np count({1}, lambda face: face == {0})
!count_?_in_? Sp DicePool(tuple((face.map({0}.count), place) for face, place in {1}.kinds)).sum()
count_?_in_? Sp count({1}, lambda face: face in {0})
maximum_of_? d>n max({0})
reverse_? S>s {0}[::-1]
reverse_? d {0}
sort_? S>s tuple(sorted({0}, reverse=True))
sort_? d {0}
explode_? d {0}.explode(times=TIMES)
highest_of_?_and_? nn max({0}, {1})
highest_of_?_and_? aa highest({0}, {1})
lowest_of_?_and_? nn min({0}, {1})
lowest_of_?_and_? aa lowest({0}, {1})
!highest_?_of_? np at(range(1, {0} + ONE), {1})
highest_?_of_? np {1}.keep_highest({0})
!lowest_?_of_? np at(range(len({1}) + ONE - {0}, len({1}) + ONE), {1})
lowest_?_of_? np {1}.keep_lowest({0})
!middle_?_of_? np at(range((len({1}) - {0}) // 2 + 1, (len({1}) + {0}) // 2 + 1), {1})
middle_?_of_? np {1}.keep_middle({0})
highest_?_of_?_and_? ndd pool({1}, {2}).keep_highest({0})
lowest_?_of_?_and_? ndd pool({1}, {2}).keep_lowest({0})
"""
_FORMS += "".join(
    f"{row.replace('<', sign)}\n"
    for sign in ("<=", ">", ">=")
    for row in _FORMS.splitlines()
    if row.startswith("< ")
)
_ROWS = [row.split(" ", 2) for row in _FORMS.split("\n") if row]
_IMPORTS = {
    "collections": "Counter", "fractions": "Fraction", "functools": "cache",
    "itertools": "product", "math": "prod", "exactdice.anydice.values": "quotient",
    "exactdice.dice": "Distribution DicePool count d highest lowest mixture pool sorted_roll",
}  # fmt: skip
_RESERVED = {*dir(builtins), *keyword.kwlist, *" ".join(_IMPORTS.values()).split()}
_RESERVED |= {"outputs", "depth", "face", "other", "place"}
_RESERVED |= {each[4 : each.index("(")] for each in _FUNCTIONS}
_COMMENTS = re.compile(r'"[^"]*"|\\([^\\]*)\\')
_VARIABLES = re.compile(r"\[([A-Z_]+)\]")

Kinds = frozenset[str]
Term = tuple[str, Kinds]  # an expression and its kinds, none while they are not known
_UNKNOWN: Term = "None", frozenset()


def python_of(program: str, run_: Run = DEFAULT, outputs: list[ProgramOutput] | None = None) -> str:
    """Return Python that computes the outputs of an AnyDice program, as a dictionary by name.

    `outputs` are those of `run`, if you have them. Raises InputError with the line and the reason
    if the program cannot be written so, or if the Python, which is run, has other outputs. Cost:
    that of running the Python, which remembers less than `run`.

    >>> print(python_of('output [highest 3 of 4d6] named "an ability" \\ best three \\'))
    from exactdice.dice import d, pool
    <BLANKLINE>
    outputs = {}
    <BLANKLINE>
    outputs["an ability"] = pool(4, d(6)).keep_highest(3)  # best three
    <BLANKLINE>
    """
    outputs = run(program, run_) if outputs is None else outputs
    with run_.within_limits():
        for is_careful in (False, True):
            python = _Python(program, is_careful=is_careful)
            if (problem := _problem(python, outputs)) is None:
                return python.head() + python.body()
    raise problem


def _problem(python: "_Python", outputs: list[ProgramOutput]) -> ConflictError | None:
    """Run Python and return what is wrong with it."""
    space: dict[str, Any] = {}
    for line, chunk in [(1, python.head()), *python.chunks]:
        try:
            exec(chunk, space)  # noqa: S102 - the lines are written below
        except TimeLimitError:
            raise
        except Exception as problem:
            return _refused(line, f"{type(problem).__name__}: {problem}")
        for (name, law), right in zip(space["outputs"].items(), outputs, strict=False):
            if not name.startswith(right.name) or law != right.distribution:
                return _refused(line, f"{right.name!r} would differ")
    return _refused(1, "outputs with one name") if len(space["outputs"]) < len(outputs) else None


def _refused(line: int, reason: str) -> ConflictError:
    return ConflictError(f"line {line}:", f"cannot be written as Python ({reason})")


def _words(shape: Any) -> str:
    return " ".join(getattr(word, "name", word) for word in shape)


class _Python:
    """Writes the statements of a program as Python, in chunks with their line."""

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
        lines = [(program.count("\n", 0, m.start()) + 1, m[1]) for m in _COMMENTS.finditer(program)]
        before: Any = None
        while not self.is_last:
            self.is_last = before == (before := (self.kinds, self.pools))
            self.new_kinds: dict[Any, set[str]] = defaultdict(set)
            self.new_pools: set[Any] = set()
            self.comments = [(line, text.strip()) for line, text in lines if text and text.strip()]
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
        return re.sub("\n{3,}", "\n\n\n", text).strip("\n") + "\n"

    def head(self) -> str:
        """Return the imports and functions that the statements need."""
        body = text = self.body()
        for _ in _FUNCTIONS:
            names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
            functions = [each for each in _FUNCTIONS if each[4 : each.index("(")] in names]
            text = "\n\n\n".join([*functions, ""]) + body
        used = {of: sorted(names & {*each.split()}, key=str.lower) for of, each in _IMPORTS.items()}
        lines = [f"from {of} import {', '.join(each)}\n" for of, each in used.items() if each]
        lines = "".join(lines).replace("\nfrom exact", "\n\nfrom exact", 1)
        space = "\n\n" if body.startswith(("def", "@")) else ""
        return f"{lines}\n{chr(10) * bool(functions)}{text.removesuffix(body)}outputs = {{}}\n\n{space}".lstrip(
            "\n"
        )

    def named(self, key: Any, wanted: str) -> str:
        """Return the name of a variable or function in Python, which nothing else has."""
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
            comment = self.comments.pop(0)[1].splitlines()
            self.lines += [f"{indent}# {each.strip()}".rstrip() for each in comment]
        if self.comments and self.comments[0][0] == line and "\n" not in self.comments[0][1]:
            text += f"  # {self.comments.pop(0)[1]}"
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
        elif "n" in kinds:
            text = f"Distribution({{{text}: 1}})" if kinds == {"n"} else f"die({text})"
        self.counted[name] += 1
        self.counted[""] += 1
        variables = _VARIABLES.findall(name or "")
        shown = f'"output {self.counted[""]}"'
        if name is not None:
            is_again = self.is_careful and self.counted[name] > 1 and not variables
            number = f" ({self.counted[name]})" if is_again else ""
            shown = json.dumps(name + number, ensure_ascii=False)
        elif self.counted["loops"]:
            shown = 'f"output {len(outputs) + 1}"'
        if variables:
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
        if (of, "called") not in self.kinds:
            return self.write(f"# [{_words(words)}] is not called.", part.line, level)
        if of.visible:
            shared = f"[{_words(words)}] shares {', '.join(sorted(of.visible))} with other calls"
            raise _refused(part.line, shared)
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

    def _unary(self, part: Part, pool: bool) -> Term:
        if part.parts[0] == "d":
            return self.dice(Part("number", part.line, (1,)), part.parts[1], pool)
        return self.applied(part.parts[0], part.parts[1:], part.line)

    def _binary(self, part: Part, pool: bool) -> Term:
        if part.parts[0] == "d":
            return self.dice(*part.parts[1:], pool)
        return self.applied(part.parts[0], part.parts[1:], part.line)

    def dice(self, count: Part, faces: Part, pool: bool) -> Term:
        is_one = count.parts == (1,)
        one, kinds = self.value(faces, pool=pool and is_one)
        if faces == (faces.kind, faces.line, ()):  # d{}
            return "None", frozenset("e")
        if "d" not in kinds and kinds:
            one, kinds = self.applied("d", (faces,), faces.line)
        elif pool and is_one:
            kinds |= {"p"}
        number, counts = self.value(count)
        if is_one or not kinds or not counts or kinds == {"e"}:
            return one, kinds if counts else counts
        if counts == {"s"}:
            number = f"sum({number})"
        elif "d" in counts:
            return f"({number} @ {one})", frozenset("d")
        if self.is_careful and (number == "0" or not number.isdigit()):
            return f"dice({number}, {one})", frozenset("dPp")
        if pool:
            return f"pool({number}, {one})", frozenset("dPp")
        return f"({number} @ {one})", frozenset("dP")

    def applied(self, name: str, parts: tuple[Part, ...], line: int) -> Term:
        """Apply an operator or a function of the library by the first row that fits."""
        terms = [self.value(part) for part in parts]
        lacks = [kinds == {"e"} for _, kinds in terms]
        if any(lacks) and (len(parts) == 1 or all(lacks) or name not in "+-|"):
            return "None", frozenset("e")
        parts = tuple(
            Part("number", line, (0,)) if e else x for e, x in zip(lacks, parts, strict=True)
        )
        terms = [self.value(part) for part in parts]
        if not all(kinds for _, kinds in terms):
            return _UNKNOWN
        if name in "+-|" and len(parts) == 2 and self.is_careful:
            terms = [(f"or_zero({text})" if "e" in kinds else text, kinds) for text, kinds in terms]
        rolls = ["d" in kinds for _, kinds in terms]
        for row, takes, form in _ROWS:
            letters, _, kind = takes.partition(">")
            if len(letters) != len(parts) or row not in (
                [f"!{name}", name] if self.is_careful else [name]
            ):
                continue
            texts = list(map(self.fitted, letters, parts, terms))
            if "" in texts:
                continue
            form = form.replace("TIMES", self.settings["explode depth"])
            if "m" in letters and any(rolls):
                (over, *more), names = (
                    [t for t, roll in zip(texts, rolls) if roll],
                    iter(("face", "other")),
                )
                form = form.format(*(next(names) if roll else t for t, roll in zip(texts, rolls)))
                if more:
                    return f"{over}.with_other({more[0]}, lambda face, other: {form})", frozenset(
                        "d"
                    )
                return f"{over}.map(lambda face: {form})", frozenset("d")
            may_be_number = "a" in letters and all({"n", "s"} & kinds for _, kinds in terms)
            kinds = "d" + "n" * may_be_number if any(rolls) else "n"
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
            return self.applied("_".join(shape), tuple(arguments), part.line)
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
        lacks = kinds & {"e"} if kinds == {"e"} or shape in self.deep else set()
        return f"each({function}, {', '.join(rolled)})", frozenset("d") | lacks

    def argument(self, of: Any, parameter: Any, part: Part) -> tuple[str, bool]:
        """Return an argument, and whether its outcomes are taken one by one."""
        key, kind = (of, parameter.name), parameter.kind
        text, kinds = self.value(part, pool=kind == "s" or self.is_pool(key))
        if not kinds:
            return "", False
        is_over = kind in ("n", "s") and ("d" in kinds or (kind == "n" and "s" in kinds))
        self.new_kinds[key] |= (
            {kind} | kinds & {"P"} if kind == "d" else kinds if not kind else {kind}
        )
        if kind in ("n", "d") and kinds == {"s"}:
            text = f"sum({text})"
        elif kind == "s" and kinds == {"n"}:
            text = f"({text},)"
        if (kind == "d" and "d" not in kinds) or (is_over and not kinds <= {"d", "P"}):
            text = f"pool(die({text}))" if self.is_pool(key) else f"die({text})"
        return text, is_over


class _Shorter(ast.NodeTransformer):
    """Adds and takes away ONE, and leaves out parentheses between equal ``and`` and ``or``."""

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        left = node.left
        match node.op, node.right, left:
            case ast.Sub(), ast.Name("ONE"), ast.Constant(int(value)):
                return ast.Constant(value - 1)
            case ast.Add(), ast.Name("ONE"), ast.Constant(int(value)):
                return ast.Constant(value + 1)
            case ast.Sub(), ast.Name("ONE"), ast.BinOp(inner, ast.Add(), ast.Constant(1)):
                return inner
            case ast.Add(), ast.Name("ONE"), ast.BinOp(inner, ast.Sub(), ast.Constant(1)):
                return inner
            case _, ast.Name("ONE"), _:
                node.right = ast.Constant(1)
        return node


def _clean(text: str) -> str:
    """Return an expression without parentheses that it does not need."""
    short = ast.unparse(_Shorter().visit(ast.parse(text)))
    return short.replace(".keep([0])", ".keep_highest(1)").replace("[0:", "[:")


def _returns(block: tuple[Part, ...]) -> bool:
    """Whether a block ends with a result in all cases."""
    if not block or block[-1].kind not in ("result", "if"):
        return False
    kind, _, parts = block[-1]
    return kind == "result" or all(map(_returns, [*(inner for _, inner in parts[0]), parts[1]]))
