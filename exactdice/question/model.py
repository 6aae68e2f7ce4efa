r"""What a question is.

A question is a frozen value of one class a command; its fields are what the command takes. It
prints as its canonical command, in which fields come in a fixed order and defaults are left out,
and `exactdice.rooms` reads it from there; it is hashable, pickles, goes to JSON and back, and
answers with a report:

    "risk win 4 2"  ⇄  risk.Win(4, 2)  ──answer()──►  Report

Reading and checking happen when it is made, whoever makes it: each field is read by its domain,
and `check` holds the fields against each other. So a question that exists can be asked, and the
same mistake costs the same line on the command line, in Python and in JSON.

A field whose default is drawn, such as a random seed, belongs to the question as soon as it is
made. `is_deterministic` says whether a question gives the same report each time; a game that a
person plays does not.
"""

import dataclasses
import inspect
import shlex
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Self

from exactdice.errors import InputError
from exactdice.memory import kept_within
from exactdice.question.parameters import Parameter, parameters_of
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run


class Question:
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

    def check(self) -> None:
        """Hold the fields against each other.

        Raises
        ------
        InputError
            If they do not go together.
        """

    def report(self, run: Run) -> Report:
        """Answer, without saying which question was answered; `answer` says so."""
        raise NotImplementedError

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
        with kept_within(run.memory):
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
        return any(p.domain.is_file and getattr(self, p.field) for p in self.parameters())

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
        fields = {key: value for key, value in document.items() if key != "question"}
        known = [parameter.field for parameter in cls.parameters()]
        for key in fields:
            if key not in known:
                raise InputError("field", key, f"one of {', '.join(known) or 'none'}")
        for parameter in cls.parameters():
            if parameter.is_required and parameter.field not in fields:
                raise InputError(parameter.name, None, parameter.help.rstrip("."))
        return cls(**fields)


def _for_json(parameter: Parameter, value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if type(value) is int and abs(value) < 2**53:
        return value
    return parameter.domain.write(value)
