"""Do the tests notice? Change the package at random, place by place, and run the tests of its room.

A *mutant* is the package with one change to one module: a comparison made strict or turned round, a
sum for a difference, a number one larger, a condition negated, a statement left out. It is *killed*
if a test of the room of that module fails or takes too long, or else it *survives*: then a test is
missing, or the mutant is *equivalent*, which is that no caller can tell it from the original. Those
are listed in `mutants_equivalent.txt`, each with its reason.

Usage: mutants.py [--number N] [--random R] [PATH …]

Mutants are tried in a copy of the tree; the choice among them follows from R alone. A mutant is
named by its module, its function and its change, so that the name outlives other edits.
"""

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "tests" / "mutants_equivalent.txt"
LONGEST = 600  # seconds of processor time for the tests of a room, on however busy a machine
NO_TESTS = 5  # exit status of pytest

SWAPPED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node may be changed into."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
        yield ast.Compare(node.left, [SWAPPED[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        yield ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in SWAPPED:
        yield ast.AugAssign(node.target, SWAPPED[type(node.op)](), node.value)
        yield ast.Pass()
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(SWAPPED[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        negated = copy.copy(node)
        negated.test = ast.UnaryOp(ast.Not(), node.test)
        yield negated
    elif isinstance(node, ast.Raise | ast.Continue | ast.Break) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = {"min": "max", "max": "min", "any": "all", "all": "any"}.get(node.func.id)
        if other:
            yield ast.Call(ast.Name(other, ast.Load()), node.args, node.keywords)


@dataclass(frozen=True)
class Mutant:
    """One change to one module."""

    module: str
    name: str
    line: int
    source: str


def shown(node: ast.AST) -> str:
    """Write a node on one line; of a compound statement, its first."""
    return ast.unparse(node).splitlines()[0]


def mutants(module: Path, root: Path = ROOT) -> Iterator[Mutant]:
    """Yield every mutant of a module, from its first line to its last."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    relative = module.relative_to(root).as_posix()
    met: dict[str, int] = {}

    def walk(node: ast.AST, scope: str) -> Iterator[Mutant]:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(child, ast.AST):
                    continue
                named = isinstance(child, ast.FunctionDef | ast.ClassDef)
                inside = f"{scope}.{child.name}".lstrip(".") if named else scope
                for change in changes(child):
                    name = f"{relative}: {inside}: {shown(child)} -> {shown(change)}"
                    met[name] = met.get(name, 0) + 1
                    if met[name] > 1:
                        name += f" (number {met[name]})"
                    put(node, field, index, change)
                    source = ast.unparse(ast.fix_missing_locations(tree))
                    put(node, field, index, child)
                    yield Mutant(relative, name, getattr(child, "lineno", 0), source)
                yield from walk(child, inside)

    yield from walk(tree, "")


def put(node: ast.AST, field: str, index: int, child: ast.AST) -> None:
    """Set a child of a node."""
    value = getattr(node, field)
    if isinstance(value, list):
        value[index] = child
    else:
        setattr(node, field, child)


def tests_of(module: str) -> list[str]:
    """Name the tests of a module's room: its doctests, and the files that mirror it."""
    path = Path(module)
    parts = path.with_suffix("").parts[1:]
    if len(parts) == 1:
        room = f"tests/test_{parts[0]}.py"
    elif parts[0] == "games" and len(parts) > 2:
        room = f"tests/games/{parts[1]}"
    else:
        room = f"tests/{parts[0]}"
    return [module, room] if (ROOT / room).exists() else [module]


def equivalent() -> dict[str, str]:
    """Read the mutants that nobody can tell from the original, with the reason of each."""
    known = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" | ")
            known[name] = reason
    return known


def is_killed(tree: Path, mutant: Mutant) -> bool:
    """Put a mutant into a copy of the tree, run the tests of its room, and take it out again."""
    path = tree / mutant.module
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.source, encoding="utf-8")
    try:
        return not passes(tree, tests_of(mutant.module))
    finally:
        path.write_text(original, encoding="utf-8")


def passes(tree: Path, tests: Iterable[str]) -> bool:
    """Whether tests pass in a tree, and in time; no tests at all notice nothing."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "ci", "PYTHONPATH": str(tree)}
    finished = subprocess.run(
        [*command, *tests],
        cwd=tree,
        env=environment,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST)),
        check=False,
    )
    return finished.returncode in (0, NO_TESTS)


def copy_tree(folder: Path) -> None:
    """Copy what git knows, and the compiled module."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    compiled = [path.relative_to(ROOT) for path in (ROOT / "exactdice" / "native").glob("*.so")]
    for name in [*map(Path, listed), *compiled]:
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def main() -> int:
    """Try mutants; 1 if one survives that is not known to be equivalent."""
    parser = argparse.ArgumentParser(description="Change the package at random and run its tests.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--number", type=int, default=300, help="how many mutants to try")
    parser.add_argument("--random", type=int, default=1, help="which of them")
    parser.add_argument("--line", type=int, help="only those of one line")
    asked = parser.parse_args()
    modules = [path.resolve() for path in asked.paths] or [
        path
        for path in sorted((ROOT / "exactdice").rglob("*.py"))
        if path.relative_to(ROOT).parts[1] not in ("cli", "__main__.py")
    ]
    found = [mutant for module in modules for mutant in mutants(module)]
    found = [mutant for mutant in found if asked.line in (None, mutant.line)]
    known = equivalent()
    tried = random.Random(asked.random).sample(found, min(asked.number, len(found)))  # noqa: S311
    survivors = []
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        copy_tree(tree)
        rooms = {tests for mutant in tried for tests in tests_of(mutant.module)}
        if not all(passes(tree, [tests]) for tests in sorted(rooms)):
            print("the tests of these rooms fail as they stand")
            return 1
        for mutant in tried:
            began = time.monotonic()
            verdict = "equivalent" if mutant.name in known else "survives"
            if verdict == "survives" and is_killed(tree, mutant):
                verdict = "killed"
            elif verdict == "survives":
                survivors.append(mutant)
            took = time.monotonic() - began
            print(f"{verdict:10} {took:6.1f} s  {mutant.name} (line {mutant.line})", flush=True)
    print(f"{len(tried)} of {len(found)} mutants tried, {len(survivors)} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
