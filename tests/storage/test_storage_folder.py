"""Output folders lose no file of others, and change nothing outside."""

import errno
import hashlib
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdice.errors import OutputError
from exactdice.storage import LOCK, MANIFEST, OutputFolder, folder, source_identity


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


def test_an_unreadable_manifest_is_not_called_invalid(tmp_path, monkeypatch):
    OutputFolder(tmp_path).write({"a.txt": "a"})

    def refused(name, *arguments, system=os.open, **options):
        if name == MANIFEST:
            raise PermissionError(errno.EACCES, "Permission denied")
        return system(name, *arguments, **options)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(OutputError, match=r"MANIFEST\.json cannot be read: Permission denied"):
        OutputFolder(tmp_path)


def test_a_folder_in_place_of_the_manifest_is_named(tmp_path):
    (tmp_path / MANIFEST).mkdir()
    with pytest.raises(OutputError, match=r"MANIFEST\.json cannot be read: Is a directory"):
        OutputFolder(tmp_path)


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "out").write_text("x")
    with pytest.raises(OutputError, match="is a file; name a folder"):
        OutputFolder(tmp_path / "out")


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
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
    """Its folder reaches the disk without it before the manifest does."""
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


# Nothing outside -----------------------------------------------------------------------------

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
    for files, pending in (({name: digest}, {}), ({}, {name: [digest]})):
        write_manifest(out, files, pending=pending)
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


def test_a_link_to_the_folder_itself_is_followed(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to("disk")
    OutputFolder(tmp_path / "out").write({"a.txt": "a"})
    assert (tmp_path / "disk/a.txt").read_text() == "a"


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


# Several at once, and killed -----------------------------------------------------------------


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


# What is current -----------------------------------------------------------------------------


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


def test_the_identity_of_the_sources_changes_with_any_file_and_with_its_name(tmp_path):
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


def test_sources_that_cannot_be_read_have_no_identity(tmp_path):
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "b.py").symlink_to("/proc/self/mem")  # an unreadable file
    assert source_identity(tmp_path) == ""
