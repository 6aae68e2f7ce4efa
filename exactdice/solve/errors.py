"""Errors of solvers and of certificates, and how states are named in them."""

from collections.abc import Collection

from exactdice.errors import ExactDiceError, Unquoted


class NoValueError(ExactDiceError, ValueError):
    """A game has no finite value; the text names states that show why."""


class CertificateError(ExactDiceError, ValueError):
    """A certificate proves nothing; the text names the first condition that fails, and where."""

    exit_status = 1


def named(states: Collection[object]) -> Unquoted:
    """Name a few states in a sentence, and say how many more there are."""
    shown = ", ".join(repr(state) for state in list(states)[:3])
    more = len(states) - 3
    return Unquoted(f"{shown} and {more} more states" if more > 0 else shown)
