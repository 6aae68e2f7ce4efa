"""How a question is read from the words of a command line.

The grammar is click's: the fields of a question class give a command, with a usage line, a help
text and completion. Three habits of option parsers do not suit numbers and dice, and differ here:

* a word such as ``-5`` looks like an option; here it is an argument unless such an option exists,
  and the error names the field that reads it;
* an argument of several words, such as ``4d6 keep highest 3``, needs no quotation marks; it may
  begin with a minus sign, for example ``-d6``;
* a repeated option is an error; otherwise the last one would silently win.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import Any

import click
from click.shell_completion import CompletionItem

from exactdice.errors import ConflictError, InputError
from exactdice.question.model import Parameter, Question

_NEGATIVE_NUMBER = re.compile(r"-[0-9.]")
_NO_OPTION = re.compile(r"-[0-9.({[d]|-(adv|dis|max|min|abs)\b|-$")


class _Text(click.ParamType):  # type: ignore[type-arg] # click 8.1 is not generic
    """The unread text of a field; a shell completes it by the words of the domain."""

    def __init__(self, parameter: Parameter) -> None:
        self.name = parameter.metavar
        self._words = parameter.domain.words
        self._kind = "file" if parameter.domain.is_file else "plain"

    def shell_complete(
        self, _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        if self._kind == "file":
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(word) for word in self._words if word.startswith(incomplete)]


class Command(click.Command):
    """A command that reads negative numbers as arguments and rejects repeated options."""

    takes_words = False  # whether an argument has several words

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with self._named_as_typed():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with self._named_as_typed():
            return super().invoke(ctx)

    @contextmanager
    def _named_as_typed(self) -> Iterator[None]:
        try:
            yield
        except InputError as problem:
            options = {option.lstrip("-"): option for p in self.params for option in p.opts}
            name = problem.argument.replace("_", "-")
            raise problem.as_typed(options.get(name, problem.argument)) from problem.__cause__

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self.takes_words:  # to click, a word that begins with a blank is not an option
            args = [f" {word}" if _NO_OPTION.match(word) else word for word in args]
        try:
            parameters = self._given(ctx, args)
        except click.NoSuchOption as problem:
            if not _NEGATIVE_NUMBER.match(problem.option_name):
                raise
            ctx.ignore_unknown_options = True
            parameters = self._given(ctx, args)
        for parameter in parameters:
            repeats = getattr(parameter, "is_flag", False) or getattr(parameter, "multiple", False)
            if not repeats and parameters.count(parameter) > 1:
                option = max(parameter.opts, key=len).lstrip("-")
                count = parameters.count(parameter)
                raise ConflictError(option, f"is given {count} times; use it once")
        return super().parse_args(ctx, args)

    def _given(self, ctx: click.Context, args: list[str]) -> list[Any]:
        return list(self.make_parser(ctx).parse_args(list(args))[2])


def click_parameter(parameter: Parameter) -> click.Parameter:
    """Make click's parameter of a field; it yields text, or None if not given."""
    kind, names = _Text(parameter), [f"--{parameter.name}", parameter.field]
    if parameter.is_argument:
        return click.Argument(
            [parameter.field],
            type=kind,
            metavar=parameter.usage,
            nargs=-1 if parameter.is_many or parameter.domain.takes_words else 1,
            required=parameter.is_required,
        )
    if parameter.is_flag:
        return click.Option(names, is_flag=True, help=parameter.help)
    notes = [parameter.domain.describe()]
    if parameter.default not in (None, ()) and not parameter.is_drawn:
        several = parameter.default if parameter.is_many else (parameter.default,)
        notes.append(f"default: {' '.join(map(parameter.domain.write, several))}")
    return click.Option(
        names,
        type=kind,
        metavar=parameter.metavar,
        multiple=parameter.is_many,
        required=parameter.is_required,
        help=_with_notes(parameter.help, notes),
    )


def _with_notes(help_line: str, notes: Sequence[str]) -> str:
    noted = "; ".join(filter(None, notes))
    return f"{help_line}  [{noted}]" if noted else help_line


def command_of(
    asked: type[Question],
    answer: Callable[..., Any] | None = None,
    more: Sequence[click.Parameter] = (),
) -> Command:
    parameters = asked.parameters()
    arguments = [p for p in parameters if p.is_argument]
    width = max((len(p.metavar) for p in arguments), default=0)
    notes = [_with_notes(p.help, [p.domain.describe()]) for p in arguments]
    lines = (f"  {p.metavar:{width}}  {note}" for p, note in zip(arguments, notes, strict=True))
    listed = "\n".join(fill(line, 78, subsequent_indent=" " * (width + 4)) for line in lines)
    paragraphs = [asked.summary()]
    if listed:
        paragraphs.append(f"\b\n{listed}")
    if asked.takes:
        paragraphs.append(f"Takes {asked.takes}.")
    if asked.example:
        paragraphs.append(f"\b\nExample:\n  exactdice {asked.example}")
    made = Command(
        name=asked.command.split()[-1],
        params=[*map(click_parameter, parameters), *more],
        help="\n\n".join(paragraphs),
        short_help=asked.summary(),
        callback=answer,
    )
    made.takes_words = any(p.domain.takes_words for p in arguments)
    return made


def given_fields(asked: type[Question], values: Mapping[str, Any]) -> dict[str, Any]:
    fields = {}
    for parameter in asked.parameters():
        value = values[parameter.field]
        refuse_empty(parameter.name, value, is_required=parameter.is_required)
        if value is None or value == () or value is False:
            continue
        if parameter.domain.takes_words and not parameter.is_many:
            value = parameter.domain.joined(value)
        fields[parameter.field] = value
    return fields


def refuse_empty(name: str, value: Any, *, is_required: bool = False) -> None:
    """Reject an empty value, for example of an unset variable in a script."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise ConflictError(name, f"is empty; write a value{', or omit it' * (not is_required)}")


def read_fields(asked: type[Question], words: Sequence[str]) -> dict[str, Any]:
    """Read the fields from the words after a command, as texts that no domain has read yet."""
    command = command_of(asked)
    command.add_help_option = False
    try:
        with click.Context(command, info_name=asked.command) as context:
            command.parse_args(context, list(words))
            values = context.params
    except click.UsageError as problem:
        message = problem.format_message().rstrip(".")
        message = f"{message[:1].lower()}{message[1:]}"
        raise ConflictError(f"{asked.command}:", message) from problem
    return given_fields(asked, values)
