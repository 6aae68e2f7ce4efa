"""What every command shares: its output options, and how its report reaches the reader.

A command is a function from its own arguments to a `Report`. `command` adds ``--format``,
``--output`` and ``--digits`` to it, puts the command into the provenance, and writes the result.
Arguments arrive as text and are read by `exactdice.arithmetic`, so that the same one-line errors
serve Python and the command line.
"""

import functools
import inspect
import secrets
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from exactdice.arithmetic import natural
from exactdice.cli.legacy_parsing import Command, Group
from exactdice.errors import CheckFailedError, InputError, OutputError
from exactdice.report.model import Report
from exactdice.report.writers import Format, render
from exactdice.storage import check_writable, write_whole

__all__ = ["OptionGroup", "Seed", "SeedOption", "command", "group", "one_of", "reporting"]

_FORMATS = [f.value for f in Format]
_SUFFIXES = {f.suffix: f for f in Format}


def group() -> typer.Typer:
    """Make an empty command group; `exactdice.cli.app.GROUPS` names and describes it."""
    return typer.Typer(cls=Group, no_args_is_help=True, rich_markup_mode=None)


def one_of(given: str, choices: Sequence[str], name: str) -> str:
    """Read one of a fixed set of words.

    Examples
    --------
    >>> one_of("totl", ["total", "fighting"], "units")
    Traceback (most recent call last):
    exactdice.errors.InputError: units: got 'totl'; give one of total, fighting
    """
    if given not in choices:
        raise InputError(name, given, f"one of {', '.join(choices)}")
    return given


@dataclass(frozen=True)
class OptionGroup:
    """Options that several commands share and that together mean one thing.

    A command takes such a value as a parameter annotated ``Annotated[Value, OptionGroup(read)]``;
    the parameters of `read` become options of the command, and what `read` makes of them is the
    argument.
    """

    read: Callable[..., Any]


@dataclass(frozen=True)
class Seed:
    """Where the luck of a game that is played comes from.

    A seed that was drawn becomes part of the command in the provenance, so that the command gives
    the same game.
    """

    number: int
    drawn: bool = False


def _read_seed(
    seed: Annotated[
        str, typer.Option(metavar="N", help="Random seed; a different game each time without.")
    ] = "",
) -> Seed:
    return Seed(natural(seed, "seed")) if seed else Seed(secrets.randbits(32), drawn=True)


SeedOption = Annotated[Seed, OptionGroup(_read_seed)]


@dataclass(frozen=True)
class _Output:
    """Where the report goes and what it looks like there."""

    path: Path | None
    output_format: Format
    digits: int

    def write(self, report: Report) -> None:
        text = render(report, self.output_format, self.digits)
        if self.path:
            write_whole(self.path, text)
        else:
            sys.stdout.write(text)


def _read_output(
    output_format: Annotated[
        str, typer.Option("--format", "-f", metavar="|".join(Format), help="Output format.")
    ] = "",
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Write FILE, whole or not at all."),
    ] = "",
    digits: Annotated[
        str, typer.Option("--digits", metavar="N", help="Significant digits of decimals.")
    ] = "10",
) -> _Output:
    path = Path(output) if output else None
    chosen = _chosen_format(output_format, path)
    precision = natural(digits, "digits", least=1, most=100_000)
    if path:
        check_writable(path)
    return _Output(path, chosen, precision)


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., Report]], Callable[..., None]]:
    """Register a function that returns a report as a command with the shared output options."""

    def register(function: Callable[..., Report]) -> Callable[..., None]:
        return app.command(name=name, cls=Command)(reporting(function))

    return register


def reporting(function: Callable[..., Report]) -> Callable[..., None]:
    """Make a command with the shared output options of a function that returns a report."""
    groups = {"shared_output": OptionGroup(_read_output)}
    own: list[inspect.Parameter] = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        found = [m for m in get_args(parameter.annotation) if isinstance(m, OptionGroup)]
        if found:
            groups[parameter.name] = found[0]
        else:
            own.append(parameter)
    shared = {key: _parameters(option_group) for key, option_group in groups.items()}

    @functools.wraps(function)
    def run(context: typer.Context, **arguments: Any) -> None:
        _refuse_empty(context, arguments)
        output_file = arguments.get("output")
        if output_file:
            others = {key: given for key, given in arguments.items() if key != "output"}
            _refuse_shared(Path(output_file), others)
        values = {
            key: groups[key].read(**{p.name: arguments.pop(p.name) for p in parameters})
            for key, parameters in shared.items()
        }
        output: _Output = values.pop("shared_output")
        report = function(**arguments, **values)
        drawn = [v.number for v in values.values() if isinstance(v, Seed) and v.drawn]
        reproducing = _reproducing(context.find_root().obj, drawn)
        provenance = replace(report.provenance, command=reproducing)
        output.write(replace(report, provenance=provenance))
        if report.failure:
            raise CheckFailedError(report.failure)

    # The output options are read first, so that a bad one costs no time, and listed last.
    listed = [*own, *(p for key in [*groups][1:] for p in shared[key])]
    _take_parameters(run, [*listed, *shared["shared_output"]])
    return run


def _refuse_empty(context: typer.Context, arguments: Mapping[str, Any]) -> None:
    """Refuse options that were given without a value, as by a script with an unset variable."""
    for name, value in arguments.items():
        source = context.get_parameter_source(name)
        if value == "" and source is not None and source.name == "COMMANDLINE":
            raise InputError(name, value, "a value, or leave the option out")


def _refuse_shared(path: Path, arguments: Mapping[str, Any]) -> None:
    """Refuse to write the report over a file that an option names."""
    for name, value in arguments.items():
        if isinstance(value, str) and value and Path(value).resolve() == path.resolve():
            raise OutputError(f"output: {path} is also given for {name}; name another file")


def _parameters(option_group: OptionGroup) -> list[inspect.Parameter]:
    return list(inspect.signature(option_group.read, eval_str=True).parameters.values())


def _take_parameters(run: Callable[..., None], parameters: Iterable[inspect.Parameter]) -> None:
    """Make typer see these parameters in place of ``**arguments``."""
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    named = [context, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters)]
    run.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in named}


def _chosen_format(given: str, path: Path | None) -> Format:
    """Format named by the option, else by the file's suffix, else text."""
    if given:
        return Format(one_of(given, _FORMATS, "format"))
    return _SUFFIXES.get(path.suffix, Format.TEXT) if path else Format.TEXT


_OUTPUT_OPTIONS = ("--format", "-f", "--output", "-o", "--digits")
_JOINED_OPTIONS = ("--format=", "-f", "--output=", "-o", "--digits=")  # with the value behind


def _reproducing(words: Sequence[str], drawn: Sequence[int]) -> str:
    """The command that gives the same numbers: with seeds that were drawn, without output options.

    Examples
    --------
    >>> _reproducing(["swe", "play", "3", "--format", "json", "--", "-1"], [7])
    'exactdice swe play 3 --seed 7 -- -1'
    """
    kept = list(_without_output_options(words))
    end = kept.index("--") if "--" in kept else len(kept)
    seeds = [word for seed in drawn for word in ("--seed", str(seed))]
    return shlex.join(["exactdice", *kept[:end], *seeds, *kept[end:]])


def _without_output_options(words: Sequence[str]) -> Iterator[str]:
    remaining = iter(words)
    for word in remaining:
        if word in _OUTPUT_OPTIONS:
            next(remaining, None)
        elif not word.startswith(_JOINED_OPTIONS):
            yield word
