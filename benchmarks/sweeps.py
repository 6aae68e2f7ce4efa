"""Sweeps: the engine with its store, compared with a Pool that stores nothing.

Both start two new processes (spawn), answer the same questions and give the same bytes, in seconds
of wall-clock time including the start. Units of a second sleep, so a busy machine adds only waiting
time; the processor time of all processes is shown too. The small units are questions of half a
millisecond each. Measured on two cores shared with fourteen other processes: 4 to 5 % more
wall-clock time than the Pool for sixty units of a second, including 0.6 % processor time (0.2 s in
30), and 8 % less for the small units. The overhead is at the start and the end, in waits for the
disk and a processor; between two units of a worker it is a third of a millisecond.
"""

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bench import Bench, Measured
from exactdice.report.model import Quantity, Report, text_column
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.sweeps import Processes, Store, Sweep, run_sweep
from exactdice.sweeps.catalogue import define
from exactdice.sweeps.engine import Ask
from exactdice.sweeps.store import document_of

WORKERS = 2
SECONDS = "on the clock"


def sleeping(unit: str, run: Run) -> Report:
    """A unit that takes a second."""
    time.sleep(1)
    return Report(unit, [Quantity(text_column("unit", "the unit"), unit)])


def slept(unit: str) -> bytes:
    return document_of(sleeping(unit, Run()))


def asked(unit: str) -> bytes:
    return document_of(ask(unit))


@dataclass(frozen=True)
class Timed(Measured):
    """What a computation gave, its seconds on the clock, and those of all processors."""

    processor: float


def timed(compute: Callable[[], Any]) -> Timed:
    begun, used = time.monotonic(), processor_time()
    result = compute()
    return Timed(result, time.monotonic() - begun, processor_time() - used)


def processor_time() -> float:
    """Processor seconds of this process, and of its children that have ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def by_engine(sweep: Sweep, asking: Ask) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as home:
        store = Store(Path(home) / "store")
        run_sweep(sweep, store, Processes(WORKERS), asking=asking)
        return {unit: store.answer(unit).document for unit in sweep.units}


def by_pool(sweep: Sweep, call: Callable[[str], bytes], chunk: int) -> dict[str, bytes]:
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        return dict(zip(sweep.units, pool.map(call, sweep.units, chunk), strict=True))


def measure(bench: Bench) -> None:
    seconds = Sweep("a second each", tuple(f"unit {n}" for n in range(60)))
    ours = timed(lambda: by_engine(seconds, sleeping))
    theirs = timed(lambda: by_pool(seconds, slept, 1))
    bench.add(f"{len(seconds.units)} units of a second", ours, "", "Pool.map", theirs)
    more = ours.seconds - theirs.seconds
    bench.add(
        f"more than Pool: {100 * more / theirs.seconds:.1f} %",
        more,
        f"{0.05 * theirs.seconds:.1f} (5 %)",
    )
    more = ours.processor - theirs.processor
    bench.add(f"of processor time: {100 * more / theirs.seconds:.1f} %", more)
    small = define("risk win {a} {d}", ["a=2..60", "d=1..50"])
    ours = timed(lambda: by_engine(small, ask))
    theirs = timed(lambda: by_pool(small, asked, 50))
    bench.add(f"{len(small.units)} chances to win at Risk", ours, "", "Pool.map", theirs)
