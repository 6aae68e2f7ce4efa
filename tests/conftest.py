"""Settings that every test shares: reproducible property tests, and versions in the header."""

import os
import signal
from collections import Counter
from pathlib import Path
from time import process_time

import flint
import gmpy2
import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.register_profile("dev", deadline=None)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev")
settings.load_profile(PROFILE)


# What a shell runs in the background ignores interrupts, and so do programs that it starts; but
# tests interrupt programs.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header():
    return (
        f"gmpy2 {gmpy2.version()} ({gmpy2.mp_version()}), python-flint {flint.__version__}, "
        f"hypothesis profile {PROFILE}"
    )


# Tests that count as slow without a mark. `pytest --processor-limit 0.3` finds more of them.
MEASURED = Path(__file__).with_name("slow.txt")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    measured = set(MEASURED.read_text(encoding="utf-8").splitlines())
    for item in items:
        if item.nodeid in measured:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.measured)
    is_retry = config.getoption("lf", False)
    if config.args_source is config.ArgsSource.TESTPATHS and not is_retry:  # all that can be run
        files = {item.nodeid.partition("::")[0] for item in items}
        for name in sorted(measured.difference(item.nodeid for item in items)):
            if name.partition("::")[0] in files:
                raise pytest.UsageError(f"{MEASURED.name} names {name}, which is no test")


def pytest_addoption(parser):
    words = "fail a test that takes more processor time and is not marked slow or long"
    parser.addoption("--processor-limit", type=float, metavar="SECONDS", help=words)


def _processor_time():
    times = os.times()
    return process_time() + times.children_user + times.children_system


def _slowness():
    """Compare a fixed loop's processor time now to the 0.17 s of an idle machine; at least 1."""
    before, value, values = process_time(), 0, {}
    for number in range(1_000_000):
        value = (31 * value + number) % 1_000_003
        values[number % 977] = value
    return max(1, (process_time() - before) / 0.17)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Fail a test above the limit; the retry of `make check` runs it again, alone.

    The limit is for an idle machine: on a slower or a busy one it is larger by a measured factor.
    """
    before, limit = _processor_time(), item.config.getoption("--processor-limit")
    result = yield
    taken = _processor_time() - before
    is_marked = any(map(item.get_closest_marker, ("slow", "long")))
    if limit is not None and taken > limit and not is_marked and taken > limit * _slowness():
        pytest.fail(
            f"{taken:.1f} s of processor time: make it faster, or mark it slow", pytrace=False
        )
    return result


TRIED: Counter[str] = Counter()
KILLED: Counter[str] = Counter()


@pytest.fixture
def record_mutants(record_property):
    return lambda kind, tried, killed: record_property("mutants", (kind, tried, killed))


def pytest_runtest_logreport(report):
    for name, counts in report.user_properties if report.when == "call" else ():
        if name == "mutants":
            kind, tried, killed = counts
            TRIED[kind] += tried
            KILLED[kind] += killed


def pytest_terminal_summary(terminalreporter):
    if TRIED:
        terminalreporter.section("mutants of certificates")
        for kind in sorted(TRIED):
            terminalreporter.write_line(f"{kind}: {TRIED[kind]} tried, {KILLED[kind]} killed")
        total, killed = sum(TRIED.values()), sum(KILLED.values())
        terminalreporter.write_line(f"all kinds: {total} tried, {killed} killed")
