"""Build the manual with its tables, claims, figures and papers as a static site (`make docs`).

Sphinx builds from the folder ``docs`` of a checkout into a folder that is kept between builds. The
output folder is replaced by a finished site, or not changed.
"""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from exactdice.cli import run
from exactdice.cli.presenting import click_option
from exactdice.errors import CheckFailedError, MissingExtraError, OutputError
from exactdice.question.domains import File
from exactdice.question.words import Command

_ROOT = Path(__file__).resolve().parents[1]

# Modules that the build needs.
_NEEDED: tuple[str, ...] = (
    "sphinx",
    "pydata_sphinx_theme",
    "myst_nb",
    "numpydoc",
    "sphinxcontrib.bibtex",
)
_NEEDED += ("sphinx_design", "sphinx_copybutton", "latex2mathml", "ipykernel", "matplotlib")
_NEEDED += ("pandas", "polars", "pyarrow")

_OURS = ".exactdice-site"  # marks our sites, so that no other folder is replaced


def _run(**given: Any) -> None:
    output = File().read(given["output"] or "site", "output")
    for name in _NEEDED:
        if not _is_there(name):
            raise MissingExtraError(
                f"site: {name} is missing; in the checkout: pip install --editable . --group docs"
            )
    _check_ours(output)
    built = _build(_kept())
    _place(built, output)
    click.echo(f"Wrote the manual to {output}; open {output / 'index.html'}.")


def _kept() -> Path:
    """Return the folder that is kept between builds."""
    return _ROOT / "build" / "manual"


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _check_ours(output: Path) -> None:
    """Raise an error instead of replacing another folder or a file."""
    if output.is_dir() and any(output.iterdir()) and not (output / _OURS).is_file():
        raise OutputError(f"output: {output} holds other files; name a new folder")
    if output.exists() and not output.is_dir():
        raise OutputError(f"output: {output} is a file; name a folder")


def _build(kept: Path) -> Path:
    """Build with warnings as errors, and show them."""
    built = kept / "html"
    kept.mkdir(parents=True, exist_ok=True)
    words = ["-m", "sphinx", "-b", "html", "-W", "--keep-going", "--quiet"]
    done = subprocess.run(
        [sys.executable, *words, "-d", str(kept / "doctrees"), str(_ROOT / "docs"), str(built)],
        check=False,
        stdout=sys.stderr,
    )
    if done.returncode:
        raise CheckFailedError("site: the manual cannot be built; see the errors above")
    (built / _OURS).touch()
    return built


def _place(built: Path, output: Path) -> None:
    """Copy a finished site next to the folder, then replace the folder."""
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=output.parent, prefix=".exactdice-") as made:
            fresh, old = Path(made) / "fresh", Path(made) / "old"
            shutil.copytree(built, fresh, ignore=shutil.ignore_patterns(".buildinfo*"))
            if output.exists():
                output.replace(old)
            fresh.replace(output)
    except OSError as problem:
        raise OutputError(f"output: {output}: {problem.strerror}") from problem


command = Command(
    "docs/make.py",
    help="Write the manual with tables, claims, figures and papers as a static site.\n\n"
    "Takes about four minutes of processor time, or seconds if little changed.",
    callback=_run,
    params=[
        click_option("output", File("FOLDER"), "Folder to write to. Default: site.", short="-o")
    ],
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these or the process's arguments, and return its exit status."""
    return run(command, sys.argv[1:] if words is None else words)


if __name__ == "__main__":
    sys.exit(main())
