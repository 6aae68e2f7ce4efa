"""Exit status and last line for all kinds of errors, default options, written files and streams."""

import errno
import html
import json
import os
import resource
import subprocess
import sys
import zlib

import click
import pytest
from measured import executed
from printed import POSTS_WIN

from exactdice import errors, memory
from exactdice.cli import main, run
from exactdice.cli import tables as tables_command
from exactdice.cli.presenting import refuse_foreign
from exactdice.errors import OutputError
from exactdice.games.fatestones import questions
from exactdice.games.fatestones.players import LOG_COLUMNS, read_log
from exactdice.jobs.catalogue import Entry
from exactdice.memory import MEMORY_LIMIT
from exactdice.storage import MANIFEST

TOO_LARGE = "these numbers are too large"


@pytest.mark.parametrize(
    ("ending", "status", "line"),
    [(errors.CheckFailedError("it differs"), 1, "it differs"),
     (errors.InputError("size", 3, "another"), 2, "size: got 3; expected another"),
     (errors.OutputError("output: no room"), 2, "output: no room"),
     (KeyboardInterrupt(), 130, "interrupted"), (KeyboardInterrupt(143), 143, "interrupted"),
     (click.Abort(), 130, "interrupted"), (click.UsageError("No such option"), 2, "No such option"),
     (OSError(errno.ENOSPC, "No space left"), 2, "output: No space left"),
     (MemoryError(), 2, TOO_LARGE), (OverflowError("cannot fit 'int'"), 2, TOO_LARGE)],
)  # fmt: skip
def test_an_error_is_a_line_and_a_status(ending, status, line, capfd):
    def fail():
        raise ending

    assert run(click.Command("short", callback=fail), []) == status
    shown = capfd.readouterr()
    assert shown.err.startswith(f"exactdice: {line}")
    assert (shown.err.count("\n"), shown.out) == (1, "")


@pytest.mark.parametrize("line", [
    ["risk", "win", "4", "2", "\x1b[31mred", "9" * 20_000],
    ["risk", "win", "4", "2", *["x"] * 20_000], ["risk", "win", "4", "9" * 20_000 + "z"],
    ["risk", "win", "4", "2", "--seconds", "\x1b" * 20_000],
    ["risk", "win", "4", "2", "--" + "x" * 20_000],
    ["risk", "win", "4", "2", "--output", "no/" + "x" * 20_000], ["x" * 20_000],
    ["dice", "distribution", "d6 + " + "7" * 20_000 + "\x1b"], ["model", "solve", "long.drn"],
    ["model", "solve", "long.nfg"]
])  # fmt: skip
def test_an_error_shows_little_of_long_words_and_no_control_characters(
    line, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    for ending in ("drn", "nfg"):
        (tmp_path / f"long.{ending}").write_text("\x1b" + "1" * 20_000)
    assert main(line) == 2
    shown = capfd.readouterr().err
    assert 0 < len(shown) < 600
    assert shown.replace("\n", "").isprintable()


def test_a_limit_reached_in_a_failing_call_is_no_interrupt(monkeypatch, capfd):
    """One call unpacks everything, long after the limit, and fails at the checksum."""
    monkeypatch.setattr(memory, "_BETWEEN", (1, 1000))
    packed = bytearray(zlib.compress(bytes(64 << 20)))
    packed[-1] ^= 1

    def fail():
        with memory.kept_within(-(2**40)):
            zlib.decompress(packed)

    assert run(click.Command("short", callback=fail), []) == 2
    assert "this takes more than the limit" in capfd.readouterr().err
    assert memory.limit_met() is None


def test_tables_are_listed_in_a_column_and_none_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = ("risk/a", "risk/longer")
    monkeypatch.setattr(
        tables_command, "LONG", tuple(Entry(name, "risk win 4 2") for name in names)
    )
    assert main(["project", "tables", "--long", "--list"]) == 0
    assert capsys.readouterr().out == (
        "risk/a       exactdice risk win 4 2\nrisk/longer  exactdice risk win 4 2\n"
    )
    assert not list(tmp_path.iterdir())
    assert main(["project", "tables", "--long", "--only", "swe/*"]) == 2
    expected = "only: got 'swe/*'; expected a pattern that matches a table, such as risk/*"
    assert expected in capsys.readouterr().err
    assert main(["project", "tables", "--long", "--only", "*/a", "--digits", "3"]) == 0
    assert capsys.readouterr().out.startswith("Wrote 1 exact tables and kept 0 current ones")
    assert {path.name for path in (tmp_path / "out" / "risk").iterdir()} == {
        "a.txt", "a.csv", "a.json", "a.tex"
    }  # fmt: skip
    (*_, last) = (tmp_path / "out" / "risk" / "a.csv").read_text().splitlines()
    assert last == f"value,{POSTS_WIN},0.656"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ("127.0.0.1", 8000, (), (None, 120, MEMORY_LIMIT))),
        ("--port 0 --host ::1 --workers 1 --time 1 --memory 256MiB --allow-host a,b",
         ("::1", 0, ("a", "b"), (1, 1, 256 << 20))),
        ("--port 65535 --workers 64 --time 86400", ("127.0.0.1", 65535, (),
                                                    (64, 86400, MEMORY_LIMIT))),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("processors", "workers"), [(None, 2), (1, 2), (3, 3)])
def test_a_server_gets_its_options(words, expected, processors, workers, monkeypatch):
    serving = pytest.importorskip("exactdice.web.serving", reason="the extra web is not installed")
    given = []
    monkeypatch.setattr(serving, "serve", lambda *words: given.append(words))
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    assert main(["serve", *words.split()]) == 0
    ((*place, limits),) = given
    host, port, allowed, (count, seconds, memory) = expected
    assert place == [host, port, allowed]
    assert (limits.workers, limits.seconds) == (count or workers, seconds)
    assert limits.memory == memory


def test_a_file_name_without_a_known_suffix_needs_a_format(refused):
    expected = "--output: got 'answer.xyz'; expected a name that ends in one of"
    assert expected in refused("risk win 4 2 -o answer.xyz")


LINES = ["risk win 4 2", "symbolic ehrhart 1,2", "symbolic risk-round 2 1"]
PRINTING = "import sys; from exactdice.cli import main; sys.exit(max(map(main, {})))"


def printed(lines, **environment):
    program = PRINTING.format([line.split() for line in lines])
    command, environment = [sys.executable, "-c", program], os.environ | environment
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_missing_characters_are_replaced(encoding):
    written = printed(LINES, PYTHONIOENCODING=encoding).decode(encoding)
    assert written.count("# exactdice ") == len(LINES)
    sign = "≈" if encoding == "utf-8" else "~"
    assert f"{sign} 0.6559539998" in written  # what the Risk post prints, by long division


def test_a_c_locale_is_supported():
    written = printed(LINES[1:2], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert b"Lattice points x >= 0 with sum w*x <= n" in written


@pytest.mark.slow
@pytest.mark.parametrize(("name", "read"), [("json", json.loads), ("html", html.unescape)])
def test_json_and_html_keep_their_data_in_a_locale_of_ascii(name, read):
    r"""Each has its own escapes for missing characters: \u2026 and &#8230;."""
    reduced, full = (
        printed([f"claims --format {name}"], PYTHONIOENCODING=encoding).decode(encoding)
        for encoding in ("ascii", "utf-8")
    )
    assert not full.isascii()
    assert read(reduced) == read(full)


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


SIMULATE = [*PROGRAM, "fatestones", "simulate", "--players", "mcts:1,random", "--seed", "1"]


@pytest.mark.slow
def test_a_log_at_a_size_limit_keeps_whole_lines_and_the_run_fails(tmp_path):
    log = tmp_path / "log.csv"
    words = [*SIMULATE[3:], "--log", log.name, "--games"]  # a long path would be shortened
    assert executed("", *words, "20", cwd=tmp_path).returncode == 0
    before = log.read_text()
    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999))  # noqa: E731
    finished = executed("", *words, "2000", cwd=tmp_path, preexec_fn=small)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == (
        "exactdice: output: log.csv cannot be written: File too large;"
        " it has its old length again\n"
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
