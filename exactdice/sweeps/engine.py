"""The engine: gives the units that have no answer to an executor, and stores what comes back.

Any `concurrent.futures.Executor` will do, for the engine keeps nothing there: a unit counts as done
when its answer is on the disk, and whatever was in flight when a run ended is computed again.

* Units go out in *batches* of about half a second, so that small ones cost little more than they
  take; a batch that takes longer than a second comes back unfinished. What comes back is one pack
  of the store.
* A unit that raises an error is recorded with it, and the others go on.
* Where a worker dies (killed, out of memory), every unit that it may have had in hand is computed
  again at the end, alone: the one that kills its worker once more is recorded as the one that died.
* Another run on the same store may answer units at the same time. The first run takes them in their
  order, every other in an order by chance, so that none follows at another's heels, and all look
  now and then at what is stored. At worst a unit is computed twice, with the same answer; the store
  refuses two that differ.
* A worker says which code it runs. Answers of other code are refused.
* A worker of this machine also gets the store's levels, so that a long unit that was in flight goes
  on from the last one of them. They are removed once it is answered. Where they cannot be read or
  kept, as on a full disk, the run ends: that is no outcome of the unit.
"""

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
from contextlib import contextmanager
from dataclasses import dataclass, replace

from exactdice.arithmetic import RationalLike
from exactdice.errors import ExactDiceError, OutputError
from exactdice.report.model import Report
from exactdice.rooms import ask
from exactdice.run import DEFAULT, Keeper, Run
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, StoredAnswer, UnitStatus, document_of, identity, report_of
from exactdice.sweeps.workforce import Workforce

#: Answers a unit, given by its text.
Ask = Callable[[str, Run], Report]

_BATCH = 500  # milliseconds that a batch should take
_LARGEST_BATCH = 500  # units
_GROWTH = 8  # how many times larger a batch may be than the last one
_LOOK = 2  # seconds between looks at what others have stored
_PATIENCE = 1  # seconds without news


@dataclass(frozen=True)
class _Computed:
    """A batch as it comes back from a worker."""

    made_by: str
    answers: tuple[StoredAnswer, ...]
    levels: tuple[str, ...] = ()  #: names of levels that are not needed once these are stored


class _Noted:
    """Passes levels on to a keeper, and notes which are there and what went wrong."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.names: set[str] = set()
        self.problem: OutputError | None = None

    def keep(self, name: str, content: bytes) -> None:
        with self._noting():
            self.keeper.keep(name, content)
        self.names.add(name)

    def kept(self, name: str) -> bytes | None:
        with self._noting():
            content = self.keeper.kept(name)
        if content is not None:
            self.names.add(name)
        return content

    def forget(self, name: str) -> None:
        with self._noting():
            self.keeper.forget(name)
        self.names.discard(name)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
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
    """Answer units; runs in the worker, and leaves the rest of a batch that takes too long."""
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
        if time.monotonic_ns() > end:  # they take longer than those before them
            break
    return _Computed(identity(), tuple(answers), tuple(levels))


def _answer(unit: str, run: Run, asking: Ask) -> StoredAnswer:
    begun = time.monotonic_ns()
    try:
        report = asking(unit, run)
        outcome = UnitStatus.FAILED if report.failure else UnitStatus.ANSWERED
        document = document_of(report)
        report_of(document)  # what cannot be read back is no answer
    except ExactDiceError as problem:
        outcome, document = UnitStatus.RAISED, str(problem).encode()
    except MemoryError:
        outcome, document = UnitStatus.RAISED, b"out of memory"
    except Exception as problem:  # whatever it is, it is recorded and shown
        outcome, document = UnitStatus.RAISED, f"{type(problem).__name__}: {problem}".encode()
    return StoredAnswer(unit, outcome, document, (time.monotonic_ns() - begun) // 1_000_000)


class _Line:
    """Units that wait, and how many make a batch."""

    def __init__(self, units: Sequence[str], *, is_alone: bool) -> None:
        self.wanted = set(units)
        order = list(units)
        if not is_alone:
            secrets.SystemRandom().shuffle(order)
        self.waiting = deque(order)
        self.suspects: deque[str] = deque()
        self.size = 1

    def batch(self, workers: int) -> list[str]:
        """Take the units that a worker computes next."""
        most = max(1, min(self.size, len(self.waiting) // (2 * workers)))
        return self._taken(self.waiting, most)

    def suspect(self) -> list[str]:
        """Take one unit that may have ended its worker."""
        return self._taken(self.suspects, 1)

    def _taken(self, line: deque[str], most: int) -> list[str]:
        taken: list[str] = []
        while line and len(taken) < most:
            unit = line.popleft()
            if unit in self.wanted:  # nobody has answered it meanwhile
                taken.append(unit)
        return taken

    def leave(self, units: Sequence[str]) -> None:
        """Take back units of a batch that took too long, to be the next ones."""
        self.waiting.extendleft(reversed(units))

    def pace(self, answers: Sequence[StoredAnswer]) -> None:
        """Learn from a batch how large the next ones should be."""
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

    Raises KeyboardInterrupt as it came; what had come back from workers is stored.
    """
    store.enter(asked)
    outcomes = ((unit, store.outcome(unit)) for unit in asked.units)
    missing = [unit for unit, known in outcomes if known is None or (again and not known.is_answer)]
    if missing:
        with store.turn(asked) as is_alone:
            line = _Line(missing, is_alone=is_alone)
            _Run(len(asked.units), line, store, workforce, run, asking).sweep()


class _Run:
    """One run over the units that are wanted."""

    def __init__(
        self, total: int, line: _Line, store: Store, workforce: Workforce, run: Run, asking: Ask
    ) -> None:
        self.total, self.line, self.store, self.workforce = total, line, store, workforce
        # the limit of time is one of each question
        self.run, self.seconds, self.asking = replace(run, seconds=None), run.seconds, asking
        # the units that a worker has in hand, and whether nothing else is computed meanwhile
        self.flying: dict[Future[_Computed], tuple[list[str], bool]] = {}
        self.executor: Executor | None = None
        self.looked = time.monotonic_ns()

    def sweep(self) -> None:
        """Go on until every unit is stored."""
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
        """Keep the workers busy; whether there is anything to wait for."""
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
        except RuntimeError as problem:  # it was shut down by whoever gave it
            raise OutputError(f"executor: {problem}; make one, and resume the sweep") from problem
        else:
            self.flying[future] = batch, is_alone

    def _land(self, done: Iterable[Future[_Computed]]) -> None:
        """Store what came back; units whose worker ended are computed again, alone."""
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
        if is_over:  # and with it whatever it had in hand
            for batch, _ in self.flying.values():
                self.line.suspects.extend(batch)
            self.flying.clear()
            self._stop()
        if unkept:
            raise unkept

    def _keep(self, computed: _Computed) -> None:
        if computed.made_by != self.store.made_by:
            raise OutputError(
                f"cluster: a worker runs {computed.made_by[:32]}…, and this is "
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
        """See now and then what other runs have answered."""
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
    return f"the worker that computed it ended: {words}".encode()
