"""A server for the tests of its pages: one desk with one worker for all of them."""

import contextlib
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("jinja2", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="the extra test is not installed")


@pytest.fixture(scope="session")
def desk():
    from exactdice.web.desk import Desk
    from exactdice.web.workers import Limits

    return Desk(Limits(workers=1, seconds=60))


@pytest.fixture(scope="session")
def client(desk):
    from starlette.testclient import TestClient

    from exactdice.web.application import application

    served = application(desk, ["127.0.0.1"])
    client = TestClient(served, "http://127.0.0.1:8000", follow_redirects=False)
    with contextlib.closing(client) as made, made:
        yield made


@pytest.fixture
def answered(client):
    """Follows an address until its answer is there, over redirections and jobs."""

    def follow(address, params=None):
        for _ in range(400):
            got = client.get(address, params=params)
            if got.status_code == 303:
                address, params = got.headers["location"], None
            elif got.status_code == 202 or "data-job" in got.text:
                time.sleep(0.1)
            else:
                return got
        raise AssertionError(f"{address} was not answered")

    return follow
