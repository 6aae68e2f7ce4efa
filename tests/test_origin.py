"""The commit and the sources of a distribution."""

import hashlib
import json
import resource
import subprocess

import pytest

from exactdice import native, origin
from exactdice.errors import ExactDiceError, OutdatedError
from exactdice.native.process import Process


@pytest.fixture
def tree(tmp_path, monkeypatch):
    (tmp_path / "exactdice").mkdir()
    (tmp_path / "exactdice" / "m.py").write_text("1\n")
    (tmp_path / "cpp" / "binding").mkdir(parents=True)
    (tmp_path / "cpp" / "binding" / "a.cpp").write_text("int a;\n")
    monkeypatch.setattr(origin, "_ROOT", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget():
    origin.commit.cache_clear()
    origin.sources_at_hand.cache_clear()


def git(folder, *arguments):
    return subprocess.run([
        "git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", *arguments
    ], check=True, capture_output=True, text=True).stdout.strip()  # fmt: skip


def commit_all(folder):
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return git(folder, "rev-parse", "--short=10", "HEAD")


def test_outside_a_checkout_and_before_its_first_commit_the_commit_is_unknown(tree):
    assert origin.commit() == "unknown"
    git(tree, "init", "-q")
    forget()
    assert origin.commit() == "unknown"


def test_without_git_the_commit_is_unknown(tree, tmp_path_factory, monkeypatch):
    commit_all(tree)
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
    assert origin.commit() == "unknown"


def test_an_unreadable_commit_is_an_error(tree):
    committed = commit_all(tree)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))  # git's pipes are not opened
    try:
        with pytest.raises(ExactDiceError, match=r"^commit: git failed .*Too many open"):
            origin.commit()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert origin.commit() == committed


@pytest.mark.parametrize(("end", "status"), [("kill -KILL $$", -9), ("exit 127", 127)])
def test_a_killed_git_is_an_error(tree, tmp_path_factory, monkeypatch, end, status):
    commit_all(tree)
    git_that_ends = tmp_path_factory.mktemp("path") / "git"
    git_that_ends.write_text(f"#!/bin/sh\n{end}\n")
    git_that_ends.chmod(0o755)
    monkeypatch.setenv("PATH", str(git_that_ends.parent))
    with pytest.raises(ExactDiceError, match=rf"^commit: git failed .*status {status}"):
        origin.commit()


@pytest.mark.parametrize("changed", ["exactdice/m.py", "cpp/binding/a.cpp", "exactdice/new.py"])
def test_the_commit_is_that_of_the_checkout_and_says_when_files_differ(tree, changed):
    committed = commit_all(tree)
    assert origin.commit() == committed
    (tree / changed).write_text("2\n")
    forget()
    assert origin.commit() == f"{committed}+changes"


def test_files_outside_the_package_are_no_changes(tree):
    committed = commit_all(tree)
    (tree / "notes.txt").write_text("2\n")
    assert origin.commit() == committed


def test_a_distribution_has_a_stamp_of_its_sources(tree, tmp_path_factory, monkeypatch):
    committed = commit_all(tree)
    installed = tmp_path_factory.mktemp("site-packages")
    (installed / "exactdice").mkdir()
    (installed / "exactdice" / "origin.json").write_text(origin.stamp(tree))
    monkeypatch.setattr(origin, "_ROOT", installed)
    assert origin.commit() == committed
    # The definition, for the one file that there is.
    definition = hashlib.sha256(b"binding/a.cpp 7\nint a;\n").hexdigest()[:16]
    assert origin.sources_at_hand() == definition
    assert json.loads(origin.stamp(tree)) == {"commit": committed, "sources": definition}


@pytest.mark.parametrize("change", ["content", "name", "new file"])
def test_the_hash_is_another_one_after_each_change(tree, change):
    before = origin.built_from(tree / "cpp")
    source = tree / "cpp" / "binding" / "a.cpp"
    if change == "content":
        source.write_text("int b;\n")
    elif change == "name":
        source.rename(source.with_name("b.cpp"))
    else:
        source.with_name("b.hpp").write_text("")
    assert origin.built_from(tree / "cpp") != before


@pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")
def test_an_outdated_compiled_module_costs_one_line(tree):
    with pytest.raises(OutdatedError, match="pip install") as caught:
        native.solvers()
    assert "\n" not in str(caught.value)
    with pytest.raises(OutdatedError):
        native.are_built()
    with pytest.raises(OutdatedError):  # and no slower way is taken without a word
        Process()


@pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")
def test_the_compiled_module_is_the_one_of_the_sources_at_hand():
    assert native.solvers().sources == origin.sources_at_hand()
