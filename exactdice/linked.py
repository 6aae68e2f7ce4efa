"""Names that are imported only when used.

A record names the function that shows it. The function imports the record's module, not the other
way round, so that there is no circle.
"""

import importlib
import inspect
import re
import sys
from collections import UserDict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def linked(name: str) -> Any:
    """Import a module and return it, or the attribute in ``module:name``."""
    module, _, attribute = name.partition(":")
    home = importlib.import_module(module)
    return getattr(home, attribute) if attribute else home


def is_of(value: object, *names: str) -> bool:
    """Whether a value is of one of the named classes; never if their modules are not loaded."""
    loaded = (name for name in names if name.partition(":")[0] in sys.modules)
    return isinstance(value, tuple(map(linked, loaded)))


class LoadedOnUse(UserDict[str, T]):
    """Values by their names, in order, each loaded at its first use."""

    def __init__(self, names: Iterable[str], load: Callable[[str], T]) -> None:
        unloaded: dict[str, Any] = dict.fromkeys(names)
        super().__init__(unloaded)
        self._load = load

    def __getitem__(self, name: str) -> T:
        if self.data[name] is None:
            self.data[name] = self._load(name)
        return self.data[name]


# An import of a package under ``if TYPE_CHECKING``, also used below.
_PASSED_ON = re.compile(r"^    from (\S+) import (\w+) as \2$", re.MULTILINE)


def loaded_on_use(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names load when used.

    The names are those that its source imports for type checkers, each as itself.
    """
    source = inspect.getsource(sys.modules[package])
    home = {name: module for module, name in _PASSED_ON.findall(source)}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return linked(f"{home[name]}:{name}")

    return sorted(home), load, lambda: sorted(home)
