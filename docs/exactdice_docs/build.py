"""Generate page sources, and the files that are published with them, before Sphinx reads.

Pages go into the folders of `OWNED`, which contain nothing else and are not under version control.
All other files, and everything that is kept between builds, go to `KEPT`. Slow results are made
again if the package changed: `exactdice.storage.OutputFolder` stores what a file was made by.
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

#: Folder of files that are kept between builds.
KEPT = ROOT / "build" / "manual"

#: Folders of generated pages.
OWNED = ("api", "book", "claims", "figures", "papers", "questions", "tables")


def make_pages(app: Sphinx, config: Config) -> None:
    """Write every generated page."""
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
    """Write pages that have changed, and remove those that are no longer generated."""
    for name, text in made.items():
        _write(home / name, text.encode())
    for folder in OWNED:
        for path in (home / folder).rglob("*"):
            if path.is_file() and path.relative_to(home).as_posix() not in made:
                path.unlink()


def _replace(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    """Make a folder contain exactly these files, given by content or by path."""
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
        return  # Sphinx decides by the time of the file whether to read it again
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
