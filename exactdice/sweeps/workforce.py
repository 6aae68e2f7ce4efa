"""Who computes: processes of this machine, or the workers of a Dask cluster.

The engine gives its work to a `concurrent.futures.Executor`. A *workforce* makes one, says how many
units it can compute at a time, and ends it at once. `Processes` are those of this machine, started
afresh (spawn) so that no thread or lock of the caller is copied; `Cluster` is a scheduler of
`dask.distributed`, which finds its workers by itself, those included that join later.
"""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Protocol

from exactdice.arithmetic import natural
from exactdice.errors import InputError, MissingExtraError, OutputError
from exactdice.posix import resource
from exactdice.processes import WorkerPool, worker_pool
from exactdice.sweeps.store import identity

_BESIDES = 2**29  # bytes of a worker beside what its question may keep: libraries, tables
_GONE = "cluster: the scheduler is gone; start it, and resume the sweep"
_PATIENCE = 20  # seconds for a scheduler to answer


class Workforce(Protocol):
    """Makes executors, one after another where the last one broke."""

    @property
    def is_here(self) -> bool:
        """Whether its workers see the files of this machine."""

    def start(self) -> Executor:
        """Make an executor."""

    def size(self) -> int:
        """Tell how many units are computed at a time."""

    def stop(self, executor: Executor) -> None:
        """End an executor at once; what it was doing is lost."""


@dataclass(frozen=True)
class Processes:
    """Processes of this machine."""

    workers: int  # how many
    # bytes that the question of a worker may keep; a worker that takes half a gigabyte more gets no
    # more memory from the system. None for no limit
    memory: int | None = None
    is_here: ClassVar[bool] = True

    def start(self) -> Executor:
        """Start processes as they are needed."""
        return worker_pool(natural(self.workers, "workers", least=1), _limit, self.memory)

    def size(self) -> int:
        """As many as there are."""
        return self.workers

    def stop(self, executor: Executor) -> None:
        """Kill the processes."""
        assert isinstance(executor, WorkerPool)  # noqa: S101 - it is what `start` made
        executor.kill()


def _limit(memory: int | None) -> None:
    """Let this process have no more memory than that, so that it fails and not the machine."""
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = memory + _BESIDES
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@dataclass(frozen=True)
class Given:
    """An executor that the caller made, and that cannot be made again."""

    executor: Executor
    workers: int = 1
    is_here: ClassVar[bool] = False

    def start(self) -> Executor:
        """Take the one that there is."""
        return self.executor

    def size(self) -> int:
        """As the caller said."""
        return self.workers

    def stop(self, executor: Executor) -> None:
        """Take back what has not begun."""
        executor.shutdown(wait=False, cancel_futures=True)


def _local_cluster(distributed: Any, workers: int) -> Any:
    """Start a scheduler and workers that need the keys of this process, and have no pages."""
    try:
        keys = distributed.Security.temporary()
    except ImportError as problem:
        raise MissingExtraError.of("a local cluster", "cryptography", "cluster") from problem
    routes: dict[str, Any] = {
        f"distributed.{part}.http.routes": [] for part in ("scheduler", "worker", "nanny")
    }
    with import_module("dask").config.set(routes):
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            security=keys,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        )


class Cluster:
    """The workers of a Dask scheduler.

    Raises MissingExtraError if dask.distributed is not installed, or cryptography for a local one.

    `scheduler`: its address, as ``tcp://10.0.0.1:8786``; empty for a scheduler and workers on this
    machine. `workers`: processes of that machine; without meaning where there is an address.
    """

    is_here: ClassVar[bool] = False

    def __init__(self, scheduler: str, workers: int = 1) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError as problem:
            raise MissingExtraError.of("a cluster", "dask.distributed", "cluster") from problem
        # Of a scheduler that is gone, its client writes tracebacks; `_reaching` says it in a line.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._local: Any = None
        if not scheduler:
            self._local = _local_cluster(distributed, workers)
        try:
            self._client: Any = distributed.Client(
                self._local or scheduler, timeout=_PATIENCE, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as problem:
            wanted = "the address of a Dask scheduler that runs, as tcp://10.0.0.1:8786"
            raise InputError("scheduler", scheduler, wanted) from problem

    def start(self) -> Executor:
        """Take the scheduler's executor."""
        if self._client.status != "running":
            raise OutputError(_GONE)
        self._check_workers()
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    def _check_workers(self) -> None:
        """Refuse workers without this package, which would fail at every unit."""
        try:
            with self._reaching():
                self._client.run(identity)
        except ImportError as problem:
            raise OutputError(
                f"cluster: a worker cannot import exactdice ({problem}); install it there"
            ) from problem

    def size(self) -> int:
        """As many threads as the workers have that are there now; at least 1."""
        with self._reaching():
            threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except (OSError, AttributeError) as problem:
            if isinstance(problem, AttributeError) and self._client.scheduler is not None:
                raise
            raise OutputError(_GONE) from problem  # a client that has closed has no scheduler

    def stop(self, executor: Executor) -> None:
        """Take back what has not begun, and leave the cluster."""
        executor.shutdown(wait=False)
        self._client.close(timeout=1)
        if self._local is not None:
            with suppress(TimeoutError):  # a worker that computes; it ends with this process
                self._local.close(timeout=1)
