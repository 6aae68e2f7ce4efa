"""What a question is, and what its fields are for everyone who asks it.

A question is a frozen value of one class a command; its fields are what the command takes. It
prints as its canonical command, in which fields come in a fixed order and defaults are left out,
and `exactdice.rooms` reads it from there; it is hashable, pickles, goes to JSON and back, and
answers with a report:

    "risk win 4 2"  ⇄  risk.RiskWin(4, 2)  ──answer()──►  Report

Reading and checking happen when it is made, whoever makes it: each field is read by its domain,
and `check` holds the fields against each other. So a question that exists can be asked, and the
same mistake costs the same line on the command line, in Python and in JSON.

A field is declared once, with its domain, default and one line of help; usage lines, completion,
forms, the text of the command and JSON are all made from the declaration. `argument` declares what
is given by its place, `option` what is given by its name, `drawn_seed` a random seed, which belongs
to the question as soon as it is made. `is_deterministic` says whether a question gives the same
report each time; a game that a person plays does not.
"""

import dataclasses
import inspect
import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

from exactdice.errors import InputError, Unquoted, one_named
from exactdice.question.domains import Domain, Flag, Whole
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run

_KEY = "parameter"
T = TypeVar("T")


@dataclass(frozen=True)
class Parameter:
    """One field of a question."""

    field: str  # name of the attribute, and key in JSON
    domain: Domain[Any]  # where its values come from
    help: str  # one line, for help texts and forms
    metavar: str  # how its value is called in a line of usage
    is_argument: bool  # whether it is given by its place; an option is given by its name
    # whether it holds a tuple of values of the domain, and may be given several times
    is_many: bool
    is_required: bool  # whether it has no default
    default: Any  # the default; a tuple where it holds many. Without meaning where `is_drawn`
    # whether a value that is not given is drawn at random, and then belongs to the question
    is_drawn: bool
    former: tuple[str, ...] = ()  # names of the field in earlier versions, which are still read

    @property
    def name(self) -> str:
        """What it is called on a command line and in errors."""
        return self.field.rstrip("_").replace("_", "-")

    @property
    def usage(self) -> str:
        """How an argument stands in a line of usage: what may be left out stands in brackets."""
        shown = self.metavar.removesuffix("…") + "…" if self.is_many else self.metavar
        return shown if self.is_required else f"[{shown}]"

    @property
    def is_flag(self) -> bool:
        """Whether it is an option without a value."""
        return isinstance(self.domain, Flag)

    def read(self, value: Any) -> Any:
        """Read the field's value; None stands for nothing where nothing is the default."""
        if value is None and self.default is None and not self.is_required:
            return None
        if not self.is_many:
            return self.domain.read(value, self.name)
        several = value if isinstance(value, tuple | list) else (value,)
        return tuple(self.domain.read(item, self.name) for item in several)

    def words(self, value: Any) -> list[str]:
        """Write the field as it stands in a command; nothing where it is the default."""
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
    metavar: str = "",
    many: bool = False,
    default: Any = dataclasses.MISSING,
) -> Any:
    """Declare a field that is given by its place.

    Parameters
    ----------
    domain
        Where its values come from.
    help
        One line that says what it means, with its unit.
    metavar
        How it is called in a line of usage; the domain's word by default.
    many
        Whether it takes all words that are left; then it is the last argument.
    default
        Its default; there must be one word at least without.
    """
    return _field(domain, help, metavar, default, argument=True, many=many)


def option(
    domain: Domain[Any],
    help: str,  # noqa: A002 - what it is
    *,
    default: Any = None,
    metavar: str = "",
    many: bool = False,
    former: tuple[str, ...] = (),
) -> Any:
    """Declare a field that is given by its name, after a `dataclasses.KW_ONLY` line.

    Parameters
    ----------
    domain, help, metavar
        As for `argument`.
    default
        Its default; False for a flag.
    many
        Whether it may be given several times; its default is then a tuple.
    former
        Names of the field in earlier versions, which are still read.
    """
    if isinstance(domain, Flag) and default is None:
        default = False
    if many and default is None:
        default = ()
    return _field(domain, help, metavar, default, argument=False, many=many, former=former)


def drawn_seed() -> Any:
    """Declare a random seed, drawn where none is given; it is always part of the command."""
    return _field(
        Whole(),
        "Random seed; drawn where none is given.",
        "S",
        dataclasses.MISSING,
        lambda: int.from_bytes(os.urandom(4), "big"),
        argument=False,
        many=False,
    )


def _field(
    domain: Domain[Any],
    help_line: str,
    metavar: str,
    default: Any,
    factory: Any = dataclasses.MISSING,
    *,
    argument: bool,
    many: bool,
    former: tuple[str, ...] = (),
) -> Any:
    is_drawn = factory is not dataclasses.MISSING
    is_required = default is dataclasses.MISSING and not is_drawn
    declared = Parameter(
        field="",
        domain=domain,
        help=help_line,
        metavar=metavar or domain.metavar,
        is_argument=argument,
        is_many=many,
        is_required=is_required,
        default=None if default is dataclasses.MISSING else default,
        is_drawn=is_drawn,
        former=former,
    )
    return dataclasses.field(default=default, default_factory=factory, metadata={_KEY: declared})


def parameters_of(fields: tuple[dataclasses.Field[Any], ...]) -> tuple[Parameter, ...]:
    """List the parameters of a question class: arguments in order, then options."""
    declared = [
        dataclasses.replace(field.metadata[_KEY], field=field.name)
        for field in fields
        if _KEY in field.metadata
    ]
    return tuple(sorted(declared, key=lambda parameter: not parameter.is_argument))


class Question(ABC):
    """Base of all questions; a subclass is a frozen dataclass with a `command`.

    A subclass says ``class Win(Question, command="risk win", example="risk win 4 2")``, declares
    its fields with `argument` and `option`, and defines `report`. The first line of its docstring
    is the help text of the command.

    Attributes
    ----------
    command
        The words that name it, such as ``risk win``.
    example
        A command of its kind, for help texts.
    takes
        How long it takes, and what makes it longer; for help texts.
    """

    command: ClassVar[str]
    example: ClassVar[str]
    takes: ClassVar[str]

    #: Whether `exactdice.run.Run.workers` may share its work.
    shares_work: ClassVar[bool]

    #: Whether it may write files that no field names.
    has_files: ClassVar[bool]

    #: Whether its report may have tables.
    has_tables: ClassVar[bool] = True

    def __init_subclass__(
        cls,
        command: str = "",
        example: str = "",
        takes: str = "",
        shares_work: bool = False,
        has_files: bool = False,
    ) -> None:
        """Set what a class says of its command."""
        cls.command, cls.example, cls.takes = command, example, takes
        cls.shares_work, cls.has_files = shares_work, has_files

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = getattr(self, parameter.field)
            object.__setattr__(self, parameter.field, parameter.read(value))
        self.check()

    def check(self) -> None:  # noqa: B027 - what most questions need not do
        """Hold the fields against each other; raises InputError if they do not go together."""

    @abstractmethod
    def report(self, run: Run) -> Report:
        """Answer, without saying which question was answered; `answer` says so."""

    def answer(self, run: Run = DEFAULT) -> Report:
        """Answer with a report that names this question as its command.

        Parameters
        ----------
        run
            Limits, progress and workers.

        Raises
        ------
        ExactDiceError
            If the answer needs more than the limits, or is seen to take more memory; or if a file
            that is named cannot be used.
        """
        with run.within_limits():
            report = self.report(run)
        provenance = dataclasses.replace(report.provenance, command=f"exactdice {self}")
        return dataclasses.replace(report, provenance=provenance)

    @property
    def is_deterministic(self) -> bool:
        """Whether it gives the same report each time: a person may choose otherwise the next."""
        return not self.is_interactive

    @property
    def is_interactive(self) -> bool:
        """Whether a person is asked while it is answered."""
        return False

    @property
    def uses_files(self) -> bool:
        """Whether a field names a file."""
        values = ((p.domain, getattr(self, p.field)) for p in self.parameters())
        return any(value and domain.names_file(value) for domain, value in values)

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """List its fields: arguments in their order, then options."""
        return parameters_of(dataclasses.fields(cls))  # type: ignore[arg-type]

    @classmethod
    def summary(cls) -> str:
        """Say in one line what it asks."""
        return (inspect.getdoc(cls) or "").partition("\n\n")[0].replace("\n", " ")

    def words(self) -> list[str]:
        """List the words of its canonical command, without the program's name."""
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

        Truth values stay what they are, and so do whole numbers of less than 2**53 in size, which
        all readers of JSON read alike; everything else is text.
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
        """Read it from what `to_json` wrote; fields that have defaults may be missing.

        Raises
        ------
        InputError
            If a field is missing, unknown, or outside its domain.
        """
        given = {key: value for key, value in document.items() if key != "question"}
        fields = current_fields(cls, given)
        known = {parameter.field: parameter for parameter in cls.parameters()}
        for key in fields:
            one_named(known, key, "field")
        for parameter in cls.parameters():
            if parameter.is_required and parameter.field not in fields:
                raise InputError(parameter.name, Unquoted("nothing"), parameter.help.rstrip("."))
        return cls(**fields)


def current_fields(asked: type[Question], fields: Mapping[str, T]) -> dict[str, T]:
    """Rename the fields that are given under a former name."""
    names = {former: p.field for p in asked.parameters() for former in p.former}
    return {names.get(name, name): value for name, value in fields.items()}


def _for_json(parameter: Parameter, value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if type(value) is int and abs(value) < 2**53:
        return value
    return parameter.domain.write(value)
