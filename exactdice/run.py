"""Limits, progress and prompts of a computation (`Run`), and levels that survive a kill.

A `Run` changes no number. The command line, a notebook or a worker process passes it to everything
that takes long.

**Estimates of time** are numbers of elementary steps times the time of one step, measured on one
core of an AMD EPYC. They distinguish seconds, minutes and days, not more.

**Levels** are the steps of a computation that each need only the step before, for example backward
induction over rounds. With a `Keeper`, a level is written every few seconds in place of the one
before, and an interrupted run resumes after the last one written. Shorter computations write
nothing.
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

_LONG = 10  # seconds from which an estimate of time is announced
_UNITS = ((86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))

#: Seconds between levels that are kept, or fifty times the time to write one, if that is more.
SELDOM = 2


def by_command(line: str) -> str:
    """Rewrite a line about a limit for the command line."""
    return re.sub(r"Run\((\w+)=…\)", r"--\1", line)


class Progress(Protocol):
    """Receives what is counted, how many are done, and the total if known."""

    def __call__(self, what: str, done: int, total: int | None, /) -> None:
        """Report how many are done."""


class Keeper(Protocol):
    """Keeps bytes by name, longer than the computation may live."""

    def keep(self, name: str, content: bytes, /) -> None:
        """Keep bytes, atomically."""

    def kept(self, name: str, /) -> bytes | None:
        """Return the bytes kept under a name, or None."""

    def forget(self, name: str, /) -> None:
        """Remove the bytes kept under a name."""


def _read_standard_input(prompt: str) -> str:
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline() if sys.stdin is not None else ""


@dataclass(frozen=True)
class Run:
    """Limits of a computation, and where its progress goes.

    * `memory`: bytes; None for no limit.
    * `workers`: processes or threads, at least 1.
    * `progress`: called with what is counted, how many are done, and the total or None.
    * `announce`: called with a line about the estimated time before a long computation.
    * `kept`: keeps levels of a computation (`run_levels`), which resumes from them after a kill.
    * `read_line`: shows a prompt and returns the line typed, empty at the end of input; by default
      with standard error and standard input.
    * `seconds`: time limit, above 0, counted from `since`; reached within a second or so. None for
      no limit.
    * `since`: when the run was made, by `time.monotonic_ns`.

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
ask for less, or raise the limit with Run(memory=…)
    >>> Run(seconds="1/100", since=0).tell("blocks", 1)
    Traceback (most recent call last):
    exactdice.errors.TimeLimitError: this took longer than the limit of 1/100 seconds; ask for \
less, or raise the limit with Run(seconds=…)
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
        """Return a run that prints estimates of time and progress on standard error."""

        def told(what: str, done: int, total: int | None, /) -> None:
            run.say(f"{what}: {done}" if total is None else f"{what}: {done} of {total}")

        run = cls(memory, workers, told, lambda line: run.say(line), seconds=seconds)
        return run

    def tell(self, what: str, done: int, total: int | None = None) -> None:
        """Report how many are done, and the total if known; raises as `check`."""
        self.check()
        if self.progress:
            self.progress(what, done, total)

    def tell_part(self, part: Any) -> None:
        """Report which part of a computation is done, from 0 to 1."""
        self.tell("thousandths", int(1000 * part), 1000)

    def counter(self, what: str) -> Callable[[int, int], None]:
        """Return a function of done and total that reports progress."""
        return lambda done, total: self.tell(what, done, total)

    def check(self) -> None:
        """Raise TimeLimitError after the time limit."""
        if self.seconds is not None:
            taken = time.monotonic_ns() - self.since
            if taken > rational(self.seconds) * 10**9:
                raise TimeLimitError(
                    f"this took longer than the limit of {self.seconds} seconds; ask for less, "
                    "or raise the limit with Run(seconds=…)"
                )

    def within_limits(self) -> AbstractContextManager[None]:
        """Stop a block that takes more memory or time than allowed."""
        return kept_within(self.memory, None if self.seconds is None else self.check)

    def require(self, needed: int, what: str) -> None:
        """Raise TooLargeError if more bytes are needed than the limit.

        `needed` is an estimate; `what` is the subject of the message.
        """
        if self.memory is not None:
            require_memory(needed, what, limit=self.memory)

    def expect(self, nanoseconds: int, what: str) -> None:
        """Announce the estimated processor time of one worker, if it is long.

        `what` is the subject of the line.

        >>> Run(announce=print).expect(4 * 60 * 10**9, "the table")
        the table takes about 4 minutes
        >>> Run(announce=print).expect(10**9, "a row")
        """
        seconds = nanoseconds // 10**9
        if self.announce and seconds >= _LONG:
            size, unit = next((s, name) for s, name in _UNITS if seconds >= 2 * s or s == 1)
            self.announce(f"{what} takes about {seconds // size} {unit}")

    def say(self, words: str) -> None:
        """Print a line for the player on standard error."""
        print(words, file=sys.stderr)

    def choose(self, prompt: str, read: Callable[[str], Answer]) -> Answer:
        r"""Prompt the player until `read` accepts a line; it raises InputError for invalid ones.

        Raises InputError if the input ends.

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
                raise InputError("input", Unquoted("the end of input"), "a line for every choice")
            try:
                return read(line.strip())
            except InputError as problem:
                self.say(str(problem))


#: The default memory limit, one worker, no output.
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
    """Compute levels one after another, resuming after the last kept one.

    Keeping levels takes at most a fiftieth of the time. Two simultaneous runs of the same
    computation do its work twice, and agree.
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
