import json
import re
import shutil
from pathlib import Path

import pytest

from exactdice.studies.risk.sources import POSTS_WIN
from papers.make import __main__ as made
from papers.make.__main__ import main

PAPERS = Path(__file__).parents[2] / "papers"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    assert main(["--only", "risk", "--no-pdf", "--folder", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_data_and_figures_of_a_paper_are_written(written):
    numbers = (written / "generated/risk/numbers.tex").read_text(encoding="utf-8")
    assert rf"\newcommand{{\TheWinFourTwo}}{{\ensuremath{{{POSTS_WIN}}}}}" in numbers
    assert (written / "figures/risk-win.pdf").read_bytes().startswith(b"%PDF")
    assert (written / "generated/risk/risk-win-cells.csv").exists()


def test_the_edition_names_version_and_day(written):
    edition = (written / "figures/edition.tex").read_text(encoding="utf-8")
    assert re.search(r"\\edition\}\{exactdice \d+\.\d+\.\d+, commit ", edition)
    assert re.search(r"\\editionday\}\{\d{4}-\d\d-\d\d\}", edition)


def test_data_name_no_commit(written):
    for path in (written / "generated").rglob("*.*"):
        assert "commit" not in path.read_text(encoding="utf-8"), path


@pytest.mark.slow
@pytest.mark.parametrize("paper", [
    "risk", "reroll", pytest.param("fatestones", marks=pytest.mark.long),
    pytest.param("farkle", marks=pytest.mark.long), pytest.param("method", marks=pytest.mark.long),
    pytest.param("swe", marks=pytest.mark.long)
])  # fmt: skip
def test_committed_files_are_those_that_are_computed(paper, capsys):
    assert main(["--check", "--only", paper, "--folder", str(PAPERS)]) == 0
    assert "is what the mathematics gives" in capsys.readouterr().out


@pytest.mark.slow
def test_a_stale_missing_or_superfluous_file_fails_the_check(written, tmp_path, capsys):
    folder = tmp_path / "papers"
    shutil.copytree(written, folder)
    generated = folder / "generated/risk"
    with (generated / "wins.tex").open("a", encoding="utf-8") as stream:
        stream.write("% touched\n")
    (generated / "even.tex").unlink()
    (generated / "old.tex").write_text("", encoding="utf-8")
    assert main(["--check", "--only", "risk", "--folder", str(folder)]) == 1
    complaint = capsys.readouterr().err
    assert "risk/wins.tex differs" in complaint
    assert "risk/even.tex is missing" in complaint
    assert "old.tex is no longer made" in complaint


def edited(folder, change):
    manifest = folder / "MANIFEST.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    change(content["files"])
    manifest.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("change", "complaint"), [
    (lambda folder: edited(folder, lambda files: files.pop("risk/wins.tex")),
     "risk/wins.tex is not in MANIFEST.json"),
    (lambda folder: edited(folder, lambda files: files.update({"risk/wins.tex": "0" * 64})),
     "risk/wins.tex is not the file of its hash"),
    (lambda folder: edited(folder, lambda files: files.update({"swe/old.tex": "0" * 64})),
     "swe/old.tex of MANIFEST.json is missing"),
    (lambda folder: (folder / "MANIFEST.json").write_text("{"), "MANIFEST.json is missing or"),
    (lambda folder: (folder / "stray.tex").write_text(""), "stray.tex belongs to no paper"),
    (lambda folder: (folder / "risk/deep").mkdir() or (folder / "risk/deep/a").write_text(""),
     "risk/deep/a is not in MANIFEST.json"),
])  # fmt: skip
def test_an_edited_manifest_and_a_stray_file_fail_the_check(
    written, tmp_path, capsys, change, complaint
):
    folder = tmp_path / "papers"
    shutil.copytree(written, folder)
    change(folder / "generated")
    assert main(["--check", "--only", "risk", "--folder", str(folder)]) == 1
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(("words", "message"), [
    (["--only", "chess"], "only: got 'chess'; expected one of risk, reroll"),
    (["--folder", "nowhere"], "folder: got 'nowhere'; expected the folder papers of a checkout")
])  # fmt: skip
def test_a_mistake_costs_one_line_of_the_papers_command(
    words, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main([*words]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_with_other_files_stays_unchanged(tmp_path, capsys):
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated/mine.txt").write_text("mine", encoding="utf-8")
    words = ["--only", "risk", "--no-pdf", "--folder", str(tmp_path)]
    assert main(words) == 2
    assert "holds mine.txt, not written by exactdice" in capsys.readouterr().err


def test_missing_latex_is_one_line_with_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--only", "risk", "--folder", str(tmp_path)]) == 2
    complaint = capsys.readouterr().err
    assert "the papers need latexmk: on Debian: apt install latexmk" in complaint
    assert not list(tmp_path.iterdir())


def fake_latex(folder, status):
    for program in ("latexmk", "pdflatex", "bibtex"):
        path = folder / program
        path.write_text(f"#!/bin/sh\necho ran $0\nexit {status}\n", encoding="utf-8")
        path.chmod(0o755)


@pytest.mark.slow
def test_papers_are_typeset_after_their_data(written, tmp_path, monkeypatch, capsys):
    fake_latex(tmp_path, 0)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert main(["--only", "risk", "--folder", str(written)]) == 0
    assert "risk.pdf" in capsys.readouterr().out


def test_a_paper_with_a_latex_error_names_its_log(tmp_path, monkeypatch, capsys):
    fake_latex(tmp_path, 12)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    source = tmp_path / "risk/risk.tex"
    with pytest.raises(made.OutputError, match=r"risk\.log"):
        made._typeset(source)
    assert "ran" in capsys.readouterr().err
