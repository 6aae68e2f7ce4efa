"""Count mutants over the session and print the sums at its end."""

from collections import Counter

import pytest

TRIED, KILLED = Counter(), Counter()


@pytest.fixture
def record_mutants(record_property):
    return lambda kind, tried, killed: record_property("mutants", (kind, tried, killed))


def pytest_runtest_logreport(report):
    """Sum what each test reports, in whichever process it ran."""
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
