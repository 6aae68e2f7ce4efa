"""Size of the package per subpackage, against its budget and against the main branch.

    python tools/budget.py           lines, classes and modules: on main, here, and allowed
    python tools/budget.py --write   lower the budget to the present size; it never raises a number

The budget is in `tools/budget.toml`. `tests/test_house_rules.py` fails above it.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
BUDGET = ROOT / "tools" / "budget.toml"
COUNTED = ("lines", "classes", "modules")

Sizes = dict[str, dict[str, int]]


def room_of(module: PurePosixPath) -> str:
    """Return the subpackage of a module, for example ``games/risk``; ``top`` is the package itself.

    >>> room_of(PurePosixPath("exactdice/games/risk/exact.py"))
    'games/risk'
    """
    folders = module.parts[1:-1]
    depth = 2 if folders[:1] in (("games",), ("studies",)) else 1
    return "/".join(folders[:depth]) or "top"


def sizes(modules: Iterable[tuple[str, str]]) -> Sizes:
    """Count lines, classes and modules per subpackage, from pairs of path and source text."""
    counted: Sizes = {}
    for path, source in modules:
        room = counted.setdefault(room_of(PurePosixPath(path)), dict.fromkeys(COUNTED, 0))
        room["lines"] += source.count("\n")
        room["classes"] += sum(isinstance(n, ast.ClassDef) for n in ast.walk(ast.parse(source)))
        room["modules"] += 1
    return counted


def here() -> Sizes:
    """Count the working tree."""
    files = sorted((ROOT / "exactdice").rglob("*.py"))
    return sizes((f.relative_to(ROOT).as_posix(), f.read_text(encoding="utf-8")) for f in files)


def on_main() -> Sizes:
    """Count the main branch."""
    packed = subprocess.check_output(["git", "archive", "main", "exactdice"], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return sizes(
            (member.name, archive.extractfile(member).read().decode())
            for member in archive
            if member.name.endswith(".py")
        )


def total(counted: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Sum all subpackages."""
    return {what: sum(room[what] for room in counted.values()) for what in COUNTED}


def excess(counted: Sizes, budget: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Name each number that is above the budget; a subpackage without a budget may hold nothing."""
    return [
        f"{room}: {number} {what}, {budget.get(room, {}).get(what, 0)} allowed"
        for room, numbers in counted.items()
        for what, number in numbers.items()
        if number > budget.get(room, {}).get(what, 0)
    ]


def allowed() -> Sizes:
    """Read the budget."""
    rooms: Sizes = tomllib.loads(BUDGET.read_text(encoding="utf-8"))["rooms"]
    return rooms


def lowered() -> str:
    """Return the budget's text with each number lowered to the present size."""
    now, before = here(), allowed()
    head = BUDGET.read_text(encoding="utf-8").partition("[rooms]")[0]
    rows = (
        f'"{room}" = {{ '
        + ", ".join(f"{what} = {min(now[room][what], before[room][what])}" for what in COUNTED)
        + " }\n"
        for room in sorted(before)
        if room in now
    )
    return f"{head}[rooms]\n{''.join(rows)}"


def main() -> int:
    """Print the table, or write the budget; 1 if something is above it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="lower the budget to the present size")
    if parser.parse_args().write:
        BUDGET.write_text(lowered(), encoding="utf-8")
    before, now, budget = on_main(), here(), allowed()
    nothing = dict.fromkeys(COUNTED, 0)
    print(f"{'':18}" + "".join(f"{what:>26}" for what in COUNTED))
    for room in sorted({*before, *now}):
        counts = [counted.get(room, nothing) for counted in (before, now, budget)]
        line = (" → ".join(str(numbers[what]) for numbers in counts) for what in COUNTED)
        print(f"{room:18}" + "".join(f"{cell:>26}" for cell in line))
    sums = [total(c) for c in (before, now, budget)]
    print(f"{'all':18}" + "".join(f"{' → '.join(str(s[w]) for s in sums):>26}" for w in COUNTED))
    for line in (above := excess(now, budget)):
        print(line, file=sys.stderr)
    return bool(above)


if __name__ == "__main__":
    sys.exit(main())
