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


def pipe_after(end, script):
    """What a program writes after a signal; workers inherit its pipe, which ends with the last."""
    program = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert program.stdout.readline() == b"working\n"
        program.send_signal(end)
        rest = program.communicate(timeout=30)[0]
        assert program.returncode == -end
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    return rest


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills workers")


@pytest.mark.parametrize(("end", "less"), [
    (signal.SIGKILL, ""), (signal.SIGTERM, ""), (signal.SIGKILL, WITHOUT_THE_KERNEL),
    pytest.param(signal.SIGKILL, WITHOUT_THE_WATCH, marks=only_linux),
])  # fmt: skip
def test_workers_end_with_a_process_that_is_killed_in_each_of_both_ways(tmp_path, end, less):
    script = tmp_path / "program.py"
    script.write_text(less + PROGRAM)
    assert pipe_after(end, script) == b""


def test_a_process_without_parent_continues():
    processes.end_with_parent()


def test_workers_call_their_start_function():
    with processes.worker_pool(1, os.umask, 0o51) as pool:
        assert pool.submit(os.umask, 0).result() == 0o51  # which tells what it was before
