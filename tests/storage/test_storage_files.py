"""Files and folders are replaced completely or not at all, and no file of others is lost."""

import errno
import fcntl
import hashlib
import json
import os
import resource
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import OutputError
from exactdice.storage import (
    LOCK,
    MANIFEST,
    OutputFolder,
    append,
    check_writable,
    files,
    folder,
    read_text,
    source_identity,
    write_whole,
)
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


def test_disks_that_take_few_bytes_or_none(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "write", lambda handle, content, w=os.write: w(handle, content[:3]))
    write_whole(tmp_path / "t.txt", "0123456789\n")
    append(tmp_path / "log", "0123456789\n", header="digits\n")
    append(tmp_path / "log", "9876543210\n", header="digits\n")
    assert (tmp_path / "t.txt").read_text() == "0123456789\n"
    assert (tmp_path / "log").read_text() == "digits\n0123456789\n9876543210\n"
    monkeypatch.setattr(os, "write", lambda *_: 0)
    with pytest.raises(OutputError, match="Input/output error"):
        write_whole(tmp_path / "t.txt", "x")


def test_files_and_lines_are_synced_in_order(tmp_path, monkeypatch):
    def fsync(handle, fsync=os.fsync):
        if is_folder(handle):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(tmp_path / "t.txt", "x")
    assert (tmp_path / "t.txt").read_text() == "x"
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
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(is_folder(handle)))
    append(tmp_path / "log", "first\n")
    assert synced == [False, True]
    append(tmp_path / "log", "second\n")
    assert synced == [False, True, False]


def test_file_permissions_follow_the_umask_or_are_kept(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "t.txt", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "t.txt").stat().st_mode & 0o777 == 0o640
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


def test_errors_are_one_line_and_unreadable_files_rejected(tmp_path):
    for path in (tmp_path / "two\nlines" / "t.txt", tmp_path / "nul\0.txt"):
        with pytest.raises(OutputError) as problem:
            write_whole(path, "x")
        assert "\n" not in str(problem.value)
    with pytest.raises(OutputError, match=r"t\.txt cannot be written: .*surrogates not allowed"):
        write_whole(tmp_path / "t.txt", "\udcff")
    assert names_in(tmp_path) == []
    assert read_text(tmp_path / "none") == ""
    with pytest.raises(OutputError, match="cannot be read: Is a directory"):
        read_text(tmp_path)
    (tmp_path / "picture").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(OutputError, match="cannot be read: it is not text"):
        read_text(tmp_path / "picture")


def test_links_are_followed_and_special_files_kept(tmp_path):
    (tmp_path / "target.txt").write_text("old", encoding="utf-8")
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text(encoding="utf-8") == "new"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for write in (lambda: write_whole(pipe, "text"), lambda: append(pipe, "text\n")):
        with pytest.raises(OutputError, match="is not a regular file"):
            write()
    assert pipe.is_fifo()


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
    assert signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "least"), [("file", 20), ("lines", 14), ("folder", 150)])
def test_a_writer_killed_at_any_step_loses_nothing(tmp_path, scenario, least):
    program = [sys.executable, Path(__file__).with_name("crashes.py"), scenario, tmp_path]
    finished = subprocess.run(program, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) >= least  # kills before and after each system call


def manifest_of(path):
    return json.loads((path / MANIFEST).read_text())


FORMAT = "exactdice output folder 1"


def write_manifest(path, files, **more):
    content = {"format": FORMAT, "files": files, **more}
    (path / MANIFEST).write_text(json.dumps(content))


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_folder_lists_what_was_written_with_its_hash(tmp_path):
    OutputFolder(tmp_path / "out").write({"risk/a.txt": "a\n"})
    # Source: printf 'a\n' | sha256sum
    assert manifest_of(tmp_path / "out") == {
        "format": FORMAT,
        "files": {"risk/a.txt": "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"},
    }


def test_a_folder_with_a_foreign_file_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(OutputError, match=r"holds thesis\.tex, not written by exactdice"):
        OutputFolder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_that_was_edited_since_is_not_overwritten(tmp_path):
    OutputFolder(tmp_path).write({"a.txt": "a\n", "b.txt": "b\n"})
    (tmp_path / "b.txt").write_text("b, with a note\n")
    with pytest.raises(OutputError, match=r"holds b\.txt"):
        OutputFolder(tmp_path)
    assert (tmp_path / "b.txt").read_text() == "b, with a note\n"


def test_a_file_that_is_edited_or_appears_during_the_run_is_not_overwritten(tmp_path):
    opened = OutputFolder(tmp_path)
    opened.write({"a.txt": "a\n"})
    (tmp_path / "a.txt").write_text("a, with a note\n")
    (tmp_path / "thesis.tex").write_text("years of work")
    for name in ("a.txt", "thesis.tex"):
        with pytest.raises(OutputError, match=f"holds {name}"):
            opened.write({"b.txt": "b\n", name: "new\n"})
    with pytest.raises(OutputError, match=r"holds a\.txt"):
        opened.keep_only(())
    assert (tmp_path / "a.txt").read_text() == "a, with a note\n"
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
    assert not (tmp_path / "b.txt").exists()


def test_several_foreign_files_are_counted(tmp_path):
    for name in ("x", "y", "z"):
        (tmp_path / name).write_text("")
    with pytest.raises(OutputError, match="holds x and 2 more"):
        OutputFolder(tmp_path)


NO_HASHES = [3, {"a.txt": 3}, {"a.txt": "pending"}, {"a.txt": None}]
NO_MANIFEST = ["", "[]", "{}", '{"files": 3}', "[" * 100_000, "\\xff", "nul"]
NO_MANIFEST += [json.dumps({"format": FORMAT, "files": files}) for files in NO_HASHES]


@pytest.mark.parametrize("content", NO_MANIFEST)
def test_an_invalid_manifest_stops_the_run(tmp_path, content):
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(OutputError, match="is not a manifest of exactdice"):
        OutputFolder(tmp_path)
    assert (tmp_path / MANIFEST).read_text() == content


@pytest.mark.parametrize(("unreadable", "problem"), [
    (MANIFEST, r"MANIFEST\.json cannot be read"), ("risk", "cannot be written"),
])  # fmt: skip
def test_an_unreadable_file_or_folder_stops_the_run(tmp_path, monkeypatch, unreadable, problem):
    OutputFolder(tmp_path).write({"risk/a.txt": "a"})

    def refused(name, *arguments, system=os.open, **options):
        if name == unreadable:
            raise PermissionError(errno.EACCES, "Permission denied")
        return system(name, *arguments, **options)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(OutputError, match=f"{problem}: Permission denied"):
        OutputFolder(tmp_path)


def test_things_in_the_way_of_a_folder_are_named(tmp_path):
    (tmp_path / MANIFEST).mkdir()
    with pytest.raises(OutputError, match=r"MANIFEST\.json cannot be read: Is a directory"):
        OutputFolder(tmp_path)
    (tmp_path / "out").write_text("x")
    with pytest.raises(OutputError, match="is a file; name a folder"):
        OutputFolder(tmp_path / "out")
    (tmp_path / "file").write_text("x")
    inside = OutputFolder(tmp_path / "file" / "out")
    with pytest.raises(OutputError, match="cannot be made"):
        inside.write({"a.txt": "a"})


def test_files_of_earlier_runs_that_are_no_longer_made_are_removed(tmp_path):
    OutputFolder(tmp_path / "out").write({"risk/old.txt": "old", "risk/new.txt": "new"})
    OutputFolder(tmp_path / "out").keep_only({"risk/new.txt"})
    assert [path.name for path in (tmp_path / "out/risk").iterdir()] == ["new.txt"]
    assert list(manifest_of(tmp_path / "out")["files"]) == ["risk/new.txt"]


def test_removed_names_reach_the_disk_before_the_manifest(tmp_path, monkeypatch):
    OutputFolder(tmp_path / "out").write({"risk/old.txt": "old", "risk/new.txt": "new"})
    seen = []
    risk = tmp_path / "out/risk"
    monkeypatch.setattr(
        folder, "sync_folder", lambda _: seen.append([path.name for path in risk.iterdir()])
    )
    OutputFolder(tmp_path / "out").keep_only({"risk/new.txt"})
    assert seen == [["new.txt"]]


def test_files_that_are_gone_already_are_taken_off_the_list(tmp_path):
    OutputFolder(tmp_path).write({"risk/old.txt": "old", "b.txt": "b"})
    (tmp_path / "risk/old.txt").unlink()
    (tmp_path / "risk").rmdir()
    (tmp_path / "b.txt").unlink()
    OutputFolder(tmp_path).keep_only(())
    assert manifest_of(tmp_path)["files"] == {}
    OutputFolder(tmp_path / "none").keep_only(())
    assert not (tmp_path / "none").exists()


LEADING_OUT = [
    "../thesis.tex", "/{}/thesis.tex", "a/../../thesis.tex", "./a", "a//b", "", "..", ".",
]  # fmt: skip


@pytest.mark.parametrize("name", LEADING_OUT)
def test_a_manifest_cannot_have_files_outside_the_folder_removed(tmp_path, name):
    (tmp_path / "thesis.tex").write_text("years of work")
    out = tmp_path / "out"
    out.mkdir()
    name = name.format(str(tmp_path).strip("/"))
    digest = sha256("years of work")
    for listed, pending in (({name: digest}, {}), ({}, {name: [digest]})):
        write_manifest(out, listed, pending=pending)
        with pytest.raises(OutputError, match=r"lists .* leads out of the folder") as problem:
            OutputFolder(out).keep_only(())
        assert "\n" not in str(problem.value)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize("name", [*LEADING_OUT, MANIFEST, LOCK, "a/.exactdice-x", "a\0b"])
def test_no_file_is_written_outside_the_folder_nor_over_its_own_files(tmp_path, name):
    with pytest.raises(OutputError, match=r"leads out of the folder|is reserved"):
        OutputFolder(tmp_path / "out").write({name: "x"})
    assert list(tmp_path.iterdir()) == []


@given(st.text(st.sampled_from("./\\a~ "), max_size=8))
def test_a_name_without_objection_stays_inside(name):
    if folder._objection(name) == "":
        assert os.path.normpath(f"/out/{name}") == f"/out/{name}"


@pytest.mark.parametrize("absolute", [True, False])
def test_links_in_the_folder_are_rejected_and_their_targets_kept(tmp_path, absolute):
    user, out = tmp_path / "user", tmp_path / "out"
    user.mkdir()
    (user / "a.txt").write_text("years of work")
    OutputFolder(out).write({"risk/a.txt": "a"})
    (out / "risk/a.txt").unlink()
    (out / "risk").rmdir()
    opened = OutputFolder(out)
    (out / "risk").symlink_to(user if absolute else "../user")
    with pytest.raises(OutputError, match="risk is a link or a file"):
        opened.write({"risk/a.txt": "new"})
    with pytest.raises(OutputError, match="risk is a link or a file"):
        opened.keep_only(())
    with pytest.raises(OutputError, match="holds risk, not written"):
        OutputFolder(out)
    assert (user / "a.txt").read_text() == "years of work"


@pytest.mark.parametrize("name", ["a.txt", MANIFEST, LOCK])
def test_a_link_in_place_of_a_file_is_refused(tmp_path, name):
    (tmp_path / "thesis.tex").write_text("years of work")
    out = tmp_path / "out"
    opened = OutputFolder(out)
    opened.write({"a.txt": "years of work"})
    (out / name).unlink()
    (out / name).symlink_to("../thesis.tex")
    for act in (lambda: opened.write({"a.txt": "new"}), lambda: OutputFolder(out)):
        with pytest.raises(OutputError) as problem:
            act()
        assert "\n" not in str(problem.value)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
    assert (out / name).is_symlink()


@pytest.mark.parametrize("within", ["", "within/others"])  # folders that are made
def test_a_link_to_the_folder_itself_is_followed(tmp_path, within):
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to("disk")
    OutputFolder(tmp_path / "out" / within).write({"a.txt": "a"})
    assert (tmp_path / "disk" / within / "a.txt").read_text() == "a"


def test_a_pipe_in_the_folder_is_a_stranger(tmp_path):
    OutputFolder(tmp_path).write({"a.txt": "a"})
    (tmp_path / "a.txt").unlink()
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(OutputError, match=r"holds a\.txt"):
        OutputFolder(tmp_path)


def test_a_read_only_file_is_neither_replaced_nor_removed(tmp_path):
    opened = OutputFolder(tmp_path)
    opened.write({"risk/a.txt": "a"})
    (tmp_path / "risk/a.txt").chmod(0o444)
    with pytest.raises(OutputError, match=r"a\.txt is read-only"):
        opened.write({"risk/a.txt": "b"})
    with pytest.raises(OutputError, match=r"a\.txt is read-only"):
        opened.keep_only(())
    assert (tmp_path / "risk/a.txt").read_text() == "a"
    OutputFolder(tmp_path)  # the file is still listed


def test_files_of_a_killed_run_are_recognised_by_hash(tmp_path):
    write_manifest(tmp_path, {"a.txt": sha256("old")}, pending={"a.txt": [*map(sha256, "no")]})
    for content in ("n", "o"):
        (tmp_path / "a.txt").write_text(content)
        OutputFolder(tmp_path)
    (tmp_path / "a.txt").write_text("somebody's")
    with pytest.raises(OutputError, match=r"holds a\.txt"):
        OutputFolder(tmp_path)
    (tmp_path / "a.txt").write_text("o")
    OutputFolder(tmp_path).write({"a.txt": "newer"})
    assert manifest_of(tmp_path) == {"format": FORMAT, "files": {"a.txt": sha256("newer")}}


def test_parts_in_every_part_of_the_folder_are_swept(tmp_path):
    OutputFolder(tmp_path).write({"risk/a.txt": "a"})
    part = tmp_path / "risk" / ".exactdice-0123456789abcdef.part"
    part.write_text("part of a file")
    OutputFolder(tmp_path)
    assert not part.exists()


def test_a_lock_removed_while_waiting_is_created_again(tmp_path, monkeypatch):
    opened = OutputFolder(tmp_path)
    opened.write({"a.txt": "a"})
    flock, removed = folder.fcntl.flock, []

    def removing(handle, operation):
        if not removed:
            removed.append((tmp_path / LOCK).unlink())
        flock(handle, operation)

    monkeypatch.setattr(folder.fcntl, "flock", removing)
    opened.write({"b.txt": "b"})
    assert removed
    assert (tmp_path / LOCK).exists()


def test_file_systems_without_locks_are_reported(tmp_path, monkeypatch):
    def unknown(*_arguments):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(folder.fcntl, "flock", unknown)
    with pytest.raises(OutputError, match=r"lock cannot be locked: Function not implemented"):
        OutputFolder(tmp_path)


WRITER = """
import sys
from pathlib import Path
from exactdice.storage import OutputFolder
folder = OutputFolder(Path(sys.argv[1]))
folder.keep_only({f"{n}/{i}.txt" for n in range(4) for i in range(4)})
for number in range(4):
    folder.write({f"{sys.argv[2]}/{number}.txt": sys.argv[2] * 5000}, sys.argv[2])
"""


def test_several_programs_write_into_one_folder_and_all_is_listed(tmp_path):
    out = tmp_path / "out"
    words = [sys.executable, "-c", WRITER, str(out)]
    running = [subprocess.Popen([*words, str(number)]) for number in range(4)]
    assert [program.wait(60) for program in running] == [0] * 4
    names = {f"{writer}/{number}.txt" for writer in range(4) for number in range(4)}
    assert manifest_of(out)["files"].keys() == manifest_of(out)["made_by"].keys() == names
    opened = OutputFolder(out)
    assert all(name in opened.current(name[0]) for name in names)


def test_concurrent_runs_are_not_taken_for_strangers(tmp_path, monkeypatch):
    """Files of the other run come and go before its lock is waited for."""
    (tmp_path / "empty").mkdir()
    walk = os.fwalk

    def meanwhile(*arguments, **options):
        monkeypatch.undo()
        OutputFolder(tmp_path).write({"a.txt": "a"})
        for where, folders, names, opened in walk(*arguments, **options):
            yield where, folders, [*names, "gone.txt"], opened

    monkeypatch.setattr(os, "fwalk", meanwhile)
    OutputFolder(tmp_path).write({"b.txt": "b"})
    assert sorted(manifest_of(tmp_path)["files"]) == ["a.txt", "b.txt"]


def test_files_are_current_while_unchanged(tmp_path):
    opened = OutputFolder(tmp_path / "out")
    assert "a.txt" not in opened.current("one")  # no folder yet
    opened.write({"a.txt": "a", "b.txt": "b"}, "one")
    opened.write({"c.txt": "c"})
    assert "a.txt" in opened.current("one")
    assert "a.txt" in OutputFolder(tmp_path / "out").current("one")
    assert "a.txt" not in opened.current("two")
    assert "c.txt" not in opened.current("")  # without a creator
    assert "d.txt" not in opened.current("one")
    opened.write({"b.txt": "b"})
    assert "b.txt" not in opened.current("one")
    (tmp_path / "out/a.txt").write_text("changed")
    assert "a.txt" not in opened.current("one")
    (tmp_path / "out/a.txt").unlink()
    assert "a.txt" not in opened.current("one")


def test_a_file_that_was_being_written_is_not_current(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    digests = {"a.txt": sha256("a")}
    write_manifest(tmp_path, digests, made_by={"a.txt": "one"})
    assert "a.txt" in OutputFolder(tmp_path).current("one")
    write_manifest(tmp_path, digests, made_by={"a.txt": "one"}, pending={"a.txt": [sha256("a")]})
    assert "a.txt" not in OutputFolder(tmp_path).current("one")


def test_identity_of_the_sources(tmp_path):
    package = tmp_path / "exactdice"
    (package / "__pycache__").mkdir(parents=True)
    assert source_identity(package) == ""  # no files
    (package / "a.py").write_text("1")
    seen = {source_identity(package)}
    (package / "a.py").write_text("2")
    seen.add(source_identity(package))
    (package / "_solvers.so").write_bytes(b"\x7fELF")
    seen.add(source_identity(package))
    (package / "a.py").rename(package / "b.py")
    seen.add(source_identity(package))
    assert len(seen) == 4
    (package / "__pycache__/b.pyc").write_bytes(b"compiled")
    assert source_identity(package) in seen
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "b.py").symlink_to("/proc/self/mem")  # an unreadable file
    assert source_identity(tmp_path) == ""
