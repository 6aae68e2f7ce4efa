"""Where an output came from: the command, the version, the commit and the conventions in force."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from exactdice import __version__

__all__ = ["Provenance", "commit"]

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Provenance:
    """What a reader needs in order to produce the same output again.

    Parameters
    ----------
    command
        The command that gives this output, without output options.
    conventions
        Name to value of every convention that the numbers depend on, in the order shown.
    """

    command: str = ""
    conventions: Mapping[str, str] = field(default_factory=dict)

    @property
    def producer(self) -> str:
        """Package, version and commit."""
        return f"exactdice {__version__}, commit {commit()}"


@cache
def commit() -> str:
    """Return the abbreviated commit of the checkout that the package runs from.

    ``unknown`` outside a checkout, as in an installation from a wheel; a trailing ``+changes``
    says that the package's own files differ from that commit.
    """
    if not (_ROOT / ".git").exists():
        return "unknown"
    try:
        described = _git("rev-parse", "--short=10", "HEAD").strip()
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", "exactdice")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{described}+changes" if changed.strip() else described


def _git(*arguments: str) -> str:
    return subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "-C", str(_ROOT), *arguments],  # noqa: S607 - whichever git the user has
        check=True,
        capture_output=True,
        text=True,
    ).stdout
