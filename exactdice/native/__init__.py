r"""Floating-point solvers in C++, each with a bound on its error: the Python face of ``cpp/``.

Every solver comes twice. In *doubles* it finds an answer fast, and states by how much it may be
wrong at most. In *intervals* it encloses the exact answer: every number is a pair of doubles, each
operation is rounded outwards, and the exact value lies between the ends. Neither states an exact
result; `exactdice.jobs.crosscheck` holds both against the exact solvers. Decision processes
(`process`) are apart: doubles guess moves there, and whole numbers give digits of their values,
which whoever asks for them proves. So is Qwixx (`qwixx`), which has whole numbers alone, exactly.

The solvers are built when the package is installed, where a C++20 compiler is at hand. Without one
the package works all the same, and asking for one of them raises `MissingExtraError`.

Doubles cross into rationals exactly, as every double is one (`enclosed`), and rationals cross into
the doubles that enclose them (`enclosing`).
"""

from collections.abc import Callable
from importlib import import_module
from math import inf, nextafter, ulp
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq, natural, nearest_double
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, MissingExtraError, OutdatedError, TooLargeError, Unquoted
from exactdice.origin import sources_at_hand

__all__ = [
    "MAX_THREADS",
    "Progress",
    "are_built",
    "call",
    "enclosed",
    "enclosing",
    "last_place",
    "limit",
    "solvers",
]

#: Called a few times a second with the part of the work that is done.
Progress: TypeAlias = Callable[[Any], object]

#: Threads that may share the work of a solver.
MAX_THREADS = 256

_MODULE = "exactdice.native._solvers"


def solvers() -> Any:
    """Return the compiled module.

    Raises MissingExtraError if it was not built.

    Raises OutdatedError if it was built from other sources than those at hand.
    """
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
            f"the C++ solvers were built from sources {built}, but those at hand are {wanted}; "
            "install exactdice again, in a checkout by: pip install --editable ."
        )
    return module


def are_built() -> bool:
    """Whether the C++ solvers were built here; if they are outdated, that is raised."""
    try:
        solvers()
    except MissingExtraError:
        return False
    return True


def call(solve: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a solver, turning its refusals into errors of this package.

    Raises TooLargeError if it would need more memory than its limit.
    """
    try:
        return solve(*arguments, **options)
    except solvers().BadInput as problem:
        argument, _, wanted = str(problem).partition(": ")
        refused = Unquoted("something that no C++ solver takes")
        raise InputError(argument, refused, wanted.removeprefix("give ")) from None
    except solvers().TooLarge as problem:
        raise TooLargeError(f"the C++ solver {problem}; ask for less") from None
    except TypeError as problem:
        first_line = str(problem).splitlines()[0]
        if "incompatible" not in first_line:  # not about the arguments of the solver
            raise
        raise InputError("argument", Unquoted(first_line), "numbers that fit the solver") from None


def enclosed(ends: tuple[Any, Any]) -> Enclosure:
    """Take a pair of doubles between which a number lies, exactly.

    >>> enclosed((0.25, 0.5))
    Enclosure(lower=mpq(1,4), upper=mpq(1,2))
    """
    return Enclosure(mpq(ends[0]), mpq(ends[1]))


def enclosing(number: mpq) -> tuple[Any, Any, Any]:
    """Return the nearest double, and the greatest below and the least above, of a rational.

    All three are the same where the rational is a double.

    >>> enclosing(mpq(1, 2))
    (0.5, 0.5, 0.5)
    >>> nearest, below, above = enclosing(mpq(1, 10))
    >>> mpq(below) < mpq(1, 10) < mpq(above), nearest in (below, above)
    (True, True)
    """
    nearest = nearest_double(number)
    if nearest is None:
        raise InputError("number", number, "a number within the range of doubles")
    exact = mpq(nearest)
    below = nearest if exact <= number else nextafter(nearest, -inf)
    above = nearest if exact >= number else nextafter(nearest, inf)
    return nearest, below, above


def limit(most: int | None, name: str) -> Any:
    """Return a limit as the double that a solver takes; one beyond all doubles limits nothing.

    >>> limit(3, "memory_limit"), limit(None, "memory_limit"), limit(10**400, "memory_limit")
    (3.0, inf, inf)
    """
    nearest = None if most is None else nearest_double(mpq(natural(most, name)))
    return inf if nearest is None else nearest


def last_place(number: mpq) -> mpq:
    """Return the unit in the last place of the double that is nearest to a rational.

    >>> last_place(mpq(1)) == mpq(1, 2**52)
    True
    """
    return mpq(ulp(enclosing(number)[0]))
