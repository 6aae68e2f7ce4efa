"""Parameters: what a field of a question is, for everyone who asks it.

A field is declared once, with its domain, default and one line of help; usage lines, completion,
forms, the text of the command and JSON are all made from the declaration. `argument` declares what
is given by its place, `option` what is given by its name, `drawn_seed` a random seed.
"""

import dataclasses
import secrets
from dataclasses import dataclass
from typing import Any

from exactdice.question.domains import Domain, Flag, Whole

_KEY = "parameter"


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

    @property
    def name(self) -> str:
        """What it is called on a command line and in errors."""
        return self.field.rstrip("_").replace("_", "-")

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
    """
    if isinstance(domain, Flag) and default is None:
        default = False
    if many and default is None:
        default = ()
    return _field(domain, help, metavar, default, argument=False, many=many)


def drawn_seed() -> Any:
    """Declare a random seed, drawn where none is given; it is always part of the command."""
    return _field(
        Whole(),
        "Random seed; drawn where none is given.",
        "S",
        dataclasses.MISSING,
        lambda: secrets.randbits(32),
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
