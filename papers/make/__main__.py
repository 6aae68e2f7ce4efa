"""`python -m papers.make`: generate numbers, tables and figures of the papers, and typeset them.

Text goes into ``papers/generated`` and is kept under version control; pictures go into
``papers/figures`` and are drawn anew by whoever builds the papers.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click

from exactdice import __version__
from exactdice.cli import run
from exactdice.cli.presenting import click_option, shown_progress
from exactdice.errors import CheckFailedError, InputError, MissingExtraError, OutputError
from exactdice.jobs.plots import figure_named
from exactdice.origin import commit
from exactdice.question.domains import File, Flag, Text
from exactdice.question.words import Command
from exactdice.report.writers import Format, rendered_files
from exactdice.storage import MANIFEST, OutputFolder
from papers.make import PAPERS, Paper
from papers.make.stored import StoredData

_GENERATED, _FIGURES, _DATA = "generated", "figures", "data"


def _run(**given: Any) -> None:
    papers = _chosen(given["only"] or "")
    home = File().read(given["folder"] or "papers", "folder")
    if not home.is_dir():
        raise InputError("folder", str(home), "the folder papers of a checkout of exactdice")
    if given["check"]:
        _check(papers, home)
        return
    typeset = not given["no_pdf"]
    if typeset:
        _require_latex()
    _write(papers, home)
    for paper in papers if typeset else ():
        _typeset(home / paper.name / f"{paper.name}.tex")
        click.echo(f"Wrote {home / paper.name / paper.name}.pdf.")


def _chosen(only: str) -> Sequence[Paper]:
    chosen = [paper for paper in PAPERS if only in ("", paper.name)]
    if not chosen:
        raise InputError("only", only, f"one of {', '.join(paper.name for paper in PAPERS)}")
    return chosen


def _write(papers: Sequence[Paper], home: Path) -> None:
    generated, figures = OutputFolder(home / _GENERATED), OutputFolder(home / _FIGURES)
    with shown_progress() as tell:
        for done, paper in enumerate(papers):
            tell("papers", done, len(papers))
            generated.write(dict(_texts(paper, home)))
            figures.write(dict(_pictures(paper, home)))
        figures.write({"edition.tex": _edition()})
    click.echo(
        f"Wrote the data of {len(papers)} papers into {home / _GENERATED}, listed in {MANIFEST}."
    )


def _texts(paper: Paper, home: Path) -> Iterator[tuple[str, str]]:
    """Yield name and content of the files of a paper that are under version control."""
    stored = StoredData(home / _DATA)
    yield from paper.files(stored).items()
    for name in paper.figures:
        report = paper.drawn(name, stored)
        for file, content in rendered_files(report, Format.CSV, f"{paper.name}/{name}").items():
            yield file, _without_producer(str(content))


def _pictures(paper: Paper, home: Path) -> Iterator[tuple[str, bytes]]:
    for name in paper.figures:
        figure, report = figure_named(name), paper.drawn(name, StoredData(home / _DATA))
        for kind in ("pdf", "png"):
            yield f"{name}.{kind}", figure.picture(report, kind)


def _edition() -> str:
    """Write the commit and date from which the papers are made, outside version control."""
    made_from = f"exactdice {__version__}, commit {commit()}"
    return (
        f"\\renewcommand{{\\edition}}{{{made_from}}}\n"
        f"\\renewcommand{{\\editionday}}{{{date.today().isoformat()}}}\n"
    )


def _without_producer(text: str) -> str:
    """Remove version and commit, which would change every file at every commit."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("# producer: "))


def _check(papers: Sequence[Paper], home: Path) -> None:
    stale = []
    with tempfile.TemporaryDirectory() as made:
        fresh = OutputFolder(Path(made) / _GENERATED)
        for paper in papers:
            texts = dict(_texts(paper, home))
            fresh.write(texts)
            for name in texts:
                committed = home / _GENERATED / name
                if not committed.is_file():
                    stale.append(f"{name} is missing")
                elif committed.read_bytes() != (fresh.folder / name).read_bytes():
                    stale.append(f"{name} differs")
            kept = (home / _GENERATED / paper.name).rglob("*")
            stale += sorted(
                f"{path.name} is no longer made"
                for path in kept
                if path.relative_to(home / _GENERATED).as_posix() not in texts
            )
    stale += _strangers(home / _GENERATED)
    if stale:
        raise CheckFailedError(
            f"{home / _GENERATED}: {'; '.join(stale)}. Run python -m papers.make and commit"
        )
    click.echo(f"{home / _GENERATED} is what the mathematics gives: {len(papers)} papers checked.")


def _strangers(generated: Path) -> list[str]:
    """Compare the list of the files with the files: the names, and the content by its hash."""
    papers = {paper.name for paper in PAPERS}
    there = {
        path.relative_to(generated).as_posix(): path
        for path in generated.rglob("*")
        if path.is_file() and path.name != MANIFEST and not path.name.startswith(".exactdice-")
    }
    stale = [f"{name} belongs to no paper" for name in there if name.split("/")[0] not in papers]
    try:
        listed = json.loads((generated / MANIFEST).read_text(encoding="utf-8"))["files"]
        hashes = {str(name): str(value) for name, value in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [*stale, f"{MANIFEST} is missing or cannot be read"]
    stale += [f"{name} is not in {MANIFEST}" for name in sorted(there.keys() - hashes.keys())]
    stale += [f"{name} of {MANIFEST} is missing" for name in sorted(hashes.keys() - there.keys())]
    stale += [
        f"{name} is not the file of its hash in {MANIFEST}"
        for name in sorted(there.keys() & hashes.keys())
        if hashlib.sha256(there[name].read_bytes()).hexdigest() != hashes[name]
    ]
    return stale


_DEBIAN = (
    "on Debian: apt install latexmk texlive-latex-recommended texlive-fonts-recommended lmodern"
)


def _require_latex() -> None:
    for program in ("latexmk", "pdflatex", "bibtex"):
        if shutil.which(program) is None:
            raise MissingExtraError(f"the papers need {program}: {_DEBIAN}; or give --no-pdf")


def _typeset(source: Path) -> None:
    """Run latexmk on one paper; print its output if it fails."""
    words = ["latexmk", "-cd", "-pdf", "-interaction=nonstopmode", "-halt-on-error", "-silent"]
    done = subprocess.run(  # noqa: S603 - fixed words and a file of our own
        [*words, str(source)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.stderr.write(done.stdout[-2000:] + done.stderr[-2000:])
        log = source.with_suffix(".log")
        raise OutputError(
            f"latexmk: {source} cannot be typeset; see {log}. If a file is missing, {_DEBIAN}"
        )


command = Command(
    "python -m papers.make",
    help="Make the numbers, tables and figures of the papers, then the papers with latexmk.",
    callback=_run,
    params=[
        click_option("folder", File("FOLDER"), "The folder of the papers."),
        click_option("only", Text(metavar="PAPER"), "Only this paper."),
        click_option("check", Flag(), "Write nothing; fail if a committed file is stale."),
        click_option("no_pdf", Flag(), "Make data and figures, but do not run LaTeX."),
    ],
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with the given arguments, or those of the process; return its status."""
    return run(command, sys.argv[1:] if words is None else words)


if __name__ == "__main__":
    sys.exit(main())
