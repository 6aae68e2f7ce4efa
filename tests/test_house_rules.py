"""Rules of the house that no single module can break unseen: exactness, and imports one way."""

import ast
import fnmatch
from pathlib import Path

import pytest

import exactdice

PACKAGE = Path(exactdice.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Rooms where floating-point is at home: the face of the C++ solvers, simulations and plots.
FLOATING = ("native/*", "games/*/simulation.py", "games/*/tree_search.py", "jobs/plots/*")
# The clock counts in seconds and their parts.
FLOATING += ("cli/progress.py", "web/asking.py", "web/workers.py")

# The one way into floating-point that a module outside those rooms takes.
DOORS = {
    "solvers/floating.py": "nearest_double",  # guesses, which exact arithmetic settles
    "solvers/floating_simplex.py": "float64",  # finds a basis, which integers check
    "solvers/newton.py": "float64",  # slopes, which decide how fast steps settle
    "solvers/value_iteration.py": "nearest_double",  # sweeps in doubles, where they are asked for
    "games/reroll/dice_game.py": "nearest_double",  # the coursework's class, whose face is floats
    "games/fatestones/beats.py": "float64",  # counts far below 2⁵³, which doubles hold exactly
    "report/interchange.py": "nearest_double",  # decimals beside the exact numbers
    "report/frames.py": "nearest_double",  # the same in data frames
}

NUMPY_FLOATS = {"double", "float16", "float32", "float64", "longdouble"}

# Functions of the math module that stay within the integers.
EXACT_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}


def floats_in(tree):
    """Yield what brings floating-point into a module, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield node.lineno, f"literal {node.value}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in ("float", "complex", "nearest_double"):
                yield node.lineno, name
        elif isinstance(node, ast.Attribute) and node.attr in NUMPY_FLOATS:
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom) and node.module == "math":
            for name in node.names:
                if name.name not in EXACT_MATH:
                    yield node.lineno, f"math.{name.name}"
        elif isinstance(node, ast.Import) and any(name.name == "math" for name in node.names):
            yield node.lineno, "the whole math module"


def test_the_walk_sees_floating_point():
    source = (
        "import math\nfrom math import sqrt, gcd\nx = 0.5\ny = float(x)\nz = 1j\n"
        "a = nearest_double(q)\nb = arithmetic.nearest_double(q)\nc = counts.astype(np.float64)\n"
    )
    found = sorted(floats_in(ast.parse(source)))
    assert [line for line, _ in found] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_floating_point_outside_its_rooms(path):
    name = path.relative_to(PACKAGE).as_posix()
    if not any(fnmatch.fnmatch(name, pattern) for pattern in FLOATING):
        found = {what for _, what in floats_in(ast.parse(path.read_text(encoding="utf-8")))}
        assert found == {DOORS[name]} if name in DOORS else not found


def test_every_exception_names_a_module():
    names = [path.relative_to(PACKAGE).as_posix() for path in MODULES]
    for pattern in (*FLOATING, *DOORS):
        assert fnmatch.filter(names, pattern), pattern


# The rooms of the house from the ground up: a room imports from those before it and from itself.
ORDER = [
    "errors",
    "origin",
    "posix",
    "memory",
    "arithmetic",
    "enclosure",
    "run",
    "levels",
    "processes",
    "storage",
    "report",
    "question",
    "dice",
    "symbolic",
    "solvers",
    "native",
    "claims",
    "games",
    "models",
    "rooms",
    "jobs",
    "sweeps",
    "web",
    "cli",
]


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".") for name in names if name.startswith("exactdice."))


def test_every_room_has_its_place():
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in MODULES}
    assert rooms - {"__init__", "__main__"} <= set(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_one_way(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts[0] in ("__init__", "__main__"):
        return
    for target in imported_by(path):
        if target[1] in ("__version__", "GAMES"):
            continue
        allowed = ORDER.index(target[1]) <= ORDER.index(parts[0])
        assert allowed, f"{parts[0]} imports {'.'.join(target)}"
        if parts[0] == target[1] == "games" and len(parts) > 2:
            assert target[2] == parts[1], f"{parts[1]} imports {'.'.join(target)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
