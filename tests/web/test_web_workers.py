"""Workers and their limits, and the desk, whose jobs everybody shares."""

import asyncio
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactdice.errors import InputError, OutputError
from exactdice.rooms import question
from exactdice.run import Run
from exactdice.web import desk, workers
from exactdice.web.desk import AnswerCache, Desk
from exactdice.web.pieces import report_itself
from exactdice.web.workers import Crew, Limits, Problem, Task


def lives(process):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition, seconds=90):
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.02)


def double(_run, number):
    return 2 * number


def expect(run):
    run.expect(240 * 10**9, "the table")
    time.sleep(30)


def evaluate(_run, code):
    return eval(code)  # noqa: S307 - that of the tests below


WHOSE = evaluate, "os.getpid()"


def sleep(run, seconds):
    for done in range(1000 * seconds):
        run.tell("naps", done, 1000 * seconds)
        time.sleep(0.001)


def mistake(_run):
    raise InputError("sides", 0, "a whole number of at least 1")


def breed(_run, path):
    child = subprocess.Popen(["sleep", "60"])
    Path(path).write_text(str(child.pid))
    child.wait()


class Asked:
    """A task, and what came of it."""

    def __init__(self, crew, work, *given):
        self.ended = threading.Event()
        self.heard = []
        self.crew = crew
        self.task = Task(work, given, lambda *news: self.heard.append(news), self._end)
        self.was_taken = crew.submit(self.task)

    def _end(self, outcome):
        self.outcome = outcome
        self.ended.set()

    def answer(self):
        assert self.ended.wait(120)
        return self.outcome


@pytest.fixture(scope="module")
def crew():
    made = Crew(Limits(workers=1, seconds=2, memory=300 << 20, waiting=5))
    yield made
    processes = made.processes()
    made.close()
    assert not any(map(lives, processes))


def test_a_worker_answers_one_task_after_another_and_leaves_no_image_or_large_file(crew, tmp_path):
    assert [Asked(crew, double, n).answer() for n in range(5)] == [0, 2, 4, 6, 8]
    assert Asked(crew, *WHOSE).answer() == Asked(crew, *WHOSE).answer() == crew.processes()[0]
    worker = Asked(crew, *WHOSE).answer()
    assert resource.prlimit(worker, resource.RLIMIT_CORE) == (0, 0)
    writing = f"Path({str(tmp_path / 'x')!r}).write_bytes(b'x' * (3 << 20))"
    found = Asked(crew, evaluate, writing).answer()
    assert (found.status, "File too large" in found.line) == (500, True)
    assert (tmp_path / "x").stat().st_size <= 1 << 20


@pytest.mark.parametrize("is_known", [False, True])
def test_an_answer_larger_than_a_page_can_show_is_a_problem(is_known, monkeypatch):
    asked = question("risk win 4 2")
    known = pickle.dumps(asked.answer()) if is_known else None
    made = desk._piece(Run(), asked, known, (str,))
    assert isinstance(made, tuple)
    monkeypatch.setattr(desk, "_LARGEST", len(made[0]) - 1)
    assert "more than a page can show" in str(desk._piece(Run(), asked, known, (str,)))


@pytest.mark.slow
def test_a_cancelled_task_ends_its_process_and_what_that_has_started(crew, tmp_path):
    worker = Asked(crew, *WHOSE).answer()
    asked = Asked(crew, sleep, 30)
    until(lambda: asked.heard)
    assert asked.heard[0][0] == "naps"
    crew.cancel(asked.task)
    assert asked.answer() == Problem("cancelled", status=410)
    assert not lives(worker)
    assert Asked(crew, *WHOSE).answer() not in (worker, None)
    path = tmp_path / "pid"
    asked = Asked(crew, breed, str(path))
    until(lambda: path.exists() and path.read_text())
    crew.cancel(asked.task)
    asked.answer()
    until(lambda: not lives(int(path.read_text())))
    asked = Asked(crew, expect)
    until(lambda: asked.heard)
    assert asked.heard == [("the table takes about 4 minutes", 0, None)]
    crew.cancel(asked.task)
    asked.answer()


@pytest.mark.slow
def test_a_task_that_takes_too_much_or_a_worker_that_dies_ends_the_process(crew):
    worker = Asked(crew, *WHOSE).answer()
    assert "takes more than 2 s" in Asked(crew, sleep, 30).answer().line
    assert not lives(worker)
    worker = Asked(crew, *WHOSE).answer()
    hoarding = "bytearray(os.urandom(1) * (400 << 20)), time.sleep(30)"
    assert "takes more memory" in Asked(crew, evaluate, hoarding).answer().line
    assert not lives(worker)
    assert Asked(crew, evaluate, "os._exit(3)").answer().status == 500
    line = "sides: got 0; expected a whole number of at least 1"
    assert Asked(crew, mistake).answer() == Problem(line, "sides")
    found = Asked(crew, evaluate, "{}['value']").answer()
    assert (found.status, "KeyError" in found.line) == (500, True)
    assert Asked(crew, double, 4).answer() == 8


@pytest.mark.slow
def test_tasks_wait_in_their_order_and_not_without_end(crew):
    first = Asked(crew, sleep, 30)
    until(lambda: first.heard)
    waiting = [Asked(crew, double, n) for n in range(6)]
    assert [asked.was_taken for asked in waiting] == [True] * 5 + [False]
    assert [crew.before(asked.task) for asked in waiting[:5]] == [0, 1, 2, 3, 4]
    crew.cancel(waiting[2].task)
    assert (waiting[2].answer().line, crew.before(waiting[4].task)) == ("cancelled", 3)
    crew.cancel(first.task)
    assert [asked.answer() for asked in waiting[:2]] == [0, 2]
    assert waiting[4].answer() == 8


@pytest.mark.slow
def test_short_tasks_wait_neither_for_long_ones_nor_for_a_worker_that_only_begins(monkeypatch):
    crew = Crew(Limits(workers=1, seconds=60, short_lane=True))
    long = Asked(crew, sleep, 60)
    until(lambda: long.heard)
    assert Asked(crew, double, 4).answer() == 8
    other = Asked(crew, sleep, 60)  # given up by the short lane, and waits for the worker
    until(lambda: other.task.is_long)
    assert (Asked(crew, double, 5).answer(), crew.before(other.task)) == (10, 0)
    crew.cancel(long.task)
    news = len(other.heard)
    until(lambda: len(other.heard) > news)
    crew.close()
    fill = workers._Seat.fill

    def slowly(seat):
        time.sleep(0 if seat.is_short else 1)
        fill(seat)

    monkeypatch.setattr(workers._Seat, "fill", slowly)
    crew = Crew(Limits(workers=1, short_lane=True))
    process = Asked(crew, *WHOSE).answer()
    assert process == next(seat.process.pid for seat in crew._seats if not seat.is_short)
    crew.close()


def test_workers_end_when_the_server_is_killed_whatever_they_are_at(tmp_path):
    path = tmp_path / "server.py"
    path.write_text(
        "import os, time\nfrom exactdice.web.workers import Crew, Limits, Task\n"
        "def work(run):\n    run.tell(str(os.getpid()), 0, None)\n    time.sleep(600)\n"
        "def hear(process, *_): print(process, flush=True)\n"
        "if __name__ == '__main__':\n"
        "    Crew(Limits(workers=1)).submit(Task(work, (), hear, print))\n    time.sleep(60)\n"
    )
    program = [sys.executable, path]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        worker = int(server.stdout.readline())
        server.send_signal(signal.SIGKILL)
    until(lambda: not lives(worker))


def test_what_was_not_used_for_longest_is_let_go_first():
    kept = AnswerCache(100)
    for key in "abc":
        kept.put(key, b"x" * 40)
        kept.get("a")
    assert [kept.get(key) is None for key in "abc"] == [False, True, False]
    kept.put("a", b"x" * 90)
    assert (kept.bytes, kept.get("c")) == (90, None)


def test_the_beginning_of_a_worker_is_not_counted_as_time_of_its_task(monkeypatch):
    """Stands in for a process that took 50 s to begin; a task may take 2 s from then on."""
    news = [("ready",), ("told", 1, 2), ("done", "answer")]
    for after, outcome in ((51, "answer"), (53, "takes more than 2 s")):
        seat = workers._Seat(Limits(workers=1, seconds=2, memory=300 << 20, waiting=5))
        monkeypatch.setattr(seat, "_connection", telling(*news))
        taken = iter([0, 50, after, after])  # before, when it is ready, and then
        monkeypatch.setattr(seat, "_taken", lambda taken=taken: (next(taken), 200 << 20))
        monkeypatch.setattr(seat, "clear", lambda: None)
        heard = []
        task = Task(double, (2,), lambda *said, heard=heard: heard.append(said), None)
        came = seat.carry_out(task, lambda: False)
        assert outcome in (came.line if isinstance(came, Problem) else came)
        assert heard == [(1, 2)]


def telling(*news):
    """A connection on which news wait."""
    waiting = iter(news)
    return SimpleNamespace(send=lambda _: None, poll=lambda _: True, recv=lambda: next(waiting))


@pytest.mark.parametrize(("is_short", "seconds", "before", "taken", "kept", "line"), [
    # Its processor time counts where the system tells it: 2 s may be taken.
    (False, 9, 5, 7, 0, ""), (False, 9, 5, 7.5, 0, "takes more than 2 s"),
    # It may last five times as long.
    (False, 10, 5, 5.5, 0, ""), (False, 10.5, 5, 5.5, 0, "takes more than 2 s"),
    # Where the system tells nothing, its time counts.
    (False, 2, 0, 0, 0, ""), (False, 2.5, 0, 0, 0, "takes more than 2 s"),
    (False, 1, 5, 6, 4096, ""), (False, 1, 5, 6, 4097, "takes more memory"),
    # In the short lane it lasts 2 s.
    (True, 2, 5, 6, 0, ""), (True, 2.5, 5, 6, 0, "not for the short lane"),
])  # fmt: skip
def test_a_limit_is_broken_by_what_is_more(
    monkeypatch, is_short, seconds, before, taken, kept, line
):
    seat = workers._Seat(Limits(seconds=2, memory=4096), is_short=is_short)
    monkeypatch.setattr(seat, "_taken", lambda: (taken, kept))
    monkeypatch.setattr(workers.time, "monotonic", lambda: 1000 + seconds)
    task = Task(double, (2,), None, None)
    problem = seat._broken_limit(task, 1000, before, False)
    assert (line in problem.line) if line else problem is None
    assert seat._broken_limit(task, 1000, before, True) == workers.CANCELLED
    task.cancelled.set()
    assert seat._broken_limit(task, 1000, before, False) == workers.CANCELLED


def test_what_a_worker_takes_is_what_the_system_says_of_it():
    seat = workers._Seat(Limits())
    seat.process = SimpleNamespace(pid=0)  # which no process has
    assert seat._taken() == (0, 0)
    seat.process = SimpleNamespace(pid=os.getpid())
    sum(range(3_000_000))
    seconds, kept = seat._taken()
    assert seconds == pytest.approx(sum(os.times()[:2]), abs=0.1)
    pages = int(Path("/proc/self/statm").read_text().split()[1])  # those in memory: proc(5)
    assert kept == pytest.approx(os.sysconf("SC_PAGE_SIZE") * pages, rel=0.05)


@pytest.mark.parametrize(("kept", "is_ended"), [(50, False), (51, True)])
def test_a_worker_that_remembers_more_than_half_of_what_it_may_is_ended(
    monkeypatch, kept, is_ended
):
    seat, ended = workers._Seat(Limits(memory=100)), []
    monkeypatch.setattr(seat, "_connection", telling(("done", 7)))
    monkeypatch.setattr(seat, "_taken", lambda: (0, kept))
    monkeypatch.setattr(seat, "clear", lambda: ended.append(True))
    assert seat.carry_out(Task(double, (2,), None, None), lambda: False) == 7
    assert bool(ended) == is_ended


def test_a_worker_tells_of_progress_ten_times_a_second_at_most(monkeypatch):
    """By a clock of its own, on which each look is a sixteenth of a second later."""
    clock, sent = iter(n / 16 for n in range(1, 20)), []
    monkeypatch.setattr(workers.time, "monotonic", lambda: next(clock))

    def work(run, much):
        for done in range(much):
            run.tell("naps", done, much)
        run.announce("long")
        run.announce("longer")
        return run.memory

    connection = SimpleNamespace(send=sent.append)
    assert workers._carried_out(connection, 4096, work, (6,)) == 4096
    news = [("naps", 1, 6), ("naps", 3, 6), ("naps", 5, 6), ("long", 0, None), ("longer", 0, None)]
    assert sent == [("news", *each) for each in news]


@pytest.mark.slow
@pytest.mark.parametrize(("problem", "outcome"), [
    (InputError("sides", 0, "one more, or Run(memory=…)"),
     Problem("sides: got 0; expected one more, or --memory", "sides")),
    (OutputError("no room"), Problem("no room")),
    (KeyError("a\nb"), Problem(r"this is a bug in exactdice: KeyError: 'a\nb'", "", 500)),
    (TypeError("a\nb"), Problem("this is a bug in exactdice: TypeError: a b", "", 500)),
])  # fmt: skip
def test_whatever_goes_wrong_in_a_worker_is_a_problem(problem, outcome, capsys):
    def work(_run):
        raise problem

    assert workers._carried_out(None, 4096, work, ()) == outcome
    assert ("Traceback" in capsys.readouterr().err) == (outcome.status == 500)


PIECE = (report_itself,)


def hands(_limits):
    """Stand for the workers: a task ends when the test says so, or when it is cancelled."""
    tasks = []
    return SimpleNamespace(
        tasks=tasks, submit=lambda task: tasks.append(task) is None, before=lambda _: None,
        cancel=lambda task: task.end(Problem("cancelled", "", 410)), close=lambda: None,
    )  # fmt: skip


def at_a_desk(scenario):
    """Run a scenario at an open desk whose times are a twentieth of the usual ones."""

    def test(monkeypatch):
        monkeypatch.setattr(desk, "Crew", hands)
        for name in ("_GRACE", "_LEAVING", "_LOOK"):
            monkeypatch.setattr(desk, name, getattr(desk, name) / 20)

        async def opened():
            one = Desk(Limits())
            one.open()
            await scenario(one, monkeypatch)
            one.close()

        asyncio.run(opened())

    return test


async def begun(one, text="risk win 4 2", client=""):
    return await one.ask(question(text), PIECE, "/", 0.01, client)


@at_a_desk
async def test_a_running_job_is_never_forgotten_and_one_that_ended_in_time(one, monkeypatch):
    monkeypatch.setattr(desk, "_JOBS", 3)
    long = await begun(one)
    with long.watched():
        later = []
        for attackers in range(5, 15):
            later.append(await begun(one, f"risk win {attackers} 2"))
            later[-1].work.task.end((pickle.dumps(None), None))
            await asyncio.sleep(0)
        assert one.job(long.name) is long
        assert [one.job(job.name) is job for job in later] == [False] * 7 + [True] * 3


@at_a_desk
async def test_a_job_that_nobody_asks_about_is_cancelled_and_goes_on_else(one, monkeypatch):
    job = await begun(one)
    start = time.monotonic()
    await asyncio.wait_for(job.ended.wait(), 5)
    assert job.outcome.status == 410
    assert time.monotonic() - start > desk._GRACE * 0.9
    job = await begun(one)
    for _ in range(8):
        await asyncio.sleep(desk._GRACE / 3)
        one.job(job.name)
    assert job.outcome is None
    job = await begun(one)
    with job.watched():
        with job.watched():
            await asyncio.sleep(2 * desk._GRACE)
        await asyncio.sleep(2 * desk._GRACE)
        assert job.outcome is None
    await asyncio.wait_for(job.ended.wait(), desk._GRACE)


@at_a_desk
async def test_a_question_is_computed_once_for_all_its_pieces(one, monkeypatch):
    first = await one.ask(question("risk win 4 2"), PIECE, "/page", 0.01, "a")
    other = await one.ask(question("risk win 4 2"), (repr,), "/file", 0.01, "a")
    assert first.work is other.work
    assert (first.back, other.back) == ("/page", "/file")
    assert len(one._crew.tasks) == 1


@at_a_desk
async def test_who_cancels_leaves_the_others_what_they_wait_for(one, monkeypatch):
    mine, theirs = [await begun(one, client=name) for name in ("me", "them")]
    assert mine is not theirs
    one.cancel(mine)
    assert (mine.outcome.status, theirs.outcome) == (410, None)
    one.cancel(theirs)
    await asyncio.wait_for(theirs.ended.wait(), 5)
    assert theirs.outcome.status == 410


@pytest.mark.slow
@at_a_desk
async def test_a_desk_that_is_closed_or_full_of_one_client_takes_no_question(one, monkeypatch):
    monkeypatch.setattr(desk, "MOST_OF_ONE", 3)
    for attackers in range(2, 5):
        await begun(one, f"risk win {attackers} 2", "me")
    refused = await begun(one, "risk win 9 2", "me")
    assert (refused.status, "try again" in refused.line) == (429, True)
    assert (await begun(one, "risk win 9 2", "them")).outcome is None
    with pytest.raises(RuntimeError, match="not open"):
        await begun(Desk(Limits()))
    monkeypatch.setattr(one._crew, "submit", lambda task: False)
    refused = await begun(one, "risk win 8 2")
    assert (refused.status, refused.line.split()[0]) == (503, str(one.limits.waiting))
    assert "risk win 8 2" not in one._open


@pytest.mark.slow
@at_a_desk
async def test_an_answer_that_finds_no_room_is_to_be_asked_for_again(one, monkeypatch):
    one._kept.room = 0
    waiting = asyncio.create_task(one.ask(question("risk win 4 2"), PIECE, "/", 5))
    await asyncio.sleep(0)
    one._crew.tasks[0].end((pickle.dumps(1), pickle.dumps(2)))
    assert (await waiting).status == 503
