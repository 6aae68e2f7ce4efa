"""Rules of the house that no single module can break unseen: exactness, and imports one way."""

import ast
import fnmatch
from pathlib import Path

import pytest

import exactdice

PACKAGE = Path(exactdice.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Rooms where floating-point is at home: the face of the C++ solvers, simulations and plots.
FLOATING = (
    "native/*",
    "games/*/simulation.py",
    "games/*/tree_search.py",
    "tables/plots.py",
    "tables/plots/*",
)

# Functions of the math module that stay within the integers.
EXACT_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}


def floats_in(tree):
    """Yield what brings floating-point into a module, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield node.lineno, f"literal {node.value}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("float", "complex"):
                yield node.lineno, f"call of {node.func.id}"
        elif isinstance(node, ast.ImportFrom) and node.module == "math":
            for name in node.names:
                if name.name not in EXACT_MATH:
                    yield node.lineno, f"math.{name.name}"
        elif isinstance(node, ast.Import) and any(name.name == "math" for name in node.names):
            yield node.lineno, "the whole math module"


def test_the_walk_sees_floating_point():
    source = "import math\nfrom math import sqrt, gcd\nx = 0.5\ny = float(x)\nz = 1j\n"
    found = sorted(floats_in(ast.parse(source)))
    assert [line for line, _ in found] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_floating_point_outside_its_rooms(path):
    name = path.relative_to(PACKAGE).as_posix()
    if not any(fnmatch.fnmatch(name, pattern) for pattern in FLOATING):
        assert list(floats_in(ast.parse(path.read_text(encoding="utf-8")))) == []


# Which rooms a room may import from, itself included.
BASE = {"errors", "memory", "arithmetic", "showing"}
MAY_IMPORT = {
    "errors": {"errors"},
    "memory": {"errors", "memory"},
    "arithmetic": {"errors", "arithmetic"},
    "showing": {"errors", "arithmetic", "showing"},
    "dice": BASE | {"dice"},
    "symbolic": BASE | {"dice", "symbolic"},
    "solvers": BASE | {"dice", "solvers"},
    "games": BASE | {"dice", "symbolic", "solvers", "games"},
    "native": BASE | {"dice", "games", "native"},
    "tables": BASE | {"dice", "symbolic", "solvers", "games", "native", "claims", "tables"},
    "claims": BASE | {"dice", "symbolic", "solvers", "games", "native", "claims", "sweeps"},
    "sweeps": BASE | {"dice", "symbolic", "solvers", "games", "native", "sweeps"},
}


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".") for name in names if name.startswith("exactdice."))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_one_way(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    room = parts[0]
    for target in imported_by(path):
        if target[1] == "__version__":
            continue
        if room in MAY_IMPORT:
            assert target[1] in MAY_IMPORT[room], f"{room} imports {'.'.join(target)}"
        if room == "games" and target[1] == "games" and len(parts) > 2:
            assert target[2] == parts[1], f"{parts[1]} imports {'.'.join(target)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
