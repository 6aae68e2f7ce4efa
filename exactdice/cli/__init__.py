r"""The command line: `exactdice GAME VERB …`; every error is one line and an exit status.

Exit status: 0 for success, 1 for a failed check, 2 for bad usage, 130 when interrupted, and 143
when terminated. Results go to standard output or the named file; diagnostics and progress to
standard error. If a stream is not UTF-8, missing characters are written in ASCII, for example as
``>=``, or else as an escape such as ``\u221e``.
"""

import codecs
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from exactdice import NAMES_OF_GAMES
from exactdice.cli.presenting import answered_at_once
from exactdice.errors import ExactDiceError, exit_status, in_one_line, shortened, told
from exactdice.linked import linked
from exactdice.memory import limit_met
from exactdice.rooms import ROOMS
from exactdice.run import by_command

if TYPE_CHECKING:
    import click

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


_OPTION = re.compile("--[a-z]|-[fhoq]$")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = words[:1] if words[:1] in (["-q"], ["--quiet"]) else []
    words = words[len(first) :]
    is_command = bool(words) and words[0] in (*ROOMS, *JOBS, "sweep")
    if is_command and words[0] in NAMES_OF_GAMES and len(words) > 1:
        is_command = not words[1][:1].isdigit()  # `farkle 115346` is a text: no command is a number
    if words and not words[0].startswith("-") and not is_command:
        options = next((i for i, w in enumerate(words) if _OPTION.match(w)), len(words))
        text = " ".join(words[:options])
        is_file = os.path.isfile(text)  # noqa: PTH113 - pathlib loads slowly
        file = "book" if text.lower().endswith(".py") else "anydice" * is_file
        if asked := [file, text] if file else linked("exactdice.typed:words_of")(text):
            asked += ["--stored"] * (asked[0] == "book" and not file)
            words = [*asked, *words[options:]]
    return _ended(lambda: _answered([*first, *words]))


def _answered(words: list[str]) -> Any:
    if _COMPLETION not in os.environ and answered_at_once(words):
        return 0
    return _invoke(linked("exactdice.cli.commands:root")(), words)


def run(command: "click.Command", words: Sequence[str]) -> int:
    """Run a command with its words and return the exit status; an error is one line."""
    return _ended(lambda: _invoke(command, list(words)))


def _ended(work: Callable[[], Any]) -> int:
    make_streams_lenient()
    if sys.stdout is None:
        return _complain("output: standard output is closed; name a file with --output", 2)
    try:
        status: Any = work()
        sys.stdout.flush()
    except ExactDiceError as problem:
        return _complain(str(told(problem)), problem.exit_status)
    except (KeyboardInterrupt, RuntimeError) as problem:
        # Python 3.11 wraps an interrupt that arrives while it makes a class.
        ending = problem.__cause__ if type(problem) is RuntimeError else problem
        if isinstance(ending, KeyboardInterrupt):
            if limit := limit_met():
                return _complain(str(limit), limit.exit_status)
            return _complain("interrupted", exit_status(ending))
        return _complain_or_raise(problem)
    except BrokenPipeError:  # the reader has ended, for example in `exactdice … | head`
        _drop_output()
        return 0
    except OSError as problem:  # of standard output: files have errors of their own
        _drop_output()
        return _complain(f"output: {problem.strerror}", 2)
    except (ImportError, MemoryError, OverflowError, ValueError) as problem:
        return _complain_or_raise(problem)
    return status if isinstance(status, int) else 0


def _invoke(root: "click.Command", words: list[str]) -> Any:
    import click  # an answer at once needs no parser

    if _COMPLETION in os.environ:
        return root.main(words, prog_name=root.name, standalone_mode=False)
    try:
        with root.make_context(root.name, words) as made:
            return root.invoke(made)
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except click.Abort as ending:
        return _complain("interrupted", exit_status(ending))
    except click.exceptions.NoArgsIsHelpError as problem:
        print(problem.format_message(), file=sys.stderr)
        return 2
    except click.ClickException as problem:
        line, context = shortened(problem.format_message(), 400), getattr(problem, "ctx", None)
        if context and "?" not in line and "--help" not in line:
            line = f"{line.rstrip('.')}. See {context.command_path} --help."
        return _complain(line, problem.exit_code)


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
