"""Memory is measured during a computation, which is stopped at the limit."""

import ctypes
import importlib
import os
import platform
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from mmap import PAGESIZE, mmap
from pathlib import Path
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from measured import executed

from exactdice import memory
from exactdice.errors import TimeLimitError, TooLargeError
from exactdice.memory import kept_within, left_by_the_system, memory_taken, require_memory, size

pytestmark = pytest.mark.skipif(memory_taken() is None, reason="the system does not say")

MEBI = 2**20


def grow(to, seconds=20):
    kept, ends = [], time.monotonic() + seconds
    while sum(map(len, kept)) < to and time.monotonic() < ends:
        kept.append(bytes(range(256)) * (MEBI // 256))
        time.sleep(0.002)
    return len(kept)


def test_used_memory_is_measured():
    before = memory_taken()
    with mmap(-1, 64 * MEBI) as kept:  # pages that the process did not have before
        for page in range(0, 64 * MEBI, PAGESIZE):
            kept[page] = 1
        assert 60 * MEBI < memory_taken() - before < 80 * MEBI


def test_a_block_above_the_limit_is_stopped_with_one_line():
    with (
        pytest.raises(
            TooLargeError, match=r"more than the limit of 32\.0 MiB; .*with Run\(memory=…\)$"
        ) as problem,
        kept_within(32 * MEBI),
    ):
        grow(2048 * MEBI)
    assert "\n" not in str(problem.value)


@given(st.integers(0, 10**15), st.integers(1, 10**18))
def test_a_size_above_a_limit_is_written_as_larger(limit, more):
    units = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}

    def read(words):
        number, unit = words.removesuffix(" or more").split()
        assert len(number) <= 6  # from 0 to 1024.0: no tail of digits
        return mpq(number) * units[unit]

    needed = limit + more
    assert read(size(limit)) <= limit
    assert read(size(needed, up=True)) >= min(needed, 1000 * 2**40)
    assert limit > 999 * 2**40 or read(size(limit)) < read(size(needed, up=True))


@pytest.mark.parametrize("limit", [None, 2**30])
def test_an_error_says_how_to_raise_the_limit_if_possible(limit):
    with pytest.raises(
        TooLargeError, match=r"needs about 5\.0 TiB, more than the limit of"
    ) as told:
        require_memory(5 * 2**40, "the table", limit=limit)
    assert ("Run(memory=" in str(told.value)) is (limit is not None)


RECURRENCE = """
from contextlib import nullcontext
from resource import RUSAGE_SELF, getrusage
from time import sleep
from gmpy2 import mpz
from exactdice.memory import kept_within

with {} as _:
    number = mpz(1) << 3_000_000
    sleep(1 / 2)  # short work is left as it is
    before = getrusage(RUSAGE_SELF).ru_minflt
    for _ in range(300):
        number = (number * 3 + number) // 4
    print(getrusage(RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_long_integers_reuse_freed_memory():
    """A number of 375 kB is 92 pages; outside the block each step takes about as many again."""
    taken = [
        int(subprocess.check_output([sys.executable, "-c", RECURRENCE.format(block)]))
        for block in ("kept_within(2**40)", "nullcontext()")
    ]
    assert 10 * taken[0] < taken[1]


def test_a_block_below_the_limit_ends_normally():
    with kept_within(512 * MEBI):
        assert grow(16 * MEBI) == 16
    with kept_within(None):
        assert grow(16 * MEBI) == 16


def test_a_block_is_stopped_if_the_machine_lacks_memory(tmp_path, monkeypatch):
    told = tmp_path / "meminfo"
    told.write_text("MemTotal: 8000000 kB\nMemAvailable: 120000 kB\n")
    monkeypatch.setattr(memory, "_OF_ALL", told)
    with (
        pytest.raises(TooLargeError, match=r"the machine has less than 128\.0 MiB left for all"),
        kept_within(4096 * MEBI),
    ):
        grow(2048 * MEBI)
    told.write_text("MemAvailable: 140000 kB\n")
    with kept_within(4096 * MEBI):
        assert grow(48 * MEBI) == 48


@pytest.mark.parametrize(("limit", "threads"), [(2**40, "1"), (-1, "None")])
def test_numpy_starts_no_threads_where_the_system_limits_memory(limit, threads):
    """If they do not fit, OpenBLAS interrupts the process."""
    program = (
        f"import os, resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, -1))\n"
        "import exactdice.memory; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    environment = {key: os.environ[key] for key in os.environ if "THREADS" not in key}
    shown = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)
    assert shown.strip() == threads


def test_an_interrupt_of_a_person_stays_an_interrupt():
    with pytest.raises(KeyboardInterrupt), kept_within(512 * MEBI):
        signal.raise_signal(signal.SIGINT)


def test_no_interrupt_comes_after_the_block(monkeypatch):
    # However the two race, the interrupt never comes after the block, and no thread is left.
    before = threading.active_count()
    for _ in range(20):
        monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
        try:
            with kept_within(-(2**40)):
                time.sleep(0.001)
        except TooLargeError:
            pass
        time.sleep(0.002)
    end = time.monotonic() + 10
    while threading.active_count() > before:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_ends_though_a_block_is_left_open():
    program = (
        "from exactdice.memory import kept_within\n"
        "block = kept_within(None, lambda: None)\n"
        "block.__enter__()"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_a_finalizer_ignores_is_repeated(monkeypatch):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 100))
    monkeypatch.setattr(memory, "_AGAIN", 0.2)
    ended = []

    def wait(for_what):
        for _ in range(1000):
            time.sleep(0.01)
        ended.append(for_what)

    class Finalized:
        def __del__(self):
            wait("finalizer")

    def work():
        Finalized()
        wait("work")

    with pytest.raises(TooLargeError), kept_within(-(2**40)):
        work()
    assert not ended


@pytest.mark.parametrize("method", ["start", "end"])
def test_no_interrupt_follows_one_that_came_at_an_end_of_the_block(monkeypatch, method):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    monkeypatch.setattr(memory, "_AGAIN", 0.1)
    done, late = getattr(memory._Watch, method), []

    def do_late(watch):
        if method == "start":
            done(watch)
        if not late:
            late.append(1)
            wait()
        done(watch)

    monkeypatch.setattr(memory._Watch, method, do_late)
    with pytest.raises(TooLargeError), kept_within(-(2**40)):
        pass
    time.sleep(0.3)


@pytest.mark.parametrize(
    ("patience", "is_whole"), [(memory._PATIENCE, True), (2, False)], ids=["usual", "short"]
)
def test_an_import_ends_before_the_block_is_stopped(monkeypatch, tmp_path, patience, is_whole):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 100))
    monkeypatch.setattr(memory, "_PATIENCE", patience)
    name = f"slow_library_{patience}"
    (tmp_path / f"{name}.py").write_text("import time\nfor _ in range(80): time.sleep(0.01)\n")
    monkeypatch.syspath_prepend(tmp_path)

    def import_and_go_on():
        importlib.import_module(name)
        for _ in range(1000):
            time.sleep(0.01)

    with pytest.raises(TooLargeError), kept_within(-(2**40)):
        import_and_go_on()
    assert (name in sys.modules) == is_whole


def test_another_thread_is_not_measured():
    with ThreadPoolExecutor(1) as pool:

        def asked():
            with kept_within(-(2**40)):
                time.sleep(0.3)
            return "answered"

        assert pool.submit(asked).result() == "answered"


UNDER_A_LIMIT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
from exactdice.cli import main
sys.exit(main(["dice", "distribution", sys.argv[1]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="measured by what Linux says")
def test_a_limit_of_the_system_costs_one_line():
    """Without the check, GMP would end the process."""
    large = executed(UNDER_A_LIMIT, "3000d6")
    assert (large.returncode, large.stdout) == (2, "")
    assert "that the system allows this process (ulimit -v); ask for less" in large.stderr
    assert large.stderr.count("\n") == 1
    small = executed(UNDER_A_LIMIT, "3d6")
    assert (small.returncode, small.stderr) == (0, "")


def test_memory_left_is_the_limit_minus_reserved_memory(monkeypatch):
    """Source: VmSize in kB, from another file of Linux."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**45, resource.RLIM_INFINITY))
    status = Path("/proc/self/status").read_text()
    (reserved,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmSize"))
    assert abs(2**45 - int(reserved) * 1024 - left_by_the_system()) < 16 * MEBI
    monkeypatch.setattr(resource, "getrlimit", lambda _: (MEBI, resource.RLIM_INFINITY))
    assert left_by_the_system() == 0
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert left_by_the_system() is None


def test_a_computation_above_a_limit_of_the_system_does_not_start(monkeypatch):
    monkeypatch.setattr(memory, "left_by_the_system", lambda: 10 * MEBI)
    require_memory(10 * MEBI, "the table")
    with pytest.raises(
        TooLargeError,
        match=r"^the table needs about 10\.1 MiB, more than the 10\.0 MiB that the system allows",
    ):
        require_memory(10 * MEBI + 1, "the table", limit=2**40)
    require_memory(MEBI, "the table", limit=MEBI)
    with pytest.raises(TooLargeError, match=r"about 1\.1 MiB, more than the limit of 1\.0 MiB"):
        require_memory(MEBI + 1, "the table", limit=MEBI)


def wait():
    for _ in range(2000):
        time.sleep(0.001)


@pytest.mark.parametrize(("room", "least"), [(80, 10), (2**40, 2**25)])
def test_a_block_is_stopped_before_memory_runs_out(monkeypatch, room, least):
    """An eighth of the memory left at the beginning, or 32 MiB, stays free."""
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    left = iter([room, *[least] * 20, *[least - 1] * 1000])
    monkeypatch.setattr(memory, "left_by_the_system", lambda: next(left))
    monkeypatch.setattr(memory, "_keep_what_is_freed", lambda: None)
    with (
        pytest.raises(TooLargeError, match=r"nearly all of the .* allowed to it"),
        kept_within(None),
    ):
        wait()
    assert len(list(left)) >= 900  # it was stopped soon after there was less
    monkeypatch.setattr(memory, "left_by_the_system", lambda: least)
    with kept_within(None):
        time.sleep(0.02)


def test_a_block_is_stopped_by_its_check(monkeypatch):
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    looks = []

    def look():
        looks.append(1)
        if len(looks) == 3:
            raise TimeLimitError("it is late")

    with pytest.raises(TimeLimitError, match="it is late"), kept_within(None, look):
        wait()
    assert len(looks) == 3


def test_unknown_memory_of_the_machine_counts_as_much(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_OF_ALL", tmp_path / "meminfo")
    assert memory.left_for_all() >= 2**49
    (tmp_path / "meminfo").write_text("MemTotal: 8000000 kB\n")
    assert memory.left_for_all() >= 2**49
    (tmp_path / "meminfo").write_text("MemTotal: 8 kB\nMemAvailable:  7 kB\nBuffers: 3 kB\n")
    assert memory.left_for_all() == 7 * 1024


@pytest.mark.parametrize(("left", "arenas"), [(None, []), (MEBI, [(-8, 1)])])
def test_the_allocator_gets_the_parameters_of_its_header(monkeypatch, left, arenas):
    """Source: M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and M_ARENA_MAX of <malloc.h>."""
    told = []
    library = SimpleNamespace(mallopt=lambda *parameter: told.append(parameter))
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)
    monkeypatch.setattr(memory, "left_by_the_system", lambda: left)
    memory._keep_what_is_freed.__wrapped__()
    assert told == [(-1, 2**28), (-3, 2**25), *arenas]
