"""The root command, and the one place where an error becomes a line and an exit status.

Exit status: 0 for success, 1 for a check that failed, 2 for bad usage, 130 when interrupted.
Results go to standard output or the named file; diagnostics and progress to standard error.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Annotated, Any

import typer

from exactdice import __version__
from exactdice.cli.legacy_parsing import Command, Group
from exactdice.errors import ExactDiceError
from exactdice.origin import commit

__all__ = ["COMMANDS", "GROUPS", "main"]

#: The groups of commands: the name of a module of this folder that has an ``app``, and its one-line
#: description. Only the module that a command line asks for is imported, so that one game's command
#: does not wait for the libraries of all others.
GROUPS = {}

#: The commands that stand alone: likewise, of modules that have a function ``run``.
COMMANDS: dict[str, str] = {}

_COMPLETION = "_EXACTDICE_COMPLETE"  # the variable by which a shell asks for completions
_INTERRUPTED = 130
_TOO_LARGE = "the numbers that were given are too large for this command; give smaller ones"


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"exactdice {__version__} (commit {commit()})")
        raise typer.Exit


def _root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Exact values, optimal play and certificates for dice games."""


class _RootGroup(Group):
    """The root command, which lists groups and commands in the order above."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*GROUPS, *COMMANDS]


def _root_command(words: Sequence[str]) -> typer.Typer:
    """Build the command tree as far as a command line needs it."""
    root = typer.Typer(
        name="exactdice",
        cls=_RootGroup,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    root.callback()(_root)

    def module(name: str) -> ModuleType | None:
        wanted = words[:1] == [name] or _COMPLETION in os.environ
        if not wanted:
            return None
        return importlib.import_module(f"exactdice.cli.{name.replace('-', '_')}")

    for name, description in GROUPS.items():
        found = module(name)
        root.add_typer(found.app if found else typer.Typer(), name=name, help=description)
    for name, description in COMMANDS.items():
        found = module(name)
        run = found.run if found else _root
        root.command(name, cls=Command, help=description)(run)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    arguments
        The words after the program's name; those of the process where None.

    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # closed by whoever started the program
        return _complain("output: standard output is closed; name a file with --output", 2)
    try:
        # In this mode typer returns the status of typer.Exit and lets errors through.
        status = _root_command(words)(
            words, obj=words, prog_name="exactdice", standalone_mode=False
        )
        sys.stdout.flush()
    except ExactDiceError as problem:
        return _complain(str(problem), problem.exit_status)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone, as in `exactdice … | head`: nobody is left to tell.
        _drop_output()
        return 0
    except OSError as problem:  # of standard output: files have errors of their own
        _drop_output()
        return _complain(f"output: {problem.strerror}", 2)
    except (MemoryError, OverflowError):
        return _complain(_TOO_LARGE, 2)
    except ValueError as problem:  # Python writes no whole number of thousands of digits
        if "integer string conversion" not in str(problem):
            raise
        return _complain(_TOO_LARGE, 2)
    except Exception as problem:
        # Usage errors have no public base class that every supported typer exports.
        describe = getattr(problem, "format_message", None)
        if describe is None:
            raise
        message = describe()
        if message.startswith("Usage:"):  # a group without a command: its help is the answer
            print(message, file=sys.stderr)
            return 2
        return _complain(message, getattr(problem, "exit_code", 2))
    if status == _INTERRUPTED:  # typer turned the interrupt into this status
        return _complain("interrupted", _INTERRUPTED)
    return status if isinstance(status, int) else 0


def _drop_output() -> None:
    """Let what was not yet written to standard output go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int) -> int:
    print(f"exactdice: {message}", file=sys.stderr)
    return status
