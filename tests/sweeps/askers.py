"""Answers to the units of these tests: a digest, or the failure that the unit names.

A unit is an action and a number. All answers are module functions, which worker processes import.
"""

import hashlib
import os
import resource
import signal
import time
from concurrent.futures import Future
from typing import Any

from exactdice import run as circumstances
from exactdice.report.model import Quantity, Report, listing, text_column, whole


def digest(unit):
    return hashlib.sha256(unit.encode()).hexdigest()


def report(unit, failure=""):
    quantities = [
        Quantity(whole("size", "letters of the unit"), len(unit)),
        Quantity(text_column("digest", "SHA-256 of the unit"), digest(unit)),
    ]
    return Report(f"unit {unit}", quantities, failure=failure)


def answer(unit, run):
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


def leveled(unit, run):
    """Answer in six levels; the first worker is killed after three."""
    circumstances.SELDOM = 0
    computed: list[int] = []

    def step(level, before):
        if len(computed) == 3 and computed[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        computed.append(level)
        return before + level

    found = circumstances.run_levels(
        run.kept, unit, 6, step, 0, write=lambda n: b"%d" % n, read=int
    )
    told = listing("computed", "levels that this worker computed")
    total = whole("total", "their sum")
    return Report(f"unit {unit}", [Quantity(told, tuple(computed)), Quantity(total, found)])


def confined(unit, run):
    """Read a level and keep a large one while files must be small, as on a full disk."""
    assert run.kept
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    run.kept.kept(unit)
    run.kept.keep(unit, bytes(1000))
    return report(unit)


def large(unit, run):
    words = "".join(digest(f"{unit} {place}") for place in range(1000))
    return Report(f"unit {unit}", [Quantity(text_column("words", "much text"), words)])


class AtOnce:
    def submit(self, call, *arguments):
        future: Future[Any] = Future()
        future.set_result(call(*arguments))
        return future

    def shutdown(self, *, wait=True, cancel_futures=False):
        pass


def killed(run, after):
    """Whether a run, in a process forked from this one, was killed before it was done."""
    child = os.fork()
    if child == 0:
        leave = os._exit
        try:
            run()
        except BaseException:
            leave(1)
        leave(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the run failed by itself"
    return os.WIFSIGNALED(status)
