"""How the words of a command line become the arguments of a command, and commands are listed.

Two habits of option parsers do not suit commands about numbers, and one class mends both:

* a word such as ``-5`` looks like an option. Here it is an argument where no option is written so,
  and the command that reads it names the argument and says what would be right;
* of an option that is given twice the last one wins without a word. Here that is refused, for
  nobody can tell which one was meant.

Another class lists commands with descriptions that are whole.
"""

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

from exactdice.errors import InputError, Unquoted

__all__ = ["Command", "Group"]

_WHOLE = 1000  # characters; a sentence has fewer
_NEGATIVE_NUMBER = re.compile(r"-[0-9.]")


class Command(TyperCommand):
    """A command to which a negative number is an argument, and an option given twice a mistake."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Set the command's arguments from its words."""
        try:
            given = self._given(ctx, args)
        except Exception as problem:  # no public class of it that every supported typer exports
            if not _NEGATIVE_NUMBER.match(str(getattr(problem, "option_name", ""))):
                raise
            ctx.ignore_unknown_options = True  # leaves words that look like options as they are
            given = self._given(ctx, args)
        for parameter in given:
            repeats = getattr(parameter, "is_flag", False) or getattr(parameter, "multiple", False)
            if not repeats and given.count(parameter) > 1:
                option = max(parameter.opts, key=len).lstrip("-")
                raise InputError(option, Unquoted(f"{given.count(parameter)} values"), "one")
        return super().parse_args(ctx, args)

    def _given(self, ctx: Any, args: list[str]) -> list[Any]:
        """List the parameters that the words set, one as often as it is set."""
        return list(self.make_parser(ctx).parse_args(list(args))[2])


class Group(TyperGroup):
    """A group whose help tells in whole sentences what its commands do."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names of the commands and the first sentence about each."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, run.get_short_help_str(_WHOLE)) for name, run in found if run]
            )
