"""The commands on a system without POSIX modules, simulated by hiding them.

What each command prints is compared with what it prints here, where they exist.
"""

import subprocess
import sys

import pytest

HIDDEN = """
import os, signal, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod", "fchown",
             "fork", "geteuid", "getpgid", "getuid", "killpg", "mkfifo", "pread", "setsid"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGUSR1", "alarm", "setitimer"):
    delattr(signal, name)
"""
RUN = "from exactdice.__main__ import main; sys.exit(main())"


def ran(program, *words, folder=None):
    process = [sys.executable, "-W", "ignore", "-c", "import sys\n" + program, *words]
    return subprocess.run(process, capture_output=True, text=True, cwd=folder, timeout=100)


@pytest.mark.parametrize(
    "command",
    [
        "--version",
        "4d6kh3",
        "risk win 4 2",
        pytest.param("anydice -", marks=pytest.mark.slow),
        pytest.param("book liars-dice --quiet", marks=pytest.mark.slow),
        pytest.param("farkle keep 115346", marks=pytest.mark.slow),
        pytest.param("fatestones --help", marks=pytest.mark.slow),
        pytest.param("model --help", marks=pytest.mark.slow),
        pytest.param("reroll value 6", marks=pytest.mark.slow),
        pytest.param("swe value 5", marks=pytest.mark.slow),
        pytest.param("help", marks=pytest.mark.slow),
    ],
)
def test_answers_are_the_same_without_posix_modules(command):
    words = command.split()
    here, elsewhere = ran(RUN, *words), ran(HIDDEN + RUN, *words)
    assert (elsewhere.returncode, elsewhere.stdout, elsewhere.stderr) == (
        here.returncode,
        here.stdout,
        here.stderr,
    )


def test_files_are_written_without_posix_modules(tmp_path):
    words = ("risk", "win", "4", "2", "--output", "win.json")
    for _ in range(2):  # a second time the file is replaced
        done = ran(HIDDEN + RUN, *words, folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    assert '"6610505/10077696"' in (tmp_path / "win.json").read_text()  # as on paper in the README
    assert [path.name for path in tmp_path.iterdir()] == ["win.json"]
    (tmp_path / "win.json").chmod(0o400)
    (tmp_path / "folder").mkdir()
    for name in ("folder", "none/win.json"):
        done = ran(HIDDEN + RUN, *words[:-1], name, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_lines_are_added_without_posix_modules(tmp_path):
    add = (
        "from exactdice.storage import append; from pathlib import Path; append(Path('a'), 'x\\n')"
    )
    for _ in range(2):
        assert ran(HIDDEN + add, folder=tmp_path).stderr == ""
    assert (tmp_path / "a").read_text() == "x\nx\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["project tables --only risk/round-1-1", "sweep run risk-dice"])
def test_what_needs_locks_says_so_in_one_line(command, tmp_path):
    done = ran(HIDDEN + RUN, *command.split(), folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "POSIX" in done.stderr
