"""Questions: frozen dataclasses, one class per command, whose fields are its arguments.

A question prints as its canonical command, in which fields come in a fixed order and defaults are
omitted; `exactdice.rooms` reads it back. It is hashable, pickles, goes to JSON and back, and
answers with a report:

    "risk win 4 2"  ⇄  risk.RiskWin(4, 2)  ──answer()──►  Report

Each field is read by its domain when the question is made, and `check` compares fields with each
other. So every existing question is valid, and a mistake gives the same line on the command line,
in Python and in JSON.

A field is declared once, with its domain, default and help line; usage lines, completion, forms,
the text of the command and JSON follow from that. `argument` declares a positional field, `option`
a named one, and `drawn_seed` a random seed, which is part of the question once it is made.
"""

import dataclasses
import inspect
import os
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform

from exactdice.errors import ConflictError, one_named
from exactdice.question.domains import Domain, Flag, Whole
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run

_KEY = "parameter"


@dataclass(frozen=True)
class Parameter:
    field: str  # name of the attribute, and key in JSON
    domain: Domain[Any]
    help: str
    metavar: str  # name of its value in a usage line; of an argument, its name in capitals
    is_argument: bool = False  # whether it is positional; otherwise it is an option
    is_many: bool = False  # whether it has a tuple of values, and may be given several times
    is_required: bool = False
    default: Any = None  # not used if `is_drawn`
    is_drawn: bool = False  # whether its default is drawn at random

    def __post_init__(self) -> None:
        if self.is_argument:
            object.__setattr__(self, "metavar", self.name.upper())

    @property
    def name(self) -> str:
        """Its name on a command line and in errors."""
        return self.field.rstrip("_").replace("_", "-")

    @property
    def usage(self) -> str:
        """An argument in a usage line; optional ones are in brackets."""
        shown = self.metavar + "…" * self.is_many
        return shown if self.is_required else f"[{shown}]"

    @property
    def is_flag(self) -> bool:
        return isinstance(self.domain, Flag)

    def read(self, value: Any) -> Any:
        """Read the field's value; None is valid if None is the default."""
        if value is None and self.default is None and not self.is_required:
            return None
        if not self.is_many:
            return self.domain.read(value, self.name)
        several = value if isinstance(value, tuple | list) else (value,)
        return tuple(self.domain.read(item, self.name) for item in several)

    def words(self, value: Any) -> list[str]:
        """Write the field's words of a command; none for the default."""
        if not (self.is_required or self.is_drawn) and value == self.default:
            return []
        if self.is_flag:
            return [f"--{self.name}"]
        values = [self.domain.write(item) for item in (value if self.is_many else (value,))]
        if self.is_argument:
            return values
        return [word for item in values for word in (f"--{self.name}", item)]


def argument(
    domain: Domain[Any],
    help: str,  # noqa: A002 - what it is
    *,
    many: bool = False,
    default: Any = dataclasses.MISSING,
) -> Any:
    """Declare a field that is given by its position, with a line of help that has its unit.

    With `many` it takes all remaining words, and is the last argument. Without a `default` it is
    required.
    """
    return _field(domain, help, "", default, is_argument=True, is_many=many)


def option(
    domain: Domain[Any],
    help: str,  # noqa: A002 - what it is
    *,
    default: Any = None,
    metavar: str = "",
    many: bool = False,
) -> Any:
    """Declare a field that is given by its name, after a `dataclasses.KW_ONLY` line.

    As `argument`; with `many` it may be given several times. `metavar` is the name of its value in
    the usage line, by default the domain's.
    """
    if isinstance(domain, Flag) and default is None:
        default = False
    if many and default is None:
        default = ()
    metavar = metavar or domain.metavar
    return _field(domain, help, metavar, default, is_many=many)


def drawn_seed() -> Any:
    """Declare a random seed; if none is given it is drawn, and then part of the command."""
    draw = lambda: int.from_bytes(os.urandom(4), "big")  # noqa: E731
    seed = Parameter("", Whole(), "Random seed. Default: drawn at random.", "S", is_drawn=True)
    return dataclasses.field(default_factory=draw, metadata={_KEY: seed})


def _field(domain: Domain[Any], help_: str, metavar: str, default: Any, **more: Any) -> Any:
    needed = default is dataclasses.MISSING
    known = None if needed else default
    declared = Parameter("", domain, help_, metavar, is_required=needed, default=known, **more)
    return dataclasses.field(default=default, metadata={_KEY: declared})


def parameters_of(fields: tuple[dataclasses.Field[Any], ...]) -> tuple[Parameter, ...]:
    declared = [replace(f.metadata[_KEY], field=f.name) for f in fields if _KEY in f.metadata]
    return tuple(sorted(declared, key=lambda parameter: not parameter.is_argument))


@dataclass_transform(frozen_default=True)
class Question(ABC):
    """Base of all questions; each subclass becomes a frozen dataclass.

    A subclass says ``class RiskWin(Question, example="4 2")``, declares its fields with `argument`
    and `option`, and defines `report`. Its name gives the command, here ``risk win``, unless
    `command` does. The first line of its docstring is the help text of the command. `example` has
    the words after the command of an example, and `takes` is the running time, both for help texts.
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

    command: ClassVar[str]
    example: ClassVar[str]
    takes: ClassVar[str]

    #: Whether it uses `exactdice.run.Run.workers`.
    shares_work: ClassVar[bool]

    #: Whether it may write files that are not named by a field.
    has_files: ClassVar[bool]

    #: Whether its report may have tables.
    has_tables: ClassVar[bool] = True

    def __init_subclass__(
        cls,
        command: str = "",
        example: str = "",
        takes: str = "a moment",
        shares_work: bool = False,
        has_files: bool = False,
    ) -> None:
        dataclass(frozen=True)(cls)
        if "report" in vars(cls) and not command:
            room, *verb = re.findall("[A-Z][a-z]*", cls.__name__)
            command = f"{room} {'-'.join(verb)}".strip().lower()
        words = example if example.startswith(command) else f"{command} {example}"
        cls.command, cls.example, cls.takes = command, words.strip(), takes
        cls.shares_work, cls.has_files = shares_work, has_files

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = getattr(self, parameter.field)
            object.__setattr__(self, parameter.field, parameter.read(value))
        self.check()

    def check(self) -> None:  # noqa: B027 - most questions need no check
        """Compare fields with each other; raises InputError if they do not fit together."""

    @abstractmethod
    def report(self, run: Run) -> Report:
        """Compute the report; `answer` adds the command."""

    def answer(self, run: Run = DEFAULT) -> Report:
        """Answer with a report that names this question as its command.

        Raises TooLargeError or TimeLimitError above the limits of `run`, and OutputError if a file
        cannot be used.
        """
        with run.within_limits():
            report = self.report(run)
        provenance = replace(report.provenance, command=f"exactdice {self}")
        return replace(report, provenance=provenance)

    def on_terminal(self, report: Report, run: Run) -> Report:
        """Add words and further numbers to an answer for a terminal."""
        return report

    @property
    def is_deterministic(self) -> bool:
        """Whether it gives the same report each time; a question that a person plays does not."""
        return not self.is_interactive

    @property
    def is_interactive(self) -> bool:
        """Whether a person plays; by default if there is a field `auto` that is not set."""
        return not getattr(self, "auto", True)

    @property
    def uses_files(self) -> bool:
        values = ((p.domain, getattr(self, p.field)) for p in self.parameters())
        return any(value and domain.names_file(value) for domain, value in values)

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """List its fields: arguments in their order, then options."""
        return parameters_of(dataclasses.fields(cls))

    @classmethod
    def summary(cls) -> str:
        return (inspect.getdoc(cls) or "").partition("\n\n")[0].replace("\n", " ")

    def words(self) -> list[str]:
        """List the words of its canonical command."""
        arguments: list[str] = []
        named: list[str] = []
        for parameter in self.parameters():
            place = arguments if parameter.is_argument else named
            place += parameter.words(getattr(self, parameter.field))
        verb = self.command.split()
        if any(word.startswith("-") for word in arguments):
            return [*verb, *named, "--", *arguments]
        return [*verb, *arguments, *named]

    def __str__(self) -> str:
        return shlex.join(self.words())

    def to_json(self) -> dict[str, Any]:
        """Write it for JSON: the command under ``question``, and every field under its name.

        Booleans stay as they are, and so do integers below 2**53 in size, which all readers of JSON
        read exactly. Everything else is text.
        """
        document: dict[str, Any] = {"question": self.command}
        for parameter in self.parameters():
            value = getattr(self, parameter.field)
            if parameter.is_many:
                document[parameter.field] = [_for_json(parameter, item) for item in value]
            else:
                document[parameter.field] = _for_json(parameter, value)
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; fields with defaults may be missing.

        Raises InputError if a field is missing, unknown or invalid.
        """
        given = {key: value for key, value in document.items() if key != "question"}
        known = {parameter.field: parameter for parameter in cls.parameters()}
        for key in given:
            one_named(known, key, "field", f"exactdice {cls.command} --help")
        for parameter in cls.parameters():
            if parameter.is_required and parameter.field not in given:
                words = parameter.help.rstrip(".")
                raise ConflictError(parameter.name, f"is missing ({words})")
        return cls(**given)


def _for_json(parameter: Parameter, value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if type(value) is int and abs(value) < 2**53:
        return value
    return parameter.domain.write(value)
