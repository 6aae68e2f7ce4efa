"""Worker processes end with the process that started them, even if it is killed."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from exactdice import processes

# Says that two workers work, and then works for as long as nobody stops it.
PROGRAM = """
import time
from exactdice.processes import worker_pool

if __name__ == "__main__":
    with worker_pool(2, int) as pool:
        list(pool.map(time.sleep, [0.5, 0.5]))
        for _ in range(2):
            pool.submit(time.sleep, 600)
        print("working", flush=True)
        time.sleep(600)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_a_process_that_is_killed(tmp_path, end):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    # Workers inherit the pipe, so that it ends when the last of them has ended.
    program = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == b"working\n"
        program.send_signal(end)
        rest, _ = program.communicate(timeout=30)
        assert rest == b""
        assert program.returncode == -end
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)


WITHOUT_THE_KERNEL = """
import sys
if __name__ != "__main__":
    sys.platform = "elsewhere"
"""
WITHOUT_THE_WATCH = """
from exactdice import processes
if __name__ != "__main__":
    processes._wait_for_end = lambda: None
"""


@pytest.mark.parametrize("less",[WITHOUT_THE_KERNEL, pytest.param(
    WITHOUT_THE_WATCH,
    marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills workers")
)])  # fmt: skip
def test_each_of_both_ways_ends_a_worker(tmp_path, less):
    script = tmp_path / "program.py"
    script.write_text(less + PROGRAM)
    program = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == b"working\n"
        program.kill()
        assert program.communicate(timeout=30)[0] == b""
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)


def test_a_process_without_parent_continues():
    processes.end_with_parent()


def test_workers_call_their_start_function():
    with processes.worker_pool(1, os.umask, 0o51) as pool:
        assert pool.submit(os.umask, 0).result() == 0o51  # which tells what it was before
