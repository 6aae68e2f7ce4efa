"""Change the package at random, place by place, and run the tests that cover the place.

A *mutant* is the package with one change to one module: a comparison made strict or reversed, a
difference instead of a sum, a number increased by one, a condition negated, a statement removed.
(A strict `zip` is an assertion, and is not changed.) A mutant is *killed* if a test fails or does
not end; otherwise it *survives*: then a test is missing, or the mutant is *equivalent* to the
original. Equivalent mutants are listed in `equivalent.txt`, each with its reason.

Usage: mutants.py [--number N] [--random R] [--processes P] [--log FILE] [--match TEXT] [PATH …]

Mutants are tried in copies of the tree, `build/mutants*`. The name of a mutant consists of its
module, its function and its change, and does not depend on other edits; names and R determine the
choice. Results are added to a log, and killed mutants are not tried again: a stopped run resumes,
and a run after a new test tries the surviving ones. Without the log all are tried.

The tests of each subpackage are run once to record their times and the lines they cover
(`covered.py`), until it changes. A mutant runs the tests that cover its place, the shortest first,
up to BUDGETS in seconds of processor time. Code that runs at import is tested by the tests of its
function or class, and by those that reach its module or a module that imports it; if there are none
in this process, by those of its function or subpackage.
"""

import argparse
import ast
import contextlib
import copy
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path

from covered import Place, Rooms, forked

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutants"
LOG = ROOT / "build" / "mutants.log"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
#: Seconds of processor time for the first tests of a mutant, and for more tests if it survives.
BUDGETS = 20, 100
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef

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
    """Yield the possible changes of a node."""
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
class Mutant(Place):
    """One change to one module of the copy, by its number."""

    number: int
    name: str

    def source(self, tree: Path) -> str:
        """Write the module with this change."""
        parsed = ast.parse((tree / self.module).read_text(encoding="utf-8"))
        for number, (node, field, index, _, change) in enumerate(places(parsed)):
            if number == self.number:
                put(node, field, index, change)
                return written(parsed)
        raise LookupError(self.name)


def written(tree: ast.Module) -> str:
    """Write a module without comments, in the form of the copy."""
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def shown(node: ast.AST) -> str:
    """Write a node on one line; of a compound statement, its first line."""
    return ast.unparse(node).splitlines()[0]


Change = tuple[ast.AST, str, int, tuple[ast.AST, ...], ast.AST]


def places(tree: ast.Module) -> Iterator[Change]:
    """Yield (node, field, index, the child and its context, its possible changes)."""

    def walk(node: ast.AST, inside: tuple[ast.AST, ...]) -> Iterator[Change]:
        for field, value in ast.iter_fields(node):
            is_strict = isinstance(node, ast.keyword) and node.arg == "strict"
            if is_strict or field in ("annotation", "returns", "decorator_list"):
                continue
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.AST):
                    for change in changes(child):
                        yield node, field, index, (*inside, child), change
                    yield from walk(child, (*inside, child))

    yield from walk(tree, ())


def put(node: ast.AST, field: str, index: int, child: ast.AST) -> None:
    value = getattr(node, field)
    if isinstance(value, list):
        value[index] = child
    else:
        setattr(node, field, child)


def mutants(module: str, tree: Path) -> Iterator[Mutant]:
    """Yield every mutant of a module of the copy, in order of lines."""
    met: dict[str, int] = {}
    parsed = ast.parse((tree / module).read_text(encoding="utf-8"))
    for number, (_, _, _, inside, change) in enumerate(places(parsed)):
        scopes = [node for node in inside if isinstance(node, FUNCTION | ast.ClassDef)]
        scope = ".".join(node.name for node in scopes)
        name = f"{module}: {scope}: {shown(inside[-1])} -> {shown(change)}"
        met[name] = met.get(name, 0) + 1
        if met[name] > 1:
            name += f" (number {met[name]})"
        located = [node for node in inside if hasattr(node, "lineno")]
        around = whole(scopes[-1]) if scopes else range(0)
        lines = spanned(located[-1])
        yield Mutant(module, lines, around, at_import(inside), number, name)


def at_import(inside: tuple[ast.AST, ...]) -> bool:
    """Whether these nodes run when the module is imported, outside calls."""
    return not any(
        isinstance(node, FUNCTION) and within in node.body for node, within in pairwise(inside)
    )


def whole(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def spanned(node: ast.AST) -> range:
    """Return the lines of a node; of a compound statement, those before its body."""
    body = getattr(node, "body", None)
    if isinstance(node, ast.stmt) and isinstance(body, list) and not isinstance(node, FUNCTION):
        return range(node.lineno, max(body[0].lineno, node.lineno + 1))
    return whole(node)


def equivalent() -> dict[str, str]:
    """Read the equivalent mutants, with the reason of each."""
    known = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" | ")
            known[name] = reason
    return known


def copy_tree(folder: Path) -> None:
    """Copy all files of git and the compiled module; modules are rewritten by `written`."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    compiled = [path.relative_to(ROOT) for path in (ROOT / "exactdice" / "native").glob("*.so")]
    kept = set()
    for name in [*map(Path, listed), *compiled]:
        if not (ROOT / name).exists():
            continue
        content = (ROOT / name).read_bytes()
        if name.suffix == ".py" and name.parts[0] == "exactdice":
            content = written(ast.parse(content)).encode()
        copied = folder / name
        kept.add(copied)
        if not copied.exists() or copied.read_bytes() != content:
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(content)
            shutil.copymode(ROOT / name, copied)
    for part in ("exactdice", "tests"):
        for path in [*(folder / part).rglob("*.py"), *(folder / part).rglob("*.so")]:
            if path not in kept:
                path.unlink()


def in_parallel(count: int, processes: int, work: Callable[[int, int], None]) -> None:
    """Let processes take numbers below a count, the next one whenever a process is free.

    `work` is called with the number of the process and the number taken.
    """
    taking, giving = os.pipe()

    def take(worker: int) -> int:
        os.close(giving)
        while number := os.read(taking, 4):
            work(worker, int.from_bytes(number))
        return 0

    workers = [forked(partial(take, worker)) for worker in range(processes)]
    os.close(taking)
    with contextlib.suppress(BrokenPipeError), os.fdopen(giving, "wb", buffering=0) as gives:
        for number in range(count):
            gives.write(number.to_bytes(4))
    statuses = [os.waitpid(pid, 0)[1] for pid in workers]
    if any(statuses):
        sys.exit("mutants.py: stopped; what is done is in the log")


def drawn(which: int, name: str) -> str:
    """Draw a number for a mutant that does not depend on other edits."""
    return hashlib.sha256(f"{which} {name}".encode()).hexdigest()


def verdicts(log: Path) -> dict[str, str]:
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return {line[24:].strip(): line[:10].strip() for line in lines}


def main() -> int:
    """Try mutants; 1 if one survives that is not listed as equivalent."""
    parser = argparse.ArgumentParser(description="Change the package at random and run its tests.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="modules or folders to change")
    parser.add_argument("--number", type=int, default=300, help="how many mutants to choose")
    parser.add_argument("--random", type=int, default=1, help="which of them")
    parser.add_argument(
        "--match", default="", metavar="TEXT", help="try those with this in the name"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many are tried at a time")
    parser.add_argument(
        "--log", type=Path, default=LOG, help="add the results here, and go on from what is there"
    )
    asked = parser.parse_args()
    copy_tree(COPY)
    rooms = Rooms(COPY)
    package = sorted(COPY.glob("exactdice/**/*.py"))
    modules = [path.relative_to(COPY).as_posix() for path in package]
    found = [mutant for module in modules for mutant in mutants(module, COPY)]
    chosen = sorted(found, key=lambda mutant: drawn(asked.random, mutant.name))[: asked.number]
    chosen = [
        mutant
        for mutant in sorted(chosen, key=lambda mutant: (rooms.of(mutant.module), mutant.name))
        if mutant.module.startswith(tuple(asked.paths) or "") and asked.match in mutant.name
    ]
    needed = {rooms.of(mutant.module) for mutant in chosen}
    looked_at = sorted({rooms.of(module) for module in modules})

    def look(worker: int, number: int) -> None:
        rooms.look_at(looked_at[number], only_kept=looked_at[number] not in needed)

    in_parallel(len(looked_at), asked.processes, look)
    for room in looked_at:
        rooms.look_at(room, only_kept=True)
    known, before = equivalent(), verdicts(asked.log)
    for name in known.keys() - {mutant.name for mutant in found}:
        print(f"listed as equivalent, but there is no such mutant: {name}", flush=True)
    tried = [
        mutant
        for mutant in chosen
        if mutant.name not in known and before.get(mutant.name) != "killed"
    ]
    copies = [COPY.with_name(f"mutants-{worker}") for worker in range(asked.processes)]
    for folder in copies:
        copy_tree(folder)
        (folder / "covered").mkdir(exist_ok=True)
    sound: set[str] = set()

    def try_one(worker: int, number: int) -> None:
        mutant = tried[number]
        rooms.tree = copies[worker]
        if (room := rooms.of(mutant.module)) not in sound:  # or all would seem to be killed
            tests = dict(islice(rooms.tests_for(mutant, 0).items(), 1))
            unchanged = (rooms.tree / mutant.module).read_text(encoding="utf-8")
            if rooms.is_killed(mutant.module, unchanged, tests)[0]:
                sys.exit(f"the tests of {room} fail as they stand: {', '.join(tests)}")
            sound.add(room)
        killed, took, met = False, 0.0, set[str]()
        for budget in BUDGETS:
            tests = rooms.tests_for(mutant, budget)
            others = {name: seconds for name, seconds in tests.items() if name not in met}
            if not killed and others:
                met |= set(others)
                killed, more = rooms.is_killed(mutant.module, mutant.source(rooms.tree), others)
                took += more
        line = f"{'killed' if killed else 'survives':10} {took:8.1f} s   {mutant.name}\n"
        with asked.log.open("ab", buffering=0) as results:
            results.write(line.encode())
        print(line, end="", flush=True)

    in_parallel(len(tried), asked.processes, try_one)
    last = verdicts(asked.log)
    survivors = [m.name for m in chosen if m.name not in known and last[m.name] != "killed"]
    print(
        f"{len(chosen)} of {len(found)} mutants tried: "
        f"{sum(m.name not in known for m in chosen) - len(survivors)} killed, "
        f"{sum(m.name in known for m in chosen)} known to be equivalent, "
        f"{len(survivors)} survive{':' if survivors else ''}",
        *survivors,
        sep="\n",
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
