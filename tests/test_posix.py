"""Systems without POSIX: what works, and one clear line for the rest."""

import pytest
from measured import executed

# What Python has on POSIX systems alone, by its documentation, as far as the package uses it.
ELSEWHERE = """
import os, signal, sys, warnings
warnings.simplefilter("ignore")  # filelock finds neither fcntl nor msvcrt
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
absent = "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK fchmod fwalk geteuid killpg pread setsid"
for name in [*absent.split(), "sysconf"]:
    delattr(os, name)
for name in ("SIG_BLOCK", "SIG_SETMASK", "SIGKILL", "pthread_sigmask"):
    delattr(signal, name)
"""


def run(program):
    return executed(ELSEWHERE + program)


def test_dice_solvers_and_games_work_from_python():
    done = run("""
import exactdice as xd, exactdice.symbolic.ehrhart, exactdice.solve.questions
print((3 @ xd.d6).probability(10), xd.ask("risk win 4 2").value("value"), xd.swe.solve(1).value)
xd.reroll, xd.farkle
import exactdice.storage.folder, exactdice.sweeps, exactdice.web.workers, exactdice.formats.files
""")
    # 27 of 216 rolls; the Risk post; a die of 4 faces that must not fail.
    assert (done.stdout, done.stderr) == ("1/8 6610505/10077696 3/4\n", "")


PROGRAM = "from exactdice.__main__ import main; sys.argv[1:] = {}; sys.exit(main())"


def command(*words):
    return run(PROGRAM.format(words))


@pytest.mark.parametrize(
    "line",
    [
        "--version",
        "4d6kh3",
        "risk win 4 2",
        pytest.param("book pig --variant piglet-10 --quiet", marks=pytest.mark.slow),
        pytest.param("farkle advise --roll 1,1,5,3,4,6 --quiet", marks=pytest.mark.slow),
        pytest.param("fatestones --help", marks=pytest.mark.slow),
        pytest.param("model --help", marks=pytest.mark.slow),
        pytest.param("reroll value --quiet", marks=pytest.mark.slow),
        pytest.param("swe value 5 --quiet", marks=pytest.mark.slow),
    ],
)
def test_answers_are_the_same(line):
    words = line.split()
    here = executed("import sys\n" + PROGRAM.format(words))
    there = command(*words)
    assert there.returncode == 0
    assert (there.stdout, there.stderr) == (here.stdout, here.stderr)


@pytest.mark.slow
def test_files_are_written_and_extended(tmp_path):
    for _ in range(2):  # a second time the file is replaced
        done = command("risk", "win", "4", "2", "--output", str(tmp_path / "win.json"))
        assert (done.returncode, done.stderr) == (0, "")
    assert '"6610505/10077696"' in (tmp_path / "win.json").read_text()  # the Risk post
    for wrong in ("", "none/win.json"):  # a folder, and one that does not exist
        done = command(
            "risk", "win", "4", "2", "--format", "json", "--output", f"{tmp_path}/{wrong}"
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    path = tmp_path / "lines"
    add = f"import pathlib, exactdice.storage as s; s.append(pathlib.Path({str(path)!r}), 'x\\n')"
    for _ in range(2):
        assert run(add).stderr == ""
    assert path.read_text() == "x\nx\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["lines", "win.json"]


@pytest.mark.parametrize(
    "line", ["project tables --only risk/round-1-1 --output {}", "sweep run risk-dice --store {}"]
)
def test_what_locks_folders_says_so_in_one_line(line, tmp_path):
    done = command(*line.format(tmp_path / "new").split())
    assert done.returncode == 2
    assert done.stderr.startswith(
        "exactdice: output folders, sweeps and the web server need a POSIX"
    )
    assert done.stderr.count("\n") == 1
