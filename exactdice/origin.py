"""Where the code of the package came from, and whether its compiled module was built from it.

In a checkout git tells the commit. A source distribution and a wheel are made of a checkout and
hold a *stamp* of it, ``exactdice/origin.json``: the commit, and a hash of the C++ sources. The
compiled module holds the hash of the sources that it was built from, so that one that does not
belong to the sources at hand is noticed (`exactdice.native.solvers`).

The hash is the SHA-256 of the names and contents of all files that the module is compiled from.
``setup.py`` runs this module by itself, so it imports the standard library alone.
"""

import json
from functools import cache
from pathlib import Path

#: Where a distribution keeps its stamp, from the folder that holds the package.
STAMP = Path("exactdice", "origin.json")

_ROOT = Path(__file__).resolve().parents[1]

# What the compiled module is made of; and what else, changed, makes a package another one.
_COMPILED = ("binding", "include", "src")
_PACKAGE = ("exactdice", "cpp", "setup.py", "setup.cfg", "pyproject.toml")

_REFUSED = 128  # git's status where there is no commit yet, or where the folder is another user's


def built_from(cpp: Path) -> str:
    """Return the hash of the C++ sources in a folder, 16 hexadecimal digits.

    Cost: it reads them all, about 0.2 MB.
    """
    import hashlib  # a command that tells its commit alone does not wait for it

    seen = hashlib.sha256()
    for part in _COMPILED:
        for path in sorted((cpp / part).rglob("*.[ch]pp")):
            content = path.read_bytes()
            seen.update(f"{path.relative_to(cpp).as_posix()} {len(content)}\n".encode() + content)
    return seen.hexdigest()[:16]


@cache
def sources_at_hand() -> str | None:
    """Return the hash of the C++ sources that belong to this package; None if nothing tells it."""
    if (_ROOT / "cpp" / "binding").is_dir():
        return built_from(_ROOT / "cpp")
    return _stamped(_ROOT).get("sources")


@cache
def commit() -> str:
    """Return the abbreviated commit of the package.

    A trailing ``+changes`` says that files of the package differ from that commit, or that there
    are files that it does not have; ``unknown``, that nothing tells it. Where the system keeps git
    from telling it, that is an error.
    """
    return _commit_of(_ROOT)


def stamp(root: Path) -> str:
    """Return the stamp of the sources in a folder, as a distribution made of them holds it."""
    stamped = {"commit": _commit_of(root), "sources": built_from(root / "cpp")}
    return json.dumps(stamped, indent=1) + "\n"


def _commit_of(root: Path) -> str:
    if not (root / ".git").exists():
        return _stamped(root).get("commit", "unknown")
    import subprocess  # an installed package has no checkout to ask about

    try:
        status = ("status", "--porcelain=v2", "--branch", "--untracked-files=all")
        status_lines = _git(root, *status, "--", *_PACKAGE).splitlines()
    except (FileNotFoundError, NotADirectoryError, PermissionError):  # no git that can be run
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
    from exactdice.errors import ExactDiceError  # setup.py, which runs this file alone, has none

    line = f"commit: git cannot be asked for that of the package ({reason}); let git run here"
    return ExactDiceError(line)


def _stamped(root: Path) -> dict[str, str]:
    path = root / STAMP
    loader = globals().get("__loader__")  # which reads archives, too; setup.py has none
    try:
        return dict(json.loads(loader.get_data(str(path)) if loader else path.read_bytes()))
    except FileNotFoundError:
        return {}


def _git(root: Path, *arguments: str) -> str:
    """Ask git, which then writes nothing: what asks may be under a limit, or be killed."""
    import subprocess

    return subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "--no-optional-locks", "-C", str(root), *arguments],  # noqa: S607 - whichever git the user has
        check=True,
        capture_output=True,
        text=True,
    ).stdout
