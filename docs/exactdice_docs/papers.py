"""The papers as PDF: copied if they are up to date, otherwise built with LaTeX.

A paper depends on its text, on the files that all papers share, and on the package. A hash of these
is stored with its PDF. Without LaTeX, the page lists the papers without PDF.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sphinx.errors import ExtensionError

from exactdice.storage import OutputFolder, source_identity
from papers.make import PAPERS

__all__ = ["made", "pages"]

_LATEX = ("latexmk", "pdflatex", "bibtex")


def made(papers: Path, folder: Path, tell: Callable[[str], None]) -> dict[str, Path]:
    """Make the papers; return the paths of the PDFs by name in the site."""
    kept = OutputFolder(folder / "pdf")
    made_by = _made_by(papers)
    names = [f"{paper.name}.pdf" for paper in PAPERS]
    if not set(names) <= set(kept.current(made_by)):
        missing = [program for program in _LATEX if shutil.which(program) is None]
        if missing:
            tell(f"papers: {missing[0]} is not installed, so the papers are not included")
            return {}
        workshop = folder / "workshop"
        shutil.rmtree(workshop, ignore_errors=True)
        shutil.copytree(papers, workshop, ignore=shutil.ignore_patterns("*.pdf", "*.aux", "*.log"))
        _build(workshop)
        kept.write(
            {f"{paper.name}.pdf": _pdf(workshop, paper.name).read_bytes() for paper in PAPERS},
            made_by,
        )
    return {f"papers/{name}": folder / "pdf" / name for name in names}


def _pdf(home: Path, name: str) -> Path:
    return home / name / f"{name}.pdf"


def _build(workshop: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "papers.make", "--folder", str(workshop)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ExtensionError(f"papers: {(done.stderr or done.stdout).strip()[-2000:]}")


def _made_by(papers: Path) -> str:
    source = source_identity()
    if not source:
        return ""
    seen = hashlib.sha256(source.encode())
    for path in sorted(papers.rglob("*")):
        if path.suffix in (".tex", ".bib", ".json", ".csv"):
            seen.update(path.relative_to(papers).as_posix().encode() + path.read_bytes())
    return seen.hexdigest()


def pages(papers: Path, there: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Yield the page that lists the papers."""
    lines = [
        "# Papers",
        "",
        "Papers: one for each of five games, two notes, and one on the method. Their numbers are",
        "generated from answers of the package. `make papers` builds them.",
        "",
    ]
    for paper in PAPERS:
        source = (papers / paper.name / f"{paper.name}.tex").read_text(encoding="utf-8")
        title = re.search(r"\\papertitle\{(.*?)\}", source)
        if title is None:
            raise ExtensionError(f"papers: {paper.name}.tex has no \\papertitle")
        name = f"{paper.name}.pdf"
        where = (
            f'<a href="{name}">PDF</a>'
            if f"papers/{name}" in there
            else "The PDF is not included, because these pages were built without LaTeX."
        )
        lines += [f"## {title[1]}", "", where, "", "```sh"]
        lines += [f"python -m papers.make --only {paper.name}", "```", ""]
    lines += ["## Bibliography", "", "```{bibliography}", ":all:", "```", ""]
    yield "papers/index.md", "\n".join(lines)
