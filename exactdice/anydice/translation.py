"""Statements of AnyDice programs as lines of Python, which `programs` compiles."""

from exactdice.anydice.scopes import Definition, Scopes, Shape, shape_of
from exactdice.anydice.syntax import COMPARISONS, Part

_LONG = 400  # characters of an expression from which it is split: Python limits nesting
_SIGNS = {"=": "==", "&": "and", "|": "or"}  # in Python
_OF_NUMBERS = {"-": "(-{})", "!": "(0 if {} else 1)", "#": "length({})"}
_OF_SEQUENCES = {"-": "(-sum({}))", "!": "(0 if sum({}) else 1)", "#": "len({})"}
_OF_ALL = {"-": "minus({})", "!": "negation({})", "#": "length({})", "d": "die({})", "+": "{}"}


class Translator:
    """Writes statements as lines of Python, each with the line of the program it comes from."""

    def __init__(self, scopes: Scopes, within: Definition | None) -> None:
        self.scopes, self.within = scopes, within
        self.lines: list[tuple[str, int]] = []
        self.calls: dict[str, Shape] = {}
        self.parts: dict[str, Part] = {}
        self.level = 1

    def kind(self, part: Part) -> str:
        return self.scopes.kind(part, self.within) or "?"

    def write(self, level: int, source: str, line: int) -> None:
        self.lines.append((" " * level + source, line))

    def stored(self, name: str) -> str:
        is_local = self.scopes.kinds_of(name, self.within) is not self.scopes.kinds
        return f"v{name}" if is_local else f"G[{name!r}]"

    def block(self, block: tuple[Part, ...], level: int) -> None:
        if not block:
            self.write(level, "pass", 1)
        for part in block:
            kind, line, parts = part
            self.level = level
            if kind == "assign":
                self.write(level, f"{self.stored(parts[0])} = {self.value(parts[1])}", line)
            elif kind == "result":
                self.write(level, f"return {self.value(parts[0])}", line)
            elif kind == "output":
                self.write(level, f"M.output({self.value(parts[0])}, {parts[1]!r})", line)
            elif kind == "set":
                value = repr(parts[1]) if isinstance(parts[1], str) else self.value(parts[1])
                self.write(level, f"M.set({parts[0]!r}, {value})", line)
            elif kind == "function":
                name = f"part{len(self.parts)}"
                self.parts[name] = part
                self.write(level, f"M.define({name})", line)
            elif kind == "loop":
                over = self.value(parts[1])
                over = over if self.kind(parts[1]) == "s" else f"over({over})"
                self.write(level, f"for {self.stored(parts[0])} in {over}:", line)
                self.block(parts[2], level + 1)
            else:
                tests = [self.condition(condition) for condition, _ in parts[0]]
                for place, (condition, inner) in enumerate(parts[0]):
                    word = "elif" if place else "if"
                    self.write(level, f"{word} {tests[place]}:", condition.line)
                    self.block(inner, level + 1)
                self.write(level, "else:", line)
                self.block(parts[1], level + 1)

    def condition(self, part: Part) -> str:
        sign, *sides = part.parts if part.kind == "binary" else ("",)
        is_comparison = sign in COMPARISONS
        if (is_comparison or sign in _SIGNS) and {*map(self.kind, sides)} == {"n"}:
            a, b = map(self.value if is_comparison else self.condition, sides)
            return f"({a} {_SIGNS.get(sign, sign)} {b})"
        value = self.value(part)
        return value if self.kind(part) == "n" else f"truth({value})"

    def value(self, part: Part) -> str:
        kind, line, parts = part
        if kind == "number":
            return str(parts[0])
        if kind == "name":
            return self.stored(parts[0])
        if kind == "sequence":
            return f"({''.join(f'{self.element(*element)}, ' for element in parts)})"
        if kind == "call":
            name = f"call{len(self.calls)}"
            self.calls[name] = shape_of(parts)
            arguments = (self.value(each) for each in parts if isinstance(each, Part))
            return f"{name}({', '.join(arguments)})"
        sign, *sides = parts
        sources, kinds = [*map(self.value, sides)], [*map(self.kind, sides)]
        for place, source in enumerate(sources):
            if len(source) > _LONG:
                sources[place] = f"t{len(self.lines)}"
                self.write(self.level, f"{sources[place]} = {source}", line)
        if kind == "unary":
            forms = {"n": _OF_NUMBERS, "s": _OF_SEQUENCES}.get(kinds[0], _OF_ALL)
            return forms.get(sign, _OF_ALL[sign]).format(sources[0])
        a, b = sources
        if sign in "d@":
            return f"{'dice' if sign == 'd' else 'at'}({a}, {b})"
        if kinds == ["n", "n"]:
            if sign in "+-*":
                return f"({a} {sign} {b})"
            if sign in "/^":
                return f"{'quotient' if sign == '/' else 'power'}({a}, {b})"
            return f"(1 if {a} {_SIGNS.get(sign, sign)} {b} else 0)"
        if sign == "=" and kinds in (["s", "n"], ["n", "s"]):
            return f"{a}.count({b})" if kinds[0] == "s" else f"{b}.count({a})"
        return f"binary({sign!r}, {a}, {b})"

    def element(self, first: Part, last: Part | None, times: Part | None) -> str:
        source, kind = self.value(first), self.kind(first)
        if last is not None:
            both = f"{source}, {self.value(last)}"
            source = f"span({both})" if times is None else f"(*span({both}),)"
        elif times is None and kind == "n":
            return source
        elif kind != "s":
            source = f"elements({source})"
        return f"*{source}" if times is None else f"*repeated({source}, {self.value(times)})"
