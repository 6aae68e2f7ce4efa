"""The root command, and the one place where an error becomes a line and an exit status.

Exit status: 0 for success, 1 for a check that failed, 2 for bad usage, 130 when interrupted.
Results go to standard output or the named file; diagnostics and progress to standard error.
"""

import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from exactdice import __version__
from exactdice.cli import risk, swe, tables
from exactdice.errors import ExactDiceError
from exactdice.tables.provenance import commit

__all__ = ["app", "main"]

app = typer.Typer(
    name="exactdice",
    help="Exact values, optimal play and certificates for dice games.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(risk.app, name="risk")
app.add_typer(swe.app, name="swe")
app.command(name="tables")(tables.write_tables)

_INTERRUPTED = 130
_NEGATIVE_NUMBER = re.compile(r"-[0-9]")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"exactdice {__version__} (commit {commit()})")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Exact values, optimal play and certificates for dice games."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    arguments
        The words after the program's name; those of the process where None.

    Examples
    --------
    >>> main(["risk", "win", "4", "2", "--format", "csv"])  # doctest: +ELLIPSIS
    # Risk: ...
    value,6610505/10077696,0.6559539998
    0
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # In this mode typer returns the status of typer.Exit and lets errors through.
        status = app(words, obj=words, prog_name="exactdice", standalone_mode=False)
        sys.stdout.flush()
    except ExactDiceError as problem:
        return _complain(str(problem), problem.exit_status)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone, as in `exactdice … | head`: nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as problem:
        # Usage errors have no public base class that every supported typer exports.
        describe = getattr(problem, "format_message", None)
        if describe is None:
            raise
        message = _usage_message(problem, describe(), words)
        return _complain(message, getattr(problem, "exit_code", 2))
    if status == _INTERRUPTED:  # typer turned the interrupt into this status
        return _complain("interrupted", _INTERRUPTED)
    return status if isinstance(status, int) else 0


def _usage_message(problem: Exception, message: str, words: Sequence[str]) -> str:
    option = str(getattr(problem, "option_name", ""))
    if _NEGATIVE_NUMBER.match(option):
        given = next((word for word in words if word.startswith(option)), option)
        return f"got {given}; a number in this place cannot be negative"
    return message


def _complain(message: str, status: int) -> int:
    print(f"exactdice: {message}", file=sys.stderr)
    return status
