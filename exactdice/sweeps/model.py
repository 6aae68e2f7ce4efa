"""A sweep: a list of questions, whose answers a reducer makes into one report.

The questions are the *units* of the sweep. They are canonical texts, all different, and in an order
that belongs to the sweep: that of the file, or that of the grid, whose first variable changes most
slowly. A unit must be answered by its text alone, so nothing that a person plays and nothing that
names a file can be one.

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
from pathlib import Path

from exactdice.arithmetic import natural
from exactdice.errors import InputError, OutputError, TooLargeError, Unquoted
from exactdice.rooms import question
from exactdice.run import DEFAULT, Run

#: Units that a sweep may have.
MAX_UNITS = 1_000_000

_FORMAT = "exactdice sweep 1"
_WRITTEN = "what an exactdice sweep was written as"
_BRACES = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)", re.ASCII)


@dataclass(frozen=True)
class Sweep:
    """A list of questions with a name and a reducer."""

    # what was asked for, as the words behind ``exactdice sweep run``: a built-in sweep, a template
    # and its variables, a file
    name: str
    units: tuple[str, ...]  # canonical texts of questions, all different
    reducer: str = "rows"  # what makes one report of the answers; see `exactdice.sweeps.reducers`

    def __post_init__(self) -> None:
        if not self.units:
            raise InputError("sweep", self.name, "one that has questions")
        if len(set(self.units)) != len(self.units):
            twice = next(unit for unit in self.units if self.units.count(unit) > 1)
            raise InputError("sweep", twice, "each question once")

    def text(self) -> str:
        """Write it as text."""
        head = {"format": _FORMAT, "name": self.name, "reducer": self.reducer}
        return "".join(json.dumps(line) + "\n" for line in (head, *self.units))

    @classmethod
    def read(cls, text: str) -> "Sweep":
        """Read it from what `text` wrote."""
        try:
            head, *units = (json.loads(line) for line in text.splitlines())
            is_ours = head["format"] == _FORMAT
            sweep = cls(str(head["name"]), tuple(map(str, units)), str(head["reducer"]))
        except (ValueError, KeyError, TypeError) as problem:
            raise InputError("sweep", text, _WRITTEN) from problem
        if not is_ours:
            raise InputError("sweep", text, _WRITTEN)
        return sweep

    @cached_property
    def key(self) -> str:
        """The SHA-256 of its text."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def canonical(text: str) -> str:
    """Return the canonical text of a question that can be a unit.

    >>> canonical("risk win --units total 4 2")
    'risk win 4 2'
    >>> canonical("swe play 3")
    Traceback (most recent call last):
    exactdice.errors.InputError: sweep: got 'swe play 3'; expected questions that no person plays
    """
    asked = question(text)
    if not asked.is_deterministic:
        raise InputError("sweep", text, "questions that no person plays")
    if asked.uses_files:
        raise InputError("sweep", text, "questions that name no files: their answers may change")
    return str(asked)


def values_of(written: str, name: str = "over") -> list[str]:
    """List the values of a variable: words and ranges of whole numbers, with commas between.

    >>> values_of("2..5,10,total")
    ['2', '3', '4', '5', '10', 'total']
    """
    values: list[str] = []
    for item in written.split(","):
        if match := _RANGE.fullmatch(item.strip()):
            low, high = int(match[1]), int(match[2])
            if high < low:
                raise InputError(name, item, "a range upwards, as 2..500")
            _refuse_many(high - low + 1)
            values.extend(map(str, range(low, high + 1)))
        elif item.strip():
            values.append(item.strip())
        else:
            raise InputError(name, written, "values with commas between, as 2..500 or 4,6,8")
    return values


def from_grid(
    template: str, over: Sequence[str], reducer: str = "rows", run: Run = DEFAULT
) -> Sweep:
    """Make the sweep of a template whose variables take all combinations of their values.

    A third of a millisecond a question.
    """
    values = _variables(over)
    named = _BRACES.findall(template)
    for name in (*named, *values):
        if name not in named or name not in values:
            raise InputError(
                "over", Unquoted(f"{name or '{}'} in one place"), "each variable as {a} and a=2..9"
            )
    count = 1
    for several in values.values():
        count *= len(several)
    _refuse_many(count)

    def texts() -> Iterator[tuple[str, str]]:
        for combination in product(*values.values()):
            text = template
            for name, value in zip(values, combination, strict=True):
                text = text.replace(f"{{{name}}}", value)
            yield text, text

    # One variable may say the same in two ways; what it says is asked once.
    name = shlex.join([template, *(word for definition in over for word in ("--over", definition))])
    return Sweep(name, tuple(dict.fromkeys(_all_canonical(texts(), count, run))), reducer)


def _variables(over: Sequence[str]) -> Mapping[str, list[str]]:
    values: dict[str, list[str]] = {}
    for definition in over:
        name, sign, written = definition.partition("=")
        if not sign or not _NAME.fullmatch(name) or name in values:
            raise InputError("over", definition, "a variable and its values once, as a=2..500")
        values[name] = values_of(written)
    return values


def from_file(path: Path, reducer: str = "rows", run: Run = DEFAULT) -> Sweep:
    """Read a sweep from a file with one question a line; lines that begin with # are none."""
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
            raise InputError("sweep", unit, f"each question once; {places[unit]} has it").at(place)
        places[unit] = place
    return Sweep(shlex.quote(str(path)), tuple(places), reducer)


def _all_canonical(texts: Iterable[tuple[str, str]], count: int, run: Run) -> Iterator[str]:
    """Give the canonical text of each question; an error names the place that stands before it."""
    for done, (place, text) in enumerate(texts):
        run.tell("questions", done, count)
        try:
            yield canonical(text)
        except InputError as problem:
            raise problem.at(place) from problem


def _refuse_many(count: int) -> None:
    natural(count, "sweep")
    if count > MAX_UNITS:
        raise TooLargeError(f"sweep: {count} questions are more than {MAX_UNITS}; make parts of it")
