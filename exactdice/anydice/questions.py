"""The command ``anydice``."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

from exactdice.anydice.programs import ProgramOutput, run
from exactdice.anydice.syntax import parsed
from exactdice.arithmetic import mpq
from exactdice.dice.rolled import Root
from exactdice.enclosure import exactly, points
from exactdice.errors import ConflictError, InputError
from exactdice.linked import linked
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, File, Text
from exactdice.report.model import Grid, Report, Table, exact, text_column, whole
from exactdice.run import Run
from exactdice.storage import check_writable, write_whole

_PROGRAM = re.compile(r"\boutput\b.*\S", re.DOTALL)
_VIEWS = ("normal", "at-least", "at-most", "transposed")
_CONVENTIONS = {"language": "AnyDice; the manual lists where it differs from anydice.com"}


class ProgramText(Domain[str]):
    """AnyDice programs: the text, which contains an output, or the name of a file with it."""

    metavar = "FILE"

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str) and not _PROGRAM.search(value)

    def read(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or not value.strip():
            raise InputError(name, value, "a file, - for standard input, or a program")
        program = _content(value) if self.names_file(value) else value
        try:
            parsed(program)
        except InputError as problem:
            raise problem.at(name) from None
        return program


def _content(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:
        is_missing = isinstance(problem, FileNotFoundError)
        reason = "file not found" if is_missing else getattr(problem, "strerror", "not a text")
        if re.search(r"\s", file):
            reason += "; a program needs an output, such as output 3d6"
        raise ConflictError(f"{file}:", str(reason)) from None


class Anydice(
    Question,
    example="'output [highest 3 of 4d6] named \"an ability\"'",
    takes="a moment for most programs; --seconds and --memory stop a longer one",
):
    """Run an AnyDice program; its outputs are exact distributions."""

    program: str = argument(
        ProgramText(), "File of the program, - for standard input, or its text."
    )
    view: str = option(
        Text(*_VIEWS),
        "What the table of outcomes shows: their probabilities, those of at least or of at most "
        "each outcome, or the outputs as rows.",
        default="normal",
    )
    python: Path | None = option(File(), "Also write the calculation as Python to FILE.")

    def report(self, run_: Run) -> Report:
        if self.python is not None:
            check_writable(self.python)
        outputs = run(self.program, run_)
        if self.python is not None:
            python_of = linked("exactdice.anydice.python:python_of")  # seldom wanted
            write_whole(self.python, python_of(self.program, run_, outputs))
        named = list(zip(_numbered([output.name for output in outputs]), outputs, strict=True))
        name = text_column("output", "name of the output")
        summary = [
            name,
            exact("mean", "expected value"),
            text_column("standard_deviation", "square root of the variance, rounded"),
            whole("lowest", "lowest outcome"),
            whole("highest", "highest outcome"),
        ]
        if any(output.cut for output in outputs):
            summary.append(exact("cut", "probability that a call was too deep and was not made"))
        rows = [_summary(*pair)[: len(summary)] for pair in named]
        cell = self.view.replace("-", "_") if self.view.startswith("at") else "probability"
        axes = ("output", "outcome") if self.view == "transposed" else ("outcome", "output")
        outcomes = Table.of(
            "outcomes",
            "Outcomes",
            (row for pair in named for row in _outcomes(*pair)),
            name,
            whole("outcome", "result of the roll"),
            exact("probability", "probability of this outcome"),
            exact("at_least", "probability of at least this outcome"),
            exact("at_most", "probability of at most this outcome"),
            grid=Grid(*axes, cell, is_alone=True),
        )
        shown: list[Any] = [Table.of("outputs", "Outputs", rows, *summary), outcomes]
        if len(outputs) == 1 and (law := outputs[0].distribution) is not None:
            shown.insert(0, exact("value", f"expected value of {outputs[0].name}")(law.mean()))
        means = (row[:2] for row in rows if row[1] is not None)
        says: tuple[str, ...] = ("No outcomes", "in any output")
        for first, mean in islice(means, 1):
            says = (points(mean), f"expected value of {first}", exactly(mean))
        return Report.of("AnyDice program", _CONVENTIONS, *shown, says=says)


def _numbered(names: list[str]) -> list[str]:
    """Make names unique, so that each is a column."""
    times: dict[str, Iterator[int]] = defaultdict(lambda: count(1))
    return [f"{name} ({n})" if (n := next(times[name])) > 1 else name for name in names]


def _summary(name: str, output: ProgramOutput) -> tuple[Any, ...]:
    law = output.distribution
    if law is None:
        return name, None, "no outcomes", None, None, output.cut
    deviation = Root(law.variance()).decimal(6)
    return name, law.mean(), deviation, min(law), max(law), output.cut


def _outcomes(name: str, output: ProgramOutput) -> Iterator[tuple[Any, ...]]:
    if output.distribution is not None:
        before = mpq(0)
        for outcome, chance in output.distribution.probabilities().items():
            yield name, outcome, chance, 1 - before, before + chance
            before += chance
