"""Options that all commands share, progress, and how a report is written.

The options of a command are the fields of its question, then those here, which change no number:
format, file and digits of the report, limits of memory and time, and workers.

Progress on standard error is one line that changes on a terminal, otherwise a line every half
minute. Work that is done in an instant shows nothing.
"""

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import natural
from exactdice.errors import CheckFailedError, ConflictError, InputError, OutputError
from exactdice.linked import linked
from exactdice.memory import MEMORY_LIMIT
from exactdice.question.domains import File, Flag, Memory, OneOf, Rational, Text, Whole
from exactdice.question.model import Parameter, Question
from exactdice.report.eyes import bytes_to_write
from exactdice.report.model import CellKind, Report
from exactdice.report.writers import Format, render, rendered_files
from exactdice.rooms import ROOMS, question_class
from exactdice.run import Progress, Run

if TYPE_CHECKING:
    from pathlib import Path

    import click

    from exactdice.question.words import Command

MAX_DIGITS = 100_000
_NARROWEST = 60  # characters of a line on a terminal

_INSTANT = 2 / 5  # seconds
_BETWEEN_LINES = 30  # seconds
_REDRAWN = 1 / 5  # seconds

_NO_OPTIONS = ("output", "format", "digits", "table", "full", "memory", "seconds")

_SUFFIXES = {f.suffix: f for f in Format}

# Every CSV or Parquet file of this program contains one of these.
_OURS = (b"# producer: exactdice ", b'"producer": "exactdice ')


def click_option(
    name: str, domain: Any, help_line: str, *, default: Any = None, short: str = ""
) -> "click.Option":
    parameter = Parameter(name, domain, help_line, domain.metavar, default=default)
    made: click.Option = linked("exactdice.question.words:click_parameter")(parameter)
    if short:
        made.opts.append(short)
    return made


def digits_option() -> "click.Option":
    return click_option("digits", Whole(), "Significant digits of decimals.", default=10)


_QUIET = "exactdice.quiet"  # in the data of a command line
_MEMORY = "Memory limit, for example 8GiB. Commands that need more are rejected."


def _hush(context: "click.Context", _parameter: "click.Parameter", wanted: bool) -> None:
    context.meta[_QUIET] = wanted or _is_quiet()


def _is_quiet() -> bool:
    if "click" not in sys.modules:
        return False
    context = linked("click").get_current_context(silent=True)
    return context is not None and context.meta.get(_QUIET, False)


def quiet_option() -> "click.Option":
    """Return ``--quiet``, which `shown_progress` and `announced` obey."""
    line = "No progress on standard error."
    names = ["--quiet", "-q"]
    return linked("click").Option(  # type: ignore[no-any-return]
        names, is_flag=True, expose_value=False, callback=_hush, help=line
    )


def limit_options(
    memory: str = _MEMORY, seconds: str = "Time limit in seconds."
) -> "list[click.Parameter]":
    return [
        click_option("memory", Memory(), memory, default=MEMORY_LIMIT),
        click_option("seconds", Rational(), seconds),
    ]


def output_options() -> "list[click.Parameter]":
    forms = "Output format. Default: from the suffix of FILE, otherwise text."
    files = "Write to FILE. With CSV or Parquet, each table gets its own file (FILE-TABLE)."
    return [
        click_option("format", OneOf(Format), forms, short="-f"),
        click_option("output", File(), files, short="-o"),
        click_option(
            "table", Text(metavar="TABLE"), "Write only this table; JSON output shows the names."
        ),
        click_option("full", Flag(), "All digits and rule variants on a terminal, as in files."),
    ]


def _shared_options(asked: type[Question]) -> "list[click.Parameter]":
    options = [*output_options(), digits_option(), *limit_options()]
    if asked.shares_work:
        options.append(click_option("workers", Whole(), "Workers that share the work.", default=1))
    return options


@dataclass(frozen=True)
class Output:
    path: "Path | None"
    output_format: Format
    digits: int
    table: str | None
    full: bool

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> "Output":
        path = File().read(options["output"], "output") if options["output"] is not None else None
        if path:
            linked("exactdice.storage:check_writable")(path)
        if options["format"] is not None:
            chosen = OneOf(Format).read(options["format"], "format")
        else:
            chosen = _by_suffix(path) if path else Format.TEXT
        digits, table = read_digits(options), options["table"]
        if table is not None and not re.fullmatch(r"\w+", table):  # before files are written
            raise InputError("table", table, "the name of a table in the JSON output")
        if chosen is Format.PARQUET:
            linked("exactdice.report.interchange:library")("pyarrow")
            if not path:
                raise ConflictError("format", "parquet needs a file; add --output NAME.parquet")
        return cls(path, chosen, digits, table, bool(options["full"]))

    def nanoseconds(self, report: Report) -> int:
        """Estimate the time to write a report.

        A cell takes 15 µs, and 120 ns for each digit of its decimal; JSON has no decimals
        (measured on tables of 1600 and 200000 cells with 10 to 10000 digits).
        """
        cells = exact = 0
        for table in report.tables:
            rows, columns = len(tuple(table.rows)), tuple(table.columns)
            cells += rows * len(columns)
            exact += rows * sum(column.kind is CellKind.EXACT for column in columns)
        digits = 0 if self.output_format is Format.JSON else self.digits
        return 15_000 * cells + 120 * exact * digits

    def chosen(self, report: Report) -> Report:
        return report if self.table is None else report.only(self.table)

    def write(self, report: Report) -> None:
        report = self.chosen(report)
        if self.path:
            write_files(report, self.output_format, self.path, self.digits)
        else:
            sys.stdout.write(_as_stream_takes(self._rendered(report), self.output_format))

    @property
    def is_for_terminal(self) -> bool:
        is_text = not self.path and self.output_format is Format.TEXT
        return is_text and not self.full and sys.stdout.isatty()

    def _rendered(self, report: Report) -> str:
        if not self.is_for_terminal:
            return render(report, self.output_format, self.digits)
        width = max(linked("shutil").get_terminal_size().columns, _NARROWEST)
        is_styled = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        on_terminal = linked("exactdice.report.terminal:for_terminal")
        return str(on_terminal(report, self.digits, width, is_styled=is_styled))


def _as_stream_takes(written: str, output_format: Format) -> str:
    """Use the escapes of HTML and JSON if standard output is not UTF-8, to keep the data."""
    if (sys.stdout.encoding or "utf-8").lower() == "utf-8":
        return written
    if output_format is Format.HTML:
        return written.encode("ascii", "xmlcharrefreplace").decode()
    if output_format is Format.JSON:
        return re.sub("[^\x00-\x7f]", lambda match: linked("json").dumps(match[0])[1:-1], written)
    return written


def write_files(
    report: Report, output_format: Format, path: "Path", digits: int = 10, *, is_named: bool = True
) -> "list[Path]":
    """Write a report into a file, or one file per table, and return their names."""
    files = rendered_files(report, output_format, path.stem, path.suffix, digits)
    contents = {path.with_name(name): content for name, content in files.items()}
    for file in contents:
        if file != path or not is_named:
            refuse_foreign(file)
        linked("exactdice.storage:check_writable")(file)
    for file, content in contents.items():
        linked("exactdice.storage:write_whole")(file, content)
    return list(contents)


def refuse_foreign(file: "Path") -> None:
    """Raise OutputError if a file exists that no earlier command wrote."""
    content = linked("exactdice.storage:read_bytes")(file)
    if content and not any(mark in content for mark in _OURS):
        raise OutputError(f"output: {file} has other content; name another file")


def read_digits(options: Mapping[str, Any]) -> int:
    digits = 10 if options["digits"] is None else options["digits"]
    return natural(digits, "digits", least=1, most=MAX_DIGITS)


def _by_suffix(path: "Path") -> Format:
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise InputError("output", str(path), f"a name that ends in one of {known}, or --format")
    return _SUFFIXES[suffix]


def read_memory(options: Mapping[str, Any]) -> int | None:
    return MEMORY_LIMIT if options["memory"] is None else Memory().read(options["memory"], "memory")


def read_run(options: Mapping[str, Any]) -> Run:
    given = options.get("workers")
    workers = 1 if given is None else natural(given, "workers", least=1)
    return Run(read_memory(options), workers, announce=announced, seconds=options.get("seconds"))


def _counted(what: str, done: int, total: int | None) -> str:
    if what == "thousandths":
        return f"{done // 10}.{done % 10} % done"
    return f"{what} {done}" + f" of {total}" * (total is not None) if what else "working"


class _Reporter:
    """The latest progress, shown by its own thread."""

    def __init__(self) -> None:
        self._news: tuple[str, int, int | None] = ("", 0, None)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __call__(self, what: str, done: int, total: int | None, /) -> None:
        self._news = (what, done, total)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _show(self) -> None:
        if self._ended.wait(_INSTANT):
            return
        self._write_lines(is_redrawn=sys.stderr.isatty())

    def _write_lines(self, *, is_redrawn: bool = False) -> None:
        """Write a line from time to time, or redraw one line of a terminal."""
        begun = time.monotonic()
        phase, first, since = "", 0, begun  # the rate counts only this phase
        pause, between = (_REDRAWN, 0) if is_redrawn else (_INSTANT, _BETWEEN_LINES)
        due, shown = begun + between, ""
        while not self._ended.wait(pause):
            what, done, total = self._news
            now = time.monotonic()
            if what != phase:
                phase, first, since = what, done, now
            if now < due:
                continue
            due = now + between
            news = _counted(what, done, total)
            if done > first:
                rate = (done - first) / (now - since)
                news += f", {rate:.3g} a second" * (what != "thousandths")
                news += f", {(total - done) / rate:.0f} s left" if total is not None else ""
            line = f"exactdice: {news}, {now - begun:.0f} s"
            if is_redrawn:
                line = line[: linked("shutil").get_terminal_size().columns - 1]
                print(f"\r{line.ljust(len(shown))}", end="", flush=True, file=sys.stderr)
                shown = line
            else:
                print(line, file=sys.stderr)
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", flush=True, file=sys.stderr)


def announced(words: str) -> None:
    if sys.stderr.isatty() and not _is_quiet():
        print(f"exactdice: {words}", file=sys.stderr)


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show progress while the block runs; the block calls what it gets."""
    reporter = _Reporter()
    if _is_quiet():
        yield reporter
        return
    reporter.start()
    try:
        yield reporter
    finally:
        reporter.stop()


def answering(asked: type[Question]) -> "Command":
    from exactdice.question.words import command_of, given_fields, refuse_empty

    shared = _shared_options(asked)

    def answer(**options: Any) -> None:
        for option in shared:
            refuse_empty(str(option.name), options[str(option.name)])
        _answer(asked, options, lambda: given_fields(asked, options))

    return command_of(asked, answer, [*shared, quiet_option()])


def answered_at_once(words: Sequence[str]) -> bool:
    """Answer a command without options, if it is one: no parser is loaded for it.

    Loading click would take a fifth of the time of a short command.
    """
    room = ROOMS.get(words[0]) if words else None
    if room is None or any(word.startswith("-") or not word for word in words):
        return False
    length = 1 if room.is_command else 2
    verb, values = " ".join(words[:length]), tuple(words[length:])
    try:
        asked = question_class(verb)
    except InputError:
        return False
    arguments = [parameter for parameter in asked.parameters() if parameter.is_argument]
    if any(p.is_required and not p.is_argument for p in asked.parameters()):
        return False
    is_text = len(arguments) == 1 and arguments[0].domain.takes_words and bool(values)
    values = (arguments[0].domain.joined(values),) if is_text else values
    is_other = any(p.is_many or (p.domain.takes_words and not is_text) for p in arguments)
    if is_other or len(values) != len(arguments):
        return False
    fields = {p.field: value for p, value in zip(arguments, values, strict=True)}
    try:
        _answer(asked, dict.fromkeys(_NO_OPTIONS), lambda: fields)
    except InputError as problem:
        options = {p.name: f"--{p.name}" for p in asked.parameters() if not p.is_argument}
        typed = options.get(problem.argument.replace("_", "-"), problem.argument)
        raise problem.as_typed(typed) from problem.__cause__
    return True


def _answer(
    asked: type[Question], options: Mapping[str, Any], fields: Callable[[], dict[str, Any]]
) -> None:
    output, run = Output.read(options), read_run(options)
    if not asked.has_tables and output.table not in (None, "quantities"):
        raise InputError("table", output.table, "quantities, the only part of this report")
    question = asked(**fields())
    _refuse_shared(output.path, question)
    report = _answered(question, run, output)
    run.require(bytes_to_write(report, output.digits), "writing the answer")
    run.expect(output.nanoseconds(report), "writing the answer")
    output.write(report)
    if report.failure:
        raise CheckFailedError(report.failure)


def _answered(question: Question, run: Run, output: Output) -> Report:
    if question.is_interactive:  # progress would overwrite the prompts
        return output.chosen(question.answer(run))
    is_whole = output.is_for_terminal and not output.table
    with shown_progress() as tell, redirect_stdout(sys.stderr):  # for what a file of rules prints
        run = replace(run, progress=tell)
        report = output.chosen(question.answer(run))
        return question.on_terminal(report, run) if is_whole else report


def _refuse_shared(path: "Path | None", question: Question) -> None:
    for parameter in question.parameters():
        named = getattr(question, parameter.field)
        if path and parameter.domain.is_file and named and named.resolve() == path.resolve():
            problem = f"output: {path} is also given for {parameter.name}; name another file"
            raise OutputError(problem)
