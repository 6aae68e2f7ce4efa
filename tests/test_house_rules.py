"""Rules for all modules: exactness, size, names."""

import ast
import fnmatch
import importlib
import inspect
import re
import runpy
from collections import Counter
from functools import cache
from pathlib import Path

import networkx
import pytest

import exactdice
from exactdice import NAMES_OF_GAMES
from exactdice.formats.certified import OfGame
from exactdice.linked import linked
from exactdice.report.latex import latex_words
from exactdice.report.model import Report
from exactdice.rooms import ROOMS, classes

PACKAGE = Path(exactdice.__file__).parent
MODULES = sorted({*PACKAGE.rglob("*.py")} - {*PACKAGE.glob("share/**/*.py")})
ROOT = Path(__file__).resolve().parents[1]
PAPERS = sorted((ROOT / "papers").rglob("*.py"))

# Modules that may use floating point: the interface of the C++ solvers, simulations and plots.
FLOATING = ("native/*", "games/*/simulation.py", "games/*/tree_search.py", "jobs/plots/*")
# Clocks count fractions of seconds.
FLOATING += ("web/asking.py", "web/workers.py")

# The only floating-point function of another module.
DOORS = {
    "solve/matrix_games.py": "float64",  # finds a basis, which integers check
    "hidden/guesses.py": "float64",  # plans, whose values are computed in integers
    "games/reroll/dice_game.py": "nearest_double",  # the coursework's class has floats
    "games/fatestones/beats.py": "float64",  # counts far below 2⁵³, which doubles hold exactly
    "formats/openspiel.py": "nearest_double",  # policies are doubles there
    "formats/gymnasium.py": "nearest_double",  # an export for floating-point programs
    "report/interchange.py": "nearest_double",  # decimals next to exact numbers
}

NUMPY_FLOATS = {"double", "float16", "float32", "float64", "longdouble"}

# Functions of the math module on integers.
EXACT_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}


@cache
def trees():
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


@cache
def nodes_of(tree):
    return tuple(ast.walk(tree))


def floats_in(tree):
    for node in nodes_of(tree):
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


@pytest.mark.slow
def test_no_floating_point_outside_its_modules():
    for path, tree in trees().items():
        name = path.relative_to(PACKAGE).as_posix()
        if not any(fnmatch.fnmatch(name, pattern) for pattern in FLOATING):
            floats = {what for _, what in floats_in(tree)}
            assert floats == {DOORS[name]} if name in DOORS else not floats, path


@pytest.mark.slow
def test_no_floating_point_in_the_code_of_the_papers():
    assert PAPERS or not (ROOT / "papers").is_dir()
    for path in PAPERS:
        assert not list(floats_in(ast.parse(path.read_text(encoding="utf-8")))), path


def test_every_exception_names_a_module():
    names = [path.relative_to(PACKAGE).as_posix() for path in MODULES]
    for pattern in (*FLOATING, *DOORS):
        assert fnmatch.filter(names, pattern), pattern


def test_imports_are_absolute():
    """pyproject.toml states which subpackage may import which; ``make lint`` checks it."""
    for path, tree in trees().items():
        levels = (getattr(node, "level", 0) for node in nodes_of(tree))
        assert not any(levels), path


@pytest.fixture(autouse=True, scope="module")
def parsed():
    """Parse all modules once, before the first test."""
    return trees()


def test_every_module_has_a_docstring():
    assert not [path for path, tree in trees().items() if not ast.get_docstring(tree)]


def test_every_result_names_a_function_that_reports_it():
    names = [name for tree in trees().values() for name in reporters(tree)]
    assert len(names) > 20
    for name in names:
        assert inspect.signature(linked(name)).return_annotation is Report


def reporters(tree):
    for node in nodes_of(tree):
        if isinstance(node, ast.ClassDef) and "Reported" in map(ast.unparse, node.bases):
            yield from (keyword.value.value for keyword in node.keywords if keyword.arg == "by")


def test_no_name_of_a_game_is_that_of_a_module_of_its_folder():
    """An imported module would replace a name that loads on use."""
    for name in NAMES_OF_GAMES:
        folder = PACKAGE / "games" / name
        modules = {path.stem for path in folder.iterdir() if not path.name.startswith("_")}
        names = set(linked(f"exactdice.games.{name}:__all__"))
        assert not modules & names, f"{name}: {modules & names}"


def test_every_model_of_a_game_is_stated_by_a_question():
    for name in NAMES_OF_GAMES:
        asked = [asked for asked in classes(name) if issubclass(asked, OfGame)]
        for question in asked:
            stated, _, function = question.game_from.partition(":")
            assert stated == f"exactdice.games.{name}.model"
            assert callable(linked(f"{stated}:{function}"))
            assert linked(f"{stated}:as_game")
        assert bool(asked) == (PACKAGE / "games" / name / "model.py").exists()


def test_every_question_is_a_command():
    nodes = [node for tree in trees().values() for node in nodes_of(tree)]
    declared = {node.name for node in nodes if isinstance(node, ast.ClassDef) and answers(node)}
    # A game in progress on a page is no command; at a prompt it is `book NAME --play`.
    declared -= {"Question", "PlayedMatch"}
    assert declared == {asked.__name__ for room in ROOMS for asked in classes(room)}


def answers(node):
    """Whether a class defines ``report(self, run: Run)``, as questions do."""
    methods = {part.name: part.args.args for part in node.body if isinstance(part, ast.FunctionDef)}
    types = [ast.unparse(each).partition(": ")[2] for each in methods.get("report", ())]
    return types == ["", "Run"]


def module_of(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
        ".__init__"
    )


def imports(tree):
    blocks = [block for block in nodes_of(tree) if isinstance(block, ast.If)]
    blocks = [block for block in blocks if "TYPE_CHECKING" in ast.dump(block.test)]
    for_types = {id(node) for block in blocks for node in ast.walk(block)}
    for node in nodes_of(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in for_types:
            yield node


@pytest.mark.slow
def test_no_modules_import_one_another_in_a_circle():
    graph = networkx.DiGraph()
    names = {module_of(path) for path in MODULES}
    for path, tree in trees().items():
        for node in imports(tree):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("exactdice"):
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    graph.add_edge(module_of(path), inner if inner in names else node.module)
    graph.remove_edges_from(  # a package and what it holds
        [(a, b) for a, b in graph.edges if a == b or a.startswith(f"{b}.") or b.startswith(f"{a}.")]
    )
    assert not [part for part in networkx.strongly_connected_components(graph) if len(part) > 1]


@pytest.mark.slow
def test_few_imports_are_inside_functions():
    late = [f"{path}:{node.lineno}" for path, tree in trees().items() for node in imports(tree)
            if node not in tree.body and "exactdice" in ast.dump(node)]  # fmt: skip
    assert len(late) <= 40, late


def test_no_module_is_longer_than_five_hundred_lines():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert not {path: lines for path, lines in lengths.items() if lines > 500}


def docstrings_of(tree):
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    first = (node.body[0] for node in nodes_of(tree) if isinstance(node, kinds))
    return {id(statement.value) for statement in first if isinstance(statement, ast.Expr)}


@pytest.mark.parametrize("room", ["solve", "hidden", "formats", "report", "question", "symbolic"])
def test_general_subpackages_name_no_game(room):
    """Neither in names nor in texts, except docstrings with examples."""
    for path in (PACKAGE / room).rglob("*.py"):
        docstrings = docstrings_of(trees()[path])
        for node in nodes_of(trees()[path]):
            said = getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))
            if isinstance(node, ast.Constant) and id(node) not in docstrings:
                said = str(node.value)
            words = set(re.findall(r"[a-z]+", str(said).lower()))
            assert not words & set(NAMES_OF_GAMES), f"{path}:{node.lineno}"


@pytest.mark.slow
def test_every_character_of_a_text_has_a_form_in_plain_latex():
    """Reports print texts of modules and claims; an unknown character becomes a number."""
    others = {
        PACKAGE / "cli" / "__init__.py",
        *(PACKAGE / "report").glob("*.py"),
    }  # how streams write
    texts = []
    for tree in (tree for path, tree in trees().items() if path not in others):
        docstrings = docstrings_of(tree)
        nodes = [node for node in nodes_of(tree) if isinstance(node, ast.Constant)]
        texts += [n.value for n in nodes if isinstance(n.value, str) and id(n) not in docstrings]
    shelf = PACKAGE / "book" / "shelf.toml"  # icons of web pages
    texts += [path.read_text("utf-8") for path in PACKAGE.rglob("*.toml") if path != shelf]
    characters = {one for one in set("".join(texts)) if one.isprintable() and one != "\\"}
    assert not [one for one in characters if "textbackslash" in latex_words(one)]


def test_only_public_modules_and_faces_of_packages_list_their_names():
    api = (ROOT / "docs" / "exactdice_docs" / "api.py").read_text(encoding="utf-8")
    for path, tree in trees().items():
        lists = [n for n in tree.body if isinstance(n, ast.Assign) and "__all__" in ast.dump(n)]
        if lists and path.name != "__init__.py":
            assert f'"{module_of(path)}"' in api, path


def test_number_types_are_imported_from_one_module():
    for path, tree in trees().items():
        for node in nodes_of(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "gmpy2":
                assert path == PACKAGE / "arithmetic.py", path


def test_names_that_load_when_used_are_listed_before():
    for name in NAMES_OF_GAMES:
        game = linked(f"exactdice.games.{name}")
        assert set(game.__all__) <= set(dir(game))


@pytest.mark.slow
def test_no_subpackage_is_larger_than_its_budget():
    budget = runpy.run_path(str(ROOT / "tools" / "budget.py"))
    assert not budget["excess"](budget["here"](), budget["allowed"]())
    grown = {room: {**numbers, "lines": numbers["lines"] + 1} for room, numbers in
             budget["allowed"]().items()} | {"new": {"lines": 1}}  # fmt: skip
    assert len(budget["excess"](grown, budget["allowed"]())) == len(grown)


#: Names of several classes: private ones, each within its module.
SHARED_NAMES = {"_Node", "_Reader", "_Search", "_Solver"}


def test_class_names_are_unique():
    nodes = (node for tree in trees().values() for node in nodes_of(tree))
    counts = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert {name for name, count in counts.items() if count > 1} <= SHARED_NAMES
    assert len(SHARED_NAMES) <= 15


QUESTIONS = [asked for room in ROOMS for asked in classes(room)]


def test_the_class_of_a_question_has_the_name_of_its_command():
    for asked in QUESTIONS:
        words = re.split("[ -]", asked.command)
        assert asked.__name__ == "".join(map(str.capitalize, words))


#: Public names that differ only by case: `optimum` returns an `Optimum`.
ALIKE = {("exactdice.models", "optimum")}


def test_no_two_public_names_differ_only_by_case():
    for path in MODULES:
        if "__all__" in path.read_text(encoding="utf-8"):
            module = module_of(path)
            counts = Counter(map(str.lower, getattr(linked(module), "__all__", ())))
            alike = {(module, name) for name, count in counts.items() if count > 1}
            assert alike <= ALIKE


def test_no_question_shares_its_name_with_a_function():
    nodes = (node for tree in trees().values() for node in tree.body)
    functions = {node.name.lower() for node in nodes if isinstance(node, ast.FunctionDef)}
    assert {asked.__name__.lower() for asked in QUESTIONS} & functions <= {"verify"}


def test_exported_names_have_docstrings():
    """Also their methods, unless a base class explains them."""
    lacking = []
    for path, tree in trees().items():
        if not exports(tree):
            continue
        module = importlib.import_module(module_of(path))
        for name in module.__all__:
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            if not inspect.getdoc(thing):
                lacking.append(f"{path}: {name}")
            if inspect.isclass(thing):
                own = [m for m, f in vars(thing).items()
                       if inspect.isfunction(f) and f.__name__ == m and m[0] != "_"]  # fmt: skip
                undocumented = [m for m in own if not inspect.getdoc(getattr(thing, m))]
                lacking += [f"{path}: {name}.{method}" for method in undocumented]
    assert not lacking


def exports(tree):
    targets = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
    return "__all__" in [getattr(target, "id", "") for target in targets]
