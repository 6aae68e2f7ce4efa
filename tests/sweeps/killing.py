"""A run that is killed."""

import os
import signal
import time

__all__ = ["killed"]


def killed(run, after):
    """Whether a run, in a process forked from this one, was killed before it was done."""
    child = os.fork()
    if child == 0:
        leave = os._exit
        try:
            run()
        except BaseException:
            leave(1)
        leave(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the run failed by itself"
    return os.WIFSIGNALED(status)
