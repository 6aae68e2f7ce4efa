"""What answers the units of these tests: a digest, or what goes wrong as the unit says.

A unit is words: what it does, and a number. All of them are functions of the module, so that they
reach worker processes by their names.
"""

import hashlib
import os
import resource
import signal
import time

from exactdice import run as circumstances
from exactdice.report.model import Quantity, Report, listing, text_column, whole
from exactdice.run import Run


def digest(unit: str) -> str:
    """What a unit's answer says: the oracle of every test here."""
    return hashlib.sha256(unit.encode()).hexdigest()


def report(unit: str, failure: str = "") -> Report:
    quantities = [
        Quantity(whole("size", "letters of the unit"), len(unit)),
        Quantity(text_column("digest", "SHA-256 of the unit"), digest(unit)),
    ]
    return Report(f"unit {unit}", quantities, failure=failure)


def answer(unit: str, run: Run) -> Report:
    """Do what the unit says, then answer."""
    match unit.split()[0]:
        case "raise":
            raise ValueError(f"no answer to {unit}")
        case "fail":
            return report(unit, "the check failed")
        case "memory":
            bytearray(int(unit.split()[1]) << 30)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            raise SystemExit(3)
        case "slow":
            time.sleep(0.05)
        case "sleep":
            time.sleep(600)
    return report(unit)


def leveled(unit: str, run: Run) -> Report:
    """Answer in six levels, of which the first life of a worker computes three."""
    circumstances.SELDOM = 0
    computed: list[int] = []

    def step(level: int, before: int) -> int:
        if len(computed) == 3 and computed[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        computed.append(level)
        return before + level

    found = circumstances.run_levels(
        run.kept, unit, 6, step, 0, write=lambda n: b"%d" % n, read=int
    )
    told = listing("computed", "levels that this worker computed")
    total = whole("total", "what they add up to")
    return Report(f"unit {unit}", [Quantity(told, tuple(computed)), Quantity(total, found)])


def confined(unit: str, run: Run) -> Report:
    """Read a level and keep a large one, where no file may be large, as on a full disk."""
    assert run.kept
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    run.kept.kept(unit)
    run.kept.keep(unit, bytes(1000))
    return report(unit)


def large(unit: str, run: Run) -> Report:
    """Answer with much text, as much as a table has."""
    words = "".join(digest(f"{unit} {place}") for place in range(1000))
    return Report(f"unit {unit}", [Quantity(text_column("words", "much text"), words)])
