"""Sweeps on a Dask cluster: a scheduler and two workers, processes of their own on loopback."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from askers import answer, digest

from exactdice.errors import InputError, MissingExtraError, OutputError
from exactdice.run import Run
from exactdice.sweeps import Cluster, Store, Sweep, UnitStatus, run_sweep

pytest.importorskip("distributed", reason="dask.distributed, the extra cluster, is not installed")

from dask import config
from distributed import Client, Security

HERE = Path(__file__).parent


class Dask:
    def __init__(self, home):
        self.home, self.programs = home, []
        options = f"--host 127.0.0.1 --port 0 --no-dashboard --scheduler-file {home}/scheduler.json"
        self.scheduler = self.start("scheduler", *options.split())
        self.address = self.wait_for_address()
        self.workers = [self.add_worker() for _ in range(2)]

    def start(self, kind, *words):
        path = self.home / f"{kind}-{len(self.programs)}.log"
        environment = {
            "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]),
            # One death is enough: the engine computes again what may have caused it.
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
        }
        with path.open("w") as log:
            command = [sys.executable, "-m", "dask", kind, *words]
            streams = {"stdout": log, "stderr": log, "env": os.environ | environment}
            program = subprocess.Popen(command, start_new_session=True, **streams)
        self.programs.append(program)
        return program

    def wait_for_address(self):
        path, end = self.home / "scheduler.json", time.monotonic() + 120
        while time.monotonic() < end:
            with suppress(FileNotFoundError, json.JSONDecodeError):
                return json.loads(path.read_text())["address"]
            time.sleep(0.1)
        raise AssertionError("the scheduler did not start")

    def add_worker(self):
        options = "--nworkers 1 --nthreads 1 --no-dashboard --host 127.0.0.1 --memory-limit 500MB"
        words = [*options.split(), "--local-directory", str(self.home)]
        return self.start("worker", self.address, *words)

    def end(self):
        for program in self.programs:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    cluster = Dask(tmp_path_factory.mktemp("dask"))
    yield cluster
    cluster.end()


def test_workers_of_a_cluster_may_be_killed_and_run_out_of_memory(dask, tmp_path):
    """One worker is killed in the middle; one unit kills its worker each time it is computed; one
    asks for more memory than there is; one raises. All others are answered."""
    good = tuple(f"slow {n}" for n in range(60))
    sweep = Sweep("deadly", (*good[:20], "die 1", *good[20:], "memory 64", "raise 1"))
    store, killed = Store(tmp_path / "store"), []

    def kill_one(what, done, total):
        if done > 10 and not killed:
            killed.append(dask.workers[0])
            os.killpg(dask.workers[0].pid, signal.SIGKILL)  # also the nanny, which would restart it

    run_sweep(sweep, store, Cluster(dask.address), Run(progress=kill_one), asking=answer)
    assert killed
    for unit in good:
        assert store.report(unit).value("digest") == digest(unit)
    assert store.outcome("die 1") is UnitStatus.DIED
    assert store.outcome("memory 64") in (UnitStatus.RAISED, UnitStatus.DIED)
    assert store.answer("raise 1").document == b"ValueError: no answer to raise 1"


def test_a_closed_client_reports_a_missing_scheduler(dask):
    """Also if units are lost with the scheduler: the engine stops it and checks again."""
    cluster = Cluster(dask.address)
    cluster.stop(cluster.start())
    for look in (cluster.size, cluster.start):
        with pytest.raises(
            OutputError, match=r"the scheduler does not answer; start it and resume"
        ):
            look()


@pytest.mark.slow
def test_a_missing_scheduler_costs_a_line(dask, tmp_path, monkeypatch):
    monkeypatch.setattr("exactdice.sweeps.engine._ANSWERING", 2)
    sweep = Sweep("slow", tuple(f"slow {n}" for n in range(200)))
    store = Store(tmp_path / "store")

    def end(what, done, total):
        if done > 5 and dask.scheduler.poll() is None:
            os.killpg(dask.scheduler.pid, signal.SIGKILL)
            dask.scheduler.wait()

    with pytest.raises(OutputError, match=r"the scheduler does not answer; start it and resume"):
        run_sweep(sweep, store, Cluster(dask.address), Run(progress=end), asking=answer)
    assert 5 < sum(store.outcome(unit) is not None for unit in sweep.units) < 200


def test_an_address_without_a_scheduler_costs_a_line(monkeypatch):
    monkeypatch.setattr("exactdice.sweeps.engine._ANSWERING", 1)
    with pytest.raises(
        InputError, match=r"scheduler: got 'tcp://127\.0\.0\.1:1'; expected the address"
    ):
        Cluster("tcp://127.0.0.1:1")


@pytest.mark.parametrize("address", ["foo", "foo:x", "tcp://foo", "carrier://pigeon:1"])
def test_a_malformed_address_makes_no_client(monkeypatch, address):
    """The destructor of such a client prints a traceback, 40 seconds later."""
    monkeypatch.setattr("distributed.Client", Mock(side_effect=AssertionError))
    with pytest.raises(InputError, match=rf"scheduler: got '{address}'; expected the address"):
        Cluster(address)


def test_a_cluster_on_this_machine_needs_keys_which_need_a_library(monkeypatch):
    monkeypatch.setattr("distributed.Security.temporary", Mock(side_effect=ImportError("x")))
    with pytest.raises(MissingExtraError) as missing:
        Cluster("", 1)
    assert str(missing.value) == (
        "a local cluster: cryptography is missing; install it: pip install 'exactdice[cluster]'"
    )


@pytest.mark.slow
def test_a_local_cluster_has_keys_and_no_pages(monkeypatch):
    keys, routes = object(), {}

    def start(**options):
        for part in ("scheduler", "worker", "nanny"):
            routes[part] = config.get(f"distributed.{part}.http.routes")
        return SimpleNamespace(**options)

    monkeypatch.setattr("distributed.Security.temporary", lambda: keys)
    monkeypatch.setattr("distributed.LocalCluster", start)
    monkeypatch.setattr("distributed.Client", Mock())
    made = Cluster("", 3)._local
    assert (made.n_workers, made.security) == (3, keys)
    assert made.scheduler_kwargs == {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    assert routes == {"scheduler": [], "worker": [], "nanny": []}
    assert config.get("distributed.scheduler.http.routes")  # as it was


@pytest.mark.slow
def test_a_local_cluster_accepts_only_clients_with_its_keys():
    pytest.importorskip("cryptography", reason="cryptography, of the extra cluster, is missing")
    cluster = Cluster("", 1)
    executor = cluster.start()
    try:
        assert executor.submit(sum, (1, 2)).result() == 3
        address = cluster._local.scheduler_address
        for scheme, stranger in (("tcp", Security()), ("tls", Security.temporary())):
            with pytest.raises(OSError, match=r"Timed out|TLS|closed"):
                Client(address.replace("tls", scheme), security=stranger, timeout=2)
        port = cluster._local.scheduler.http_server.port
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"http://127.0.0.1:{port}/info/main/workers.html")
    finally:
        cluster.stop(executor)
