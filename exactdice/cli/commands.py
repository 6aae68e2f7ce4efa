"""The tree of commands: groups of questions and jobs, in click."""

import importlib
import sys
from collections.abc import Mapping, Sequence

import click

from exactdice import __version__
from exactdice.cli import JOBS
from exactdice.cli.presenting import answering, quiet_option
from exactdice.errors import InputError
from exactdice.origin import commit
from exactdice.rooms import ROOMS, classes, question_class
from exactdice.typed import near


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
        """Find a command by its name; an error suggests similar like."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as problem:
            from difflib import get_close_matches  # only for errors

            alike = 2 / 3  # similarity of words of three letters with one different
            like = get_close_matches(args[0], self.list_commands(ctx), 3, alike)
            like = like or self.inside(args)
            which = (
                f"Did you mean {' or '.join(like)}?" if like else f"See {ctx.command_path} --help."
            )
            raise click.UsageError(f"{problem.message} {which}", ctx) from None

    def inside(self, words: Sequence[str]) -> list[str]:
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

    def inside(self, words: Sequence[str]) -> list[str]:
        """Find questions and jobs whose first word was omitted; an error suggests texts."""
        asked = [question.command for room in ROOMS for question in classes(room)]
        found = [command for command in (*asked, *JOBS) if command.split()[1:] == [words[0]]]
        if not found and (alike := " or ".join(map(repr, near(text := " ".join(words))))):
            raise click.UsageError(f"No such command {text!r}. Did you mean {alike}?")
        return found

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in ROOMS and not ROOMS[cmd_name].is_command:
            return _Room(cmd_name, help=ROOMS[cmd_name].description, no_args_is_help=True)
        return _command(cmd_name)


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"exactdice {__version__} (commit {commit()})")
        context.exit()


def root() -> click.Group:
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
