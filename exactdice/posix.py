"""File locks and process limits of POSIX systems.

Elsewhere, for example on Windows, importing this raises one clear error. Dice, solvers and reports
do not need it.
"""

from exactdice.errors import UnsupportedSystemError

try:
    import fcntl as fcntl
    import resource as resource
except ImportError:
    raise UnsupportedSystemError(
        "this system has no POSIX file locks; use Linux, macOS or WSL, or the games from Python"
    ) from None
