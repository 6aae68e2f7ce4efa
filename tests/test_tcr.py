"""test && commit || stash, in a new repository."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("tcr", Path(__file__).parents[1] / "tools" / "tcr.py")
tcr = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tcr)

TESTS = (sys.executable, "-c", "import subject; assert subject.answer == 42")


@pytest.fixture
def root(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for key, value in (("user.name", "t"), ("user.email", "t@t")):
        tcr.git(tmp_path, "config", key, value)
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    (tmp_path / "subject.py").write_text("answer = 42\n")
    assert tcr.step(tmp_path, TESTS) is tcr.Outcome.GREEN
    return tmp_path


def test_nothing_happens_without_changes(root):
    assert tcr.step(root, TESTS) is tcr.Outcome.UNCHANGED


def test_green_is_committed_with_new_files(root):
    (root / "subject.py").write_text("answer = 40 + 2\n")
    (root / "new.py").write_text("")
    assert tcr.step(root, TESTS) is tcr.Outcome.GREEN
    assert tcr.git(root, "status", "--porcelain") == ""
    assert "subject.py, new.py" in tcr.git(root, "log", "-1", "--format=%s")


def test_red_goes_into_the_stash_and_nothing_is_lost(root):
    (root / "subject.py").write_text("answer = 43  # three hours of work\n")
    (root / "new.py").write_text("more work\n")
    assert tcr.step(root, TESTS) is tcr.Outcome.RED
    assert (root / "subject.py").read_text() == "answer = 42\n"
    assert not (root / "new.py").exists()
    tcr.git(root, "stash", "pop")
    assert (root / "subject.py").read_text() == "answer = 43  # three hours of work\n"
    assert (root / "new.py").read_text() == "more work\n"


def test_the_treatment_of_changes_is_printed_before_tests_run(monkeypatch, capsys):
    def run(*_, **__):
        raise RuntimeError("the tests run")

    monkeypatch.setattr(tcr.subprocess, "run", run)
    with pytest.raises(RuntimeError, match="the tests run"):
        tcr.main()
    first = capsys.readouterr().out.splitlines()[0]
    assert "moved to git stash" in first
    assert "git stash pop" in first
