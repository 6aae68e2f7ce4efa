"""Sweeps: the engine with its store, against a Pool that keeps nothing.

Both start two processes afresh (spawn), answer the same questions and give the same bytes; these
are seconds on the clock, start included. Units of a second sleep, so that a busy machine does not
count. The small units are questions of half a millisecond each. Seen on two cores that ten other
processes shared: 4 % more than the Pool for units of a second, and 10 % less for the small ones.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Callable
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


def timed(compute: Callable[[], Any]) -> Measured:
    begun = time.monotonic()
    return Measured(compute(), time.monotonic() - begun)


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
    small = define("risk win {a} {d}", ["a=2..60", "d=1..50"])
    ours = timed(lambda: by_engine(small, ask))
    theirs = timed(lambda: by_pool(small, asked, 50))
    bench.add(f"{len(small.units)} chances to win at Risk", ours, "", "Pool.map", theirs)
