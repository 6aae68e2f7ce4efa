r"""Domains: the sets of values of a question's fields, with their texts.

A domain reads a value from text or from a Python object, and writes it as its canonical text, so
that ``read(write(value)) == value``. The command line, Python, JSON and forms all read by the same
domain, and therefore give the same errors. Games add domains of their own, for example armies,
ladders and sets of dice.

A domain also has a name for usage lines (`metavar`), words for completion and forms (`words`), and
tells whether its values name files (`is_file`).
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from exactdice.arithmetic import mpq, natural, probability, rational, text
from exactdice.errors import InputError, choices

if TYPE_CHECKING:
    from pathlib import Path

Value = TypeVar("Value")


class Domain(Generic[Value]):
    """The set of the values of a field."""

    metavar = "TEXT"
    words: Sequence[str] = ()
    is_file = False
    takes_words = False  # whether its text may have several words on a command line

    def read(self, value: Any, name: str) -> Value:
        raise NotImplementedError

    def write(self, value: Value) -> str:
        return str(value)

    def joined(self, words: Sequence[str]) -> str:
        return " ".join(words)

    def names_file(self, _value: Any) -> bool:
        """Whether `read` would open a file for this value; the server then rejects it unread."""
        return self.is_file

    def describe(self) -> str:
        """Describe the domain briefly, for help and forms; empty if the help of the field does."""
        return ""


class Whole(Domain[int]):
    """Whole numbers from `least` to `most`, or unlimited."""

    metavar = "N"

    def __init__(self, *, least: int = 0, most: int | None = None) -> None:
        self.least, self.most = least, most

    def read(self, value: Any, name: str) -> int:
        return natural(value, name, least=self.least, most=self.most)

    def write(self, value: int) -> str:
        return text(value)

    def describe(self) -> str:
        if self.most is None:
            return f"at least {self.least}" if self.least else ""
        return f"{self.least} to {self.most}"


class Rational(Domain[mpq]):
    """Exact numbers, read by `exactdice.arithmetic.rational`."""

    metavar = "Q"

    def read(self, value: Any, name: str) -> mpq:
        return rational(value, name)

    def write(self, value: mpq) -> str:
        return text(value)


class Probability(Rational):
    """Exact numbers from 0 to 1."""

    metavar = "P"

    def read(self, value: Any, name: str) -> mpq:
        return probability(value, name)

    def describe(self) -> str:
        return "0 to 1"


Word = TypeVar("Word", bound=StrEnum)


class OneOf(Domain[Word]):
    """The words of an enumeration."""

    def __init__(self, words: type[Word]) -> None:
        self._type = words
        self.words = tuple(words)
        self.metavar = "|".join(words)

    def read(self, value: Any, name: str) -> Word:
        try:
            return self._type(value)
        except ValueError:
            raise InputError(name, value, choices(self.words, value)) from None


class Flag(Domain[bool]):
    """True or false; on the command line an option without a value."""

    metavar = ""

    def read(self, value: Any, name: str) -> bool:
        if isinstance(value, bool):
            return value
        if value in ("true", "false"):
            return bool(value == "true")
        raise InputError(name, value, "true or false")

    def write(self, value: bool) -> str:
        return "true" if value else "false"


class Text(Domain[str]):
    """Any non-empty text, or one of given words."""

    def __init__(self, *words: str, metavar: str = "") -> None:
        self.words = words
        self.metavar = metavar or "|".join(words) or Domain.metavar

    def read(self, value: Any, name: str) -> str:
        if self.words and value not in self.words:
            raise InputError(name, value, choices(self.words, value))
        if not isinstance(value, str) or not value.strip():
            raise InputError(name, value, "a non-empty text")
        return value


class Listed(Domain[tuple[Value, ...]]):
    """Lists in one word, separated by commas: ``1,2,3``."""

    def __init__(self, of: Domain[Value], metavar: str) -> None:
        self.of, self.metavar = of, metavar

    def read(self, value: Any, name: str) -> tuple[Value, ...]:
        wanted = f"a list separated by commas: {self.metavar}"
        items: Any = [i.strip() for i in value.split(",")] if isinstance(value, str) else value
        if not isinstance(items, Sequence) or not items or "" in items:
            raise InputError(name, value, wanted)
        return tuple(self.of.read(item, name) for item in items)

    def write(self, value: tuple[Value, ...]) -> str:
        return ",".join(map(self.of.write, value))

    def describe(self) -> str:
        inner = self.of.describe()
        return f"each {inner}" if inner else ""


class File(Domain["Path"]):
    """Names of files, or of folders; a question that has one reads or writes it."""

    is_file = True

    def __init__(self, metavar: str = "FILE") -> None:
        self.metavar = metavar

    def read(self, value: Any, name: str) -> "Path":
        from pathlib import Path  # most commands name no file

        if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
            raise InputError(name, value, "the name of a file")
        return Path(value)


class Memory(Domain["int | None"]):
    """Amounts of memory: bytes, or followed by KiB, MiB, GiB or TiB; ``none`` for no limit."""

    metavar = "N|none"
    _UNITS = ("", "KiB", "MiB", "GiB", "TiB")
    _AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", re.ASCII | re.IGNORECASE)

    def read(self, value: Any, name: str) -> int | None:
        if value is None or value == "none":
            return None
        match = self._AMOUNT.fullmatch(value) if isinstance(value, str) else None
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        if match is None or not (amount := rational(match[1])):
            raise InputError(name, value, "an amount such as 500MiB or 8GiB, or none")
        power = "KMGT".index(match[2].upper()) + 1 if match[2] else 0
        return int(amount * 1024**power)

    def write(self, value: int | None) -> str:
        if value is None:
            return "none"
        power = 0
        while value % 1024 == 0 and power < len(self._UNITS) - 1:
            value, power = value // 1024, power + 1
        return f"{value}{self._UNITS[power]}"
