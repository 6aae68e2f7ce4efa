"""Errors for users: one line that names the argument, the problem and the remedy.

Every mistake of a caller raises a subclass of `ExactDiceError`. The command line prints its text
and exits with `exit_status`; users never see a traceback.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

__all__ = ["CheckFailedError", "ConflictError", "ExactDiceError", "InputError", "MissingExtraError"]
__all__ += ["OperatorError", "OutdatedError", "OutputError", "TimeLimitError", "TooLargeError"]
__all__ += ["UnsupportedSystemError", "told"]

Item = TypeVar("Item")

#: Characters that move the cursor, break a line or cannot be encoded.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

#: Messages of Python and the system if memory is missing for a library or a thread.
_REFUSED = ("failed to map segment", "can't start new thread")
_TOO_LARGE = "these numbers are too large for this command; use smaller ones"


class ExactDiceError(Exception):
    """Base of all errors for users."""

    exit_status = 2


class CheckFailedError(ExactDiceError):
    """A requested check failed; its report has been shown."""

    exit_status = 1


class InputError(ExactDiceError, ValueError):
    """An argument is outside its domain.

    `argument` is its name as the caller wrote it; `got`, the invalid value, shown by `repr` and
    shortened if long; `wanted`, a valid value as a noun phrase.

    >>> print(InputError("sides", 0, "a whole number of at least 1"))
    sides: got 0; expected a whole number of at least 1
    """

    def __init__(self, argument: str, got: object, wanted: str) -> None:
        shown = shortened(got if isinstance(got, Unquoted) else _written(got))
        super().__init__(in_one_line(f"{argument}: got {shown}; expected {wanted}"))
        self.argument, self.got, self.wanted = argument, Unquoted(shown), wanted

    def at(self, place: str) -> "InputError":
        """Return the same error with the place of the argument.

        >>> print(InputError("sides", 0, "a whole number of at least 1").at("dice.txt, line 3"))
        dice.txt, line 3: sides: got 0; expected a whole number of at least 1
        """
        return InputError(f"{place}: {self.argument}", self.got, self.wanted)

    def as_typed(self, argument: str) -> "InputError":
        """Change this error to name the argument as the user typed it, and return it.

        >>> print(InputError("sides", 0, "at least 1").as_typed("--sides"))
        --sides: got 0; expected at least 1
        """
        self.args = (argument + str(self.args[0])[len(self.argument) :],)
        self.argument = argument
        return self


class ConflictError(InputError):
    """An argument is valid, but cannot be combined with the other arguments.

    `problem` is the reason and what to do, as the rest of a sentence that begins with `argument`.

    >>> print(ConflictError("draws", "does not apply to .efg files"))
    draws does not apply to .efg files
    """

    def __init__(self, argument: str, problem: str) -> None:
        ValueError.__init__(self, in_one_line(f"{argument} {problem}"))
        self.argument, self.got, self.wanted = argument, Unquoted(""), problem

    def at(self, place: str) -> "ConflictError":
        return ConflictError(f"{place}: {self.argument}", self.wanted)


def in_one_line(words: str) -> str:
    r"""Write line breaks as spaces, and other control characters as escapes."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", words.replace("\n", " "))


def shortened(words: str, most: int = 60) -> str:
    r"""Write words as one line of at most `most` characters, without the middle if longer."""
    line = in_one_line(words[:most] + words[-most:] if len(words) > 2 * most else words)
    end = (most - 3) // 2
    return line if len(line) <= most else f"{line[: most - 3 - end]}...{line[-end:]}"


def _written(got: object) -> str:
    try:
        return str(got) if type(got).__name__ in ("mpq", "mpz", "Fraction") else repr(got)
    except ValueError:  # Python does not write integers of several thousand digits
        return f"a {type(got).__name__} that is too long to write"


class OperatorError(InputError, TypeError):
    """An operator is not defined for these operands."""


class Unquoted(str):
    """Words that describe an invalid value, shown in an `InputError` without quotation marks."""

    __slots__ = ()


class TooLargeError(ExactDiceError, ValueError):
    """The answer needs more memory than the limit; the text contains the estimate."""


class TimeLimitError(ExactDiceError):
    """A computation reached its time limit; the text says how to raise it."""


class OutputError(ExactDiceError, OSError):
    """A file or folder cannot be read or written, or has content that would be lost."""


class MissingExtraError(ExactDiceError, ImportError):
    """An optional library is missing; the text says how to install it."""

    @classmethod
    def of(cls, what: str, library: str, extra: str) -> "MissingExtraError":
        """Name the feature that needs a library, and the extra that installs it.

        >>> print(MissingExtraError.of("figures", "matplotlib", "plots"))
        figures: matplotlib is missing; install it: pip install 'exactdice[plots]'
        """
        return cls(f"{what}: {library} is missing; install it: pip install 'exactdice[{extra}]'")


class UnsupportedSystemError(ExactDiceError, ImportError):
    """The operating system lacks a feature; the text names systems that have it."""


class OutdatedError(ExactDiceError, ImportError):
    """The compiled module was built from other sources; the text says how to rebuild it."""


def one_named(among: Mapping[str, Item], name: object, argument: str, listed_by: str = "") -> Item:
    """Return the item with this name; raise InputError with the valid names as in `choices`."""
    for known, item in among.items():
        if known == name:
            return item
    raise InputError(argument, name, choices(tuple(among), name, listed_by))


def choices(names: Sequence[str], wrong: object, listed_by: str = "") -> str:
    """Write the valid names; of more than 8, those close to a wrong one and how to list them."""
    if len(names) <= 8:
        if len(names) < 2:
            return f"{(*names, 'nothing')[0]}, the only choice"
        return f"one of {', '.join(names)}"
    from difflib import get_close_matches  # only for errors

    near = get_close_matches(str(wrong), names)
    hint = f" (did you mean {' or '.join(near)}?)" if near else ""
    if listed_by:
        return f'one of {len(names)} names{hint}; list them with "{listed_by}"'
    some = f" (for example {', '.join(names[:5])})"
    return f"one of {len(names)} names{hint or some}"


def exit_status(ending: BaseException) -> int:
    """Exit status after an interrupt: of the signal that it carries, or of Ctrl-C."""
    return next((status for status in ending.args if isinstance(status, int)), 130)


def _is_of_loading(problem: BaseException) -> bool:
    """Whether memory ran out while a module was loaded, not while a question was answered."""
    is_limited = "(ulimit -v)" in str(problem)
    step = problem.__traceback__ if is_limited or isinstance(problem, MemoryError) else None
    while step:
        code, step = step.tb_frame.f_code, step.tb_next
        if "importlib" in code.co_filename or (is_limited and code.co_name == "<module>"):
            return True
    return False


def told(problem: BaseException) -> str | None:
    """Return the line about an error for users; None if it is a defect of this package.

    >>> told(TooLargeError("the table needs about 5 TiB"))
    'the table needs about 5 TiB'
    >>> told(OverflowError("cannot fit 'int' into an index-sized integer"))
    'these numbers are too large for this command; use smaller ones'
    >>> told(ModuleNotFoundError(name="numpy.linalg"))
    'numpy is missing; install all requirements: pip install exactdice'
    >>> told(RuntimeError("can't start new thread"))
    'too little memory for this process (ulimit -v); raise the limit'
    >>> told(KeyError("value")) is None
    True
    """
    if isinstance(problem, ExactDiceError) and not _is_of_loading(problem):
        return str(problem)
    if isinstance(problem, ModuleNotFoundError):
        library = str(problem.name).partition(".")[0]
        needs = f"{library} is missing; install all requirements: pip install exactdice"
        return None if library == "exactdice" else needs
    if any(words in str(problem) for words in _REFUSED) or _is_of_loading(problem):
        return "too little memory for this process (ulimit -v); raise the limit"
    if isinstance(problem, MemoryError | OverflowError):
        return _TOO_LARGE
    is_long = isinstance(problem, ValueError) and "integer string conversion" in str(problem)
    return _TOO_LARGE if is_long else None
