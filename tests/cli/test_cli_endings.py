"""How a command ends: its status and its line, whatever it meets; and what options default to."""

import errno
import os
import sys

import click
import pytest

from exactdice.cli import app, main, plot, tables
from exactdice.errors import (
    CheckFailedError,
    InputError,
    MissingExtraError,
    OutputError,
    TooLargeError,
)
from exactdice.games.risk.sources import POSTS_WIN
from exactdice.jobs.catalogue import Entry
from exactdice.memory import MEMORY_LIMIT


@pytest.mark.parametrize(
    ("ending", "status", "line"),
    [
        (CheckFailedError("it differs"), 1, "it differs"),
        (InputError("size", 3, "another"), 2, "size: got 3; give another"),
        (OutputError("output: no room"), 2, "output: no room"),
        (TooLargeError("it is too large"), 2, "it is too large"),
        (MissingExtraError("numpy is missing"), 2, "numpy is missing"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (KeyboardInterrupt(143), 143, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (click.UsageError("No such option: --chess"), 2, "No such option: --chess"),
        (OSError(errno.ENOSPC, "No space left"), 2, "output: No space left"),
        (MemoryError(), 2, "the numbers that were given are too large"),
        (OverflowError("cannot fit 'int'"), 2, "the numbers that were given are too large"),
    ],
)
def test_an_error_is_a_line_and_a_status(ending, status, line, capfd):
    def fail():
        raise ending

    assert app.run(click.Command("short", callback=fail), []) == status
    shown = capfd.readouterr()
    assert shown.err.startswith(f"exactdice: {line}")
    assert (shown.err.count("\n"), shown.out) == (1, "")


@pytest.mark.parametrize("problem", [ValueError("a defect"), RuntimeError("a defect")])
def test_a_defect_stays_one(problem):
    def fail():
        raise problem

    with pytest.raises(type(problem), match="a defect"):
        app.run(click.Command("short", callback=fail), [])


@pytest.mark.parametrize(
    ("given", "status"), [(None, 0), (0, 0), (3, 3), ("done", 0), (click.exceptions.Exit(4), 4)]
)
def test_what_a_command_gives_is_the_status_if_it_is_a_number(given, status):
    def give():
        if isinstance(given, Exception):
            raise given
        return given

    assert app.run(click.Command("short", callback=give), []) == status


@pytest.mark.parametrize(
    ("ending", "status"),
    [(BrokenPipeError(), 0), (OSError(errno.ENOSPC, "No space left"), 2)],
)
def test_what_could_not_be_written_goes_nowhere(ending, status, tmp_path, monkeypatch):
    """Else the rest would be tried again, and fail, as Python ends."""
    path = tmp_path / "out"
    with path.open("w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)

        def fail():
            stream.write("the rest")
            raise ending

        assert app.run(click.Command("short", callback=fail), []) == status
        assert os.path.sameopenfile(stream.fileno(), os.open(os.devnull, os.O_WRONLY))
    assert path.read_text() == ""


def test_a_program_without_standard_output_asks_for_a_file(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert app.run(click.Command("short", callback=lambda: 0), []) == 2
    assert capsys.readouterr().err == (
        "exactdice: output: standard output is closed; name a file with --output\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [("2 ≥ 1", "2 >= 1"), ("∞ and ∑", r"infinity and \u2211"), ("…", "..."), ("é", r"\xe9")],
)
def test_a_character_that_a_stream_lacks_is_written_in_ascii(text, written):
    app.make_streams_lenient()
    assert text.encode("ascii", "exactdice").decode() == written
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", "exactdice")


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
    assert "only: got 'swe/*'; give a pattern" in capsys.readouterr().err
    assert main(["project", "tables", "--long", "--only", "*/a", "--digits", "3"]) == 0
    assert capsys.readouterr().out.startswith("Wrote 1 exact tables and kept 0 that are current")
    assert {path.name for path in (tmp_path / "out" / "risk").iterdir()} == {
        "a.txt", "a.csv", "a.json", "a.tex"
    }  # fmt: skip
    (*_, last) = (tmp_path / "out" / "risk" / "a.csv").read_text().splitlines()
    assert last == f"value,{POSTS_WIN},0.656"


def test_all_figures_go_into_the_folder_figures(tmp_path, monkeypatch, capsys):
    drawn = []
    monkeypatch.setattr(plot, "_draw", lambda figure, path, data: drawn.append((figure, path)))
    monkeypatch.chdir(tmp_path)
    assert main(["plot", "--all"]) == 2
    assert "output: got 'figures'; give a folder that is there" in capsys.readouterr().err
    (tmp_path / "figures").mkdir()
    assert main(["plot", "--all"]) == 0
    assert [(figure.name, str(path)) for figure, path in drawn] == [
        (figure.name, f"figures/{figure.name}.pdf") for figure in plot.FIGURES
    ]
    for more in (["--size", "3"], ["--report", "a.json"], ["risk-win"], ["risk-win", "4"]):
        assert main(["plot", "--all", *more]) == 2
        assert "all: got a figure or its options too; give --all alone" in capsys.readouterr().err
    assert main(["plot"]) == 2
    assert "name: got None; give the name of a figure" in capsys.readouterr().err
    assert len(drawn) == len(plot.FIGURES)


@pytest.mark.parametrize(
    ("content", "output", "line"),
    [
        ("{", "a.png", "document: got '{'"),
        (None, "a.png", "path: got 'stored.json'; give a file that can be read"),
        ('{"title": "A coin"}', "a.gif", "output: got 'a.gif'; give a file name that ends in"),
    ],
)
def test_a_report_that_cannot_be_read_or_drawn_is_refused_for_what_it_is(
    content, output, line, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / "stored.json").write_text(content)
    words = ["plot", "risk-win", "--report", "stored.json", "-o", output]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"exactdice: {line}")
    assert not (tmp_path / output).exists()


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
def test_a_server_is_started_as_its_options_say(words, expected, processors, workers, monkeypatch):
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


@pytest.mark.parametrize("words", ["--memory 268435455", "--memory none", "--port 65536"])
def test_a_server_is_not_started_beyond_its_limits(words, monkeypatch, capsys):
    serving = pytest.importorskip("exactdice.web.serving", reason="the extra web is not installed")
    monkeypatch.setattr(serving, "serve", lambda *_: pytest.fail("it was started"))
    assert main(["serve", *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"exactdice: {words[2:].split()[0]}: got ")


def test_a_file_whose_name_says_no_format_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["risk", "win", "4", "2", "-o", "answer.xyz"]) == 2
    assert "output: got 'answer.xyz'; give a name that ends in one of" in capsys.readouterr().err
    assert main(["risk", "win", "4", "2", "-o", "answer.JSON"]) == 0
    assert main(["risk", "win", "4", "2", "-o", "answer.xyz", "-f", "json"]) == 0
    assert (tmp_path / "answer.xyz").read_bytes() == (tmp_path / "answer.JSON").read_bytes()
    assert main(["risk", "win", "4", "2", "-f", "parquet"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
