"""The grammar of AnyDice programs, read by recursive descent.

Operators from the loosest to the tightest: ``& |``, comparisons, ``+ -``, ``* /``, ``^``, ``@``,
``d`` between two operands, and the operators before an operand. All associate to the left. So
``2@3d6`` is the middle one of three dice, and ``#3d6`` is ``(#3)d6``.

>>> [statement.kind for statement in parsed('X: 3d6 output X named "total"')]
['assign', 'output']
>>> parsed("output 3d6 +")
Traceback (most recent call last):
exactdice.errors.InputError: line 1, column 13: got the end; expected a value, such as 3, d6 or X
"""

import re
from typing import Any, NamedTuple

from exactdice.errors import InputError, Unquoted

_TOKENS = re.compile(
    r"(?P<space>[ \t\r\n\f]+|\\[^\\]*\\)|(?P<number>[0-9]+)|(?P<name>[A-Z_]+)|(?P<word>[a-z]+)"
    r'|(?P<text>"[^"]*")|(?P<sign>\.\s*\.|!=|<=|>=|[-+*/^@#!=<>&|(){}\[\]:,?])'
)
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_LEVELS = (("&", "|"), COMPARISONS, ("+", "-"), ("*", "/"), ("^",), ("@",), ("d",))
_UNENDED = {"\\": "a backslash that ends the comment", '"': "a quotation mark after the text"}
_DEPTH = 200  # brackets and blocks within each other
_DIGITS = 4000  # of a number


class Part(NamedTuple):
    """A statement or an expression, the line where it begins, and its parts."""

    kind: str
    line: int
    parts: tuple[Any, ...]


class FunctionParameter(NamedTuple):
    """A parameter of a function: its name, and ``n``, ``s``, ``d`` or nothing."""

    name: str
    kind: str


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


def _tokens(program: str) -> list[_Token]:
    found: list[_Token] = []
    place, line, begin = 0, 1, 0
    while place < len(program):
        match = _TOKENS.match(program, place)
        if match is None:
            wanted = _UNENDED.get(program[place], "a number, a name or a sign of the language")
            place_in_words = f"line {line}, column {place - begin + 1}"
            raise InputError(place_in_words, program[place], wanted)
        if match.lastgroup != "space":
            found.append(_Token(str(match.lastgroup), match[0], line, place - begin + 1))
        if breaks := match[0].count("\n"):
            line, begin = line + breaks, place + match[0].rindex("\n") + 1
        place = match.end()
    return [*found, _Token("end", "", line, place - begin + 1)]


class _Parser:
    def __init__(self, program: str) -> None:
        self.tokens, self.at, self.depth = _tokens(program), 0, 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def wrong(self, wanted: str) -> InputError:
        token = self.next
        got = Unquoted("the end") if token.kind == "end" else token.text
        return InputError(f"line {token.line}, column {token.column}", got, wanted)

    def takes(self, *texts: str) -> str:
        """Go past the next token if it is one of these words or signs, and return it."""
        token = self.next
        if token.kind not in ("sign", "word") or token.text not in texts:
            return ""
        self.at += 1
        return token.text

    def take(self, text: str, wanted: str) -> None:
        if not self.takes(text):
            raise self.wrong(wanted)

    def take_kind(self, kind: str, wanted: str = "") -> str:
        token = self.next
        if token.kind != kind:
            raise self.wrong(wanted)
        self.at += 1
        return token.text

    def statement(self, *, in_function: bool = False) -> Part:
        line, name = self.next.line, self.next.text
        if self.next.kind == "name":
            self.at += 1
            self.take(":", f"a colon after {name}, as in {name}: 3d6")
            return Part("assign", line, (name, self.value()))
        words = "loop if result" if in_function else "output function loop if set"
        word = self.takes(*words.split())
        if not word:
            first = f"NAME: VALUE, {words.replace(' ', ', ')}"
            raise self.wrong(f"a statement ({first})" + " or }" * in_function)
        return Part(word, line, getattr(self, f"_{word}")(in_function))

    def _result(self, _: bool) -> tuple[Any, ...]:
        self.take(":", "a colon after result")
        return (self.value(),)

    def _output(self, _: bool) -> tuple[Any, ...]:
        if self.next.text == "legacy":
            raise self.wrong("a value; the old form with legacy and a text is not read")
        value = self.value()
        return value, self._text('a text, as in named "total"') if self.takes("named") else None

    def _text(self, wanted: str) -> str:
        return self.take_kind("text", wanted)[1:-1]

    def _set(self, _: bool) -> tuple[Any, ...]:
        key = self._text('the name of a setting, as in set "explode depth" to 3')
        self.take("to", "to, and the value of the setting")
        return key, self._text("") if self.next.kind == "text" else self.value()

    def _loop(self, in_function: bool) -> tuple[Any, ...]:
        name = self.take_kind("name", "a variable, as in loop X over {1..6}")
        self.take("over", f"over, as in loop {name} over {{1..6}}")
        return name, self.value(), self.block(in_function=in_function)

    def _if(self, in_function: bool) -> tuple[Any, ...]:
        branches = [(self.value(), self.block(in_function=in_function))]
        while self.takes("else"):
            if not self.takes("if"):
                return tuple(branches), self.block(in_function=in_function)
            branches.append((self.value(), self.block(in_function=in_function)))
        return tuple(branches), ()

    def _function(self, _: bool) -> tuple[Any, ...]:
        self.take(":", "a colon, as in function: twice N:n { result: 2 * N }")
        words: list[str | FunctionParameter] = []
        while self.next.text != "{":
            if self.next.kind == "word":
                words.append(self.take_kind("word"))
                continue
            name, kind = self.take_kind("name", "words and parameters of the function, or {"), ""
            if self.takes(":") and not (kind := self.takes("n", "s", "d", "?")):
                raise self.wrong("n, s or d after the colon: number, sequence or die")
            words.append(FunctionParameter(name, kind.strip("?")))
        return tuple(words), self.block(in_function=True)

    def block(self, *, in_function: bool) -> tuple[Part, ...]:
        self.take("{", "{ that begins a block, or an operator")
        self.deeper(1)
        statements = []
        while not self.takes("}"):
            statements.append(self.statement(in_function=in_function))
            if statements[-1].kind == "result":
                self.take("}", "}, because a result ends its block, or an operator")
                break
        self.deeper(-1)
        return tuple(statements)

    def deeper(self, levels: int) -> None:
        self.depth += levels
        if self.depth > _DEPTH:
            raise self.wrong(f"at most {_DEPTH} brackets, operators and blocks within each other")

    def value(self, level: int = 0) -> Part:
        """Read operands and operators, those of one level or tighter."""
        line = self.next.line
        if level == len(_LEVELS):
            return self.operand()
        left = self.value(level + 1)
        while sign := self.takes(*_LEVELS[level]):
            left = Part("binary", line, (sign, left, self.value(level + 1)))
        return left

    def operand(self) -> Part:
        line, kind, text = self.next[2], *self.next[:2]
        self.deeper(1)
        if kind == "number" and len(text) > _DIGITS:
            raise self.wrong(f"a number of at most {_DIGITS} digits")
        if kind in ("number", "name"):
            self.at += 1
            read = Part(kind, line, (int(text) if kind == "number" else text,))
        elif sign := self.takes("#", "-", "+", "!", "d"):
            read = Part("unary", line, (sign, self.operand()))
        elif self.takes("("):
            read = self.value()
            self.take(")", "an operator, or ) to match (")
        elif self.takes("{"):
            read = Part("sequence", line, self._elements())
        elif self.takes("["):
            read = Part("call", line, self._words())
        else:
            raise self.wrong("a value, such as 3, d6 or X")
        self.deeper(-1)
        return read

    def _elements(self) -> tuple[tuple[Part, Part | None, Part | None], ...]:
        """Read elements: first value, last value of a range or None, repetitions or None."""
        elements: list[Any] = []
        while not self.takes("}"):
            if elements:
                self.take(",", "an operator, a comma, or } to match {")
            first, last = self.value(), None
            if self.next.text.startswith("."):
                self.at += 1
                last = self.value()
            elements.append((first, last, self.value() if self.takes(":") else None))
        return tuple(elements)

    def _words(self) -> tuple[str | Part, ...]:
        words: list[str | Part] = []
        while not self.takes("]"):
            if self.next.kind == "end":
                raise self.wrong("an operator, a word of the function's name, or ] to match [")
            is_word = self.next.kind == "word" and self.next.text != "d"
            words.append(self.take_kind("word") if is_word else self.value())
        return tuple(words)


def parsed(program: str) -> tuple[Part, ...]:
    """Return the statements of a program; raises InputError with line and column."""
    parser = _Parser(program)
    statements = []
    while parser.next.kind != "end":
        statements.append(parser.statement())
    return tuple(statements)
