"""The commit of the package, and whether its compiled module was built from its sources.

In a checkout git knows the commit. A source distribution or a wheel contains a *stamp* of it,
``exactdice/origin.json``: the commit, and a hash of the C++ sources, which is the SHA-256 of the
names and contents of all compiled files. The compiled module contains the hash of its own sources,
so that an outdated one is detected (`exactdice.native.solvers`).

``setup.py`` runs this module alone, so it imports only the standard library; and not pathlib, which
would take a twentieth of the time of a short command.
"""
# ruff: noqa: PTH110, PTH112, PTH118, PTH120, PTH123

import os
from functools import cache
from typing import TypeAlias

Root: TypeAlias = "str | os.PathLike[str]"

#: Path of the stamp, relative to the folder that contains the package.
STAMP = os.path.join("exactdice", "origin.json")

_ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# Sources of the compiled module, and of the package.
_COMPILED = ("binding", "include", "src")
_PACKAGE = ("exactdice", "cpp", "setup.py", "setup.cfg", "pyproject.toml")

_REFUSED = 128  # git's status without a commit, or in another user's folder


def built_from(folder: Root) -> str:
    """Return 16 hexadecimal digits of the hash of the C++ sources in a folder, about 0.2 MB."""
    import hashlib  # not needed for the commit
    from pathlib import Path

    cpp = Path(folder)

    seen = hashlib.sha256()
    for part in _COMPILED:
        for path in sorted((cpp / part).rglob("*.[ch]pp")):
            content = path.read_bytes()
            seen.update(f"{path.relative_to(cpp).as_posix()} {len(content)}\n".encode() + content)
    return seen.hexdigest()[:16]


@cache
def sources_at_hand() -> str | None:
    """Return the hash of this package's C++ sources; None if unknown."""
    if os.path.isdir(os.path.join(_ROOT, "cpp", "binding")):
        return built_from(os.path.join(_ROOT, "cpp"))
    return _stamped(_ROOT).get("sources")


@cache
def commit() -> str:
    """Return the abbreviated commit of the package.

    A trailing ``+changes`` means that files of the package differ from that commit or are not in
    it; ``unknown``, that nothing tells the commit. If git fails otherwise, that is an error.
    """
    return _commit_of(_ROOT)


def stamp(root: Root) -> str:
    """Return the stamp of the sources in a folder, as in a distribution."""
    stamped = {"commit": _commit_of(root), "sources": built_from(os.path.join(root, "cpp"))}
    import json

    return json.dumps(stamped, indent=1) + "\n"


def _commit_of(root: Root) -> str:
    if not os.path.exists(os.path.join(root, ".git")):
        return _stamped(root).get("commit", "unknown")
    import subprocess  # an installed package has no checkout

    try:
        status = ("status", "--porcelain=v2", "--branch", "--untracked-files=all")
        status_lines = _git(root, *status, "--", *_PACKAGE).splitlines()
    except (FileNotFoundError, NotADirectoryError, PermissionError):  # git cannot be run
        return "unknown"
    except subprocess.CalledProcessError as problem:
        if problem.returncode != _REFUSED:
            raise _unread(f"it ended with status {problem.returncode}") from problem
        return "unknown"
    except OSError as problem:
        raise _unread(str(problem.strerror)) from problem
    commit = next(line for line in status_lines if line.startswith("# branch.oid ")).split()[-1]
    if commit == "(initial)":
        return "unknown"
    return commit[:10] + ("" if all(line.startswith("# ") for line in status_lines) else "+changes")


def _unread(reason: str) -> Exception:
    from exactdice.errors import ExactDiceError  # setup.py runs this file alone

    line = f"commit: git failed ({reason}); allow git to run here"
    return ExactDiceError(line)


def _stamped(root: Root) -> dict[str, str]:
    import json  # an installed package needs it, a checkout does not

    path = os.path.join(root, STAMP)
    loader = globals().get("__loader__")  # reads archives too; setup.py has none
    try:
        if loader:
            return dict(json.loads(loader.get_data(path)))
        with open(path, encoding="utf-8") as file:
            return dict(json.load(file))
    except FileNotFoundError:
        return {}


def _git(root: Root, *arguments: str) -> str:
    import subprocess

    return subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "--no-optional-locks", "-C", str(root), *arguments],  # noqa: S607 - whichever git the user has
        check=True,
        capture_output=True,
        text=True,
    ).stdout
