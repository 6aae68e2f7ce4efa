"""Exit status and last line of a command for all kinds of errors, and defaults of options."""

import errno
import html
import json
import os
import subprocess
import sys
import zlib

import click
import pytest

from exactdice import errors, memory
from exactdice.cli import app, main, tables
from exactdice.jobs.catalogue import Entry
from exactdice.memory import MEMORY_LIMIT
from exactdice.studies.risk.sources import POSTS_WIN

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

    assert app.run(click.Command("short", callback=fail), []) == status
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

    assert app.run(click.Command("short", callback=fail), []) == 2
    assert "this takes more than the limit" in capfd.readouterr().err
    assert memory.limit_met() is None


def test_tables_are_listed_in_a_column_and_none_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = ("risk/a", "risk/longer")
    monkeypatch.setattr(tables, "LONG", tuple(Entry(name, "risk win 4 2") for name in names))
    assert main(["project", "tables", "--long", "--list"]) == 0
    assert capsys.readouterr().out == (
        "risk/a       exactdice risk win 4 2\nrisk/longer  exactdice risk win 4 2\n"
    )
    assert not list(tmp_path.iterdir())
    assert main(["project", "tables", "--long", "--only", "swe/*"]) == 2
    assert "only: got 'swe/*'; expected a pattern" in capsys.readouterr().err
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
PROGRAM = "import sys; from exactdice.cli import main; sys.exit(max(map(main, {})))"


def printed(lines, **environment):
    program = PROGRAM.format([line.split() for line in lines])
    command, environment = [sys.executable, "-c", program], os.environ | environment
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_missing_characters_are_replaced(encoding):
    written = printed(LINES, PYTHONIOENCODING=encoding).decode(encoding)
    assert written.count("# command: exactdice ") == len(LINES)
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
