"""The engine: submits the units without an answer to an executor, and stores the results.

Any `concurrent.futures.Executor` works, because a unit counts as done only when its answer is on
the disk; units in flight when a run ends are computed again.

* Units are submitted in *batches* of about half a second, so that small ones cost little more than
  their own time; a batch that takes longer than a second returns unfinished. A returned batch is
  one pack of the store.
* A unit that raises an error is recorded with it; the others continue.
* If a worker dies (killed, out of memory), its possible units are computed again at the end, one at
  a time: a unit that kills its worker again is recorded as died.
* Another run on the same store may answer units at the same time. The first run takes them in
  order, others in random order, and all check regularly which are stored. At worst a unit is
  computed twice, with the same answer; the store rejects two that differ.
* A worker states its code. Answers of other code are rejected.
* A worker of this machine also gets the store's levels; an interrupted long unit resumes from them.
  They are removed once the unit has an answer. If they cannot be read or written, for example on a
  full disk, the run ends.

A *workforce* makes executors. `Processes` are processes of this machine, started afresh (spawn) so
that no thread or lock of the caller is copied; `Cluster` is a scheduler of `dask.distributed`, with
all its workers, also those that join later.
"""

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, ClassVar, Protocol

from exactdice.arithmetic import RationalLike, natural
from exactdice.errors import ExactDiceError, InputError, MissingExtraError, OutputError
from exactdice.posix import resource
from exactdice.processes import WorkerPool, worker_pool
from exactdice.report.model import Report
from exactdice.rooms import ask
from exactdice.run import DEFAULT, Keeper, Run
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, StoredAnswer, UnitStatus, document_of, identity, report_of

#: Answers a unit, given by its text.
Ask = Callable[[str, Run], Report]

_BATCH = 500  # milliseconds that a batch should take
_LARGEST_BATCH = 500  # units
_GROWTH = 8  # how many times larger a batch may be than the last one
_LOOK = 2  # seconds between checks for answers of other runs
_PATIENCE = 1  # seconds without news
_BESIDES = 2**29  # bytes of a worker in addition to those of its question: libraries, tables
_GONE = "cluster: the scheduler does not answer; start it and resume the sweep"
_ANSWERING = 20  # seconds for a scheduler to answer


class Workforce(Protocol):
    """Makes executors, a new one after one broke."""

    is_here: ClassVar[bool]  #: whether its workers have access to the files of this machine

    def start(self) -> Executor:
        """Return a new executor."""

    def size(self) -> int:
        """How many units are computed at a time."""

    def stop(self, executor: Executor) -> None:
        """End an executor immediately, without its current results."""


@dataclass(frozen=True)
class Processes(Workforce):
    """Processes of this machine."""

    workers: int
    # bytes per question; the system limits a worker to half a gigabyte more. None for no limit
    memory: int | None = None
    is_here: ClassVar[bool] = True

    def start(self) -> Executor:
        return worker_pool(natural(self.workers, "workers", least=1), _limit, self.memory)

    def size(self) -> int:
        return self.workers

    def stop(self, executor: Executor) -> None:
        assert isinstance(executor, WorkerPool)  # noqa: S101 - it is what `start` made
        executor.kill()


def _limit(memory: int | None) -> None:
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = memory + _BESIDES
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@dataclass(frozen=True)
class Given(Workforce):
    """An executor of the caller, which cannot be made again."""

    executor: Executor
    workers: int = 1
    is_here: ClassVar[bool] = False

    def start(self) -> Executor:
        return self.executor

    def size(self) -> int:
        return self.workers

    def stop(self, executor: Executor) -> None:
        executor.shutdown(wait=False, cancel_futures=True)


def _local_cluster(distributed: Any, workers: int) -> Any:
    try:
        keys = distributed.Security.temporary()
    except ImportError as problem:
        raise MissingExtraError.of("a local cluster", "cryptography", "cluster") from problem
    parts = "scheduler", "worker", "nanny"
    routes: dict[str, Any] = {f"distributed.{part}.http.routes": [] for part in parts}
    with import_module("dask").config.set(routes):
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            security=keys,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        )


class Cluster(Workforce):
    """The workers of a Dask scheduler.

    `scheduler`: its address, for example ``tcp://10.0.0.1:8786``; empty for a scheduler and
    `workers` processes on this machine. Raises MissingExtraError if dask.distributed is not
    installed, or cryptography for a local one.
    """

    is_here: ClassVar[bool] = False

    def __init__(self, scheduler: str, workers: int = 1) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError as problem:
            raise MissingExtraError.of("a cluster", "dask.distributed", "cluster") from problem
        # If the scheduler is gone, its client prints tracebacks; `_reaching` prints a line.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._local: Any = None
        if not scheduler:
            self._local = _local_cluster(distributed, workers)
        try:
            if scheduler:  # a Client of a malformed address prints a traceback when it is deleted
                import_module("distributed.comm").get_address_host_port(scheduler, strict=True)
            self._client: Any = distributed.Client(
                self._local or scheduler, timeout=_ANSWERING, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as problem:
            wanted = "the address of a running Dask scheduler, such as tcp://10.0.0.1:8786"
            raise InputError("scheduler", scheduler, wanted) from problem

    def start(self) -> Executor:
        if self._client.status != "running":
            raise OutputError(_GONE)
        self._check_workers()
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    def _check_workers(self) -> None:
        """Reject workers without this package, which would fail at every unit."""
        try:
            with self._reaching():
                self._client.run(identity)
        except ImportError as problem:
            words = f"cluster: a worker cannot import exactdice ({problem}); install it there"
            raise OutputError(words) from problem

    def size(self) -> int:
        """The present number of worker threads, at least 1."""
        with self._reaching():
            threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except (OSError, AttributeError) as problem:
            if isinstance(problem, AttributeError) and self._client.scheduler is not None:
                raise
            raise OutputError(_GONE) from problem  # a closed client has no scheduler

    def stop(self, executor: Executor) -> None:
        executor.shutdown(wait=False)
        self._client.close(timeout=1)
        if self._local is not None:
            with suppress(TimeoutError):  # a busy worker; it ends with this process
                self._local.close(timeout=1)


@dataclass(frozen=True)
class _Computed:
    made_by: str
    answers: tuple[StoredAnswer, ...]
    levels: tuple[str, ...] = ()  #: names of levels that are obsolete once these are stored


class _Noted:
    """Passes levels on to a keeper, and records their names and a problem."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.names: set[str] = set()
        self.problem: OutputError | None = None

    def keep(self, name: str, content: bytes) -> None:
        self._call(self.keeper.keep, name, content)
        self.names.add(name)

    def kept(self, name: str) -> bytes | None:
        content: bytes | None = self._call(self.keeper.kept, name)
        if content is not None:
            self.names.add(name)
        return content

    def forget(self, name: str) -> None:
        self._call(self.keeper.forget, name)
        self.names.discard(name)

    def _call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except OutputError as problem:
            self.problem = problem
            raise


def compute(
    units: Sequence[str],
    memory: int | None,
    asking: Ask = ask,
    kept: Keeper | None = None,
    seconds: "RationalLike | None" = None,
) -> _Computed:
    """Answer units in the worker; leaves the rest of a batch that takes too long."""
    answers: list[StoredAnswer] = []
    levels: list[str] = []
    end = time.monotonic_ns() + 2 * _BATCH * 1_000_000
    for unit in units:
        noted = _Noted(kept) if kept else None
        answers.append(_answer(unit, Run(memory=memory, kept=noted, seconds=seconds), asking))
        if noted and noted.problem:
            raise noted.problem
        if noted and answers[-1].outcome.is_answer:
            levels += sorted(noted.names)
        if time.monotonic_ns() > end:  # they take longer than earlier ones
            break
    return _Computed(identity(), tuple(answers), tuple(levels))


def _answer(unit: str, run: Run, asking: Ask) -> StoredAnswer:
    begun = time.monotonic_ns()
    try:
        report = asking(unit, run)
        outcome = UnitStatus.FAILED if report.failure else UnitStatus.ANSWERED
        document = document_of(report)
        report_of(document)  # an answer must be readable
    except ExactDiceError as problem:
        outcome, document = UnitStatus.RAISED, str(problem).encode()
    except MemoryError:
        outcome, document = UnitStatus.RAISED, b"out of memory"
    except Exception as problem:  # any error is recorded and shown
        outcome, document = UnitStatus.RAISED, f"{type(problem).__name__}: {problem}".encode()
    return StoredAnswer(unit, outcome, document, (time.monotonic_ns() - begun) // 1_000_000)


class _Line:
    def __init__(self, units: Sequence[str], *, is_alone: bool) -> None:
        self.wanted = set(units)
        order = list(units)
        if not is_alone:
            secrets.SystemRandom().shuffle(order)
        self.waiting = deque(order)
        self.suspects: deque[str] = deque()
        self.size = 1

    def batch(self, workers: int) -> list[str]:
        most = max(1, min(self.size, len(self.waiting) // (2 * workers)))
        return self._taken(self.waiting, most)

    def suspect(self) -> list[str]:
        return self._taken(self.suspects, 1)

    def _taken(self, line: deque[str], most: int) -> list[str]:
        taken: list[str] = []
        while line and len(taken) < most:
            unit = line.popleft()
            if unit in self.wanted:  # otherwise another run has answered it
                taken.append(unit)
        return taken

    def leave(self, units: Sequence[str]) -> None:
        """Take back the units of an unfinished batch, to be the next ones."""
        self.waiting.extendleft(reversed(units))

    def pace(self, answers: Sequence[StoredAnswer]) -> None:
        took = sum(answer.took for answer in answers)
        fitting = len(answers) * _BATCH // max(1, took)
        self.size = max(1, min(fitting, _GROWTH * self.size, _LARGEST_BATCH))


def run_sweep(
    asked: Sweep,
    store: Store,
    workforce: Workforce,
    run: Run = DEFAULT,
    *,
    again: bool = False,
    asking: Ask = ask,
) -> None:
    """Answer every unit of a sweep that has no answer in the store.

    Raises OutputError if the store cannot be written, the executor is gone, or a worker runs other
    code.

    An interrupt passes through; finished answers are stored.
    """
    store.enter(asked)
    outcomes = ((unit, store.outcome(unit)) for unit in asked.units)
    missing = [unit for unit, known in outcomes if known is None or (again and not known.is_answer)]
    if missing:
        with store.turn(asked) as is_alone:
            line = _Line(missing, is_alone=is_alone)
            _Run(len(asked.units), line, store, workforce, run, asking).sweep()


class _Run:
    def __init__(
        self, total: int, line: _Line, store: Store, workforce: Workforce, run: Run, asking: Ask
    ) -> None:
        self.total, self.line, self.store, self.workforce = total, line, store, workforce
        # the time limit applies to each question
        self.run, self.seconds, self.asking = replace(run, seconds=None), run.seconds, asking
        # submitted units, and whether they are computed alone
        self.flying: dict[Future[_Computed], tuple[list[str], bool]] = {}
        self.executor: Executor | None = None
        self.looked = time.monotonic_ns()

    def sweep(self) -> None:
        self._tell()
        try:
            while self.line.wanted and self._fill():
                done, _ = wait(self.flying, _PATIENCE, FIRST_COMPLETED)
                self._land(done)
                self._look()
        except KeyboardInterrupt:
            for future in [one for one in self.flying if one.done() and not one.cancelled()]:
                if future.exception() is None:
                    self._keep(future.result())
            raise
        finally:
            self._stop()

    def _fill(self) -> bool:
        workers = self.workforce.size()
        while self.line.waiting and len(self.flying) < 2 * workers:
            if batch := self.line.batch(workers):
                self._submit(batch)
        if not self.flying and (batch := self.line.suspect()):
            self._submit(batch, is_alone=True)
        return bool(self.flying or self.line.waiting or self.line.suspects)

    def _submit(self, batch: list[str], *, is_alone: bool = False) -> None:
        if self.executor is None:
            self.executor = self.workforce.start()
        units = tuple(batch)
        kept = self.store.levels if self.workforce.is_here else None
        try:
            future = self.executor.submit(
                compute, units, self.run.memory, self.asking, kept, self.seconds
            )
        except BrokenExecutor:
            self.line.suspects.extend(units)
            self._stop()
        except RuntimeError as problem:  # the caller has shut it down
            told = f"executor: {problem}; make another one and resume the sweep"
            raise OutputError(told) from problem
        else:
            self.flying[future] = batch, is_alone

    def _land(self, done: Iterable[Future[_Computed]]) -> None:
        """Store results; units whose worker ended are computed again, alone."""
        is_over, unkept = False, None
        for future in done:
            batch, is_alone = self.flying.pop(future)
            problem = CancelledError() if future.cancelled() else future.exception()
            if problem is None:
                self._keep(future.result())
                self.line.leave(batch[len(future.result().answers) :])
                continue
            if isinstance(problem, OutputError):
                unkept = problem
                continue
            is_over |= isinstance(problem, BrokenExecutor | CancelledError)
            if is_alone and not isinstance(problem, CancelledError):
                self._add([StoredAnswer(batch[0], UnitStatus.DIED, _last_words(problem))])
            else:
                self.line.suspects.extend(batch)
        if is_over:  # its submitted units are lost
            for batch, _ in self.flying.values():
                self.line.suspects.extend(batch)
            self.flying.clear()
            self._stop()
        if unkept:
            raise unkept

    def _keep(self, computed: _Computed) -> None:
        if computed.made_by != self.store.made_by:
            raise OutputError(
                f"cluster: a worker runs {computed.made_by[:32]}…, this process "
                f"{self.store.made_by[:32]}…; install the same package on both"
            )
        self._add(computed.answers)
        for level in computed.levels:
            self.store.levels.forget(level)
        self.line.pace(computed.answers)

    def _add(self, answers: Sequence[StoredAnswer]) -> None:
        self.store.add(answers)
        self.line.wanted.difference_update(answer.unit for answer in answers)
        self._tell()

    def _look(self) -> None:
        now = time.monotonic_ns()
        if now - self.looked > _LOOK * 10**9:
            self.looked = now
            self.line.wanted.difference_update(self.store.refresh())
            self._tell()

    def _tell(self) -> None:
        self.run.tell("units", self.total - len(self.line.wanted), self.total)

    def _stop(self) -> None:
        if self.executor is not None:
            executor, self.executor = self.executor, None
            self.workforce.stop(executor)


def _last_words(problem: BaseException) -> bytes:
    words = str(problem).replace("\n", " ") or type(problem).__name__
    return f"its worker process ended: {words}".encode()
