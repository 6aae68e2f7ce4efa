"""Files are replaced completely or not at all; so are lines added."""

import errno
import fcntl
import os
import resource
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from exactdice.errors import OutputError
from exactdice.storage import append, check_writable, files, read_text, write_whole
from exactdice.storage.files import read_bytes


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def is_folder(handle):
    return stat.S_ISDIR(os.fstat(handle).st_mode)


def full_disk(*_arguments):
    raise OSError(errno.ENOSPC, "No space left on device")


def few_bytes_then(fail):
    """A system call `write` that takes five bytes at a time, and fails at the third call."""
    calls = []

    def write(handle, content, write=os.write):
        calls.append(len(content))
        if len(calls) == 3:
            fail()
        return write(handle, content[:5])

    return write


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "fchmod"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, call):
    target = tmp_path / "t.txt"
    write_whole(target, "first\n")

    def fail(*_arguments, **_options):
        full_disk()

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        write_whole(target, "second\n")
    assert target.read_text() == "first\n"
    assert list(tmp_path.iterdir()) == [target]


def test_a_disk_that_takes_few_bytes_at_a_time_gets_them_all(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "write", lambda handle, content, w=os.write: w(handle, content[:3]))
    write_whole(tmp_path / "t.txt", "0123456789\n")
    append(tmp_path / "log", "0123456789\n", header="digits\n")
    append(tmp_path / "log", "9876543210\n", header="digits\n")
    assert (tmp_path / "t.txt").read_text() == "0123456789\n"
    assert (tmp_path / "log").read_text() == "digits\n0123456789\n9876543210\n"


def test_a_full_disk_is_an_error_and_no_infinite_loop(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "write", lambda *_: 0)
    with pytest.raises(OutputError, match="Input/output error"):
        write_whole(tmp_path / "t.txt", "x")


def test_file_and_folder_are_on_the_disk_after_the_renaming(tmp_path, monkeypatch):
    steps = []

    def synced(handle):
        steps.append("folder" if is_folder(handle) else "file")

    def renamed(*arguments, rename=os.rename, **options):
        steps.append("rename")
        rename(*arguments, **options)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    write_whole(tmp_path / "t.txt", "x")
    assert steps == ["file", "rename", "folder"]


def test_a_file_system_that_cannot_sync_folders_is_written_to(tmp_path, monkeypatch):
    def fsync(handle, fsync=os.fsync):
        if is_folder(handle):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(tmp_path / "t.txt", "x")
    assert (tmp_path / "t.txt").read_text() == "x"


def test_file_permissions_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "t.txt", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "t.txt").stat().st_mode & 0o777 == 0o640


def test_the_permissions_of_a_file_are_kept(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o600)
    write_whole(path, "new")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_read_only_file_is_refused_and_kept(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("old\n")
    path.chmod(0o444)
    for write in (check_writable, lambda p: write_whole(p, "new"), lambda p: append(p, "new\n")):
        with pytest.raises(OutputError, match=r"mine\.txt (is read-only|cannot be written)"):
            write(path)
    assert path.read_text() == "old\n"


def test_unwritable_places_are_rejected_beforehand(tmp_path, monkeypatch):
    with pytest.raises(OutputError, match="is a folder; name a file"):
        check_writable(tmp_path)
    with pytest.raises(OutputError, match="there is no folder"):
        check_writable(tmp_path / "none" / "t.txt")
    with pytest.raises(OutputError, match="cannot be written: File name too long"):
        check_writable(tmp_path / ("x" * 300))
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(OutputError, match="is a link; name a file"):
        check_writable(tmp_path / "circle")
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with pytest.raises(OutputError, match="is not writable"):
        check_writable(tmp_path / "t.txt")


def test_errors_are_one_line_for_any_name_and_text(tmp_path):
    for path in (tmp_path / "two\nlines" / "t.txt", tmp_path / "nul\0.txt"):
        with pytest.raises(OutputError) as problem:
            write_whole(path, "x")
        assert "\n" not in str(problem.value)
    with pytest.raises(OutputError, match=r"t\.txt cannot be written: .*surrogates not allowed"):
        write_whole(tmp_path / "t.txt", "\udcff")
    assert names_in(tmp_path) == []


def test_links_are_followed_and_kept(tmp_path):
    (tmp_path / "target.txt").write_text("old", encoding="utf-8")
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text(encoding="utf-8") == "new"


def test_special_files_are_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for write in (lambda: write_whole(pipe, "text"), lambda: append(pipe, "text\n")):
        with pytest.raises(OutputError, match="is not a regular file"):
            write()
    assert pipe.is_fifo()


# Parts ---------------------------------------------------------------------------------------


def test_only_parts_of_killed_writers_are_removed(tmp_path):
    left, held, mine = (
        tmp_path / f".exactdice-{middle}"
        for middle in ("0123456789abcdef.part", "fedcba9876543210.part", "notes")
    )
    for path in (left, held, mine):
        path.write_text("part of a file")
    (tmp_path / ".exactdice-aaaaaaaaaaaaaaaa.part").symlink_to(mine)
    with held.open("r+") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        write_whole(tmp_path / "t.txt", "x")
        assert names_in(tmp_path) == [
            ".exactdice-aaaaaaaaaaaaaaaa.part", held.name, mine.name, "t.txt",
        ]  # fmt: skip
    write_whole(tmp_path / "t.txt", "x")
    assert not held.exists()
    assert mine.exists()


def test_readers_wait_for_writers_of_lines(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"first")
    with ThreadPoolExecutor(1) as reader, path.open("ab", buffering=0) as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        reading = reader.submit(read_bytes, path)
        with pytest.raises(TimeoutError):
            reading.result(timeout=0.1)
        writer.write(b" and second")
        fcntl.flock(writer, fcntl.LOCK_UN)
        assert reading.result(timeout=60) == b"first and second"


def test_a_part_that_is_swept_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    flock = fcntl.flock
    swept = []

    def sweep_first(handle, operation):
        if not swept:
            swept.extend(path for path in tmp_path.iterdir())
            for path in swept:
                path.unlink()
        flock(handle, operation)

    monkeypatch.setattr(files.fcntl, "flock", sweep_first)
    write_whole(tmp_path / "t.txt", "whole")
    assert len(swept) == 1
    assert (tmp_path / "t.txt").read_text() == "whole"


def test_a_part_that_cannot_be_locked_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(files.fcntl, "flock", full_disk)
    with pytest.raises(OutputError, match="No space left"):
        write_whole(tmp_path / "t.txt", "x")
    assert names_in(tmp_path) == []


# Lines ---------------------------------------------------------------------------------------


def test_one_header_and_missing_line_breaks_are_added(tmp_path):
    log = tmp_path / "log"
    append(log, "1\n2\n", header="number\n")
    log.write_text(log.read_text() + "3")
    append(log, "4\n", header="number\n")
    assert read_text(log) == "number\n1\n2\n3\n4\n"


@pytest.mark.parametrize("length", [1, 4095, 4096, 4097, 9000])
def test_callers_may_reject_an_incomplete_last_line(tmp_path, length):
    log = tmp_path / "log"
    log.write_text("whole\n" + "x" * length)

    def refuse(line):
        raise OutputError(f"{len(line)} letters are no line")

    with pytest.raises(OutputError, match=f"{length} letters are no line"):
        append(log, "4\n", check=refuse)
    assert log.read_text() == "whole\n" + "x" * length


def test_lines_that_do_not_fit_leave_the_file_as_it_was(tmp_path, monkeypatch):
    log = tmp_path / "log"
    append(log, "1,2,3\n")
    monkeypatch.setattr(os, "write", few_bytes_then(full_disk))
    message = "cannot be written: No space left on device; it has its old length again"
    with pytest.raises(OutputError, match=message):
        append(log, "4,5,6\n7,8,9\n10,11,12\n")
    assert log.read_text() == "1,2,3\n"


def test_an_interrupt_amid_lines_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    log = tmp_path / "log"
    append(log, "1,2,3\n")
    monkeypatch.setattr(os, "write", few_bytes_then(interrupt))
    with pytest.raises(KeyboardInterrupt):
        append(log, "4,5,6\n7,8,9\n10,11,12\n")
    assert log.read_text() == "1,2,3\n"


def test_lines_of_other_programs_are_never_truncated(tmp_path, monkeypatch):
    log = tmp_path / "log"
    log.write_text("1\n")

    def fail():
        with log.open("a") as stranger:
            stranger.write("theirs\n")
        full_disk()

    monkeypatch.setattr(os, "write", few_bytes_then(fail))
    with pytest.raises(OutputError, match="after byte 2 it has 17 bytes of this run and anoth"):
        append(log, "0123456789\n" * 3)
    assert log.read_text() == "1\n0123456789theirs\n"


WRITERS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from exactdice.storage import append
for number in range(10):
    append(Path(sys.argv[1]), f"{sys.argv[2]},{number},{'x' * 300}\\n" * 3, header="header\\n")
"""


def test_six_concurrent_writers_lose_no_line(tmp_path):
    log = tmp_path / "log"
    words = [sys.executable, "-c", WRITERS, str(log)]
    running = [subprocess.Popen([*words, str(writer)]) for writer in range(6)]
    assert [program.wait(60) for program in running] == [0] * 6
    first, *lines = log.read_text().splitlines()
    assert first == "header"
    assert len(lines) == 6 * 10 * 3
    for writer in range(6):
        own = [line for line in lines if line.startswith(f"{writer},")]
        assert own == [f"{writer},{n},{'x' * 300}" for n in range(10) for _ in range(3)]


LIMITED = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from exactdice.errors import OutputError
from exactdice.storage import append, write_whole
append(Path("log"), "line\\n" * 100)
write_whole(Path("whole"), "old\\n")
for write in (lambda: append(Path("log"), "more\\n" * 200),
              lambda: write_whole(Path("whole"), "new\\n" * 300)):
    try:
        write()
    except OutputError as problem:
        print(problem)
"""


def test_file_size_limits_are_reported_and_truncate_nothing(tmp_path):
    finished = subprocess.run(
        [sys.executable, "-c", LIMITED], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(files.__file__).parents[2])},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        capture_output=True, text=True,
        check=True,  # SIGXFSZ would be a status of its own
    )  # fmt: skip
    assert finished.stdout == (
        "output: log cannot be written: File too large; it has its old length again\n"
        "output: whole cannot be written: File too large\n"
    )
    assert (tmp_path / "log").read_text() == "line\n" * 100
    assert (tmp_path / "whole").read_text() == "old\n"
    assert names_in(tmp_path) == ["log", "whole"]


def test_python_ignores_the_signal_of_a_file_that_grows_too_large():
    assert signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN


def test_unreadable_files_are_rejected_and_missing_ones_empty(tmp_path):
    assert read_text(tmp_path / "none") == ""
    with pytest.raises(OutputError, match="cannot be read: Is a directory"):
        read_text(tmp_path)
    (tmp_path / "picture").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(OutputError, match="cannot be read: it is not text"):
        read_text(tmp_path / "picture")


def test_lines_are_on_the_disk_and_the_name_of_a_new_log_in_its_folder(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(is_folder(handle)))
    append(tmp_path / "log", "first\n")
    assert synced == [False, True]
    append(tmp_path / "log", "second\n")
    assert synced == [False, True, False]


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "least"), [("file", 20), ("lines", 14), ("folder", 150)])
def test_a_writer_killed_at_any_step_loses_nothing(tmp_path, scenario, least):
    program = [sys.executable, Path(__file__).with_name("crashes.py"), scenario, tmp_path]
    finished = subprocess.run(program, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) >= least  # kills before and after each system call
