"""How the words of a command line become the arguments of a command.

To option parsers a word such as ``-5`` looks like an option. Here it is an argument where no option
is written so, and the command that reads it names the argument and says what would be right.
"""

import re
from typing import Any

from typer.core import TyperCommand

__all__ = ["Command"]

_NEGATIVE_NUMBER = re.compile(r"-[0-9.]")


class Command(TyperCommand):
    """A command to which a negative number is an argument."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Set the command's arguments from its words."""
        try:
            self.make_parser(ctx).parse_args(list(args))
        except Exception as problem:  # no public class of it that every supported typer exports
            if not _NEGATIVE_NUMBER.match(str(getattr(problem, "option_name", ""))):
                raise
            ctx.ignore_unknown_options = True  # leaves words that look like options as they are
        return super().parse_args(ctx, args)
