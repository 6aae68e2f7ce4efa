"""The engine: the same answers on every executor, whatever happens to the workers and the disk."""

import logging
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path
from unittest.mock import Mock, call

import pytest
from askers import answer, confined, digest, large, leveled

from exactdice.errors import InputError, MissingExtraError, OutputError
from exactdice.report.model import Provenance, Report
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.sweeps import Cluster, Given, Processes, Store, Sweep, UnitStatus, run_sweep
from exactdice.sweeps import engine as engine_module
from exactdice.sweeps.catalogue import define
from exactdice.sweeps.reports import _compared, verify_sweep
from exactdice.sweeps.store import StoredAnswer, document_of, identity
from exactdice.sweeps.workforce import _limit

HERE = Path(__file__).parent


def threads(workers=2):
    return Given(ThreadPoolExecutor(workers), workers)


def check_all(sweep, store):
    """Every unit that can be answered has the answer of the oracle."""
    for unit in sweep.units:
        assert store.report(unit).value("digest") == digest(unit)


class AtOnce:
    """An executor that does the work when it is handed in, in this thread."""

    def submit(self, call, *arguments):
        future = Future()
        future.set_result(call(*arguments))
        return future

    def shutdown(self, *, wait=True, cancel_futures=False):
        pass


@pytest.mark.slow
def test_answers_are_the_same_on_every_executor(tmp_path):
    """The oracle asks one question after another, without any engine."""
    sweep = define("risk win {a} {d}", ["a=2..7", "d=1..4"])
    for name, workforce in {
        "processes": Processes(2, 2**30),
        "threads": threads(),
        "at once": Given(AtOnce(), 1),
    }.items():
        store = Store(tmp_path / name)
        run_sweep(sweep, store, workforce)
        for unit in sweep.units:
            assert store.answer(unit).document == document_of(ask(unit)), (name, unit)
            assert document_of(store.report(unit)) == document_of(ask(unit))


def test_progress_counts_units_from_those_that_are_stored_to_all(tmp_path):
    store, heard = Store(tmp_path / "store"), []
    units = tuple(f"unit {n}" for n in range(50))
    run_sweep(Sweep("first", units[:20]), store, threads(), asking=answer)
    telling = Run(progress=lambda *news: heard.append(news))
    run_sweep(Sweep("all", units), store, threads(), telling, asking=answer)
    assert heard[0] == ("units", 20, 50)
    assert heard[-1] == ("units", 50, 50)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


def test_nothing_is_computed_twice(tmp_path):
    computed = []

    def counting(unit, run):
        computed.append(unit)
        return answer(unit, run)

    sweep = Sweep("units", tuple(f"unit {n}" for n in range(30)))
    for _ in range(2):
        run_sweep(sweep, Store(tmp_path / "store"), threads(), asking=counting)
    assert sorted(computed) == sorted(sweep.units)


def test_a_batch_that_takes_too_long_comes_back_unfinished(tmp_path):
    """Quick units make large batches; slow ones behind them must not wait for each other."""
    slow = tuple(f"slow {n}" for n in range(100))
    sizes = [len(engine_module.compute(slow, None, answer).answers)]
    assert 1 <= sizes[0] < 100
    sweep = Sweep("mixed", (*(f"unit {n}" for n in range(200)), *slow))
    store = Store(tmp_path / "store")
    run_sweep(sweep, store, Given(AtOnce()), asking=answer)
    check_all(sweep, store)
    for pack in (tmp_path / "store" / "packs").iterdir():
        assert pack.read_bytes().partition(b"\n")[0].count(b'"slow ') < 100


def test_a_run_that_is_alone_takes_units_in_their_order(tmp_path):
    computed = []

    def counting(unit, run):
        computed.append(unit)
        return answer(unit, run)

    sweep = Sweep("units", tuple(f"unit {n}" for n in range(30)))
    store = Store(tmp_path / "store")
    run_sweep(sweep, store, Given(AtOnce()), asking=counting)
    assert computed == list(sweep.units)
    with store.turn(sweep) as first, store.turn(sweep) as second:
        assert (first, second) == (True, False)


def test_small_units_share_packs(tmp_path):
    sweep = Sweep("units", tuple(f"unit {n}" for n in range(2000)))
    run_sweep(sweep, Store(tmp_path / "store"), threads(), asking=answer)
    check_all(sweep, Store(tmp_path / "store"))
    assert len(list((tmp_path / "store" / "packs").iterdir())) < 100


def test_batches_grow_eightfold_up_to_half_a_second_and_five_hundred_units():
    """A unit that takes longer makes a batch of its own."""

    def sizes(*milliseconds):
        line = engine_module._Line([], is_alone=True)
        for took in milliseconds:
            line.pace(
                [
                    StoredAnswer(f"unit {n}", UnitStatus.ANSWERED, b"", took)
                    for n in range(line.size)
                ]
            )
            yield line.size

    assert list(sizes(0, 0, 0, 0)) == [8, 64, 500, 500]
    assert list(sizes(1, 5, 50, 600, 0)) == [8, 64, 10, 1, 8]


def test_a_unit_that_raises_is_recorded_and_the_others_finish(tmp_path):
    sweep = Sweep("mixed", ("raise 1", "unit 1", "fail 1", "unit 2", "memory 64"))
    store = Store(tmp_path / "store")
    run_sweep(sweep, store, threads(), asking=answer)
    assert store.answer("raise 1").document == b"ValueError: no answer to raise 1"
    assert store.outcome("raise 1") is UnitStatus.RAISED
    assert store.outcome("fail 1") is UnitStatus.FAILED
    assert store.report("fail 1").failure == "the check failed"
    check_all(Sweep("good", ("unit 1", "unit 2")), store)


def test_an_answer_that_cannot_be_read_back_is_recorded_as_none(monkeypatch):
    def unreadable(document):
        raise ValueError("what was written cannot be read")

    monkeypatch.setattr(engine_module, "report_of", unreadable)
    [stored] = engine_module.compute(["size 1"], None, answer).answers
    assert stored.outcome is UnitStatus.RAISED
    assert stored.document == b"ValueError: what was written cannot be read"


def test_levels_that_were_read_or_kept_and_not_forgotten_are_named_with_the_answers(tmp_path):
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


def test_errors_are_computed_again_where_that_is_asked_for(tmp_path):
    sweep, store = Sweep("mixed", ("raise 1", "fail 1", "unit 1")), Store(tmp_path / "store")
    computed = []

    def counting(unit, run):
        computed.append(unit)
        return answer(unit.replace("raise", "unit") if len(computed) > 3 else unit, run)

    run_sweep(sweep, store, threads(1), asking=counting)
    run_sweep(sweep, store, threads(1), asking=counting)
    assert len(computed) == 3
    run_sweep(sweep, store, threads(1), again=True, asking=counting)
    assert computed[3:] == ["raise 1"]
    assert store.outcome("raise 1") is UnitStatus.ANSWERED


@pytest.mark.slow
def test_workers_that_die_or_run_out_of_memory_are_recorded_and_the_others_finish(tmp_path):
    good = tuple(f"unit {n}" for n in range(12))
    sweep = Sweep("deadly", (*good[:5], "die 1", *good[5:], "memory 1"))
    store = Store(tmp_path / "store")
    before = active_children()  # of tests of servers, which may run in this process
    run_sweep(sweep, store, Processes(2, 2**28), asking=answer)  # and half a GiB for a worker
    check_all(Sweep("good", good), store)
    assert store.outcome("die 1") is UnitStatus.DIED
    assert store.answer("die 1").document.startswith(b"the worker that computed it ended: ")
    assert store.outcome("memory 1") is UnitStatus.RAISED
    assert store.answer("memory 1").document == b"out of memory"
    assert set(active_children()) <= set(before)


@pytest.mark.parametrize(
    ("hard", "expected"),
    [
        (resource.RLIM_INFINITY, 2**28 + 2**29),
        (2**40, 2**28 + 2**29),
        (2**29, 2**29),  # of which the system lets nobody have more
    ],
)
def test_a_worker_may_take_half_a_gigabyte_more_than_its_question(monkeypatch, hard, expected):
    limits = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (hard, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    _limit(None)
    _limit(2**28)
    assert limits == [(resource.RLIMIT_DATA, (expected, hard))]


@pytest.mark.slow
def test_a_worker_that_is_killed_from_outside_costs_nothing_but_time(tmp_path):
    sweep = Sweep("slow", tuple(f"slow {n}" for n in range(40)))
    store = Store(tmp_path / "store")
    before, killed = active_children(), []

    def kill_one(what, done, total):
        if done > 5 and not killed:
            killed.append(next(child for child in active_children() if child not in before))
            os.kill(killed[0].pid, signal.SIGKILL)

    run_sweep(sweep, store, Processes(2), Run(progress=kill_one), asking=answer)
    assert killed
    check_all(sweep, store)


class Breaking(AtOnce):
    """An executor that is broken from some submission on, as a pool is whose worker died."""

    def __init__(self, good):
        self.good = good

    def submit(self, call, *arguments):
        self.good -= 1
        if self.good < 0:
            raise BrokenExecutor("a worker died")
        return super().submit(call, *arguments)


class Replaced(Given):
    """Makes a new executor where the last one broke."""

    def start(self):
        return Breaking(3)


def test_an_executor_that_breaks_is_replaced(tmp_path):
    sweep = Sweep("units", tuple(f"unit {n}" for n in range(25)))
    run_sweep(sweep, Store(tmp_path / "store"), Replaced(None, 1), asking=answer)
    check_all(sweep, Store(tmp_path / "store"))


def test_an_executor_that_was_shut_down_is_said_in_a_line(tmp_path):
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(OutputError, match="make one, and resume the sweep"):
        run_sweep(Sweep("one", ("unit 1",)), Store(tmp_path / "s"), Given(executor), asking=answer)


def test_a_worker_that_runs_other_code_is_refused(tmp_path, monkeypatch):
    store = Store(tmp_path / "store")
    monkeypatch.setattr(engine_module, "identity", lambda: "0.0.1 sources of old")
    with pytest.raises(OutputError, match=r"a worker runs 0.0.1 sources of old…, and this is"):
        run_sweep(Sweep("one", ("unit 1",)), store, threads(), asking=answer)
    assert store.outcome("unit 1") is None


def test_of_runs_that_begin_together_one_is_the_first(tmp_path):
    """Were a sweep written down twice, two could lock it, each in a file of its own."""
    for attempt in range(20):
        sweep, together = Sweep(f"slow {attempt}", ("slow 1",)), threading.Barrier(4)
        stores, first = [Store(tmp_path / "store") for _ in range(4)], []

        def run(store, sweep=sweep, together=together, first=first):
            together.wait()
            store.enter(sweep)
            with store.turn(sweep) as is_alone:
                first.append(is_alone)
                together.wait()

        runs = [threading.Thread(target=run, args=(store,)) for store in stores]
        for one in runs:
            one.start()
        for one in runs:
            one.join()
        assert sorted(first) == [False, False, False, True]


def test_two_runs_on_one_store_share_its_work(tmp_path, monkeypatch):
    """In threads here; `test_two_processes_share_a_store` has processes.

    Each looks at the store before each unit, so that only units under way at once are computed
    twice, however slow the machine is. Were one to follow the other, each would compute all.
    """
    monkeypatch.setattr(engine_module, "_LOOK", 0)
    monkeypatch.setattr(engine_module, "_LARGEST_BATCH", 1)
    sweep = Sweep("slow", tuple(f"slow {n}" for n in range(200)))
    computed = []

    def counting(unit, run):
        computed.append(unit)
        return answer(unit, run)

    def run():
        run_sweep(sweep, Store(tmp_path / "store"), threads(), asking=counting)

    both = [threading.Thread(target=run) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    check_all(sweep, Store(tmp_path / "store"))
    assert set(computed) == set(sweep.units)
    assert len(computed) < 1.5 * len(sweep.units)


def test_an_interrupt_keeps_what_came_back(tmp_path):
    sweep, store = Sweep("slow", tuple(f"slow {n}" for n in range(60))), Store(tmp_path / "store")

    def interrupt(what, done, total):
        if done > 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, store, threads(), Run(progress=interrupt), asking=answer)
    stored = [unit for unit in sweep.units if Store(tmp_path / "store").outcome(unit)]
    assert 10 < len(stored) < 60
    run_sweep(sweep, store, threads(), asking=answer)
    check_all(sweep, store)


# The disk --------------------------------------------------------------------------------------

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
def test_a_disk_that_fills_up_costs_what_was_in_flight(tmp_path):
    """No file may grow past 90 kB there: one answer of 64 kB fits, and two do not."""
    script = tmp_path / "full.py"
    script.write_text(FULL)
    folder = tmp_path / "store"
    done = subprocess.run(
        [sys.executable, str(script), str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
        check=True,
    )
    assert "cannot be written: File too large" in done.stdout
    assert not list(folder.rglob("*.part"))
    sweep = Sweep("large", tuple(f"unit {n}" for n in range(40)))
    before = Store(folder)
    stored = [unit for unit in sweep.units if before.outcome(unit)]
    assert len(stored) < 40
    run_sweep(sweep, before, threads(), asking=large)
    for unit in sweep.units:
        assert Store(folder).answer(unit).document == document_of(large(unit, Run()))


# Kills -----------------------------------------------------------------------------------------


def kill(times, home):
    done = subprocess.run(
        [sys.executable, str(HERE / "kills.py"), str(times), str(home), "1"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


@pytest.mark.slow
def test_kills_cost_at_most_what_was_in_flight(tmp_path):
    made, stored, units = kill(12, tmp_path)
    assert made == 12 or stored == units


def test_a_unit_whose_worker_was_killed_goes_on_from_its_levels(tmp_path):
    sweep, store = Sweep("levels", ("unit in levels",)), Store(tmp_path / "store")
    run_sweep(sweep, store, Processes(1), asking=leveled)
    report = store.report("unit in levels")
    assert report.value("computed") == (3, 4, 5)
    assert report.value("total") == sum(range(6))
    assert list((tmp_path / "store" / "levels").iterdir()) == []


@pytest.mark.parametrize(("is_damaged", "problem"), [(False, "too large"), (True, "is damaged")])
def test_levels_that_cannot_be_kept_or_read_end_the_run_and_are_no_outcome(
    tmp_path, is_damaged, problem
):
    """The question may be answered when there is room again."""
    sweep, store = Sweep("levels", ("unit 1",)), Store(tmp_path / "store")
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
    return subprocess.Popen(
        [*PROGRAM, *words],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        **more,
    )


def packs(folder):
    return list((folder / "packs").iterdir()) if (folder / "packs").is_dir() else []


def wait_for_packs(folder, count, seconds=60):
    end = time.monotonic() + seconds
    while len(packs(folder)) < count:
        assert time.monotonic() < end, "nothing was stored"
        time.sleep(0.02)


GRID = ["risk win {a} {d}", "--over", "a=100..159", "--over", "d=100..101"]


def check_grid(folder):
    """The store holds what asking one after another gives."""
    sweep, store = define(GRID[0], [GRID[2], GRID[4]]), Store(folder)
    for unit in sweep.units[::7]:
        assert store.answer(unit).document == document_of(ask(unit))
    assert all(store.outcome(unit) is UnitStatus.ANSWERED for unit in sweep.units)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_interrupted_says_how_to_go_on_and_goes_on(tmp_path, end):
    folder = tmp_path / "store"
    program = start("run", *GRID, "--workers", "2", "--store", str(folder))
    try:
        wait_for_packs(folder, 1)
        begun = time.monotonic()
        os.killpg(program.pid, end)  # as a terminal and a batch system do, to the workers too
        _, complaint = program.communicate(timeout=30)
        assert time.monotonic() - begun < 15  # a second on an idle machine
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    assert program.returncode == 128 + end  # as shells count
    assert "Traceback" not in complaint
    (words,) = complaint.splitlines()
    assert words.startswith("exactdice: interrupted; ")
    resuming = words.partition("go on with: exactdice sweep ")[2].split()
    program = start(*resuming)
    said, complaint = program.communicate(timeout=120)
    assert (program.returncode, complaint) == (0, "")
    assert "answered: questions answered\n  = 120" in said
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
    """Its workers, which would hold the pipe of the program open, end with it."""
    folder, made = tmp_path / "store", 0
    chance = random.Random(1)  # noqa: S311 - no secret
    sweep = define("risk win {a} {d}", ["a=400..800", "d=200..209"])
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


def test_verification_finds_an_answer_that_is_another(tmp_path):
    sweep, store = Sweep("units", tuple(f"unit {n}" for n in range(8))), Store(tmp_path / "store")
    with pytest.raises(InputError, match="got units without answers; expected one that has run"):
        verify_sweep(sweep, store, threads(), 5, 1, asking=answer)
    run_sweep(sweep, store, threads(), asking=answer)
    report = verify_sweep(sweep, store, threads(), 5, 1, asking=answer)
    assert (report.value("stored"), report.value("compared"), report.failure) == (8, 5, "")
    report = verify_sweep(sweep, store, threads(), 99, 1, asking=large)
    assert report.value("different") == 8
    assert report.failure.startswith("8 of 8 answers differ; the first: unit ")
    assert "the bytes differ from byte" in report.table("answers").cells("problem")[0]


def test_answers_are_compared_by_outcome_and_byte_by_byte(tmp_path):
    """The first place where both differ, which is the end of the shorter one if it begins alike."""
    sweep, store = Sweep("four", ("same", "other", "longer", "error")), Store(tmp_path / "store")

    def given(end, failure):
        def asking(unit, run):
            failed = failure if unit == "error" else ""
            return Report(
                unit, [], provenance=Provenance("", {"it": end.get(unit, "")}), failure=failed
            )

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


def test_the_limit_of_time_is_that_of_each_question():
    """A unit that looks at the clock has its own second from when it begins."""

    def answer(unit: str, run: Run) -> Report:
        run.check()
        raise InputError(unit, run.seconds, "another")

    (answered,) = engine_module.compute(["one"], None, answer, None, "1/1000000000").answers
    assert b"the limit of 1/1000000000 seconds" in answered.document
    (answered,) = engine_module.compute(["one"], None, answer, None, 1000).answers
    assert answered.document == b"one: got 1000; expected another"


def test_an_interrupt_does_not_wait_for_what_is_under_way(tmp_path, monkeypatch):
    monkeypatch.setattr(engine_module, "_LARGEST_BATCH", 1)
    sweep, store = Sweep("slow", tuple(f"slow {n}" for n in range(40))), Store(tmp_path / "store")
    goes_on, waited = threading.Event(), []

    def held(unit, run):
        if unit == "slow 5":
            waited.append(goes_on.wait(5))
        return answer(unit, run)

    def interrupt(what, done, total):
        if done > 8:
            raise KeyboardInterrupt

    workforce = threads()
    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, store, workforce, Run(progress=interrupt), asking=held)
    goes_on.set()
    workforce.executor.shutdown(wait=True)
    assert waited == [True]
    assert Store(tmp_path / "store").outcome("slow 5") is None


@pytest.fixture
def dask(monkeypatch):
    """Stands for dask.distributed, which notes what is asked of it."""
    made = Mock()
    monkeypatch.setitem(sys.modules, "distributed", made)
    made.client = made.Client.return_value
    made.client.status = "running"
    return made


@pytest.mark.parametrize("scheduler", ["", "tcp://there:8786"])
def test_a_cluster_is_started_asked_and_left(dask, monkeypatch, scheduler):
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
    local = call.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        security=dask.Security.temporary.return_value,  # keys of this process
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
    )
    assert dask.mock_calls == [
        *([] if scheduler else [call.Security.temporary(), local]),
        call.Client(scheduler or here, timeout=20, set_as_default=False),
        *[call.Client().nthreads()] * 2,
        call.Client().run(identity),
        call.Client().get_executor(pure=False),
        call.Client().get_executor().shutdown(wait=False),
        call.Client().close(timeout=1),
        *([] if scheduler else [call.LocalCluster().close(timeout=1)]),
    ]


def test_a_cluster_that_cannot_be_used_is_told_of_in_a_line(dask, monkeypatch):
    cluster = Cluster("tcp://there:8786")
    dask.client.run.side_effect = ModuleNotFoundError("exactdice")
    with pytest.raises(OutputError, match=r"a worker cannot import exactdice"):
        cluster.start()
    for problem, scheduler in ((OSError(), 1), (AttributeError(), None)):  # it has closed
        dask.client.nthreads.side_effect, dask.client.scheduler = problem, scheduler
        with pytest.raises(OutputError, match="the scheduler is gone"):
            cluster.size()
    dask.client.scheduler = 1
    with pytest.raises(AttributeError):  # a fault
        cluster.size()
    dask.client.status = "closed"
    with pytest.raises(OutputError, match="the scheduler is gone"):
        cluster.start()
    for problem in (OSError, ValueError, TimeoutError):
        dask.Client.side_effect = problem
        with pytest.raises(InputError, match=r"^scheduler: got 'there'"):
            Cluster("there")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"dask\.distributed is missing"):
        Cluster("there")
