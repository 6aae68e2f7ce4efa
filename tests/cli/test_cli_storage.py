"""Files of commands are complete and listed, also after repeated runs and on full disks."""

import json
import resource
import subprocess
import sys

import pytest

from exactdice.cli import main
from exactdice.cli import tables as tables_command
from exactdice.cli.presenting import refuse_foreign
from exactdice.errors import OutputError
from exactdice.games.fatestones import questions
from exactdice.games.fatestones.players import LOG_COLUMNS, read_log
from exactdice.storage import MANIFEST

PROGRAM = [sys.executable, "-m", "exactdice"]


@pytest.fixture
def tables(tmp_path, capsys):
    def run(*words):
        assert main(["project", "tables", "--output", str(tmp_path / "out"), *words]) == 0
        return capsys.readouterr().out

    return run


def test_current_tables_are_kept_and_others_are_made(tables, tmp_path, monkeypatch):
    assert tables("--only", "risk/round-1-1").startswith("Wrote 1 exact tables and kept 0 ")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out/risk").iterdir()}
    assert tables("--only", "risk/round-1-1").startswith("Wrote 0 exact tables and kept 1 ")
    assert times == {path: path.stat().st_mtime_ns for path in (tmp_path / "out/risk").iterdir()}
    (tmp_path / "out/risk/round-1-1-outcomes.csv").unlink()
    assert tables("--only", "risk/round-1-1").startswith("Wrote 1 exact tables and kept 0 ")
    assert tables("--only", "risk/round-1-1", "--digits", "9").startswith("Wrote 1 ")
    monkeypatch.setattr(tables_command, "source_identity", lambda: "0.1.0 other sources")
    assert tables("--only", "risk/round-1-1", "--digits", "9").startswith("Wrote 1 ")
    assert tables("--only", "risk/round-1-1", "--digits", "9").startswith("Wrote 0 ")
    monkeypatch.setattr(tables_command, "source_identity", lambda: "")  # cannot be told
    for _ in range(2):
        assert tables("--only", "risk/round-1-1", "--digits", "9").startswith("Wrote 1 ")


@pytest.mark.slow
def test_three_simultaneous_runs_leave_a_folder_complete(tmp_path):
    out = tmp_path / "out"
    words = [*PROGRAM, "project", "tables", "--output", str(out), "--only"]
    running = [
        subprocess.Popen([*words, pattern])
        for pattern in ("risk/round-*", "risk/[!r]*", "swe/promotion*")
    ]
    assert [program.wait(120) for program in running] == [0, 0, 0]
    listed = json.loads((out / MANIFEST).read_text())["files"]
    there = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert there - {MANIFEST, ".exactdice-lock"} == set(listed)
    assert main(["project", "tables", "--output", str(out), "--only", "risk/round-*"]) == 0


def test_a_manifest_cannot_remove_files_outside_its_folder(tmp_path, capsys):
    (tmp_path / "thesis.tex").write_text("years of work")
    (tmp_path / "out").mkdir()
    content = {"format": "exactdice output folder 1", "files": {"../thesis.tex": "0" * 64}}
    (tmp_path / "out" / MANIFEST).write_text(json.dumps(content))
    assert (
        main(["project", "tables", "--only", "risk/round-*", "--output", str(tmp_path / "out")])
        == 2
    )
    said = capsys.readouterr().err
    assert "lists '../thesis.tex', which leads out of the folder" in said
    assert said.count("\n") == 1
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


SIMULATE = [*PROGRAM, "fatestones", "simulate", "--players", "mcts:1,random", "--seed", "1"]


@pytest.mark.slow
def test_a_log_at_a_size_limit_keeps_whole_lines_and_the_run_fails(tmp_path):
    log = tmp_path / "log.csv"
    words = [*SIMULATE, "--log", str(log)]
    assert subprocess.run([*words, "--games", "20"], check=False).returncode == 0
    before = log.read_text()
    finished = subprocess.run(
        [*words, "--games", "2000"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr == (
        f"exactdice: output: {log} cannot be written: File too large; it has its old length again\n"
    )
    assert log.read_text() == before
    assert read_log(before)


@pytest.mark.slow
def test_three_simulations_into_one_log_leave_one_header_and_all_rolls(tmp_path):
    log, alone = tmp_path / "log.csv", tmp_path / "alone.csv"
    words = [*SIMULATE, "--games", "300"]
    running = [
        subprocess.Popen([*words, "--log", str(log)], stdout=subprocess.DEVNULL) for _ in range(3)
    ]
    assert [program.wait(120) for program in running] == [0] * 3
    assert main([*words[3:], "--log", str(alone)]) == 0
    header, *lines = log.read_text().splitlines()
    assert header == ",".join(LOG_COLUMNS)
    assert sorted(lines) == sorted(alone.read_text().splitlines()[1:] * 3)


def test_a_truncated_line_in_the_log_is_an_error(tmp_path, monkeypatch):
    log = tmp_path / "log.csv"
    simulate = questions.simulate

    def meanwhile(*arguments, **options):
        yield from simulate(*arguments, **options)
        with log.open("a", encoding="utf-8") as killed:
            killed.write("123456,12")

    words = ["fatestones", "simulate", "--players", "random,random", "--games", "5"]
    assert main([*words, "--log", str(log)]) == 0
    before = log.read_text()
    monkeypatch.setattr(questions, "simulate", meanwhile)
    assert main([*words, "--log", str(log)]) == 2
    assert log.read_text() == before + "123456,12"


def test_a_report_does_not_replace_a_read_only_file(tmp_path, capsys):
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    path.chmod(0o444)
    assert main(["risk", "win", "4", "2", "--output", str(path)]) == 2
    assert "mine.txt is read-only; allow writing or name another file" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_unreadable_numbers_of_a_figure_cost_one_line(tmp_path):
    (tmp_path / "figure.csv").mkdir()
    with pytest.raises(OutputError, match="cannot be read"):
        refuse_foreign(tmp_path / "figure.csv")
