"""A sweep: a list of questions, whose answers a reducer turns into one report.

The questions are the *units* of the sweep: canonical texts, all different, in the order of the file
or of the grid, whose first variable changes most slowly. The answer of a unit must depend only on
its text, so questions that a person plays or that name a file are rejected.

A sweep is written as lines of JSON: one with its name and reducer, then one a unit. Its *key* is
the SHA-256 of that text.
"""

import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path

from exactdice.arithmetic import natural
from exactdice.errors import ConflictError, InputError, OutputError, TooLargeError
from exactdice.rooms import question
from exactdice.run import DEFAULT, Run

MAX_UNITS = 1_000_000

_FORMAT = "exactdice sweep 1"
_BRACES = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)", re.ASCII)


@dataclass(frozen=True)
class Sweep:
    """A list of questions with a name and a reducer."""

    name: str  # the words after ``exactdice sweep run``: a built-in name, a template, or a file
    units: tuple[str, ...]  # canonical texts of questions, all different
    reducer: str = "rows"

    def __post_init__(self) -> None:
        if not self.units:
            raise InputError("sweep", self.name, "at least one question")
        if len(set(self.units)) != len(self.units):
            twice = next(unit for unit in self.units if self.units.count(unit) > 1)
            raise ConflictError("sweep", f"has the question {twice!r} twice; list it once")

    def text(self) -> str:
        """Write it as lines of JSON."""
        head = {"format": _FORMAT, "name": self.name, "reducer": self.reducer}
        return "".join(json.dumps(line) + "\n" for line in (head, *self.units))

    @classmethod
    def read(cls, text: str) -> "Sweep":
        """Read a sweep from what `text` wrote."""
        wanted = "the text of a sweep written by exactdice"
        try:
            head, *units = (json.loads(line) for line in text.splitlines())
            is_ours = head["format"] == _FORMAT
            sweep = cls(str(head["name"]), tuple(map(str, units)), str(head["reducer"]))
        except (ValueError, KeyError, TypeError) as problem:
            raise InputError("sweep", text, wanted) from problem
        if not is_ours:
            raise InputError("sweep", text, wanted)
        return sweep

    @cached_property
    def key(self) -> str:
        return hashlib.sha256(self.text().encode()).hexdigest()


def canonical(text: str) -> str:
    """Return the canonical text of a question that can be a unit."""
    asked = question(text)
    if not asked.is_deterministic:
        raise InputError("sweep", text, "a question that no person plays")
    if asked.uses_files:
        raise InputError("sweep", text, "a question that names no file, because files may change")
    return str(asked)


def values_of(written: str, name: str = "over") -> list[str]:
    """List the values of a variable: words and ranges of integers, separated by commas."""
    values: list[str] = []
    for item in written.split(","):
        if match := _RANGE.fullmatch(item.strip()):
            low, high = int(match[1]), int(match[2])
            if high < low:
                raise InputError(name, item, "an ascending range such as 2..500")
            _refuse_many(high - low + 1)
            values.extend(map(str, range(low, high + 1)))
        elif item.strip():
            values.append(item.strip())
        else:
            raise InputError(name, written, "values separated by commas, such as 2..500 or 4,6,8")
    return values


def from_grid(
    template: str, over: Sequence[str], reducer: str = "rows", run: Run = DEFAULT
) -> Sweep:
    values = _variables(over)
    named = _BRACES.findall(template)
    for name in named:
        if name not in values:
            problem = f"gives no values for {{{name}}}; add --over {name or 'a'}=2..9"
            raise ConflictError("over", problem)
    for name in values:
        if name not in named:
            raise ConflictError("over", f"sets {name}, but the question has no {{{name}}}")
    count = prod(map(len, values.values()))
    _refuse_many(count)

    def texts() -> Iterator[tuple[str, str]]:
        for combination in product(*values.values()):
            text = template
            for name, value in zip(values, combination, strict=True):
                text = text.replace(f"{{{name}}}", value)
            yield text, text

    # Two values may give the same question, for example 4 and 04.
    name = shlex.join([template, *(word for definition in over for word in ("--over", definition))])
    return Sweep(name, tuple(dict.fromkeys(_all_canonical(texts(), count, run))), reducer)


def _variables(over: Sequence[str]) -> Mapping[str, list[str]]:
    values: dict[str, list[str]] = {}
    for definition in over:
        name, sign, written = definition.partition("=")
        if not sign or not _NAME.fullmatch(name) or name in values:
            wanted = "a variable and its values, each variable once, such as a=2..500"
            raise InputError("over", definition, wanted)
        values[name] = values_of(written)
    return values


def from_file(path: Path, reducer: str = "rows", run: Run = DEFAULT) -> Sweep:
    """Read a sweep from a file with one question a line; lines that begin with # are comments."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as problem:
        raise OutputError(f"sweep: {path} cannot be read: {problem}") from problem
    asked = {
        f"{path}, line {number}": line.strip()
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    }
    _refuse_many(len(asked))
    places: dict[str, str] = {}
    for place, unit in zip(asked, _all_canonical(asked.items(), len(asked), run), strict=True):
        if unit in places:
            first = places[unit].rpartition(", ")[2]
            raise ConflictError(f"{place}:", f"the question {unit!r} is already in {first}")
        places[unit] = place
    return Sweep(shlex.quote(str(path)), tuple(places), reducer)


def _all_canonical(texts: Iterable[tuple[str, str]], count: int, run: Run) -> Iterator[str]:
    for done, (place, text) in enumerate(texts):
        run.tell("questions", done, count)
        try:
            yield canonical(text)
        except InputError as problem:
            raise problem.at(place) from problem


def _refuse_many(count: int) -> None:
    natural(count, "sweep")
    if count > MAX_UNITS:
        raise TooLargeError(f"sweep: {count} questions, at most {MAX_UNITS} allowed; split it")
