"""Timing two ways to the same number, and the memory of a whole command."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Measured:
    """What a computation gave and the processor seconds of its fastest run."""

    result: Any
    seconds: float


def fastest(compute: Callable[[], Any], runs: int = 3) -> Measured:
    """Run a computation several times and keep the fastest."""
    best = float("inf")
    result = None
    for _ in range(runs):
        start = time.process_time()
        result = compute()
        best = min(best, time.process_time() - start)
    return Measured(result, best)


def command(*words: str) -> tuple[float, float]:
    """Processor seconds and peak memory in MiB of one command line, start-up included."""
    program = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'exactdice', *sys.argv[1:]], check=True,"
        " stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program, *words], check=True, capture_output=True, text=True
    )
    seconds, mebibytes = finished.stdout.split()
    return float(seconds), float(mebibytes)


# Programs to measure against that are packages, whose versions a reader wants to know.
PACKAGES = ("dyce", "icepool", "pygambit", "stormpy", "SymPy")


def with_version(against: str) -> str:
    """The tool compared with, with its version if it is a package."""
    for name in PACKAGES:
        if against.startswith(name):
            return f"{name} {version(name)}{against.removeprefix(name)}"
    return against


def gambit_value() -> Callable[[Any], Fraction] | None:
    """The value of a matrix game by pygambit's exact linear program, or None where that is not."""
    try:
        import numpy as np
        import pygambit
    except ImportError:
        print("bench: pygambit is not installed; there is no comparison with it", file=sys.stderr)
        return None

    def value(payoff: list[list[int | Fraction]]) -> Fraction:
        entries = np.array([[Fraction(entry) for entry in row] for row in payoff], dtype=object)
        game = pygambit.StrategicGame.from_arrays(entries, -entries)
        (_, won), _ = pygambit.nash.lp_solve(game, rational=True).equilibrium.payoffs
        return Fraction(won.numerator, won.denominator)

    return value


class Bench:
    """Collects the figures of one game and prints them as a table."""

    def __init__(self, title: str, seconds: str = "of processor time") -> None:
        self.table = Table(
            title=title,
            title_justify="left",
            caption=f"seconds {seconds}; limit: what it may take; ratio: how much longer",
        )
        for heading in ("what", "seconds", "limit", "against", "its seconds", "ratio"):
            self.table.add_column(
                heading, justify="left" if heading in ("what", "against") else "right"
            )

    def add(
        self,
        what: str,
        ours: Measured | float,
        limit: str = "",
        against: str = "",
        theirs: Measured | None = None,
    ) -> None:
        """Add a figure, and a rival's if there is one; both must have the same result."""
        seconds = ours.seconds if isinstance(ours, Measured) else ours
        if theirs is None:
            self.table.add_row(what, f"{seconds:.4f}", limit, with_version(against))
            return
        assert isinstance(ours, Measured)
        assert ours.result == theirs.result, f"{what}: {against} gives another result"
        ratio = f"{theirs.seconds / seconds:.1f}×"
        rival = with_version(against)
        self.table.add_row(what, f"{seconds:.4f}", limit, rival, f"{theirs.seconds:.4f}", ratio)

    def say(self, what: str) -> None:
        """Add a line without a figure of its own."""
        self.table.add_row(what)

    def show(self) -> None:
        """Print the figures."""
        Console(width=120).print(self.table)
        sys.stdout.flush()  # in a pipe too: the next table takes minutes
