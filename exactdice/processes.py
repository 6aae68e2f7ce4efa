"""Processes that share work and end with the process that started them, however that ends.

A process that is killed can tell nobody. So each worker looks for itself, in two ways: Linux kills
it as soon as the thread that started it is gone (``PR_SET_PDEATHSIG``), and a thread of its own
waits at a pipe of which the starting process alone holds the other end. An interrupt from the
keyboard, which reaches all processes of a terminal, is left to the starting process.
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
    """A pool of processes that end with this one, and at once where that is asked for."""

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Give work to a process, which may be started for it."""
        with _interrupts_held():  # a process that is starting would be interrupted as well
            return super().submit(fn, *args, **kwargs)

    def kill(self) -> None:
        """End all processes at once; what they were doing is lost."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let an interrupt, and a request to end, wait; processes started meanwhile do not hear of it.

    Where signals cannot be held, as on Windows, a process that is starting may be interrupted too.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_pool(workers: int, start: Callable[..., object], *arguments: Any) -> WorkerPool:
    """Make a pool of processes that end with this one."""
    context = get_context("spawn")  # safe whatever threads the caller has started
    return WorkerPool(workers, context, _start, (start, *arguments))


def _start(start: Callable[..., object], *arguments: Any) -> None:
    end_with_parent()
    start(*arguments)


def end_with_parent() -> None:
    """See to it that this process, started by `multiprocessing`, ends when its parent does."""
    parent = parent_process()
    if parent is None:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # a pool of which one worker has died ends the others by it
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    threading.Thread(target=_wait_for_end, daemon=True).start()
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent.pid:  # it ended before the kernel was asked
            os._exit(1)


def _wait_for_end() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
