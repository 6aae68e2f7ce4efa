"""What POSIX systems alone have: locks of files, and limits of processes.

Whatever writes files, keeps folders or stores, or starts workers under limits takes it from here:
elsewhere, as on Windows, importing that is refused with one clear error. Dice, solvers and reports
take nothing from here.
"""

from exactdice.errors import UnsupportedSystemError

try:
    import fcntl as fcntl
    import resource as resource
except ImportError:
    raise UnsupportedSystemError(
        "this system has no locks of POSIX files; use Linux, macOS or WSL, or the modules of the "
        "games from Python"
    ) from None
