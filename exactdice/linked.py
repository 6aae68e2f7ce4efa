"""What is known by its name alone, and imported when it is needed.

A record names the function that shows it: the function knows the record's module, which does not
import it, so that there is no circle, and nothing is loaded before somebody looks.
"""

import importlib
import sys
from collections.abc import Callable
from typing import Any


def linked(name: str) -> Any:
    """Import the module that is named, and return what ``module:name`` names in it.

    >>> linked("exactdice.arithmetic:significant").__name__
    'significant'
    """
    module, _, attribute = name.partition(":")
    home = importlib.import_module(module)
    return getattr(home, attribute) if attribute else home


def loaded_on_use(
    package: str, *homes: tuple[str, str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names load when used.

    >>> names, load, listing = loaded_on_use("exactdice", ("arithmetic", "decimal significant"))
    >>> names, load("decimal").__name__, "significant" in listing()
    (['decimal', 'significant'], 'decimal', True)
    """
    home = {name: module for module, names in homes for name in names.split()}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return linked(f"{package}.{home[name]}:{name}")

    def listing() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home})

    return sorted(home), load, listing
