"""Solvers in C++ with error bounds: the Python interface of ``cpp/``.

Most solvers have two versions. In *doubles* they are fast and state a bound on the error. In
*intervals* they bound the exact answer: every number is a pair of doubles, and each operation
rounds outwards. Neither gives an exact result; `exactdice.jobs.crosscheck` compares both with the
exact solvers. Two exceptions: decision processes (`process`) guess moves in doubles and compute
digits of their values in whole numbers, which the caller proves; Qwixx (`qwixx`) is exact.

The solvers are built at installation if there is a C++20 compiler. Without one, the rest of the
package works, and using a solver raises `MissingExtraError`.

Every double is a rational (`enclosed`); rationals are converted to the doubles around them
(`enclosing`).
"""

from collections.abc import Callable
from importlib import import_module
from math import inf, nextafter, ulp
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq, natural, nearest_double
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, MissingExtraError, OutdatedError, TooLargeError, Unquoted
from exactdice.origin import sources_at_hand

__all__ = ["MAX_THREADS", "Progress", "are_built", "call", "enclosed", "enclosing", "last_place"]
__all__ += ["limit", "solvers"]

#: Called a few times per second with the progress.
Progress: TypeAlias = Callable[[Any], object]

MAX_THREADS = 256  # of one solver

_MODULE = "exactdice.native._solvers"


def solvers() -> Any:
    """Return the compiled module; raises MissingExtraError, or OutdatedError for other sources."""
    try:
        module = import_module(_MODULE)
    except ImportError as problem:
        raise MissingExtraError(
            "the C++ solvers are not built; everything exact works without them. To have them, "
            "install a C++20 compiler, such as g++ 11 or newer, and install exactdice again "
            f"({problem})"
        ) from problem
    wanted, built = sources_at_hand(), getattr(module, "sources", "unknown")
    if wanted not in (None, built):
        raise OutdatedError(
            f"the C++ solvers were built from sources {built}, the current sources are {wanted}; "
            "install exactdice again, in a checkout by: pip install --editable ."
        )
    return module


def are_built() -> bool:
    """Whether the C++ solvers were built here; raises OutdatedError if they are outdated."""
    try:
        solvers()
    except MissingExtraError:
        return False
    return True


def call(solve: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a solver; raises InputError for bad arguments, TooLargeError for lack of memory."""
    try:
        return solve(*arguments, **options)
    except solvers().BadInput as problem:
        argument, _, wanted = str(problem).partition(": ")
        refused = Unquoted("an unsupported value")
        raise InputError(argument, refused, wanted.removeprefix("give ")) from None
    except solvers().TooLarge as problem:
        raise TooLargeError(f"the C++ solver {problem}; ask for less") from None
    except TypeError as problem:
        first_line = str(problem).splitlines()[0]
        if "incompatible" not in first_line:  # another error
            raise
        raise InputError("argument", Unquoted(first_line), "numbers that fit the solver") from None


def enclosed(ends: tuple[Any, Any]) -> Enclosure:
    """Return the exact interval between two doubles."""
    return Enclosure(mpq(ends[0]), mpq(ends[1]))


def enclosing(number: mpq) -> tuple[Any, Any, Any]:
    """Return the nearest double to a rational, the largest below and the smallest above.

    All three are equal if the rational is a double.
    """
    nearest = nearest_double(number)
    if nearest is None:
        raise InputError("number", number, "a number within the range of doubles")
    exact = mpq(nearest)
    below = nearest if exact <= number else nextafter(nearest, -inf)
    above = nearest if exact >= number else nextafter(nearest, inf)
    return nearest, below, above


def limit(most: int | None, name: str) -> Any:
    """Return a limit as a double for a solver; infinity for None and numbers beyond all doubles."""
    nearest = None if most is None else nearest_double(mpq(natural(most, name)))
    return inf if nearest is None else nearest


def last_place(number: mpq) -> mpq:
    """Return the unit in the last place of the double nearest to a rational."""
    return mpq(ulp(enclosing(number)[0]))
