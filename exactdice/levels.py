"""Levels: a computation in parts of which each needs the one before, resumed after a kill.

Backward induction over rounds, weights or points is of this kind. A level's content is whatever
the next one needs. Where there is a `Keeper` it is written as bytes every few seconds, under the
name of the computation and behind the number of the level, in place of the level before; and so a
run that was killed goes on behind the last level that was kept. What takes less than that keeps
nothing.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from exactdice.arithmetic import natural
from exactdice.run import Keeper

Content = TypeVar("Content")

#: Seconds between levels that are kept, of which one is written in a fiftieth of that; else fifty
#: times what it takes. That and a level is what a kill costs.
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

    Raises OutputError if a level cannot be written or read, or was damaged.

    >>> run_levels(None, "powers", 5, lambda level, before: 2 * before, 1, write=bytes, read=len)
    32

    A level that is kept costs its writing, a hash of it and two waits for the disk, which is a
    fiftieth of the time at most. Two runs at once of the same computation do its work twice, and
    agree.
    """
    count = natural(levels, "levels", least=1)
    content, done, is_kept = start, 0, False
    if kept and (stored := kept.kept(name)):
        number, _, written = stored.partition(b"\n")
        content, done, is_kept = read(written), int(number) + 1, True
    pause, since = SELDOM * 10**9, time.monotonic_ns()
    for level in range(done, count):
        content = step(level, content)
        is_due = time.monotonic_ns() - since > pause or (is_kept and level == count - 1)
        if kept and is_due:
            begun = time.monotonic_ns()
            kept.keep(name, b"%d\n" % level + write(content))
            is_kept, since = True, time.monotonic_ns()
            pause = SELDOM * max(10**9, 25 * (since - begun))
    return cast(Content, content)
