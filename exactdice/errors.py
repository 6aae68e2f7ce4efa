"""Errors that a person can act on.

Everything that a caller can get wrong raises a subclass of `ExactDiceError` whose text is one
line: which argument is wrong, what is wrong with it, and what to do. The command line prints that
line and exits with `exit_status`. Users must not see a traceback.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

__all__ = [
    "CheckFailedError",
    "ConflictError",
    "ExactDiceError",
    "InputError",
    "MissingExtraError",
    "OperatorError",
    "OutdatedError",
    "OutputError",
    "TimeLimitError",
    "TooLargeError",
    "UnsupportedSystemError",
    "told",
]

Item = TypeVar("Item")

#: Characters that move the cursor, break a line or cannot be encoded.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

#: What Python and the system say of a library or a thread for which there is no room.
_REFUSED = ("failed to map segment", "can't start new thread")
_TOO_LARGE = "the numbers that were given are too large for this command; give smaller ones"


class ExactDiceError(Exception):
    """Base of all errors that are meant to be read by a person.

    Examples
    --------
    >>> ExactDiceError.exit_status
    2
    """

    exit_status = 2


class CheckFailedError(ExactDiceError):
    """A check that was asked for has failed; its report has been shown.

    Examples
    --------
    >>> CheckFailedError.exit_status
    1
    """

    exit_status = 1


class InputError(ExactDiceError, ValueError):
    """An argument is outside its domain.

    Parameters
    ----------
    argument
        The name of the argument as the caller wrote it.
    got
        The offending value; shown by `repr`, shortened where it is long.
    wanted
        What would be right, as a noun phrase.

    Examples
    --------
    >>> print(InputError("sides", 0, "a whole number of at least 1"))
    sides: got 0; expected a whole number of at least 1
    """

    def __init__(self, argument: str, got: object, wanted: str) -> None:
        shown = shortened(got if isinstance(got, Unquoted) else _written(got))
        super().__init__(in_one_line(f"{argument}: got {shown}; expected {wanted}"))
        self.argument, self.got, self.wanted = argument, Unquoted(shown), wanted

    def at(self, place: str) -> "InputError":
        """Return the same error with the place where the argument stands.

        Examples
        --------
        >>> print(InputError("sides", 0, "a whole number of at least 1").at("dice.txt, line 3"))
        dice.txt, line 3: sides: got 0; expected a whole number of at least 1
        """
        return InputError(f"{place}: {self.argument}", self.got, self.wanted)

    def as_typed(self, argument: str) -> "InputError":
        """Return this error, changed to name the argument as the user typed it.

        Examples
        --------
        >>> print(InputError("sides", 0, "at least 1").as_typed("--sides"))
        --sides: got 0; expected at least 1
        """
        self.args = (argument + str(self)[len(self.argument) :],)
        self.argument = argument
        return self


class ConflictError(InputError):
    """An argument is valid, but cannot be combined with the other arguments.

    Parameters
    ----------
    argument
        The name of the argument.
    problem
        The reason and what to do, as the rest of a sentence that begins with the name.

    Examples
    --------
    >>> print(ConflictError("draws", "does not apply to .efg files"))
    draws does not apply to .efg files
    """

    def __init__(self, argument: str, problem: str) -> None:
        ValueError.__init__(self, in_one_line(f"{argument} {problem}"))
        self.argument, self.got, self.wanted = argument, Unquoted(""), problem

    def at(self, place: str) -> "ConflictError":
        """Return the same error with the place of the argument."""
        return ConflictError(f"{place}: {self.argument}", self.wanted)


def in_one_line(words: str) -> str:
    r"""Write line breaks as spaces, and other control characters as escapes.

    >>> print(in_one_line("two\nlines, \x1b[31mred"))
    two lines, \x1b[31mred
    """
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", words.replace("\n", " "))


def shortened(words: str, most: int = 60) -> str:
    r"""Leave out the middle of words of more characters than are shown; they fill one line.

    >>> shortened("1" * 100, 10)
    '1111...111'
    """
    line = in_one_line(words[:most] + words[-most:] if len(words) > 2 * most else words)
    end = (most - 3) // 2
    return line if len(line) <= most else f"{line[: most - 3 - end]}...{line[-end:]}"


def _written(got: object) -> str:
    try:
        return str(got) if type(got).__name__ in ("mpq", "mpz", "Fraction") else repr(got)
    except ValueError:  # Python writes no whole number of more than a few thousand digits
        return f"a {type(got).__name__} that is too long to be written"


class OperatorError(InputError, TypeError):
    """An operator, or what Python does by one, has no meaning for what it is applied to."""


class Unquoted(str):
    """Words that describe an offending value, shown in an `InputError` without quotation marks."""

    __slots__ = ()


class TooLargeError(ExactDiceError, ValueError):
    """The answer would need more memory than the stated limit; the text holds the estimate."""


class TimeLimitError(ExactDiceError):
    """A computation has taken the time that it may take; the text says how to allow more."""


class OutputError(ExactDiceError, OSError):
    """A file or folder cannot be written, or holds something that would be lost."""


class MissingExtraError(ExactDiceError, ImportError):
    """A library outside the core is needed; the text says how to install it."""

    @classmethod
    def of(cls, what: str, library: str, extra: str) -> "MissingExtraError":
        """Say what needs a library, and which extra brings it.

        >>> print(MissingExtraError.of("figures", "matplotlib", "plots"))
        figures: matplotlib is missing; install it: pip install 'exactdice[plots]'
        """
        return cls(f"{what}: {library} is missing; install it: pip install 'exactdice[{extra}]'")


class UnsupportedSystemError(ExactDiceError, ImportError):
    """The operating system lacks what is asked for; the text says which ones have it."""


class OutdatedError(ExactDiceError, ImportError):
    """The compiled module belongs to other sources; the text says how to build it again."""


def one_named(among: Mapping[str, Item], name: object, argument: str) -> Item:
    """Return the item with this name; raise InputError with the valid names or the closest ones.

    >>> one_named({"heads": 1, "tails": 2}, "edge", "side")
    Traceback (most recent call last):
    exactdice.errors.InputError: side: got 'edge'; expected one of heads, tails
    >>> one_named(dict.fromkeys(["one", "two", *"abcdefg"]), "tow", "side")
    Traceback (most recent call last):
    exactdice.errors.InputError: side: got 'tow'; expected one of 9 names (did you mean two?)
    """
    for known, item in among.items():
        if known == name:
            return item
    raise InputError(argument, name, choices(tuple(among), name))


def choices(names: Sequence[str], wrong: object) -> str:
    """Write the valid names, or of more than 8 how many there are and those close to a wrong one.

    >>> choices(["less", "equal", "more"], "most")
    'one of less, equal, more'
    """
    if len(names) <= 8:
        return f"one of {', '.join(names) or 'none'}"
    from difflib import get_close_matches  # only for errors

    near = get_close_matches(str(wrong), names)
    return f"one of {len(names)} names (" + (
        f"did you mean {' or '.join(near)}?)" if near else f"for example {', '.join(names[:5])})"
    )


def exit_status(ending: BaseException) -> int:
    """Exit status of what was interrupted: that of the signal that it carries, or of Ctrl-C.

    >>> exit_status(KeyboardInterrupt()), exit_status(KeyboardInterrupt(143))
    (130, 143)
    """
    return next((status for status in ending.args if isinstance(status, int)), 130)


def told(problem: BaseException) -> str | None:
    """Line that tells a person of an error; None where it is a fault of this package.

    Numbers can be too large for a computer in more ways than a question sees beforehand.

    Examples
    --------
    >>> told(TooLargeError("the table needs about 5 TiB"))
    'the table needs about 5 TiB'
    >>> told(OverflowError("cannot fit 'int' into an index-sized integer"))
    'the numbers that were given are too large for this command; give smaller ones'
    >>> told(ModuleNotFoundError(name="numpy.linalg"))
    'numpy is missing; install what exactdice needs: pip install exactdice'
    >>> told(RuntimeError("can't start new thread"))
    'the system leaves too little memory to this process (ulimit -v); let it leave more'
    >>> told(KeyError("value")) is None
    True
    """
    if isinstance(problem, ExactDiceError):
        return str(problem)
    if isinstance(problem, ModuleNotFoundError):
        library = str(problem.name).partition(".")[0]
        needs = f"{library} is missing; install what exactdice needs: pip install exactdice"
        return None if library == "exactdice" else needs
    if any(words in str(problem) for words in _REFUSED):
        return "the system leaves too little memory to this process (ulimit -v); let it leave more"
    if isinstance(problem, MemoryError | OverflowError):
        return _TOO_LARGE
    # Python writes no whole number of thousands of digits.
    is_long = isinstance(problem, ValueError) and "integer string conversion" in str(problem)
    return _TOO_LARGE if is_long else None
