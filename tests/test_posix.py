"""Systems without POSIX: what works, and one clear line for the rest."""

import pytest
from measured import executed

# What Python has on POSIX systems alone, by its documentation, as far as the package uses it.
ELSEWHERE = """
import os, signal, sys
for name in ("fcntl", "resource"):
    sys.modules[name] = None
absent = "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK fwalk geteuid killpg setsid sysconf"
for name in absent.split():
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
""")
    # 27 of 216 rolls; the Risk post; a die of 4 faces that must not fail.
    assert (done.stdout, done.stderr) == ("1/8 6610505/10077696 3/4\n", "")


@pytest.mark.parametrize("module", [
    "storage.files", "sweeps", "web.workers", "games.fatestones.players", "formats.files"
])  # fmt: skip
def test_modules_with_file_locks_name_the_systems_that_have_them(module):
    done = run(f"""
from exactdice.errors import UnsupportedSystemError
try:
    import exactdice.{module}
except UnsupportedSystemError as problem:
    print(problem)
""")
    assert done.stdout.startswith("this system has no POSIX"), done.stderr
    assert done.stdout.count("\n") == 1


def command(*words):
    program = f"from exactdice.__main__ import main; sys.argv[1:] = {words}; sys.exit(main())"
    return run(program)


def test_commands_that_lock_no_file_work():
    done = command("risk", "win", "4", "2")  # the value that the Risk post prints
    assert (done.returncode, done.stderr) == (0, "")
    assert "6610505/10077696" in done.stdout


def test_the_command_line_says_so_in_one_line():
    done = command("sweep", "run", "x")
    assert done.returncode == 2
    assert done.stderr.startswith("exactdice: this system has no POSIX")
    assert done.stderr.count("\n") == 1
