"""`docs/make.py`: its requirements, and the folders that it does not overwrite."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

MAKER = Path(__file__).parents[2] / "docs" / "make.py"
spec = importlib.util.spec_from_file_location("site_maker", MAKER)
site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site)
main = site.main


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A site that is already built."""
    made = tmp_path / "built"
    made.mkdir()
    (made / "index.html").write_text("first")
    (made / ".exactdice-site").touch()
    monkeypatch.setattr(site, "_NEEDED", ())
    monkeypatch.setattr(site, "_build", lambda _: made)
    return made


def complaint(capsys, *words):
    assert main(words) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_missing_extra_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(site, "_NEEDED", ("json", "no_such_module", "no_such.module"))
    line = complaint(capsys, "--output", str(tmp_path / "site"))
    assert "no_such_module is missing" in line
    assert "pip install --editable '.[docs]'" in line
    assert not list(tmp_path.iterdir())


def test_a_site_is_written_and_replaced(built, tmp_path):
    output = tmp_path / "a" / "site"
    assert main(["--output", str(output)]) == 0
    assert (output / "index.html").read_text() == "first"
    (built / "index.html").write_text("second")
    (output / "old.html").touch()
    assert main(["-o", str(output)]) == 0
    assert sorted(path.name for path in output.iterdir()) == [".exactdice-site", "index.html"]
    assert (output / "index.html").read_text() == "second"
    assert [path.name for path in output.parent.iterdir()] == ["site"]


@pytest.mark.usefixtures("built")
def test_a_folder_that_cannot_be_replaced_or_written_is_reported(tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    assert "holds other files" in complaint(capsys, "--output", str(other))
    assert [path.name for path in other.iterdir()] == ["mine.txt"]
    assert "is a file" in complaint(capsys, "--output", str(other / "mine.txt"))
    (tmp_path / "file").touch()
    assert "output: " in complaint(capsys, "--output", str(tmp_path / "file" / "site"))


@pytest.mark.parametrize("is_built", [False, True])
def test_a_built_site_is_marked_and_a_failed_build_keeps_the_old_output(
    tmp_path, monkeypatch, capsys, is_built
):
    def run(words, **_):
        assert words[1:3] == ["-m", "sphinx"]
        (tmp_path / "kept" / "html").mkdir(parents=True)
        return subprocess.CompletedProcess(words, 0 if is_built else 1)

    monkeypatch.setattr(site, "_NEEDED", ())
    monkeypatch.setattr(site.subprocess, "run", run)
    monkeypatch.setattr(site, "_kept", lambda: tmp_path / "kept")
    words = "--output", str(tmp_path / "site")
    if is_built:
        assert main(words) == 0
    else:
        assert "cannot be built" in complaint(capsys, *words)
    assert (tmp_path / "site" / ".exactdice-site").exists() == is_built
    assert (tmp_path / "site").exists() == is_built
