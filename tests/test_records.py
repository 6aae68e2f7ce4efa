"""Dataclasses in all modules are frozen, except those of work in progress."""

import importlib
from pathlib import Path

import pytest

import exactdice

pytest.importorskip("starlette")  # which the pages need
PACKAGE = Path(exactdice.__file__).parent
MODULES = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")
           if not path.is_relative_to(PACKAGE / "share")]  # fmt: skip
# What changes while work is under way, or is a place for it.
CHANGING = {
    "formats/gambit.py": {"_Node"}, "formats/reading.py": {"Reading"},
    "studies/fatestones/censuses.py": {"Tally"}, "jobs/crosscheck.py": {"Check"},
    "storage/folder.py": {"_Manifest"}, "web/desk.py": {"Work", "Job"}, "web/workers.py": {"Task"}
}  # fmt: skip


def changing_in(path):
    name = ".".join(("exactdice", *path.with_suffix("").parts)).removesuffix(".__init__")
    module = importlib.import_module(name)
    classes = {name: what for name, what in vars(module).items() if isinstance(what, type)}
    own = [name for name, what in classes.items() if what.__module__ == module.__name__]
    records = {name: vars(classes[name]).get("__dataclass_params__") for name in own}
    return {name for name, record in records.items() if not getattr(record, "frozen", True)}


def test_finished_objects_are_frozen():
    modules = [path for path in MODULES if path.name != "__main__.py"]  # that is the program
    changing = {path.as_posix(): changing_in(path) for path in modules}
    assert {path: names for path, names in changing.items() if names} == CHANGING
