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


@pytest.fixture
def at_a_desk(monkeypatch):
    """Runs a scenario at an open desk of which all times are a twentieth of what they are."""
    monkeypatch.setattr(desk, "Crew", Hands)
    for name in ("_GRACE", "_LEAVING", "_LOOK"):
        monkeypatch.setattr(desk, name, getattr(desk, name) / 20)

    def run(scenario):
        async def opened():
            one = Desk(Limits())
            one.open()
            await scenario(one)
            one.close()

        asyncio.run(opened())

    return run


async def begun(one, text="risk win 4 2"):
    return await one.ask(question(text), PIECE, "/", 0.01)


def test_a_job_that_is_running_is_never_forgotten_and_one_that_ended_is_in_time(
    at_a_desk, monkeypatch
):
    monkeypatch.setattr(desk, "_JOBS", 3)

    async def scenario(one):
        long = await begun(one)
        with long.watched():
            later = []
            for attackers in range(5, 15):
                later.append(await begun(one, f"risk win {attackers} 2"))
                later[-1].task.end((pickle.dumps(None), None))
                await asyncio.sleep(0)
            assert one.job(long.name) is long
            assert [one.job(job.name) is job for job in later] == [False] * 7 + [True] * 3

    at_a_desk(scenario)


def test_a_job_that_nobody_asks_about_is_cancelled(at_a_desk):
    async def scenario(one):
        job = await begun(one)
        start = time.monotonic()
        await asyncio.wait_for(job.ended.wait(), 5)
        assert job.outcome.status == 410
        assert time.monotonic() - start > desk._GRACE * 0.9

    at_a_desk(scenario)


def test_a_job_goes_on_while_somebody_asks_about_it(at_a_desk):
    async def scenario(one):
        job = await begun(one)
        for _ in range(8):
            await asyncio.sleep(desk._GRACE / 3)
            one.job(job.name)
        assert job.outcome is None

    at_a_desk(scenario)


def test_a_job_goes_on_until_the_last_who_watches_it_has_left(at_a_desk):
    async def scenario(one):
        job = await begun(one)
        with job.watched():
            with job.watched():
                await asyncio.sleep(2 * desk._GRACE)
            await asyncio.sleep(2 * desk._GRACE)
            assert job.outcome is None
        await asyncio.wait_for(job.ended.wait(), desk._GRACE)

    at_a_desk(scenario)
