"""The desk: jobs that everybody shares, go on while somebody waits, and are remembered."""

import asyncio
import pickle
import time

import pytest

from exactdice.rooms import question
from exactdice.web import desk
from exactdice.web.desk import Desk
from exactdice.web.pieces import report_itself
from exactdice.web.workers import Limits, Problem

PIECE = (report_itself,)


class Hands:
    """Stands for the workers: a task ends when the test says so, or when it is cancelled."""

    def __init__(self, _limits):
        self.tasks = []

    def submit(self, task):
        self.tasks.append(task)
        return True

    def cancel(self, task):
        task.end(Problem("cancelled", "", 410))

    def before(self, _task):
        return None

    def close(self):
        pass


def at_a_desk(scenario):
    """Run a scenario at an open desk whose times are a twentieth of the usual ones."""

    def test(monkeypatch):
        monkeypatch.setattr(desk, "Crew", Hands)
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
async def test_a_job_that_is_running_is_never_forgotten_and_one_that_ended_is_in_time(
    one, monkeypatch
):
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
async def test_a_job_that_nobody_asks_about_is_cancelled(one, monkeypatch):
    job = await begun(one)
    start = time.monotonic()
    await asyncio.wait_for(job.ended.wait(), 5)
    assert job.outcome.status == 410
    assert time.monotonic() - start > desk._GRACE * 0.9


@at_a_desk
async def test_a_job_goes_on_while_somebody_asks_about_it_or_watches(one, monkeypatch):
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


@at_a_desk
async def test_one_client_does_not_take_every_place(one, monkeypatch):
    monkeypatch.setattr(desk, "MOST_OF_ONE", 3)
    for attackers in range(2, 5):
        await begun(one, f"risk win {attackers} 2", "me")
    refused = await begun(one, "risk win 9 2", "me")
    assert (refused.status, "try again" in refused.line) == (429, True)
    assert (await begun(one, "risk win 9 2", "them")).outcome is None


@at_a_desk
async def test_a_desk_that_is_closed_or_full_takes_no_question(one, monkeypatch):
    with pytest.raises(RuntimeError, match="not open"):
        await begun(Desk(Limits()))
    monkeypatch.setattr(one._crew, "submit", lambda task: False)
    refused = await begun(one)
    assert (refused.status, refused.line.split()[0]) == (503, str(one.limits.waiting))
    assert not one._open


@at_a_desk
async def test_an_answer_that_finds_no_room_is_to_be_asked_for_again(one, monkeypatch):
    one._kept.room = 0
    waiting = asyncio.create_task(one.ask(question("risk win 4 2"), PIECE, "/", 5))
    await asyncio.sleep(0)
    one._crew.tasks[0].end((pickle.dumps(1), pickle.dumps(2)))
    assert (await waiting).status == 503
