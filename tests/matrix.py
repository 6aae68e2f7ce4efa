"""Build, install and test the package in the ways that users do; write down what came out.

A *row* of the matrix is a Python, the lowest or the newest versions of what the package needs, a
compiler or none, and a source distribution or a wheel. Each row gets an environment of its own, in
which the package is installed as a user would, and the tests run against what was installed: in a
copy of the source distribution without the package. The Pythons are those at hand: on the path or
of pyenv.

Usage: matrix.py [--only ROW …] [--write FILE] [TEST …]

The table, with the day, the commit and what was tested, replaces the one in FILE.
"""

import argparse
import datetime
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from oldest import lowest, requirements

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- make matrix: begin -->\n", "<!-- make matrix: end -->\n"
OLDEST, YOUNGEST = 11, 15  # minor versions of Python that are looked for
SUMMARY = re.compile(r"(\d+ (?:passed|failed|skipped|errors?))")


class BrokenRowError(Exception):
    """A row of which something could not be built, or installed."""


@dataclass(frozen=True)
class Row:
    """One way to have the package."""

    python: str
    versions: str  # "lowest" or "newest"
    compiler: str  # "g++", "clang++" or "none"
    source: str  # "sdist" or "wheel"

    @property
    def name(self) -> str:
        """Its name for ``--only``."""
        return f"{self.python}-{self.versions}-{self.compiler}-{self.source}"


def pythons() -> dict[str, str]:
    """Find one Python of each minor version that starts."""
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
    yield Row(oldest, "lowest", "g++", "sdist")
    yield Row(oldest, "newest", "g++", "wheel")
    yield Row(oldest, "newest", "clang++", "sdist")
    yield Row(oldest, "newest", "none", "wheel")
    for place, python in enumerate(others):
        yield Row(python, "newest", "g++", ("wheel", "sdist")[place % 2])


def run(command: list[str | Path], log: Path, **more: object) -> None:
    """Run a program into a log."""
    with log.open("ab") as out:
        ended = subprocess.run(command, stdout=out, stderr=out, check=False, **more)
    if ended.returncode:
        last = log.read_text(errors="replace").strip().splitlines()[-1:]
        raise BrokenRowError(f"{Path(str(command[0])).name}: {' '.join(last)[:100]}")


def built(row: Row, python: Path, sdist: Path, folder: Path, log: Path) -> Path:
    """Build what is installed: the wheel, or nothing for the source distribution."""
    if row.source == "sdist":
        return sdist
    made = folder / "wheels"
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, sdist]
    run(command, log, env=environment(row))
    (wheel,) = made.glob("*.whl")
    return wheel


def environment(row: Row) -> dict[str, str]:
    """Name the compiler to the build; one that does not exist where there is to be none."""
    one = {"g++": ("gcc", "g++"), "clang++": ("clang", "clang++")}.get(row.compiler, ("no-cc",) * 2)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"CC": one[0], "CXX": one[1]}


def outcome(row: Row, python: str, sdist: Path, folder: Path, tests: list[str]) -> str:
    """Install and test one row; a line about it."""
    log = folder / "log"
    run([python, "-m", "venv", folder / "venv"], log)
    inside = folder / "venv" / "bin" / "python"
    wanted = requirements(ROOT / "setup.cfg", ["test"])
    pins = list(lowest(wanted)) if row.versions == "lowest" else wanted
    package = built(row, inside, sdist, folder, log)
    install: list[str | Path] = [inside, "-m", "pip", "install", "--quiet", *pins]
    run([*install, package], log, env=environment(row))
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
    command = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *tests]
    try:
        run(command, log, cwd=top, env=environment(row) | {"HYPOTHESIS_PROFILE": "ci"})
    except BrokenRowError:
        for line in re.findall(r"^(?:FAILED|ERROR) .*$", log.read_text(errors="replace"), re.M):
            print(f"  {line[:150]}", flush=True)
    last = log.read_text(errors="replace").strip().splitlines()[-1]
    return ", ".join(SUMMARY.findall(last)) or last[:100]


def written(table: list[str], page: Path) -> None:
    """Put the table into a page, between the marks."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(before + BEGIN + "\n".join(table) + "\n" + END + after, encoding="utf-8")


def main() -> int:
    """Go through the rows; 1 if one of them fails."""
    parser = argparse.ArgumentParser(description="Build, install and test in every way.")
    parser.add_argument("tests", nargs="*", default=["tests"], metavar="TEST")
    parser.add_argument("--only", nargs="*", default=[], metavar="ROW", help="only these rows")
    parser.add_argument("--write", type=Path, help="the page that holds the table")
    asked = parser.parse_args()
    at_hand = pythons()
    table = [
        "| Python | versions | compiler | from | tests | minutes |",
        "|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        log, folder = Path(name) / "log", Path(name)
        build = "from setuptools.build_meta import build_sdist; print(build_sdist('" + name + "'))"
        run([sys.executable, "-c", build], log, cwd=ROOT)
        (sdist,) = folder.glob("*.tar.gz")
        for row in rows(list(at_hand)):
            if asked.only and row.name not in asked.only:
                continue
            place = folder / row.name
            place.mkdir()
            began = time.monotonic()
            try:
                said = outcome(row, at_hand[row.python], sdist, place, asked.tests)
            except BrokenRowError as problem:
                said = f"broken: {problem}"
            minutes = (time.monotonic() - began) / 60
            cells = (row.python, row.versions, row.compiler, row.source, said, f"{minutes:.0f}")
            table.append(f"| {' | '.join(cells)} |")
            print(table[-1], flush=True)
            shutil.rmtree(place)
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    ).stdout.strip()
    today = datetime.datetime.now(tz=datetime.UTC).date()
    what = "the default tests" if asked.tests == ["tests"] else " ".join(asked.tests)
    table = [f"As of {today}, at {commit}, {what}:", "", *table]
    if asked.write:
        written(table, asked.write)
    return int(any(word in line for line in table for word in ("broken", "failed", "error")))


if __name__ == "__main__":
    sys.exit(main())
