"""Levels: a computation in parts of which each needs the one before, resumed after a kill.

Backward induction over rounds, weights or points is of this kind. A level's content is whatever
the next one needs, as bytes; it is in the store before the next one starts, addressed by the name
of the computation, its number and the code, and so a run that was killed goes on behind the last
level that is whole.
"""

from collections.abc import Callable

from exactdice.arithmetic import natural
from exactdice.run import DEFAULT, Run
from exactdice.sweeps.store import Store

__all__ = ["run_levels"]


def run_levels(
    store: Store,
    name: str,
    levels: int,
    step: Callable[[int, bytes], bytes],
    start: bytes = b"",
    run: Run = DEFAULT,
    *,
    keeps: int = 2,
) -> bytes:
    """Compute levels one after another, and go on where a run that was killed had come to.

    Parameters
    ----------
    store
        Where the levels are kept.
    name
        Names the computation, with everything that its levels depend on.
    levels
        How many there are.
    step
        Given a level's number, from 0, and the content of the level before, gives its content; the
        same content each time.
    start
        What the first level is given.
    run
        Hears of levels done.
    keeps
        How many levels stay in the store; earlier ones are removed.

    Returns
    -------
    bytes
        The content of the last level.

    Raises
    ------
    OutputError
        If a level cannot be written or read, or was damaged.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as home:
    ...     store = Store(Path(home) / "store")
    ...     run_levels(store, "powers of two", 5, lambda level, before: before * 2, b"x")
    b'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'

    Notes
    -----
    A level costs a hash of its content and two waits for the disk. Two runs at once of the same
    computation do its work twice, and agree.
    """
    count = natural(levels, "levels", least=1)
    kept = natural(keeps, "keeps", least=1)
    done, content = _last(store, name, count, start)
    for level in range(done, count):
        run.tell("levels", level, count)
        content = step(level, content)
        store.keep(_named(name, level), content)
        if level >= kept:
            store.forget(_named(name, level - kept))
    run.tell("levels", count, count)
    return content


def _last(store: Store, name: str, count: int, start: bytes) -> tuple[int, bytes]:
    """How many levels are done, and the content of the last of them."""
    for level in reversed(range(count)):
        content = store.kept(_named(name, level))
        if content is not None:
            return level + 1, content
    return 0, start


def _named(name: str, level: int) -> str:
    return f"{name}, level {level}"
