"""Worker processes: questions answered outside the server, under limits that are enforced.

A worker is a process of its own, started fresh (*spawn*), that imports every room of questions and
then answers one task after another. It is told to stop by being killed: when its task is cancelled,
takes longer or keeps more memory than the limits allow. Another one takes its place. It leads a
process group, so that what it has started ends with it; it ends by itself when the server is gone.

A `Crew` is some workers and the line of tasks before them. Each worker has a thread of the server,
which hands it tasks and hears from it; `Task.hear` and `Task.end` are called from that thread. With
a short lane one worker more takes what no other has time for; a task that does not end there soon
goes back into the line, for the others.
"""

import contextlib
import mmap
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from exactdice.errors import InputError, told
from exactdice.memory import MEMORY_LIMIT
from exactdice.posix import resource
from exactdice.run import Run, by_command

_BEGINNING = 60  # seconds that a worker may take to begin
_LOOK = 0.05  # seconds between looks at the clock and at the memory of a worker
_SHORT = 2  # seconds that a task may take in the short lane
_BUSY = 5  # how many times as long as its processor time a task may take, on a busy machine
_BETWEEN_NEWS = 0.1  # seconds between two news of progress
_LARGEST_FILE = 1 << 20  # bytes that a worker may write into a file, such as matplotlib's of fonts


@dataclass(frozen=True)
class Limits:
    """What answers may take."""

    workers: int = 2  # worker processes
    seconds: int = 120  # processor time of one task, or its time where the system tells no other
    # bytes that a worker may keep; a question that would need more is refused before it starts.
    # Where the system does not say what a process takes (only Linux does, in ``/proc``), one that
    # comes to take more all the same is not stopped
    memory: int = MEMORY_LIMIT
    waiting: int = 200  # tasks that may wait for a worker
    short_lane: bool = False  # whether there is one worker more, for what does not take long


@dataclass(frozen=True)
class Problem:
    """Why there is no answer: the line, the field that it is about, and the HTTP status."""

    line: str
    argument: str = ""
    status: int = 422


@dataclass(eq=False)
class Task:
    """Something to be computed by a worker."""

    # a function of a module, called with a `Run` and then with `arguments`; what it returns, and
    # what it is given, pickles
    work: Callable[..., Any]
    arguments: tuple[Any, ...]  # the others
    hear: Callable[[str, int, int | None], None]  # hears of progress
    end: Callable[[Any], None]  # hears what was returned, or a `Problem`
    cancelled: threading.Event = field(default_factory=threading.Event)
    is_long: bool = False  # whether the short lane has given it up


class Crew:
    """Some workers, with the tasks that wait for them.

    `limits`: how many workers, and what each may take.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._waiting: deque[Task] = deque()
        self._news = threading.Condition()
        self._closed = False
        self._idle: list[_Seat] = []
        self._seats = [_Seat(limits) for _ in range(limits.workers)]
        if limits.short_lane:
            self._seats.append(_Seat(limits, is_short=True))
        self._threads = [
            threading.Thread(target=self._attend, args=(seat,), daemon=True) for seat in self._seats
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Task) -> bool:
        """Let a task wait for a worker; says whether there was room for it."""
        with self._news:
            if self._closed or len(self._waiting) >= self.limits.waiting:
                return False
            self._waiting.append(task)
            self._news.notify_all()
        return True

    def before(self, task: Task) -> int | None:
        """How many tasks wait before this one; None once a worker has it."""
        with self._news:
            return self._waiting.index(task) if task in self._waiting else None

    def cancel(self, task: Task) -> None:
        """End a task: taken out of the line, or its worker killed."""
        task.cancelled.set()
        with self._news:
            if task not in self._waiting:
                return
            self._waiting.remove(task)
        task.end(CANCELLED)

    def processes(self) -> list[int]:
        """Process ids of the workers that live."""
        return [seat.process.pid or 0 for seat in self._seats if seat.process]

    def close(self) -> None:
        """Kill the workers, and end what waits."""
        with self._news:
            self._closed = True
            waiting = list(self._waiting)
            self._waiting.clear()
            self._news.notify_all()
        for task in waiting:
            task.end(CANCELLED)
        for thread in self._threads:
            thread.join()

    def _attend(self, seat: "_Seat") -> None:
        while True:
            seat.fill()
            with self._news:
                self._idle.append(seat)
                while not self._closed and (task := self._next(seat)) is None:
                    self._news.wait()
                if self._closed:
                    break
                assert task is not None  # noqa: S101 - the line above went on waiting
                self._waiting.remove(task)
                self._idle.remove(seat)
                self._news.notify_all()
                seat.is_busy = True
            outcome = seat.carry_out(task, lambda: self._closed)
            seat.is_busy = False
            if outcome is not _TOO_LONG or self._closed:
                task.end(outcome)
                continue
            with self._news:
                task.is_long = True
                self._waiting.appendleft(task)
                self._news.notify_all()
        seat.clear()

    def _next(self, seat: "_Seat") -> Task | None:
        """The task that a seat takes; None while there is none, or another should take it."""
        if seat.is_short:  # which takes nothing before a worker that only begins
            short = (task for task in self._waiting if not task.is_long)
            are_busy = all(other.is_busy for other in self._seats if not other.is_short)
            return next(short, None) if are_busy else None
        others = [idle for idle in self._idle if not idle.is_short]
        # Who was busy last goes first: it remembers what the question before was about.
        return self._waiting[0] if self._waiting and others[-1] is seat else None


CANCELLED = Problem("cancelled", status=410)
_TOO_LONG = Problem("not for the short lane")


class _Seat:
    """The place of one worker, which is filled again when the worker was killed."""

    def __init__(self, limits: Limits, *, is_short: bool = False) -> None:
        self.limits = limits
        self.is_short = is_short
        self.is_busy = False
        self.process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._is_ready = False

    def fill(self) -> None:
        """Start a worker if there is none."""
        if self.process and self.process.is_alive():
            return
        self.clear()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_live, args=(theirs, self.limits.memory), name="exactdice", daemon=True
        )
        self.process.start()
        theirs.close()

    def clear(self) -> None:
        """Kill the worker with all that it has started."""
        if self.process is None or self.process.pid is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.process.close()
        if self._connection:
            self._connection.close()
        self.process = self._connection = None
        self._is_ready = False

    def carry_out(self, task: Task, is_closed: Callable[[], bool]) -> Any:
        """Let the worker do a task; what it returned, or a problem."""
        assert self._connection is not None  # noqa: S101 - the seat was filled
        begun, before = time.monotonic() + (0 if self._is_ready else _BEGINNING), self._taken()[0]
        try:
            self._connection.send((task.work, task.arguments))
            while True:
                if self._connection.poll(_LOOK):
                    kind, *news = self._connection.recv()
                    if kind == "ready":  # its own beginning is not counted
                        begun, before, self._is_ready = time.monotonic(), self._taken()[0], True
                        continue
                    if kind == "done":
                        if self._taken()[1] > self.limits.memory // 2:
                            self.clear()  # it remembers too much
                        return news[0]
                    task.hear(*news)
                if problem := self._broken_limit(task, begun, before, is_closed()):
                    self.clear()
                    return problem
        except (EOFError, OSError):  # it has died
            code = self.process.exitcode if self.process else None
            self.clear()
            return Problem(f"the process that computed this has ended by itself ({code})", "", 500)

    def _broken_limit(
        self, task: Task, begun: float, before: float, is_closed: bool
    ) -> Problem | None:
        if task.cancelled.is_set() or is_closed:
            return CANCELLED
        seconds, (taken, kept) = time.monotonic() - begun, self._taken()
        if self.is_short and seconds > _SHORT:
            return _TOO_LONG
        if (max(taken - before, seconds / _BUSY) if taken else seconds) > self.limits.seconds:
            return Problem(
                f"this takes more than the {self.limits.seconds} s that this server gives a "
                "question; ask for less, on the command line, or start exactdice serve with --time"
            )
        if kept > self.limits.memory:
            return Problem(
                "this takes more memory than this server gives a question; ask for less, on the "
                "command line, or start exactdice serve with --memory"
            )
        return None

    def _taken(self) -> tuple[float, int]:
        """Seconds of processor time, and bytes of memory that the worker keeps; 0 if unknown."""
        try:
            status = Path(f"/proc/{self.process.pid}/stat").read_text("ascii")  # type: ignore[union-attr]
        except OSError:
            return 0, 0
        fields = status.rpartition(")")[2].split()  # of proc(5), from the third
        ticks = int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * mmap.PAGESIZE


def _live(connection: Connection, memory: int) -> None:
    """Be a worker."""
    os.setsid()  # interrupts of the terminal are the server's; what is started here dies with it
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    from exactdice.rooms import ROOMS, classes

    for room in ROOMS:
        classes(room)
    connection.send(("ready",))
    while True:
        try:
            work, arguments = connection.recv()
        except EOFError:
            return
        connection.send(("done", _carried_out(connection, memory, work, arguments)))


def _end_with_the_server() -> None:
    parent = multiprocessing.parent_process()
    wait([parent.sentinel] if parent else [])
    os._exit(1)


def _carried_out(
    connection: Connection, memory: int, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> Any:
    last = 0.0

    def tell(what: str, done: int, total: int | None, /) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _BETWEEN_NEWS:
            last = now
            connection.send(("news", what, done, total))

    def announce(line: str) -> None:
        connection.send(("news", line, 0, None))

    try:
        return work(Run(memory=memory, progress=tell, announce=announce), *arguments)
    except Exception as problem:  # whatever it is, the worker goes on
        line = told(problem)
        if line is None:
            traceback.print_exc(file=sys.stderr)
            line = f"exactdice has a fault here: {type(problem).__name__}: {problem}"
            return Problem(line.replace("\n", " "), "", 500)
        argument = problem.argument if isinstance(problem, InputError) else ""
        return Problem(by_command(line), argument)
