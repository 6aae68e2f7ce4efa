"""The desk: every question is computed once, and its answer kept while there is room.

Whatever a page shows is a *piece* of an answer: its tables as HTML, a file to download, a figure. A
piece that is kept is given at once; one that is not becomes a `Job`, which everybody who asks for
the same piece shares. A report that was computed for one piece is kept, pickled, for the others.

A job goes on while somebody waits for it: who is being told of it, or has asked within `_GRACE`
seconds. One that everybody has left is cancelled.
"""

import asyncio
import pickle
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.web.workers import Crew, Limits, Problem, Task

#: Makes a piece of an answer from its report; a function of a module, and with what else it takes.
Piece = tuple[Callable[..., Any], *tuple[Any, ...]]

_LARGEST = 32 << 20  # bytes of one answer or piece
_ROOM = 64 << 20  # bytes of all that are kept
_JOBS = 500  # that are remembered, of those that have ended
_GRACE = 10  # seconds that a job goes on after somebody asked about it
_LEAVING = 3  # after the last who was told of it has left; others ask every 2 at least
_LOOK = 1  # seconds between looks at who waits


class Kept:
    """Answers by their keys, the one that was used last at the end, in so many bytes.

    >>> kept = Kept(100)
    >>> kept.put("a", b"x" * 60)
    >>> kept.put("b", b"y" * 60)
    >>> kept.get("a"), len(kept.get("b"))
    (None, 60)
    """

    def __init__(self, room: int = _ROOM) -> None:
        self.room = room
        self.bytes = 0
        self._kept: OrderedDict[Any, bytes] = OrderedDict()

    def get(self, key: Any) -> bytes | None:
        """What was put under a key, if it is still there."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, key: Any, content: bytes) -> None:
        """Keep something, and let go what was not used for the longest time."""
        self.bytes += len(content) - len(self._kept.pop(key, b""))
        self._kept[key] = content
        while self.bytes > self.room:
            self.bytes -= len(self._kept.popitem(last=False)[1])


@dataclass(eq=False)
class Job:
    """A piece that is being computed."""

    key: tuple[Any, ...]
    question: Question  # what was asked
    back: str  # the address at which the piece is found when it is there
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    # ``True`` once the piece is at the desk, or a `Problem`; None before it has ended
    outcome: Literal[True] | Problem | None = None
    # what is counted, how many are done and of how many
    progress: tuple[str, int, int | None] = ("", 0, None)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    task: Task | None = None
    watchers: int = 0  # how many are being told of it
    # when it is left, by the clock, where nobody is being told of it
    until: float = field(default_factory=lambda: time.monotonic() + _GRACE)

    def ask_after(self) -> None:
        """Let it go on, for somebody has asked about it."""
        self.until = time.monotonic() + _GRACE

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Let it go on meanwhile, and end soon afterwards if others do not ask about it."""
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1
            self.until = time.monotonic() + _LEAVING


class Desk:
    """Takes questions, and gives answers or jobs.

    `limits`: what the workers may take.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._kept = Kept()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._open: dict[tuple[Any, ...], Job] = {}
        self._crew: Crew | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start the workers, in a running event loop."""
        self._loop = asyncio.get_running_loop()
        self._crew = Crew(self.limits)
        self._looking = self._loop.create_task(self._look())

    async def _look(self) -> None:
        """Cancel what everybody has left."""
        while True:
            await asyncio.sleep(_LOOK)
            for job in list(self._open.values()):
                if not job.watchers and time.monotonic() > job.until:
                    self.cancel(job)

    def close(self) -> None:
        """End the workers."""
        if self._looking:
            self._looking.cancel()
        if self._crew:
            self._crew.close()
            self._crew = None

    def processes(self) -> list[int]:
        """Process ids of the workers."""
        return self._crew.processes() if self._crew else []

    def job(self, name: str) -> Job | None:
        """The job with that name, if it is remembered; it is not left, for it is asked about."""
        job = self._jobs.get(name)
        if job:
            job.ask_after()
        return job

    def before(self, job: Job) -> int | None:
        """How many others wait before a job; None once it is worked at."""
        return self._crew.before(job.task) if self._crew and job.task else None

    def cancel(self, job: Job) -> None:
        """End a job."""
        if self._crew and job.task and job.outcome is None:
            self._crew.cancel(job.task)

    async def ask(self, question: Question, piece: Piece, back: str, patience: float) -> Any:
        """Give a piece of the answer to a question, a problem, or the job that looks for it."""
        key = (str(question), *piece)
        kept = self._kept.get(key)
        if kept is not None:
            return pickle.loads(kept)  # noqa: S301 - what a worker of ours has made
        job = self._open.get(key) or self._begin(key, question, piece, back)
        if job.outcome is None:
            try:
                with job.watched():
                    await asyncio.wait_for(job.ended.wait(), patience)
            except TimeoutError:
                job.ask_after()
                return job
        if isinstance(job.outcome, Problem):
            return job.outcome
        kept = self._kept.get(key)
        if kept is None:  # others took its room in the meantime
            return Problem("too many long answers were asked for at once; ask again", "", 503)
        return pickle.loads(kept)  # noqa: S301 - as above

    def _begin(self, key: tuple[Any, ...], question: Question, piece: Piece, back: str) -> Job:
        job = Job(key, question, back)
        known = self._kept.get(str(question)) if question.is_deterministic else None
        loop, crew = self._loop, self._crew
        if loop is None or crew is None:
            raise RuntimeError("the desk is not open")

        def hear(what: str, done: int, total: int | None) -> None:
            job.progress = (what, done, total)

        def end(outcome: Any) -> None:
            loop.call_soon_threadsafe(self._end, job, outcome)

        job.task = Task(_piece, (question, known, piece), hear, end)
        if not crew.submit(job.task):
            job.outcome = Problem(
                f"{self.limits.waiting} questions are waiting already; ask again later", "", 503
            )
            job.ended.set()
            return job
        self._open[key] = self._jobs[job.name] = job
        return job

    def _end(self, job: Job, outcome: Any) -> None:
        if isinstance(outcome, Problem):
            job.outcome = outcome
        else:
            made, report = outcome
            self._kept.put(job.key, made)
            if report is not None:
                self._kept.put(str(job.question), report)
            job.outcome = True
        job.task = None
        self._open.pop(job.key, None)
        job.ended.set()
        ended = [one.name for one in self._jobs.values() if one.outcome is not None]
        for name in ended[:-_JOBS]:
            del self._jobs[name]


def _piece(
    run: Run, question: Question, known: bytes | None, piece: Piece
) -> "Problem | tuple[bytes, bytes | None]":
    """Make a piece of an answer in a worker: the piece, and the report if it was not known."""
    report: Report = pickle.loads(known) if known else question.answer(run)  # noqa: S301 - as above
    made, *more = piece
    content = pickle.dumps(made(report, *more))
    pickled = None if known else pickle.dumps(report)
    if len(content) > _LARGEST or (pickled and len(pickled) > _LARGEST):
        mebibytes = max(len(content), len(pickled or b"")) >> 20
        return Problem(
            f"the answer has {mebibytes} MiB, more than a page can show; ask on the command line"
        )
    return content, pickled
