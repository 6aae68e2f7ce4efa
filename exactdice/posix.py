"""File locks and process limits of POSIX systems.

Elsewhere, for example on Windows, each use of `fcntl` or `resource` raises one clear error; only
output folders, sweeps and the web server use them. Single files are written without them.
"""

import importlib
import os
from typing import Any

from exactdice.errors import UnsupportedSystemError


class _Lacking:
    def __getattr__(self, name: str) -> Any:
        raise UnsupportedSystemError(
            "output folders, sweeps and the web server need a POSIX system; use Linux, macOS or WSL"
        )


def _found(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return _Lacking()


fcntl, resource = _found("fcntl"), _found("resource")
IS_POSIX = not isinstance(fcntl, _Lacking)

#: Ways to open that other systems lack count as 0 there.
CLOEXEC, DIRECTORY, NOFOLLOW, NONBLOCK = (
    getattr(os, f"O_{name}", 0) for name in ("CLOEXEC", "DIRECTORY", "NOFOLLOW", "NONBLOCK")
)
CLOEXEC |= getattr(os, "O_BINARY", 0)  # Windows would translate the ends of lines
