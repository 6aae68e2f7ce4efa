"""Find the tests that cover a line of the package, and run them with a change.

A process that has loaded the libraries, but nothing of the package, forks a child for each run of
pytest in a copy of the tree.
"""

import contextlib
import ctypes
import hashlib
import importlib
import json
import os
import re
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

import coverage
import pytest
from _pytest.runner import runtestprotocol

LIBRARIES = [
    "click",
    "flint",
    "gmpy2",
    "hypothesis.strategies",
    "networkx",
    "numpy",
    "pandas",
    "pytest",
    "sympy",
]
LONG = 20  # seconds of processor time after which the coverage of a test is not recorded
LONGEST = 3600  # time limit of a child in seconds
MEMORY = 8 << 30  # memory limit of a child in bytes
KILLED, PASSED = 1, 0
_TEST = "EXACTDICE_TEST"  # environment variable with the name of the present test
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
TEXTS = "tests/test_house_rules.py"  # reads modules without running them
ALL = "tests/test_records.py"  # inspects all modules


def processor_time() -> float:
    return sum(os.times()[:4])


def forked(run: Callable[[], int]) -> int:
    """Run a function in a child, whose exit status is its result; return its process id."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        status = run()
    except SystemExit as refused:
        print(refused, file=sys.stderr)
    except BaseException:  # it must not go on as its parent, whatever happens
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def forget() -> None:
    """Clear the caches of functions of the package."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "exactdice":
            for kept in list(vars(module).values()):
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()


class Recorder:
    """Notes of each test what it covers and how long it takes; what does not pass is left out.

    Of one that takes longer than LONG it notes what it covers until then. What a program covers
    that a test starts is noted too, unless it is killed.
    """

    def __init__(self, tree: Path, kept: Path) -> None:
        self.took: dict[str, float] = {}
        self.skipped: set[str] = set()
        self.failed: set[str] = set()
        self.watched = kept.with_suffix(".coverage")
        for old in kept.parent.glob(f"{self.watched.name}*"):
            old.unlink()
        self.coverage = coverage.Coverage(
            data_file=self.watched, config_file=False, source=[str(tree / "exactdice")]
        )
        rules = kept.with_suffix(".ini")  # of the programs, which read them as they start
        rules.write_text(
            f"[run]\ndata_file = {self.watched}\nsource = {tree / 'exactdice'}\n"
            f"parallel = true\npatch = _exit\ncontext = ${{{_TEST}}}\n"
        )
        os.environ["COVERAGE_PROCESS_START"] = str(rules)
        signal.signal(signal.SIGPROF, lambda *_: sys.settrace(None))

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """Give what runs the name of the test, which finds nothing that another one left.

        Nor does the next one find what this one made for several, as a server: what comes of that
        would be seen of the first of them alone.
        """
        forget()
        self.coverage.switch_context(item.nodeid)
        os.environ[_TEST] = item.nodeid.replace("$", "$$")
        began, traced = processor_time(), sys.gettrace()
        signal.setitimer(signal.ITIMER_PROF, LONG)
        try:
            runtestprotocol(item, nextitem=None)
            return True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            sys.settrace(traced)
            self.took[item.nodeid] = processor_time() - began
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what does not pass as it stands."""
        if report.outcome != "passed":
            (self.failed if report.failed else self.skipped).add(report.nodeid)

    def unwatched(self) -> list[str]:
        """Watch no programs any more; name the tests that failed, maybe since that takes time."""
        del os.environ["COVERAGE_PROCESS_START"]
        failed, self.failed = sorted(self.failed), set()
        return failed

    def seen(self, tree: Path) -> dict[str, object]:
        """Return what was seen: the seconds of each test, and the tests of each line."""
        for name in self.failed | self.skipped:
            self.took.pop(name, None)
        tests = {name: number for number, name in enumerate(self.took)}
        self.coverage.save()
        self.coverage.combine()
        data = self.coverage.get_data()
        lines = {
            Path(file).relative_to(tree).as_posix(): {
                line: sorted(tests[name] for name in names if name in tests)
                for line, names in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        return {"took": self.took, "lines": lines, "failed": sorted(self.failed)}


class InOrder:
    """Runs tests in an order, each with a limit of processor time."""

    def __init__(self, took: dict[str, float]) -> None:
        self.took = took

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the tests into the order."""
        order = {name: place for place, name in enumerate(self.took)}
        items.sort(key=lambda item: order.get(item.nodeid, len(order)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Let a test take ten seconds and five times what it took without the change."""
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        most = int(used + 10 + 5 * self.took.get(item.nodeid, 10))
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


@dataclass(frozen=True)
class Place:
    """Lines of a module, those of their definition, and whether they run at import."""

    module: str
    lines: range
    around: range
    at_import: bool


class Rooms:
    """The subpackages of a copy of the tree, with the lines that their tests cover."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.covered: dict[str, dict] = {}
        for library in LIBRARIES:
            importlib.import_module(library)

    def of(self, module: str) -> str:
        """Name the room of a module; those at the top of the package share one."""
        parts = Path(module).parts[1:]
        if len(parts) == 1:
            return "."
        return "/".join(parts[:2]) if parts[0] == "games" and len(parts) > 2 else parts[0]

    def places(self, room: str) -> list[str]:
        """Name the folders and files of a room: modules with doctests, and tests."""
        if room == ".":
            found = {*self.tree.glob("exactdice/*.py"), *self.tree.glob("tests/test_*.py")}
            found -= {*self.tree.glob("tests/test_dice*.py"), self.tree / TEXTS}
        else:
            found = {self.tree / "exactdice" / room, *self.tree.glob(f"tests/test_{room}*.py")}
            found |= {*self.tree.glob(f"tests/{room}")}
        return sorted(path.relative_to(self.tree).as_posix() for path in found)

    def look_at(self, room: str, *, only_kept: bool = False) -> None:
        """See what the tests of a room cover, unless it is known of the room as it stands."""
        state = hashlib.sha256()
        for place in map(self.tree.joinpath, self.places(room)):
            for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
                state.update(path.read_bytes())
        kept = self.tree / "covered" / f"{room.replace('/', '-')}.json"
        if not kept.exists() or json.loads(kept.read_text())["state"] != state.hexdigest():
            if only_kept:
                return
            kept.parent.mkdir(exist_ok=True)

            def record() -> int:
                recorder = Recorder(self.tree, kept)
                recorder.coverage.start()
                status = pytest.main([*OPTIONS, *self.places(room)], [recorder])
                if slow := recorder.unwatched():
                    pytest.main([*OPTIONS, *slow], [recorder])
                recorder.coverage.stop()
                codes = pytest.ExitCode  # the tests of a room may all be those of others
                if status not in (codes.OK, codes.TESTS_FAILED, codes.NO_TESTS_COLLECTED):
                    return 1
                seen = {"state": state.hexdigest(), **recorder.seen(self.tree)}
                kept.write_text(json.dumps(seen))
                return 0

            status, took = self.child(record, LONGEST, kept.with_suffix(".log"))
            if status != 0:
                sys.exit(f"the tests of {room} cannot be run: see {kept.with_suffix('.log')}")
            print(f"looked at {room} in {took:.0f} s of processor time", flush=True)
        self.covered[room] = json.loads(kept.read_text())
        for name in self.covered[room]["failed"]:
            print(f"left out, for it fails as it stands: {name}", flush=True)

    def tests_for(self, place: Place, budget: float) -> dict[str, float]:
        """Choose the tests that a change at a place meets, with their seconds, in order."""
        own = self.of(place.module)
        chosen: dict[str, float] = {}
        near = [self.covered[own]]
        far = [seen for room, seen in self.covered.items() if room != own]
        around = partial(_covering, module=place.module, lines=place.around)
        if place.at_import:  # the line is covered by whichever test comes first
            users = {place.module, ALL, *self.users(place.module)}
            telling = [(near, around), (far, around)]
            telling.append(([*near, *far], partial(_using, files=users)))
        else:
            there = partial(_covering, module=place.module, lines=place.lines)
            telling = [(near, there), (far, there)]
        other = [(near, around), (near, lambda seen: seen["took"].items())]
        for ways in (telling, other):
            for rooms, found in ways:
                tests = {
                    name: took for seen in rooms for name, took in found(seen) if name not in chosen
                }
                for name, took in sorted(tests.items(), key=lambda test: test[1]):
                    if sum(chosen.values()) + took <= budget or not chosen:
                        chosen[name] = took
            if chosen:
                break  # what does not come to the place cannot tell
        return chosen

    def users(self, module: str) -> Iterator[str]:
        """Name the files that import a module by its name."""
        *above, name = Path(module).with_suffix("").parts
        folder = re.escape(".".join(above))
        imports = re.compile(
            rf"from {folder}(\.{name} import|( import [^\n(]*| import \([^)]*)\b{name}\b)"
        )
        for part in ("exactdice", "tests"):
            for path in sorted((self.tree / part).rglob("*.py")):
                if imports.search(path.read_text(encoding="utf-8")):
                    yield path.relative_to(self.tree).as_posix()

    def is_killed(self, module: str, source: str, tests: dict[str, float]) -> tuple[bool, float]:
        """Whether a test fails with a module so changed, and the seconds of processor time."""
        if not tests:
            return False, 0.0
        path = self.tree / module
        original, stamps = path.read_bytes(), path.stat()
        path.write_text(source, encoding="utf-8")

        def run() -> int:
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            status = pytest.main([*OPTIONS, "-x", *tests], [InOrder(tests)])
            return PASSED if status == pytest.ExitCode.OK else KILLED

        try:
            longest = 120 + 20 * sum(tests.values())
            status, took = self.child(run, longest, self.tree / "covered" / "last.log")
        finally:
            path.write_bytes(original)
            os.utime(path, ns=(stamps.st_atime_ns, stamps.st_mtime_ns))
        return status != PASSED, took

    def child(self, run: Callable[[], int], longest: float, log: Path) -> tuple[int, float]:
        """Run something in a child; return its status and its seconds of processor time."""

        def settled() -> int:
            self.settle(log)
            return run()

        pid = forked(settled)
        handle = os.pidfd_open(pid)
        try:
            select.select([handle], [], [], longest)
        finally:
            os.close(handle)
            with contextlib.suppress(ProcessLookupError):  # before it had a group of its own
                os.killpg(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
        return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime

    def settle(self, log: Path) -> None:
        """Make a child at home in the copy: its own group and limits, and its output in a file."""
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        os.setsid()
        os.chdir(self.tree)
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for old, new in ((nothing, 0), (out, 1), (out, 2)):
            os.dup2(old, new)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.modules["__main__"] = ModuleType("__main__")  # workers import their parent's program
        os.environ["HYPOTHESIS_PROFILE"] = "ci"
        os.environ["PYTHONPATH"] = str(self.tree)
        sys.path[:] = [
            str(self.tree),
            *(path for path in sys.path if path != str(Path(__file__).parent)),
        ]


OPTIONS = [
    "-q",
    "--no-header",
    "--tb=line",
    "--pythonwarnings=ignore::pytest.PytestAssertRewriteWarning",  # hypothesis is there already
    *(
        f"-pno:{plugin}"
        for plugin in ("anyio", "cacheprovider", "cov", "xdist", "xdist.looponfail")
    ),
]


def _using(seen: dict, files: set[str]) -> Iterator[tuple[str, float]]:
    """The tests in some files, or those that reach a line of one."""
    took = list(seen["took"].items())
    for file in files:
        yield from ((name, seconds) for name, seconds in took if name.startswith(f"{file}::"))
        for number in {test for tests in seen["lines"].get(file, {}).values() for test in tests}:
            yield took[number]


def _covering(seen: dict, module: str, lines: Iterable[int]) -> Iterator[tuple[str, float]]:
    took = list(seen["took"].items())
    covered = seen["lines"].get(module, {})
    for number in {test for line in lines for test in covered.get(str(line), ())}:
        yield took[number]
