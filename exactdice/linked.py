"""What is known by its name alone, and imported when it is needed.

A record names the function that shows it: the function knows the record's module, which does not
import it, so that there is no circle, and nothing is loaded before somebody looks.
"""

import importlib
from typing import Any


def linked(name: str) -> Any:
    """Import the module that is named, and return what ``module:name`` names in it.

    >>> linked("exactdice.arithmetic:significant").__name__
    'significant'
    """
    module, _, attribute = name.partition(":")
    home = importlib.import_module(module)
    return getattr(home, attribute) if attribute else home
