"""The circumstances of a computation: its limits, who hears of its progress, who is asked.

What is computed is said by a question's fields and a function's arguments; a `Run` says what the
computation may take and whom it talks to, and changes no number. It is one argument, handed down
from the command line, a notebook or a worker process to whatever takes long:

* `memory`: bytes that may be kept at once; what needs more is refused before it starts;
* `seconds`: how long it may take from when the run was made; what takes longer is stopped;
* `workers`: processes or threads that may share the work;
* `progress`: hears what is done, as (what, done, total);
* `announce`: hears, before the start of what takes long, about how long that is;
* `kept`: keeps levels of a computation (`run_levels`), which goes on from them after a kill;
* `read_line`: answers prompts, for questions that a person plays.

**Estimates of time** are counts of elementary steps times what one step takes, each measured on one
core of an AMD EPYC; whoever states one names the steps. They tell seconds from minutes and minutes
from days, not more.

**Levels** are the parts of a computation of which each needs the one before, as in backward
induction over rounds, weights or points. A level's content is whatever the next one needs. Where
there is a `Keeper` it is written as bytes every few seconds, under the name of the computation and
behind the number of the level, in place of the level before; and so a run that was killed goes on
behind the last level that was kept. What takes less than that keeps nothing.
"""

import re
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypeVar, cast

from exactdice.arithmetic import RationalLike, natural, rational
from exactdice.errors import InputError, TimeLimitError, Unquoted
from exactdice.memory import MEMORY_LIMIT, kept_within, require_memory

__all__ = ["DEFAULT", "Keeper", "Progress", "Run"]

Answer = TypeVar("Answer")
Content = TypeVar("Content")

#: Seconds from which on an estimate of time is worth a line.
_LONG = 10
_UNITS = ((86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))

#: Seconds between levels that are kept, of which one is written in a fiftieth of that; else fifty
#: times what it takes. That and a level is what a kill costs.
SELDOM = 2


def by_command(line: str) -> str:
    """A line about a limit for those who give commands, and not a `Run`.

    >>> by_command("ask for less, or allow more by Run(memory=…)")
    'ask for less, or allow more by --memory'
    """
    return re.sub(r"Run\((\w+)=…\)", r"--\1", line)


class Progress(Protocol):
    """Hears of progress: what is counted, how many are done, and of how many if that is known."""

    def __call__(self, what: str, done: int, total: int | None, /) -> None:
        """Hear that so many are done."""


class Keeper(Protocol):
    """Keeps bytes by name, for longer than the computation that gave them may live."""

    def keep(self, name: str, content: bytes, /) -> None:
        """Keep bytes, whole or not at all."""

    def kept(self, name: str, /) -> bytes | None:
        """Return what is kept under a name; None where nothing is."""

    def forget(self, name: str, /) -> None:
        """Remove what is not needed any more."""


def _read_standard_input(prompt: str) -> str:
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline() if sys.stdin is not None else ""


@dataclass(frozen=True)
class Run:
    """What a computation may take, and whom it talks to.

    Parameters
    ----------
    memory
        Bytes; None for no limit.
    workers
        Processes or threads, at least 1.
    progress
        Called with what is counted, how many are done and of how many; nobody where None.
    announce
        Called with a line about what takes long, before it starts; nobody where None.
    kept
        Keeps levels; nothing where None.
    read_line
        Shows a prompt and returns the line that a person typed, empty at the end of input;
        standard error and standard input by default.
    seconds
        A number above 0, counted from `since`, for all that is asked with this run; what still
        goes on then is stopped within a second or so. None for no limit.
    since
        When the run was made, by `time.monotonic_ns`.

    Examples
    --------
    >>> heard = []
    >>> run = Run(progress=lambda *news: heard.append(news))
    >>> run.tell("blocks", 1, 2)
    >>> run.counter("games")(3, 4)
    >>> heard
    [('blocks', 1, 2), ('games', 3, 4)]
    >>> Run(), Run(memory=10, workers=2)
    (Run(), Run(memory=10, workers=2))
    >>> Run(memory=10).require(2**31, "the table")
    Traceback (most recent call last):
    exactdice.errors.TooLargeError: the table needs about 2.0 GiB, more than the limit of 10 B; \
ask for less, or allow more by Run(memory=…)
    >>> Run(seconds="1/100", since=0).tell("blocks", 1)
    Traceback (most recent call last):
    exactdice.errors.TimeLimitError: this has taken more than the limit of 1/100 seconds; ask for \
less, or allow more by Run(seconds=…)
    """

    memory: int | None = MEMORY_LIMIT
    workers: int = 1
    progress: Progress | None = None
    announce: Callable[[str], None] | None = None
    kept: Keeper | None = None
    read_line: Callable[[str], str] = _read_standard_input
    seconds: "RationalLike | None" = None
    since: int = field(default_factory=time.monotonic_ns, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.memory is not None:
            object.__setattr__(self, "memory", natural(self.memory, "memory"))
        object.__setattr__(self, "workers", natural(self.workers, "workers", least=1))
        if self.seconds is not None and rational(self.seconds, "seconds") <= 0:
            raise InputError("seconds", self.seconds, "a number above 0")

    def __repr__(self) -> str:
        """Show what differs from the defaults, so that signatures stay short."""
        shown = ((each, getattr(self, each.name)) for each in fields(self) if each.repr)
        changed = (f"{each.name}={value!r}" for each, value in shown if value != each.default)
        return f"Run({', '.join(changed)})"

    @classmethod
    def printing(
        cls,
        memory: int | None = MEMORY_LIMIT,
        workers: int = 1,
        seconds: "RationalLike | None" = None,
    ) -> "Run":
        """Return a run that prints on standard error how long things take and what is done."""

        def told(what: str, done: int, total: int | None, /) -> None:
            run.say(f"{what}: {done}" if total is None else f"{what}: {done} of {total}")

        run = cls(memory, workers, told, lambda line: run.say(line), seconds=seconds)
        return run

    def tell(self, what: str, done: int, total: int | None = None) -> None:
        """Say how many are done, and of how many if that is known; raises as `check`."""
        self.check()
        if self.progress:
            self.progress(what, done, total)

    def counter(self, what: str) -> Callable[[int, int], None]:
        """Return a function of done and total, for code that counts one thing."""
        return lambda done, total: self.tell(what, done, total)

    def check(self) -> None:
        """Stop what has taken too long.

        Raises
        ------
        TimeLimitError
            If the seconds that were allowed are over.
        """
        if self.seconds is not None:
            taken = time.monotonic_ns() - self.since
            if taken > rational(self.seconds) * 10**9:
                raise TimeLimitError(
                    f"this has taken more than the limit of {self.seconds} seconds; ask for less, "
                    "or allow more by Run(seconds=…)"
                )

    def within_limits(self) -> AbstractContextManager[None]:
        """Stop a block that is seen to take more memory or time than it may."""
        return kept_within(self.memory, None if self.seconds is None else self.check)

    def require(self, needed: int, what: str) -> None:
        """Refuse what would keep more bytes than the limit.

        Parameters
        ----------
        needed
            Estimated bytes.
        what
            What is asked for, as the subject of the message.

        Raises
        ------
        TooLargeError
            With the estimate.
        """
        if self.memory is not None:
            require_memory(needed, what, limit=self.memory)

    def expect(self, nanoseconds: int, what: str) -> None:
        """Announce how long something takes, where that is long.

        Parameters
        ----------
        nanoseconds
            Estimated processor time of one worker.
        what
            What is asked for, as the subject of the line.

        Examples
        --------
        >>> Run(announce=print).expect(4 * 60 * 10**9, "the table")
        the table takes about 4 minutes
        >>> Run(announce=print).expect(10**9, "a row")
        """
        seconds = nanoseconds // 10**9
        if self.announce and seconds >= _LONG:
            size, unit = next((s, name) for s, name in _UNITS if seconds >= 2 * s or s == 1)
            self.announce(f"{what} takes about {seconds // size} {unit}")

    def say(self, words: str) -> None:
        """Tell the person who plays something, on standard error."""
        print(words, file=sys.stderr)

    def choose(self, prompt: str, read: Callable[[str], Answer]) -> Answer:
        r"""Ask the person who plays until the answer can be read.

        Parameters
        ----------
        prompt
            What is asked.
        read
            Reads a line, without its end; raises InputError where it makes no sense.

        Raises
        ------
        InputError
            If the input ends.

        Examples
        --------
        >>> lines = iter(["x\n", "7\n"])
        >>> def whole(line):
        ...     if not line.isdigit():
        ...         raise InputError("choice", line, "a whole number")
        ...     return int(line)
        >>> Run(read_line=lambda prompt: next(lines)).choose("choice? ", whole)
        7
        """
        while True:
            line = self.read_line(prompt)
            if not line:
                raise InputError(
                    "input", Unquoted("its end before the game's"), "a line for every choice"
                )
            try:
                return read(line.strip())
            except InputError as problem:
                self.say(str(problem))


#: The circumstances of a call that names none: the default memory, one worker, silence.
DEFAULT = Run()


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
