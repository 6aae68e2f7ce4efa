"""Worker processes that end with the process that started them.

A killed process cannot notify its workers, so each worker detects the death of its parent in two
ways: Linux kills it as soon as the thread that started it is gone (``PR_SET_PDEATHSIG``), and a
thread of its own waits for the end of the parent. Only the parent handles keyboard interrupts,
which all processes of a terminal receive.
"""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, ParamSpec, TypeVar

_PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>
_STOPPING = (signal.SIGINT, signal.SIGTERM)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class WorkerPool(ProcessPoolExecutor):
    """A pool of processes that end with this one, or immediately by `kill`."""

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        with _interrupts_held():  # a starting process would be interrupted too
            return super().submit(fn, *args, **kwargs)

    def kill(self) -> None:
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay SIGINT and SIGTERM (not on Windows), also for processes started meanwhile."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_pool(workers: int, start: Callable[..., object], *arguments: Any) -> WorkerPool:
    context = get_context("spawn")  # safe whatever threads the caller has started
    return WorkerPool(workers, context, _start, (start, *arguments))


def _start(start: Callable[..., object], *arguments: Any) -> None:
    end_with_parent()
    start(*arguments)


def end_with_parent() -> None:
    parent = parent_process()
    if parent is None:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # a pool ends its other workers by it after one has died
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    threading.Thread(target=_wait_for_end, daemon=True).start()
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent.pid:  # it ended before the call to prctl
            os._exit(1)


def _wait_for_end() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
