"""Levels: a computation in parts of which each needs the one before, resumed after a kill.

Backward induction over rounds, weights or points is of this kind. A level's content is whatever
the next one needs. Where there is a `Keeper` it is written as bytes every few seconds, under the
name of the computation and the number of the level, and so a run that was killed goes on behind the
last level that was kept. What takes less than that keeps nothing.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from exactdice.arithmetic import natural
from exactdice.run import Keeper

__all__ = ["run_levels"]

Content = TypeVar("Content")

#: Seconds between levels that are kept: what a kill costs, and a level that takes longer.
SELDOM = 2


def run_levels(
    kept: Keeper | None,
    name: str,
    levels: int,
    step: Callable[[int, Any], Content],
    start: Any = None,
    *,
    write: Callable[[Content], bytes],
    read: Callable[[bytes], Content],
) -> Content:
    """Compute levels one after another, and go on where a run that was killed had come to.

    Parameters
    ----------
    kept
        Keeps levels; nobody where None.
    name
        Names the computation, with everything that its levels depend on.
    levels
        How many there are.
    step
        Given a level's number, from 0, and the content of the level before, gives its content; the
        same content each time.
    start
        What the first level is given.
    write, read
        Make bytes of a content, and the content of them.

    Returns
    -------
    Content
        That of the last level.

    Raises
    ------
    OutputError
        If a level cannot be written or read, or was damaged.

    Examples
    --------
    >>> run_levels(None, "powers", 5, lambda level, before: 2 * before, 1, write=bytes, read=len)
    32

    Notes
    -----
    A level that is kept costs its writing, a hash of it and two waits for the disk. Two runs at
    once of the same computation do its work twice, and agree.
    """
    count = natural(levels, "levels", least=1)
    done, content = _last(kept, name, count, start, read) if kept else (0, start)
    last, written = done - 1, time.monotonic_ns()
    for level in range(done, count):
        content = step(level, content)
        is_due = time.monotonic_ns() - written > SELDOM * 10**9
        is_due |= last >= 0 and level == count - 1
        if kept and is_due:
            kept.keep(_named(name, level), write(content))
            if last >= 0:
                kept.forget(_named(name, last))
            last, written = level, time.monotonic_ns()
    return cast(Content, content)


def _last(
    kept: Keeper, name: str, count: int, start: Any, read: Callable[[bytes], Content]
) -> tuple[int, Any]:
    """How many levels are done, and the content of the last one that was kept."""
    for level in reversed(range(count)):
        found = kept.kept(_named(name, level))
        if found is not None:
            for earlier in range(level):  # a run may have been killed before it forgot one
                kept.forget(_named(name, earlier))
            return level + 1, read(found)
    return 0, start


def _named(name: str, level: int) -> str:
    return f"{name}, level {level}"
