"""Files are whole or absent, and a folder of outputs never loses what somebody else put there."""

import json
import os

import pytest

from exactdice.errors import OutputError
from exactdice.tables.files import MANIFEST, OutputFolder, check_writable, write_whole


def test_a_file_is_replaced_as_a_whole(tmp_path):
    target = tmp_path / "t.txt"
    write_whole(target, "first\n")
    write_whole(target, "second\n")
    assert target.read_text() == "second\n"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "t.txt"
    write_whole(target, "first\n")

    def fail(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        write_whole(target, "second\n")
    assert target.read_text() == "first\n"
    assert list(tmp_path.iterdir()) == [target]


def test_file_permissions_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "t.txt", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "t.txt").stat().st_mode & 0o777 == 0o640


def test_where_no_file_can_be_written_is_said_beforehand(tmp_path, monkeypatch):
    with pytest.raises(OutputError, match="is a folder; give the name of a file"):
        check_writable(tmp_path)
    with pytest.raises(OutputError, match="there is no folder"):
        check_writable(tmp_path / "none" / "t.txt")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(OutputError, match="is not writable"):
        check_writable(tmp_path / "t.txt")


def test_a_folder_lists_what_was_written_with_its_hash(tmp_path):
    OutputFolder(tmp_path / "out").write({"risk/a.txt": "a\n"})
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    # Source: printf 'a\n' | sha256sum
    assert manifest["files"] == {
        "risk/a.txt": "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
    }


def test_writing_again_into_its_own_folder_is_fine(tmp_path):
    for content in ("first\n", "second\n"):
        OutputFolder(tmp_path).write({"a.txt": content})
    assert (tmp_path / "a.txt").read_text() == "second\n"


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


def test_several_foreign_files_are_counted(tmp_path):
    for name in ("x", "y", "z"):
        (tmp_path / name).write_text("")
    with pytest.raises(OutputError, match="holds x and 2 more"):
        OutputFolder(tmp_path)


def test_a_run_that_was_killed_leaves_a_folder_that_can_be_written_again(tmp_path, monkeypatch):
    folder = OutputFolder(tmp_path)
    folder.write({"a.txt": "a\n"})
    replace = type(tmp_path).replace

    def killed_after_the_file(self, target):
        replace(self, target)
        if target.name == "b.txt":
            raise KeyboardInterrupt

    monkeypatch.setattr(type(tmp_path), "replace", killed_after_the_file)
    with pytest.raises(KeyboardInterrupt):
        folder.write({"b.txt": "b\n"})
    monkeypatch.undo()
    (tmp_path / ".exactdice-abandoned").write_text("part of a file")
    OutputFolder(tmp_path).write({"a.txt": "a\n", "b.txt": "b\n"})
    assert json.loads((tmp_path / MANIFEST).read_text())["files"].keys() == {"a.txt", "b.txt"}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 3}'])
def test_a_manifest_that_is_none_stops_the_run(tmp_path, content):
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(OutputError, match="is no manifest of exactdice"):
        OutputFolder(tmp_path)


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "out").write_text("x")
    with pytest.raises(OutputError, match="is a file; name a folder"):
        OutputFolder(tmp_path / "out")


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    folder = OutputFolder(tmp_path / "file" / "out")
    with pytest.raises(OutputError, match="cannot be made"):
        folder.write({"a.txt": "a"})


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "target.txt").write_text("old", encoding="utf-8")
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text(encoding="utf-8") == "new"


def test_what_is_no_plain_file_is_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OutputError, match="is no plain file"):
        write_whole(pipe, "text")
    assert pipe.is_fifo()


def test_the_permissions_of_a_file_are_kept(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o600)
    write_whole(path, "new")
    assert path.stat().st_mode & 0o777 == 0o600


def test_files_of_earlier_runs_that_are_no_longer_made_are_removed(tmp_path):
    folder = OutputFolder(tmp_path / "out")
    folder.write({"risk/old.txt": "old", "risk/new.txt": "new"})
    again = OutputFolder(tmp_path / "out")
    again.keep_only({"risk/new.txt"})
    assert [path.name for path in (tmp_path / "out/risk").iterdir()] == ["new.txt"]
    assert list(OutputFolder(tmp_path / "out")._written) == ["risk/new.txt"]
