r"""Domains: the sets from which a question's fields come, each with its text.

A domain reads a value that somebody gave, as text or as a Python object, and writes it as the one
text that stands for it, so that ``read(write(value)) == value``. The command line, Python, JSON and
forms all read by the same domain, and so give the same one-line errors. A game adds domains of its
own for what it alone knows: armies, ladders, sets of dice.

A domain says for whom it writes how it is called in a line of usage (`metavar`), which words it
knows (`words`, for completion and forms), and whether its values name files (`is_file`).
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

from exactdice.arithmetic import mpq, natural, probability, rational, text
from exactdice.errors import InputError, choices

Value = TypeVar("Value")


class Domain(Generic[Value]):
    """The set that a field's values come from."""

    metavar = "TEXT"
    words: Sequence[str] = ()
    is_file = False
    takes_words = False  # whether its text may be several words of a command line

    def read(self, value: Any, name: str) -> Value:
        """Read a value, from text or from a Python object."""
        raise NotImplementedError

    def write(self, value: Value) -> str:
        """Write a value of the domain as the text that `read` reads."""
        return str(value)

    def joined(self, words: Sequence[str]) -> str:
        """Put words of a command line together where `takes_words`."""
        return " ".join(words)

    def names_file(self, _value: Any) -> bool:
        """Whether `read` would open a file for this, or takes it for the name of one.

        Whoever asks on behalf of others, as the server does, refuses such values unread.
        """
        return self.is_file

    def describe(self) -> str:
        """Name the domain in a few words, for help and forms; nothing where the field's help does.

        >>> Whole(least=1, most=9).describe(), Text().describe()
        ('1 to 9', '')
        """
        return ""


class Whole(Domain[int]):
    """Whole numbers from `least` up to `most`, or without an end.

    >>> Whole(least=1).read("12", "rounds")
    12
    >>> Whole(least=1, most=9).read(10, "rounds")
    Traceback (most recent call last):
    exactdice.errors.InputError: rounds: got 10; expected a whole number from 1 to 9
    """

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
    """Exact numbers, read as `exactdice.arithmetic.rational` does.

    >>> Rational().read("0.1", "penalty"), Rational().write(mpq(1, 10))
    (mpq(1,10), '1/10')
    """

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
    """The words of an enumeration.

    >>> class Side(StrEnum):
    ...     HEADS = "heads"
    ...     TAILS = "tails"
    >>> OneOf(Side).read("tails", "side")
    <Side.TAILS: 'tails'>
    >>> OneOf(Side).read("rim", "side")
    Traceback (most recent call last):
    exactdice.errors.InputError: side: got 'rim'; expected one of heads, tails
    """

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
    """Any text but the empty one, or one of given words.

    >>> Text("cell", "row").read("column", "table")
    Traceback (most recent call last):
    exactdice.errors.InputError: table: got 'column'; expected one of cell, row
    """

    def __init__(self, *words: str, metavar: str = "") -> None:
        self.words = words
        self.metavar = metavar or "|".join(words) or Domain.metavar

    def read(self, value: Any, name: str) -> str:
        if self.words and value not in self.words:
            raise InputError(name, value, choices(self.words, value))
        if not isinstance(value, str) or not value.strip():
            raise InputError(name, value, "a text that is not empty")
        return value


class Listed(Domain[tuple[Value, ...]]):
    """Lists in one word, with commas between: ``1,2,3``.

    >>> Listed(Whole(), "F,F,…").read("4,6, 8", "ladder")
    (4, 6, 8)
    >>> Listed(Whole(), "F,F,…").read("4,,8", "ladder")
    Traceback (most recent call last):
    exactdice.errors.InputError: ladder: got '4,,8'; expected a list with commas between, as F,F,…
    """

    def __init__(self, of: Domain[Value], metavar: str) -> None:
        self.of, self.metavar = of, metavar

    def read(self, value: Any, name: str) -> tuple[Value, ...]:
        wanted = f"a list with commas between, as {self.metavar}"
        items: list[Any]
        if isinstance(value, str):
            items = [item.strip() for item in value.split(",")]
            if not all(items):
                raise InputError(name, value, wanted)
        elif isinstance(value, Sequence) and value:
            items = list(value)
        else:
            raise InputError(name, value, wanted)
        return tuple(self.of.read(item, name) for item in items)

    def write(self, value: tuple[Value, ...]) -> str:
        return ",".join(map(self.of.write, value))

    def describe(self) -> str:
        inner = self.of.describe()
        return f"each {inner}" if inner else ""


class File(Domain[Path]):
    """Names of files; a question that has one reads or writes it."""

    metavar = "FILE"
    is_file = True

    def read(self, value: Any, name: str) -> Path:
        if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
            raise InputError(name, value, "the name of a file")
        return Path(value)


class Memory(Domain["int | None"]):
    """Amounts of memory: bytes, or with KiB, MiB, GiB or TiB behind; ``none`` for no limit.

    >>> Memory().read("1.5GiB", "memory"), Memory().write(3 * 2**29), Memory().write(None)
    (1610612736, '1536MiB', 'none')
    """

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
        """Write it in the largest unit in which it is whole."""
        if value is None:
            return "none"
        power = 0
        while value % 1024 == 0 and power < len(self._UNITS) - 1:
            value, power = value // 1024, power + 1
        return f"{value}{self._UNITS[power]}"
