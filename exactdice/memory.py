"""Memory that a computation would need, estimated before it starts.

A run that does not fit is refused with its estimate rather than left to die. Whoever has more
memory allows more of it (`exactdice.run.Run`).
"""

from exactdice.errors import TooLargeError

__all__ = ["MEMORY_LIMIT", "require_memory", "stored_bytes"]

#: Bytes above which a computation is refused unless more are allowed.
MEMORY_LIMIT = 2 * 2**30

_OVERHEAD = 48  # bytes of a Python object around an integer's digits, and of its slot in a list


def stored_bytes(numbers: int, bits: int) -> int:
    """Bytes that `numbers` integers of at most `bits` bits take as Python objects.

    Examples
    --------
    >>> stored_bytes(1000, 800)
    148000
    """
    return numbers * (bits // 8 + _OVERHEAD)


def require_memory(needed: int, what: str, *, limit: int = MEMORY_LIMIT) -> None:
    """Refuse a computation that would keep more than the limit.

    Parameters
    ----------
    needed
        Estimated bytes.
    what
        What is asked for, as the subject of the message.
    limit
        Bytes allowed.

    Raises
    ------
    TooLargeError
        With the estimate.

    Examples
    --------
    >>> require_memory(5 * 2**40, "the table")
    Traceback (most recent call last):
    exactdice.errors.TooLargeError: the table needs about 5120.0 GiB, more than the limit of \
2.0 GiB; ask for less, or allow more with --memory
    """
    if needed > limit:
        raise TooLargeError(
            f"{what} needs about {_gibibytes(needed)} GiB, more than the limit of "
            f"{_gibibytes(limit)} GiB; ask for less, or allow more with --memory"
        )


def _gibibytes(size: int) -> str:
    tenths = -(-size * 10 // 2**30)
    return f"{tenths // 10}.{tenths % 10}"
