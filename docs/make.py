"""The manual with its tables, claims, figures and papers, as a static site: what `make docs` runs.

Sphinx builds it from the folder ``docs`` of a checkout, into a folder of the checkout that is kept
from one build to the next. The output folder is replaced by a finished site, or left as it was.
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

# What the manual is built with, as it is imported.
_NEEDED: tuple[str, ...] = (
    "sphinx",
    "pydata_sphinx_theme",
    "myst_nb",
    "numpydoc",
    "sphinxcontrib.bibtex",
)
_NEEDED += ("sphinx_design", "sphinx_copybutton", "latex2mathml", "ipykernel", "matplotlib")
_NEEDED += ("pandas", "polars", "pyarrow")

_OURS = ".exactdice-site"  # lies in every site, so that no other folder is replaced


def _run(**given: Any) -> None:
    output = File().read(given["output"] or "site", "output")
    for name in _NEEDED:
        if not _is_there(name):
            raise MissingExtraError(
                f"site: {name} is missing; in the checkout: pip install --editable '.[docs]'"
            )
    _check_ours(output)
    built = _build(_kept())
    _place(built, output)
    click.echo(f"Wrote the manual into {output}; open {output / 'index.html'}.")


def _kept() -> Path:
    """Return the folder of what is kept from one build to the next."""
    return _ROOT / "build" / "manual"


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _check_ours(output: Path) -> None:
    """Refuse to replace a folder that is no site, or a file."""
    if output.is_dir() and any(output.iterdir()) and not (output / _OURS).is_file():
        raise OutputError(f"output: {output} holds other files; name a new folder")
    if output.exists() and not output.is_dir():
        raise OutputError(f"output: {output} is a file; name a folder")


def _build(kept: Path) -> Path:
    """Build with warnings as errors; what Sphinx complains of is shown, and fails the command."""
    built = kept / "html"
    kept.mkdir(parents=True, exist_ok=True)
    words = ["-m", "sphinx", "-b", "html", "-W", "--keep-going", "--quiet"]
    done = subprocess.run(
        [sys.executable, *words, "-d", str(kept / "doctrees"), str(_ROOT / "docs"), str(built)],
        check=False,
        stdout=sys.stderr,
    )
    if done.returncode:
        raise CheckFailedError("site: the manual cannot be built; what is wrong stands above")
    (built / _OURS).touch()
    return built


def _place(built: Path, output: Path) -> None:
    """Copy a finished site beside the folder, then put it in its place."""
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
    "Takes about four minutes of processor time, and seconds where little changed.",
    callback=_run,
    params=[click_option("output", File(), "Folder to write into; site by default.", short="-o")],
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with those words, or with those of the process, and return its status."""
    return run(command, sys.argv[1:] if words is None else words)


if __name__ == "__main__":
    sys.exit(main())
