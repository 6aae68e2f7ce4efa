"""Kill a writer at each of its system calls, and check the files.

Run as a program, with the name of a scenario and an empty folder. For each call in turn the
scenario starts anew in a process of its own, which is killed (SIGKILL) just before that call, and
once more just after it; calls of ``write`` take a few bytes only, so that there are many. What
must hold then is checked in the parent, which ends by printing how many kills it made.
"""

import hashlib
import json
import os
import signal
import sys
from itertools import count
from pathlib import Path

from exactdice.errors import OutputError
from exactdice.storage import MANIFEST, OutputFolder, append, write_whole

CALLS = ("open", "write", "fsync", "fchmod", "rename", "unlink", "mkdir", "ftruncate", "close")
OLD, NEW = "old content\n" * 3, "new, longer content\n" * 4


def die_at(step, *, after):
    numbers = count()

    def watched(call, name):
        def called(*arguments, **options):
            here = next(numbers) == step
            if here and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            if name == "write":
                arguments = (arguments[0], arguments[1][:40])
            result = call(*arguments, **options)
            if here:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return called

    for name in CALLS:
        setattr(os, name, watched(getattr(os, name), name))


def killed(scenario, home, step, *, after):
    """Run the scenario in a process; return whether it was killed at that step."""
    child = os.fork()
    if child == 0:
        leave = os._exit
        die_at(step, after=after)
        try:
            scenario(home)
        except BaseException:
            leave(1)
        leave(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the scenario failed by itself"
    return os.WIFSIGNALED(status)


def parts(home):
    return list(home.rglob(".exactdice-*.part"))


def before_file(home):
    (home / "a.txt").write_text(OLD)


def file(home):
    write_whole(home / "a.txt", NEW)


def after_file(home):
    assert (home / "a.txt").read_text() in (OLD, NEW)
    write_whole(home / "a.txt", "next")
    assert [path.name for path in home.iterdir()] == ["a.txt"]


def before_lines(home):
    append(home / "log", "1,first\n", header="number,word\n")


def lines(home):
    append(home / "log", "".join(f"{n},another line\n" for n in range(9)), header="number,word\n")


def after_lines(home):
    start = "number,word\n1,first\n"
    whole = start + "".join(f"{n},another line\n" for n in range(9))
    left = (home / "log").read_text()
    # A kill amid the lines leaves the earlier ones and a beginning of the later ones.
    assert left.startswith(start)
    assert whole.startswith(left)


def before_folder(home):
    (home / "thesis.tex").write_text("years of work")
    folder = OutputFolder(home / "out")
    folder.write({"risk/a.txt": OLD, "risk/gone.txt": OLD}, "one")
    folder.write({"kept.txt": OLD}, "kept")


def folder(home):
    opened = OutputFolder(home / "out")
    opened.keep_only({"risk/a.txt", "kept.txt", "swe/b.txt"})
    opened.write({"risk/a.txt": NEW, "swe/b.txt": NEW}, "two")


def after_folder(home):
    out = home / "out"
    assert (home / "thesis.tex").read_text() == "years of work"
    assert (out / "kept.txt").read_text() == OLD
    for name in ("risk/a.txt", "swe/b.txt", "risk/gone.txt"):
        if (out / name).exists():
            assert (out / name).read_text() in (OLD, NEW)
    opened = OutputFolder(out)  # the next run accepts the folder, and sweeps
    assert not parts(out)
    for name in ("risk/a.txt", "swe/b.txt"):
        if name in opened.current("two"):
            assert (out / name).read_text() == NEW
    assert opened.current("kept") == ["kept.txt"]
    folder(home)
    listed = json.loads((out / MANIFEST).read_text())
    assert listed["files"] == {
        name: hashlib.sha256((out / name).read_bytes()).hexdigest()
        for name in ("risk/a.txt", "swe/b.txt", "kept.txt")
    }
    assert "pending" not in listed
    assert not (out / "risk/gone.txt").exists()
    (out / "kept.txt").write_text("somebody's")  # a changed file is rejected
    try:
        OutputFolder(out)
    except OutputError:
        return
    raise AssertionError("a changed file was taken as its own")


SCENARIOS = {
    "file": (before_file, file, after_file),
    "lines": (before_lines, lines, after_lines),
    "folder": (before_folder, folder, after_folder),
}


def main(name, where):
    os.fsync = lambda _handle: None  # slow, and kills do not need it
    before, scenario, after = SCENARIOS[name]
    kills = 0
    for late in (False, True):
        for step in count():
            home = Path(where) / f"{step}-{late}"
            home.mkdir()
            before(home)
            was_killed = killed(scenario, home, step, after=late)
            after(home)
            if not was_killed:
                break
            kills += 1
    print(kills)


if __name__ == "__main__":
    main(*sys.argv[1:])
