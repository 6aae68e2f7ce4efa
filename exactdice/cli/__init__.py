r"""The command line: `exactdice GAME VERB …`; every error is one line and an exit status.

Exit status: 0 for success, 1 for a failed check, 2 for bad usage, 130 when interrupted, and 143
when terminated. Results go to standard output or the named file; diagnostics and progress to
standard error. If a stream is not UTF-8, missing characters are written in ASCII, for example as
``>=``, or else as an escape such as ``\u221e``.
"""

import codecs
import importlib
import io
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from exactdice import __version__
from exactdice.cli.presenting import answering, quiet_option
from exactdice.errors import ExactDiceError, InputError, exit_status, in_one_line, shortened, told
from exactdice.memory import limit_met
from exactdice.origin import commit
from exactdice.rooms import ROOMS, classes, question_class, words_of
from exactdice.run import by_command

#: The commands that are not questions, with their help lines. The last word names the module in
#: this folder that contains the ``command``.
JOBS = {
    "help": "Explain concepts: how to write dice and rules, intervals, formats, limits.",
    "plot": "Draw one figure, and write its exact numbers.",
    "serve": "Start a web server on this machine that answers all questions.",
    "sweep": "Answer many questions in parallel; interrupted runs can be resumed.",
    "project tables": "Write all exact tables of all games into a folder.",
}

_LONG_WORD = re.compile(r"\S{121,}")
_COMPLETION = "_EXACTDICE_COMPLETE"  # the variable by which a shell requests completions


class _Listing(click.Group):
    """A command group whose help shows full sentences for its commands."""

    def descriptions(self, context: click.Context) -> Mapping[str, str]:
        return {
            name: command.get_short_help_str(sys.maxsize)
            for name in self.list_commands(context)
            if (command := self.get_command(context, name))
        }

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its name; an error suggests similar names."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as problem:
            from difflib import get_close_matches  # only for errors

            alike = 2 / 3  # similarity of words of three letters with one different
            near = get_close_matches(args[0], self.list_commands(ctx), 3, alike)
            near = near or self.inside(args[0])
            which = (
                f"Did you mean {' or '.join(near)}?" if near else f"See {ctx.command_path} --help."
            )
            raise click.UsageError(f"{problem.message} {which}", ctx) from None

    def inside(self, word: str) -> list[str]:
        return []

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.descriptions(ctx).items()))


def _command(name: str) -> click.Command | None:
    if name in JOBS:
        command: click.Command
        command = importlib.import_module(f"exactdice.cli.{name.split()[-1]}").command
        return command
    try:
        return answering(question_class(name))
    except InputError:
        return None


class _Room(_Listing):
    """The questions of one room in their order, then its jobs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        jobs = [job for job in JOBS if job.startswith(f"{self.name} ")]
        names = [asked.command for asked in classes(str(self.name))] + jobs
        return [name.split()[-1] for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(f"{self.name} {cmd_name}")


class _Root(_Listing):
    """All rooms and jobs; imports only those named on the command line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*ROOMS, *(job for job in JOBS if " " not in job)]

    def descriptions(self, context: click.Context) -> Mapping[str, str]:
        lines = {name: room.description for name, room in ROOMS.items()} | JOBS
        return {name: lines[name] for name in self.list_commands(context)}

    def inside(self, word: str) -> list[str]:
        """Find questions and jobs whose first word was omitted."""
        asked = [question.command for room in ROOMS for question in classes(room)]
        return [command for command in (*asked, *JOBS) if command.split()[1:] == [word]]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in ROOMS and not ROOMS[cmd_name].is_command:
            return _Room(cmd_name, help=ROOMS[cmd_name].description, no_args_is_help=True)
        return _command(cmd_name)


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"exactdice {__version__} (commit {commit()})")
        context.exit()


def _root() -> click.Group:
    version = click.Option(
        ["--version", "-V"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_show_version,
        help="Show the version and exit.",
    )
    line = "Exact values, optimal play and certificates for dice games."
    helping = {"help_option_names": ["-h", "--help"]}
    options = [version, quiet_option()]
    return _Root(
        "exactdice", params=options, help=line, no_args_is_help=True, context_settings=helping
    )


_OPTION = re.compile("--[a-z]|-[fo]$")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and not words[0].startswith("-") and words[0] not in (*ROOMS, *JOBS, "sweep"):
        options = next((i for i, w in enumerate(words) if _OPTION.match(w)), len(words))
        if asked := words_of(" ".join(words[:options])):
            words = [*asked, *words[options:]]
    return run(_root(), words)


def run(command: click.Command, words: Sequence[str]) -> int:
    """Run a command with its words and return the exit status; an error is one line."""
    make_streams_lenient()
    if sys.stdout is None:
        return _complain("output: standard output is closed; name a file with --output", 2)
    try:
        status: Any = _invoke(command, list(words))
        sys.stdout.flush()
    except ExactDiceError as problem:
        return _complain(str(problem), problem.exit_status)
    except (KeyboardInterrupt, RuntimeError) as problem:
        # Python 3.11 wraps an interrupt that arrives while it makes a class.
        ending = problem.__cause__ if type(problem) is RuntimeError else problem
        if isinstance(ending, KeyboardInterrupt) and (limit := limit_met()):
            return _complain(str(limit), limit.exit_status)
        if isinstance(ending, KeyboardInterrupt | click.Abort):
            return _complain("interrupted", exit_status(ending))
        return _complain_or_raise(problem)
    except click.exceptions.NoArgsIsHelpError as problem:
        print(problem.format_message(), file=sys.stderr)
        return 2
    except click.ClickException as problem:
        line, context = shortened(problem.format_message(), 400), getattr(problem, "ctx", None)
        if context and "?" not in line and "--help" not in line:
            line = f"{line.rstrip('.')}. See {context.command_path} --help."
        return _complain(line, problem.exit_code)
    except BrokenPipeError:  # the reader has ended, for example in `exactdice … | head`
        _drop_output()
        return 0
    except OSError as problem:  # of standard output: files have errors of their own
        _drop_output()
        return _complain(f"output: {problem.strerror}", 2)
    except (ImportError, MemoryError, OverflowError, ValueError) as problem:
        return _complain_or_raise(problem)
    return status if isinstance(status, int) else 0


def _invoke(root: click.Command, words: list[str]) -> Any:
    if _COMPLETION in os.environ:
        return root.main(words, prog_name=root.name, standalone_mode=False)
    try:
        with root.make_context(root.name, words) as context:
            return root.invoke(context)
    except click.exceptions.Exit as wanted:
        return wanted.exit_code


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain_or_raise(problem: Exception | KeyboardInterrupt) -> int:
    if (line := told(problem)) is None:
        raise problem
    return _complain(line, 2)


def _complain(message: str, status: int) -> int:
    """Print an error without control characters; long words such as paths are shortened."""
    lines = map(in_one_line, by_command(message).split("\n"))  # only expressions have several
    shown = [_LONG_WORD.sub(lambda match: shortened(match[0]), line) for line in lines]
    print("exactdice: " + "\n".join(shown), file=sys.stderr)
    return status


_FORMS = (
    "≈ ~ ≥ >= ≤ <= ≠ != × x − - – - — - · * … ... ± +- → -> ⇔ <=> ∞ infinity ∈ in √ sqrt Σ sum "
    '∏ product λ lambda θ theta σ sigma δ delta “ " ” " ’ \' █ #'
)
_ASCII = dict(zip(_FORMS.split()[::2], _FORMS.split()[1::2], strict=True))


def _in_ascii(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    written = (_ASCII.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lacking)
    return "".join(written), problem.end


def make_streams_lenient() -> None:
    """Let standard output and error replace characters that they cannot encode."""
    codecs.register_error("exactdice", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="exactdice")
