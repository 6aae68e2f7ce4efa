"""Worker processes: questions are answered outside the server, under enforced limits.

A worker is a freshly started process (*spawn*) that imports all rooms and then does one task after
another. It is killed and replaced if its task is cancelled, or exceeds the limits of time or
memory. It leads a process group, so its children end with it; it ends by itself when the server is
gone.

A `Crew` is some workers and the queue of tasks. Each worker has a thread in the server, which
passes tasks to it and calls `Task.hear` and `Task.end`. With a short lane, one more worker takes
tasks when all others are busy; a task that takes longer goes back to the queue.
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

_BEGINNING = 60  # seconds that a worker may take to start
_LOOK = 0.05  # seconds between checks of a worker's time and memory
_SHORT = 2  # seconds that a task may take in the short lane
_BUSY = 5  # largest ratio of elapsed time to processor time, on a busy machine
_BETWEEN_NEWS = 0.1  # seconds between reports of progress
_LARGEST_FILE = 1 << 20  # bytes, for example matplotlib's cache of fonts


@dataclass(frozen=True)
class Limits:
    workers: int = 2  # worker processes
    seconds: int = 120  # processor time of a task, or elapsed time if the system reports no other
    # bytes of a worker; questions with larger estimates are rejected. A worker that exceeds it
    # is stopped only on Linux, where ``/proc`` reports its memory
    memory: int = MEMORY_LIMIT
    waiting: int = 200  # tasks that may wait
    short_lane: bool = False  # whether one more worker takes short tasks


@dataclass(frozen=True)
class Problem:
    """The reason why there is no answer: the line, its field, and the HTTP status."""

    line: str
    argument: str = ""
    status: int = 422


@dataclass(eq=False)
class Task:
    work: Callable[..., Any]  # a module's function, called with a `Run` and picklable `arguments`
    arguments: tuple[Any, ...]
    hear: Callable[[str, int, int | None], None]  # called with progress
    end: Callable[[Any], None]  # called with the result, or a `Problem`
    cancelled: threading.Event = field(default_factory=threading.Event)
    is_long: bool = False  # whether it took too long for the short lane


class Crew:
    """Some workers, with the tasks that wait for them."""

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
        with self._news:
            if self._closed or len(self._waiting) >= self.limits.waiting:
                return False
            self._waiting.append(task)
            self._news.notify_all()
        return True

    def before(self, task: Task) -> int | None:
        with self._news:
            return self._waiting.index(task) if task in self._waiting else None

    def cancel(self, task: Task) -> None:
        task.cancelled.set()
        with self._news:
            if task not in self._waiting:
                return
            self._waiting.remove(task)
        task.end(CANCELLED)

    def processes(self) -> list[int]:
        return [seat.process.pid or 0 for seat in self._seats if seat.process]

    def close(self) -> None:
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
                assert task is not None  # noqa: S101 - by the loop above
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
        if seat.is_short:  # takes nothing while another worker is starting
            short = (task for task in self._waiting if not task.is_long)
            are_busy = all(other.is_busy for other in self._seats if not other.is_short)
            return next(short, None) if are_busy else None
        others = [idle for idle in self._idle if not idle.is_short]
        # The last busy worker goes first: its caches may help.
        return self._waiting[0] if self._waiting and others[-1] is seat else None


CANCELLED = Problem("cancelled", status=410)
_TOO_LONG = Problem("not for the short lane")
_LESS = "ask for less, use the command line, or start exactdice serve with a larger"


class _Seat:
    """The place of one worker, which is filled again after the worker was killed."""

    def __init__(self, limits: Limits, *, is_short: bool = False) -> None:
        self.limits = limits
        self.is_short = is_short
        self.is_busy = False
        self.process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._is_ready = False

    def fill(self) -> None:
        if self.process and self.process.is_alive():
            return
        self.clear()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        given = theirs, self.limits.memory
        self.process = context.Process(target=_live, args=given, name="exactdice", daemon=True)
        self.process.start()
        theirs.close()

    def clear(self) -> None:
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
        assert self._connection is not None  # noqa: S101 - the seat was filled
        begun, before = time.monotonic() + (0 if self._is_ready else _BEGINNING), self._taken()[0]
        try:
            self._connection.send((task.work, task.arguments))
            while True:
                if self._connection.poll(_LOOK):
                    kind, *news = self._connection.recv()
                    if kind == "ready":  # start-up is not counted
                        begun, before, self._is_ready = time.monotonic(), self._taken()[0], True
                        continue
                    if kind == "done":
                        if self._taken()[1] > self.limits.memory // 2:
                            self.clear()  # its caches are too large
                        return news[0]
                    task.hear(*news)
                if problem := self._broken_limit(task, begun, before, is_closed()):
                    self.clear()
                    return problem
        except (EOFError, OSError):  # it has died
            code = self.process.exitcode if self.process else None
            self.clear()
            return Problem(f"the worker process ended unexpectedly ({code})", "", 500)

    def _broken_limit(
        self, task: Task, begun: float, before: float, is_closed: bool
    ) -> Problem | None:
        if task.cancelled.is_set() or is_closed:
            return CANCELLED
        seconds, (taken, kept) = time.monotonic() - begun, self._taken()
        if self.is_short and seconds > _SHORT:
            return _TOO_LONG
        if (max(taken - before, seconds / _BUSY) if taken else seconds) > self.limits.seconds:
            line = f"this takes more than {self.limits.seconds} s, the limit of this server"
            return Problem(f"{line}; {_LESS} --time")
        if kept > self.limits.memory:
            return Problem(
                f"this takes more memory than the limit of this server; {_LESS} --memory"
            )
        return None

    def _taken(self) -> tuple[float, int]:
        """Return seconds of processor time and bytes of memory of the worker; 0 if unknown."""
        try:
            status = Path(f"/proc/{self.process.pid}/stat").read_text("ascii")  # type: ignore[union-attr]
        except OSError:
            return 0, 0
        fields = status.rpartition(")")[2].split()  # of proc(5), from the third
        ticks = int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * mmap.PAGESIZE


def _live(connection: Connection, memory: int) -> None:
    os.setsid()  # the terminal interrupts only the server, and children end with this process
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
    except Exception as problem:  # of any kind: the worker continues
        line = told(problem)
        if line is None:
            traceback.print_exc(file=sys.stderr)
            line = f"this is a bug in exactdice: {type(problem).__name__}: {problem}"
            return Problem(line.replace("\n", " "), "", 500)
        argument = problem.argument if isinstance(problem, InputError) else ""
        return Problem(by_command(line), argument)
