"""The desk: every question is computed once, and its answer cached.

Pages show *pieces* of an answer: its tables, a file to download. A cached piece is returned
immediately; otherwise a worker does some `Work`, and each client waits for it with a `Job`. A
question is computed once for all its pieces: its pickled report is cached for later ones.

A job continues while its client watches it or has asked about it within `_GRACE` seconds. Work that
all clients have left is cancelled; a client that cancels leaves it to the others.
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
from exactdice.web.workers import CANCELLED, Crew, Limits, Problem, Task

#: A module's function that makes a piece of an answer from its report, and its other arguments.
Piece = tuple[Callable[..., Any], *tuple[Any, ...]]

_LARGEST = 32 << 20  # bytes of one answer or piece
_ROOM = 64 << 20  # bytes of the cache
_JOBS = 500  # ended jobs that are remembered
_GRACE = 10  # seconds that a job continues after a request about it
_LEAVING = 3  # seconds after the last watcher has left; others ask at least every 2
_LOOK = 1  # seconds between checks of who waits
MOST_OF_ONE = 50  # simultaneous questions of one client


class AnswerCache:
    """A least-recently-used cache, limited by bytes."""

    def __init__(self, room: int = _ROOM) -> None:
        self.room = room
        self.bytes = 0
        self._kept: OrderedDict[Any, bytes] = OrderedDict()

    def get(self, key: Any) -> bytes | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, key: Any, content: bytes) -> None:
        self.bytes += len(content) - len(self._kept.pop(key, b""))
        self._kept[key] = content
        while self.bytes > self.room:
            self.bytes -= len(self._kept.popitem(last=False)[1])


@dataclass(eq=False)
class Work:
    question: Question
    piece: Piece  # the piece that is made first
    # True once the piece is cached, or a `Problem`; None before the end
    outcome: Literal[True] | Problem | None = None
    # what is counted, how many are done, and the total
    progress: tuple[str, int, int | None] = ("", 0, None)
    task: Task | None = None
    jobs: "list[Job]" = field(default_factory=list)


@dataclass(eq=False)
class Job:
    """The request of one client."""

    work: Work
    back: str  # the address of the answer
    client: str = ""  # the client's address
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    left: Problem | None = None  # set if it was cancelled while others wait for the work
    watchers: int = 0  # open streams of events
    # the time at which it is abandoned, if nobody watches it
    until: float = field(default_factory=lambda: time.monotonic() + _GRACE)

    @property
    def outcome(self) -> Literal[True] | Problem | None:
        return self.left or self.work.outcome

    def is_waited_for(self) -> bool:
        return not self.left and (self.watchers > 0 or time.monotonic() <= self.until)

    def ask_after(self) -> None:
        self.until = time.monotonic() + _GRACE

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep the job alive inside the context, and end it soon afterwards unless others ask."""
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1
            self.until = time.monotonic() + _LEAVING


class Desk:
    """Takes questions, and returns answers or jobs."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._kept = AnswerCache()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._open: dict[str, Work] = {}
        self._crew: Crew | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._crew = Crew(self.limits)
        self._looking = self._loop.create_task(self._look())

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK)
            for work in list(self._open.values()):
                if not any(job.is_waited_for() for job in work.jobs):
                    self._end_early(work)

    def close(self) -> None:
        if self._looking:
            self._looking.cancel()
        if self._crew:
            self._crew.close()
            self._crew = None

    def processes(self) -> list[int]:
        return self._crew.processes() if self._crew else []

    def job(self, name: str) -> Job | None:
        job = self._jobs.get(name)
        if job:
            job.ask_after()
        return job

    def before(self, job: Job) -> int | None:
        return self._crew.before(job.work.task) if self._crew and job.work.task else None

    def cancel(self, job: Job) -> None:
        if any(other.is_waited_for() for other in job.work.jobs if other is not job):
            job.left = CANCELLED
            job.ended.set()
        else:
            self._end_early(job.work)

    def _end_early(self, work: Work) -> None:
        if self._crew and work.task and work.outcome is None:
            self._crew.cancel(work.task)

    async def ask(
        self, question: Question, piece: Piece, back: str, patience: float, client: str = ""
    ) -> Any:
        """Return a piece of the answer to a question, a problem, or the job that computes it."""
        key = (str(question), *piece)
        while (kept := self._kept.get(key)) is None:
            job = self._join(question, piece, back, client)
            if job.outcome is None:
                try:
                    with job.watched():
                        await asyncio.wait_for(job.ended.wait(), patience)
                except TimeoutError:
                    job.ask_after()
                    return job
            if isinstance(job.outcome, Problem):
                return job.outcome
            if job.work.piece == piece and self._kept.get(key) is None:  # dropped from the cache
                return Problem("the answer was dropped, for lack of memory; try again", "", 503)
        return pickle.loads(kept)  # noqa: S301 - made by our own worker

    def _join(self, question: Question, piece: Piece, back: str, client: str) -> Job:
        work = self._open.get(str(question)) or self._begin(question, piece, client)
        for job in work.jobs:
            if (job.client, job.back, job.left) == (client, back, None):
                return job
        job = Job(work, back, client)
        if work.outcome is None:
            work.jobs.append(job)
            self._jobs[job.name] = job
        return job

    def _begin(self, question: Question, piece: Piece, client: str) -> Work:
        work = Work(question, piece)
        known = self._kept.get(str(question)) if question.is_deterministic else None
        loop, crew = self._loop, self._crew
        if loop is None or crew is None:
            raise RuntimeError("the desk is not open")
        own = sum(client in {job.client for job in one.jobs} for one in self._open.values())
        if client and own >= MOST_OF_ONE:
            line = f"{own} of your questions are being computed; try again when some are answered"
            work.outcome = Problem(line, "", 429)
            return work

        def hear(what: str, done: int, total: int | None) -> None:
            work.progress = (what, done, total)

        def end(outcome: Any) -> None:
            loop.call_soon_threadsafe(self._end, work, outcome)

        work.task = Task(_piece, (question, known, piece), hear, end)
        if crew.submit(work.task):
            self._open[str(question)] = work
        else:
            line = f"{self.limits.waiting} questions are waiting already; try again later"
            work.outcome = Problem(line, "", 503)
        return work

    def _end(self, work: Work, outcome: Any) -> None:
        question = str(work.question)
        if isinstance(outcome, Problem):
            work.outcome = outcome
        else:
            made, report = outcome
            self._kept.put((question, *work.piece), made)
            if report is not None:
                self._kept.put(question, report)
            work.outcome = True
        work.task = None
        self._open.pop(question, None)
        for job in work.jobs:
            job.ended.set()
        ended = [one.name for one in self._jobs.values() if one.outcome is not None]
        for name in ended[:-_JOBS]:
            del self._jobs[name]


def _piece(
    run: Run, question: Question, known: bytes | None, piece: Piece
) -> "Problem | tuple[bytes, bytes | None]":
    report: Report = pickle.loads(known) if known else question.answer(run)  # noqa: S301 - as above
    made, *more = piece
    content = pickle.dumps(made(report, *more))
    pickled = None if known else pickle.dumps(report)
    if len(content) > _LARGEST or (pickled and len(pickled) > _LARGEST):
        mebibytes = max(len(content), len(pickled or b"")) >> 20
        line = f"the answer has {mebibytes} MiB, more than a page can show"
        return Problem(f"{line}; ask on the command line")
    return content, pickled
