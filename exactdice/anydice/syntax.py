r"""The grammar of AnyDice programs.

A parser by recursive descent. Operators from the loosest to the tightest: ``& |``, comparisons,
``+ -``, ``* /``, ``^``, ``@``, ``d`` between two operands, and the operators before an operand.
All associate to the left. So ``2@3d6`` is the middle one of three dice, and ``#3d6`` is ``(#3)d6``.

>>> [statement.kind for statement in parsed('X: 3d6 output X named "total"')]
['assign', 'output']
>>> parsed("output 3d6 +")
Traceback (most recent call last):
exactdice.errors.InputError: line 1, column 13: got the end; expected a value, such as 3, d6 or X
"""

import re
from typing import Any, NamedTuple

from exactdice.errors import InputError, Unquoted

__all__ = ["Node", "Parameter", "parsed"]

_TOKENS = re.compile(
    r"(?P<space>[ \t\r\n\f]+|\\[^\\]*\\)|(?P<number>[0-9]+)|(?P<name>[A-Z_]+)|(?P<word>[a-z]+)"
    r'|(?P<text>"[^"]*")|(?P<sign>\.\s*\.|!=|<=|>=|[-+*/^@#!=<>&|(){}\[\]:,?])'
)
_LEVELS = (("&", "|"), ("=", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/"), ("^",), ("@",))
_BEFORE = ("#", "-", "+", "!")
_STATEMENTS = ("output", "function", "loop", "if", "set")
_VALUE = "a value, such as 3, d6 or X"


class Node(NamedTuple):
    """A statement or an expression, the line where it begins, and its parts."""

    kind: str
    line: int
    parts: tuple[Any, ...]


class Parameter(NamedTuple):
    """A parameter of a function: its name, and ``n``, ``s``, ``d`` or nothing."""

    name: str
    kind: str


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


def _where(program: str, place: int) -> str:
    before = program[:place]
    return f"line {before.count(chr(10)) + 1}, column {place - before.rfind(chr(10))}"


def _tokens(program: str) -> list[_Token]:
    found, place = [], 0
    while place < len(program):
        match = _TOKENS.match(program, place)
        if match is None:
            ends = {
                "\\": "a backslash that ends the comment",
                '"': "a quotation mark after the text",
            }
            wanted = ends.get(program[place], "a number, a name, or a sign of the language")
            raise InputError(_where(program, place), program[place], wanted)
        if match.lastgroup != "space":
            found.append(_Token(str(match.lastgroup), match.group(), place))
        place = match.end()
    return [*found, _Token("end", "", len(program))]


class _Parser:
    def __init__(self, program: str) -> None:
        self.program, self.tokens, self.at = program, _tokens(program), 0
        self.lines: list[int] = []
        line, last = 1, 0
        for token in self.tokens:
            line, last = line + program.count("\n", last, token.place), token.place
            self.lines.append(line)

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    @property
    def line(self) -> int:
        return self.lines[self.at]

    def wrong(self, wanted: str) -> InputError:
        got = Unquoted("the end") if self.next.kind == "end" else self.next.text
        return InputError(_where(self.program, self.next.place), got, wanted)

    def takes(self, *texts: str) -> str:
        """Return the next token and go past it if it is one of these, otherwise nothing."""
        if self.next.kind in ("sign", "word") and self.next.text in texts:
            self.at += 1
            return self.tokens[self.at - 1].text
        return ""

    def take(self, text: str, wanted: str) -> None:
        if not self.takes(text):
            raise self.wrong(wanted)

    def take_kind(self, kind: str, wanted: str) -> str:
        if self.next.kind != kind:
            raise self.wrong(wanted)
        self.at += 1
        return self.tokens[self.at - 1].text

    def program_read(self) -> tuple[Node, ...]:
        statements = []
        while self.next.kind != "end":
            statements.append(self.statement(in_function=False))
        return tuple(statements)

    def statement(self, *, in_function: bool) -> Node:
        line = self.line
        if self.next.kind == "name":
            name = self.take_kind("name", "")
            self.take(":", f"a colon after {name}, as in {name}: 3d6")
            return Node("assign", line, (name, self.value()))
        word = self.takes("loop", "if", *(() if in_function else ("output", "function", "set")))
        if not word:
            inside = "a statement (NAME: …, loop, if or result:), or } that ends the block"
            raise self.wrong(
                inside if in_function else f"a statement: NAME: …, {', '.join(_STATEMENTS)}"
            )
        return getattr(self, f"{word}_statement")(line, in_function)  # type: ignore[no-any-return]

    def output_statement(self, line: int, _in_function: bool) -> Node:
        if self.next.text == "legacy":
            raise self.wrong("a value; the old form `output legacy` is not read")
        value, name = self.value(), None
        if self.takes("named"):
            name = self.text('a text after named, as in named "total"')
        return Node("output", line, (value, name))

    def text(self, wanted: str) -> str:
        return self.take_kind("text", wanted)[1:-1]

    def set_statement(self, line: int, _in_function: bool) -> Node:
        key = self.text('the name of a setting, as in set "position order" to "lowest first"')
        self.take("to", "to, and the value of the setting")
        value = self.text("") if self.next.kind == "text" else self.value()
        return Node("set", line, (key, value))

    def loop_statement(self, line: int, in_function: bool) -> Node:
        name = self.take_kind("name", "a variable, as in loop X over {1..6}")
        self.take("over", f"over, as in loop {name} over {{1..6}}")
        return Node("loop", line, (name, self.value(), self.block(in_function)))

    def if_statement(self, line: int, in_function: bool) -> Node:
        branches, otherwise = [(self.value(), self.block(in_function))], ()
        while self.takes("else"):
            if not self.takes("if"):
                otherwise = self.block(in_function)
                break
            branches.append((self.value(), self.block(in_function)))
        return Node("if", line, (tuple(branches), otherwise))

    def function_statement(self, line: int, _in_function: bool) -> Node:
        self.take(":", "a colon, as in function: twice N:n { result: 2 * N }")
        words: list[str | Parameter] = []
        while not (self.next.text == "{" and self.next.kind == "sign"):
            if self.next.kind == "word":
                words.append(self.take_kind("word", ""))
                continue
            name = self.take_kind("name", "words and parameters of the function, then {")
            kind = ""
            if self.takes(":"):
                kind = self.takes("n", "s", "d", "?")
                if not kind:
                    raise self.wrong("n, s or d after the colon: number, sequence or die")
            words.append(Parameter(name, kind.strip("?")))
        return Node("function", line, (tuple(words), self.block(True)))

    def block(self, in_function: bool) -> tuple[Node, ...]:
        self.take("{", "{ that begins the block")
        statements = []
        while not self.takes("}"):
            line = self.line
            if in_function and self.takes("result"):
                self.take(":", "a colon after result")
                statements.append(Node("result", line, (self.value(),)))
                self.take("}", "} after the result, which ends its block")
                break
            statements.append(self.statement(in_function=in_function))
        return tuple(statements)

    def value(self, level: int = 0) -> Node:
        if level == len(_LEVELS):
            return self.dice()
        line, left = self.line, self.value(level + 1)
        while sign := self.takes(*_LEVELS[level]):
            left = Node("binary", line, (sign, left, self.value(level + 1)))
        return left

    def dice(self) -> Node:
        line, left = self.line, self.operand()
        while self.takes("d"):
            left = Node("binary", line, ("d", left, self.operand()))
        return left

    def operand(self) -> Node:
        line = self.line
        if sign := self.takes(*_BEFORE, "d"):
            return Node("unary", line, (sign, self.operand()))
        if self.next.kind == "number":
            return Node("number", line, (int(self.take_kind("number", "")),))
        if self.next.kind == "name":
            return Node("name", line, (self.take_kind("name", ""),))
        if self.takes("("):
            value = self.value()
            self.take(")", "an operator, or ) to match (")
            return value
        if self.takes("{"):
            return self.sequence(line)
        if self.takes("["):
            return self.call(line)
        raise self.wrong(_VALUE)

    def sequence(self, line: int) -> Node:
        """Read elements: a value, a value that is repeated, a range, a range that is repeated."""
        elements: list[tuple[Node, Node | None, Node | None]] = []
        while not self.takes("}"):
            if elements:
                self.take(",", "an operator, a comma, or } that ends the sequence")
            first, last, times = self.value(), None, None
            if self.next.text.startswith("."):
                self.at += 1
                last = self.value()
            if self.takes(":"):
                times = self.value()
            elements.append((first, last, times))
        return Node("sequence", line, tuple(elements))

    def call(self, line: int) -> Node:
        words: list[str | Node] = []
        while not self.takes("]"):
            if self.next.kind == "end":
                raise self.wrong("] that ends the call")
            if self.next.kind == "word" and self.next.text != "d":
                words.append(self.take_kind("word", ""))
            else:
                words.append(self.value())
        return Node("call", line, tuple(words))


def parsed(program: str) -> tuple[Node, ...]:
    """Return the statements of a program; raises InputError with line and column."""
    return _Parser(program).program_read()
