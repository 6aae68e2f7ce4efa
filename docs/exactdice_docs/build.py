"""What is made before Sphinx reads: sources of pages, and files that lie beside them in the site.

Pages go into the folders of `OWNED`, which hold nothing else and are not under version control. All
other files, and everything worth keeping from one build to the next, go below `KEPT`. What took
long is made again where the package is another one: `exactdice.storage.OutputFolder` remembers what
a file was made by.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

__all__ = ["HOME", "KEPT", "OWNED", "make_pages", "write_pages"]

_LOG = logging.getLogger(__name__)

#: The folder of the manual's sources, and the checkout that it belongs to.
HOME = Path(__file__).resolve().parents[1]
ROOT = HOME.parent

#: What is kept between builds.
KEPT = ROOT / "build" / "manual"

#: The folders of pages that are made from the code.
OWNED = ("api", "book", "claims", "figures", "papers", "questions", "tables")


def make_pages(app: Sphinx, config: Config) -> None:
    """Write every page that is made from the code."""
    if not config.exactdice_made_pages:
        return
    from exactdice_docs import api, book, browser, claims, figures, papers, questions, tables

    extra = KEPT / "extra"
    tables_made, figures_made = tables.made(KEPT / "tables"), figures.made(KEPT / "figures")
    book_made = book.made(KEPT / "book")
    papers_made = papers.made(ROOT / "papers", KEPT / "papers", _LOG.info)
    made: dict[str, str] = {}
    for part in (questions, claims, api):
        made |= dict(part.pages())
    made |= dict(tables.pages(tables_made)) | dict(figures.pages(figures_made))
    made |= dict(book.pages(book_made))
    made |= dict(papers.pages(ROOT / "papers", papers_made))
    write_pages(HOME, made)
    beside = dict(claims.certificates()) | tables_made | book_made | figures_made | papers_made
    _replace(extra, beside)
    (HOME / "_static" / "tables.js").write_text(browser.SCRIPT, encoding="utf-8")


def write_pages(home: Path, made: Mapping[str, str]) -> None:
    """Write pages that have changed, and remove those that are no longer made."""
    for name, text in made.items():
        _write(home / name, text.encode())
    for folder in OWNED:
        for path in (home / folder).rglob("*"):
            if path.is_file() and path.relative_to(home).as_posix() not in made:
                path.unlink()


def _replace(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make a folder hold exactly some files, given by content or by where to copy from."""
    for path in list(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        if isinstance(content, Path):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(content, folder / name)
        else:
            _write(folder / name, content)
    folder.mkdir(parents=True, exist_ok=True)


def _write(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return  # its time says when it changed, which decides what Sphinx reads again
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
