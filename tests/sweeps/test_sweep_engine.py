"""The engine: the same answers on every executor, despite killed workers and full disks."""

import logging
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from unittest.mock import Mock, call

import pytest
from askers import AtOnce, answer, confined, digest, large, leveled

from exactdice.errors import InputError, OutputError
from exactdice.report.model import Provenance, Report
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.sweeps import Cluster, Given, Processes, Store, Sweep, UnitStatus, run_sweep
from exactdice.sweeps import engine as engine_module
from exactdice.sweeps.catalogue import define
from exactdice.sweeps.engine import _limit
from exactdice.sweeps.reports import _compared, verify_sweep
from exactdice.sweeps.store import StoredAnswer, document_of, identity

HERE = Path(__file__).parent


def threads(workers=2):
    return Given(ThreadPoolExecutor(workers), workers)


def check_all(sweep, store):
    for unit in sweep.units:
        assert store.report(unit).value("digest") == digest(unit)


def units(count, kind="unit"):
    return tuple(f"{kind} {n}" for n in range(count))


class Counting:
    def __init__(self):
        self.computed = []

    def __call__(self, unit, run):
        self.computed.append(unit)
        return answer(unit, run)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.mark.slow
def test_answers_are_the_same_on_every_executor(tmp_path):
    sweep = define("risk win {a} {d}", ["a=2..7", "d=1..4"])
    ways = {"processes": Processes(2, 2**30), "threads": threads(), "at once": Given(AtOnce(), 1)}
    for name, workforce in ways.items():
        store = Store(tmp_path / name)
        run_sweep(sweep, store, workforce)
        for unit in sweep.units:
            assert store.answer(unit).document == document_of(ask(unit)), (name, unit)
            assert document_of(store.report(unit)) == document_of(ask(unit))


def test_progress_starts_at_the_number_of_stored_units(store):
    heard = []
    run_sweep(Sweep("first", units(50)[:20]), store, threads(), asking=answer)
    telling = Run(progress=lambda *news: heard.append(news))
    run_sweep(Sweep("all", units(50)), store, threads(), telling, asking=answer)
    assert heard[0] == ("units", 20, 50)
    assert heard[-1] == ("units", 50, 50)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


def test_a_slow_batch_returns_unfinished(store):
    """Quick units make large batches; slow ones after them must not wait for each other."""
    slow = units(100, "slow")
    assert 1 <= len(engine_module.compute(slow, None, answer).answers) < 100
    sweep = Sweep("mixed", (*units(200), *slow))
    run_sweep(sweep, store, Given(AtOnce()), asking=answer)
    check_all(sweep, store)
    for pack in packs(store.folder):
        assert pack.read_bytes().partition(b"\n")[0].count(b'"slow ') < 100


def test_a_single_run_computes_units_in_order_and_only_once(store):
    sweep, asking = Sweep("units", units(30)), Counting()
    for _ in range(2):
        run_sweep(sweep, Store(store.folder), Given(AtOnce()), asking=asking)
    assert asking.computed == list(sweep.units)
    with store.turn(sweep) as first, store.turn(sweep) as second:
        assert (first, second) == (True, False)


@pytest.mark.slow
def test_small_units_share_packs(store):
    sweep = Sweep("units", units(2000))
    run_sweep(sweep, store, threads(), asking=answer)
    check_all(sweep, Store(store.folder))
    assert len(packs(store.folder)) < 100


def test_batches_grow_eightfold_up_to_half_a_second_and_five_hundred_units():
    def sizes(*milliseconds):
        line = engine_module._Line([], is_alone=True)
        for took in milliseconds:
            line.pace([StoredAnswer("", UnitStatus.ANSWERED, b"", took)] * line.size)
            yield line.size

    assert list(sizes(0, 0, 0, 0)) == [8, 64, 500, 500]
    assert list(sizes(1, 5, 50, 600, 0)) == [8, 64, 10, 1, 8]
    # At most half of what each of three workers is still to do.
    line = engine_module._Line(units(30), is_alone=True)
    line.size = 500
    assert line.batch(3) == list(units(5))


def test_an_error_is_recorded_and_the_other_units_finish(store):
    sweep = Sweep("mixed", ("raise 1", "unit 1", "fail 1", "unit 2", "memory 64"))
    run_sweep(sweep, store, threads(), asking=answer)
    assert store.answer("raise 1").document == b"ValueError: no answer to raise 1"
    assert store.outcome("raise 1") is UnitStatus.RAISED
    assert store.outcome("fail 1") is UnitStatus.FAILED
    assert store.report("fail 1").failure == "the check failed"
    check_all(Sweep("good", ("unit 1", "unit 2")), store)


def test_an_unreadable_answer_is_recorded_as_an_error(monkeypatch):
    def unreadable(document):
        raise ValueError("what was written cannot be read")

    monkeypatch.setattr(engine_module, "report_of", unreadable)
    [stored] = engine_module.compute(["size 1"], None, answer).answers
    assert stored.outcome is UnitStatus.RAISED
    assert stored.document == b"ValueError: what was written cannot be read"


def test_present_levels_are_listed_with_the_answers(tmp_path):
    store = {"read": b"1", "forgotten": b"2"}

    class Kept:
        keep, kept, forget = store.__setitem__, store.get, store.__delitem__

    def asking(unit, run):
        assert run.kept.kept("read") == b"1"
        assert run.kept.kept("none") is None
        assert run.kept.kept("forgotten") == b"2"
        run.kept.keep("made", b"3")
        run.kept.forget("forgotten")
        return answer(unit, run)

    assert engine_module.compute(["size 1"], None, asking, Kept()).levels == ("made", "read")


def test_errors_are_computed_again_on_request(store):
    sweep, computed = Sweep("mixed", ("raise 1", "fail 1", "unit 1")), []

    def counting(unit, run):
        computed.append(unit)
        return answer(unit.replace("raise", "unit") if len(computed) > 3 else unit, run)

    for again in (False, False, True):
        run_sweep(sweep, store, threads(1), again=again, asking=counting)
        assert len(computed) == 3 + again
    assert computed[3:] == ["raise 1"]
    assert store.outcome("raise 1") is UnitStatus.ANSWERED


@pytest.mark.slow
def test_workers_that_die_or_lack_memory_are_recorded_and_the_others_finish(store):
    good = units(12)
    sweep = Sweep("deadly", (*good[:5], "die 1", *good[5:], "memory 1"))
    before = active_children()  # of tests of servers, which may run in this process
    run_sweep(sweep, store, Processes(2, 2**28), asking=answer)  # and half a GiB for a worker
    check_all(Sweep("good", good), store)
    assert store.outcome("die 1") is UnitStatus.DIED
    assert store.answer("die 1").document.startswith(b"its worker process ended: ")
    assert store.outcome("memory 1") is UnitStatus.RAISED
    assert store.answer("memory 1").document == b"out of memory"
    assert set(active_children()) <= set(before)


@pytest.mark.parametrize(("hard", "expected"), [
    (resource.RLIM_INFINITY, 2**28 + 2**29), (2**40, 2**28 + 2**29),
    (2**29, 2**29)  # of which the system lets nobody have more
])  # fmt: skip
def test_a_worker_may_take_half_a_gigabyte_more_than_its_question(monkeypatch, hard, expected):
    limits = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (hard, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    _limit(None)
    _limit(2**28)
    assert limits == [(resource.RLIMIT_DATA, (expected, hard))]


@pytest.mark.slow
def test_a_killed_worker_costs_only_time(store):
    sweep = Sweep("slow", units(40, "slow"))
    before, killed = active_children(), []

    def kill_one(what, done, total):
        if done > 5 and not killed:
            killed.append(next(child for child in active_children() if child not in before))
            os.kill(killed[0].pid, signal.SIGKILL)

    run_sweep(sweep, store, Processes(2), Run(progress=kill_one), asking=answer)
    assert killed
    check_all(sweep, store)


class Breaking(AtOnce):
    good = 3

    def submit(self, call, *arguments):
        self.good -= 1
        if self.good < 0:
            raise BrokenExecutor("a worker died")
        return super().submit(call, *arguments)


class Replaced(Given):
    def start(self):
        return Breaking()


def test_a_broken_executor_is_replaced(store):
    sweep = Sweep("units", units(25))
    run_sweep(sweep, store, Replaced(None, 1), asking=answer)
    check_all(sweep, store)


def test_an_executor_that_was_shut_down_costs_a_line(store):
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(OutputError, match="make another one and resume the sweep"):
        run_sweep(Sweep("one", ("unit 1",)), store, Given(executor), asking=answer)


def test_a_worker_with_other_code_is_rejected(store, monkeypatch):
    monkeypatch.setattr(engine_module, "identity", lambda: "0.0.1 sources of old")
    with pytest.raises(OutputError, match=r"a worker runs 0.0.1 sources of old…, this process"):
        run_sweep(Sweep("one", ("unit 1",)), store, threads(), asking=answer)
    assert store.outcome("unit 1") is None


def in_threads(calls):
    running = [threading.Thread(target=call) for call in calls]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def test_of_simultaneous_runs_one_gets_the_lock(tmp_path):
    """If a sweep were written twice, two runs could lock it, each its own file."""
    for attempt in range(20):
        sweep, together = Sweep(f"slow {attempt}", ("slow 1",)), threading.Barrier(4)
        stores, first = [Store(tmp_path / "store") for _ in range(4)], []

        def run(store, sweep=sweep, together=together, first=first):
            together.wait()
            store.enter(sweep)
            with store.turn(sweep) as is_alone:
                first.append(is_alone)
                together.wait()

        in_threads(partial(run, store) for store in stores)
        assert sorted(first) == [False, False, False, True]


def test_two_runs_on_one_store_share_its_work(store, monkeypatch):
    # Each reads the store before each unit, so only units in work at the same time are computed
    # twice, however slow the machine is. Two runs in the same order would both compute all.
    monkeypatch.setattr(engine_module, "_LOOK", 0)
    monkeypatch.setattr(engine_module, "_LARGEST_BATCH", 1)
    sweep, asking = Sweep("slow", units(200, "slow")), Counting()
    run = lambda: run_sweep(sweep, Store(store.folder), threads(), asking=asking)  # noqa: E731
    in_threads([run, run])
    check_all(sweep, Store(store.folder))
    assert set(asking.computed) == set(sweep.units)
    assert len(asking.computed) < 1.5 * len(sweep.units)


def interrupting(most):
    def progress(what, done, total):
        if done > most:
            raise KeyboardInterrupt

    return Run(progress=progress)


def test_an_interrupt_keeps_finished_answers(store):
    sweep = Sweep("slow", units(60, "slow"))
    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, store, threads(), interrupting(10), asking=answer)
    stored = [unit for unit in sweep.units if Store(store.folder).outcome(unit)]
    assert 10 < len(stored) < 60
    run_sweep(sweep, store, threads(), asking=answer)
    check_all(sweep, store)


FULL = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from askers import large
from exactdice.errors import OutputError
from exactdice.sweeps import Given, Store, Sweep, run_sweep

store = Store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, resource.RLIM_INFINITY))
sweep = Sweep("large", tuple(f"unit {n}" for n in range(40)))
try:
    run_sweep(sweep, store, Given(ThreadPoolExecutor(2), 2), asking=large)
except OutputError as problem:
    print(problem)
"""


@pytest.mark.slow
def test_a_full_disk_costs_only_units_in_flight(tmp_path):
    """No file may grow beyond 90 kB: one answer of 64 kB fits, two do not."""
    script = tmp_path / "full.py"
    script.write_text(FULL)
    folder = tmp_path / "store"
    done = executed(script, folder)
    assert "cannot be written: File too large" in done.stdout
    assert not list(folder.rglob("*.part"))
    sweep = Sweep("large", units(40))
    before = Store(folder)
    stored = [unit for unit in sweep.units if before.outcome(unit)]
    assert len(stored) < 40
    run_sweep(sweep, before, threads(), asking=large)
    for unit in sweep.units:
        assert Store(folder).answer(unit).document == document_of(large(unit, Run()))


def executed(*words):
    command = [sys.executable, *map(str, words)]
    path = os.pathsep.join([str(HERE), *sys.path])
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def kill(times, home):
    return [int(word) for word in executed(HERE / "kills.py", times, home, 1).stdout.split()]


@pytest.mark.slow
def test_kills_cost_at_most_what_was_in_flight(tmp_path):
    made, stored, units = kill(12, tmp_path)
    assert made == 12 or stored == units


def test_a_unit_resumes_from_its_levels_after_a_kill(store):
    sweep = Sweep("levels", ("unit in levels",))
    run_sweep(sweep, store, Processes(1), asking=leveled)
    report = store.report("unit in levels")
    assert report.value("computed") == (3, 4, 5)
    assert report.value("total") == sum(range(6))
    assert list((store.folder / "levels").iterdir()) == []


@pytest.mark.parametrize(("is_damaged", "problem"), [(False, "too large"), (True, "is damaged")])
def test_levels_that_cannot_be_written_or_read_end_the_run(store, is_damaged, problem):
    sweep = Sweep("levels", ("unit 1",))
    if is_damaged:
        store.levels.keep("unit 1", b"content")
        (level,) = (store.folder / "levels").iterdir()
        level.write_bytes(b"another")
    before = active_children()  # of tests of servers, which may run in this process
    with pytest.raises(OutputError, match=problem):
        run_sweep(sweep, store, Processes(1), asking=confined)
    assert store.outcome("unit 1") is None
    assert set(active_children()) <= set(before)


@pytest.mark.long
def test_fifty_kills_cost_at_most_what_was_in_flight(tmp_path):
    made, stored, units = kill(60, tmp_path)
    assert made >= 50
    assert stored <= units


PROGRAM = [sys.executable, "-m", "exactdice", "sweep"]


def start(*words, **more):
    more |= {"env": os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, "text": True}
    more |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    return subprocess.Popen([*PROGRAM, *words], **more)


def packs(folder):
    return list((folder / "packs").iterdir()) if (folder / "packs").is_dir() else []


def wait_for_packs(folder, count, seconds=60):
    end = time.monotonic() + seconds
    while len(packs(folder)) < count:
        assert time.monotonic() < end, "nothing was stored"
        time.sleep(0.02)


GRID = ["risk win {a} {d}", "--over", "a=100..159", "--over", "d=100..101"]


def check_grid(folder):
    sweep, store = define(GRID[0], [GRID[2], GRID[4]]), Store(folder)
    for unit in sweep.units[::7]:
        assert store.answer(unit).document == document_of(ask(unit))
    assert all(store.outcome(unit) is UnitStatus.ANSWERED for unit in sweep.units)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_says_how_to_resume_and_resumes(tmp_path, end):
    folder = tmp_path / "store"
    program = start("run", *GRID, "--workers", "2", "--store", str(folder))
    try:
        wait_for_packs(folder, 1)
        begun = time.monotonic()
        os.killpg(program.pid, end)  # also to the workers, like a terminal or a batch system
        _, complaint = program.communicate(timeout=30)
        assert time.monotonic() - begun < 15  # a second on an idle machine
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    assert program.returncode == 128 + end  # as in shells
    assert "Traceback" not in complaint
    (words,) = complaint.splitlines()
    assert words.startswith("exactdice: interrupted; ")
    resuming = words.partition("resume with: exactdice sweep ")[2].split()
    program = start(*resuming)
    said, complaint = program.communicate(timeout=120)
    assert (program.returncode, complaint) == (0, "")
    assert "answered: 120 (questions answered)" in said
    check_grid(folder)


@pytest.mark.long
def test_two_processes_share_a_store(tmp_path):
    folder = tmp_path / "store"
    both = [start("run", *GRID, "--store", str(folder)) for _ in range(2)]
    for program in both:
        _, complaint = program.communicate(timeout=240)
        assert (program.returncode, complaint) == (0, "")
    check_grid(folder)


@pytest.mark.long
def test_fifty_kills_of_the_command_cost_at_most_what_was_in_flight(tmp_path):
    """Its workers would keep the pipe of the program open; they end with it."""
    folder, made = tmp_path / "store", 0
    chance = random.Random(1)  # noqa: S311 - no secret
    sweep = define("risk win {a} {d}", ["a=400..800", "d=200..239"])
    Store(folder).enter(sweep)
    while made < 50:
        program = start("resume", "--workers", "2", "--store", str(folder))
        if made % 2:  # at work for certain
            wait_for_packs(folder, len(packs(folder)) + 1)
            time.sleep(chance.uniform(0, 0.5))
        else:
            time.sleep(chance.uniform(0.2, 4))
        program.kill()
        program.communicate(timeout=30)
        assert program.returncode == -signal.SIGKILL, "it was done too soon"
        made += 1
        Store(folder)
    store = Store(folder)
    stored = [unit for unit in sweep.units if store.outcome(unit)]
    assert len(stored) >= 25
    assert not list(folder.rglob("*.part"))
    for unit in stored[:: len(stored) // 20 + 1]:
        assert store.answer(unit).document == document_of(ask(unit))


def test_verification_finds_different_answers(store):
    sweep = Sweep("units", units(8))
    with pytest.raises(InputError, match="got units without answers; expected a sweep with"):
        verify_sweep(sweep, store, threads(), 5, 1, asking=answer)
    run_sweep(sweep, store, threads(), asking=answer)
    report = verify_sweep(sweep, store, threads(), 5, 1, asking=answer)
    assert (report.value("stored"), report.value("compared"), report.failure) == (8, 5, "")
    report = verify_sweep(sweep, store, threads(), 99, 1, asking=large)
    assert report.value("different") == 8
    assert report.failure.startswith("8 of 8 answers differ; the first: unit ")
    assert "the bytes differ from byte" in report.table("answers").cells("problem")[0]


def test_answers_are_compared_by_outcome_and_byte_by_byte(tmp_path):
    sweep, store = Sweep("four", ("same", "other", "longer", "error")), Store(tmp_path / "store")

    def given(end, failure):
        def asking(unit, run):
            failed = failure if unit == "error" else ""
            provenance = Provenance("", {"it": end.get(unit, "")})
            return Report(unit, [], provenance=provenance, failure=failed)

        return asking

    run_sweep(sweep, store, threads(), asking=given({"other": "ab", "longer": "a"}, ""))
    again = given({"other": "ac", "longer": "a", "error": ""}, "no")
    report = verify_sweep(sweep, store, threads(), 4, 7, asking=again)
    assert report.provenance.conventions == {"seed": "7"}
    place = store.answer("other").document.index(b"ab") + 1
    assert sorted(report.table("answers").rows) == [
        ("error", False, "answered and now failed"), ("longer", True, None),
        ("other", False, f"the bytes differ from byte {place} on"), ("same", True, None),
    ]  # fmt: skip
    first = next(row[0] for row in report.table("answers").rows if not row[1])
    assert report.failure == f"2 of 4 answers differ; the first: {first}"
    one, two = Store(tmp_path / "one"), Store(tmp_path / "two")
    one.add([StoredAnswer("cut", UnitStatus.ANSWERED, b"abc")])
    two.add([StoredAnswer("cut", UnitStatus.ANSWERED, b"abcd")])
    for both in ((one, two), (two, one)):
        assert list(_compared(["cut"], *both)) == [("cut", "the bytes differ from byte 3 on")]


def test_the_time_limit_applies_to_each_question():
    def answer(unit, run):
        run.check()
        raise InputError(unit, run.seconds, "another")

    (answered,) = engine_module.compute(["one"], None, answer, None, "1/1000000000").answers
    assert b"the limit of 1/1000000000 seconds" in answered.document
    (answered,) = engine_module.compute(["one"], None, answer, None, 1000).answers
    assert answered.document == b"one: got 1000; expected another"


def test_an_interrupt_does_not_wait_for_units_in_work(store, monkeypatch):
    monkeypatch.setattr(engine_module, "_LARGEST_BATCH", 1)
    sweep = Sweep("slow", units(40, "slow"))
    goes_on, waited = threading.Event(), []

    def held(unit, run):
        if unit == "slow 5":
            waited.append(goes_on.wait(5))
        return answer(unit, run)

    workforce = threads()
    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, store, workforce, interrupting(8), asking=held)
    goes_on.set()
    workforce.executor.shutdown(wait=True)
    assert waited == [True]
    assert Store(store.folder).outcome("slow 5") is None


@pytest.fixture
def dask(monkeypatch):
    made = Mock()
    monkeypatch.setitem(sys.modules, "distributed", made)
    monkeypatch.setitem(sys.modules, "distributed.comm", Mock())
    made.client = made.Client.return_value
    made.client.status = "running"
    return made


@pytest.mark.parametrize("scheduler", ["", "tcp://there:8786"])
def test_a_cluster_is_started_queried_and_closed(dask, monkeypatch, scheduler):
    log = logging.getLogger("distributed.client")
    monkeypatch.setattr(log, "level", logging.INFO)
    here = dask.LocalCluster.return_value
    here.close.side_effect = TimeoutError  # a worker that computes
    cluster = Cluster(scheduler, 3)
    assert log.level == logging.CRITICAL
    for threads_of, size in (({"a": 2, "b": 3}, 5), ({}, 1)):  # until a worker joins
        dask.client.nthreads.return_value = threads_of
        assert cluster.size() == size
    executor = cluster.start()
    assert executor is dask.client.get_executor.return_value
    cluster.stop(executor)
    keys = dask.Security.temporary.return_value  # of this process
    private = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    local = call.LocalCluster(
        n_workers=3, threads_per_worker=1, security=keys, scheduler_kwargs=private
    )
    assert dask.mock_calls == [
        *([] if scheduler else [call.Security.temporary(), local]),
        call.Client(scheduler or here, timeout=20, set_as_default=False),
        *[call.Client().nthreads()] * 2, call.Client().run(identity),
        call.Client().get_executor(pure=False), call.Client().get_executor().shutdown(wait=False),
        call.Client().close(timeout=1),
        *([] if scheduler else [call.LocalCluster().close(timeout=1)])
    ]  # fmt: skip


def test_an_unusable_cluster_costs_a_line(dask):
    cluster = Cluster("tcp://there:8786")
    dask.client.run.side_effect = ModuleNotFoundError("exactdice")
    with pytest.raises(OutputError, match=r"a worker cannot import exactdice"):
        cluster.start()
    for problem, scheduler in ((OSError(), 1), (AttributeError(), None)):  # it has closed
        dask.client.nthreads.side_effect, dask.client.scheduler = problem, scheduler
        with pytest.raises(OutputError, match="the scheduler does not answer"):
            cluster.size()
    dask.client.scheduler = 1
    with pytest.raises(AttributeError):  # a fault
        cluster.size()
    dask.client.status = "closed"
    with pytest.raises(OutputError, match="the scheduler does not answer"):
        cluster.start()
    for problem in (OSError, ValueError, TimeoutError):
        dask.Client.side_effect = problem
        with pytest.raises(InputError, match=r"^scheduler: got 'there'"):
            Cluster("there")
